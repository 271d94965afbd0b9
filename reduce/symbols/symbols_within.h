/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the entries of a unit of debug information stand in: namespaces, classes
 * and functions.
 */
#ifndef MEMMON_REDUCE_SYMBOLS_WITHIN_H
#define MEMMON_REDUCE_SYMBOLS_WITHIN_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reduce/dies/scan.h"

struct symbols_within;

/* All zero is an empty list.  In the order of the entries. */
struct symbols_withins {
	struct symbols_within *v;
	size_t n, room;
	bool loaded;
};

/*
 * Walk the unit, if that isn't done.  Then the same unit goes with w always.
 * 0, or -1 when out of memory.
 */
int symbols_withins_load(struct symbols_withins *w, struct scan *scan,
			 const Dwarf_Die *unit);

/*
 * The innermost of what the unit's entry stands in, but for the unit.  Returns
 * whether there is any: false too when nothing is loaded.  in may be die.
 */
bool symbols_withins_find(const struct symbols_withins *w,
			  const Dwarf_Die *unit, const Dwarf_Die *die,
			  Dwarf_Die *in);

/* The i-th of all that something stands in; whether there are so many. */
bool symbols_withins_entry(const struct symbols_withins *w,
			   const Dwarf_Die *unit, size_t i, Dwarf_Die *die);

void symbols_withins_fini(struct symbols_withins *w);

#endif
