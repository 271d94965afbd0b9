/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * memcpy() and similar functions that libmemmon-access replaces and counts
 * itself must not be expanded inline, as it would miss them.  Inline code must
 * be counted here.  So small copies of a known size become assignments, which
 * gcc always expands inline, and their accesses count like others.  All other
 * calls of such functions, and larger copies of structs, become real calls of a
 * function that gcc knows nothing about.
 */
#include "monitor/plugin/gcc.h"
#include "monitor/plugin/plugin.h"

#define INLINE_MAX 64 /* bytes, as in group.cc */
#define PREFIX "__builtin_"

/* Functions that gcc may expand inline. */
static const built_in_function known[] = {
	BUILT_IN_MEMCPY,      BUILT_IN_MEMMOVE,	    BUILT_IN_MEMPCPY,
	BUILT_IN_MEMSET,      BUILT_IN_MEMCMP,	    BUILT_IN_MEMCHR,
	BUILT_IN_BZERO,	      BUILT_IN_BCOPY,	    BUILT_IN_BCMP,
	BUILT_IN_STRLEN,      BUILT_IN_STRNLEN,	    BUILT_IN_STRCPY,
	BUILT_IN_STPCPY,      BUILT_IN_STRNCPY,	    BUILT_IN_STPNCPY,
	BUILT_IN_STRCAT,      BUILT_IN_STRNCAT,	    BUILT_IN_STRCMP,
	BUILT_IN_STRNCMP,     BUILT_IN_STRCASECMP,  BUILT_IN_STRNCASECMP,
	BUILT_IN_STRCHR,      BUILT_IN_STRRCHR,	    BUILT_IN_INDEX,
	BUILT_IN_RINDEX,      BUILT_IN_STRSTR,	    BUILT_IN_STRPBRK,
	BUILT_IN_STRSPN,      BUILT_IN_STRCSPN,	    BUILT_IN_MEMCPY_CHK,
	BUILT_IN_MEMMOVE_CHK, BUILT_IN_MEMPCPY_CHK, BUILT_IN_MEMSET_CHK,
	BUILT_IN_STRCPY_CHK,  BUILT_IN_STPCPY_CHK,  BUILT_IN_STRNCPY_CHK,
	BUILT_IN_STPNCPY_CHK, BUILT_IN_STRCAT_CHK,  BUILT_IN_STRNCAT_CHK,
};
static_assert(ARRAY_SIZE(known) <= BUILTINS_KNOWN, "make BUILTINS_KNOWN larger");
tree builtins_real[BUILTINS_KNOWN];

/* The plain function that does the work of a special one. */
static built_in_function
plain_code(built_in_function code)
{
	switch (code) {
	case BUILT_IN_MEMCMP_EQ:
		return BUILT_IN_MEMCMP;
	case BUILT_IN_STRCMP_EQ:
		return BUILT_IN_STRCMP;
	case BUILT_IN_STRNCMP_EQ:
		return BUILT_IN_STRNCMP;
	default:
		return code;
	}
}

/* The same function under a name that gcc doesn't know; NULL: not in the
 * list. */
static tree
real_function(built_in_function code)
{
	tree known_as, decl;
	const char *name;
	unsigned i = 0;

	code = plain_code(code);
	while (i < ARRAY_SIZE(known) && known[i] != code)
		i++;
	if (i == ARRAY_SIZE(known))
		return NULL_TREE;
	if (builtins_real[i])
		return builtins_real[i];
	known_as = builtin_decl_explicit(code);
	name = IDENTIFIER_POINTER(DECL_NAME(known_as));
	if (strncmp(name, PREFIX, strlen(PREFIX)) == 0)
		name += strlen(PREFIX);
	decl = build_fn_decl(name, TREE_TYPE(known_as));
	SET_DECL_ASSEMBLER_NAME(decl, DECL_ASSEMBLER_NAME(known_as));
	TREE_NOTHROW(decl) = 1;
	builtins_real[i] = decl;
	return decl;
}

/* Is a copy (or a clearing) always made inline? */
static bool
is_inline(basic_block bb, unsigned HOST_WIDE_INT size, bool clears)
{
	return size <= INLINE_MAX &&
	       targetm.use_by_pieces_infrastructure_p(size, BITS_PER_UNIT,
						      clears ? CLEAR_BY_PIECES
							     : MOVE_BY_PIECES,
						      optimize_bb_for_speed_p(
							      bb));
}

