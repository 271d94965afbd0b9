/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The types that the results of calls are converted to, for .debug_memmon.
 *
 * Only the front end knows the type that a `void *' was converted to.  So right
 * behind it, a call whose result becomes a T * gets a function type of its own,
 * which returns a pointer to an incomplete struct named "memmon:SIZE:T".
 * Inlining, cloning and LTO don't change a call's function type.  Before
 * expansion the type becomes a number, which the call's location carries first
 * and its RTL later; so gcc doesn't merge two calls of different types.  At the
 * end, a label is put behind the call.
 *
 * A call whose `void *' is the function's own result has an entry of kind 0.
 * Entries of section .debug_memmon: 8 bytes, return address; uleb128, size of
 * the type, 0: not known; a byte, kind 0 or 1; name, NUL.
 */
#include "monitor/plugin/gcc.h"
#include "monitor/plugin/plugin.h"

#define TAG "memmon:"
/* The numbers in RTL are added to this constant, which has no other use. */
#define RTL_BASE HOST_WIDE_INT_C(0x6d6d6f6e00000000)

struct entry {
	std::string name;
	unsigned HOST_WIDE_INT size;
	int kind;
};
static std::vector<entry> entries;
static hash_map<int_hash<location_t, UNKNOWN_LOCATION>, unsigned> *located;
static std::vector<unsigned> labels; /* entries by number of label */

/* Only the C++ compiler has these. */
extern const char *type_as_string(tree, int) __attribute__((weak));
extern void clear_fold_cache(void) __attribute__((weak));
/* Not 0 in a unit of a C++20 module. */
extern unsigned module_kind __attribute__((weak));

static std::string
name_of(tree type)
{
	char *text;
	std::string name;

	if (type_as_string)
		return type_as_string(TYPE_MAIN_VARIANT(type), 0);
	type = build_qualified_type(type, TYPE_UNQUALIFIED);
	if (TYPE_NAME(type) && TREE_CODE(TYPE_NAME(type)) == TYPE_DECL &&
	    DECL_NAME(TYPE_NAME(type)))
		return IDENTIFIER_POINTER(DECL_NAME(TYPE_NAME(type)));
	text = print_generic_expr_to_str(type);
	name = text;
	free(text);
	return name;
}

/* A pointer to a struct whose name says what `type' is. */
static tree
tagged_pointer(tree type)
{
	tree record = make_node(RECORD_TYPE), size = TYPE_SIZE_UNIT(type);
	std::string name = TAG;

	name += std::to_string(
		size && tree_fits_uhwi_p(size) ? tree_to_uhwi(size) : 0);
	name += ":" + name_of(type);
	TYPE_NAME(record) = get_identifier(name.c_str());
	return build_pointer_type(record);
}

static const char *
tag_of(tree function_type)
{
	tree type = TREE_TYPE(function_type);
	const char *name;

	if (!POINTER_TYPE_P(type) || TREE_CODE(TREE_TYPE(type)) != RECORD_TYPE)
		return NULL;
	type = TYPE_NAME(TREE_TYPE(type));
	if (type == NULL || TREE_CODE(type) != IDENTIFIER_NODE)
		return NULL;
	name = IDENTIFIER_POINTER(type);
	return strncmp(name, TAG, strlen(TAG)) == 0 ? name : NULL;
}

static bool
is_void_pointer(tree type)
{
	return POINTER_TYPE_P(type) && VOID_TYPE_P(TREE_TYPE(type));
}

/* A call's result becomes a pointer to `type': the call's type will say so. */
static void
tag_call(tree call, tree type)
{
	tree fn = CALL_EXPR_FN(call), function_type;

	if (fn == NULL || !POINTER_TYPE_P(TREE_TYPE(fn)))
		return;
	function_type = TREE_TYPE(TREE_TYPE(fn));
	if (!FUNC_OR_METHOD_TYPE_P(function_type) || tag_of(function_type))
		return;
	function_type = build_distinct_type_copy(function_type);
	TREE_TYPE(function_type) = tagged_pointer(type);
	if (TREE_CODE(fn) == ADDR_EXPR) {
		fn = copy_node(fn);
		TREE_TYPE(fn) = build_pointer_type(function_type);
	} else {
		fn = build1(NOP_EXPR, build_pointer_type(function_type), fn);
	}
	CALL_EXPR_FN(call) = fn;
}

/* Variables where C++ stores a new object's address, and the calls. */
typedef hash_map<tree, tree> slot_map;

/* The call whose result `value' is, if nothing else was done to the value. */
static tree
call_of(slot_map *slots, tree value)
{
	for (;;) {
		if (CONVERT_EXPR_P(value) && TREE_OPERAND(value, 0) &&
		    is_void_pointer(TREE_TYPE(value)))
			value = TREE_OPERAND(value, 0);
		else if (TREE_CODE(value) == POINTER_PLUS_EXPR)
			value = TREE_OPERAND(value, 0);
		else if (TREE_CODE(value) == TARGET_EXPR)
			value = TARGET_EXPR_INITIAL(value);
		else if (TREE_CODE(value) == SAVE_EXPR)
			value = TREE_OPERAND(value, 0);
		else
			break;
		if (value == NULL)
			return NULL;
	}
	if (VAR_P(value)) {
		tree *call = slots->get(value);

		return call ? *call : NULL;
	}
	return TREE_CODE(value) == CALL_EXPR &&
			       is_void_pointer(TREE_TYPE(value))
		       ? value
		       : NULL;
}

