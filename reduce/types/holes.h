/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holes: the bytes of a type that no member, at any depth, uses. */
#ifndef MEMMON_REDUCE_HOLES_H
#define MEMMON_REDUCE_HOLES_H

#include <elfutils/libdw.h>
#include <stdbool.h>

#include "reduce/base/arena.h"
#include "reduce/model/typed.h"

/*
 * Find the holes of a struct, class or union; *h gets them, with list and texts
 * in a.  Holes of a union are the bytes that none of its members uses.  Holes
 * are unknown if the use of any byte is unclear: with virtual bases, with
 * members whose types have no definition, and without any members.  Call it in
 * guard_run().
 */
void holes_find(struct holes *h, struct arena *a, const Dwarf_Die *type);

/* Is it the name of a type that can't have members, as "int", "T *"? */
bool holes_has_none(const char *name);

#endif
