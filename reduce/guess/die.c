/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names and sizes of types in debug information. */
#include "reduce/guess/die.h"
#include "reduce/dies/dies.h"
#include "reduce/symbols/symbols_unit.h"

#include <dwarf.h>
#include <stdio.h>
#include <string.h>

/* Namespaces and classes around a type, at most. */
#define OUTERS 32

/* Children of an entry that are looked at, at most. */
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

/* --------------------------------------------- what entries stand in -- */

/*
 * In a unit that isn't indexed, as those of types are: such are small.  The
 * last child that starts before the entry is what it stands in.
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

/* A name that is put together. */
struct text {
	const struct guess_call *c;
	bool cxx;
	bool bad; /* it has none, or is too long */
	size_t n;
	char s[NAMES_TYPE_MAX];
};

static void
put(struct text *t, const char *s)
{
	size_t n = strlen(s);

	if (t->bad || n >= sizeof t->s - t->n) {
		t->bad = true;
		return;
	}
	memcpy(t->s + t->n, s, n + 1);
	t->n += n;
}

/* The call operator of a lambda is all that is in its class. */
static bool
is_lambda(const Dwarf_Die *die)
{
	unsigned left = CHILDREN;
	struct dies_child c;
	const char *name;
	bool more;

	for (more = dies_child(&c, die, &left); more; more = dies_next(&c)) {
		name = dwarf_diename(&c.die);
		if (dwarf_tag(&c.die) == DW_TAG_subprogram && name &&
		    strncmp(name, "operator()", 10) == 0)
			return true;
	}
	return false;
}

static void
put_scopes(struct text *t, const Dwarf_Die *die)
{
	Dwarf_Die outer[OUTERS], at = *die;
	const char *name;
	unsigned n = 0;

	while (n < OUTERS && guess_die_within(t->c, &at, &outer[n]))
		at = outer[n++];
	while (n--) {
		name = dies_is_class(&outer[n]) ? dies_type_name(&outer[n])
						: dies_scope(&outer[n]);
		if (!name)
			name = is_lambda(&outer[n]) ? "{lambda}" : "<unnamed>";
		put(t, name);
		put(t, "::");
	}
}

static void
put_named(struct text *t, const Dwarf_Die *die, const char *word)
{
	const char *name = dies_type_name(die);

	if (!name && t->cxx && dies_is_class(die) && is_lambda(die)) {
		put(t, "{lambda}");
		return;
	}
	if (!name) {
		t->bad = true;
		return;
	}
	if (t->cxx)
		put_scopes(t, die);
	else
		put(t, word);
	put(t, name);
}

static void put_type(struct text *t, const Dwarf_Die *type, int depth);

static void
put_function(struct text *t, const Dwarf_Die *die, const char *middle,
	     int depth)
{
	const char *comma = "";
	unsigned left = CHILDREN;
	struct dies_child c;
	Dwarf_Die type;
	bool more;

	put_type(t, dies_type(die, &type) ? &type : NULL, depth + 1);
	put(t, t->cxx && !*middle ? "" : " ");
	put(t, middle);
	put(t, "(");
	for (more = dies_child(&c, die, &left); more && !t->bad;
	     more = dies_next(&c)) {
		if (dwarf_tag(&c.die) == DW_TAG_formal_parameter &&
		    dies_type(&c.die, &type)) {
			put(t, comma);
			put_type(t, &type, depth + 1);
			comma = ", ";
		}
	}
	put(t, *comma || t->cxx ? ")" : "void)");
}

static void
put_pointer(struct text *t, Dwarf_Die *die, const char *mark, int depth)
{
	Dwarf_Die of, to;
	bool there = dies_type(die, &of);
	char middle[8];

	if (there && dwarf_tag(&of) == DW_TAG_subroutine_type) {
		snprintf(middle, sizeof middle, "(%s)", mark);
		put_function(t, &of, middle, depth);
		return;
	}
	put_type(t, there ? &of : NULL, depth + 1);
	if (!t->cxx && !(there && dies_pointee(&of, &to) &&
			 dwarf_tag(&of) == DW_TAG_pointer_type))
		put(t, " ");
	put(t, mark);
}

