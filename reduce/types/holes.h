/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holes: the bytes of a type that no member of it, or of these, uses. */
#ifndef MEMMON_REDUCE_HOLES_H
#define MEMMON_REDUCE_HOLES_H

#include <elfutils/libdw.h>
#include <stdbool.h>

#include "reduce/base/arena.h"
#include "reduce/model/typed.h"

/*
 * Find the holes of a struct, class or union into *h, whose list and texts go
 * to a.  In a union it is what none of the alternatives uses.  They aren't
 * known where it isn't clear of every byte whose it is: of virtual bases,
 * members of types that are only declared, and types without any members.  In
 * guard_run().  0, or -1 when out of memory.
 */
int holes_find(struct holes *h, struct arena *a, const Dwarf_Die *type);

/* Is the name one of a type that is made of nothing else, as "int", "T *"? */
bool holes_has_none(const char *name);

#endif
