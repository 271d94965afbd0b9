/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The source lines of variables' definitions. */
#ifndef MEMMON_REDUCE_LINKS_PLACES_H
#define MEMMON_REDUCE_LINKS_PLACES_H

#include "reduce/base/arena.h"
#include "reduce/model/links.h"

#include <elfutils/libdw.h>

/* A variable, by its address in the file, and its root. */
struct links_place {
	uint64_t addr;
	struct root *root;
};

/*
 * Set file and line of the roots of n variables, sorted by address.  Reads only
 * entries outside of functions.  0, or -1 when out of memory.
 */
int links_places(struct arena *a, Dwarf *dwarf, const struct links_place *v,
		 size_t n);

#endif
