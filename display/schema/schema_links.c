/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of the heap as a graph: see schema_rows.h. */
#include "display/schema/schema_rows.h"

#include <stdlib.h>

static uint64_t
offset_of(uint32_t offset)
{
	return offset < LINK_FAR ? offset : UINT64_MAX;
}

void *
schema_edges_make(struct schema *s, size_t *n)
{
	const struct links *l = &s->p->links;
	struct schema_edge *v = calloc(l->nedges + 1, sizeof *v);

	*n = l->nedges;
	for (size_t i = 0; v && i < l->nedges; i++) {
		const struct edge *e = &l->edges[i];

		v[i].root = e->root ? e->root->name : NULL;
		v[i].member = e->member;
		v[i].holder = e->root ? UINT64_MAX : e->holder;
		v[i].offset = offset_of(e->offset);
		v[i].site = e->held;
		v[i].pointers = e->pointers;
		v[i].bytes = e->bytes;
		v[i].interior = e->interior;
	}
	return v;
}

void *
schema_steps_make(struct schema *s, size_t *n)
{
	const struct links *l = &s->p->links;
	struct schema_edge *v = calloc(l->nsteps + 1, sizeof *v);

	*n = l->nsteps;
	for (size_t i = 0; v && i < l->nsteps; i++) {
		const struct step *e = &l->steps[i];

		v[i].root = e->root ? e->root->name : NULL;
		v[i].member = e->member;
		v[i].holder = e->n ? e->holder : UINT64_MAX;
		v[i].offset = offset_of(e->offset);
		v[i].site = e->site;
		v[i].step = e->n;
	}
	return v;
}

static uint64_t
schema_links_row_of(uint32_t n)
{
	return n == HOLDING_ROOT ? UINT64_MAX : n;
}

void *
schema_holdings_make(struct schema *s, size_t *n)
{
	const struct links *l = &s->p->links;
	struct schema_holding *v = calloc(l->nholdings + 1, sizeof *v);

	*n = l->nholdings;
	for (size_t i = 0; v && i < l->nholdings; i++) {
		const struct holding *h = &l->holdings[i];

		v[i] = (struct schema_holding){
			h->root ? h->root->name : NULL,
			schema_links_row_of(h->parent),
			h->depth,
			schema_links_row_of(h->site),
			h->blocks,
			h->bytes,
			h->rest_blocks,
			h->rest_bytes,
			h->all_blocks,
			h->all_bytes,
			l->used ? h->unread : UINT64_MAX,
			l->used && h->last ? h->last : UINT64_MAX,
		};
	}
	return v;
}
