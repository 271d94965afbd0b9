/* SPDX-License-Identifier: MIT */
/* The heap as a graph: from the blocks of a leak check to sums by site. */
#include "monitor/leak/leak_graph.h"

#include "monitor/base/sort.h"

/* The copy notes at most this many pointers, words of roots, and roots. */
#define EDGES_MOST ((uint64_t)1 << 31)
#define BLOCKS_MOST (1u << 31)
#define WORDS_MOST ((size_t)1 << 24)
#define ROOTS_MOST (1u << 20)

/* If a site's blocks differ in size, all larger offsets count as this one. */
#define NEAR 64u

static struct mmi_graphing graphing;

uint32_t
mmi_graph_node(const struct mmi_graphing *g, uint32_t block)
{
	uint32_t node = g->l->blocks[block].node;

	return node < g->out->nodes ? node : 0;
}

/* ----------------------------------------------------------------- roots -- */

/* A hash table of the roots: places in g->root, + 1. */
#define PLACES (2 * ROOTS_MOST)
static uint32_t *place;

static bool
is_same(const struct mmi_graph_root *a, const struct mmi_graph_root *b)
{
	return a->kind == b->kind && a->module == b->module &&
	       a->addr == b->addr && a->tid == b->tid;
}

/* The root's number; ROOTS_MOST: there are too many. */
static uint32_t
root_number(struct mmi_graphing *g, const struct mmi_graph_root *r)
{
	uint64_t h = (r->addr ^ (uint64_t)r->module << 48 ^
		      (uint64_t)r->tid << 24 ^ r->kind) *
		     0x9e3779b97f4a7c15ull;

	for (uint32_t i = (uint32_t)(h >> 40);; i++) {
		uint32_t *p = &place[i % PLACES];

		if (*p && is_same(&g->root[*p - 1], r))
			return *p - 1;
		if (*p)
			continue;
		if (g->nroots == ROOTS_MOST)
			return ROOTS_MOST;
		g->root[g->nroots] = *r;
		*p = ++g->nroots;
		return *p - 1;
	}
}

/* A pointer of a root, at l->at. */
static void
hit_root(struct mmi_leak *l, uint32_t i, bool exact)
{
	struct mmi_graphing *g = &graphing;
	struct mmi_graph_edge e = { .held = mmi_graph_node(g, i),
				    .pointers = 1,
				    .inside = !exact,
				    .bytes = l->blocks[i].size };
	struct mmi_graph_root r;
	uint32_t n;

	mmi_root_of(l, &r, &e);
	n = root_number(g, &r);
	g->out->edges_all++;
	if (n == ROOTS_MOST || g->nwords == g->word_room) {
		g->out->beyond++;
		return;
	}
	g->word[g->nwords++] =
		(struct mmi_graph_word){ i, n, e.frame, e.offset };
	e.root = n + 1;
	if (e.offset > MONOUT_FAR)
		e.offset = MONOUT_FAR;
	mmi_edges_add(g->out, &e);
}

/* ---------------------------------------------------------------- blocks -- */

/* If blocks all have one size, a pointer's offset identifies a member. */
static uint32_t
offset_class(const struct mmi_graphing *g, uint32_t block, uint64_t offset)
{
	uint32_t node = mmi_graph_node(g, block);

	if (g->span[node].least == g->span[node].most)
		return offset < MONOUT_FAR ? (uint32_t)offset : MONOUT_FAR;
	return offset < NEAR ? (uint32_t)offset : MONOUT_FAR;
}

/* A pointer of block g->from. */
static void
hit_block(struct mmi_leak *l, uint32_t i, bool exact)
{
	struct mmi_graphing *g = &graphing;
	uint64_t offset = l->at - l->blocks[g->from].start;

	/* A block inside this one has its own pointers. */
	if (g->around && mmi_leak_at(l, l->at) != g->from + 1)
		return;
	g->out->edges_all++;
	if (g->nedges < g->edge_room)
		g->edges.to[g->nedges++] = i;
	mmi_edges_add(g->out,
		      &(struct mmi_graph_edge){
			      .holder = mmi_graph_node(g, g->from),
			      .offset = offset_class(g, g->from, offset),
			      .held = mmi_graph_node(g, i),
			      .pointers = 1,
			      .inside = !exact,
			      .bytes = l->blocks[i].size });
}

static void
look_at_blocks(struct mmi_graphing *g)
{
	struct mmi_leak *l = g->l;

	l->hit = hit_block;
	for (g->from = 0; g->from < g->nblocks; g->from++) {
		g->edges.at[g->from] = (uint32_t)g->nedges;
		g->around = g->from + 1 < g->nblocks &&
			    l->blocks[g->from + 1].outer == g->from + 1;
		if (!mmi_leak_late(l))
			mmi_leak_block(l, g->from);
	}
}

/* ---------------------------------------------------------- roots, again -- */

/* Add the roots' edges after those of blocks, in the order of the roots. */
static void
roots_to_edges(struct mmi_graphing *g)
{
	size_t k = 0;

	mmi_sort(g->word, g->nwords, sizeof(*g->word) / 8);
	for (uint32_t r = 0; r < g->nroots; r++) {
		g->edges.at[g->nblocks + r] = (uint32_t)g->nedges;
		for (; k < g->nwords && g->word[k].root == r; k++)
			g->edges.to[g->nedges++] = g->word[k].to;
	}
	g->edges.at[g->nblocks + g->nroots] = (uint32_t)g->nedges;
}

