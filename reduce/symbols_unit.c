/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Units of debug information, indexed. */
#include <dwarf.h>
#include <stdlib.h>

#include "reduce/dies.h"
#include "reduce/symbols_unit.h"

/*
 * Numbers that only a broken file goes beyond: of ranges of one entry, of those
 * of all for each byte of the file, and besides.  Entries that share a list
 * could have as many as the file's size to the square.
 */
#define RANGES_OF_ONE 100000u
#define RANGES_OF_BYTE 4u
#define RANGES_BESIDES 1000000u
#define ORIGINS 16

/* The walk over a unit. */
struct walk {
	struct symbols_units *units;
	struct symbols_unit *unit;
	size_t scopes_room;
	size_t withins_room;
	uint32_t scope[DIES_DEPTH];  /* at each depth, plus 1 */
	uint32_t within[DIES_DEPTH]; /* begun at each depth, plus 1 */
	struct dies dies;
};

Dwarf_Die
symbols_unit_follow(const Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Die at = *die, next;
	Dwarf_Attribute a;
	int i;

	for (i = 0; i < ORIGINS; i++) {
		if (!dwarf_attr(&at, attribute, &a) ||
		    !dwarf_formref_die(&a, &next))
			break;
		at = next;
	}
	return at;
}

/* Add the ranges of the entry's code; *entry gets where the first starts. */
static int
spans_of(struct symbols_units *u, struct symbols_spans *s, const Dwarf_Die *die,
	 uint32_t rank, uint32_t item, uint64_t *entry)
{
	struct symbols_span span = { .rank = rank, .item = item };
	Dwarf_Die at = *die;
	Dwarf_Addr base, start, end;
	ptrdiff_t next = 0;
	unsigned n = 0;

	while (n++ < RANGES_OF_ONE && u->left &&
	       (next = dwarf_ranges(&at, next, &base, &start, &end)) > 0) {
		u->left--;
		span.start = start;
		span.end = end;
		if (symbols_spans_add(s, span) < 0)
			return -1;
		if (n == 1)
			*entry = start;
	}
	return 0;
}

static int
copy_add(struct walk *w, const Dwarf_Die *die, uint64_t entry)
{
	struct symbols_units *u = w->units;
	Dwarf_Die origin = symbols_unit_follow(die, DW_AT_abstract_origin);
	struct symbols_copy *copy;
	uint32_t first;

	if (origin.addr == die->addr)
		return 0;
	if (u->ncopies >= HASH_NONE ||
	    symbols_grow(&u->copies, &u->copies_room, u->ncopies) < 0)
		return -1;
	first = hash_intern(&u->origins, (uintptr_t)origin.addr, 0, 0,
			    (uint32_t)u->ncopies);
	if (first == HASH_NONE)
		return -1;
	copy = &u->copies[u->ncopies++];
	copy->entry = entry;
	copy->unit = (uint32_t)(w->unit - u->v);
	copy->next = 0;
	if (copy != &u->copies[first]) {
		copy->next = u->copies[first].next;
		u->copies[first].next = (uint32_t)u->ncopies;
	}
	return 0;
}

static int
scope_add(struct walk *w, const Dwarf_Die *die, unsigned depth, bool inlined)
{
	struct symbols_unit *unit = w->unit;
	uint64_t entry = 0;
	size_t was = unit->pcs.n;

	if (unit->nscopes >= UINT32_MAX - 1 ||
	    symbols_grow(&unit->scopes, &w->scopes_room, unit->nscopes) < 0 ||
	    spans_of(w->units, &unit->pcs, die, depth, (uint32_t)unit->nscopes,
		     &entry) < 0)
		return -1;
	if (unit->pcs.n == was)
		return 0;
	unit->scopes[unit->nscopes++] = (struct symbols_scope){
		.die = *die,
		.entry = entry,
		.parent = depth ? w->scope[depth - 1] : 0,
		.inlined = inlined,
	};
	w->scope[depth] = (uint32_t)unit->nscopes;
	return inlined ? 0 : copy_add(w, die, entry);
}

