/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names in the source, as they are meant at a call: types and variables. */
#ifndef MEMMON_REDUCE_GUESS_SOURCE_NAMES_H
#define MEMMON_REDUCE_GUESS_SOURCE_NAMES_H

#include "reduce/symbols/symbols.h"

#include <stdbool.h>

/*
 * The type of that name, n bytes long: tag is DW_TAG_structure_type and the
 * like for "struct name", 0 for a typedef or one of the language's own.
 * Returns whether there is one.
 */
bool guess_lookup_type(const struct symbols_debug *p, unsigned tag,
		       const char *name, size_t n, Dwarf_Die *type);

/* The type of pointers to the type. */
bool guess_lookup_pointer(const struct symbols_debug *p, const Dwarf_Die *to,
			  Dwarf_Die *type);

/*
 * The type of the variable or parameter of that name in the function at the
 * given place of p->die[], of its blocks, or of the unit.
 */
bool guess_lookup_variable(const struct symbols_debug *p, size_t function,
			   const char *name, size_t n, Dwarf_Die *type);

/* The type of the member of that name of a struct or union. */
bool guess_lookup_member(const Dwarf_Die *of, const char *name, size_t n,
			 Dwarf_Die *type);

/* What the type points to, or is an array of. */
bool guess_lookup_target(const Dwarf_Die *type, Dwarf_Die *to);

#endif
