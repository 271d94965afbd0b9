/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Types of the results of calls, in C++: found by the functions around the
 * call, whose template arguments say what they allocate.
 */
#include "reduce/infer/cxx_call.h"
#include "reduce/base/str.h"
#include "reduce/dwarf/dies.h"
#include "reduce/symbols/symbols_name.h"
#include "reduce/infer/die.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

/* Is it a function of the C++ library? */
static bool
is_library(const struct guess_call *c, const Dwarf_Die *die)
{
	static const char *const prefixes[] = {
		"_ZNSt", "_ZNKSt", "_ZSt",	    "_ZNSa",	      "_ZNKSa",
		"_ZNSs", "_ZNKSs", "_ZN9__gnu_cxx", "_ZNK9__gnu_cxx",
	};
	const char *linkage = dies_linkage(die), *name;
	Dwarf_Die outer, at = *die;
	size_t i;

	if (STR_PREFIX(linkage, prefixes))
		return true;
	/* Functions with local types have no linker name. */
	for (i = 0; !linkage && i < DIES_PEEL; i++) {
		if (!guess_die_within(c, &at, &outer))
			break;
		at = outer;
	}
	if (linkage || !i)
		return false;
	name = dwarf_tag(&at) == DW_TAG_namespace ? dwarf_diename(&at) : NULL;
	return name && (!strcmp(name, "std") || !strcmp(name, "__gnu_cxx"));
}

/*
 * The name of the class that the function is a member of; *class gets its
 * entry.
 */
static const char *
cxx_call_class_of(const struct guess_call *c, const Dwarf_Die *die,
		  Dwarf_Die *class)
{
	const char *name;

	if (!guess_die_within(c, die, class) || !dies_is_class(class))
		return NULL;
	name = dwarf_diename(class);
	return name ? name : "";
}

static bool
is_operator_new(const Dwarf_Die *die)
{
	const char *name = dies_name(die);

	return str_starts(name, "operator new");
}

/*
 * Find the type that the function returns a pointer to.  False if it is void.
 */
static bool
returned(const Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Die pointer;

	return dies_type(die, &pointer) && dies_pointee(&pointer, type) &&
	       type->addr;
}

/*
 * Is it X<T>::allocate() of a class template that returns a T *, or a function
 * of the library that gets the allocator?  *type gets T.
 */
static bool
by_allocate(const struct guess_call *c, const Dwarf_Die *die, Dwarf_Die *type)
{
	const char *class, *a, *b;
	Dwarf_Die in, of;

	class = cxx_call_class_of(c, die, &in);
	if (!class || !guess_die_argument(&in, 0, &of))
		return false;
	if (!returned(die, type)) {
		*type = of;
		return str_starts(class, "__new_allocator<") ||
		       str_starts(class, "new_allocator<") ||
		       str_starts(class, "allocator<");
	}
	if (str_starts(class, "allocator_traits<") ||
	    str_starts(class, "__alloc_traits<"))
		return true;
	a = guess_die_name(c, type);
	b = guess_die_name(c, &of);
	return a && a == b;
}

/* Does the function allocate objects of a type?  *type gets the type. */
static bool
cxx_call_allocates(const struct guess_call *c, const Dwarf_Die *die,
		   Dwarf_Die *type)
{
	static const char *const templates[] = { "make_unique<",
						 "make_unique_for_overwrite<",
						 "get_temporary_buffer<",
						 "__get_temporary_buffer<" };
	static const char *const managers[] = { "_M_create", "_S_create",
						"_M_clone", "_M_init_functor" };
	const char *name = dies_name(die), *class;
	Dwarf_Die in;

	if (!name)
		return false;
	if (strcmp(name, "allocate") == 0 ||
	    strcmp(name, "allocate_at_least") == 0)
		return by_allocate(c, die, type);
	if (!is_library(c, die))
		return false;
	if (STR_PREFIX(name, templates))
		return guess_die_argument(die, 0, type);
	if (!STR_PREFIX(name, managers))
		return false;
	/* std::function and std::any */
	class = cxx_call_class_of(c, die, &in);
	return (str_starts(class, "_Base_manager<") ||
		str_starts(class, "_Manager_external<")) &&
	       guess_die_argument(&in, 0, type);
}

/* Does it only return memory that another function of the library allocated? */
static bool
is_resource(const struct guess_call *c, const Dwarf_Die *die)
{
	const char *name = dies_name(die), *class;
	Dwarf_Die in;

	if (!name || (strcmp(name, "allocate") && strcmp(name, "do_allocate")))
		return false;
	class = cxx_call_class_of(c, die, &in);
	return class && is_library(c, die) && strstr(class, "_resource");
}

static const char *
cxx_call_intern(const struct guess_call *c, const char *name)
{
	return name ? symbols_pool_intern(c->pool, name, strlen(name)) : NULL;
}

enum guess_answer
guess_cxx_found(const struct guess_call *c, const char *name, uint64_t size,
		enum profile_confidence confidence, struct guess_type *t)
{
	struct arena a = { 0 };
	bool open = false;