/* NULL if the address can't be an operand in memory. */
tree
builtins_bytes_at(tree pointer, unsigned HOST_WIDE_INT size)
{
	tree type = build_array_type_nelts(unsigned_char_type_node, size);
	tree offset = build_int_cst(build_pointer_type_for_mode(char_type_node,
								ptr_mode, true),
				    0);
	/* If `pointer' is the address of an object, this makes object and
	 * offset. */
	tree ref = fold_build2(MEM_REF, type, pointer, offset);

	return is_gimple_mem_ref_addr(TREE_OPERAND(ref, 0)) ? ref : NULL_TREE;
}

/* memcpy() or memset() of a small known size becomes an assignment. */
static bool
make_assignment(gimple_stmt_iterator *gsi, gcall *call, built_in_function code)
{
	tree to, size, from, lhs = gimple_call_lhs(call);
	gassign *copy;
	bool clears = code == BUILT_IN_MEMSET;

	if (!optimize || gimple_call_num_args(call) != 3 ||
	    (code != BUILT_IN_MEMCPY && !clears))
		return false;
	to = gimple_call_arg(call, 0);
	from = gimple_call_arg(call, 1);
	size = gimple_call_arg(call, 2);
	if (!tree_fits_uhwi_p(size) || integer_zerop(size) ||
	    (clears && !integer_zerop(from)) || stmt_ends_bb_p(call) ||
	    !is_inline(gimple_bb(call), tree_to_uhwi(size), clears))
		return false;
	to = builtins_bytes_at(to, tree_to_uhwi(size));
	if (clears)
		from = build_constructor(TREE_TYPE(to), NULL);
	else
		from = builtins_bytes_at(from, tree_to_uhwi(size));
	if (to == NULL || from == NULL)
		return false;
	copy = gimple_build_assign(to, from);
	gimple_set_location(copy, gimple_location(call));
	gimple_move_vops(copy, call);
	if (lhs) {
		gassign *result =
			gimple_build_assign(lhs, gimple_call_arg(call, 0));

		gsi_insert_before(gsi, copy, GSI_SAME_STMT);
		gsi_replace(gsi, result, false);
	} else {
		gsi_replace(gsi, copy, false);
	}
	return true;
}

static void
rewrite_call(gimple_stmt_iterator *gsi, gcall *call)
{
	tree fn = gimple_call_fndecl(call);

	if (fn == NULL || !fndecl_built_in_p(fn, BUILT_IN_NORMAL))
		return;
	if (make_assignment(gsi, call, DECL_FUNCTION_CODE(fn)))
		return;
	fn = real_function(DECL_FUNCTION_CODE(fn));
	if (fn) {
		gimple_call_set_fndecl(call, fn);
		update_stmt(call);
	}
}

static bool
is_heap(tree ref)
{
	deref a;

	return access_place(&a, ref);
}

static tree
address(gimple_stmt_iterator *gsi, tree ref)
{
	tree base = get_base_address(ref);

	if (base && DECL_P(base))
		mark_addressable(base);
	return force_gimple_operand_gsi(gsi,
					build_fold_addr_expr(unshare_expr(ref)),
					true, NULL_TREE, true, GSI_SAME_STMT);
}

