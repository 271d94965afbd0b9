/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls of functions that are defined elsewhere, or by pointers, with pointers
 * among their arguments.  Only the linker or the loader knows whether the
 * accesses of such a function are recorded.  So this code precedes the call:
 *
 *	if (callee.unknown != 0)
 *		__memmon_handed(&callee, n, pointer, type, bytes, ...)
 *
 * The monitor then marks the blocks that the function gets as passed to
 * unrecorded code (monitor/access/handed.h): the block that a pointer points to
 * and, as far as its type tells, the blocks that this one's pointers point to.
 * A pointer to char or to numbers leads no further.  If a pointer is void *, or
 * its type is incomplete here, the monitor follows the first words of the
 * block.  A result that the function returns in memory is passed like an
 * argument.
 *
 * If all pointers come in registers, handing.cc does this in less code.
 *
 * Before a call by a pointer the code tests whether its target was met before:
 *
 *	if (targets[pointer & MASK] != pointer)
 *		__memmon_handed_target(pointer, n, pointer, type, bytes, ...)
 */
#include <map>
#include <string>
#include <vector>

#include "monitor/plugin/gcc.h"
#include "monitor/plugin/plugin.h"

/* -------------------------------------------------------------- callees -- */

static std::vector<std::string> callees;
static std::map<std::string, unsigned> callee_of;
static std::vector<std::string> defined;
static bool uses_targets;

/* The function's name for the assembler; "": none that can be used. */
static std::string
name_of(tree decl)
{
	const char *s = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(decl));

	s += *s == '*';
	for (const char *p = s; *p; p++)
		if (!ISALNUM(*p) && *p != '_' && *p != '.' && *p != '$')
			return "";
	return s;
}

/* The function's accesses are recorded. */
void
callees_defined(function *fun)
{
	cgraph_node *node = cgraph_node::get(fun->decl);
	ipa_ref *ref;

	if (TREE_PUBLIC(fun->decl))
		defined.push_back(name_of(fun->decl));
	if (node)
		FOR_EACH_ALIAS(node, ref)
	if (TREE_PUBLIC(ref->referring->decl))
		defined.push_back(name_of(ref->referring->decl));
}

/* A static object with a name that only the assembler sees. */
static tree
labelled(const char *kind, unsigned number, tree type)
{
	char name[32];
	tree decl;

	sprintf(name, "*.LMEMMON_%s%u", kind, number);
	decl = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier(name + 1),
			  type);
	SET_DECL_ASSEMBLER_NAME(decl, get_identifier(name));
	TREE_STATIC(decl) = 1;
	TREE_ADDRESSABLE(decl) = 1;
	TREE_USED(decl) = 1;
	DECL_ARTIFICIAL(decl) = 1;
	DECL_IGNORED_P(decl) = 1;
	return decl;
}

/*
 * Functions that gcc knows need no check: libmemmon-access replaces those that
 * access memory of their caller, and those of the CPU are instructions.
 * Functions of mathematics that write through a pointer do need the check.
 */
static bool
is_known(tree decl)
{
	if (DECL_IS_OPERATOR_NEW_P(decl) || DECL_IS_OPERATOR_DELETE_P(decl))
		return true;
	for (unsigned i = 0; i < BUILTINS_KNOWN; i++)
		if (builtins_real[i] == decl)
			return true;
	if (!fndecl_built_in_p(decl, BUILT_IN_NORMAL))
		return fndecl_built_in_p(decl);
	switch (DECL_FUNCTION_CODE(decl)) {
		CASE_FLT_FN(BUILT_IN_FREXP)
		    : CASE_FLT_FN(BUILT_IN_MODF)
		    : CASE_FLT_FN(BUILT_IN_SINCOS)
		    : CASE_FLT_FN(BUILT_IN_REMQUO)
		    : CASE_FLT_FN_REENT(BUILT_IN_LGAMMA)
		    : CASE_FLT_FN_REENT(BUILT_IN_GAMMA) : return false;
	default:
		return true;
	}
}

/* Is it a call of a function that is defined elsewhere, or may be? */
static bool
is_elsewhere(gimple *stmt)
{
	tree decl;
	cgraph_node *node;

	if (!is_gimple_call(stmt) || gimple_call_internal_p(stmt))
		return false;
	decl = gimple_call_fndecl(stmt);
	if (!decl)
		return true;
	if (is_known(decl) || !TREE_PUBLIC(decl))
		return false;
	node = cgraph_node::get(decl);
	return !(node && node->definition && !DECL_EXTERNAL(decl)) &&
	       !name_of(decl).empty();
}