/* --------------------------------------------------------------- memory -- */

/* The sizes of each site's blocks; returns how many words they have in all. */
static uint64_t
look_at_sizes(struct mmi_graphing *g)
{
	uint64_t words = 0;

	for (uint32_t i = 0; i < g->nblocks; i++) {
		uint64_t size = g->l->blocks[i].size;
		uint32_t node = mmi_graph_node(g, i);
		uint32_t n = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;

		words += size / sizeof(uintptr_t);
		g->out->bytes += size;
		/* A block of no bytes has no members. */
		if (!n)
			continue;
		if (!g->span[node].most || n < g->span[node].least)
			g->span[node].least = n;
		if (n > g->span[node].most)
			g->span[node].most = n;
	}
	return words;
}

static bool
graph_init(struct mmi_graphing *g)
{
	size_t nodes = g->out->nodes;

	g->span = mmi_leak_map(nodes * sizeof(*g->span));
	g->best = mmi_leak_map(nodes * sizeof(*g->best));
	g->hop = mmi_leak_map(((size_t)g->nblocks + 1) * sizeof(*g->hop));
	g->root = mmi_leak_map(ROOTS_MOST * sizeof(*g->root));
	g->word_room = WORDS_MOST;
	g->word = mmi_leak_map(WORDS_MOST * sizeof(*g->word));
	place = mmi_leak_map(PLACES * sizeof(*place));
	if (!g->span || !g->best || !g->hop || !g->root || !g->word || !place ||
	    !mmi_edges_init() || !mmi_graph_frames_init(g->out) ||
	    !mmi_tree_init(g->out))
		return false;
	mmi_root_init();
	g->edge_room = look_at_sizes(g);
	if (g->edge_room > EDGES_MOST)
		g->edge_room = EDGES_MOST;
	g->edges.to_size = (g->edge_room + WORDS_MOST) * 4;
	g->edges.to = mmi_leak_map(g->edges.to_size);
	g->edges.at_size = ((size_t)g->nblocks + ROOTS_MOST + 1) * 4;
	g->edges.at = mmi_leak_map(g->edges.at_size);
	return g->edges.to && g->edges.at;
}

/* -------------------------------------------------------------------------- */

/*
 * Put the roots that retain most into the result, and renumber the roots of
 * edges and paths by their places in it.  Places 0 and UINT32_MAX: the root is
 * left out.
 */
static void
put_roots(struct mmi_graphing *g)
{
	struct {
		uint64_t bytes, number;
	} *order = mmi_leak_map((size_t)(g->nroots + 1) * sizeof(*order));
	uint32_t *to = mmi_leak_map((size_t)(g->nroots + 1) * sizeof(*to));
	struct mmi_graph *out = g->out;

	if (!order || !to)
		return;
	for (uint32_t i = 0; i < g->nroots; i++) {
		order[i].bytes = g->root[i].bytes;
		order[i].number = i;
	}
	mmi_sort(order, g->nroots, 2);
	for (uint32_t i = g->nroots;
	     i-- > 0 && out->nroots < MMI_GRAPH_ROOTS;) {
		out->root[out->nroots] = g->root[order[i].number];
		to[order[i].number] = ++out->nroots;
	}
	for (uint32_t i = 0; i < g->nroots; i++)
		out->roots_left += !to[i] && g->root[i].blocks;
	for (uint32_t i = 0; i < out->nedges; i++)
		if (out->edge[i].root) {
			out->edge[i].root = to[out->edge[i].root - 1];
			if (out->edge[i].root)
				continue;
			out->edge[i].root = UINT32_MAX;
			out->beyond += out->edge[i].pointers;
		}
	for (uint32_t i = 0; i < out->nsteps; i++)
		if (out->step[i].root)
			out->step[i].root = to[out->step[i].root - 1];
	for (uint32_t i = 0; i < out->ntree; i++) {
		struct mmi_graph_tree *t = &out->tree[i];

		if (t->root && !(t->root = to[t->root - 1]))
			t->node = MMI_GRAPH_LEFT_OUT;
		if (t->parent &&
		    out->tree[t->parent - 1].node == MMI_GRAPH_LEFT_OUT)
			t->node = MMI_GRAPH_LEFT_OUT;
	}
}

void
mmi_graph_make(struct mmi_leak *l, struct mmi_graph *out)
{
	struct mmi_graphing *g = &graphing;

	*g = (struct mmi_graphing){ .l = l, .out = out, .nblocks = l->nblocks };
	if (l->in_place) {
		out->why = "the process can't be copied";
		return;
	}
	if (l->nblocks >= BLOCKS_MOST) {
		out->why = "there are too many blocks";
		return;
	}
	/* The leak check's stack: the check is done. */
	mmi_leak_unmap(l->stack,
		       2 * ((size_t)l->nblocks + 1) * sizeof(*l->stack));
	l->stack = NULL;
	if (!graph_init(g)) {
		out->why = "no memory for the graph";
		return;
	}
	l->hit = hit_root;
	mmi_leak_roots(l);
	mmi_leak_frames(l);
	mmi_leak_ended(l);
	look_at_blocks(g);
	roots_to_edges(g);
	if (!mmi_shortest(g) || !mmi_cycles(g) || !mmi_dominators(g)) {
		out->why = l->late ? "the time for the leak check was over"
				   : "no memory for the graph";
		return;
	}
	mmi_paths_put(g);
	mmi_edges_put(out);
	put_roots(g);
}
