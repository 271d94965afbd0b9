/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Accesses to the same place in each round of an innermost loop that calls
 * nothing.  The code counts them on each exit, as often as the loop ran
 * (rounds.cc).  The compiler has kept in registers what it could, so the
 * remaining places are those that something else in the loop may change, as in
 *
 *	for (j = 0; j < n; j++)
 *		a->sum += b[j]->part;
 *
 * Each exit gets a block that adds up to ROUNDS_AT_ONCE rounds.  The block is a
 * loop of its own, which nearly always runs once.  From then on its groups are
 * ordinary ones, except that event.cc multiplies.
 */
#include "monitor/plugin/gcc.h"
#include "monitor/plugin/plugin.h"

#define ROUNDS_AT_ONCE 256u
#define ROUNDS_MIN 4 /* fewer aren't worth it */
#define BLOCKS_MAX 32
#define GROUPS_MAX 24 /* on all exits */

static bool
is_outside(class loop *loop, tree value)
{
	basic_block bb;

	if (value == NULL_TREE || is_gimple_min_invariant(value))
		return true;
	if (TREE_CODE(value) != SSA_NAME)
		return false;
	bb = gimple_bb(SSA_NAME_DEF_STMT(value));
	return !SSA_NAME_OCCURS_IN_ABNORMAL_PHI(value) &&
	       (bb == NULL || !flow_bb_inside_loop_p(loop, bb));
}

/* Is its place the same in all rounds? */
static bool
is_invariant(class loop *loop, const deref *a)
{
	if (a->var || a->size < 0)
		return false;
	if (TREE_CODE(a->ref) == SSA_NAME)
		return is_outside(loop, a->ref);
	if (TREE_CODE(a->ref) != MEM_REF && TREE_CODE(a->ref) != TARGET_MEM_REF)
		return false;
	return is_outside(loop, TREE_OPERAND(a->ref, 0)) &&
	       is_outside(loop, a->index) && is_outside(loop, a->index2);
}

/* May ROUNDS_AT_ONCE rounds be added at once? */
static bool
is_few(const std::vector<event> &events)
{
	for (const event &e : events)
		if (e.kind == EVENT_RANGE ||
		    e.sum * ROUNDS_AT_ONCE > MEMMON_ADD_MAX)
			return false;
	return true;
}

/* Can the group be counted behind its loop? */
static bool
is_behind(class loop *loop, const group *g)
{
	unsigned i;
	deref *a;

	if (!dominated_by_p(CDI_DOMINATORS, loop->latch,
			    gimple_bb(g->first.stmt)) ||
	    !is_few(g->events) || !is_few(g->aligned))
		return false;
	FOR_EACH_VEC_ELT(g->members, i, a)
	if (!is_invariant(loop, a))
		return false;
	return true;
}

/* Goes from `bb' to `yes' if the value isn't 0, else to `no'. */
static void
branch(basic_block bb, tree value, edge yes, edge no,
       profile_probability likely)
{
	gimple_stmt_iterator gsi = gsi_last_bb(bb);

	gsi_insert_after(&gsi,
			 gimple_build_cond(NE_EXPR, value, size_zero_node,
					   NULL_TREE, NULL_TREE),
			 GSI_CONTINUE_LINKING);
	yes->flags = EDGE_TRUE_VALUE;
	yes->probability = likely;
	no->flags = EDGE_FALSE_VALUE;
	no->probability = likely.invert();
}

/* A block on an exit, and its data. */
struct landing {
	gimple *anchor; /* groups go here */
	tree times;	/* their number of rounds, as a word */
};

/* The landing for n rounds; `none': n may be 0. */
static landing
open_landing(edge way, tree n, bool none, location_t where)
{
	basic_block before = split_edge(way);
	basic_block bb = split_edge(single_succ_edge(before));
	basic_block behind = split_edge(single_succ_edge(bb));
	edge in = single_succ_edge(before), out = single_succ_edge(bb), again;
	tree left = make_ssa_name(sizetype), some, rest;
	gphi *phi = create_phi_node(left, bb);
	gimple_stmt_iterator gsi = gsi_last_bb(bb);
	gimple_seq seq = NULL;
	landing l;

	some = rounds_value(&seq, fold_build2(MIN_EXPR, sizetype, left,
					      size_int(ROUNDS_AT_ONCE)));
	l.times = code_convert(&seq, code_cell_type(), some, where);
	l.anchor = gimple_build_nop();
	code_add(&seq, l.anchor, where);
	rest = code_binary(&seq, MINUS_EXPR, left, some, where);
	gsi_insert_seq_after(&gsi, seq, GSI_CONTINUE_LINKING);
	again = make_edge(bb, bb, 0);
	branch(bb, rest, again, out, profile_probability::very_unlikely());
	add_phi_arg(phi, n, in, where);
	add_phi_arg(phi, rest, again, where);
	if (none) {
		branch(before, n, in, make_edge(before, behind, 0),
		       profile_probability::likely());
		set_immediate_dominator(CDI_DOMINATORS, behind, before);
	}
	loops_state_set(LOOPS_NEED_FIXUP);
	return l;
}

