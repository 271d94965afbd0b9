/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names and sizes of types in debug information. */
#include "reduce/guess/guess_die.h"
#include "reduce/debuginfo/dies.h"
#include "reduce/debuginfo/symbols_unit.h"

#include <dwarf.h>
#include <stdio.h>
#include <string.h>

/* Namespaces and classes around a type, at most. */
#define OUTERS 32

/* Children of an entry that are looked at, at most. */
#define CHILDREN 100000

bool
guess_die_type(const Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Die at = *die;
	Dwarf_Attribute a;

	return dwarf_attr_integrate(&at, DW_AT_type, &a) &&
	       dwarf_formref_die(&a, type);
}

/* From a declaration to a type unit that has the definition. */
static void
follow_signature(Dwarf_Die *type)
{
	Dwarf_Attribute a;
	Dwarf_Die of;

	if (dwarf_attr(type, DW_AT_signature, &a) && dwarf_formref_die(&a, &of))
		*type = of;
}

static void
peel(Dwarf_Die *type, bool typedefs)
{
	Dwarf_Die next;
	int i;

	for (i = 0; i < GUESS_PEEL; i++) {
		switch (dwarf_tag(type)) {
		case DW_TAG_typedef:
			if (!typedefs)
				return;
			break;
		case DW_TAG_const_type:
		case DW_TAG_volatile_type:
		case DW_TAG_restrict_type:
		case DW_TAG_atomic_type:
			break;
		default:
			follow_signature(type);
			return;
		}
		if (!guess_die_type(type, &next))
			return;
		*type = next;
	}
}

void
guess_die_unqualify(Dwarf_Die *type)
{
	peel(type, false);
}

void
guess_die_peel(Dwarf_Die *type)
{
	peel(type, true);
}

bool
guess_die_pointee(const Dwarf_Die *type, Dwarf_Die *to)
{
	Dwarf_Die at = *type;

	peel(&at, true);
	if (dwarf_tag(&at) != DW_TAG_pointer_type)
		return false;
	if (!guess_die_type(&at, to))
		*to = (Dwarf_Die){ 0 };
	return true;
}

bool
guess_die_is_class(const Dwarf_Die *die)
{
	Dwarf_Die at = *die;

	switch (dwarf_tag(&at)) {
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
		return true;
	default:
		return false;
	}
}

uint64_t
guess_die_size(const Dwarf_Die *type)
{
	Dwarf_Die at = *type, of;
	uint64_t count = 1, n;
	Dwarf_Word size = 0;
	int i;

	peel(&at, true);
	for (i = 0; i < GUESS_PEEL && dwarf_tag(&at) == DW_TAG_array_type;
	     i++) {
		n = dies_array_count(&at);
		if (__builtin_mul_overflow(count, n, &count) ||
		    !guess_die_type(&at, &of))
			return 0;
		at = of;
		peel(&at, true);
	}
	if (dwarf_hasattr(&at, DW_AT_declaration) ||
	    dwarf_aggregate_size(&at, &size) != 0 ||
	    __builtin_mul_overflow(count, (uint64_t)size, &count))
		return 0;
	return count;
}

/* ------------------------------------------------------------ functions -- */

const char *
guess_die_function(const Dwarf_Die *die)
{
	Dwarf_Die at = *die;
	Dwarf_Attribute a;

	return dwarf_attr_integrate(&at, DW_AT_name, &a) ? dwarf_formstring(&a)
							 : NULL;
}

const char *
guess_die_linkage(const Dwarf_Die *die)
{
	Dwarf_Die at = *die;
	Dwarf_Attribute a;

	if (dwarf_attr_integrate(&at, DW_AT_linkage_name, &a) ||
	    dwarf_attr_integrate(&at, DW_AT_MIPS_linkage_name, &a))
		return dwarf_formstring(&a);
	return NULL;
}

