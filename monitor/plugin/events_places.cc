/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The places that events come from, and what a file writes about them at its
 * end: the list, and the data that the code of its blocks needs.
 */
#include "monitor/plugin/gcc.h"
#include "monitor/plugin/events.h"

static events_list list;

/* The variable through which code reads *first; only the assembler sees its
 * name. */
tree
events_first(void)
{
	tree decl = shared[SHARED_EVENTS_FIRST];

	if (decl)
		return decl;
	decl = build_decl(UNKNOWN_LOCATION, VAR_DECL,
			  get_identifier(".LMEMMON_E0"), uint32_type_node);
	SET_DECL_ASSEMBLER_NAME(decl, get_identifier("*.LMEMMON_E0"));
	DECL_EXTERNAL(decl) = 1;
	TREE_PUBLIC(decl) = 1;
	TREE_READONLY(decl) = 1;
	DECL_VISIBILITY(decl) = VISIBILITY_HIDDEN;
	DECL_VISIBILITY_SPECIFIED(decl) = 1;
	DECL_ARTIFICIAL(decl) = 1;
	DECL_IGNORED_P(decl) = 1;
	shared[SHARED_EVENTS_FIRST] = decl;
	return decl;
}

/* ---------------------------------------------------------------- names -- */

static std::string
type_name(tree type)
{
	std::string s;

	if (POINTER_TYPE_P(type)) {
		s = type_name(TREE_TYPE(type));
		if (s.empty() || s == "-")
			return "-";
		return s + (s.back() == '*' ? "*" : " *");
	}
	type = TYPE_MAIN_VARIANT(type);
	if (TREE_CODE(type) == ARRAY_TYPE) {
		s = type_name(TREE_TYPE(type));
		return s.empty() || s == "-" ? "-" : s + "[]";
	}
	if (TYPE_NAME(type) && TREE_CODE(TYPE_NAME(type)) == TYPE_DECL &&
	    DECL_NAME(TYPE_NAME(type)))
		return IDENTIFIER_POINTER(DECL_NAME(TYPE_NAME(type)));
	if (TYPE_NAME(type) && TREE_CODE(TYPE_NAME(type)) == IDENTIFIER_NODE)
		return IDENTIFIER_POINTER(TYPE_NAME(type));
	return s;
}

/* A variable, or a type and members of it: "table[].next". */
static std::string
path(tree ref)
{
	switch (TREE_CODE(ref)) {
	case COMPONENT_REF:
		if (DECL_NAME(TREE_OPERAND(ref, 1)))
			return path(TREE_OPERAND(ref, 0)) + "." +
			       IDENTIFIER_POINTER(
				       DECL_NAME(TREE_OPERAND(ref, 1)));
		return path(TREE_OPERAND(ref, 0));
	case ARRAY_REF:
	case ARRAY_RANGE_REF:
		/* A pointer leads to the array: its type names it. */
		if (TREE_CODE(TREE_OPERAND(ref, 0)) == MEM_REF &&
		    TREE_CODE(TREE_OPERAND(TREE_OPERAND(ref, 0), 0)) !=
			    ADDR_EXPR)
			return type_name(TREE_TYPE(TREE_OPERAND(ref, 0)));
		return path(TREE_OPERAND(ref, 0)) + "[]";
	case REALPART_EXPR:
	case IMAGPART_EXPR:
	case BIT_FIELD_REF:
	case VIEW_CONVERT_EXPR:
	case WITH_SIZE_EXPR:
		return path(TREE_OPERAND(ref, 0));
	case MEM_REF:
	case TARGET_MEM_REF:
		if (TREE_CODE(TREE_OPERAND(ref, 0)) == ADDR_EXPR)
			return path(TREE_OPERAND(TREE_OPERAND(ref, 0), 0));
		return type_name(TREE_TYPE(ref));
	default:
		if (DECL_P(ref) && DECL_NAME(ref))
			return IDENTIFIER_POINTER(DECL_NAME(ref));
		return type_name(TREE_TYPE(ref));
	}
}

