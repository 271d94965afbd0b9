/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Units of debug information, indexed. */
#include <dwarf.h>
#include <stdlib.h>

#include "reduce/symbols/symbols_unit.h"

/*
 * Limits that only a damaged file exceeds: ranges of one entry; and ranges of
 * all entries, per byte of the file plus a constant.  Without limits, entries
 * that share a list could have the square of the file's size.
 */
#define RANGES_OF_ONE 100000u
#define RANGES_OF_BYTE 4u
#define RANGES_BESIDES 1000000u
#define ORIGINS 16

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

/* Add the ranges of the entry's code; *entry gets the start of the first. */
static void
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
		symbols_spans_add(s, span);
		if (n == 1)
			*entry = start;
	}
}

static void
copy_add(struct symbols_units *u, struct symbols_unit *unit,
	 const Dwarf_Die *die, uint64_t entry)
{
	Dwarf_Die origin = symbols_unit_follow(die, DW_AT_abstract_origin);
	struct symbols_copy *copy;
	uint32_t first;

	if (origin.addr == die->addr)
		return;
	if (u->ncopies >= HASH_NONE)
		heap_out();
	ARRAY_ROOM(u->copies, u->copies_room, u->ncopies + 1);
	first = hash_intern(&u->origins, (uintptr_t)origin.addr, 0, 0,
			    (uint32_t)u->ncopies);
	copy = &u->copies[u->ncopies++];
	copy->entry = entry;
	copy->unit = (uint32_t)(unit - u->v);
	copy->next = 0;
	if (copy != &u->copies[first]) {
		copy->next = u->copies[first].next;
		u->copies[first].next = (uint32_t)u->ncopies;
	}
}

/* *n gets the scope's number plus 1; 0: the scope has no code. */
static void
scope_add(struct symbols_units *u, struct symbols_unit *unit,
	  const Dwarf_Die *die, struct symbols_scope scope, uint32_t *n)
{
	size_t was = unit->pcs.n;

	*n = 0;
	if (unit->nscopes >= UINT32_MAX - 1)
		heap_out();
	ARRAY_ROOM(unit->scopes, unit->scopes_room, unit->nscopes + 1);
	spans_of(u, &unit->pcs, die, u->scan.depth, (uint32_t)unit->nscopes,
		 &scope.entry);
	if (unit->pcs.n == was)
		return;
	unit->scopes[unit->nscopes++] = scope;
	*n = (uint32_t)unit->nscopes;
	if (scope.inlined || unit->copied || !(u->scan.has & SCAN_ORIGIN))
		return;
	copy_add(u, unit, die, scope.entry);
}

