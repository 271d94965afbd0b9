/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Types in debug information: their names as the plugin for gcc writes them,
 * and their scopes.  Runs inside guard_run().
 */
#ifndef MEMMON_REDUCE_GUESS_DIE_H
#define MEMMON_REDUCE_GUESS_DIE_H

#include "reduce/base/names.h"
#include "reduce/dwarf/dies.h"
#include "reduce/infer/guess.h"

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * The name of the type, in c's pool, without const and the like: "struct node",
 * "list_t", "char *" in C; "ns::node<int>", "char*" in C++.  In C++, typedefs
 * are resolved and the name is clean (names_type_clean()).  NULL for void,
 * Rust's u8 and unnamed types.
 */
const char *guess_die_name(const struct guess_call *c, const Dwarf_Die *type);

/*
 * Find the scope of the entry: for a function, a declaration of it or an
 * inlined copy, its class; for a class, its namespace.  False if there is none.
 */
bool guess_die_within(const struct guess_call *c, const Dwarf_Die *die,
		      Dwarf_Die *outer);

/*
 * Find the n-th type, from 0, among the template arguments of a class or
 * function.
 */
bool guess_die_argument(const Dwarf_Die *die, unsigned n, Dwarf_Die *type);

#endif
