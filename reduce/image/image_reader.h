/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files image*.c share: an image that is being read. */
#ifndef MEMMON_REDUCE_IMAGE_READER_H
#define MEMMON_REDUCE_IMAGE_READER_H

#include "monitor/monimg.h"
#include "reduce/base/err.h"
#include "reduce/base/hash.h"
#include "reduce/file/items.h"
#include "reduce/image/image.h"
#include "reduce/image/image_source.h"

/* A slot that is in use. */
struct image_slot {
	uint32_t slot, kind, first;
};

/* The cells of one node and one size, those of all threads. */
struct image_pair {
	uint32_t site;
	uint64_t size; /* or MONIMG_SIZE_ANY and the class */
	uint64_t allocs, frees, bytes, freed;
	uint64_t held, held_bytes; /* two's complement */
	uint64_t looked;	   /* as in struct monimg_cell */
};

struct image_site {
	uint32_t index; /* in sites[], as the pairs have it */
	uint32_t node; /* as in the image; when all is read, as in the file */
	uint32_t life; /* in lives[], + 1; 0: none */
	int64_t held, held_bytes;
	uint64_t reallocs;
	struct counts count;
	uint64_t peak_blocks, peak_bytes; /* as written */
};

struct image_node {
	uint64_t key;
	uint32_t number, parent; /* as in the image */
	uint32_t new;		 /* as in the file */
	bool lost;		 /* some of its callers aren't there */
	bool cut;		 /* the outermost is MONOUT_PC_CUT */
};

struct image_module {
	uint64_t start, end, bias;
	uint32_t gen, index; /* index: in the file, from 1 */
};

struct image_bin {
	uint64_t size, allocs, frees;
};

/* What goes to the totals: sums over the sites, and items that are written. */
struct image_totals {
	struct amounts count;
	struct amounts big; /* of sizes without a bin */
	uint64_t reallocs, peak_blocks, peak_bytes, vtables_more;
	uint64_t mapped_lost, endings_lost;
	uint64_t peak, peak_at, peak_slack, own;
#define R(name, item, items, ...) uint64_t items;
	MONREC_TABLES(R)
#undef R
};

/* All arrays are malloc'ed; see image_fini(). */
struct image {
	struct image_source from;
	const char *path;
	struct monimg_header h;
	struct image_info info;
	uint64_t now; /* CLOCK_MONOTONIC of a process that runs; 0: not */
	struct image_slot *slots;
	size_t nslots, slot_room;
	unsigned char *buffer; /* a slot's bytes */

	struct monimg_global *global;
	struct monimg_pub *pubs;
	size_t npubs, pub_room;
	uint64_t peak, peaks, peak_at, slack; /* as struct mmi_heap_state */

	/* From the cells. */
	struct hash site_hash, pair_hash, bin_hash;
	struct image_site *sites;
	size_t nsites, site_room;
	struct image_pair *pairs;
	size_t npairs, pair_room;
	struct life *lives;
	size_t nlives, life_room;
	struct image_bin *bins;
	size_t nbins, bin_room;
	unsigned char *cells; /* of a process that runs, their slots, copied
			       * one right after the other; else NULL */
	bool second;	      /* allocations are read, and bytes */

	struct image_node *nodes; /* by number, each once */
	size_t nnodes, node_room;
	struct image_module *modules; /* by generation, then start */
	size_t nmodules, module_room;
	struct monimg_type **types; /* by number, MONOUT_TYPE_MAX + 1 of them */
	uint32_t none; /* node for chains that aren't there; 0: no need */
	uint32_t *numbers; /* by pair.site: the site's number in the file;
			    * UINT32_MAX: the file doesn't have the site */
	uint64_t *snapshots; /* numbers of those that are written */
	size_t nsnapshots;
	struct image_notes *notes; /* of image_notes.c */
	/* What image_each_cell() calls. */
	int (*show)(struct image *g, const struct monimg_cell *c,
		    const struct monimg_extra *e, uint32_t site);