static int
within_add(struct walk *w, const Dwarf_Die *die, unsigned depth)
{
	struct symbols_unit *unit = w->unit;

	if (unit->nwithins >= UINT32_MAX - 1 ||
	    symbols_grow(&unit->withins, &w->withins_room, unit->nwithins) < 0)
		return -1;
	unit->withins[unit->nwithins++] = (struct symbols_within){
		.die = *die,
		.end = die->addr,
	};
	w->within[depth] = (uint32_t)unit->nwithins;
	return 0;
}

static int
entry_add(struct walk *w, const Dwarf_Die *die, unsigned depth)
{
	Dwarf_Die at = *die;

	w->scope[depth] = depth ? w->scope[depth - 1] : 0;
	w->within[depth] = 0;
	switch (dwarf_tag(&at)) {
	case DW_TAG_inlined_subroutine:
		return scope_add(w, die, depth, true);
	case DW_TAG_subprogram:
		if (scope_add(w, die, depth, false) < 0)
			return -1;
		break;
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_class_type:
	case DW_TAG_interface_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
		break;
	default:
		return 0;
	}
	return dwarf_haschildren(&at) > 0 ? within_add(w, die, depth) : 0;
}

/* Going from the depth `from' to `to', out of everything in between. */
static void
leave(struct walk *w, unsigned from, unsigned to, const void *last)
{
	unsigned i;

	for (i = to; i <= from; i++)
		if (w->within[i])
			w->unit->withins[w->within[i] - 1].end = last;
}

static int
places_load(struct symbols_unit *unit)
{
	size_t i;

	for (i = 0; i < unit->nwithins; i++) {
		const struct symbols_within *p = &unit->withins[i];
		struct symbols_span span = {
			/* It doesn't stand in itself. */
			.start = (uintptr_t)p->die.addr + 1,
			.end = (uintptr_t)p->end + 1,
			.item = (uint32_t)i,
		};

		if (symbols_spans_add(&unit->places, span) < 0)
			return -1;
	}
	return symbols_spans_flatten(&unit->places);
}

static int
index_walk(struct walk *w)
{
	struct dies *d = &w->dies;
	const void *last = w->unit->code.addr;
	unsigned depth = 0;

	dies_start(d, &w->unit->code);
	do {
		if (d->depth <= depth && d->depth)
			leave(w, depth, d->depth, last);
		depth = d->depth;
		last = d->last;
		if (entry_add(w, &d->at[depth], depth) < 0)
			return -1;
	} while (dies_next(d));
	leave(w, depth, 0, last);
	return 0;
}

int
symbols_units_index(struct symbols_units *u, struct symbols_unit *unit)
{
	struct walk *w;
	int bad;

	if (unit->indexed)
		return 0;
	unit->indexed = true;
	w = calloc(1, sizeof *w);
	if (!w)
		return -1;
	w->units = u;
	w->unit = unit;
	bad = index_walk(w) < 0 || symbols_spans_flatten(&unit->pcs) < 0 ||
	      places_load(unit) < 0;
	free(w);
	return bad ? -1 : 0;
}

int
symbols_units_index_all(struct symbols_units *u)
{
	size_t i;

	for (i = 0; i < u->n && !u->all; i++)
		if (symbols_units_index(u, &u->v[i]) < 0)
			return -1;
	u->all = true;
	return 0;
}

/* Is there a function with code at the top of the unit? */
static bool
has_code(const struct symbols_unit *unit)
{
	Dwarf_Die at = unit->code, child;
	Dwarf_Addr base, start, end;
	const void *last = NULL;
	int more;

	/* A wrong DW_AT_sibling could lead back. */
	for (more = dwarf_child(&at, &child);
	     more == 0 && (uintptr_t)child.addr > (uintptr_t)last;
	     more = dwarf_siblingof(&child, &child)) {
		last = child.addr;
		if (dwarf_tag(&child) == DW_TAG_subprogram &&
		    dwarf_ranges(&child, 0, &base, &start, &end) > 0)
			return true;
	}
	return false;
}

