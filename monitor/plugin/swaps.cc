/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compare-and-swap reads a word, and writes the word only if it swaps.  The
 * code tests the result behind a call that may access the heap.  If the call
 * has swapped, a statement runs that does nothing but counts as the write.  A
 * call that fails writes the found value to *expected.  If that may be heap,
 * the call gets a local copy of it, and an ordinary statement, which is
 * counted, writes the value back.
 */
#include "monitor/plugin/gcc.h"
#include "monitor/plugin/plugin.h"

struct swap {
	tree pointer, size;
	tree expected; /* pointer to the expected value; NULL: by value */
};
/* The swap of each statement that counts as a write; and the calls. */
static hash_map<gimple *, swap> writes;
static hash_set<gimple *> calls;

/* Is it one of the five for 1, 2, 4, 8 or 16 bytes?  *size is the size then. */
static bool
is_in(int code, built_in_function first, tree *size)
{
	if (code < first || code > first + 4)
		return false;
	*size = size_int(1 << (code - first));
	return true;
}

static bool
find(gcall *call, swap *s)
{
	int code;

	*s = swap();
	if (gimple_call_internal_p(call)) {
		if (gimple_call_internal_fn(call) !=
		    IFN_ATOMIC_COMPARE_EXCHANGE)
			return false;
		s->pointer = gimple_call_arg(call, 0);
		s->size = size_int(tree_to_uhwi(gimple_call_arg(call, 3)) &
				   255);
		return true;
	}
	if (!gimple_call_builtin_p(call, BUILT_IN_NORMAL))
		return false;
	code = DECL_FUNCTION_CODE(gimple_call_fndecl(call));
	if (code == BUILT_IN_ATOMIC_COMPARE_EXCHANGE) {
		s->size = gimple_call_arg(call, 0);
		s->pointer = gimple_call_arg(call, 1);
		s->expected = gimple_call_arg(call, 2);
		return true;
	}
	if (is_in(code, BUILT_IN_ATOMIC_COMPARE_EXCHANGE_1, &s->size))
		s->expected = gimple_call_arg(call, 1);
	else if (!is_in(code, BUILT_IN_SYNC_BOOL_COMPARE_AND_SWAP_1,
			&s->size) &&
		 !is_in(code, BUILT_IN_SYNC_VAL_COMPARE_AND_SWAP_1, &s->size))
		return false;
	s->pointer = gimple_call_arg(call, 0);
	return true;
}

/* The call's result; adds one if the program ignores it. */
static tree
result_of(gcall *call)
{
	tree lhs = gimple_call_lhs(call);

	if (lhs == NULL) {
		lhs = make_ssa_name(
			gimple_call_internal_p(call)
				? build_complex_type(
					  TREE_TYPE(gimple_call_arg(call, 1)))
				: gimple_call_return_type(call));
		gimple_call_set_lhs(call, lhs);
		update_stmt(call);
	}
	return lhs;
}

/* Whether it has swapped, as a statement behind the call. */
static gassign *
swapped(gcall *call, tree result)
{
	tree to = make_ssa_name(boolean_type_node), type = TREE_TYPE(result);

	if (TREE_CODE(type) == COMPLEX_TYPE) {
		tree part = build1(IMAGPART_EXPR, TREE_TYPE(type), result);
		tree flag = make_ssa_name(TREE_TYPE(type));
		gimple_stmt_iterator gsi = gsi_for_stmt(call);

		gsi_insert_after(&gsi, gimple_build_assign(flag, part),
				 GSI_NEW_STMT);
		return gimple_build_assign(to, NE_EXPR, flag,
					   build_zero_cst(TREE_TYPE(type)));
	}
	if (TREE_CODE(type) == BOOLEAN_TYPE)
		return gimple_build_assign(to, NE_EXPR, result,
					   build_zero_cst(type));
	return gimple_build_assign(to, EQ_EXPR, result,
				   fold_convert(type,
						gimple_call_arg(call, 1)));
}

/* The write, behind the call. */
static void
count_write(gcall *call, const swap &s)
{
	tree result = result_of(call);
	gassign *test;
	gimple *mark = gimple_build_nop();
	gimple_stmt_iterator gsi;

	test = swapped(call, result);
	gsi = gsi_for_stmt(call);
	if (TREE_CODE(TREE_TYPE(result)) == COMPLEX_TYPE)
		gsi_next(&gsi);
	gimple_set_location(test, gimple_location(call));
	gsi_insert_after(&gsi, test, GSI_NEW_STMT);
	gimple_set_location(mark, gimple_location(call));
	code_if(gimple_assign_lhs(test), test, mark);
	writes.put(mark, s);
	calls.add(call);
}

/* Gives the call a local copy of *expected. */
static void
copy_expected(gcall *call, const swap &s)
{
	unsigned arg = s.size == gimple_call_arg(call, 0) ? 2 : 1;
	tree old, object, result, failed;
	gassign *copy, *test;
	gimple_stmt_iterator gsi;

	old = builtins_bytes_at(s.expected, tree_to_uhwi(s.size));
	if (old == NULL)
		return;
	object = create_tmp_var(TREE_TYPE(old));
	SET_DECL_ALIGN(object, GRANULE * BITS_PER_UNIT);
	mark_addressable(object);
	copy = gimple_build_assign(object, old);
	gimple_set_location(copy, gimple_location(call));
	gsi = gsi_for_stmt(call);
	gsi_insert_before(&gsi, copy, GSI_SAME_STMT);
	gimple_call_set_arg(call, arg, build_fold_addr_expr(object));
	result = result_of(call);
	update_stmt(call);
	failed = make_ssa_name(boolean_type_node);
	test = gimple_build_assign(failed, EQ_EXPR, result,
				   build_zero_cst(TREE_TYPE(result)));
	gimple_set_location(test, gimple_location(call));
	gsi = gsi_for_stmt(call);
	gsi_insert_after(&gsi, test, GSI_NEW_STMT);
	copy = gimple_build_assign(unshare_expr(old), object);
	gimple_set_location(copy, gimple_location(call));
	code_if(failed, test, copy);
}

/* The statements behind *gsi may be in another block afterwards. */
void
swaps_rewrite(gimple_stmt_iterator *gsi, gcall *call)
{
	deref a;
	swap s;

	if (!find(call, &s) || stmt_ends_bb_p(call))
		return;
	if (access_pointer(&a, s.pointer))
		count_write(call, s);
	if (s.expected && tree_fits_uhwi_p(s.size) &&
	    access_pointer(&a, s.expected))
		copy_expected(call, s);
	*gsi = gsi_for_stmt(call);
}

/* Called at the start of a function. */
void
swaps_start(void)
{
	writes.empty();
	calls.empty();
}

/* Is the write of this call counted separately? */
bool
swaps_apart(gimple *call)
{
	return calls.contains(call);
}

/* Adds the write that the statement counts as.  false: it isn't one. */
bool
swaps_accesses(gimple *stmt, vec<deref> *out)
{
	swap *s = writes.get(stmt);

	if (s)
		builtins_add(out, s->pointer, s->size, false, true);
	return s != NULL;
}
