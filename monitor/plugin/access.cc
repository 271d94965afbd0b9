/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the operands of a statement that access memory which may be heap.
 *
 * Not counted are: declared objects, by name or by address; pointers that can
 * only point to declared objects of this program (gcc's points-to sets say so)
 * or to alloca's memory; other address spaces.  A bit-field counts as an access
 * to the bytes that contain its bits.  A struct that a function returns in
 * memory is an object of the caller, maybe on the heap: its accesses count in
 * the function itself, and not at the call.
 *
 * With `access_everything', for events.cc, all objects that are in memory at
 * any level of optimization count, and so does all memory that pointers point
 * to.
 */
#include "monitor/plugin/gcc.h"
#include "monitor/plugin/plugin.h"

bool access_everything;

/* Declared objects of all functions so far, numbered as in points-to sets. */
static hash_set<unsigned, false, int_hash<unsigned, UINT_MAX, UINT_MAX - 1>>
	objects;

void
access_start(function *fun)
{
	static int symbols = -1;
	varpool_node *node;
	unsigned i;
	tree decl;

	/* A unit may have as many variables as functions. */
	if (symbols != symtab->order)
		FOR_EACH_VARIABLE (node)
			objects.add(DECL_PT_UID(node->decl));
	symbols = symtab->order;
	FOR_EACH_LOCAL_DECL (fun, i, decl)
		if (VAR_P(decl))
			objects.add(DECL_PT_UID(decl));
	for (decl = DECL_ARGUMENTS(fun->decl); decl; decl = DECL_CHAIN(decl))
		objects.add(DECL_PT_UID(decl));
}

/* Can it point to nothing but declared objects? */
static bool
points_to_objects(tree pointer)
{
	ptr_info_def *info = SSA_NAME_PTR_INFO(pointer);
	pt_solution *pt;
	bitmap_iterator at;
	unsigned i;

	if (info == NULL)
		return false;
	pt = &info->pt;
	if (pt->anything || pt->nonlocal || pt->escaped || pt->ipa_escaped ||
	    pt->vars == NULL || bitmap_empty_p(pt->vars))
		return false;
	EXECUTE_IF_SET_IN_BITMAP (pt->vars, 0, i, at)
		if (!objects.contains(i))
			return false;
	return true;
}

/* Is it the function's result, in memory of the caller? */
static bool
is_returned(tree base)
{
	return TREE_CODE(base) == RESULT_DECL && !is_gimple_reg(base) &&
	       !DECL_BY_REFERENCE(base) && aggregate_value_p(base, cfun->decl);
}

/* Does it come from the address of a declared object, or from alloca? */
static bool
is_local_address(tree pointer)
{
	for (int steps = 0; steps < 8; steps++) {
		gimple *def;

		if (TREE_CODE(pointer) == ADDR_EXPR) {
			tree base = get_base_address(TREE_OPERAND(pointer, 0));

			if (base == NULL)
				return false;
			if (DECL_P(base) || CONSTANT_CLASS_P(base))
				return !is_returned(base);
			if (TREE_CODE(base) != MEM_REF)
				return false;
			pointer = TREE_OPERAND(base, 0);
			continue;
		}
		if (TREE_CODE(pointer) != SSA_NAME)
			return false;
		if (points_to_objects(pointer))
			return true;
		def = SSA_NAME_DEF_STMT(pointer);
		if (gimple_call_builtin_p(def, BUILT_IN_NORMAL))
			return ALLOCA_FUNCTION_CODE_P(
				DECL_FUNCTION_CODE(gimple_call_fndecl(def)));
		if (!is_gimple_assign(def) ||
		    (gimple_assign_rhs_code(def) != ADDR_EXPR &&
		     gimple_assign_rhs_code(def) != POINTER_PLUS_EXPR &&
		     gimple_assign_rhs_code(def) != SSA_NAME))
			return false;
		pointer = gimple_assign_rhs1(def);
	}
	return false;
}

/*
 * A constant distance from a pointer, in bytes.  Its type is as wide as a
 * pointer and unsigned, but it may be negative.
 */
HOST_WIDE_INT
access_offset(tree constant)
{
	return wi::sext(wi::to_offset(constant), POINTER_SIZE).to_shwi();
}

/* Follows constant offsets from `pointer' back to a root; adds them to *off. */
static tree
root_of(tree pointer, HOST_WIDE_INT *off)
{
	for (int steps = 0; steps < 8; steps++) {
		gimple *def;

		if (TREE_CODE(pointer) != SSA_NAME ||
		    SSA_NAME_OCCURS_IN_ABNORMAL_PHI(pointer))
			break;
		def = SSA_NAME_DEF_STMT(pointer);
		if (!is_gimple_assign(def))
			break;
		if (gimple_assign_rhs_code(def) == POINTER_PLUS_EXPR &&
		    TREE_CODE(gimple_assign_rhs2(def)) == INTEGER_CST)
			*off += access_offset(gimple_assign_rhs2(def));
		else if (gimple_assign_rhs_code(def) != SSA_NAME)
			break;
		if (TREE_CODE(gimple_assign_rhs1(def)) != SSA_NAME ||
		    SSA_NAME_OCCURS_IN_ABNORMAL_PHI(gimple_assign_rhs1(def)))
			break;
		pointer = gimple_assign_rhs1(def);
	}
	return pointer;
}

static void
set_alignment(deref *a, unsigned HOST_WIDE_INT align,
	      unsigned HOST_WIDE_INT misalign)
{
	a->align = MIN(MAX(align, 1), GRANULE);
	a->misalign = misalign % a->align;
}

/* Is the object in memory at any level of optimization? */
bool
access_is_in_memory(tree object)
{
	switch (TREE_CODE(object)) {
	case STRING_CST:
	case CONST_DECL:
		return true;
	case VAR_DECL:
		if (DECL_HARD_REGISTER(object))
			return false;
		if (is_global_var(object))
			return true;
		/* FALLTHROUGH */
	case PARM_DECL:
		return TREE_ADDRESSABLE(object) || DECL_MODE(object) == BLKmode;
	default:
		return is_returned(object);
	}
}

/* Is it an access by a pointer, or to an object that counts? */
static bool
is_wanted(tree base)
{
	return TREE_CODE(base) == MEM_REF || TREE_CODE(base) == TARGET_MEM_REF ||
	       (access_everything ? access_is_in_memory(base) : is_returned(base));
}

/* Fills in the root and its offsets of an address. */
static bool
set_root(deref *a, tree base)
{
	tree pointer;

	if (TREE_CODE(base) != MEM_REF && TREE_CODE(base) != TARGET_MEM_REF) {
		if (!DECL_P(base)) {
			a->ref = a->root = base;
			a->off = a->disp;
			return true;
		}
		TREE_ADDRESSABLE(base) = 1;
		a->ref = base;
		a->root = base;
		a->off = a->disp;
		return true;
	}
	/* The base may be a constant while an index contains the pointer. */
	pointer = TREE_OPERAND(base, 0);
	if (!access_everything && is_local_address(pointer))
		return false;
	a->ref = base;
	if (TREE_CODE(base) == TARGET_MEM_REF) {
		a->index = TMR_INDEX(base);
		a->step = TMR_STEP(base);
		a->index2 = TMR_INDEX2(base);
	}
	a->off = a->disp + access_offset(TREE_OPERAND(base, 1));
	a->root = root_of(pointer, &a->off);
	return true;
}

/*
 * Fills in where `ref', an operand in memory, is.  false: certainly not heap.
 */
bool
access_place(deref *a, tree ref)
{
	poly_int64 bits, at;
	machine_mode mode;
	int is_unsigned, reverse, is_volatile;
	unsigned align;
	unsigned HOST_WIDE_INT misalign;
	HOST_WIDE_INT first, n;
	tree base;

	*a = deref();
	if (TREE_CODE(ref) == WITH_SIZE_EXPR) {
		a->length = TREE_OPERAND(ref, 1);
		ref = TREE_OPERAND(ref, 0);
	}
	base = get_inner_reference(ref, &bits, &at, &a->var, &mode,
				   &is_unsigned, &reverse, &is_volatile);
	if (!is_wanted(base) || code_is_ours(base) ||
	    !ADDR_SPACE_GENERIC_P(TYPE_ADDR_SPACE(TREE_TYPE(base))) ||
	    !at.is_constant(&first))
		return false;
	a->disp = first >> LOG2_BITS_PER_UNIT;
	a->size = -1;
	if (a->length == NULL && bits.is_constant(&n) && n >= 0)
		a->size = ((first & (BITS_PER_UNIT - 1)) + n + BITS_PER_UNIT -
			   1) >>
			  LOG2_BITS_PER_UNIT;
	else if (a->length == NULL)
		a->length = TYPE_SIZE_UNIT(TREE_TYPE(ref));
	if (a->size == 0 || (a->size < 0 && a->length == NULL))
		return false;
	get_object_alignment_1(ref, &align, &misalign);
	set_alignment(a, align / BITS_PER_UNIT, misalign / BITS_PER_UNIT);
	return set_root(a, base);
}

/* The same for memory at `pointer', whose type says nothing. */
bool
access_pointer(deref *a, tree pointer)
{
	unsigned align;
	unsigned HOST_WIDE_INT misalign;

	if (TREE_CODE(pointer) == ADDR_EXPR)
		return access_place(a, TREE_OPERAND(pointer, 0));
	*a = deref();
	if (TREE_CODE(pointer) != SSA_NAME ||
	    (!access_everything && is_local_address(pointer)))
		return false;
	get_pointer_alignment_1(pointer, &align, &misalign);
	set_alignment(a, align / BITS_PER_UNIT, misalign / BITS_PER_UNIT);
	a->ref = pointer;
	a->root = root_of(pointer, &a->off);
	return true;
}

struct found {
	vec<deref> *out;
	gimple *stmt;
};

static void
note(const found *f, tree ref, bool is_write)
{
	deref a;

	figures.accesses++;
	if (!access_place(&a, ref)) {
		figures.local++;
		return;
	}
	a.stmt = f->stmt;
	a.reads = !is_write;
	a.writes = is_write;
	f->out->safe_push(a);
}

static bool
note_load(gimple *, tree, tree ref, void *data)
{
	note(static_cast<found *>(data), ref, false);
	return false;
}

static bool
note_store(gimple *stmt, tree, tree ref, void *data)
{
	if (is_gimple_call(stmt) &&
	    gimple_call_return_slot_opt_p(as_a<gcall *>(stmt)) &&
	    aggregate_value_p(ref, gimple_call_fntype(stmt)))
		return false;
	note(static_cast<found *>(data), ref, true);
	return false;
}

/* Adds the accesses of a statement. */
void
access_collect(gimple *stmt, vec<deref> *out)
{
	found f = { out, stmt };
	unsigned from = out->length();

	if (is_gimple_debug(stmt) || gimple_clobber_p(stmt) ||
	    gimple_code(stmt) == GIMPLE_RETURN)
		return;
	if (is_gimple_call(stmt) ? builtins_accesses(as_a<gcall *>(stmt), out)
				 : swaps_accesses(stmt, out)) {
		for (unsigned i = from; i < out->length(); i++)
			(*out)[i].stmt = stmt;
		return;
	}
	walk_stmt_load_store_ops(stmt, &f, note_load, note_store);
}

/* May this statement free memory, or take long? */
bool
access_ends_group(gimple *stmt)
{
	if (gimple_code(stmt) == GIMPLE_ASM)
		return true;
	if (!is_gimple_call(stmt))
		return false;
	if (gimple_call_internal_p(stmt))
		return !nonfreeing_call_p(stmt);
	return !gimple_call_builtin_p(stmt, BUILT_IN_NORMAL) ||
	       !is_inexpensive_builtin(gimple_call_fndecl(stmt)) ||
	       !nonfreeing_call_p(stmt);
}
