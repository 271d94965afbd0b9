/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of the heap as a graph. */
#include "display/schema/schema_links.h"
#include "display/schema/schema_fields.h"

#include <stdlib.h>

#define ROW root
const struct schema_field schema_roots[SCHEMA_ROOT_FIELDS] = {
	F("root", TEXT, STRING, name, "variable, stack, mapping, ..."),
	F("kind", TEXT, STRING, kind_name, "what it is"),
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
	F("member", TEXT, STRING, member, "member at the offset"),
	F("site_id", COUNT, U64, site, "call path pointed to (sites.id)"),
	F("pointers", COUNT, U64, pointers, "number of pointers"),
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