/* Copies or clears a struct by a call if gcc might make it one. */
static void
rewrite_copy(gimple_stmt_iterator *gsi, gassign *stmt)
{
	tree to = gimple_assign_lhs(stmt), from = gimple_assign_rhs1(stmt);
	tree size = TYPE_SIZE_UNIT(TREE_TYPE(to));
	bool clears = TREE_CODE(from) == CONSTRUCTOR;
	gcall *call;

	if (TREE_CODE(to) == WITH_SIZE_EXPR) {
		size = TREE_OPERAND(to, 1);
		to = TREE_OPERAND(to, 0);
	}
	if (TREE_CODE(from) == WITH_SIZE_EXPR)
		from = TREE_OPERAND(from, 0);
	if (!AGGREGATE_TYPE_P(TREE_TYPE(to)) || TREE_CODE(to) == SSA_NAME ||
	    size == NULL || gimple_has_volatile_ops(stmt) ||
	    stmt_ends_bb_p(stmt) || TREE_CODE(from) == STRING_CST ||
	    TREE_CLOBBER_P(from) || TREE_CODE(from) == SSA_NAME)
		return;
	if (tree_fits_uhwi_p(size) &&
	    is_inline(gimple_bb(stmt), tree_to_uhwi(size), clears))
		return;
	if (!is_heap(to) && (clears || !is_heap(from)))
		return;
	size = force_gimple_operand_gsi(gsi,
					fold_convert(sizetype,
						     unshare_expr(size)),
					true, NULL_TREE, true, GSI_SAME_STMT);
	call = gimple_build_call(
		real_function(clears ? BUILT_IN_MEMSET : BUILT_IN_MEMCPY), 3,
		address(gsi, to),
		clears ? integer_zero_node : address(gsi, from), size);
	gimple_set_location(call, gimple_location(stmt));
	gimple_move_vops(call, stmt);
	gsi_replace(gsi, call, false);
}

/* The same for a struct that a call returns and gcc would then copy. */
static void
rewrite_result(gimple_stmt_iterator *gsi, gcall *call)
{
	tree to = gimple_call_lhs(call), object;
	gassign *copy;

	if (to == NULL || TREE_CODE(to) == SSA_NAME ||
	    !AGGREGATE_TYPE_P(TREE_TYPE(to)) ||
	    gimple_call_return_slot_opt_p(call) || stmt_ends_bb_p(call) ||
	    TREE_ADDRESSABLE(TREE_TYPE(to)) ||
	    !tree_fits_uhwi_p(TYPE_SIZE_UNIT(TREE_TYPE(to))) ||
	    is_inline(gimple_bb(call),
		      tree_to_uhwi(TYPE_SIZE_UNIT(TREE_TYPE(to))), false) ||
	    !is_heap(to))
		return;
	object = create_tmp_var(TREE_TYPE(to));
	gimple_call_set_lhs(call, object);
	update_stmt(call);
	copy = gimple_build_assign(to, object);
	gimple_set_location(copy, gimple_location(call));
	gsi_insert_after(gsi, copy, GSI_NEW_STMT);
	rewrite_copy(gsi, copy);
}

/* Makes sure that each access of a known function counts once. */
void
builtins_rewrite(function *fun)
{
	basic_block bb;
	gimple_stmt_iterator gsi;

	swaps_start();
	FOR_EACH_BB_FN (bb, fun)
		for (gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
			gimple *stmt = gsi_stmt(gsi);

			if (gimple_assign_single_p(stmt) && gimple_vdef(stmt))
				rewrite_copy(&gsi, as_a<gassign *>(stmt));
			if (!is_gimple_call(stmt))
				continue;
			rewrite_call(&gsi, as_a<gcall *>(stmt));
			stmt = gsi_stmt(gsi);
			if (!is_gimple_call(stmt))
				continue;
			rewrite_result(&gsi, as_a<gcall *>(stmt));
			vectors_rewrite(&gsi, as_a<gcall *>(stmt));
			swaps_rewrite(&gsi, as_a<gcall *>(stmt));
		}
}

/* Adds an access to `size' bytes that a pointer points to, unless local. */
void
builtins_add(vec<deref> *out, tree pointer, tree size, bool reads, bool writes)
{
	deref a;

	figures.accesses++;
	if (!access_pointer(&a, pointer)) {
		figures.local++;
		return;
	}
	a.size = -1;
	a.length = size;
	if (tree_fits_shwi_p(size)) {
		a.size = tree_to_shwi(size);
		if (pow2p_hwi(a.size) && a.size <= GRANULE &&
		    a.align < a.size) {
			a.align = a.size;
			a.misalign = 0;
		}
	}
	a.reads = reads;
	a.writes = writes;
	out->safe_push(a);
}

/*
 * Adds the largest accesses that functions which copy, set or compare may do.
 */
