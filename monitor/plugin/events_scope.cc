/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which functions and loops events are restricted to, by --only and --loop.  A
 * function is where it is compiled and wherever it is inlined.
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
	return scope.has_function(name + (*name == '*')) ||
	       scope.has_function(lang_hooks.decl_printable_name(decl, 1)) ||
	       (DECL_NAME(decl) &&
		scope.has_function(IDENTIFIER_POINTER(DECL_NAME(decl))));
}

/* Is it in the text of a function that is asked for? */
static bool
is_inlined(location_t where)
{
	tree block = LOCATION_BLOCK(where);

	for (; block && TREE_CODE(block) == BLOCK;
	     block = BLOCK_SUPERCONTEXT(block))
		if (inlined_function_outer_scope_p(block) &&
		    is_named(block_ultimate_origin(block)))
			return true;
	return false;
}

/* The function, and which of its loops; wants to know the loops. */
void
events_find_scope(events_function *f)
{
	class loop *l;

	f->whole = scope.is_all() || is_named(f->fun->decl) ||
		   is_named(DECL_ABSTRACT_ORIGIN(f->fun->decl));
	f->chosen.assign(number_of_loops(f->fun), false);
	for (unsigned i = 1; !f->whole && i < number_of_loops(f->fun); i++) {
		expanded_location x;

		l = get_loop(f->fun, i);
		if (l == NULL)
			continue;
		x = expand_location(events_loop_location(l));
		f->chosen[i] = x.file && scope.has_loop(x.file, x.line);
	}
}

bool
events_loop_in_scope(const events_function *f, class loop *loop)
{
	if (f->whole)
		return true;
	if (is_inlined(events_loop_location(loop)))
		return true;
	for (; loop && loop_outer(loop); loop = loop_outer(loop))
		if (f->chosen[loop->num])
			return true;
	return false;
}

/* Is a statement asked for? */
bool
events_in_scope(const events_function *f, basic_block bb, location_t where)
{
	class loop *l = bb->loop_father;

	if (f->whole)
		return true;
	for (; l && loop_outer(l); l = loop_outer(l))
		if (f->chosen[l->num])
			return true;
	return is_inlined(where);
}
