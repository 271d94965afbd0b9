/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declarations that the files image*.c share: an image that is being read. */
#ifndef MEMMON_REDUCE_IMAGE_READER_H
#define MEMMON_REDUCE_IMAGE_READER_H

#include "monitor/monimg.h"
#include "reduce/base/err.h"
#include "reduce/base/hash.h"
#include "reduce/monout/items.h"
#include "reduce/image/image.h"
#include "reduce/image/image_source.h"

/* A slot in use. */
struct image_slot {
	uint32_t slot, kind, first;
};

/* The cells of one node and one size, of all threads. */
struct image_pair {
	uint32_t site;
	uint64_t size; /* or MONIMG_SIZE_ANY plus the class */
	uint64_t allocs, frees, bytes, freed;
	uint64_t held, held_bytes; /* may be negative, in two's complement */
	uint64_t looked;	   /* as in struct monimg_cell */
};

struct image_site {
	uint32_t index; /* its first place in sites[], which pairs use */
	uint32_t node; /* number in the image; at the end, in the file */
	uint32_t life; /* place in lives[] plus 1; 0: none */
	int64_t held, held_bytes;
	uint64_t reallocs;
	struct monimg_figure figure[MONOUT_NFIGURE];
	struct counts count;
	uint64_t peak_blocks, peak_bytes; /* as written to the file */
};

struct image_node {
	uint64_t key;
	uint32_t number, parent; /* as in the image */
	uint32_t new;		 /* number in the file */
	bool lost;		 /* some of its callers are missing */
	bool cut;		 /* its outermost node is MONOUT_PC_CUT */
};

struct image_module {
	uint64_t start, end, bias;
	uint32_t gen, index; /* index: number in the file, from 1 */
};

struct image_bin {
	uint64_t size, allocs, frees;
};

/* Values for the totals: sums over the sites, and numbers of written items. */
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

/* All arrays come from malloc(); see image_fini(). */
struct image {
	struct image_source from;
	const char *path;
	struct monimg_header h;
	struct image_info info;
	uint64_t now; /* CLOCK_MONOTONIC if the process runs, else 0 */
	struct image_slot *slots;
	size_t nslots, slot_room;
	unsigned char *buffer; /* bytes of a slot */

	struct monimg_global *global;
	struct monimg_pub *pubs;
	size_t npubs, pub_room;
	uint64_t peak, peaks, peak_at, slack; /* as struct mmi_heap_state */

	/* Results of the cells: */
	struct hash site_hash, pair_hash, bin_hash;
	struct image_site *sites;
	size_t nsites, site_room;
	struct image_pair *pairs;
	size_t npairs, pair_room;
	struct life *lives;
	size_t nlives, life_room;
	struct image_bin *bins;
	size_t nbins, bin_room;
	unsigned char *cells; /* slots with cells, copied one after the other
			       * if the process runs; else NULL */
	bool second;	      /* second pass: allocations and bytes are read */

	struct image_node *nodes; /* sorted by number, each once */
	size_t nnodes, node_room;
	struct image_module *modules; /* sorted by generation and start */
	size_t nmodules, module_room;
	struct monimg_type **types; /* by number, MONOUT_TYPE_MAX + 1 of them */
	uint32_t none; /* node for the unknown part of call paths; 0: not
			* needed */
	uint32_t *numbers; /* by pair.site: the site's number in the file;
			    * UINT32_MAX: the site isn't in the file */
	uint64_t *snapshots; /* numbers of the snapshots written */
	size_t nsnapshots;
	struct image_notes *notes; /* for image_notes.c */
	/* The function that image_each_cell() calls. */
	int (*show)(struct image *g, const struct monimg_cell *c,
		    const struct monimg_extra *e, uint32_t site);

	/* Problems: */
	uint64_t bad_cells;   /* impossible cells */
	uint64_t bad_modules; /* impossible modules */
	uint64_t lone_frees;  /* frees of blocks without a cell */
	uint64_t cut_chains;  /* allocations with only the innermost frames */
	uint64_t lost_chains; /* allocations with missing callers */
	uint64_t lost_bytes;  /* allocations with unknown bytes */

	/* The output: */
	struct emit out;
	struct image_totals t;
};

/*
 * image_head.c: check the header and find the slots.  0, or -1 with *e set if
 * the image can't be read.
 */
int image_head(struct image *g, struct err *e);

/* Find the slots that are in use now. */
void image_slots(struct image *g);

/*
 * Call take for each item in the slots of a kind.  size: bytes of an item;
 * number: counted from the slot's first number.  Ends when take returns a value
 * other than 0.  Returns that value, or 0.
 */
int image_each(struct image *g, uint32_t kind, size_t size,
	       int (*take)(struct image *g, const void *item, uint64_t number));

/*
 * Copy n bytes that a pointer in the image points to.  False if they aren't in
 * the image.
 */
bool image_follow(struct image *g, uint64_t pointer, void *to, size_t n);

/* Read the global counts again.  False if they aren't in the image. */
bool image_global(struct image *g);

/*
 * image_live.c: does the process run?  1 yes, 0 no, -1 if that can't be known
 * here.
 */
int image_running(const struct monimg_header *h);

/*
 * image_cells.c: read all cells, twice; their sums are in sites, bins and big
 * afterwards.  image_put_cells() writes them; call it after the sites were
 * written.
 */
void image_cells(struct image *g);
void image_put_cells(struct image *g);

/*
 * image_bins.c: image_bins_any() adds to the bins the frees of cells for all
 * sizes, in the second pass their allocations.  image_bins_exact() adds a pair
 * of one size.  image_bins_complete() adds up the blocks without a bin.
 */
void image_bins_any(struct image *g);
void image_bins_exact(struct image *g, const struct image_pair *p);
void image_bins_complete(struct image *g);

/*
 * Call put with each cell that counts, and its site's number in the file.  Ends
 * when put returns a value other than 0.  Returns that value, or 0.
 */
int image_each_cell(struct image *g,
		    int (*put)(struct image *g, const struct monimg_cell *c,
			       const struct monimg_extra *e, uint32_t site));

/* image_nodes.c: read and write modules and nodes, and set the sites' nodes. */
void image_nodes(struct image *g);

/*
 * image_tables.c: read the threads and the global counts; write sites, threads
 * and types.
 */
void image_threads(struct image *g);
void image_put_sites(struct image *g);
void image_put_threads(struct image *g);
void image_put_types(struct image *g);
void image_free_types(struct image *g);

/*
 * The classes in which the site has allocations, a bit each.  0: the site isn't
 * written.
 */
uint32_t image_site_mask(const struct image_site *s);

/*
 * image_times.c: write the snapshots, after the sites.  image_last_snapshot()
 * returns the time of the last one, on CLOCK_MONOTONIC; 0 if there is none.
 */
void image_put_times(struct image *g);
uint64_t image_last_snapshot(const struct image *g);

/* Write the table MEMORY_SNAPSHOTS, which says where the memory was. */
void image_put_moments(struct image *g);

/* The place of the first snapshot with that number or a higher one. */
uint64_t image_times_place(const struct image *g, uint64_t number);

/*
 * image_notes.c: write the counts of cells at the snapshots, after the
 * snapshots.
 */
void image_put_notes(struct image *g);

/* image_run.c: the length of the run in ns; write the run; write the totals. */
uint64_t image_length(const struct image *g);
void image_put_run(struct image *g);
void image_put_totals(struct image *g);

/* to += v, at most UINT64_MAX. */
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