	*t = (struct guess_type){ .size = size, .confidence = confidence };
	t->element = cxx_call_intern(c, name);
	t->name =
		cxx_call_intern(c, t->element ? guess_std_type(&a, name, &open)
					      : NULL);
	t->open = open;
	arena_fini(&a);
	return t->name ? GUESS_FOUND : GUESS_UNKNOWN;
}

/* ------------------------------------------------------------ containers -- */

static void
ask_holder(const struct guess_call *c, const Dwarf_Die *die,
	   struct guess_type *t)
{
	const char *function = dies_name(die), *class, *better;
	struct arena a = { 0 };
	Dwarf_Die in;
	bool done = false;

	if (!is_library(c, die)) {
		t->open = false;
		return;
	}
	if (!cxx_call_class_of(c, die, &in))
		return;
	class = guess_die_name(c, &in);
	better =
		class ? guess_std_holder(&a, t->element, class, function, &done)
		      : NULL;
	better = cxx_call_intern(c, better);
	arena_fini(&a);
	if (better)
		t->name = better;
	t->open = !done;
}

/* Functions without debug information come last. */
void
guess_cxx_outer(const struct guess_call *c, struct guess_type *t)
{
	size_t i;

	for (i = 0; i < c->debug->n && t->open; i++)
		ask_holder(c, &c->debug->die[i], t);
}

/* -------------------------------------------------------------- the call -- */

enum guess_answer
guess_cxx_function(const struct guess_call *c, const char *function,
		   struct guess_type *t)
{
	enum guess_answer answer = GUESS_UNKNOWN;
	const char *type = NULL;
	struct arena a = { 0 };
	char *plain = NULL;

	if (function[0] == '_')
		plain = symbols_demangle(function);
	answer = guess_std_function(&a, plain ? plain : function, &type);
	free(plain);
	if (answer == GUESS_FOUND) {
		*t = (struct guess_type){ .confidence = PROFILE_ALLOCATOR };
		t->name = cxx_call_intern(c, type);
		if (!t->name)
			answer = GUESS_UNKNOWN;
		else if (strstr(type, "string chars"))
			t->size = 1;
	}
	arena_fini(&a);
	return answer;
}

static enum guess_answer
cxx_call_by_type(const struct guess_call *c, Dwarf_Die *type, size_t i,
		 struct guess_type *t)
{
	const char *name;
	Dwarf_Die of = *type;

	dies_peel(&of);
	/* make_unique<T[]> */
	if (dwarf_tag(&of) == DW_TAG_array_type && dies_type(&of, type))
		of = *type;
	name = guess_die_name(c, &of);
	if (!name || guess_cxx_found(c, name, dies_size(&of), PROFILE_ALLOCATOR,
				     t) != GUESS_FOUND)
		return GUESS_UNKNOWN;
	if (str_starts(dies_name(&c->debug->die[i]), "make_unique"))
		t->open = false;
	for (i++; i < c->debug->n && t->open; i++)
		ask_holder(c, &c->debug->die[i], t);
	return GUESS_FOUND;
}

/*
 * A member of std::string allocates only characters, even if the function that
 * it calls for this isn't visible.
 */
static enum guess_answer
by_string(const struct guess_call *c, const Dwarf_Die *die,
	  struct guess_type *t)
{
	const char *class, *name;
	struct arena a = { 0 };
	Dwarf_Die in, of;
	bool done;

	class = cxx_call_class_of(c, die, &in);
	if (!str_starts(class, "basic_string<") ||
	    !guess_die_argument(&in, 0, &of))
		return GUESS_UNKNOWN;
	name = guess_die_name(c, &of);
	class = guess_die_name(c, &in);
	*t = (struct guess_type){ .confidence = PROFILE_ALLOCATOR,
				  .size = dies_size(&of),
				  .element = name };
	if (name && class)
		t->name = cxx_call_intern(c, guess_std_holder(&a, name, class,
							      NULL, &done));
	arena_fini(&a);
	return t->name ? GUESS_FOUND : GUESS_UNKNOWN;
}

enum guess_answer
guess_cxx(const struct guess_call *c, struct guess_type *t)
{
	const struct symbols_debug *p = c->debug;
	Dwarf_Die type;
	size_t i;

	if (!p->n)
		return c->function ? guess_cxx_function(c, c->function, t)
				   : GUESS_UNKNOWN;
	for (i = 0; i < p->n; i++) {
		const Dwarf_Die *die = &p->die[i];

		if (is_operator_new(die) || is_resource(c, die))
			continue;
		if (cxx_call_allocates(c, die, &type))
			return cxx_call_by_type(c, &type, i, t);
		if (!is_library(c, die))
			break;
		if (by_string(c, die, t) == GUESS_FOUND)
			return GUESS_FOUND;
	}
	/* A function that replaces operator new. */
	if (i == p->n &&
	    (is_operator_new(&p->die[i - 1]) || is_resource(c, &p->die[i - 1])))
		return GUESS_PASS;
	return guess_cxx_new(c, t);
}
