/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls of functions that are defined elsewhere, with pointers among their
 * arguments.  Whether the accesses of such a function are recorded is known
 * when the program is linked, or has been; so before the call stands
 *
 *	if (callee.unknown != 0)
 *		__memmon_handed(&callee, n, pointer, type, bytes, ...)
 *
 * and the runtime hands the blocks over that the function gets
 * (monitor/access/handed.h): what a pointer points to and, as far as its type
 * tells, what that points to.  What is void, char or a number points no
 * further, nor does a type that isn't complete here.
 *
 * Not for calls by pointers, nor of functions that return twice.
 */
#include <map>
#include <string>
#include <vector>

#include "monitor/plugin/gcc.h"
#include "monitor/plugin/parts.h"

#define ELEMENTS_MAX 64 /* of an array in a struct, that are followed */

/* ---------------------------------------------------------------- types -- */

struct pointer_in {
	unsigned HOST_WIDE_INT offset;
	int to; /* place in pointees; -1: no further */
};
struct pointee {
	unsigned HOST_WIDE_INT size;
	std::vector<pointer_in> pointers;
};
static std::vector<pointee> pointees;
/* By TYPE_UID: the place, or -1: nothing to follow. */
static std::map<unsigned, int> pointee_of;

static int describe(tree type);

/* What a pointer or reference of this type points to; -1 as above. */
static int
describe_target(tree type)
{
	return describe(TREE_TYPE(type));
}

static bool
follows(tree type)
{
	return POINTER_TYPE_P(type) &&
	       TREE_CODE(TREE_TYPE(type)) != FUNCTION_TYPE &&
	       TREE_CODE(TREE_TYPE(type)) != METHOD_TYPE;
}

/* Add the pointers in an object of `type' at `offset' to the pointee. */
static void
add_pointers(int place, tree type, unsigned HOST_WIDE_INT offset)
{
	if (follows(type)) {
		int to = describe_target(type);

		pointees[place].pointers.push_back({ offset, to });
	} else if (RECORD_OR_UNION_TYPE_P(type)) {
		for (tree f = TYPE_FIELDS(type); f; f = DECL_CHAIN(f))
			if (TREE_CODE(f) == FIELD_DECL && !DECL_VIRTUAL_P(f) &&
			    !DECL_BIT_FIELD(f) && DECL_FIELD_OFFSET(f) &&
			    tree_fits_uhwi_p(DECL_FIELD_OFFSET(f)))
				add_pointers(place, TREE_TYPE(f),
					     offset + int_byte_position(f));
	} else if (TREE_CODE(type) == ARRAY_TYPE) {
		tree size = TYPE_SIZE_UNIT(TREE_TYPE(type));
		tree all = TYPE_SIZE_UNIT(type);

		if (!size || !all || !tree_fits_uhwi_p(size) ||
		    !tree_fits_uhwi_p(all) || integer_zerop(size))
			return;
		for (unsigned HOST_WIDE_INT at = 0, n = 0;
		     at < tree_to_uhwi(all) && n < ELEMENTS_MAX;
		     at += tree_to_uhwi(size), n++)
			add_pointers(place, TREE_TYPE(type), offset + at);
	}
}

static int
describe(tree type)
{
	tree size;
	int place = (int)pointees.size();

	type = TYPE_MAIN_VARIANT(type);
	if (!COMPLETE_TYPE_P(type) ||
	    (!RECORD_OR_UNION_TYPE_P(type) && !follows(type)))
		return -1;
	size = TYPE_SIZE_UNIT(type);
	if (!size || !tree_fits_uhwi_p(size) || integer_zerop(size))
		return -1;
	auto known = pointee_of.find(TYPE_UID(type));
	if (known != pointee_of.end())
		return known->second;
	/* Before its pointers are: they may lead back. */
	pointee_of[TYPE_UID(type)] = place;
	pointees.push_back({ tree_to_uhwi(size), {} });
	add_pointers(place, type, 0);
	return place;
}