/* Some units don't tell their ranges: then those of their functions do. */
static int
unit_spans(struct symbols_units *u, size_t i)
{
	struct symbols_unit *unit = &u->v[i];
	size_t was = u->pcs.n, j;
	uint64_t entry;

	if (spans_of(u, &u->pcs, &unit->die, 0, (uint32_t)i, &entry) < 0)
		return -1;
	if (u->pcs.n > was || !has_code(unit))
		return 0;
	if (symbols_units_index(u, unit) < 0)
		return -1;
	for (j = 0; j < unit->pcs.n; j++) {
		struct symbols_span span = unit->pcs.v[j];

		span.rank = 0;
		span.item = (uint32_t)i;
		if (symbols_spans_add(&u->pcs, span) < 0)
			return -1;
	}
	return 0;
}

static int
unit_add(struct symbols_units *u, const Dwarf_Die *die, const Dwarf_Die *sub,
	 bool partial)
{
	struct symbols_unit unit = { .die = *die,
				     .code = *sub,
				     .partial = partial };

	if (u->n >= HASH_NONE || symbols_grow(&u->v, &u->room, u->n) < 0)
		return -1;
	if (hash_intern(&u->by_cu, (uintptr_t)unit.code.cu, 0, 0,
			(uint32_t)u->n) == HASH_NONE)
		return -1;
	u->v[u->n++] = unit;
	return 0;
}

int
symbols_units_load(struct symbols_units *u, Dwarf *dwarf)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die, sub;
	uint8_t type;
	size_t i, size = 0;

	elf_rawfile(dwarf_getelf(dwarf), &size);
	u->left = RANGES_BESIDES + (uint64_t)size * RANGES_OF_BYTE;
	while (dwarf_get_units(dwarf, cu, &cu, NULL, &type, &die, &sub) == 0) {
		bool partial = type == DW_UT_partial ||
			       dwarf_tag(&die) == DW_TAG_partial_unit;

		if (type == DW_UT_type || type == DW_UT_split_type)
			continue;
		/* For a skeleton, sub is the unit in a file of its own. */
		if (type != DW_UT_skeleton || !sub.addr)
			sub = die;
		if (unit_add(u, &die, &sub, partial) < 0)
			return -1;
	}
	for (i = 0; i < u->n; i++)
		if (!u->v[i].partial && unit_spans(u, i) < 0)
			return -1;
	return symbols_spans_flatten(&u->pcs);
}

void
symbols_units_fini(struct symbols_units *u)
{
	size_t i;

	for (i = 0; i < u->n; i++) {
		struct symbols_unit *unit = &u->v[i];

		free(unit->scopes);
		free(unit->withins);
		symbols_spans_fini(&unit->pcs);
		symbols_spans_fini(&unit->places);
	}
	free(u->v);
	free(u->copies);
	symbols_spans_fini(&u->pcs);
	hash_fini(&u->by_cu);
	hash_fini(&u->origins);
	*u = (struct symbols_units){ 0 };
}

struct symbols_unit *
symbols_units_at(struct symbols_units *u, uint64_t addr)
{
	const struct symbols_span *s = symbols_spans_find(&u->pcs, addr);

	if (!s || symbols_units_index(u, &u->v[s->item]) < 0)
		return NULL;
	return &u->v[s->item];
}

const struct symbols_scope *
symbols_unit_scope(const struct symbols_unit *unit, uint64_t addr)
{
	const struct symbols_span *s = symbols_spans_find(&unit->pcs, addr);

	return s ? &unit->scopes[s->item] : NULL;
}

size_t
symbols_unit_scopes(const struct symbols_unit *unit, uint64_t addr,
		    Dwarf_Die *die, size_t most)
{
	const struct symbols_scope *s = symbols_unit_scope(unit, addr);
	size_t n = 0;

	while (s && n < most) {
		die[n++] = s->die;
		if (!s->inlined)
			return n;
		s = s->parent ? &unit->scopes[s->parent - 1] : NULL;
	}
	return 0;
}

struct symbols_unit *
symbols_units_of(struct symbols_units *u, const Dwarf_Die *die)
{
	uint32_t i = hash_find(&u->by_cu, (uintptr_t)die->cu, 0, 0);

	return i == HASH_NONE ? NULL : &u->v[i];
}

const struct symbols_within *
symbols_unit_within(const struct symbols_unit *unit, const Dwarf_Die *die)
{
	const struct symbols_span *s;

	s = symbols_spans_find(&unit->places, (uintptr_t)die->addr);
	return s ? &unit->withins[s->item] : NULL;
}