/* ---------------------------------------------------------------- calls -- */

/* Bytes of a declared object from this address on; 0: it isn't one. */
static unsigned HOST_WIDE_INT
bytes_from(tree address)
{
	poly_int64 at;
	HOST_WIDE_INT off;
	tree base, size;

	if (TREE_CODE(address) != ADDR_EXPR)
		return 0;
	base = get_addr_base_and_unit_offset(TREE_OPERAND(address, 0), &at);
	if (!base || !DECL_P(base) || !at.is_constant(&off) || off < 0)
		return 0;
	size = DECL_SIZE_UNIT(base);
	return size && tree_fits_uhwi_p(size) &&
			       tree_to_uhwi(size) > (unsigned HOST_WIDE_INT)off
		       ? tree_to_uhwi(size) - off
		       : 0;
}

/* May the object contain pointers that its type doesn't show? */
static bool
is_opaque(tree target)
{
	return VOID_TYPE_P(target) ||
	       (RECORD_OR_UNION_TYPE_P(target) && !COMPLETE_TYPE_P(target));
}

/*
 * Notes an argument that is declared as a pointer to `target'; `one': to a
 * single object.  The type of the value itself may tell more.
 */
void
callees_note_pointer(tree value, tree target, bool one, vec<handed> *out)
{
	tree own = TREE_TYPE(TREE_TYPE(value));
	int type = pointee_of_type(target), other = pointee_of_type(own);
	unsigned HOST_WIDE_INT bytes = bytes_from(value);
	deref a;

	if (TREE_CODE(value) != SSA_NAME && TREE_CODE(value) != ADDR_EXPR)
		return;
	if (pointee_leads_on(other) &&
	    (!pointee_leads_on(type) ||
	     pointee_size(other) > pointee_size(type))) {
		type = other;
		one = false;
	} else if (is_opaque(target) && is_opaque(own)) {
		type = pointee_words();
		one = false;
		if (!bytes || bytes > POINTEE_WORDS * UNITS_PER_WORD)
			bytes = POINTEE_WORDS * UNITS_PER_WORD;
	}
	if (!pointee_leads_on(type) && !access_pointer(&a, value))
		return;
	if (one && type >= 0)
		bytes = pointee_size(type);
	out->safe_push(
		{ value, pointee_leads_on(type) ? type : -1, bytes, -1 });
}

#define MEMBERS_MAX 64 /* pointers of a call to follow */

/* Notes the pointers in a struct that is passed by value: it has no address. */
static void
note_members(tree value, vec<handed> *out, gimple_seq *seq)
{
	tree type = TREE_TYPE(value);

	if (!pointee_holds(type) || out->length() >= MEMBERS_MAX)
		return;
	if (RECORD_OR_UNION_TYPE_P(type)) {
		for (tree f = TYPE_FIELDS(type); f; f = DECL_CHAIN(f))
			if (pointee_field(f))
				note_members(build3(COMPONENT_REF, TREE_TYPE(f),
						    unshare_expr(value), f,
						    NULL_TREE),
					     out, seq);
	} else if (TREE_CODE(type) == ARRAY_TYPE) {
		unsigned n = pointee_elements(type);

		for (unsigned i = 0; i < n; i++)
			note_members(build4(ARRAY_REF, TREE_TYPE(type),
					    unshare_expr(value), size_int(i),
					    NULL_TREE, NULL_TREE),
				     out, seq);
	} else {
		tree to = make_ssa_name(type);

		gimple_seq_add_stmt(seq, gimple_build_assign(to, value));
		callees_note_pointer(to, TREE_TYPE(type), false, out);
	}
}

/* Does it only pass exceptions on, without access to their contents? */
static bool
is_unwinder(tree decl)
{
	std::string name = decl ? name_of(decl) : "";

	return name.compare(0, 6, "__cxa_") == 0 ||
	       name.compare(0, 8, "_Unwind_") == 0;
}

