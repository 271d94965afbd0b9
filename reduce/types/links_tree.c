/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tree of retained blocks: a row retains those below it. */
#include "reduce/types/links_parts.h"
#include "reduce/base/sort.h"

#include <stdlib.h>
#include <string.h>

/* A row, with the numbers of the file. */
struct links_row {
	uint64_t step, parent;
	struct holding of;
};

SORT_BY(links_row_compare, struct links_row, SORT_UP(step))
SORT_BY(links_row_most, struct links_row,
	SORT_UP(parent) SORT_DOWN(of.all_bytes) SORT_DOWN(of.all_blocks)
		SORT_UP(step))

/* The monitor writes no deeper rows. */
enum { DEPTH = 100 };

static struct links_row *
links_row_of(struct links_row *row, size_t n, uint64_t step)
{
	size_t i = SORT_PLACE(k, n, row[k].step < step);

	return i < n && row[i].step == step ? &row[i] : NULL;
}

/* Add up retained blocks; rows follow their parents. */
static void
links_retain(struct links_row *row, size_t n)
{
	for (size_t i = n; i-- > 0;) {
		struct holding *h = &row[i].of;
		struct links_row *up = NULL;

		h->all_blocks += h->blocks + h->rest_blocks;
		h->all_bytes += h->bytes + h->rest_bytes;
		if (row[i].parent && row[i].parent < row[i].step)
			up = links_row_of(row, i, row[i].parent);
		if (!up) {
			row[i].parent = 0;
			continue;
		}
		up->of.all_blocks += h->all_blocks;
		up->of.all_bytes += h->all_bytes;
		up->of.unread += h->unread;
		if (h->last > up->of.last)
			up->of.last = h->last;
	}
}

/* Append the rows below a parent, the largest first, each with its subtree. */
static void
links_put(struct links *l, const struct links_row *row, size_t n,
	  uint64_t parent, uint32_t up, uint32_t depth)
{
	size_t i = SORT_PLACE(k, n, row[k].parent < parent);
	uint32_t place;

	for (; i < n && row[i].parent == parent && depth < DEPTH &&
	       row[i].of.all_blocks;
	     i++) {
		place = (uint32_t)l->nholdings;
		l->holdings[l->nholdings] = row[i].of;
		l->holdings[l->nholdings].parent = up;
		l->holdings[l->nholdings++].depth = depth;
		links_put(l, row, n, row[i].step, place, depth + 1);
	}
}

void
links_tree(struct profile *p, const struct mon_link *x, size_t n,
	   const struct root *const *of)
{
	struct links *l = &p->links;
	struct links_row *row = heap_array(n + 1, sizeof(*row));
	size_t rows = 0;

	l->holdings = arena_array(&p->priv->arena, n + 1, sizeof(*l->holdings));
	for (size_t i = 0; i < n; i++)
		if (x[i].what == MONOUT_LINK_TREE)
			row[rows++] = (struct links_row){
				x[i].step,
				x[i].offset,
				{ .root = of[i],
				  .site = x[i].offset
						  ? p->priv->site_of[x[i].site]
						  : HOLDING_ROOT,
				  .blocks = x[i].blocks,
				  .bytes = x[i].bytes,
				  .unread = x[i].count,
				  .last = x[i].most }
			};
	SORT(row, rows, links_row_compare);
	for (size_t i = 0; i < n; i++) {
		struct links_row *r =
			x[i].what == MONOUT_LINK_REST
				? links_row_of(row, rows, x[i].step)
				: NULL;

		if (!r)
			continue;
		l->pruned = true;
		r->of.rest_blocks += x[i].blocks;
		r->of.rest_bytes += x[i].bytes;
		r->of.unread += x[i].count;
		if (x[i].most > r->of.last)
			r->of.last = x[i].most;
	}
	links_retain(row, rows);
	SORT(row, rows, links_row_most);
	links_put(l, row, rows, 0, UINT32_MAX, 0);
	free(row);
}
