/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Types in debug information: their names as the plugin for gcc writes them,
 * their sizes, what they point to and stand in.  Runs in guard_run().
 */
#ifndef MEMMON_REDUCE_GUESS_DIE_H
#define MEMMON_REDUCE_GUESS_DIE_H

#include "reduce/base/names.h"
#include "reduce/guess/guess.h"

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

/* Types of types of ...; more of them is a cycle in a damaged file. */
#define GUESS_PEEL 24

/*
 * What DW_AT_type of the entry, or of what it was made of, leads to.  False,
 * and nothing in *type: nowhere, which is void.
 */
bool guess_die_type(const Dwarf_Die *die, Dwarf_Die *type);

/* Take const, volatile and the like off, or typedefs as well. */
void guess_die_unqualify(Dwarf_Die *type);
void guess_die_peel(Dwarf_Die *type);

/*
 * Is the type, typedefs and the like taken off, a pointer?  If so *to is what
 * it points to, as it is written there; to->addr is NULL for void.
 */
bool guess_die_pointee(const Dwarf_Die *type, Dwarf_Die *to);

/* Bytes of a value of the type; 0: not known. */
uint64_t guess_die_size(const Dwarf_Die *type);

/*
 * The name of the type, in c's pool, without const and the like: "struct node",
 * "list_t", "char *" in C; "ns::node<int>", "char*" in C++, where typedefs are
 * taken off and names are as names_type_clean() has them.  NULL: it has none,
 * as void and what is unnamed, or memory is short.
 */
const char *guess_die_name(const struct guess_call *c, const Dwarf_Die *type);

/*
 * What the entry stands in: the class of a function, whatever of it die is, the
 * namespace of a class.  False: nothing.
 */
bool guess_die_within(const struct guess_call *c, const Dwarf_Die *die,
		      Dwarf_Die *outer);

/* Is it a struct, class or union? */
bool guess_die_is_class(const Dwarf_Die *die);

/* The function's own name, and the linker's; NULL: none. */
const char *guess_die_function(const Dwarf_Die *die);
const char *guess_die_linkage(const Dwarf_Die *die);

/* The n-th type among the template arguments of a class or function, from 0. */
bool guess_die_argument(const Dwarf_Die *die, unsigned n, Dwarf_Die *type);

#endif
