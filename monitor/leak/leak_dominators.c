/* SPDX-License-Identifier: MIT */
/*
 * What would go with each node: its subtree of the dominator tree, by the
 * semi-NCA algorithm (L. Georgiadis, Linear-Time Algorithms for Dominators and
 * Related Problems, Princeton 2005, section 2.3).  And shortest paths, by
 * breadth first.
 *
 * Vertices are numbered as a walk in depth first meets them, from 1, which
 * points to all roots.  Arrays named by such numbers hold such numbers.
 */
#include "monitor/leak/leak_graph.h"

struct tree {
	struct mmi_graphing *g;
	uint32_t n;	      /* vertices, blocks first */
	uint32_t met;	      /* the highest number */
	uint32_t *number;     /* by vertex; 0: not met */
	uint32_t *vertex;     /* by number, as are all of the others */
	uint32_t *ancestor, *idom, *semi, *label;
	uint32_t *back;	      /* edges by where they lead: places in `from' */
	uint32_t *from;
	uint64_t *bytes;
	uint32_t *blocks;
	size_t size, size8;
};

/* --------------------------------------------------------- depth first -- */

static void
meet(struct tree *t, uint32_t v, uint32_t parent)
{
	t->number[v] = ++t->met;
	t->vertex[t->met] = v;
	t->ancestor[t->met] = t->idom[t->met] = parent;
}

/* All that can be reached from v.  `label' is its stack. */
static void
walk(struct tree *t, uint32_t v, uint32_t *next)
{
	const struct mmi_graph_edges *e = &t->g->edges;
	uint32_t depth = 1, w;

	t->label[0] = v;
	next[v] = e->at[v];
	while (depth) {
		v = t->label[depth - 1];
		if (next[v] == e->at[v + 1]) {
			depth--;
			continue;
		}
		w = e->to[next[v]++];
		if (t->number[w])
			continue;
		meet(t, w, t->number[v]);
		next[w] = e->at[w];
		t->label[depth++] = w;
	}
}

/* `semi' isn't needed yet: it has the next edge of each vertex. */
static void
walk_all(struct tree *t)
{
	uint32_t roots = t->g->nblocks;

	t->met = 1;
	for (uint32_t r = roots; r < t->n && !mmi_leak_late(t->g->l); r++) {
		meet(t, r, 1);
		walk(t, r, t->semi);
	}
}

/* -------------------------------------------------------- breadth first -- */

/* hop[v]: the vertex before v, + 1.  The queue is in `label'. */
static void
shortest(struct tree *t)
{
	const struct mmi_graph_edges *e = &t->g->edges;
	uint32_t *hop = t->g->hop, head = 0, tail = 0, v, w;

	for (v = t->g->nblocks; v < t->n; v++)
		t->label[tail++] = v;
	while (head < tail) {
		v = t->label[head++];
		for (uint64_t k = e->at[v]; k < e->at[v + 1]; k++) {
			w = e->to[k];
			if (hop[w])
				continue;
			hop[w] = v + 1;
			t->label[tail++] = w;
		}
	}
}

/* ----------------------------------------------------------- dominators -- */

/* The edges of what was met, the other way round. */
static bool
turn(struct tree *t)
{
	const struct mmi_graph_edges *e = &t->g->edges;
	uint32_t sum = 0, n;

	t->from = mmi_leak_map((t->g->nedges + 1) * sizeof(*t->from));
	if (!t->from)
		return false;
	for (uint32_t k = 2; k <= t->met; k++) {
		uint32_t v = t->vertex[k];

		for (uint64_t i = e->at[v]; i < e->at[v + 1]; i++)
			t->back[t->number[e->to[i]]]++;
	}
	for (uint32_t k = 0; k <= t->met + 1; k++) {
		n = t->back[k];
		t->back[k] = sum;
		sum += n;
	}
	for (uint32_t k = 2; k <= t->met; k++) {
		uint32_t v = t->vertex[k];

		for (uint64_t i = e->at[v]; i < e->at[v + 1]; i++)
			t->from[t->back[t->number[e->to[i]]]++] = k;
	}
	/* Each place has moved to where the next one's began. */
	for (uint32_t k = t->met + 1; k > 0; k--)
		t->back[k] = t->back[k - 1];
	t->back[0] = 0;
	return true;
}

/*
 * The number of the least semidominator among k and its ancestors from `last'
 * on; paths are made shorter on the way.  `bytes' is the stack.
 */
static uint32_t
eval(struct tree *t, uint32_t k, uint32_t last)
{
	uint32_t *stack = (uint32_t *)t->bytes, depth = 0, up;

	while (t->ancestor[k] >= last) {
		stack[depth++] = k;
		k = t->ancestor[k];
	}
	up = k;
	while (depth) {
		k = stack[--depth];
		if (t->semi[t->label[up]] < t->semi[t->label[k]])
			t->label[k] = t->label[up];
		t->ancestor[k] = t->ancestor[up];
		up = k;
	}
	return t->label[k];
}

static void
dominate(struct tree *t)
{
	uint32_t s, d;

	for (uint32_t k = 1; k <= t->met; k++)
		t->semi[k] = t->label[k] = k;
	for (uint32_t k = t->met; k > 1; k--) {
		t->semi[k] = t->idom[k];
		for (uint64_t i = t->back[k]; i < t->back[k + 1]; i++) {
			s = t->semi[eval(t, t->from[i], k + 1)];
			if (s < t->semi[k])
				t->semi[k] = s;
		}
		if (!(k & 0xffff) && mmi_leak_late(t->g->l))
			return;
	}
	for (uint32_t k = 2; k <= t->met; k++) {
		for (d = t->idom[k]; d > t->semi[k];)
			d = t->idom[d];
		t->idom[k] = d;
	}
}