static tree
note_slot(tree *tp, int *, void *data)
{
	slot_map *slots = static_cast<slot_map *>(data);

	if (TREE_CODE(*tp) == TARGET_EXPR && TARGET_EXPR_INITIAL(*tp)) {
		tree call = call_of(slots, TARGET_EXPR_INITIAL(*tp));

		if (call)
			slots->put(TARGET_EXPR_SLOT(*tp), call);
	}
	return NULL_TREE;
}

static tree
note_conversion(tree *tp, int *, void *data)
{
	tree type, call;

	if (!CONVERT_EXPR_P(*tp) || !POINTER_TYPE_P(TREE_TYPE(*tp)) ||
	    TREE_OPERAND(*tp, 0) == NULL)
		return NULL_TREE;
	type = TREE_TYPE(TREE_TYPE(*tp));
	if (VOID_TYPE_P(type) || FUNC_OR_METHOD_TYPE_P(type))
		return NULL_TREE;
	call = call_of(static_cast<slot_map *>(data), TREE_OPERAND(*tp, 0));
	/* An array's number of elements is stored as a size_t before it. */
	if (call && !(TYPE_MAIN_VARIANT(type) == TYPE_MAIN_VARIANT(sizetype)))
		tag_call(call, type);
	return NULL_TREE;
}

static void
on_pre_genericize(void *decl, void *)
{
	tree fn = static_cast<tree>(decl), *body;
	slot_map slots;

	if (TREE_CODE(fn) != FUNCTION_DECL || DECL_SAVED_TREE(fn) == NULL)
		return;
	/* A module's functions may be written for other units, to a file that
	 * has no form for the types here. */
	if (&module_kind && module_kind)
		return;
	body = &DECL_SAVED_TREE(fn);
	walk_tree_without_duplicates(body, note_slot, &slots);
	walk_tree_without_duplicates(body, note_conversion, &slots);
	/* Calls that were folded earlier have no types. */
	if (clear_fold_cache)
		clear_fold_cache();
}

/* Is the function's result `value', or derived from it? */
static bool
is_returned(tree value)
{
	auto_vec<tree> work;
	hash_set<tree> seen;

	work.safe_push(value);
	while (!work.is_empty()) {
		imm_use_iterator iter;
		use_operand_p use;

		value = work.pop();
		FOR_EACH_IMM_USE_FAST (use, iter, value) {
			gimple *stmt = USE_STMT(use);
			tree to = NULL_TREE;

			if (gimple_code(stmt) == GIMPLE_RETURN)
				return true;
			if (gimple_code(stmt) == GIMPLE_PHI)
				to = gimple_phi_result(stmt);
			else if (gimple_assign_single_p(stmt) ||
				 gimple_assign_cast_p(stmt))
				to = gimple_assign_lhs(stmt);
			if (to == NULL)
				continue;
			if (TREE_CODE(to) == RESULT_DECL)
				return true;
			if (TREE_CODE(to) == SSA_NAME && !seen.add(to))
				work.safe_push(to);
		}
	}
	return false;
}

/* A location like `where' that only this entry has. */
static location_t
own_location(location_t where, unsigned number)
{
	unsigned n = MAX(line_table->highest_location, 16) - 8;
	source_range range;

	range.m_start = 4 + number / n % n;
	range.m_finish = 4 + number % n;
#if GCCPLUGIN_VERSION >= 14000
	return line_table->get_or_create_combined_loc(
		get_pure_location(where), range, LOCATION_BLOCK(where),
		get_discriminator_from_loc(where));
#elif GCCPLUGIN_VERSION >= 13000
	return COMBINE_LOCATION_DATA(line_table, get_pure_location(where),
				     range, LOCATION_BLOCK(where),
				     get_discriminator_from_loc(where));
#else
	return COMBINE_LOCATION_DATA(line_table, get_pure_location(where),
				     range, LOCATION_BLOCK(where));
#endif
}

static void
mark(function *fun, gcall *call, const entry &e)
{
	location_t where = gimple_location(call);

	if (get_pure_location(where) <= BUILTINS_LOCATION)
		where = DECL_SOURCE_LOCATION(fun->decl);
	if (get_pure_location(where) <= BUILTINS_LOCATION)
		return;
	where = own_location(where, entries.size());
	gimple_set_location(call, where);
	if (located == NULL)
		located = new hash_map<int_hash<location_t, UNKNOWN_LOCATION>,
				       unsigned>;
	located->put(where, entries.size());
	entries.push_back(e);
}