static unsigned
type_flags(tree type)
{
	if (POINTER_TYPE_P(type))
		return MEMMON_PLACE_POINTER;
	if (SCALAR_FLOAT_TYPE_P(type))
		return MEMMON_PLACE_FLOAT;
	return INTEGRAL_TYPE_P(type) && !TYPE_UNSIGNED(type)
		       ? MEMMON_PLACE_SIGNED
		       : 0;
}

/* --------------------------------------------------------------- places -- */

static void
set_position(events_position *at, location_t where)
{
	expanded_location x = expand_location(where);

	if (x.file == NULL || LOCATION_LOCUS(where) <= BUILTINS_LOCATION)
		return;
	at->file = x.file;
	at->line = x.line;
	at->column = MAX(x.column, 0);
}

unsigned
events_place_of_function(function *fun)
{
	const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(fun->decl));
	events_position at = {};

	at.kind = MEMMON_EVENT_ENTRY;
	at.function = at.loop = MEMMON_NO_PLACE;
	at.name = name + (*name == '*');
	set_position(&at, DECL_SOURCE_LOCATION(fun->decl));
	return list.place(at);
}

/* The inlined function whose text contains the block; or NULL. */
static tree
inlined(tree block)
{
	for (; block && TREE_CODE(block) == BLOCK;
	     block = BLOCK_SUPERCONTEXT(block))
		if (inlined_function_outer_scope_p(block))
			return block;
	return NULL_TREE;
}

tree
events_inlined_in(tree inner)
{
	return inlined(BLOCK_SUPERCONTEXT(inner));
}

tree
events_written_in(location_t where)
{
	return inlined(LOCATION_BLOCK(where));
}

/* The innermost block that contains both. */
static tree
common(tree a, tree b)
{
	for (; a; a = events_inlined_in(a))
		for (tree c = b; c; c = events_inlined_in(c))
			if (a == c)
				return a;
	return NULL_TREE;
}

/* The location in `scope': there, the call of the inlined function. */
static location_t
seen_from(location_t where, tree scope)
{
	tree b = events_written_in(where);

	for (; b && b != scope; b = events_inlined_in(b))
		where = BLOCK_SOURCE_LOCATION(b);
	return where;
}

static bool
is_before(location_t a, location_t b)
{
	expanded_location x = expand_location(a), y = expand_location(b);

	if (x.file == NULL || y.file == NULL)
		return y.file == NULL && x.file != NULL;
	return strcmp(x.file, y.file) == 0 &&
	       (x.line < y.line || (x.line == y.line && x.column < y.column));
}

/* Locations of the loop's statements, beginning with the one that ends it. */
static void
find_locations(class loop *loop, vec<location_t> *all)
{
	basic_block *body = get_loop_body_in_dom_order(loop);
	gimple *last = last_stmt(loop->header);
	gcond *way = get_loop_exit_condition(loop);

	if (way && gimple_has_location(way))
		all->safe_push(gimple_location(way));
	else if (last && gimple_has_location(last))
		all->safe_push(gimple_location(last));
	for (unsigned i = 0; i < loop->num_nodes; i++)
		for (gimple_stmt_iterator gsi = gsi_start_bb(body[i]);
		     !gsi_end_p(gsi); gsi_next(&gsi)) {
			location_t at = gimple_location(gsi_stmt(gsi));

			if (!is_gimple_debug(gsi_stmt(gsi)) &&
			    LOCATION_LOCUS(at) > BUILTINS_LOCATION)
				all->safe_push(at);
		}
	free(body);
}

/*
 * The first line of a loop in the function that it is written in, which is the
 * innermost function that contains all of it. *scope: the function's block if
 * it was inlined.
 */
location_t
events_loop_location(class loop *loop, tree *scope)
{
	auto_vec<location_t> all;
	location_t best = UNKNOWN_LOCATION;
	bool some = false;
	unsigned i;
	location_t at;

	*scope = NULL_TREE;
	find_locations(loop, &all);
	FOR_EACH_VEC_ELT(all, i, at)
	if (LOCATION_BLOCK(at)) {
		tree block = events_written_in(at);

		*scope = some ? common(*scope, block) : block;
		some = true;
	}
	FOR_EACH_VEC_ELT(all, i, at)
	{
		at = seen_from(at, *scope);
		if (i == 0 || is_before(at, best))
			best = at;
	}
	return best;
}

