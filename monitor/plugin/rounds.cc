/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How often an innermost loop ran, as known on each exit.
 *
 * A counter in the loop tells: a phi that changes by the same constant in each
 * round, or one that is added.  On an exit in round k (from 0), an access that
 * every round makes has run k times if it comes behind the exit, and k + 1
 * times if it comes before the exit.  So loops with several exits, or with an
 * unpredictable end, are correct, too.
 */
#include "monitor/plugin/gcc.h"
#include "monitor/plugin/plugin.h"

#define EXITS_MAX 3

/* Does the function only compute with its arguments? */
static bool
is_arithmetic(gcall *call)
{
	tree lhs = gimple_call_lhs(call);

	if ((!gimple_call_internal_p(call) &&
	     !gimple_call_builtin_p(call, BUILT_IN_NORMAL)) ||
	    lhs == NULL || !SCALAR_FLOAT_TYPE_P(TREE_TYPE(lhs)) ||
	    !gimple_call_nothrow_p(call))
		return false;
	for (unsigned i = 0; i < gimple_call_num_args(call); i++)
		if (!SCALAR_FLOAT_TYPE_P(TREE_TYPE(gimple_call_arg(call, i))))
			return false;
	return true;
}

/* Does the loop only compute?  `arithmetic': it may also call for this. */
bool
rounds_plain(class loop *loop, basic_block *body, bool arithmetic)
{
	for (unsigned i = 0; i < loop->num_nodes; i++) {
		gimple_stmt_iterator gsi;

		for (gsi = gsi_start_bb(body[i]); !gsi_end_p(gsi);
		     gsi_next(&gsi)) {
			gimple *stmt = gsi_stmt(gsi);

			if (is_gimple_debug(stmt))
				continue;
			if (gimple_has_volatile_ops(stmt))
				return false;
			if (is_gimple_call(stmt)
				    ? !arithmetic ||
					      !is_arithmetic(
						      as_a<gcall *>(stmt))
				    : access_ends_group(stmt))
				return false;
		}
	}
	return true;
}

bool
rounds_step(tree step, HOST_WIDE_INT *value)
{
	if (!cst_and_fits_in_hwi(step))
		return false;
	*value = int_cst_value(step);
	return true;
}

/* Finds a counter of the loop, or returns false. */
bool
rounds_counter(class loop *loop, counter *c)
{
	gphi_iterator psi;

	c->phi = NULL_TREE;
	for (psi = gsi_start_phis(loop->header); !gsi_end_p(psi);
	     gsi_next(&psi)) {
		tree phi = gimple_phi_result(psi.phi()), type = TREE_TYPE(phi);
		HOST_WIDE_INT step;
		affine_iv iv;

		if (virtual_operand_p(phi) ||
		    SSA_NAME_OCCURS_IN_ABNORMAL_PHI(phi) ||
		    !(INTEGRAL_TYPE_P(type) || POINTER_TYPE_P(type)) ||
		    !simple_iv(loop, loop, phi, &iv, false) ||
		    contains_abnormal_ssa_name_p(iv.base) ||
		    !rounds_step(iv.step, &step) || step == 0 ||
		    (TYPE_PRECISION(type) < 64 &&
		     (TYPE_PRECISION(type) < 32 || !iv.no_overflow)))
			continue;
		if (c->phi && (!pow2p_hwi(absu_hwi(step)) ||
			       absu_hwi(step) >= absu_hwi(c->step)))
			continue;
		c->phi = phi;
		c->next =
			PHI_ARG_DEF_FROM_EDGE(psi.phi(), loop_latch_edge(loop));
		c->base = iv.base;
		c->step = step;
	}
	return c->phi != NULL;
}

/* Adds a counter. */
void
rounds_add_counter(class loop *loop, counter *c)
{
	gimple_stmt_iterator gsi = gsi_after_labels(loop->header);
	tree now = make_ssa_name(sizetype), next = make_ssa_name(sizetype);
	gphi *phi = create_phi_node(now, loop->header);

	add_phi_arg(phi, size_zero_node, loop_preheader_edge(loop),
		    UNKNOWN_LOCATION);
	add_phi_arg(phi, next, loop_latch_edge(loop), UNKNOWN_LOCATION);
	gsi_insert_before(&gsi,
			  gimple_build_assign(next, PLUS_EXPR, now,
					      size_one_node),
			  GSI_SAME_STMT);
	*c = { now, now, size_zero_node, 1 };
}

tree
rounds_value(gimple_seq *seq, tree value)
{
	gimple_seq some = NULL;

	value = force_gimple_operand(unshare_expr(value), &some, true,
				     NULL_TREE);
	gimple_seq_add_seq(seq, some);
	return value;
}

/* How many rounds began before the one that takes `exit'. */
tree
rounds_before(gimple_seq *seq, const counter *c, edge exit)
{
	tree type = unsigned_type_for(TREE_TYPE(c->phi)), now = c->phi, n;
	bool next = c->next != c->phi && TREE_CODE(c->next) == SSA_NAME &&
		    dominated_by_p(CDI_DOMINATORS, exit->src,
				   gimple_bb(SSA_NAME_DEF_STMT(c->next)));

	if (next)
		now = c->next;
	now = fold_convert(type, now);
	n = fold_convert(type, c->base);
	if (c->step > 0)
		n = fold_build2(MINUS_EXPR, type, now, n);
	else
		n = fold_build2(MINUS_EXPR, type, n, now);
	n = fold_build2(EXACT_DIV_EXPR, type, n,
			build_int_cst(type, absu_hwi(c->step)));
	if (next)
		n = fold_build2(MINUS_EXPR, type, n, build_int_cst(type, 1));
	return rounds_value(seq, fold_convert(sizetype, n));
}

gimple *
rounds_last(basic_block bb)
{
	gimple_stmt_iterator gsi = gsi_last_nondebug_bb(bb);

	return gsi_end_p(gsi) ? NULL : gsi_stmt(gsi);
}

/* May code be put on all exits? */
bool
rounds_exits(const vec<edge> &exits)
{
	if (exits.is_empty() || exits.length() > EXITS_MAX)
		return false;
	for (unsigned i = 0; i < exits.length(); i++)
		if (exits[i]->flags & (EDGE_ABNORMAL | EDGE_EH) ||
		    rounds_last(exits[i]->src) == NULL)
			return false;
	return true;
}