static void
note_arguments(gcall *call, vec<handed> *out, gimple_seq *seq)
{
	tree fntype = gimple_call_fntype(call);
	tree types = fntype ? TYPE_ARG_TYPES(fntype) : NULL_TREE;

	for (unsigned i = 0; i < gimple_call_num_args(call); i++) {
		tree value = gimple_call_arg(call, i), type = TREE_TYPE(value);
		bool one = i == 0 && fntype && TREE_CODE(fntype) == METHOD_TYPE;
		unsigned before = out->length();

		if (types && types != void_list_node) {
			type = TREE_VALUE(types);
			types = TREE_CHAIN(types);
		}
		if (RECORD_OR_UNION_TYPE_P(TREE_TYPE(value))) {
			if (TREE_CODE(value) != WITH_SIZE_EXPR)
				note_members(value, out, seq);
		} else if (POINTER_TYPE_P(TREE_TYPE(value))) {
			/* A class may be passed by a reference that gcc
			 * adds. */
			if (POINTER_TYPE_P(type))
				callees_note_pointer(
					value, TREE_TYPE(type),
					one || TREE_CODE(type) ==
							REFERENCE_TYPE,
					out);
			else
				callees_note_pointer(value, type, true, out);
			if (out->length() > before)
				out->last().argument = (int)i;
		}
	}
}

/* A struct that the function writes straight to its destination. */
static void
note_result(gcall *call, vec<handed> *out, gimple_seq *seq)
{
	tree lhs = gimple_call_lhs(call), to;
	deref a;

	if (lhs == NULL || TREE_CODE(lhs) == SSA_NAME ||
	    !gimple_call_return_slot_opt_p(call) ||
	    !aggregate_value_p(lhs, gimple_call_fntype(call)) ||
	    !access_place(&a, lhs))
		return;
	to = force_gimple_operand(build_fold_addr_expr(unshare_expr(lhs)), seq,
				  true, NULL_TREE);
	out->safe_push({ to, -1, 0, -1 });
}

/* The monitor's function `name', to be called. */
static tree
runtime(shared_tree which, const char *name)
{
	if (shared[which] == NULL)
		shared[which] =
			code_function(name,
				      build_varargs_function_type_list(
					      void_type_node, ptr_type_node,
					      unsigned_type_node, NULL_TREE));
	return shared[which];
}

/* The callee's index in `callees'. */
static unsigned
callee_place(const std::string &name)
{
	auto known = callee_of.find(name);
	unsigned place = callees.size();

	if (known != callee_of.end()) {
		place = known->second;
	} else {
		callee_of[name] = place;
		callees.push_back(name);
	}
	return place;
}

/* A value that is 0 only if the function is known as recorded. */
static tree
emit_unknown(tree record, tree target, gimple_seq *seq, location_t where)
{
	tree type = long_long_unsigned_type_node, at, ref;
	gimple_seq some = NULL;

	if (target == NULL)
		return code_load(seq, record, where);
	at = force_gimple_operand(fold_convert(sizetype, unshare_expr(target)),
				  &some, true, NULL_TREE);
	gimple_seq_add_seq(seq, some);
	ref = code_binary(seq, BIT_AND_EXPR, at, size_int(MEMMON_TARGETS_MASK),
			  where);
	ref = code_binary(seq, POINTER_PLUS_EXPR,
			  code_load(seq, labelled("T", 0, ptr_type_node),
				    where),
			  ref, where);
	ref = build2(MEM_REF, type, ref, build_int_cst(ptr_type_node, 0));
	TREE_THIS_NOTRAP(ref) = 1;
	return code_binary(seq, BIT_XOR_EXPR, at, code_load(seq, ref, where),
			   where);
}

/*
 * Adds a call of the monitor: these pointers go to the function whose record or
 * address is `to', or, if that is NULL, to code that isn't recorded.
 */
void
callees_hand(gimple_seq *seq, tree to, bool is_record,
	     const vec<handed> &pointers, location_t where)
{
	auto_vec<tree> arguments;

	arguments.safe_push(to);
	arguments.safe_push(
		build_int_cst(unsigned_type_node, pointers.length()));
	for (unsigned i = 0; i < pointers.length(); i++) {
		const handed &h = pointers[i];

		arguments.safe_push(unshare_expr(h.value));
		arguments.safe_push(
			h.type < 0 ? null_pointer_node
				   : build_fold_addr_expr(labelled(
					     "P", h.type,
					     long_long_unsigned_type_node)));
		arguments.safe_push(size_int(h.bytes));
	}
	code_add(seq,
		 gimple_build_call_vec(
			 is_record ? runtime(SHARED_HANDED, "__memmon_handed")
				   : runtime(SHARED_HANDED_TARGET,
					     "__memmon_handed_target"),
			 arguments),
		 where);
}

/* The value that `value' has on this edge to its block. */
static tree
value_on(tree value, edge e)
{
	gimple *def;

	if (e == NULL || TREE_CODE(value) != SSA_NAME)
		return value;
	def = SSA_NAME_DEF_STMT(value);
	return gimple_code(def) == GIMPLE_PHI && gimple_bb(def) == e->dest
		       ? PHI_ARG_DEF_FROM_EDGE(def, e)
		       : value;
}

