/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Types in debug information: their names as the plugin for gcc writes them,
 * and what entries stand in.  Runs in guard_run().
 */
#ifndef MEMMON_REDUCE_GUESS_DIE_H
#define MEMMON_REDUCE_GUESS_DIE_H

#include "reduce/base/names.h"
#include "reduce/dies/dies.h"
#include "reduce/guess/guess.h"

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * The name of the type, in c's pool, without const and the like: "struct node",
 * "list_t", "char *" in C; "ns::node<int>", "char*" in C++, where typedefs are
 * taken off and names are as names_type_clean() has them.  NULL: it has none,
 * as void, Rust's u8 and what is unnamed, or memory is short.
 */
const char *guess_die_name(const struct guess_call *c, const Dwarf_Die *type);

/*
 * What the entry stands in: the class of a function, whatever of it die is, the
 * namespace of a class.  False: nothing.
 */
bool guess_die_within(const struct guess_call *c, const Dwarf_Die *die,
		      Dwarf_Die *outer);

/* The n-th type among the template arguments of a class or function, from 0. */
bool guess_die_argument(const Dwarf_Die *die, unsigned n, Dwarf_Die *type);

#endif
