/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The entries that enclose others. */
#include <dwarf.h>
#include <stdlib.h>

#include "reduce/symbols/symbols_within.h"
#include "reduce/base/sort.h"
#include "reduce/symbols/symbols_pool.h"

/* Offsets are in bytes from the unit's own entry. */
struct symbols_within {
	uint32_t start;	 /* of the entry */
	uint32_t last;	 /* of the last entry inside */
	uint32_t parent; /* the entry that encloses it, plus 1; 0: the unit */
};

/* All entries: the last one inside of another can be of any kind. */
static bool
symbols_within_is_wanted(int tag)
{
	(void)tag;
	return true;
}

static bool
symbols_within_has_name(int tag)
{
	switch (tag) {
	case DW_TAG_subprogram:
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_class_type:
	case DW_TAG_interface_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
		return true;
	default:
		return false;
	}
}

static void
within_add(struct symbols_withins *w, uint32_t start, uint32_t parent)
{
	if (w->n >= UINT32_MAX - 1)
		heap_out();
	ARRAY_ROOM(w->v, w->room, w->n + 1);
	w->v[w->n++] = (struct symbols_within){ start, start, parent };
}

/* at[]: by depth, the innermost enclosing entry, plus 1. */
static void
symbols_within_walk(struct symbols_withins *w, struct scan *s,
		    const unsigned char *base)
{
	uint32_t at[SCAN_DEPTH] = { 0 }, last = 0, i, outer;
	unsigned depth = 0;

	while (scan_next(s)) {
		size_t place = (size_t)(s->addr[s->depth] - base);

		if (place > UINT32_MAX)
			break;
		outer = s->depth ? at[s->depth - 1] : 0;
		/* Set the ends of enclosing entries that end before this
		 * entry. */
		for (i = s->depth <= depth ? at[depth] : 0; i && i != outer;
		     i = w->v[i - 1].parent)
			w->v[i - 1].last = last;
		depth = s->depth;
		last = (uint32_t)place;
		at[depth] = outer;
		if (!(s->has & SCAN_CHILDREN) ||
		    !symbols_within_has_name(s->tag[depth]))
			continue;
		within_add(w, last, outer);
		at[depth] = (uint32_t)w->n;
	}
	for (i = at[depth]; i; i = w->v[i - 1].parent)
		w->v[i - 1].last = last;
}

void
symbols_withins_load(struct symbols_withins *w, struct scan *scan,
		     const Dwarf_Die *unit)
{
	if (w->loaded)
		return;
	w->loaded = true;
	scan_start(scan, unit, symbols_within_is_wanted);
	symbols_within_walk(w, scan, unit->addr);
}

bool
symbols_withins_find(const struct symbols_withins *w, const Dwarf_Die *unit,
		     const Dwarf_Die *die, Dwarf_Die *in)
{
	uintptr_t base = (uintptr_t)unit->addr, at = (uintptr_t)die->addr;
	uint32_t i;

	if (at < base)
		return false;
	at -= base;
	/* Begin with the last one that starts before it, then go outwards. */
	i = (uint32_t)SORT_PLACE(k, w->n, w->v[k].start < at);
	while (i && w->v[i - 1].last < at)
		i = w->v[i - 1].parent;
	return i && symbols_withins_entry(w, unit, i - 1, in);
}

bool
symbols_withins_entry(const struct symbols_withins *w, const Dwarf_Die *unit,
		      size_t i, Dwarf_Die *die)
{
	if (i >= w->n)
		return false;
	*die = (Dwarf_Die){ .addr = (char *)unit->addr + w->v[i].start,
			    .cu = unit->cu };
	return true;
}

void
symbols_withins_fini(struct symbols_withins *w)
{
	free(w->v);
	*w = (struct symbols_withins){ 0 };
}
