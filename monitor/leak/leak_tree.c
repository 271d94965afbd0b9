/* SPDX-License-Identifier: MIT */
/*
 * Who retains what, as a tree of call paths: the dominator tree of all blocks,
 * in which blocks of one call path below one row are one row.  All dominators
 * of a block have the call path of its row or of a row above it.  So a sum of
 * rows is what the blocks of several call paths retain together.
 */
#include "monitor/leak/leak_graph.h"

#include <string.h>

#include "monitor/base/sort.h"

/* Most rows above a row. */
#define DEPTH 64u

/* Most rows that are kept: the largest. */
#define KEPT 16384u

/* The row for blocks of `node' below row `up', + 1. */
#define PLACES (4 * MMI_GRAPH_TREE)
struct way {
	uint32_t up, node, to;
};

static struct mmi_graph *out;
static struct way *way;
static uint32_t used;

/* Blocks that no single root retains; blocks that found no row. */
#define SEVERAL UINT32_MAX

bool
mmi_tree_init(struct mmi_graph *g)
{
	out = g;
	used = 0;
	way = mmi_leak_map(PLACES * sizeof(*way));
	return way != NULL;
}

static struct way *
way_of(uint32_t up, uint32_t node)
{
	uint64_t h = ((uint64_t)up << 32 | node) * 0x9e3779b97f4a7c15ull;

	for (uint32_t i = (uint32_t)(h >> 40);; i++) {
		struct way *w = &way[i % PLACES];

		if (!w->to || (w->up == up && w->node == node))
			return w;
	}
}

/* Does a row above this one have the node? */
static bool
is_above(uint32_t row, uint32_t node)
{
	uint32_t i = out->tree[row].parent;

	while (i && out->tree[i - 1].node != node)
		i = out->tree[i - 1].parent;
	return i != 0;
}

uint32_t
mmi_tree_root(uint32_t root)
{
	struct way *w = way_of(UINT32_MAX, root);

	if (!w->to && out->ntree < MMI_GRAPH_TREE) {
		out->tree[out->ntree] =
			(struct mmi_graph_tree){ .root = root + 1 };
		*w = (struct way){ UINT32_MAX, root, ++out->ntree };
		used++;
	}
	return w->to ? w->to - 1 : SEVERAL;
}

static void
use_add(struct mmi_graph_use *to, const struct mmi_graph_use *u)
{
	to->unread += u->unread;
	if (u->last > to->last)
		to->last = u->last;
}

/* The row of blocks of the node below the row, + 1; 0: the table is full. */
static uint32_t
row_below(uint32_t row, uint32_t node)
{
	const struct mmi_graph_tree *up = &out->tree[row];
	struct way *w;

	if (!node)
		return 0;
	/* An element of a list. */
	if (up->node == node)
		return row + 1;
	w = way_of(row, node);
	if (w->to)
		return w->to;
	if (up->depth >= DEPTH || out->ntree == MMI_GRAPH_TREE ||
	    used >= PLACES / 4 * 3)
		return 0;
	out->tree[out->ntree] =
		(struct mmi_graph_tree){ .parent = row + 1,
					 .node = node,
					 .depth = up->depth + 1,
					 .again = is_above(row, node) };
	*w = (struct way){ row, node, ++out->ntree };
	used++;
	return w->to;
}

uint32_t
mmi_tree_block(uint32_t row, uint32_t node, uint64_t bytes,
	       const struct mmi_graph_use *u)
{
	struct mmi_graph_tree *t;
	uint32_t to;

	if (row == SEVERAL)
		return SEVERAL;
	to = row_below(row, node);
	t = &out->tree[to ? to - 1 : row];
	*(to ? &t->blocks : &t->rest_blocks) += 1;
	*(to ? &t->bytes : &t->rest_bytes) += bytes;
	use_add(to ? &t->use : &t->rest_use, u);
	return to && !t->again ? to - 1 : row;
}

/* Rows that retain less are left out.  sum: of each row. */
static uint64_t
least(const uint64_t *sum)
{
	uint64_t *order, n = 0;

	if (out->ntree <= KEPT)
		return 0;
	order = mmi_leak_map(out->ntree * sizeof(*order));
	if (!order)
		return 0;
	memcpy(order, sum, out->ntree * sizeof(*order));
	mmi_sort(order, out->ntree, 1);
	n = order[out->ntree - KEPT];
	mmi_leak_unmap(order, out->ntree * sizeof(*order));
	return n;
}

/* Add small rows to the rest of their parents. */
void
mmi_tree_end(void)
{
	uint64_t *sum = mmi_leak_map((out->ntree + 1) * sizeof(*sum)), small;
	struct mmi_graph_tree *t, *up;

	for (uint32_t i = out->ntree; sum && i-- > 0;) {
		t = &out->tree[i];
		sum[i] += t->bytes + t->rest_bytes;
		if (t->parent)
			sum[t->parent - 1] += sum[i];
	}
	small = sum ? least(sum) : 0;
	for (uint32_t i = out->ntree; sum && i-- > 0;) {
		t = &out->tree[i];
		if (!t->parent || sum[i] >= small)
			continue;
		up = &out->tree[t->parent - 1];
		up->rest_blocks += t->blocks + t->rest_blocks;
		up->rest_bytes += t->bytes + t->rest_bytes;
		use_add(&up->rest_use, &t->use);
		use_add(&up->rest_use, &t->rest_use);
		t->node = MMI_GRAPH_LEFT_OUT;
	}
	mmi_leak_unmap(way, PLACES * sizeof(*way));
}
