/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The types of members: how they are written, how large they are. */
#ifndef MEMMON_REDUCE_MEMBERS_TYPE_H
#define MEMMON_REDUCE_MEMBERS_TYPE_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

#include "reduce/base/arena.h"

/* Types of types of ...; more of them is a cycle in a damaged file. */
#define MEMBERS_PEEL 24

/* What DW_AT_type leads to.  NULL, and nothing in *type: there is none. */
Dwarf_Die *members_of(Dwarf_Die *die, Dwarf_Die *type);

/* Typedefs, const and the like taken off; and to where the type is defined. */
void members_peel(Dwarf_Die *type);

/* Is it a struct, class or union? */
int members_is_aggregate(Dwarf_Die *type);

/* Bytes; 0: not known. */
uint64_t members_size(const Dwarf_Die *type);

/*
 * The type as C or C++ would have it, in short: namespaces and parameters
 * aren't there.  type NULL is void.  NULL when out of memory.
 */
const char *members_type(struct arena *a, const Dwarf_Die *type);

/* Is the entry a member, or a base class, that each object has? */
bool members_is_part(Dwarf_Die *die);

/*
 * The type of such a member, and where it is: bytes from the start, and how
 * many; of a bit-field those that it has a part in.  False: that isn't known,
 * or not the same in every object.
 */
bool members_place(Dwarf_Die *die, Dwarf_Die *type, uint64_t *offset,
		   uint64_t *size);

#endif