static void
mark_call(function *fun, gcall *call)
{
	tree lhs = gimple_call_lhs(call), type;
	const char *tag;
	entry e = { "", 0, 0 };

	if (gimple_call_internal_p(call) || lhs == NULL ||
	    TREE_CODE(lhs) != SSA_NAME)
		return;
	type = gimple_call_fntype(call);
	tag = type ? tag_of(type) : NULL;
	if (tag) {
		/* A tail call has no return address in this function. */
		gimple_call_set_tail(call, false);
		char *end;

		e.kind = 1;
		e.size = strtoul(tag + strlen(TAG), &end, 10);
		e.name = end + 1;
	} else if (type == NULL || !is_void_pointer(TREE_TYPE(type)) ||
		   !is_returned(lhs)) {
		return;
	}
	mark(fun, call, e);
}

/* Gives calls that have a type, or return one, locations of their own. */
void
results_mark_calls(function *fun)
{
	basic_block bb;
	gimple_stmt_iterator gsi;

	FOR_EACH_BB_FN (bb, fun)
		for (gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
			if (is_gimple_call(gsi_stmt(gsi)))
				mark_call(fun, as_a<gcall *>(gsi_stmt(gsi)));
}

/* Moves the numbers from locations to the calls' RTL. */
static void
move_to_rtl(void)
{
	if (located == NULL)
		return;
	for (rtx_insn *insn = get_insns(); insn; insn = NEXT_INSN(insn)) {
		unsigned *number;

		if (!CALL_P(insn) || INSN_LOCATION(insn) == UNKNOWN_LOCATION)
			continue;
		number = located->get(INSN_LOCATION(insn));
		if (number)
			CALL_INSN_FUNCTION_USAGE(insn) = gen_rtx_EXPR_LIST(
				VOIDmode,
				gen_rtx_USE(VOIDmode,
					    GEN_INT(RTL_BASE + *number)),
				CALL_INSN_FUNCTION_USAGE(insn));
	}
	located->empty();
}

static void
put_label(rtx_insn *call, unsigned number)
{
	char text[64];
	rtx body;

	sprintf(text, ".LMEMMON%u:", (unsigned)labels.size());
	body = gen_rtx_ASM_INPUT_loc(VOIDmode, ggc_strdup(text),
				     INSN_LOCATION(call));
	emit_insn_after_noloc(body, call, NULL);
	labels.push_back(number);
	figures.types++;
}

static void
put_labels(void)
{
	rtx_insn *insn, *next;

	for (insn = get_insns(); insn; insn = next) {
		next = NEXT_INSN(insn);
		if (!CALL_P(insn) || SIBLING_CALL_P(insn))
			continue;
		for (rtx l = CALL_INSN_FUNCTION_USAGE(insn); l;
		     l = XEXP(l, 1)) {
			rtx use = XEXP(l, 0);

			if (GET_CODE(use) != USE || !CONST_INT_P(XEXP(use, 0)))
				continue;
			use = XEXP(use, 0);
			if (INTVAL(use) >= RTL_BASE &&
			    INTVAL(use) <
				    RTL_BASE + (HOST_WIDE_INT)entries.size())
				put_label(insn, INTVAL(use) - RTL_BASE);
		}
	}
}

namespace
{
const pass_data rtl_data = {
	RTL_PASS, "memmon-types", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0
};

class rtl_pass : public rtl_opt_pass
{
	void (*work)(void);

      public:
	rtl_pass(gcc::context *context, void (*what)(void))
	    : rtl_opt_pass(rtl_data, context), work(what)
	{
	}
	unsigned
	execute(function *) final override
	{
		work();
		return 0;
	}
};
} // namespace

static void
register_rtl(const char *plugin_name, const char *before, void (*what)(void))
{
	register_pass_info info;

	info.pass = new rtl_pass(g, what);
	info.reference_pass_name = before;
	info.ref_pass_instance_number = 1;
	info.pos_op = PASS_POS_INSERT_BEFORE;
	register_callback(plugin_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &info);
}

void
results_register(const char *plugin_name)
{
	register_callback(plugin_name, PLUGIN_PRE_GENERICIZE, on_pre_genericize,
			  NULL);
	register_rtl(plugin_name, "vregs", move_to_rtl);
	register_rtl(plugin_name, "shorten", put_labels);
}

void
results_finish_unit(void)
{
	FILE *f = asm_out_file;

	if (f == NULL || labels.empty())
		return;
	fputs("\t.section\t.debug_memmon,\"\",@progbits\n", f);
	for (unsigned i = 0; i < labels.size(); i++) {
		const entry &e = entries[labels[i]];

		fprintf(f, "\t.quad\t.LMEMMON%u\n\t.uleb128\t", i);
		fprintf(f, HOST_WIDE_INT_PRINT_UNSIGNED "\n\t.byte\t%d\n",
			e.size, e.kind);
		fputs("\t.string\t\"", f);
		for (const char *p = e.name.c_str(); *p; p++) {
			if (*p == '"' || *p == '\\')
				putc('\\', f);
			putc(*p, f);
		}
		fputs("\"\n", f);
	}
	fputs("\t.text\n", f);
	labels.clear();
	entries.clear();
}
