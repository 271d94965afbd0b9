/* SPDX-License-Identifier: MIT */
/*
 * The heap as a graph: a shortest path from a root to each block, by a
 * breadth-first search.  Words on a stack are short-lived, and may be old
 * values: a path begins on a stack only if no other root leads to the block.
 */
#include "monitor/leak/leak_graph.h"

struct walk {
	struct mmi_graphing *g;
	uint32_t *queue, head, tail;
};

static bool
is_stack(const struct mmi_graphing *g, uint32_t root)
{
	return g->root[root].kind == MONOUT_ROOT_STACK;
}

/* Walk from these roots, to blocks that weren't reached before. */
static void
walk_from(struct walk *w, bool stacks)
{
	const struct mmi_graph_edges *e = &w->g->edges;
	uint32_t *hop = w->g->hop, v, to;

	for (uint32_t r = 0; r < w->g->nroots; r++)
		if (is_stack(w->g, r) == stacks)
			w->queue[w->tail++] = w->g->nblocks + r;
	while (w->head < w->tail) {
		v = w->queue[w->head++];
		for (uint64_t k = e->at[v]; k < e->at[v + 1]; k++) {
			to = e->to[k];
			if (hop[to])
				continue;
			hop[to] = v + 1;
			w->queue[w->tail++] = to;
		}
	}
}

/* Is it a stack, a block that only stacks lead to, or a lost block? */
static bool
is_passing(const struct mmi_graphing *g, uint32_t v)
{
	return v < g->nblocks ? !g->hop[v] : is_stack(g, v - g->nblocks);
}

/*
 * Drop the pointers of such nodes to blocks that other roots lead to: an
 * iterator doesn't hold the elements of a container.
 */
static void
drop_passing(struct mmi_graphing *g)
{
	struct mmi_graph_edges *e = &g->edges;
	uint64_t k = 0, n = 0, end;
	bool passing;

	for (uint32_t v = 0; v < g->nblocks + g->nroots; v++) {
		passing = is_passing(g, v);
		end = e->at[v + 1];
		e->at[v] = (uint32_t)n;
		for (; k < end; k++)
			if (!passing || !g->hop[e->to[k]])
				e->to[n++] = e->to[k];
	}
	e->at[g->nblocks + g->nroots] = (uint32_t)n;
	g->nedges = n;
}

bool
mmi_shortest(struct mmi_graphing *g)
{
	size_t size = ((size_t)g->nblocks + g->nroots + 1) * 4;
	struct walk w = { .g = g, .queue = mmi_leak_map(size) };

	if (!w.queue)
		return false;
	walk_from(&w, false);
	drop_passing(g);
	walk_from(&w, true);
	mmi_leak_unmap(w.queue, size);
	return true;
}

/* ----------------------------------------------------------------- steps -- */

static struct mmi_graphing *looked;

/* Note the offset of the first pointer to g->target. */
static void
hit_target(struct mmi_leak *l, uint32_t i, bool exact)
{
	struct mmi_graphing *g = looked;

	(void)exact;
	if (i == g->target && g->found == MONOUT_UNKNOWN)
		g->found = (uint32_t)(l->at - l->blocks[g->from].start);
}

/* Where the block points to another one. */
uint32_t
mmi_graph_offset(struct mmi_graphing *g, uint32_t block, uint32_t to)
{
	uint64_t size = g->l->blocks[block].size;

	g->found = MONOUT_UNKNOWN;
	if (size > g->budget)
		return g->found;
	g->budget -= size;
	g->from = block;
	g->target = to;
	g->l->hit = hit_target;
	looked = g;
	mmi_leak_block(g->l, block);
	return g->found;
}

/*
 * A word of a root that points to the block; on a stack, the word of the
 * outermost function.  NULL: none was noted.
 */
static const struct mmi_graph_word *
word_of_root(const struct mmi_graphing *g, uint32_t root, uint32_t to)
{
	const struct mmi_graph_word *w, *found = NULL;
	size_t lo = 0, hi = g->nwords, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (g->word[mid].root < root ||
		    (g->word[mid].root == root && g->word[mid].to < to))
			lo = mid + 1;
		else
			hi = mid;
	}
	for (;
	     lo < g->nwords && g->word[lo].root == root && g->word[lo].to == to;
	     lo++) {
		w = &g->word[lo];
		if (!found || (w->frame && (w->offset < MONOUT_FAR ||
					    found->offset >= MONOUT_FAR)))
			found = w;
	}
	return found;
}

static void
put_step(struct mmi_graphing *g, const struct mmi_graph_step *s)
{
	if (g->out->nsteps < MMI_GRAPH_STEPS)
		g->out->step[g->out->nsteps++] = *s;
}

/* Find the path to a block from its end, then number its steps. */
static void
put_path(struct mmi_graphing *g, uint32_t node, uint32_t block)
{
	uint32_t to = block, v = g->hop[block] - 1, n = 0, length = 0;
	const struct mmi_graph_word *word;

	for (uint32_t w = v; w < g->nblocks; w = g->hop[w] - 1)
		length++;
	for (; v < g->nblocks; to = v, v = g->hop[v] - 1, n++)
		if (n < MMI_GRAPH_PATH)
			put_step(g, &(struct mmi_graph_step){
					    .node = node,
					    .n = length - n,
					    .holder = mmi_graph_node(g, v),
					    .offset = mmi_graph_offset(g, v,
								       to) });
	word = word_of_root(g, v - g->nblocks, to);
	put_step(g, &(struct mmi_graph_step){
			    .node = node,
			    .root = v - g->nblocks + 1,
			    .frame = word ? word->frame : 0,
			    .offset = word ? word->offset : MONOUT_UNKNOWN });
}

void
mmi_paths_put(struct mmi_graphing *g)
{
	g->budget = MMI_GRAPH_BUDGET;
	for (uint32_t node = 1; node < g->out->nodes; node++)
		if (g->best[node])
			put_path(g, node, g->best[node] - 1);
}
