/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The heap as a graph: which blocks and roots point to which blocks. */
#ifndef MEMMON_REDUCE_MODEL_LINKS_H
#define MEMMON_REDUCE_MODEL_LINKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What holds blocks and is no block itself. */
enum root_kind {
	ROOT_DATA,    /* a variable of the program or of a library */
	ROOT_STACK,   /* a thread's stack, or its registers */
	ROOT_STORAGE, /* a thread's own storage */
	ROOT_MAPPED,  /* memory that the program mapped */
	ROOT_OTHER,
	ROOT_NKIND
};

/*
 * Retained: the live blocks that could not be reached any more without it.  Its
 * pointers to blocks are edges.
 */
struct root {
	enum root_kind kind;
	const char *kind_name; /* "variable", "stack", ... */
	const char *name; /* a text for each kind */
	const char *file; /* of a variable: where it is defined, without its
			   * folder; NULL: not known */
	unsigned line;
	uint64_t size;	  /* bytes; 0: not known */
	uint64_t blocks, bytes; /* retained */
};

/*
 * What the live blocks of a site retain, themselves among it: count of them
 * that no other block of the site retains, and these together; most: bytes that
 * one of them does.  count 0: not known, as in the file it is several sites.
 */
struct retained {
	uint64_t count, blocks, bytes, most;
};

/* Offsets in a holder that aren't one. */
#define LINK_FAR 4096u		 /* anywhere from there on, or in an array */
#define LINK_UNKNOWN 0xffffffffu /* it isn't known where */

/* In the text of a place on a stack, before the variable's name. */
#define LINK_VARIABLE ", variable "

/* From a root or a block of a site to blocks of a site. */
struct edge {
	const struct root *root; /* NULL: it is a block */
	uint32_t holder;	 /* place in profile.sites; of a block */
	uint32_t held;		 /* the same */
	uint32_t offset;	 /* bytes, in the root or block */
	const char *member;	 /* that is there, as ".a.b"; of a stack, as
				  * "in run(), variable queue"; "" not known */
	uint64_t pointers;
	uint64_t interior; /* of these, into a block, not to its start */
	uint64_t bytes; /* of the blocks, once for each pointer */
};

/*
 * A step of the shortest path from a root to that block of a site which retains
 * most.  Step 0 is the root.
 */
struct step {
	uint32_t site; /* place in profile.sites */
	uint32_t n;
	const struct root *root; /* of step 0 */
	uint32_t holder;	 /* of the others */
	uint32_t offset;	 /* of the pointer to the next one */
	const char *member;
};

/* Lost blocks that point to each other in a ring, alike in `count' rings. */
enum { RING_MOST = 64 };
struct ring {
	uint64_t count;
	uint64_t blocks, bytes; /* of all of them, and what points both ways */
	uint64_t length;	/* blocks of a ring */
	struct step *step;	/* n of them, the first ones; n unset */
	size_t n;
};

/*
 * A row of the tree of who retains what: a root, or blocks of a site that only
 * the row above leads to.  A list is one row.  A site may come again on the way
 * from a root: then the row has none below it.
 */
#define HOLDING_ROOT 0xffffffffu
struct holding {
	uint32_t parent; /* row; HOLDING_ROOT: none */
	uint32_t depth;
	const struct root *root; /* of a row without a parent; NULL: there are
				  * blocks that no single root retains */
	uint32_t site;		 /* place in profile.sites; HOLDING_ROOT */
	uint64_t blocks, bytes;	 /* its own */
	uint64_t rest_blocks, rest_bytes; /* below it, in rows left out */
	uint64_t all_blocks, all_bytes;	  /* with all below it */
	/* With all below it, if accesses were recorded: bytes of blocks that
	 * were never read; the last access, ns after start, 0: none. */
	uint64_t unread, last;
};

/* All of it; of what wasn't made, or only of some files, nothing. */
struct links {
	struct root *roots; /* by what they retain */
	size_t nroots;
	struct retained *retained; /* of each site; NULL: not known */
	size_t nretained;
	struct edge *edges; /* by bytes */
	size_t nedges;
	struct step *steps; /* by site, then from the root on */
	size_t nsteps;
	struct ring *rings; /* by bytes */
	size_t nrings;
	struct holding *holdings; /* a row, then all below it, by bytes */
	size_t nholdings;
	bool pruned; /* small rows of these were left out */
	bool used; /* holdings tell how blocks were used */
	uint64_t pointers; /* in the graph */
	uint64_t bytes;	   /* of all blocks in it */
	uint64_t beyond;   /* of these, pointers that are in no edge */
	uint64_t roots_left, rings_left; /* that are in no row */
	uint64_t at;	   /* when it was made: ns after start */
	const char *why;   /* there is none though it was asked for; or NULL */
};

/*
 * What blocks retain that have a key together: sum[key[site]] gets blocks and
 * bytes, by the tree; at least these if it is pruned.
 */
static inline void
links_sum(const struct links *l, const size_t *key, struct retained *sum)
{
	for (size_t i = 0; i < l->nholdings; i++) {
		const struct holding *h = &l->holdings[i], *up = h;
		bool again = h->site == HOLDING_ROOT;

		while (!again && up->parent != HOLDING_ROOT) {
			up = &l->holdings[up->parent];
			again = up->site != HOLDING_ROOT &&
				key[up->site] == key[h->site];
		}
		if (again)
			continue;
		sum[key[h->site]].blocks += h->all_blocks;
		sum[key[h->site]].bytes += h->all_bytes;
	}
}

#endif