/* Is there something to follow from there? */
static bool
leads_on(int place)
{
	return place >= 0 && !pointees[place].pointers.empty();
}

/* -------------------------------------------------------------- callees -- */

static std::vector<std::string> callees;
static std::map<std::string, unsigned> callee_of;
static std::vector<std::string> defined;

/* The function's name, as the assembler has it; "": none that fits. */
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

/* The function is one whose accesses are recorded. */
void
handed_defined(function *fun)
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

/* A static object, by a name that only the assembler knows. */
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

/* Functions that gcc knows and that libmemmon-access or nobody stands in for,
 * but for those of mathematics, which write what they are given; and those of
 * the CPU, which are instructions. */
static bool
is_known(tree decl)
{
	if (DECL_IS_OPERATOR_NEW_P(decl) || DECL_IS_OPERATOR_DELETE_P(decl))
		return true;
	for (unsigned i = 0; i < CALLS_KNOWN; i++)
		if (calls_real[i] == decl)
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

/* Is it a call of a function that is defined elsewhere? */
static bool
is_foreign(gimple *stmt)
{
	tree decl;
	cgraph_node *node;

	if (!is_gimple_call(stmt) || gimple_call_internal_p(stmt))
		return false;
	decl = gimple_call_fndecl(stmt);
	if (!decl || is_known(decl) || !TREE_PUBLIC(decl) ||
	    gimple_call_flags(stmt) & (ECF_RETURNS_TWICE | ECF_NORETURN))
		return false;
	node = cgraph_node::get(decl);
	return !(node && node->definition && !DECL_EXTERNAL(decl)) &&
	       !name_of(decl).empty();
}

/* ---------------------------------------------------------------- calls -- */

/* A pointer that a function gets. */
struct handed {
	tree value;
	int type;			/* place in pointees, or -1 */
	unsigned HOST_WIDE_INT bytes; /* of that type; 0: not known */
};

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

/* Note an argument that is a pointer; `one': it points to one object. */
static void
note_pointer(tree value, tree target, bool one, vec<handed> *out)
{
	int type = target ? describe(target) : -1;
	unsigned HOST_WIDE_INT bytes = bytes_from(value);
	deref a;

	if (TREE_CODE(value) != SSA_NAME && TREE_CODE(value) != ADDR_EXPR)
		return;
	if (!leads_on(type) && !access_pointer(&a, value))
		return;
	if (one && type >= 0)
		bytes = pointees[type].size;
	out->safe_push({ value, leads_on(type) ? type : -1, bytes });
}

/* The pointers in a struct that is passed by value, which has no address. */
static void
note_members(tree value, vec<handed> *out, gimple_seq *seq)
{
	tree type = TREE_TYPE(value);

	for (tree f = TYPE_FIELDS(type); f; f = DECL_CHAIN(f)) {
		tree member;

		if (TREE_CODE(f) != FIELD_DECL || DECL_BIT_FIELD(f) ||
		    DECL_VIRTUAL_P(f))
			continue;
		member = build3(COMPONENT_REF, TREE_TYPE(f),
				unshare_expr(value), f, NULL_TREE);
		if (RECORD_OR_UNION_TYPE_P(TREE_TYPE(f))) {
			note_members(member, out, seq);
		} else if (follows(TREE_TYPE(f))) {
			tree to = make_ssa_name(TREE_TYPE(f));

			gimple_seq_add_stmt(seq,
					    gimple_build_assign(to, member));
			note_pointer(to, TREE_TYPE(TREE_TYPE(f)), false, out);
		}
	}
}

static void
note_arguments(gcall *call, vec<handed> *out, gimple_seq *seq)
{
	tree fntype = gimple_call_fntype(call);
	tree types = fntype ? TYPE_ARG_TYPES(fntype) : NULL_TREE;

	for (unsigned i = 0; i < gimple_call_num_args(call); i++) {
		tree value = gimple_call_arg(call, i), type = TREE_TYPE(value);
		bool one = i == 0 && fntype && TREE_CODE(fntype) == METHOD_TYPE;

		if (types && types != void_list_node) {
			type = TREE_VALUE(types);
			types = TREE_CHAIN(types);
		}
		if (RECORD_OR_UNION_TYPE_P(TREE_TYPE(value))) {
			if (TREE_CODE(value) != WITH_SIZE_EXPR)
				note_members(value, out, seq);
		} else if (POINTER_TYPE_P(TREE_TYPE(value))) {
			/* A class may be passed by a reference of its own. */
			if (POINTER_TYPE_P(type))
				note_pointer(value, TREE_TYPE(type),
					     one || TREE_CODE(type) ==
							     REFERENCE_TYPE,
					     out);
			else
				note_pointer(value, type, true, out);
		}
	}
}

/* The runtime's function, and its first argument. */
static tree
runtime(void)
{
	if (shared[SHARED_HANDED] == NULL)
		shared[SHARED_HANDED] =
			emit_function("__memmon_handed",
				      build_varargs_function_type_list(
					      void_type_node, ptr_type_node,
					      unsigned_type_node, NULL_TREE));
	return shared[SHARED_HANDED];
}

static tree
callee_record(tree decl)
{
	std::string name = name_of(decl);
	auto known = callee_of.find(name);
	unsigned place = callees.size();

	if (known != callee_of.end()) {
		place = known->second;
	} else {
		callee_of[name] = place;
		callees.push_back(name);
	}
	return labelled("C", place, long_long_unsigned_type_node);
}

static void
emit_handed(gcall *call)
{
	auto_vec<handed> pointers;
	auto_vec<tree> arguments;
	gimple_seq members = NULL, seq = NULL;
	cursor c, side;
	tree record, unknown;
	gimple *load, *hand;

	note_arguments(call, &pointers, &members);
	if (pointers.is_empty())
		return;
	c = emit_before(call);
	record = callee_record(gimple_call_fndecl(call));
	unknown = make_ssa_name(TREE_TYPE(record));
	load = gimple_build_assign(unknown, record);
	gimple_set_location(load, c.where);
	gimple_seq_add_stmt(&seq, load);
	emit_append(&c, seq);
	side = emit_side(&c, unknown);
	arguments.safe_push(build_fold_addr_expr(record));
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
	hand = gimple_build_call_vec(runtime(), arguments);
	gimple_set_location(hand, c.where);
	gimple_seq_add_stmt(&members, hand);
	emit_append(&side, members);
}

/* After all other code has been added to the function. */
void
handed_calls(function *fun)
{
	auto_vec<gcall *> calls;
	basic_block bb;
	unsigned i;
	gcall *call;

	FOR_EACH_BB_FN(bb, fun)
	for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi);
	     gsi_next(&gsi))
		if (is_foreign(gsi_stmt(gsi)))
			calls.safe_push(as_a<gcall *>(gsi_stmt(gsi)));
	FOR_EACH_VEC_ELT(calls, i, call)
	emit_handed(call);
}

/* ----------------------------------------------------------------- unit -- */

void
handed_finish_unit(void)
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
	if (!pointees.empty())
		fputs("\t.section\t.data.rel.ro.local,\"aw\"\n\t.balign 8\n",
		      f);
	for (unsigned i = 0; i < pointees.size(); i++) {
		const pointee &p = pointees[i];

		fprintf(f, ".LMEMMON_P%u:\n\t.quad\t%lu, %lu\n", i,
			(unsigned long)p.size,
			(unsigned long)p.pointers.size());
		for (const pointer_in &q : p.pointers)
			if (leads_on(q.to))
				fprintf(f, "\t.quad\t%lu, .LMEMMON_P%d\n",
					(unsigned long)q.offset, q.to);
			else
				fprintf(f, "\t.quad\t%lu, 0\n",
					(unsigned long)q.offset);
	}
	fputs("\t.text\n", f);
	defined.clear();
	callees.clear();
	callee_of.clear();
	pointees.clear();
	pointee_of.clear();
}
