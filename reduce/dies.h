/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Walk the tree of debugging information entries of a unit, parents before
 * children, without recursion and only so deep.
 */
#ifndef MEMMON_DIES_H
#define MEMMON_DIES_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

/* Entries nested deeper are passed over; compilers nest tens of them. */
#define DIES_DEPTH 400u

struct dies {
	Dwarf_Die at[DIES_DEPTH]; /* the entry and those it stands in */
	unsigned depth;		  /* of the entry: 0 for the unit's own */
	const void *last;	  /* address of the entry; only grows */
};

/* Start at the unit's entry. */
void dies_start(struct dies *d, const Dwarf_Die *unit);

/*
 * Go to the next entry, which is d->at[d->depth].  Returns whether there is
 * one; what can't be read ends the walk.
 */
int dies_next(struct dies *d);

/* Longer paths count as unknown. */
#define DIES_PATH 4096

/*
 * The source file whose number the attribute has, into path[DIES_PATH], made
 * absolute.  unit: the entry of its unit, or of the one that the linker saw
 * when the unit is in a file of its own: it knows the working directory.
 * Returns whether it is known; "" in path if not.
 */
bool dies_file(const Dwarf_Attribute *a, const Dwarf_Die *unit, char *path);

/* The same for the name of a file as it stands in debug information. */
bool dies_path(const char *name, const Dwarf_Die *unit, char *path);

/* The number that the attribute has; 0: none, or too large.  a may be NULL. */
unsigned dies_number(const Dwarf_Attribute *a);

/* How many elements the type of an array has; 0: not known. */
uint64_t dies_array_count(Dwarf_Die *array);

/* Do names in the unit have namespaces or classes before them? */
bool dies_scoped(const Dwarf_Die *unit);

#endif