/* Adds the code before the call, or on this edge to its block unless NULL. */
static void
emit_handed(gcall *call, edge e)
{
	auto_vec<handed> pointers;
	gimple_seq members = NULL, seq = NULL;
	tree decl = gimple_call_fndecl(call), record = NULL, target = NULL;
	tree unknown;
	cursor c, side;

	note_arguments(call, &pointers, &members);
	for (unsigned i = 0; is_unwinder(decl) && i < pointers.length(); i++)
		pointers[i].type = -1;
	note_result(call, &pointers, &members);
	if (pointers.is_empty())
		return;
	if (decl) {
		std::string name = name_of(decl);
		unsigned place = callee_place(name);

		if (handing_call(call, name, place, pointers))
			return;
		record = labelled("C", place, long_long_unsigned_type_node);
	} else if (TREE_CODE(gimple_call_fn(call)) == OBJ_TYPE_REF) {
		target = OBJ_TYPE_REF_EXPR(gimple_call_fn(call));
	} else {
		target = gimple_call_fn(call);
	}
	for (unsigned i = 0; i < pointers.length(); i++)
		pointers[i].value = value_on(pointers[i].value, e);
	uses_targets |= target != NULL;
	c = e ? code_on(e, gimple_location(call)) : code_before(call);
	unknown = emit_unknown(record, target, &seq, c.where);
	code_append(&c, seq);
	side = code_side(&c, unknown);
	callees_hand(&members, decl ? build_fold_addr_expr(record) : target,
		     decl != NULL, pointers, c.where);
	code_append(&side, members);
}

/* A call that returns twice comes back to the start of its block.  Code that
 * must run once goes on the edges to the block. */
static void
emit_once(gcall *call)
{
	auto_vec<edge> ways;
	unsigned i;
	edge e;
	edge_iterator ei;

	if (!(gimple_call_flags(call) & ECF_RETURNS_TWICE)) {
		emit_handed(call, NULL);
		return;
	}
	FOR_EACH_EDGE(e, ei, gimple_bb(call)->preds)
	if (!(e->flags & (EDGE_ABNORMAL | EDGE_EH)))
		ways.safe_push(e);
	FOR_EACH_VEC_ELT(ways, i, e)
	emit_handed(call, e);
}

/* Called after all other code was added to the function. */
void
callees_calls(function *fun)
{
	auto_vec<gimple *> all;
	basic_block bb;
	unsigned i;
	gimple *stmt;

	FOR_EACH_BB_FN(bb, fun)
	for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi);
	     gsi_next(&gsi))
		if (is_elsewhere(gsi_stmt(gsi)) ||
		    assembly_is_unknown(gsi_stmt(gsi)))
			all.safe_push(gsi_stmt(gsi));
	FOR_EACH_VEC_ELT(all, i, stmt)
	if (is_gimple_call(stmt))
		emit_once(as_a<gcall *>(stmt));
	else
		assembly_hand_over(as_a<gasm *>(stmt));
}

/* ----------------------------------------------------------------- unit -- */

void
callees_finish_unit(void)
{
	FILE *f = asm_out_file;

	if (f == NULL)
		return;
	for (const std::string &s : defined)
		if (!s.empty())
			fprintf(f,
				"\t.weak\t%s.memmon\n\t.hidden\t%s.memmon\n"
				"\t.set\t%s.memmon, 1\n",
				s.c_str(), s.c_str(), s.c_str());
	if (!callees.empty())
		fputs("\t.data\n\t.balign 8\n", f);
	for (unsigned i = 0; i < callees.size(); i++) {
		const char *s = callees[i].c_str();

		fprintf(f,
			"\t.weak\t%s.memmon\n\t.hidden\t%s.memmon\n"
			".LMEMMON_C%u:\n\t.quad\t%s.memmon - 1\n"
			"\t.long\t%s@GOTPCREL\n\t.long\t0\n",
			s, s, i, s, s);
	}
	handing_finish_unit(f);
	if (uses_targets)
		fputs("\t.section\t.data.rel.ro,\"aw\"\n\t.balign 8\n"
		      ".LMEMMON_T0:\n\t.quad\t__memmon_targets\n",
		      f);
	pointee_finish_unit(f);
	fputs("\t.text\n", f);
	defined.clear();
	callees.clear();
	callee_of.clear();
	uses_targets = false;
}
