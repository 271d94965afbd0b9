/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of the heap as a graph. */
#include "display/schema/schema_links.h"
#include "display/schema/schema_fields.h"

#include <stdlib.h>

#define ROW root
const struct schema_field schema_roots[SCHEMA_ROOT_FIELDS] = {
	F("root", TEXT, STRING, name, "variable, stack, mapping, ..."),
	F("kind", TEXT, STRING, kind_name, "what it is"),
	F("file", TEXT, STRING, file, "source file that defines it"),
	F("line", COUNT, U32, line, "line in the file"),
	F("size", BYTES, U64, size, "its size; 0: not known"),
	F("blocks", COUNT, U64, blocks, "blocks that it retains"),
	F("bytes", BYTES, U64, bytes, "their bytes"),
};
#undef ROW

#define ROW retained
const struct schema_field schema_retained[SCHEMA_RETAINED_FIELDS] = {
	ID("number of the call path (sites.id)"),
	F("tops", COUNT, U64, count,
	  "its blocks that no other block of the path retains"),
	F("blocks", COUNT, U64, blocks, "blocks that these retain"),
	F("bytes", BYTES, U64, bytes, "their bytes"),
	F("largest", BYTES, U64, most, "bytes that one block retains"),
};
#undef ROW

#define ROW schema_edge
const struct schema_field schema_edges[SCHEMA_EDGE_FIELDS] = {
	F("root", TEXT, STRING, root, "root with the pointers; null: a block"),
	F("holder_id", COUNT, MAX, holder,
	  "call path of that block (sites.id)"),
	F("offset", COUNT, MAX, offset, "offset in it; null: several"),
	F("member", TEXT, STRING, member,
	  "member at the offset; on a stack the function"),
	F("site_id", COUNT, U64, site, "call path pointed to (sites.id)"),
	F("pointers", COUNT, U64, pointers, "number of pointers"),
	F("interior", COUNT, U64, interior,
	  "of these, into a block, not to its start"),
	F("bytes", BYTES, U64, bytes, "bytes of their blocks, once for each"),
};
const struct schema_field schema_steps[SCHEMA_STEP_FIELDS] = {
	F("site_id", COUNT, U64, site, "call path whose largest block it is"),
	F("step", COUNT, U64, step, "0: the root"),
	F("root", TEXT, STRING, root, "name of the root"),
	F("holder_id", COUNT, MAX, holder, "call path of the block (sites.id)"),
	F("offset", COUNT, MAX, offset, "offset of the pointer to the next"),
	F("member", TEXT, STRING, member, "member at the offset"),
};
#undef ROW

#define ROW schema_holding
const struct schema_field schema_holdings[SCHEMA_HOLDING_FIELDS] = {
	ID("number of the row"),
	F("parent_id", COUNT, MAX, parent, "row that holds it; null: none"),
	F("depth", COUNT, U64, depth, "rows above it"),
	F("root", TEXT, STRING, root,
	  "root; null with parent_id null: no single one"),
	F("site_id", COUNT, MAX, site, "call path of its blocks (sites.id)"),
	F("blocks", COUNT, U64, blocks, "its own blocks"),
	F("bytes", BYTES, U64, bytes, "their bytes"),
	F("rest_blocks", COUNT, U64, rest_blocks,
	  "blocks below it that are in no row: small ones"),
	F("rest_bytes", BYTES, U64, rest_bytes, "their bytes"),
	F("retained_blocks", COUNT, U64, all_blocks,
	  "its blocks and all below it"),
	F("retained_bytes", BYTES, U64, all_bytes, "their bytes"),
	F("unread_bytes", BYTES, MAX, unread,
	  "of these, of blocks that were never read (memmon-cc)"),
	F("used", TIME, MAX, last, "last access to one of these blocks"),
};
#undef ROW

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