unsigned
events_place_of_loop(const events_function *f, class loop *loop, unsigned outer)
{
	events_position at = {};
	tree scope;

	at.kind = MEMMON_EVENT_LOOP;
	at.function = f->place;
	at.loop = outer;
	set_position(&at, DECL_SOURCE_LOCATION(f->fun->decl));
	set_position(&at, events_loop_location(loop, &scope));
	return list.place(at);
}

/* The place of an access, or of a type. */
unsigned
events_place(const events_function *f, unsigned kind, basic_block bb,
	     location_t where, tree what, unsigned HOST_WIDE_INT size)
{
	events_position at = {};

	at.kind = kind;
	at.function = f->place;
	at.loop = f->loops[bb->loop_father->num];
	at.size = size;
	at.name = TYPE_P(what) ? type_name(what) : path(what);
	if (at.name == "void") /* bytes without a type, as in memcpy() */
		at.name = "-";
	at.flags = type_flags(TYPE_P(what) ? what : TREE_TYPE(what));
	set_position(&at, DECL_SOURCE_LOCATION(f->fun->decl));
	set_position(&at, where);
	return list.place(at);
}

unsigned
events_block_number(const events_block *b)
{
	return list.block(b->steps, b->words.size());
}

/* ------------------------------------------------------------- variables -- */

/* The name for the assembler; "": no name that is known in all of the unit. */
static std::string
symbol(tree decl)
{
	varpool_node *node;
	const char *s;

	if (!VAR_P(decl) || !is_global_var(decl) || DECL_THREAD_LOCAL_P(decl) ||
	    DECL_HARD_REGISTER(decl))
		return "";
	node = varpool_node::get(decl);
	if (node == NULL || (node->get_comdat_group() && !TREE_PUBLIC(decl)))
		return "";
	s = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(decl));
	s += *s == '*';
	/* A constant's label may have vanished when the list is written. */
	if (!strncmp(s, ".L", 2))
		return "";
	for (const char *p = s; *p; p++)
		if (!ISALNUM(*p) && *p != '_' && *p != '.' && *p != '$')
			return "";
	return s;
}

/* Is the address always the same?  The list's array contains it then. */
bool
events_fixed(const deref *at, int32_t *address)
{
	std::string s;

	if (at->var || at->index || at->index2 || !DECL_P(at->root))
		return false;
	s = symbol(at->root);
	if (s.empty())
		return false;
	/* Keep it even if nothing else needs it. */
	if (!DECL_EXTERNAL(at->root))
		varpool_node::get(at->root)->force_output = 1;
	if (at->off)
		s += (at->off < 0 ? "" : "+") + std::to_string(at->off);
	*address = list.address(s);
	return true;
}

/* The file's variables; called when all code is there. */
static void
add_variables(void)
{
	varpool_node *node;

	FOR_EACH_DEFINED_VARIABLE(node)
	{
		tree decl = node->decl, size = DECL_SIZE_UNIT(decl);
		std::string s = symbol(decl);
		events_position at = {};

		if (s.empty() || DECL_EXTERNAL(decl) || DECL_ARTIFICIAL(decl) ||
		    !TREE_ASM_WRITTEN(decl) || !size || !tree_fits_uhwi_p(size))
			continue;
		at.kind = MEMMON_EVENT_GLOBAL;
		at.function = at.loop = MEMMON_NO_PLACE;
		at.name = DECL_NAME(decl) ? IDENTIFIER_POINTER(DECL_NAME(decl))
					  : s;
		at.size = tree_to_uhwi(size);
		set_position(&at, DECL_SOURCE_LOCATION(decl));
		list.start(list.place(at), list.address(s));
	}
}

/* ----------------------------------------------------------------- unit -- */

void
events_finish_unit(void)
{
	FILE *f = asm_out_file;

	if (f == NULL)
		return;
	if (wanted.has(MEMMON_EVENT_GLOBAL))
		add_variables();
	if (wanted.all())
		list.restricted(scope);
	if (list.empty())
		return;
	fputs(EVENTS_ROOM_TEXT, f);
	fputs(list.text(wanted.all(), main_input_filename, events_modules())
		      .c_str(),
	      f);
	list = events_list();
}
