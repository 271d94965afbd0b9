/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of types, and the scopes of entries. */
#include "reduce/infer/die.h"
#include "reduce/dwarf/dies.h"
#include "reduce/symbols/symbols_name.h"
#include "reduce/symbols/symbols_unit.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

/* The most namespaces and classes around a type. */
#define OUTERS 32

/* The most children of an entry that are looked at. */
#define CHILDREN 100000

bool
guess_die_argument(const Dwarf_Die *die, unsigned n, Dwarf_Die *type)
{
	Dwarf_Die at = symbols_unit_follow(die, DW_AT_abstract_origin);
	unsigned left = CHILDREN, i = 0;
	struct dies_child c;
	bool more;

	for (more = dies_child(&c, &at, &left); more; more = dies_next(&c))
		if (dwarf_tag(&c.die) == DW_TAG_template_type_parameter &&
		    i++ == n)
			return dies_type(&c.die, type);
	return false;
}

/* --------------------------------------------- the scopes of entries -- */

/*
 * Find the scope in a unit without an index.  Only units of types lack an
 * index, and they are small.  The scope is the last child that starts before
 * the entry.
 */
static bool
within_by_walk(const Dwarf_Die *die, Dwarf_Die *outer)
{
	unsigned depth, left = CHILDREN;
	struct dies_child c;
	Dwarf_Die at, best;
	bool more;

	if (!dies_unit(die, &at))
		return false;
	for (depth = 0; depth < OUTERS; depth++) {
		best = at;
		for (more = dies_child(&c, &at, &left);
		     more && c.die.addr <= die->addr; more = dies_next(&c))
			best = c.die;
		if (best.addr == die->addr) {
			*outer = at;
			return depth > 0;
		}
		if (best.addr == at.addr)
			return false;
		at = best;
	}
	return false;
}

bool
guess_die_within(const struct guess_call *c, const Dwarf_Die *die,
		 Dwarf_Die *outer)
{
	struct symbols_units *units = c->debug->units;
	struct symbols_unit *unit;
	Dwarf_Die decl;

	decl = symbols_unit_follow(die, DW_AT_abstract_origin);
	decl = symbols_unit_follow(&decl, DW_AT_specification);
	unit = symbols_units_of(units, &decl);
	if (!unit)
		return within_by_walk(&decl, outer);
	if (!symbols_units_within(units, unit, &decl, outer))
		return false;
	if (dies_is_class(outer))
		dies_define(outer);
	return true;
}

/* ---------------------------------------------------------------- names -- */

/* Write the scopes that C++ puts before a name. */
static void
put_scopes(struct dies_text *t, const Dwarf_Die *die)
{
	Dwarf_Die outer[OUTERS], at = *die;
	const char *name;
	unsigned n = 0;

	while (n < OUTERS && guess_die_within(t->arg, &at, &outer[n]))
		at = outer[n++];
	while (n--) {
		name = dies_is_class(&outer[n]) ? dies_type_name(&outer[n])
						: dies_scope(&outer[n]);
		if (!name)
			name = dies_is_lambda(&outer[n]) ? "{lambda}"
							 : "<unnamed>";
		dies_put(t, name);
		dies_put(t, "::");
	}
}

/* Rust's allocators return *mut u8 for blocks of any type. */
static bool
is_any(const Dwarf_Die *type, const char *name)
{
	Dwarf_Die unit;

	return strcmp(name, "void") == 0 ||
	       (strcmp(name, "u8") == 0 && dies_unit(type, &unit) &&
		dwarf_srclang(&unit) == DW_LANG_Rust);
}

const char *
guess_die_name(const struct guess_call *c, const Dwarf_Die *type)
{
	struct dies_text t;
	struct arena a = { 0 };
	const char *name = t.s;
	Dwarf_Die at = *type;
	char *frame;

	dies_unqualify(&at);
	t.scopes = put_scopes;
	t.arg = c;
	dies_put_type(&t, &at);
	if (t.bad || !t.n || is_any(&at, t.s))
		return NULL;
	frame = symbols_coroutine(t.s);
	if (frame)
		name = frame;
	else if (t.cxx)
		name = names_type_clean(&a, t.s);
	if (name)
		name = symbols_pool_intern(c->pool, name, strlen(name));
	free(frame);
	arena_fini(&a);
	return name;
}
