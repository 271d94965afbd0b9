/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The entries of a unit of debug information that enclose others: namespaces,
 * classes and functions.
 */
#ifndef MEMMON_REDUCE_SYMBOLS_WITHIN_H
#define MEMMON_REDUCE_SYMBOLS_WITHIN_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reduce/dwarf/scan.h"

struct symbols_within;

/* All zero is an empty list.  Sorted as the entries are in the unit. */
struct symbols_withins {
	struct symbols_within *v;
	size_t n, room;
	bool loaded;
};

/*
 * Read the unit, unless that is done.  Use the same unit with w in all calls.
 */
void symbols_withins_load(struct symbols_withins *w, struct scan *scan,
			  const Dwarf_Die *unit);

/*
 * Find the innermost entry that encloses die, except for the unit.  False:
 * there is none, or nothing is loaded.  in may be die.
 */
bool symbols_withins_find(const struct symbols_withins *w,
			  const Dwarf_Die *unit, const Dwarf_Die *die,
			  Dwarf_Die *in);

/* Get the i-th entry that encloses others.  False: there are fewer. */
bool symbols_withins_entry(const struct symbols_withins *w,
			   const Dwarf_Die *unit, size_t i, Dwarf_Die *die);

void symbols_withins_fini(struct symbols_withins *w);

#endif
