/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The heap as a graph: which blocks and roots point to which blocks. */
#ifndef MEMMON_REDUCE_MODEL_LINKS_H
#define MEMMON_REDUCE_MODEL_LINKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Memory outside of blocks that points to blocks. */
enum root_kind {
	ROOT_DATA,    /* a variable of the program or of a library */
	ROOT_STACK,   /* a thread's stack, or its registers */
	ROOT_STORAGE, /* a thread's own storage */
	ROOT_MAPPED,  /* memory that the program mapped */
	ROOT_OTHER,
	ROOT_NKIND
};

/*
 * Retained: the live blocks that could not be reached any more without this
 * root.  Edges are its pointers to blocks.
 */
struct root {
	enum root_kind kind;
	const char *kind_name; /* "variable", "stack", ... */
	const char *name; /* a text for each kind */
	const char *file; /* of a variable: the source file that defines it,
			   * without folders; NULL: not known */
	unsigned line;
	uint64_t size;	  /* bytes; 0: not known */
	uint64_t blocks, bytes; /* retained */
};

/*
 * The blocks that the live blocks of a site retain, themselves among them.
 * count: blocks of the site that no other block of the site retains.  blocks,
 * bytes: all that these retain.  most: the most bytes that one of them retains.
 * count 0: not known, because the site is several ones in the file.
 */
struct retained {
	uint64_t count, blocks, bytes, most;
};

/* Special values of an offset in a holder. */
#define LINK_FAR 4096u		 /* at this offset or beyond, or in an array */
#define LINK_UNKNOWN 0xffffffffu /* not known */

/* In the text of a place on a stack, before the variable's name. */
#define LINK_VARIABLE ", variable "

/* Pointers from a root, or from blocks of a site, to blocks of a site. */
struct edge {
	const struct root *root; /* NULL: blocks of a site hold them */
	uint32_t holder;	 /* the index of that site in profile.sites */
	uint32_t held;		 /* the index of the site that they point to */
	uint32_t offset;	 /* bytes, in the root or block */
	const char *member;	 /* that contains the pointers, for example
				  * ".a.b"; of a stack, "in run(), variable
				  * queue"; "" not known */
	uint64_t pointers;
	uint64_t interior; /* of these, pointers into a block, not to its
			    * start */
	uint64_t bytes; /* of the blocks; a block counts once for each
			 * pointer */
};

/*
 * A step of the shortest path from a root to one block of a site: the block
 * that retains most.  Step 0 is the root.
 */
struct step {
	uint32_t site; /* index in profile.sites */
	uint32_t n;
	const struct root *root; /* of step 0 */
	uint32_t holder;	 /* of later steps */
	uint32_t offset;	 /* of the pointer to the next one */
	const char *member;
};

/* Lost blocks that point to each other in a ring.  `count' rings are alike. */
enum { RING_MOST = 64 };
struct ring {
	uint64_t count;
	uint64_t blocks, bytes; /* of all of them, and blocks linked with them
				 * both ways */
	uint64_t length;	/* blocks in a ring */
	struct step *step;	/* the first n of them; their n is unset */
	size_t n;
};

/*
 * A row of the tree of retained blocks: a root, or blocks of a site that can be
 * reached only by way of the row above.  A list is one row.  If a site occurs a
 * second time on the way from a root, that row has no rows below it.
 */
#define HOLDING_ROOT 0xffffffffu
struct holding {
	uint32_t parent; /* row; HOLDING_ROOT: none */
	uint32_t depth;
	const struct root *root; /* of a row without a parent; NULL: blocks that
				  * no single root retains */
	uint32_t site;		 /* index in profile.sites; HOLDING_ROOT */
	uint64_t blocks, bytes;	 /* its own */
	uint64_t rest_blocks, rest_bytes; /* in rows below it that were left
					   * out */
	uint64_t all_blocks, all_bytes;	  /* with all rows below it */
	/* With all rows below it, if accesses were recorded: bytes of blocks
	 * that were never read; the last access, ns after start, 0: none. */
	uint64_t unread, last;
};

/* The graph; empty if none was made, or only for some of the files. */
struct links {
	struct root *roots; /* by retained bytes, descending */
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
	bool pruned; /* small rows of holdings were left out */
	bool used; /* holdings show how blocks were used */
	uint64_t pointers; /* in the graph */
	uint64_t bytes;	   /* of all blocks in it */
	uint64_t beyond;   /* of these, pointers that are in no edge */
	uint64_t roots_left, rings_left; /* that have no row */
	uint64_t at;	   /* when it was made: ns after start */
	const char *why;   /* why there is none though it was asked for; or
			    * NULL */
};

/*
 * The blocks and bytes that all sites with the same key retain together:
 * sum[key[site]] gets them, from the tree.  They are lower bounds if the tree
 * is pruned.
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
