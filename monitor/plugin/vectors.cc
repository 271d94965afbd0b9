/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Vectors with only some elements in memory, or with elements in several
 * places: masked accesses, gathers and scatters, made by gcc or called by name.
 * Each accessed element counts, as it would without vectors: a call of
 * __memmon_range() for each, with size 0 if the element isn't accessed.
 *
 * Other builtins of the CPU access the memory that a parameter points to: a
 * vector or a number by its type, which also says whether the builtin reads it.
 */
#include "monitor/plugin/gcc.h"
#include "monitor/plugin/plugin.h"

#define IA32 "__builtin_ia32_"

/* Element i is at base + index[i] * scale, or base + i * size. */
struct lanes {
	tree base, index;	   /* index: a vector, NULL: none */
	tree mask;		   /* sign bits of a vector, or bits of a
				    * number */
	unsigned HOST_WIDE_INT scale, n;
	tree size;		   /* of an element, bytes */
	bool writes, packed;	   /* packed: side by side, as many as mask
				    * bits */
};

static unsigned HOST_WIDE_INT
elements(tree vector)
{
	return TYPE_VECTOR_SUBPARTS(vector).to_constant();
}

static void
set_elements(lanes *l, tree vector)
{
	l->n = elements(vector);
	l->size = TYPE_SIZE_UNIT(TREE_TYPE(vector));
}

/* The name of a builtin of the CPU, without the common prefix; or NULL. */
static const char *
cpu_name(gcall *call)
{
	const char *name;

	if (!gimple_call_builtin_p(call, BUILT_IN_MD))
		return NULL;
	name = IDENTIFIER_POINTER(DECL_NAME(gimple_call_fndecl(call)));
	return startswith(name, IA32) ? name + strlen(IA32) : NULL;
}

static bool
is_pointer(gcall *call, unsigned i)
{
	return i < gimple_call_num_args(call) &&
	       POINTER_TYPE_P(TREE_TYPE(gimple_call_arg(call, i)));
}

/* Gathers (what, base, index, mask, scale); scatters (base, mask, index, ... */
static bool
find_scattered(gcall *call, const char *name, lanes *l)
{
	bool writes = startswith(name, "scatter");
	unsigned base = writes ? 0 : 1, what = writes ? 3 : 0;
	tree type;

	if ((!writes && !startswith(name, "gather")) ||
	    gimple_call_num_args(call) != 5 || !is_pointer(call, base))
		return false;
	type = TREE_TYPE(gimple_call_arg(call, what));
	l->base = gimple_call_arg(call, base);
	l->index = gimple_call_arg(call, 2);
	l->mask = gimple_call_arg(call, writes ? 1 : 3);
	l->scale = tree_to_uhwi(gimple_call_arg(call, 4));
	set_elements(l, type);
	l->n = MIN(l->n, elements(TREE_TYPE(l->index)));
	l->writes = writes;
	return true;
}

/*
 * Masked accesses: the pointer comes first; the mask is last, or follows the
 * pointer.
 */
static bool
find_masked(gcall *call, const char *name, lanes *l)
{
	unsigned last = gimple_call_num_args(call) - 1;
	tree type = TREE_TYPE(gimple_call_fntype(call)), mask;

	if (!is_pointer(call, 0) || last == 0 || !strstr(name, "mask"))
		return false;
	l->writes = !VECTOR_TYPE_P(type);
	mask = gimple_call_arg(call, startswith(name, "mask") ? 1 : last);
	if (l->writes)
		type = TREE_TYPE(gimple_call_arg(
			call, startswith(name, "mask") ? 2 : 1));
	if (!VECTOR_TYPE_P(type))
		return false;
	l->base = gimple_call_arg(call, 0);
	l->mask = mask;
	l->packed = startswith(name, "compress") || startswith(name, "expand");
	set_elements(l, type);
	return true;
}

static bool
find_lanes(gcall *call, lanes *l)
{
	const char *name = cpu_name(call);
	tree what;

	*l = lanes();
	if (name)
		return find_scattered(call, name, l) ||
		       find_masked(call, name, l);
	if (!gimple_call_internal_p(call, IFN_MASK_LOAD) &&
	    !gimple_call_internal_p(call, IFN_MASK_STORE))
		return false;
	l->writes = gimple_call_internal_p(call, IFN_MASK_STORE);
	l->base = gimple_call_arg(call, 0);
	l->mask = gimple_call_arg(call, 2);
	what = l->writes ? gimple_call_arg(call, 3) : gimple_call_lhs(call);
	if (what == NULL)
		return false;
	set_elements(l, TREE_TYPE(what));
	return true;
}

static tree
value(gimple_seq *seq, tree expression)
{
	gimple_seq some = NULL;

	expression = force_gimple_operand(expression, &some, true, NULL_TREE);
	gimple_seq_add_seq(seq, some);
	return expression;
}

/* The same bits as numbers: a vector of signed ones, or an unsigned number. */
static tree
as_numbers(gimple_seq *seq, tree bits)
{
	tree type = TREE_TYPE(bits);
	machine_mode mode = TYPE_MODE(type);

	if (VECTOR_MODE_P(mode))
		type = build_vector_type(
			build_nonstandard_integer_type(
				GET_MODE_UNIT_BITSIZE(mode), 0),
			GET_MODE_NUNITS(mode));
	else
		type = build_nonstandard_integer_type(
			GET_MODE_BITSIZE(mode).to_constant(), 1);
	return value(seq, fold_build1(VIEW_CONVERT_EXPR, type, bits));
}

