/* SPDX-License-Identifier: MIT */
/*
 * The heap as a graph: what its files share.  The nodes are the live blocks of
 * a leak check, by their numbers, followed by the roots.  An edge is a word of
 * a node that points to a block or into it.
 *
 * The result goes to memory that the copy shares with the process.  All ctx:
 * exit, in the copy, unless a comment says otherwise.
 */
#ifndef MEMMON_LEAK_GRAPH_H
#define MEMMON_LEAK_GRAPH_H

#include "monitor/base/emit.h"
#include "monitor/leak/leak_check.h"

/* The result keeps at most this many of each, the largest. */
#define MMI_GRAPH_ROOTS 16384u
#define MMI_GRAPH_EDGES 65536u
#define MMI_GRAPH_STEPS 262144u
#define MMI_GRAPH_FRAMES 16384u
#define MMI_GRAPH_TREE 65536u

/* Steps of a path: the last ones before the block, and the root. */
#define MMI_GRAPH_PATH 24u

/* Pointers from the same offset in blocks of a node, or from a root. */
struct mmi_graph_edge {
	/* of the blocks pointed to, counted for each pointer */
	uint64_t bytes, pointers;
	uint64_t inside; /* how many of these don't point to a block's start */
	uint32_t root;	 /* number + 1; 0: a block holds it */
	uint32_t frame;	 /* on a stack: number + 1; 0: unknown */
	uint32_t holder;	  /* node of the holding block */
	uint32_t offset;	  /* MONOUT_FAR: that or more */
	uint32_t held;		  /* node of the block pointed to */
};

struct mmi_graph_root {
	uint32_t kind; /* enum monout_root */
	uint32_t module;  /* number + 1 */
	uintptr_t addr; /* of the variable or mapping */
	uint64_t size;
	long tid;	/* of the thread; 0: none */
	uint64_t blocks, bytes; /* retained */
};

/* A function on a stack: the place in its module. */
struct mmi_graph_frame {
	uint32_t module; /* number + 1 */
	/* in the file: of the call, or of the interrupted instruction */
	uintptr_t pc;
};

/* A step of the path to a site's largest block: from the root on, by n. */
struct mmi_graph_step {
	uint32_t node;	 /* of the site whose path it is */
	uint32_t n;	 /* 0: the root */
	uint32_t root;	 /* of step 0: number + 1 */
	uint32_t frame;	 /* of step 0, as in an edge */
	uint32_t holder; /* node of the block that points to the next block */
	uint32_t offset; /* offset in it; MONOUT_UNKNOWN: unknown */
};

/* How blocks were used: bytes that were never read; last access, ns. */
struct mmi_graph_use {
	uint64_t unread, last;
};

/*
 * A row of the tree that shows who retains what: a root, or all blocks of a
 * site whose dominators make the same row.  A list is one row.  If a site
 * appears again below other sites (`again'), what its blocks retain is counted
 * in the rows beside theirs.  A row follows its parent.
 */
struct mmi_graph_tree {
	bool again;
	uint32_t parent; /* number + 1; 0: a root */
	uint32_t root;	 /* that root's number + 1; 0: no single root */
	uint32_t node, depth; /* node: of a block */
	uint64_t blocks, bytes;		  /* own */
	uint64_t rest_blocks, rest_bytes; /* of rows below that were left out */
	struct mmi_graph_use use, rest_use;
};

#define MMI_GRAPH_LEFT_OUT UINT32_MAX /* node of a row that isn't kept */

/* The result has at most this many blocks per cycle, and cycles. */
#define MMI_GRAPH_CYCLE 12u
#define MMI_GRAPH_CYCLES 512u

/* A ring of n lost blocks, each pointing to the next. */
struct mmi_graph_cycle {
	uint32_t n;
	/* nodes of the first MMI_GRAPH_CYCLE blocks */
	uint32_t holder[MMI_GRAPH_CYCLE];
	uint32_t offset[MMI_GRAPH_CYCLE]; /* of the pointer to the next */
	uint64_t cycles; /* cycles with the same nodes and offsets */
	uint64_t blocks, bytes; /* of all in their components */
};

/*
 * What a site's blocks retain: blocks that no other block of the site retains.
 */
struct mmi_graph_site {
	uint64_t tops, blocks, bytes;
	uint64_t most; /* bytes that one of them retains */
};

/* The result, shared.  The sites follow the struct, by node. */
struct mmi_graph {
	size_t size; /* bytes mapped */
	uint32_t nodes;
	uint64_t at;	 /* ns after start */
	bool used;	 /* the accesses to blocks are known */
	/* why there is no graph, constant text; NULL: there is one */
	const char *why;
	uint64_t edges_all, beyond; /* pointers; those in no row of `edge' */
	uint64_t roots_left,
		/* roots with blocks, and rings, that were left out */
		rings_left;
	uint64_t bytes;	     /* of all blocks */
	uint32_t nroots, nedges, nsteps, ncycles, nframes, ntree;
	struct mmi_graph_root root[MMI_GRAPH_ROOTS];
	struct mmi_graph_edge edge[MMI_GRAPH_EDGES];
	struct mmi_graph_step step[MMI_GRAPH_STEPS];
	struct mmi_graph_cycle cycle[MMI_GRAPH_CYCLES];
	struct mmi_graph_frame frame[MMI_GRAPH_FRAMES];
	struct mmi_graph_tree tree[MMI_GRAPH_TREE];
	struct mmi_graph_site site[];
};