void
builtins_copies(gimple *stmt, vec<deref> *out)
{
	static const struct {
		built_in_function code;
		int to, from, other, size; /* argument numbers, or -1 */
	} all[] = {
		{ BUILT_IN_MEMCPY, 0, 1, -1, 2 },
		{ BUILT_IN_MEMMOVE, 0, 1, -1, 2 },
		{ BUILT_IN_MEMPCPY, 0, 1, -1, 2 },
		{ BUILT_IN_MEMSET, 0, -1, -1, 2 },
		{ BUILT_IN_BZERO, 0, -1, -1, 1 },
		{ BUILT_IN_BCOPY, 1, 0, -1, 2 },
		{ BUILT_IN_MEMCMP, -1, 0, 1, 2 },
		{ BUILT_IN_MEMCMP_EQ, -1, 0, 1, 2 },
		{ BUILT_IN_BCMP, -1, 0, 1, 2 },
		{ BUILT_IN_MEMCPY_CHK, 0, 1, -1, 2 },
		{ BUILT_IN_MEMMOVE_CHK, 0, 1, -1, 2 },
		{ BUILT_IN_MEMPCPY_CHK, 0, 1, -1, 2 },
		{ BUILT_IN_MEMSET_CHK, 0, -1, -1, 2 },
	};

	if (!gimple_call_builtin_p(stmt, BUILT_IN_NORMAL))
		return;
	for (const auto &b : all) {
		tree size;

		if (DECL_FUNCTION_CODE(gimple_call_fndecl(stmt)) != b.code)
			continue;
		size = gimple_call_arg(stmt, b.size);
		if (integer_zerop(size))
			return;
		for (int from : { b.from, b.other })
			if (from >= 0)
				builtins_add(out, gimple_call_arg(stmt, from),
					     size, true, false);
		if (b.to >= 0)
			builtins_add(out, gimple_call_arg(stmt, b.to), size,
				     false, true);
	}
}

/* Atomic functions for 1, 2, 4, 8 and 16 bytes: their codes are in this
 * order. */
static const struct {
	built_in_function first;
	bool reads, writes;
} atomics[] = {
	{ BUILT_IN_ATOMIC_LOAD_1, true, false },
	{ BUILT_IN_ATOMIC_STORE_1, false, true },
	{ BUILT_IN_SYNC_LOCK_RELEASE_1, false, true },
#define BOTH(f) \
	{ \
		BUILT_IN_##f##_1, true, true \
	}
	BOTH(ATOMIC_EXCHANGE),
	BOTH(ATOMIC_COMPARE_EXCHANGE),
	BOTH(ATOMIC_ADD_FETCH),
	BOTH(ATOMIC_SUB_FETCH),
	BOTH(ATOMIC_AND_FETCH),
	BOTH(ATOMIC_NAND_FETCH),
	BOTH(ATOMIC_XOR_FETCH),
	BOTH(ATOMIC_OR_FETCH),
	BOTH(ATOMIC_FETCH_ADD),
	BOTH(ATOMIC_FETCH_SUB),
	BOTH(ATOMIC_FETCH_AND),
	BOTH(ATOMIC_FETCH_NAND),
	BOTH(ATOMIC_FETCH_XOR),
	BOTH(ATOMIC_FETCH_OR),
	BOTH(SYNC_FETCH_AND_ADD),
	BOTH(SYNC_FETCH_AND_SUB),
	BOTH(SYNC_FETCH_AND_OR),
	BOTH(SYNC_FETCH_AND_AND),
	BOTH(SYNC_FETCH_AND_XOR),
	BOTH(SYNC_FETCH_AND_NAND),
	BOTH(SYNC_ADD_AND_FETCH),
	BOTH(SYNC_SUB_AND_FETCH),
	BOTH(SYNC_OR_AND_FETCH),
	BOTH(SYNC_AND_AND_FETCH),
	BOTH(SYNC_XOR_AND_FETCH),
	BOTH(SYNC_NAND_AND_FETCH),
	BOTH(SYNC_BOOL_COMPARE_AND_SWAP),
	BOTH(SYNC_VAL_COMPARE_AND_SWAP),
	BOTH(SYNC_LOCK_TEST_AND_SET),
#undef BOTH
};

