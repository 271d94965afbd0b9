/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Write types as text. */
#include <dwarf.h>
#include <stdio.h>
#include <string.h>

#include "reduce/dwarf/dies.h"

/* The most children of an entry that are looked at. */
#define CHILDREN 100000

void
dies_put(struct dies_text *t, const char *s)
{
	size_t n = strlen(s);

	if (t->bad || n >= sizeof t->s - t->n) {
		t->bad = true;
		return;
	}
	memcpy(t->s + t->n, s, n + 1);
	t->n += n;
}

bool
dies_is_lambda(const Dwarf_Die *die)
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

/* word: what C writes before a name of that kind, "struct ". */
static void
put_named(struct dies_text *t, const Dwarf_Die *die, const char *word,
	  int depth)
{
	const char *name = dies_type_name(die);

	(void)depth;
	if (!name && !t->scopes) {
		dies_put(t, *word ? word : "?");
		dies_put(t, *word ? "{...}" : "");
	} else if (!name && t->cxx && dies_is_class(die) &&
		   dies_is_lambda(die)) {
		dies_put(t, "{lambda}");
	} else if (!name) {
		t->bad = true;
	} else {
		if (!t->cxx)
			dies_put(t, word);
		else if (t->scopes)
			t->scopes(t, die);
		dies_put(t, name);
	}
}

static void put_type(struct dies_text *t, const Dwarf_Die *type, int depth);

/* Write the type that DW_AT_type of the entry refers to. */
static void
put_type_of(struct dies_text *t, const Dwarf_Die *die, int depth)
{
	Dwarf_Die of;

	put_type(t, dies_type(die, &of) ? &of : NULL, depth + 1);
}

static void
put_function(struct dies_text *t, const Dwarf_Die *die, const char *middle,
	     int depth)
{
	const char *comma = "";
	unsigned left = CHILDREN;
	struct dies_child c;
	Dwarf_Die type;
	bool more;

	put_type_of(t, die, depth);
	dies_put(t, t->cxx && !*middle ? "" : " ");
	dies_put(t, middle);
	dies_put(t, "(");
	if (!t->scopes) {
		dies_put(t, ")");
		return;
	}
	for (more = dies_child(&c, die, &left); more && !t->bad;
	     more = dies_next(&c)) {
		if (dwarf_tag(&c.die) == DW_TAG_formal_parameter &&
		    dies_type(&c.die, &type)) {
			dies_put(t, comma);
			put_type(t, &type, depth + 1);
			comma = ", ";
		}
	}
	dies_put(t, *comma || t->cxx ? ")" : "void)");
}

/* mark: "*", "&" ..., written behind the type that is pointed to. */
static void
put_pointer(struct dies_text *t, const Dwarf_Die *die, const char *mark,
	    int depth)
{
	char longer[DIES_PEEL + 8];
	Dwarf_Die of;
	int tag = dies_type(die, &of) ? dwarf_tag(&of) : 0;

	if (tag == DW_TAG_subroutine_type) {
		snprintf(longer, sizeof longer, "(%s)", mark);
		put_function(t, &of, longer, depth);
	} else if (tag == DW_TAG_pointer_type && strlen(mark) < DIES_PEEL) {
		snprintf(longer, sizeof longer, "*%s", mark);
		put_pointer(t, &of, longer, depth + 1);
	} else {
		put_type_of(t, die, depth);
		dies_put(t, t->scopes && t->cxx ? "" : " ");
		dies_put(t, mark);
	}
}

/* word: "const" ...; it is written behind a pointer, but before other types. */
static void
put_qualified(struct dies_text *t, const Dwarf_Die *die, const char *word,
	      int depth)
{
	Dwarf_Die of;
	bool behind =
		dies_type(die, &of) && dwarf_tag(&of) == DW_TAG_pointer_type;

	if (behind)
		put_type(t, &of, depth + 1);
	dies_put(t, behind ? " " : word);
	dies_put(t, behind ? word : " ");
	if (!behind)
		put_type_of(t, die, depth);
}

static void
put_array(struct dies_text *t, const Dwarf_Die *die, const char *word,
	  int depth)
{
	Dwarf_Die array = *die;
	uint64_t n = dies_array_count(&array);
	char count[32];

	put_type_of(t, die, depth);
	snprintf(count, sizeof count, "[%llu]", (unsigned long long)n);
	dies_put(t, n ? count : word);
}

/*
 * In C++ in full, write the type instead of the typedef, unless the type has no
 * name.
 */
static void
put_typedef(struct dies_text *t, const Dwarf_Die *die, const char *word,
	    int depth)
{
	Dwarf_Die of = *die;

	dies_peel(&of);
	if (t->scopes && t->cxx &&
	    (!dies_is_class(&of) || dies_type_name(&of)) &&
	    dwarf_tag(&of) != DW_TAG_typedef)
		put_type(t, &of, depth + 1);
	else
		put_named(t, die, word, depth);
}

/* How a kind of type is written: put() gets the word. */
static const struct {
	int tag;
	void (*put)(struct dies_text *t, const Dwarf_Die *die, const char *word,
		    int depth);
	const char *word;
} kinds[] = {
	{ DW_TAG_pointer_type, put_pointer, "*" },
	{ DW_TAG_reference_type, put_pointer, "&" },
	{ DW_TAG_rvalue_reference_type, put_pointer, "&&" },
	{ DW_TAG_ptr_to_member_type, put_pointer, "::*" },
	{ DW_TAG_const_type, put_qualified, "const" },
	{ DW_TAG_volatile_type, put_qualified, "volatile" },
	{ DW_TAG_restrict_type, put_qualified, "restrict" },
	{ DW_TAG_atomic_type, put_qualified, "_Atomic" },
	{ DW_TAG_array_type, put_array, "[]" },
	{ DW_TAG_subroutine_type, put_function, "" },
	{ DW_TAG_typedef, put_typedef, "" },
	{ DW_TAG_structure_type, put_named, "struct " },
	{ DW_TAG_class_type, put_named, "class " },
	{ DW_TAG_union_type, put_named, "union " },
	{ DW_TAG_enumeration_type, put_named, "enum " },
	{ 0, put_named, "" }, /* any other */
};

static void
put_type(struct dies_text *t, const Dwarf_Die *type, int depth)
{
	Dwarf_Die at;
	size_t i = 0;
	int tag;

	if (!type || depth >= DIES_PEEL) {
		dies_put(t, type && !t->scopes ? "?" : "void");
		t->bad |= type && t->scopes;
		return;
	}
	at = *type;
	dies_define(&at);
	tag = dwarf_tag(&at);
	while (kinds[i].tag && kinds[i].tag != tag)
		i++;
	kinds[i].put(t, &at, kinds[i].word, depth);
}

void
dies_put_type(struct dies_text *t, const Dwarf_Die *type)
{
	Dwarf_Die unit;

	t->cxx = dies_unit(type, &unit) && dies_scoped(&unit);
	t->bad = false;
	t->n = 0;
	t->s[0] = '\0';
	put_type(t, type, 0);
}

const char *
dies_type_text(struct arena *a, const Dwarf_Die *type)
{
	struct dies_text t;

	t.scopes = NULL;
	dies_put_type(&t, type);
	return t.bad ? "?" : arena_copy(a, t.s, t.n);
}