/* A copy of the group for the landing. */
static group *
move(const group *g, const landing &l)
{
	group *to = new group();
	unsigned i;
	deref *a;

	to->first = g->first;
	to->first.stmt = l.anchor;
	FOR_EACH_VEC_ELT(g->members, i, a)
	{
		to->members.safe_push(*a);
		to->members.last().stmt = l.anchor;
	}
	to->times = l.times;
	group_plan(to);
	/* It needs no other event's check, and no other event may use its
	 * check. */
	for (event &e : to->events)
		e.sum = MEMMON_ADD_MAX;
	for (event &e : to->aligned)
		e.sum = MEMMON_ADD_MAX;
	return to;
}

/* Groups for an exit: first those that come behind it, then the others. */
static void
put(edge exit, const counter *c, const vec<group *> &behind, vec<group *> *out)
{
	location_t where = gimple_location(rounds_last(exit->src));
	basic_block top = split_edge(exit);
	gimple_stmt_iterator gsi = gsi_last_bb(top);
	gimple_seq seq = NULL;
	tree n[2] = { rounds_before(&seq, c, exit), NULL_TREE };

	n[1] = rounds_value(&seq, fold_build2(PLUS_EXPR, sizetype, n[0],
					      size_one_node));
	gsi_insert_seq_after(&gsi, seq, GSI_CONTINUE_LINKING);
	for (int done = 0; done < 2; done++) {
		landing l = {};

		for (unsigned i = 0; i < behind.length(); i++) {
			basic_block bb = gimple_bb(behind[i]->first.stmt);

			if (dominated_by_p(CDI_DOMINATORS, exit->src, bb) !=
			    (done != 0))
				continue;
			if (l.anchor == NULL)
				l = open_landing(single_succ_edge(top), n[done],
						 !done, where);
			out->safe_push(move(behind[i], l));
		}
	}
}

/* Is the loop known to run too few rounds? */
static bool
is_short(class loop *loop)
{
	HOST_WIDE_INT most = max_loop_iterations_int(loop);
	HOST_WIDE_INT rounds = estimated_loop_iterations_int(loop);

	return (most >= 0 && most + 1 < ROUNDS_MIN) ||
	       (rounds >= 0 && rounds + 1 < ROUNDS_MIN) ||
	       optimize_loop_for_size_p(loop);
}

static void
take_loop(class loop *loop, const vec<group *> &all, vec<group *> *put_at,
	  hash_set<group *> *taken)
{
	auto_vec<group *> behind;
#if GCCPLUGIN_VERSION >= 11000
	auto_vec<edge> exits(get_loop_exit_edges(loop));
#else
	vec<edge> exits = get_loop_exit_edges(loop);
#endif
	basic_block *body;
	unsigned i;
	counter c;
	group *g;

	if (loop->num_nodes > BLOCKS_MAX || loop->latch == NULL ||
	    !rounds_exits(exits) || is_short(loop))
		return;
	FOR_EACH_VEC_ELT(all, i, g)
	if (gimple_bb(g->first.stmt)->loop_father == loop && is_behind(loop, g))
		behind.safe_push(g);
	if (behind.is_empty() || behind.length() * exits.length() > GROUPS_MAX)
		return;
	body = get_loop_body(loop);
	if (rounds_plain(loop, body, true)) {
		if (!rounds_counter(loop, &c))
			rounds_add_counter(loop, &c);
		for (i = 0; i < exits.length(); i++)
			put(exits[i], &c, behind, put_at);
		FOR_EACH_VEC_ELT(behind, i, g)
		taken->add(g);
	}
	free(body);
}

/* Moves accesses to the same place in all rounds of these loops behind them. */
void
invariant_collect(const vec<class loop *> &innermost, vec<group *> *groups)
{
	auto_vec<group *> more;
	hash_set<group *> taken;
	unsigned i, k = 0;
	group *g;

	for (i = 0; i < innermost.length(); i++)
		take_loop(innermost[i], *groups, &more, &taken);
	FOR_EACH_VEC_ELT(*groups, i, g)
	if (taken.contains(g))
		group_free_one(g);
	else
		(*groups)[k++] = g;
	figures.invariant += groups->length() - k;
	groups->truncate(k);
	groups->safe_splice(more);
}
