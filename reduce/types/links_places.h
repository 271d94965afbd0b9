/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where variables are defined in the source. */
#ifndef MEMMON_REDUCE_LINKS_PLACES_H
#define MEMMON_REDUCE_LINKS_PLACES_H

#include "reduce/base/arena.h"
#include "reduce/model/links.h"

#include <elfutils/libdw.h>

/* A variable at an address of a file, as the file has it, and its root. */
struct links_place {
	uint64_t addr;
	struct root *root;
};

/*
 * Set file and line of the roots of n variables, sorted by address.  Reads the
 * entries of the file's units that stand in no function.  0, or -1 when out of
 * memory.
 */
int links_places(struct arena *a, Dwarf *dwarf, const struct links_place *v,
		 size_t n);

#endif
