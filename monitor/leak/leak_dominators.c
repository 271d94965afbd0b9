/* SPDX-License-Identifier: MIT */
/*
 * How much becomes unreachable without each node: the node's subtree of the
 * dominator tree, by the semi-NCA algorithm (L. Georgiadis, Linear-Time
 * Algorithms for Dominators and Related Problems, Princeton 2005, section 2.3).
 *
 * Vertices have numbers from 1 on, in the order of a depth-first walk.  Vertex
 * 1 points to all roots.  Arrays that are indexed by numbers also hold numbers.
 */
#include "monitor/leak/leak_graph.h"

/* Prefetch this many edges ahead, as they lead to any address. */
#define AHEAD 16u

struct tree {
	struct mmi_graphing *g;
	uint32_t n;	      /* vertices: the blocks, then the roots */
	uint32_t met;	      /* the highest number */
	uint32_t *number;     /* by vertex; 0: not visited */
	uint32_t *vertex;     /* by number, as are all the following */
	uint32_t *ancestor, *idom, *semi, *label;
	uint32_t *back;	      /* index in `from' of the first edge to it */
	uint32_t *from;	      /* edges from higher numbers */
	uint64_t *bytes;
	uint32_t *blocks;
	size_t size, from_size;
};

/* Zeroed, a word for each number; false: no memory. */
static bool
array(struct tree *t, uint32_t **a)
{
	*a = mmi_leak_map(t->size);
	return *a;
}

/* --------------------------------------------------------- depth first -- */

/* Fetch what the edges k to end - 1 lead to. */
static void
fetch(const struct tree *t, uint64_t k, uint64_t end)
{
	const uint32_t *to = t->g->edges.to;

	for (; k < end; k++)
		__builtin_prefetch(&t->number[to[k]]);
}

static void
meet(struct tree *t, uint32_t v, uint32_t parent)
{
	const uint32_t *at = t->g->edges.at;
	uint64_t end = at[v + 1];

	t->number[v] = ++t->met;
	t->vertex[t->met] = v;
	t->idom[t->met] = parent;
	fetch(t, at[v], end < at[v] + AHEAD ? end : at[v] + AHEAD);
}

/* A vertex on the path to the current one: its edges not yet followed. */
struct way {
	uint32_t number, next, end;
};

/* The walk will go back this way: prefetch what it will read. */
static void
go_back(const struct tree *t, const struct way *way, uint32_t depth)
{
	if (depth > AHEAD)
		__builtin_prefetch(&t->g->edges.to[way[depth - AHEAD].next]);
	if (depth > AHEAD / 2)
		fetch(t, way[depth - AHEAD / 2].next,
		      way[depth - AHEAD / 2].end);
}

/* Visit all that can be reached from v. */
static void
walk(struct tree *t, uint32_t v, struct way *way)
{
	const struct mmi_graph_edges *e = &t->g->edges;
	uint32_t depth = 0, up = 1;
	struct way *at;

	for (;;) {
		meet(t, v, up);
		way[depth++] = (struct way){ t->met, e->at[v], e->at[v + 1] };
		do {
			at = &way[depth - 1];
			while (at->next < at->end && t->number[e->to[at->next]])
				at->next++;
			if (at->next < at->end)
				break;
			go_back(t, way, --depth);
		} while (depth);
		if (!depth)
			return;
		v = e->to[at->next++];
		up = at->number;
	}
}

static bool
walk_all(struct tree *t)
{
	size_t size = ((size_t)t->n + 1) * sizeof(struct way);
	struct way *way = mmi_leak_map(size);

	if (!way)
		return false;
	t->met = 1;
	for (uint32_t r = t->g->nblocks; r < t->n && !mmi_leak_late(t->g->l);
	     r++)
		walk(t, r, way);
	mmi_leak_unmap(way, size);
	return true;
}

/* ----------------------------------------------------------- dominators -- */

/*
 * An edge from a lower number is itself a candidate for the semidominator, and
 * needs no path.  Store the lowest such number for each vertex in `semi', count
 * the other edges in `back', and keep only these, as numbers instead of
 * vertices.
 */
static void
part_edges(struct tree *t)
{
	const struct mmi_graph_edges *e = &t->g->edges;
	uint64_t kept = 0, last = e->at[t->n];
	uint32_t k, w;

	for (uint32_t v = 0; v < t->n; v++) {
		uint64_t i = e->at[v], end = e->at[v + 1];

		e->at[v] = (uint32_t)kept;
		k = t->number[v];
		for (; k && i < end; i++) {
			if (i + AHEAD < last)
				fetch(t, i + AHEAD, i + AHEAD + 1);
			w = t->number[e->to[i]];
			if (k < w && k < t->semi[w])
				t->semi[w] = k;
			if (k <= w)
				continue;
			t->back[w]++;
			e->to[kept++] = w;
		}
	}
	e->at[t->n] = (uint32_t)kept;
}

