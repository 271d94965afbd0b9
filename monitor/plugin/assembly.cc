/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Statements of assembler that get pointers and may access any memory: blocks
 * that these pointers lead to are passed to unrecorded code (callees.cc), for
 * example to the kernel.  Operands in memory are accesses of the statement
 * itself (access.cc).
 *
 * The monitor is called before registers are set that the source has chosen for
 * variables: the call may change them.
 */
#include "monitor/plugin/gcc.h"
#include "monitor/plugin/plugin.h"

/* A statement and what is set for it in registers of the source's choice. */
struct prepared {
	gimple *first; /* where the monitor is called */
	hash_set<gimple *> between; /* from there to the statement */
	auto_vec<gimple *> set;	    /* those that set a register */
};

static bool
is_register(tree t)
{
	return t && VAR_P(t) && DECL_HARD_REGISTER(t);
}

/* Is it assembler that may access any memory? */
bool
assembly_is_unknown(gimple *stmt)
{
	const gasm *a = dyn_cast<gasm *>(stmt);

	return a && gimple_asm_clobbers_memory_p(a) &&
	       gimple_asm_string(a)[strspn(gimple_asm_string(a), " \t\n;")];
}

static void
prepare(prepared *p, gimple *stmt)
{
	gimple_stmt_iterator gsi = gsi_for_stmt(stmt);
	auto_vec<gimple *> seen;

	p->first = stmt;
	for (gsi_prev(&gsi); !gsi_end_p(gsi); gsi_prev(&gsi)) {
		gimple *s = gsi_stmt(gsi);

		if (is_gimple_call(s) || gimple_code(s) == GIMPLE_ASM)
			break;
		seen.safe_push(s);
		if (!is_gimple_assign(s) || !is_register(gimple_get_lhs(s)))
			continue;
		p->set.safe_push(s);
		p->first = s;
		while (!seen.is_empty())
			p->between.add(seen.pop());
	}
}

/* The statement that sets the register of an operand; NULL: it isn't near. */
static gimple *
setting(const prepared *p, tree variable)
{
	gimple *s;
	unsigned i;

	FOR_EACH_VEC_ELT(p->set, i, s)
	if (gimple_assign_lhs(s) == variable)
		return s;
	return NULL;
}

/* Is each register for the statement set where the monitor's call is before it?
 */
static bool
is_prepared(const prepared *p, const gasm *stmt)
{
	for (unsigned i = 0; i < gimple_asm_ninputs(stmt); i++) {
		tree value = TREE_VALUE(gimple_asm_input_op(stmt, i));

		if (is_register(value) && !setting(p, value))
			return false;
	}
	return true;
}

/* The value of an operand before everything was prepared; NULL: unknown. */
static tree
value_before(prepared *p, tree value)
{
	gimple *s;

	if (is_register(value)) {
		s = setting(p, value);
		value = gimple_assign_single_p(s) ? gimple_assign_rhs1(s)
						  : NULL_TREE;
	}
	while (value && TREE_CODE(value) == SSA_NAME) {
		s = SSA_NAME_DEF_STMT(value);
		if (is_gimple_assign(s) &&
		    CONVERT_EXPR_CODE_P(gimple_assign_rhs_code(s)) &&
		    TREE_CODE(gimple_assign_rhs1(s)) == SSA_NAME &&
		    TYPE_PRECISION(TREE_TYPE(gimple_assign_rhs1(s))) ==
			    POINTER_SIZE)
			value = gimple_assign_rhs1(s);
		else
			return p->between.contains(s) ? NULL_TREE : value;
	}
	return value && TREE_CODE(value) == ADDR_EXPR ? value : NULL_TREE;
}

/* Notes an operand that is a pointer, or a number that may be one. */
static void
note_operand(tree value, vec<handed> *out)
{
	tree type = TREE_TYPE(value);

	if (POINTER_TYPE_P(type))
		callees_note_pointer(value, TREE_TYPE(type), false, out);
	else if (INTEGRAL_TYPE_P(type) && TYPE_PRECISION(type) == POINTER_SIZE)
		out->safe_push({ value, pointee_words(),
				 (unsigned HOST_WIDE_INT)POINTEE_WORDS *
					 UNITS_PER_WORD,
				 -1 });
}

/* Adds the code for a statement. */
void
assembly_hand_over(gasm *stmt)
{
	auto_vec<handed> pointers;
	gimple_seq seq = NULL;
	prepared p;
	cursor c;

	prepare(&p, stmt);
	if (!is_prepared(&p, stmt))
		return;
	for (unsigned i = 0; i < gimple_asm_ninputs(stmt); i++) {
		tree value = value_before(
			&p, TREE_VALUE(gimple_asm_input_op(stmt, i)));

		if (value)
			note_operand(value, &pointers);
	}
	if (pointers.is_empty())
		return;
	c = code_before(p.first);
	callees_hand(&seq, null_pointer_node, false, pointers, c.where);
	code_append(&c, seq);
}