/* Functions of libatomic for any size: the size is the first argument. */
static bool
generic_atomic(gcall *call, built_in_function code, vec<deref> *out)
{
	tree size = gimple_call_arg(call, 0);

	switch (code) {
	case BUILT_IN_ATOMIC_LOAD:
		builtins_add(out, gimple_call_arg(call, 1), size, true, false);
		builtins_add(out, gimple_call_arg(call, 2), size, false, true);
		return true;
	case BUILT_IN_ATOMIC_STORE:
		builtins_add(out, gimple_call_arg(call, 1), size, false, true);
		builtins_add(out, gimple_call_arg(call, 2), size, true, false);
		return true;
	case BUILT_IN_ATOMIC_EXCHANGE:
		builtins_add(out, gimple_call_arg(call, 1), size, true, true);
		builtins_add(out, gimple_call_arg(call, 2), size, true, false);
		builtins_add(out, gimple_call_arg(call, 3), size, false, true);
		return true;
	case BUILT_IN_ATOMIC_COMPARE_EXCHANGE:
		builtins_add(out, gimple_call_arg(call, 1), size, true,
			  !swaps_apart(call));
		builtins_add(out, gimple_call_arg(call, 2), size, true, false);
		builtins_add(out, gimple_call_arg(call, 3), size, true, false);
		return true;
	default:
		return false;
	}
}

static bool
builtin_accesses(gcall *call, vec<deref> *out)
{
	built_in_function code = DECL_FUNCTION_CODE(gimple_call_fndecl(call));
	tree list = TYPE_SIZE_UNIT(va_list_type_node);

	for (unsigned i = 0; i < ARRAY_SIZE(atomics); i++) {
		if (code < atomics[i].first || code > atomics[i].first + 4)
			continue;
		builtins_add(out, gimple_call_arg(call, 0),
		    size_int(1 << (code - atomics[i].first)), atomics[i].reads,
		    atomics[i].writes && !swaps_apart(call));
		return true;
	}
	switch (code) {
	case BUILT_IN_ATOMIC_TEST_AND_SET:
		builtins_add(out, gimple_call_arg(call, 0), size_one_node, true, true);
		return true;
	case BUILT_IN_ATOMIC_CLEAR:
		builtins_add(out, gimple_call_arg(call, 0), size_one_node, false, true);
		return true;
	case BUILT_IN_VA_COPY:
		if (POINTER_TYPE_P(TREE_TYPE(gimple_call_arg(call, 1))))
			builtins_add(out, gimple_call_arg(call, 1), list, true, false);
		builtins_add(out, gimple_call_arg(call, 0), list, false, true);
		return true;
	case BUILT_IN_VA_START:
		builtins_add(out, gimple_call_arg(call, 0), list, false, true);
		return true;
	default:
		return gimple_call_num_args(call) > 0 &&
		       generic_atomic(call, code, out);
	}
}

static bool
internal_accesses(gcall *call, vec<deref> *out)
{
	switch (gimple_call_internal_fn(call)) {
	case IFN_ATOMIC_COMPARE_EXCHANGE:
		builtins_add(out, gimple_call_arg(call, 0),
		    size_int(tree_to_uhwi(gimple_call_arg(call, 3)) & 255),
		    true, !swaps_apart(call));
		return true;
	case IFN_ATOMIC_BIT_TEST_AND_SET:
	case IFN_ATOMIC_BIT_TEST_AND_COMPLEMENT:
	case IFN_ATOMIC_BIT_TEST_AND_RESET:
		builtins_add(out, gimple_call_arg(call, 0),
		    TYPE_SIZE_UNIT(TREE_TYPE(gimple_call_arg(call, 2))), true,
		    true);
		return true;
#if GCCPLUGIN_VERSION >= 12000
	case IFN_ATOMIC_ADD_FETCH_CMP_0:
	case IFN_ATOMIC_SUB_FETCH_CMP_0:
	case IFN_ATOMIC_AND_FETCH_CMP_0:
	case IFN_ATOMIC_OR_FETCH_CMP_0:
	case IFN_ATOMIC_XOR_FETCH_CMP_0:
		builtins_add(out, gimple_call_arg(call, 1),
		    TYPE_SIZE_UNIT(TREE_TYPE(gimple_call_arg(call, 2))), true,
		    true);
		return true;
#endif
	default:
		return false;
	}
}

/* Adds the accesses of a call of a builtin.  false: it isn't one. */
bool
builtins_accesses(gcall *call, vec<deref> *out)
{
	if (vectors_accesses(call, out))
		return true;
	if (gimple_call_internal_p(call))
		return internal_accesses(call, out);
	return gimple_call_builtin_p(call, BUILT_IN_NORMAL) &&
	       builtin_accesses(call, out);
}
