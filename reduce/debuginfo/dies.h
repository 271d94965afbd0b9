/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What entries of debug information have: files, numbers, array bounds. */
#ifndef MEMMON_DIES_H
#define MEMMON_DIES_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

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