/* Element i of such a vector. */
static tree
element(tree vector, unsigned i)
{
	tree type = TREE_TYPE(TREE_TYPE(vector));

	return fold_build3(BIT_FIELD_REF, type, vector, TYPE_SIZE(type),
			   bitsize_int(i * tree_to_uhwi(TYPE_SIZE(type))));
}

/* `size' if the mask contains element i, else 0. */
static tree
masked_size(gimple_seq *seq, const lanes *l, tree mask, unsigned i)
{
	tree has;

	if (VECTOR_TYPE_P(TREE_TYPE(mask))) {
		has = value(seq, element(mask, i));
		has = fold_build2(RSHIFT_EXPR, TREE_TYPE(has), has,
				  build_int_cst(integer_type_node,
						TYPE_PRECISION(TREE_TYPE(has)) -
							1));
		has = fold_convert(sizetype, has);
		return value(seq,
			     fold_build2(BIT_AND_EXPR, sizetype, has, l->size));
	}
	has = value(seq, fold_convert(sizetype, mask));
	has = fold_build2(RSHIFT_EXPR, sizetype, has,
			  build_int_cst(integer_type_node, i));
	has = fold_build2(BIT_AND_EXPR, sizetype, has, size_one_node);
	return value(seq, fold_build2(MULT_EXPR, sizetype, has, l->size));
}

static void
add_call(gimple_seq *seq, const lanes *l, tree at, tree size)
{
	at = value(seq, fold_convert(ptr_type_node, at));
	gimple_seq_add_stmt(seq,
			    gimple_build_call(code_range(), 4, at, size,
					      build_int_cst(uint32_type_node,
							    !l->writes),
					      build_int_cst(uint32_type_node,
							    l->writes)));
}

/* All elements in the mask, adjacent in memory. */
static void
add_packed(gimple_seq *seq, const lanes *l, tree base, tree mask)
{
	tree count = builtin_decl_explicit(BUILT_IN_POPCOUNTLL), n;
	gcall *call;

	mask = fold_convert(long_long_unsigned_type_node, mask);
	if (l->n < 64)
		mask = fold_build2(BIT_AND_EXPR, TREE_TYPE(mask), mask,
				   build_int_cst(TREE_TYPE(mask),
						 (HOST_WIDE_INT_1U << l->n) -
							 1));
	call = gimple_build_call(count, 1, value(seq, mask));
	n = make_ssa_name(integer_type_node);
	gimple_call_set_lhs(call, n);
	gimple_seq_add_stmt(seq, call);
	n = fold_build2(MULT_EXPR, sizetype, fold_convert(sizetype, n),
			l->size);
	add_call(seq, l, base, value(seq, n));
}

/* Counts a vector's elements, if the call is a masked one, gather or
 * scatter. */
void
vectors_rewrite(gimple_stmt_iterator *gsi, gcall *call)
{
	gimple_seq seq = NULL;
	tree base, index = NULL, mask;
	lanes l;
	deref a;

	if (!find_lanes(call, &l) || !access_pointer(&a, l.base))
		return;
	base = value(&seq, fold_convert(sizetype, l.base));
	mask = as_numbers(&seq, l.mask);
	if (l.index)
		index = as_numbers(&seq, l.index);
	if (l.packed)
		add_packed(&seq, &l, base, mask);
	for (unsigned i = 0; i < l.n && !l.packed; i++) {
		tree off = size_int(i * tree_to_uhwi(l.size)), at;

		if (index) {
			off = value(&seq, element(index, i));
			off = value(&seq, fold_convert(ssizetype, off));
			off = fold_build2(MULT_EXPR, sizetype,
					  fold_convert(sizetype, off),
					  size_int(l.scale));
		}
		at = value(&seq, fold_build2(PLUS_EXPR, sizetype, base, off));
		add_call(&seq, &l, at, masked_size(&seq, &l, mask, i));
	}
	gimple_seq_set_location(seq, gimple_location(call));
	gsi_insert_seq_before(gsi, seq, GSI_SAME_STMT);
}

/* The size of the largest vector in the call, in bytes; NULL: none. */
static tree
vector_size(gcall *call)
{
	tree type = TREE_TYPE(gimple_call_fntype(call)), size = NULL;

	for (unsigned i = 0;; i++) {
		if (VECTOR_TYPE_P(type) &&
		    (size == NULL ||
		     tree_int_cst_lt(size, TYPE_SIZE_UNIT(type))))
			size = TYPE_SIZE_UNIT(type);
		if (i == gimple_call_num_args(call))
			return size;
		type = TREE_TYPE(gimple_call_arg(call, i));
	}
}

/*
 * Adds the accesses of a builtin of the CPU to memory that its parameters point
 * to.  false: it isn't one.  A pointer to something other than numbers, in a
 * call without vectors, is a prefetch or the like.
 */
bool
vectors_accesses(gcall *call, vec<deref> *out)
{
	tree parameter;
	lanes l;

	if (find_lanes(call, &l))
		return true;
	if (!cpu_name(call))
		return false;
	parameter = TYPE_ARG_TYPES(gimple_call_fntype(call));
	for (unsigned i = 0; parameter && i < gimple_call_num_args(call);
	     i++, parameter = TREE_CHAIN(parameter)) {
		tree type = TREE_VALUE(parameter), size;

		if (!POINTER_TYPE_P(type))
			continue;
		type = TREE_TYPE(type);
		size = TYPE_SIZE_UNIT(type);
		if (VOID_TYPE_P(type) || integer_onep(size))
			size = vector_size(call);
		if (size)
			builtins_add(out, gimple_call_arg(call, i), size,
				  TYPE_READONLY(type), !TYPE_READONLY(type));
	}
	return true;
}
