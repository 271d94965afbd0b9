/* SPDX-License-Identifier: MIT */
/*
 * Lost blocks that point to each other in a ring: strongly connected components
 * of the lost blocks (R. Tarjan, Depth-First Search and Linear Graph
 * Algorithms, 1972).  A component is shown as one of its shortest cycles.
 * Cycles with the same sites and offsets are counted together.
 */
#include "monitor/leak/leak_graph.h"

#include <string.h>

/* Search at most this many blocks of a component for a way back. */
#define LOOKED 4096u

struct components {
	struct mmi_graphing *g;
	uint32_t met;
	uint32_t *number, *low; /* by block; number 0: not visited */
	uint32_t *in;	/* by block: its component's first number; 0: none */
	uint64_t *next; /* by block: its next edge */
	uint32_t *stack, *path;
	uint32_t depth, top;
	uint32_t *queue, *before; /* of LOOKED */
	uint32_t last[MMI_GRAPH_CYCLE]; /* the cycle that was found */
};

static bool
is_lost(const struct components *c, uint32_t v)
{
	unsigned kind = (c->g->l->kinds[v] & 7u) - 1;

	return kind == MONOUT_LOST || kind == MONOUT_INDIRECT;
}

/*
 * Put a shortest cycle through v, in v's component, into c->last.  Returns how
 * many blocks it has; 0: none was found.
 */
static uint32_t
cycle_of(struct components *c, uint32_t v)
{
	const struct mmi_graph_edges *e = &c->g->edges;
	uint32_t head = 0, tail = 1, n = 0;

	c->queue[0] = v;
	c->before[0] = 0;
	for (; head < tail; head++) {
		uint32_t at = c->queue[head];

		for (uint64_t k = e->at[at]; k < e->at[at + 1]; k++) {
			uint32_t w = e->to[k];

			if (w == v) {
				for (uint32_t i = head; i; i = c->before[i])
					n++;
				n++;
				for (uint32_t i = head, p = n; p > 0;
				     i = c->before[i])
					if (--p < MMI_GRAPH_CYCLE)
						c->last[p] = c->queue[i];
				return n;
			}
			if (c->in[w] != c->in[v] || tail == LOOKED ||
			    c->number[w] == UINT32_MAX)
				continue;
			/* Don't visit it again for this component. */
			c->number[w] = UINT32_MAX;
			c->before[tail] = head;
			c->queue[tail++] = w;
		}
	}
	return 0;
}

/* Count the cycle in c->last; its component has `blocks' blocks. */
static void
count(struct components *c, uint32_t n, uint64_t blocks, uint64_t bytes)
{
	struct mmi_graph *out = c->g->out;
	struct mmi_graph_cycle x = {
		.n = n, .cycles = 1, .blocks = blocks, .bytes = bytes
	};
	uint32_t shown = n < MMI_GRAPH_CYCLE ? n : MMI_GRAPH_CYCLE, i;

	for (i = 0; i < shown; i++) {
		x.holder[i] = mmi_graph_node(c->g, c->last[i]);
		x.offset[i] = mmi_graph_offset(c->g, c->last[i],
					       c->last[i + 1 < n ? i + 1 : 0]);
		if (i + 1 == shown && n > shown)
			x.offset[i] = MONOUT_UNKNOWN;
	}
	for (i = 0; i < out->ncycles; i++) {
		struct mmi_graph_cycle *y = &out->cycle[i];

		if (y->n == n &&
		    !memcmp(y->holder, x.holder, sizeof(x.holder)) &&
		    !memcmp(y->offset, x.offset, sizeof(x.offset))) {
			y->cycles++;
			y->blocks += blocks;
			y->bytes += bytes;
			return;
		}
	}
	if (out->ncycles < MMI_GRAPH_CYCLES)
		out->cycle[out->ncycles++] = x;
	else
		out->rings_left++;
}

/* All above v on the stack, and v, are one component. */
static void
component(struct components *c, uint32_t v)
{
	const struct mmi_graph_edges *e = &c->g->edges;
	uint32_t blocks = 0, w, first = v;
	uint64_t bytes = 0;
	bool self = false;

	do {
		w = c->stack[--c->top];
		c->in[w] = c->number[v];
		bytes += c->g->l->blocks[w].size;
		blocks++;
		if (mmi_graph_node(c->g, w) < mmi_graph_node(c->g, first))
			first = w;
	} while (w != v);
	for (uint64_t k = e->at[v]; blocks == 1 && k < e->at[v + 1]; k++)
		self |= e->to[k] == v;
	if (blocks == 1 && !self)
		return;
	w = cycle_of(c, first);
	if (w)
		count(c, w, blocks, bytes);
}

static void
meet(struct components *c, uint32_t v)
{
	c->number[v] = c->low[v] = ++c->met;
	c->next[v] = c->g->edges.at[v];
	c->stack[c->top++] = v;
	c->path[c->depth++] = v;
}

static void
walk(struct components *c, uint32_t v)
{
	const struct mmi_graph_edges *e = &c->g->edges;
	uint32_t w;

	for (meet(c, v); c->depth;) {
		v = c->path[c->depth - 1];
		if (c->next[v] < e->at[v + 1]) {
			w = e->to[c->next[v]++];
			if (!is_lost(c, w))
				continue;
			if (!c->number[w])
				meet(c, w);
			else if (!c->in[w] && c->number[w] < c->low[v])
				c->low[v] = c->number[w];
			continue;
		}
		c->depth--;
		if (c->depth) {
			w = c->path[c->depth - 1];
			if (c->low[v] < c->low[w])
				c->low[w] = c->low[v];
		}
		if (c->low[v] == c->number[v])
			component(c, v);
	}
}

bool
mmi_cycles(struct mmi_graphing *g)
{
	struct components c = { .g = g };
	size_t n = (size_t)g->nblocks + 1;

	c.number = mmi_leak_map(n * 4);
	c.low = mmi_leak_map(n * 4);
	c.in = mmi_leak_map(n * 4);
	c.next = mmi_leak_map(n * 8);
	c.stack = mmi_leak_map(n * 4);
	c.path = mmi_leak_map(n * 4);
	c.queue = mmi_leak_map(LOOKED * 4);
	c.before = mmi_leak_map(LOOKED * 4);
	if (!c.number || !c.low || !c.in || !c.next || !c.stack || !c.path ||
	    !c.queue || !c.before)
		return false;
	g->budget = MMI_GRAPH_BUDGET;
	for (uint32_t v = 0; v < g->nblocks && !mmi_leak_late(g->l); v++)
		if (is_lost(&c, v) && !c.number[v])
			walk(&c, v);
	mmi_leak_unmap(c.number, n * 4);
	mmi_leak_unmap(c.low, n * 4);
	mmi_leak_unmap(c.in, n * 4);
	mmi_leak_unmap(c.next, n * 8);
	mmi_leak_unmap(c.stack, n * 4);
	mmi_leak_unmap(c.path, n * 4);
	mmi_leak_unmap(c.queue, LOOKED * 4);
	mmi_leak_unmap(c.before, LOOKED * 4);
	return !g->l->late;
}