static void
put_qualified(struct text *t, Dwarf_Die *die, const char *word, int depth)
{
	Dwarf_Die of;
	bool there = dies_type(die, &of);

	if (there && dwarf_tag(&of) == DW_TAG_pointer_type) {
		put_type(t, &of, depth + 1);
		put(t, " ");
		put(t, word);
		return;
	}
	put(t, word);
	put(t, " ");
	put_type(t, there ? &of : NULL, depth + 1);
}

static void
put_array(struct text *t, Dwarf_Die *die, int depth)
{
	uint64_t n = dies_array_count(die);
	char count[32] = "[]";
	Dwarf_Die of;

	put_type(t, dies_type(die, &of) ? &of : NULL, depth + 1);
	if (n)
		snprintf(count, sizeof count, "[%llu]", (unsigned long long)n);
	put(t, count);
}

/* In C++ it's the type that counts, unless that has no name. */
static void
put_typedef(struct text *t, const Dwarf_Die *die, int depth)
{
	Dwarf_Die of = *die;

	dies_peel(&of);
	if (t->cxx && (!dies_is_class(&of) || dies_type_name(&of)) &&
	    dwarf_tag(&of) != DW_TAG_typedef)
		put_type(t, &of, depth + 1);
	else
		put_named(t, die, "");
}

static void
put_type(struct text *t, const Dwarf_Die *type, int depth)
{
	Dwarf_Die at;

	if (!type || depth >= DIES_PEEL) {
		put(t, "void");
		t->bad |= depth >= DIES_PEEL;
		return;
	}
	at = *type;
	dies_define(&at);
	switch (dwarf_tag(&at)) {
	case DW_TAG_pointer_type:
		put_pointer(t, &at, "*", depth);
		break;
	case DW_TAG_reference_type:
		put_pointer(t, &at, "&", depth);
		break;
	case DW_TAG_rvalue_reference_type:
		put_pointer(t, &at, "&&", depth);
		break;
	case DW_TAG_const_type:
		put_qualified(t, &at, "const", depth);
		break;
	case DW_TAG_volatile_type:
		put_qualified(t, &at, "volatile", depth);
		break;
	case DW_TAG_restrict_type:
		put_qualified(t, &at, "restrict", depth);
		break;
	case DW_TAG_atomic_type:
		put_qualified(t, &at, "_Atomic", depth);
		break;
	case DW_TAG_array_type:
		put_array(t, &at, depth);
		break;
	case DW_TAG_subroutine_type:
		put_function(t, &at, "", depth);
		break;
	case DW_TAG_typedef:
		put_typedef(t, &at, depth);
		break;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
		put_named(t, &at, "struct ");
		break;
	case DW_TAG_union_type:
		put_named(t, &at, "union ");
		break;
	case DW_TAG_enumeration_type:
		put_named(t, &at, "enum ");
		break;
	default:
		put_named(t, &at, "");
	}
}

const char *
guess_die_name(const struct guess_call *c, const Dwarf_Die *type)
{
	struct text t = { .c = c };
	struct arena a = { 0 };
	const char *name;
	Dwarf_Die at = *type, unit;

	t.cxx = dies_unit(type, &unit) && dies_scoped(&unit);
	dies_unqualify(&at);
	put_type(&t, &at, 0);
	if (t.bad || !t.n || strcmp(t.s, "void") == 0)
		return NULL;
	name = t.s;
	if (t.cxx)
		name = names_type_clean(&a, t.s);
	if (name)
		name = symbols_pool_intern(c->pool, name, strlen(name));
	arena_fini(&a);
	return name;
}