	/* What went wrong. */
	uint64_t bad_cells;   /* impossible */
	uint64_t bad_modules; /* likewise */
	uint64_t lone_frees;  /* of blocks whose cell isn't there */
	uint64_t cut_chains;  /* allocations with only the innermost frames */
	uint64_t lost_chains; /* allocations with a part of the chain lost */
	uint64_t lost_bytes;  /* allocations whose bytes aren't known */

	/* What becomes of it. */
	struct emit out;
	struct image_totals t;
};

/*
 * image_head.c: check the header and find the slots.  0; -1 with *e set when it
 * isn't an image that can be read, or out of memory.
 */
int image_head(struct image *g, struct err *e);

/* The slots that are in use now.  0, or -1 when out of memory. */
int image_slots(struct image *g);

/*
 * Call take with each item of the slots of a kind, `size' bytes each, numbered
 * from what the slot says.  0, or what take returned: not 0 ends it.
 */
int image_each(struct image *g, uint32_t kind, size_t size,
	       int (*take)(struct image *g, const void *item, uint64_t number));

/* What a pointer in the image points to.  False: that isn't in it. */
bool image_follow(struct image *g, uint64_t pointer, void *to, size_t n);

/* Read the global counts anew.  False: they aren't in the image. */
bool image_global(struct image *g);

/*
 * image_live.c: does the process run?  1 it does, 0 it doesn't, -1 that can't
 * be known from here.
 */
int image_running(const struct monimg_header *h);

/*
 * image_cells.c: all cells, twice; then their sums are in sites, bins and big.
 * 0, or -1 when out of memory, as all that follow.  Put them after the sites.
 */
int image_cells(struct image *g);
int image_put_cells(struct image *g);

/*
 * image_bins.c: add to the bins the frees of cells for all sizes, or in the
 * second turn their allocations; add a pair of one size; then sum up the blocks
 * that no bin has.
 */
int image_bins_any(struct image *g);
int image_bins_exact(struct image *g, const struct image_pair *p);
void image_bins_complete(struct image *g);

/*
 * Call put with each cell that counts, and its site's number in the file.  0,
 * or what put returned: not 0 ends it.
 */
int image_each_cell(struct image *g,
		    int (*put)(struct image *g, const struct monimg_cell *c,
			       const struct monimg_extra *e, uint32_t site));

/* image_nodes.c: read nodes and modules; put them; say where sites are. */
int image_nodes(struct image *g);

/*
 * image_tables.c: pubs and global counts; what is made of them; sites; types.
 */
int image_threads(struct image *g);
void image_put_sites(struct image *g);
void image_put_threads(struct image *g);
int image_put_types(struct image *g);
void image_free_types(struct image *g);

/* Which classes of the site have allocations, as bits; 0: it isn't written. */
uint32_t image_site_mask(const struct image_site *s);

/*
 * image_times.c: the snapshots, after the sites.  When the last was taken, on
 * CLOCK_MONOTONIC; 0 if there is none.
 */
int image_put_times(struct image *g);
uint64_t image_last_snapshot(const struct image *g);

/* Where the memory was: the table MOMENTS. */
void image_put_moments(struct image *g);

/* The place of the first snapshot of that number or a higher one. */
uint64_t image_times_place(const struct image *g, uint64_t number);

/* image_notes.c: what cells had counted at these, after them. */
int image_put_notes(struct image *g);

/* image_run.c: the run and the totals.  length: ns. */
uint64_t image_length(const struct image *g);
int image_put_run(struct image *g);
void image_put_totals(struct image *g);

/* to += v, but stop at the largest. */
static inline void
image_add(uint64_t *to, uint64_t v)
{
	if (__builtin_add_overflow(*to, v, to))
		*to = UINT64_MAX;
}

static inline void
image_add_amounts(struct amounts *to, const struct amounts *x)
{
	image_add(&to->allocs, x->allocs);
	image_add(&to->bytes, x->bytes);
	image_add(&to->frees, x->frees);
	image_add(&to->freed, x->freed);
}

#endif
