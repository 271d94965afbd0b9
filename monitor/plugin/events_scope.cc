/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The functions and loops that --only and --loop restrict events to.  A
 * function counts in its own code and in each copy that was inlined.
 */
#include "monitor/plugin/gcc.h"
#include "monitor/plugin/events.h"

events_scope scope;

static bool
is_named(tree decl)
{
	const char *name;

	if (decl == NULL || TREE_CODE(decl) != FUNCTION_DECL)
		return false;
	name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(decl));
	return (DECL_NAME(decl) &&
		scope.has_function(IDENTIFIER_POINTER(DECL_NAME(decl)))) ||
	       scope.has_function(lang_hooks.decl_printable_name(decl, 1)) ||
	       scope.has_function(name + (*name == '*'));
}

/* Is it in the text of a function that was asked for? */
static bool
is_inlined(tree scope)
{
	bool is = false;

	for (; scope; scope = events_inlined_in(scope))
		is |= is_named(block_ultimate_origin(scope));
	return is;
}

static bool
has_loop(location_t where)
{
	expanded_location x = expand_location(where);

	return x.file && scope.has_loop(x.file, x.line);
}

/* Was the loop asked for, by its line or by that of an inlined call? */
static bool
is_chosen(class loop *loop)
{
	tree in;
	bool is = has_loop(events_loop_location(loop, &in));

	for (; in; in = events_inlined_in(in))
		is |= has_loop(BLOCK_SOURCE_LOCATION(in));
	return is;
}

/* Finds whether the function, or which of its loops, were asked for.  Needs
 * gcc's loops. */
void
events_find_scope(events_function *f)
{
	f->whole = scope.is_all();
	f->chosen.assign(number_of_loops(f->fun), false);
	if (f->whole)
		return;
	f->whole |= is_named(f->fun->decl);
	f->whole |= is_named(DECL_ABSTRACT_ORIGIN(f->fun->decl));
	for (unsigned i = 1; i < number_of_loops(f->fun); i++)
		if (get_loop(f->fun, i))
			f->chosen[i] = is_chosen(get_loop(f->fun, i));
}

bool
events_loop_in_scope(const events_function *f, class loop *loop)
{
	tree in;

	if (f->whole)
		return true;
	events_loop_location(loop, &in);
	if (is_inlined(in))
		return true;
	for (; loop && loop_outer(loop); loop = loop_outer(loop))
		if (f->chosen[loop->num])
			return true;
	return false;
}

/* Was a statement asked for? */
bool
events_in_scope(const events_function *f, basic_block bb, location_t where)
{
	class loop *l = bb->loop_father;

	if (f->whole)
		return true;
	for (; l && loop_outer(l); l = loop_outer(l))
		if (f->chosen[l->num])
			return true;
	return is_inlined(events_written_in(where));
}