bool
guess_die_argument(const Dwarf_Die *die, unsigned n, Dwarf_Die *type)
{
	Dwarf_Die at = symbols_unit_follow(die, DW_AT_abstract_origin), child;
	const void *last = NULL;
	unsigned count = 0, i = 0;
	int more;

	/* A wrong DW_AT_sibling could lead back. */
	for (more = dwarf_child(&at, &child);
	     more == 0 && count++ < CHILDREN && child.addr > last;
	     more = dwarf_siblingof(&child, &child)) {
		last = child.addr;
		if (dwarf_tag(&child) == DW_TAG_template_type_parameter &&
		    i++ == n)
			return guess_die_type(&child, type);
	}
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
	Dwarf_Die at = { 0 }, child, best;
	const void *last;
	unsigned depth, count = 0;
	int more;

	if (!dwarf_cu_die(die->cu, &at, NULL, NULL, NULL, NULL, NULL, NULL))
		return false;
	for (depth = 0; depth < OUTERS; depth++) {
		last = NULL;
		best = at;
		for (more = dwarf_child(&at, &child);
		     more == 0 && count++ < CHILDREN && child.addr > last &&
		     child.addr <= die->addr;
		     more = dwarf_siblingof(&child, &child)) {
			last = child.addr;
			best = child;
		}
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
	struct symbols_units *units = c->place->units;
	struct symbols_unit *unit;
	Dwarf_Die decl;

	decl = symbols_unit_follow(die, DW_AT_abstract_origin);
	decl = symbols_unit_follow(&decl, DW_AT_specification);
	unit = symbols_units_of(units, &decl);
	if (!unit)
		return within_by_walk(&decl, outer);
	if (!symbols_units_within(units, unit, &decl, outer))
		return false;
	if (guess_die_is_class(outer))
		follow_signature(outer);
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

static const char *
own_name(const Dwarf_Die *die)
{
	Dwarf_Die at = *die;
	const char *name = dwarf_diename(&at);

	/* gcc calls an unnamed one "typedef t t" for its typedef t. */
	return name && *name && strncmp(name, "typedef ", 8) != 0 ? name : NULL;
}

/* The call operator of a lambda is all that is in its class. */
static bool
is_lambda(const Dwarf_Die *die)
{
	Dwarf_Die at = *die, child;
	const void *last = NULL;
	const char *name;
	unsigned count = 0;
	int more;

	for (more = dwarf_child(&at, &child);
	     more == 0 && count++ < CHILDREN && child.addr > last;
	     more = dwarf_siblingof(&child, &child)) {
		last = child.addr;
		name = dwarf_diename(&child);
		if (dwarf_tag(&child) == DW_TAG_subprogram && name &&
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
		name = own_name(&outer[n]);
		if (!name && dwarf_tag(&outer[n]) == DW_TAG_namespace)
			name = "(anonymous namespace)";
		else if (!name)
			name = is_lambda(&outer[n]) ? "{lambda}" : "<unnamed>";
		put(t, name);
		put(t, "::");
	}
}

static void
put_named(struct text *t, const Dwarf_Die *die, const char *word)
{
	const char *name = own_name(die);

	if (!name && t->cxx && guess_die_is_class(die) && is_lambda(die)) {
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
	Dwarf_Die at = *die, child, type;
	const void *last = NULL;
	const char *comma = "";
	unsigned count = 0;
	int more;

	put_type(t, guess_die_type(&at, &type) ? &type : NULL, depth + 1);
	put(t, t->cxx && !*middle ? "" : " ");
	put(t, middle);
	put(t, "(");
	for (more = dwarf_child(&at, &child);
	     more == 0 && count++ < CHILDREN && !t->bad && child.addr > last;
	     more = dwarf_siblingof(&child, &child)) {
		last = child.addr;
		if (dwarf_tag(&child) == DW_TAG_formal_parameter &&
		    guess_die_type(&child, &type)) {
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
	bool there = guess_die_type(die, &of);
	char middle[8];

	if (there && dwarf_tag(&of) == DW_TAG_subroutine_type) {
		snprintf(middle, sizeof middle, "(%s)", mark);
		put_function(t, &of, middle, depth);
		return;
	}
	put_type(t, there ? &of : NULL, depth + 1);
	if (!t->cxx && !(there && guess_die_pointee(&of, &to) &&
			 dwarf_tag(&of) == DW_TAG_pointer_type))
		put(t, " ");
	put(t, mark);
}

static void
put_qualified(struct text *t, Dwarf_Die *die, const char *word, int depth)
{
	Dwarf_Die of;
	bool there = guess_die_type(die, &of);

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

	put_type(t, guess_die_type(die, &of) ? &of : NULL, depth + 1);
	if (n)
		snprintf(count, sizeof count, "[%llu]", (unsigned long long)n);
	put(t, count);
}

/* In C++ it's the type that counts, unless that has no name. */
static void
put_typedef(struct text *t, const Dwarf_Die *die, int depth)
{
	Dwarf_Die of = *die;

	peel(&of, true);
	if (t->cxx && (!guess_die_is_class(&of) || own_name(&of)) &&
	    dwarf_tag(&of) != DW_TAG_typedef)
		put_type(t, &of, depth + 1);
	else
		put_named(t, die, "");
}

static void
put_type(struct text *t, const Dwarf_Die *type, int depth)
{
	Dwarf_Die at;

	if (!type || depth >= GUESS_PEEL) {
		put(t, "void");
		t->bad |= depth >= GUESS_PEEL;
		return;
	}
	at = *type;
	follow_signature(&at);
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

static bool
is_cxx(const Dwarf_Die *die)
{
	Dwarf_Die unit;

	return dwarf_cu_die(die->cu, &unit, NULL, NULL, NULL, NULL, NULL,
			    NULL) &&
	       dies_scoped(&unit);
}

const char *
guess_die_name(const struct guess_call *c, const Dwarf_Die *type)
{
	struct text t = { .c = c, .cxx = is_cxx(type) };
	struct arena a = { 0 };
	const char *name;
	Dwarf_Die at = *type;

	guess_die_unqualify(&at);
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