/* Entries that can be scopes; symbols_unit_is_function(): functions. */
static bool
is_scope(int tag)
{
	return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

static bool
symbols_unit_is_function(int tag)
{
	return tag == DW_TAG_subprogram;
}

/* At each depth, the scope that began last. */
struct begun {
	const unsigned char *addr[SCAN_DEPTH]; /* of the entry */
	uint32_t scope[SCAN_DEPTH];	       /* plus 1; 0: the entry has no
						* code */
};

/* The scope that encloses the current entry, plus 1; not always its parent. */
static uint32_t
outer_scope(const struct begun *b, const struct scan *s)
{
	unsigned i = s->depth;

	while (i--)
		if (b->addr[i] == s->addr[i] && b->scope[i])
			return b->scope[i];
	return 0;
}

static void
index_walk(struct symbols_units *u, struct symbols_unit *unit)
{
	struct begun begun = { 0 };
	struct scan *s = &u->scan;

	scan_start(s, &unit->code, is_scope);
	while (scan_next(s)) {
		Dwarf_Die die = scan_die(s, s->depth);
		struct symbols_scope scope = { .addr = die.addr };

		if (!(s->has & SCAN_CODE))
			continue;
		scope.parent = outer_scope(&begun, s);
		scope.inlined = s->tag[s->depth] == DW_TAG_inlined_subroutine;
		begun.addr[s->depth] = s->addr[s->depth];
		scope_add(u, unit, &die, scope, &begun.scope[s->depth]);
	}
}

static void
unit_index(struct symbols_units *u, struct symbols_unit *unit)
{
	if (unit->indexed)
		return;
	unit->indexed = true;
	u->walks++;
	index_walk(u, unit);
	symbols_spans_flatten(&unit->pcs);
	unit->copied = true;
}

static void
unit_copies(struct symbols_units *u, struct symbols_unit *unit)
{
	struct scan *s = &u->scan;
	struct symbols_spans spans = { 0 };

	if (unit->copied)
		return;
	unit->copied = true;
	u->walks++;
	scan_start(s, &unit->code, symbols_unit_is_function);
	while (scan_next(s)) {
		Dwarf_Die die = scan_die(s, s->depth);
		uint64_t entry = 0;

		spans.n = 0;
		if ((s->has & (SCAN_CODE | SCAN_ORIGIN)) !=
		    (SCAN_CODE | SCAN_ORIGIN))
			continue;
		spans_of(u, &spans, &die, 0, 0, &entry);
		if (spans.n)
			copy_add(u, unit, &die, entry);
	}
	symbols_spans_fini(&spans);
}

void
symbols_units_copies(struct symbols_units *u)
{
	size_t i;

	for (i = 0; i < u->n && !u->all; i++)
		unit_copies(u, &u->v[i]);
	u->all = true;
}

bool
symbols_units_within(struct symbols_units *u, struct symbols_unit *unit,
		     const Dwarf_Die *die, Dwarf_Die *in)
{
	u->walks += !unit->withins.loaded;
	symbols_withins_load(&unit->withins, &u->scan, &unit->code);
	return symbols_withins_find(&unit->withins, &unit->code, die, in);
}

/* Does the unit have a top-level function with code? */
static bool
has_code(struct symbols_units *u, const struct symbols_unit *unit)
{
	struct scan *s = &u->scan;
	Dwarf_Addr base, start, end;
	Dwarf_Die die;

	scan_start(s, &unit->code, symbols_unit_is_function);
	while (scan_next(s)) {
		die = scan_die(s, s->depth);
		if (s->depth == 1 && (s->has & SCAN_CODE) &&
		    dwarf_ranges(&die, 0, &base, &start, &end) > 0)
			return true;
	}
	return false;
}

/* Add the unit's ranges, or its functions' ranges if the unit lists none. */
static void
unit_spans(struct symbols_units *u, size_t i)
{
	struct symbols_unit *unit = &u->v[i];
	size_t was = u->pcs.n, j;
	uint64_t entry;

	spans_of(u, &u->pcs, &unit->die, 0, (uint32_t)i, &entry);
	if (u->pcs.n > was)
		return;
	if (!has_code(u, unit))
		return;
	unit_index(u, unit);
	for (j = 0; j < unit->pcs.n; j++) {
		struct symbols_span span = unit->pcs.v[j];

		span.rank = 0;
		span.item = (uint32_t)i;
		symbols_spans_add(&u->pcs, span);
	}
}

static void
unit_add(struct symbols_units *u, const Dwarf_Die *die, const Dwarf_Die *sub,
	 bool partial)
{
	struct symbols_unit unit = { .die = *die,
				     .code = *sub,
				     .partial = partial };

	if (u->n >= HASH_NONE)
		heap_out();
	ARRAY_ROOM(u->v, u->room, u->n + 1);
	hash_intern(&u->by_cu, (uintptr_t)unit.code.cu, 0, 0, (uint32_t)u->n);
	u->v[u->n++] = unit;
}

void
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
		/* For a skeleton, sub is the unit in the .dwo file. */
		if (type != DW_UT_skeleton || !sub.addr)
			sub = die;
		unit_add(u, &die, &sub, partial);
	}
	for (i = 0; i < u->n; i++) {
		if (!u->v[i].partial)
			unit_spans(u, i);
	}
	symbols_spans_flatten(&u->pcs);
}

void
symbols_units_fini(struct symbols_units *u)
{
	size_t i;

	for (i = 0; i < u->n; i++) {
		struct symbols_unit *unit = &u->v[i];

		free(unit->scopes);
		symbols_spans_fini(&unit->pcs);
		symbols_withins_fini(&unit->withins);
	}
	free(u->v);
	free(u->copies);
	symbols_spans_fini(&u->pcs);
	hash_fini(&u->by_cu);
	hash_fini(&u->origins);
	scan_fini(&u->scan);
	*u = (struct symbols_units){ 0 };
}

struct symbols_unit *
symbols_units_at(struct symbols_units *u, uint64_t addr)
{
	const struct symbols_span *s = symbols_spans_find(&u->pcs, addr);

	if (!s)
		return NULL;
	unit_index(u, &u->v[s->item]);
	return &u->v[s->item];
}

const struct symbols_scope *
symbols_unit_scope(const struct symbols_unit *unit, uint64_t addr)
{
	const struct symbols_span *s = symbols_spans_find(&unit->pcs, addr);

	return s ? &unit->scopes[s->item] : NULL;
}

Dwarf_Die
symbols_unit_entry(const struct symbols_unit *unit,
		   const struct symbols_scope *scope)
{
	return (Dwarf_Die){ .addr = (void *)scope->addr, .cu = unit->code.cu };
}

size_t
symbols_unit_scopes(const struct symbols_unit *unit, uint64_t addr,
		    Dwarf_Die *die, size_t most)
{
	const struct symbols_scope *s = symbols_unit_scope(unit, addr);
	size_t n = 0;

	while (s && n < most) {
		die[n++] = symbols_unit_entry(unit, s);
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