/* ------------------------------------------------------------- retained -- */

static void
retain(struct tree *t)
{
	struct mmi_graphing *g = t->g;
	const struct mmi_leak_block *b = g->l->blocks;

	for (uint32_t k = 0; k <= t->met; k++)
		t->bytes[k] = t->blocks[k] = 0;
	for (uint32_t k = t->met; k > 1; k--) {
		uint32_t v = t->vertex[k];

		if (v < g->nblocks) {
			t->bytes[k] += b[v].size;
			t->blocks[k]++;
		} else {
			g->root[v - g->nblocks].bytes = t->bytes[k];
			g->root[v - g->nblocks].blocks = t->blocks[k];
		}
		t->bytes[t->idom[k]] += t->bytes[k];
		t->blocks[t->idom[k]] += t->blocks[k];
	}
}

/* ancestor[k]: the root that retains it; 0: no single one does. */
static void
find_roots(struct tree *t)
{
	t->ancestor[1] = t->bytes[0] = 0;
	for (uint32_t k = 2; k <= t->met; k++)
		t->ancestor[k] = t->vertex[k] >= t->g->nblocks
					 ? k
					 : t->ancestor[t->idom[k]];
}

/* Of two that retain as much, is k under the root that retains more? */
static bool
is_better(const struct tree *t, uint32_t k, uint32_t than)
{
	return t->bytes[t->ancestor[k]] > t->bytes[t->ancestor[than]];
}

/* A block that no other block of its site dominates, and the largest. */
static void
top(struct tree *t, uint32_t k, uint32_t node)
{
	struct mmi_graph_site *s = &t->g->out->site[node];
	uint32_t best = t->g->best[node];

	s->tops++;
	s->bytes += t->bytes[k];
	s->blocks += t->blocks[k];
	if (!best || t->bytes[k] > s->most ||
	    (t->bytes[k] == s->most && is_better(t, k, t->number[best - 1]))) {
		s->most = t->bytes[k];
		t->g->best[node] = t->vertex[k] + 1;
	}
}

/*
 * Through the tree, with the number of each site's blocks that stand above.
 * semi[k], label[k]: the first child, and the next sibling.
 */
static void
sum_sites(struct tree *t, uint32_t *above)
{
	struct mmi_graphing *g = t->g;
	uint32_t k, node;

	for (k = 1; k <= t->met; k++)
		t->semi[k] = t->label[k] = 0;
	for (k = t->met; k > 1; k--) {
		t->label[k] = t->semi[t->idom[k]];
		t->semi[t->idom[k]] = k;
	}
#define NODE(k) \
	(t->vertex[k] < g->nblocks ? g->l->blocks[t->vertex[k]].node : 0)
	for (k = t->semi[1]; k;) {
		node = NODE(k);
		if (node && node < g->out->nodes && !above[node]++)
			top(t, k, node);
		if (t->semi[k]) {
			k = t->semi[k];
			continue;
		}
		while (k > 1) {
			node = NODE(k);
			if (node && node < g->out->nodes)
				above[node]--;
			if (t->label[k]) {
				k = t->label[k];
				break;
			}
			k = t->idom[k];
		}
		if (k == 1)
			break;
	}
#undef NODE
}

static void
put_block(struct tree *t, uint32_t k)
{
	struct mmi_graphing *g = t->g;
	const struct mmi_leak_block *b = &g->l->blocks[t->vertex[k]];
	uint32_t up = t->idom[k];
	struct mmi_graph_use u = { 0, 0 };

	if (g->out->used)
		mmi_used_of(b, &u);
	t->semi[k] =
		mmi_tree_block(up > 1 ? t->semi[up] : mmi_tree_root(UINT32_MAX),
			       mmi_graph_node(g, t->vertex[k]), b->size, &u);
}

/* The rows of the tree.  semi[k]: its row. */
static void
put_tree(struct tree *t)
{
	t->g->out->used = mmi_used_begin();
	for (uint32_t k = 2; k <= t->met; k++)
		if (t->vertex[k] < t->g->nblocks)
			put_block(t, k);
		else
			t->semi[k] =
				mmi_tree_root(t->vertex[k] - t->g->nblocks);
	mmi_tree_end();
}

static bool
tree_init(struct tree *t, struct mmi_graphing *g)
{
	uint32_t **all[] = { &t->number, &t->vertex, &t->ancestor, &t->idom,
			     &t->semi,	 &t->label,  &t->blocks, &t->back };

	*t = (struct tree){ .g = g, .n = g->nblocks + g->nroots };
	t->size = ((size_t)t->n + 3) * 4;
	t->size8 = 2 * t->size;
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (!(*all[i] = mmi_leak_map(t->size)))
			return false;
	t->bytes = mmi_leak_map(t->size8);
	return t->bytes;
}

bool
mmi_dominators(struct mmi_graphing *g)
{
	uint32_t *above = mmi_leak_map((size_t)g->out->nodes * sizeof(*above));
	struct tree t;

	/* All of it goes with the copy. */
	if (!above || !tree_init(&t, g))
		return false;
	walk_all(&t);
	shortest(&t);
	if (!turn(&t))
		return false;
	mmi_leak_unmap(g->edges.to, g->edges.to_size);
	mmi_leak_unmap(g->edges.at, g->edges.at_size);
	g->edges.to = g->edges.at = NULL;
	dominate(&t);
	retain(&t);
	find_roots(&t);
	sum_sites(&t, above);
	put_tree(&t);
	return !g->l->late;
}