/* A pointer of a root. */
struct mmi_graph_word {
	uint32_t to, root;  /* sorted by root, then by the block */
	uint32_t frame, offset; /* frame: number + 1; 0: not known */
};

/* Edges by the node that they come from: node v points to to[at[v]] up to
 * to[at[v + 1] - 1]. */
struct mmi_graph_edges {
	uint32_t *at, *to;
	size_t at_size, to_size; /* bytes mapped */
};

/* State while the graph is made. */
struct mmi_graphing {
	struct mmi_leak *l;
	struct mmi_graph *out;
	uint32_t nblocks, nroots;
	struct mmi_graph_root *root;
	struct mmi_graph_word *word; /* of roots, in their order */
	size_t nwords, word_room;
	struct mmi_graph_edges edges;
	uint64_t nedges, edge_room;
	uint32_t from; /* the current block */
	bool around;   /* other blocks are inside it */
	uint32_t *best; /* by node: see mmi_dominators() */
	uint32_t *hop;	/* by block: see mmi_shortest() */
	/* By node: the least and the largest of its blocks. */
	struct {
		uint32_t least, most;
	} * span;
	/* The block looked for, and the offset of the pointer to it. */
	uint32_t target, found;
	uint64_t budget; /* bytes that may be searched for offsets */
};

/*
 * leak_graph_put.c: allocate the shared result for `nodes' nodes; NULL: no
 * memory.  Both not in the copy.
 */
struct mmi_graph *mmi_graph_new(uint32_t nodes);
void mmi_graph_free(struct mmi_graph *g);

/*
 * Also leak_graph_put.c: write the graph to a data file: the keys of RUN; the
 * start of the table; a site, `number' in SITES; everything else (returns how
 * many items there were).  g may be NULL.  Not in the copy.
 */
void mmi_graph_run(struct mmi_emit *o, const struct mmi_graph *g);
void mmi_graph_begin(struct mmi_emit *o, const struct mmi_graph *g);
void mmi_graph_site(uint64_t number, uint32_t node);
uint64_t mmi_graph_table(void);

/*
 * leak_graph.c: make the graph of the blocks that mmi_leak_mark() went through.
 * out->why says what couldn't be done.
 */
void mmi_graph_make(struct mmi_leak *l, struct mmi_graph *out);

/*
 * leak_root.c: the root that contains the word at l->at.  If l->at is 0, the
 * word is a register of l->of_thread, or the program named the block to the
 * monitor.  e->offset: bytes from the start of the root to the word; e->frame.
 */
void mmi_root_init(void);
void mmi_root_of(struct mmi_leak *l, struct mmi_graph_root *r,
		 struct mmi_graph_edge *e);

/*
 * leak_frames.c: the function that the word at l->at on a thread's stack
 * belongs to, or the one that uses register l->reg: number + 1 in out->frame;
 * 0: unknown.  *offset: bytes from the word up to the frame's CFA, or
 * MONOUT_FAR.  _init: call it first; false: no memory.
 */
bool mmi_graph_frames_init(struct mmi_graph *out);
uint32_t mmi_graph_frame_of(const struct mmi_leak *l,
			    const struct mmi_leak_thread *t, uint32_t *offset);

/*
 * leak_tree.c: the row of a root.  _block: count a block of a site below a row;
 * returns the row for what this block retains.  _end: leave out small rows.
 * _init: false: no memory.
 */
bool mmi_tree_init(struct mmi_graph *out);
uint32_t mmi_tree_root(uint32_t root);
uint32_t mmi_tree_block(uint32_t row, uint32_t node, uint64_t bytes,
			const struct mmi_graph_use *u);
void mmi_tree_end(void);

/*
 * leak_used.c: how a block was used; false: unknown.  _begin: call it first;
 * false: unknown for all blocks.
 */
bool mmi_used_begin(void);
bool mmi_used_of(const struct mmi_leak_block *b, struct mmi_graph_use *u);

/*
 * leak_paths.c: the node before each block on a shortest path from a root
 * (hop[block], number + 1; 0: none).  Also drops pointers from stacks, and from
 * blocks that only stacks lead to, if they point to a block that another root
 * leads to.  Call it before the next two.  False: no memory.  _put: the paths
 * to best[node], for all nodes.
 */
bool mmi_shortest(struct mmi_graphing *g);
void mmi_paths_put(struct mmi_graphing *g);

/*
 * leak_dominators.c: what each node retains, and for each site the block that
 * retains most (best[node], number + 1).  Frees the edges.  False: no memory,
 * or no time.
 */
bool mmi_dominators(struct mmi_graphing *g);

/*
 * leak_cycles.c: put the cycles of lost blocks into g->out.  Call it before
 * mmi_dominators(), which frees the edges.  False: no memory, or no time.
 */
bool mmi_cycles(struct mmi_graphing *g);

/*
 * The node of a block (leak_graph.c); the offset in the block of its pointer to
 * another block (leak_paths.c).
 */
#define MMI_GRAPH_BUDGET ((uint64_t)256 << 20) /* bytes searched for it */
uint32_t mmi_graph_node(const struct mmi_graphing *g, uint32_t block);
uint32_t mmi_graph_offset(struct mmi_graphing *g, uint32_t block, uint32_t to);

/*
 * leak_edges.c: add one pointer to the sums; then the largest go to g->out.
 * False: no memory.
 */
bool mmi_edges_init(void);
void mmi_edges_add(struct mmi_graph *out, const struct mmi_graph_edge *e);
void mmi_edges_put(struct mmi_graph *out);

#endif
