/* SPDX-License-Identifier: MIT */
/* Pointers added up by where they are and what they point to. */
#include "monitor/leak/leak_graph.h"

#include "monitor/base/sort.h"

/* Rows of the table; at most three quarters are used. */
#define ROWS (1u << 18)

static struct mmi_graph_edge *rows;
static uint32_t used;

bool
mmi_edges_init(void)
{
	rows = mmi_leak_map(ROWS * sizeof(*rows));
	used = 0;
	return rows != NULL;
}

static bool
is_same(const struct mmi_graph_edge *a, const struct mmi_graph_edge *b)
{
	return a->root == b->root && a->frame == b->frame &&
	       a->holder == b->holder && a->offset == b->offset &&
	       a->held == b->held;
}

void
mmi_edges_add(struct mmi_graph *out, const struct mmi_graph_edge *e)
{
	uint64_t h = ((uint64_t)e->root << 32 | (e->holder ^ e->frame)) *
			     0x9e3779b97f4a7c15ull ^
		     ((uint64_t)e->held << 32 | e->offset);
	struct mmi_graph_edge *r;

	h *= 0x9e3779b97f4a7c15ull;
	for (uint32_t i = (uint32_t)(h >> 40);; i++) {
		r = &rows[i % ROWS];
		if (!r->pointers || is_same(r, e))
			break;
	}
	if (!r->pointers) {
		if (used == ROWS / 4 * 3) {
			out->beyond++;
			return;
		}
		used++;
		*r = *e;
		r->pointers = r->bytes = r->inside = 0;
	}
	r->pointers += e->pointers;
	r->inside += e->inside;
	r->bytes += e->bytes;
}

void
mmi_edges_put(struct mmi_graph *out)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < ROWS; i++)
		if (rows[i].pointers)
			rows[n++] = rows[i];
	/* By their first word, the bytes. */
	mmi_sort(rows, n, sizeof(*rows) / 8);
	while (n > 0 && out->nedges < MMI_GRAPH_EDGES)
		out->edge[out->nedges++] = rows[--n];
	while (n > 0)
		out->beyond += rows[--n].pointers;
	mmi_leak_unmap(rows, ROWS * sizeof(*rows));
}