/* Sort the edges from higher numbers by the vertex they lead to. */
static bool
turn(struct tree *t)
{
	struct mmi_graph_edges *e = &t->g->edges;
	size_t size, edges;
	uint32_t sum = 0, n;

	for (uint32_t k = 2; k <= t->met; k++)
		t->semi[k] = t->idom[k];
	part_edges(t);
	edges = e->at[t->n];
	size = (edges * sizeof(*e->to) + 4095) & ~(size_t)4095;
	if (size < e->to_size) {
		mmi_leak_unmap((char *)e->to + size, e->to_size - size);
		e->to_size = size;
	}
	t->from_size = (edges + 1) * sizeof(*t->from);
	t->from = mmi_leak_map(t->from_size);
	if (!t->from)
		return false;
	for (uint32_t k = 0; k <= t->met + 1; k++) {
		n = t->back[k];
		t->back[k] = sum;
		sum += n;
	}
	for (uint32_t v = 0; v < t->n; v++)
		for (uint64_t i = e->at[v]; i < e->at[v + 1]; i++) {
			if (i + AHEAD < edges)
				__builtin_prefetch(&t->back[e->to[i + AHEAD]]);
			t->from[t->back[e->to[i]]++] = t->number[v];
		}
	/* Each place has moved to where the next one's began. */
	for (uint32_t k = t->met + 1; k > 0; k--)
		t->back[k] = t->back[k - 1];
	t->back[0] = 0;
	mmi_leak_unmap(e->to, e->to_size);
	mmi_leak_unmap(e->at, e->at_size);
	e->to = e->at = NULL;
	return true;
}

/*
 * The number of the least semidominator among k and its ancestors from `last'
 * on.  Shortens the paths on the way.
 */
static uint32_t
eval(struct tree *t, uint32_t k, uint32_t last, uint32_t *stack)
{
	uint32_t depth = 0, up;

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

static bool
dominate(struct tree *t)
{
	uint32_t s, d, *stack;

	if (!array(t, &t->ancestor) || !array(t, &t->label) ||
	    !array(t, &stack))
		return false;
	for (uint32_t k = 1; k <= t->met; k++) {
		t->label[k] = k;
		t->ancestor[k] = t->idom[k];
	}
	for (uint32_t k = t->met; k > 1; k--) {
		for (uint64_t i = t->back[k]; i < t->back[k + 1]; i++) {
			/* Also prefetch for the next edges. */
			if (i >= AHEAD) {
				s = t->from[i - AHEAD];
				__builtin_prefetch(&t->ancestor[s]);
				__builtin_prefetch(&t->label[s]);
			}
			s = t->semi[eval(t, t->from[i], k + 1, stack)];
			if (s < t->semi[k])
				t->semi[k] = s;
		}
		if (!(k & 0xffff) && mmi_leak_late(t->g->l))
			return false;
	}
	mmi_leak_unmap(stack, t->size);
	for (uint32_t k = 2; k <= t->met; k++) {
		for (d = t->idom[k]; d > t->semi[k];)
			d = t->idom[d];
		t->idom[k] = d;
	}
	return true;
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

/* If two blocks retain the same, prefer the one whose root retains more. */
static bool
is_better(const struct tree *t, uint32_t k, uint32_t than)
{
	return t->bytes[t->ancestor[k]] > t->bytes[t->ancestor[than]];
}

/* Count a block that no other block of its site dominates; keep the largest. */
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
 * Go through the tree, and count each site's blocks among the ancestors.
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

bool
mmi_dominators(struct mmi_graphing *g)
{
	uint32_t *above = mmi_leak_map((size_t)g->out->nodes * sizeof(*above));
	struct tree t = { .g = g, .n = g->nblocks + g->nroots };

	/* All this memory disappears with the copy. */
	t.size = ((size_t)t.n + 3) * 4;
	if (!above || !array(&t, &t.number) || !array(&t, &t.vertex) ||
	    !array(&t, &t.idom) || !walk_all(&t) || !array(&t, &t.semi) ||
	    !array(&t, &t.back) || !turn(&t) || !dominate(&t))
		return false;
	mmi_leak_unmap(t.from, t.from_size);
	mmi_leak_unmap(t.back, t.size);
	t.bytes = mmi_leak_map(2 * t.size);
	if (!t.bytes || !array(&t, &t.blocks))
		return false;
	retain(&t);
	find_roots(&t);
	sum_sites(&t, above);
	put_tree(&t);
	return !g->l->late;
}
