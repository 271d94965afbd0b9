/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Accesses with a fixed stride in an innermost loop that calls nothing.  They
 * aren't counted in the loop, but behind it, by one call of __memmon_loop() on
 * each exit.  rounds.cc finds their number.
 *
 * This pays off for adjacent accesses in long loops: loops that are known to be
 * long, or that gcc has vectorized.  Other loops often run a few times only
 * (cfrac is 20% slower with them).  They get a copy for short runs, whose
 * accesses are counted in the loop, if the number of rounds is known when the
 * loop starts.  `all-loops' takes loops without such a copy, too.
 */
#include "monitor/plugin/gcc.h"
#include "monitor/plugin/plugin.h"

#define ROUNDS_MIN 16 /* what a call and its registers cost */
#define CALLS_MAX 4 /* at a loop's end */
#define BLOCKS_MAX 32
#define COPY_BLOCKS_MAX 6

/* Accesses of one kind: at base + off, + stride, ... */
struct strided {
	tree base[3]; /* pointer, index * step, index2; NULL: none */
	HOST_WIDE_INT scale, off, stride, size;
	basic_block bb;
	unsigned reads, writes;
};

/* Is it likely long enough? */
static bool
is_long(class loop *loop, const vec<strided> &all)
{
	HOST_WIDE_INT most = max_loop_iterations_int(loop);
	HOST_WIDE_INT rounds = estimated_loop_iterations_int(loop);

	if (options.all_loops)
		return true;
	if (most >= 0 && most + 1 < ROUNDS_MIN)
		return false;
	if (rounds >= 0)
		return rounds + 1 >= ROUNDS_MIN;
	for (unsigned i = 0; i < all.length(); i++)
		if (all[i].size >= GRANULE)
			return true;
	return false;
}

/* Adds one part of an address: `value' times `scale'. */
static bool
add_part(class loop *loop, strided *s, int part, tree value,
	 HOST_WIDE_INT scale)
{
	HOST_WIDE_INT step;
	affine_iv iv;

	if (value == NULL)
		return true;
	if (!simple_iv(loop, loop, value, &iv, false) ||
	    !rounds_step(iv.step, &step) ||
	    contains_abnormal_ssa_name_p(value) ||
	    contains_abnormal_ssa_name_p(iv.base) ||
	    TYPE_PRECISION(TREE_TYPE(value)) < POINTER_SIZE)
		return false;
	s->base[part] = iv.base;
	s->stride += step * scale;
	return true;
}

static bool
set_strided(class loop *loop, strided *s, const deref *a)
{
	tree pointer;

	*s = strided();
	if (a->var || a->size < 0 ||
	    (TREE_CODE(a->ref) != MEM_REF &&
	     TREE_CODE(a->ref) != TARGET_MEM_REF))
		return false;
	s->off = a->disp;
	s->scale = a->step ? int_cst_value(a->step) : 1;
	pointer = TREE_OPERAND(a->ref, 0);
	s->off += access_offset(TREE_OPERAND(a->ref, 1));
	if (!add_part(loop, s, 0, pointer, 1) ||
	    !add_part(loop, s, 1, a->index, s->scale) ||
	    !add_part(loop, s, 2, a->index2, 1))
		return false;
	s->size = a->size;
	s->bb = gimple_bb(a->stmt);
	s->reads = a->reads;
	s->writes = a->writes;
	/* Adjacent accesses: the monitor counts these quickly. */
	return pow2p_hwi(s->size) && s->size <= 32 &&
	       (s->stride == s->size || s->stride == -s->size);
}

static bool
same_base(tree a, tree b)
{
	return a == b || (a && b && operand_equal_p(a, b, 0));
}

static void
add(vec<strided> *all, const strided &s)
{
	unsigned i;
	strided *old;

	FOR_EACH_VEC_ELT(*all, i, old)
	if (old->off == s.off && old->stride == s.stride &&
	    old->size == s.size && old->scale == s.scale && old->bb == s.bb &&
	    same_base(old->base[0], s.base[0]) &&
	    same_base(old->base[1], s.base[1]) &&
	    same_base(old->base[2], s.base[2])) {
		old->reads += s.reads;
		old->writes += s.writes;
		return;
	}
	all->safe_push(s);
}

/* Adds the statement's accesses if all of them have a stride. */
static bool
take_statement(class loop *loop, gimple *stmt, vec<strided> *all)
{
	auto_vec<deref> accesses;
	auto_vec<strided> found;
	unsigned i;
	deref *a;

	access_collect(stmt, &accesses);
	FOR_EACH_VEC_ELT(accesses, i, a)
	{
		strided s;

		if (!set_strided(loop, &s, a))
			return false;
		found.safe_push(s);
	}
	for (i = 0; i < found.length(); i++)
		add(all, found[i]);
	return !found.is_empty();
}

static void
take_loop(class loop *loop, basic_block *body, vec<strided> *all,
	  vec<gimple *> *taken)
{
	for (unsigned i = 0; i < loop->num_nodes; i++) {
		gimple_stmt_iterator gsi;

		if (!dominated_by_p(CDI_DOMINATORS, loop->latch, body[i]))
			continue;
		for (gsi = gsi_start_bb(body[i]); !gsi_end_p(gsi);
		     gsi_next(&gsi))
			if (!is_gimple_debug(gsi_stmt(gsi)) &&
			    take_statement(loop, gsi_stmt(gsi), all))
				taken->safe_push(gsi_stmt(gsi));
	}
}

static tree
first_address(gimple_seq *seq, const strided *s)
{
	tree at = size_int(s->off);

	for (int i = 0; i < 3; i++) {
		tree part;

		if (s->base[i] == NULL)
			continue;
		part = fold_convert(sizetype, s->base[i]);
		if (i == 1)
			part = fold_build2(MULT_EXPR, sizetype, part,
					   size_int(s->scale));
		at = fold_build2(PLUS_EXPR, sizetype, part, at);
	}
	return rounds_value(seq, fold_convert(ptr_type_node, at));
}

static tree
loop_function(void)
{
	if (shared[SHARED_LOOP] == NULL)
		shared[SHARED_LOOP] = code_function(
			"__memmon_loop",
			build_function_type_list(void_type_node, ptr_type_node,
						 ptrdiff_type_node, sizetype,
						 sizetype, uint32_type_node,
						 uint32_type_node, NULL_TREE));
	return shared[SHARED_LOOP];
}

static void
emit_exit(edge exit, const counter *c, const vec<strided> &all)
{
	location_t where = gimple_location(rounds_last(exit->src));
	gimple_seq seq = NULL;
	gimple_stmt_iterator gsi;
	tree before = rounds_before(&seq, c, exit);

	for (unsigned i = 0; i < all.length(); i++) {
		const strided *s = &all[i];
		tree n = before;
		gcall *call;

		if (dominated_by_p(CDI_DOMINATORS, exit->src, s->bb))
			n = rounds_value(&seq, fold_build2(PLUS_EXPR, sizetype,
							   n, size_one_node));
		call = gimple_build_call(
			loop_function(), 6, first_address(&seq, s),
			build_int_cst(ptrdiff_type_node, s->stride), n,
			size_int(s->size),
			build_int_cst(uint32_type_node, s->reads),
			build_int_cst(uint32_type_node, s->writes));
		gimple_set_location(call, where);
		gimple_seq_add_stmt(&seq, call);
	}
	gsi = gsi_start_bb(split_edge(exit));
	gsi_insert_seq_before(&gsi, seq, GSI_SAME_STMT);
}

/* The accesses of a loop that can be counted behind it. */
struct plan {
#if GCCPLUGIN_VERSION >= 11000
	auto_vec<edge> exits;
#else
	vec<edge> exits;
#endif
	auto_vec<strided> all;
	auto_vec<gimple *> taken;
	counter c;
};

/* false: nothing. */
static bool
make_plan(class loop *loop, plan *p)
{
	basic_block *body;

	/* As a vec that may be moved from: gcc 11 would copy an auto_vec. */
	p->exits = static_cast<vec<edge> &&>(get_loop_exit_edges(loop));
	p->c = counter();
	if (loop->num_nodes > BLOCKS_MAX || loop->latch == NULL ||
	    optimize_loop_for_size_p(loop))
		return false;
	body = get_loop_body(loop);
	if (rounds_exits(p->exits) && rounds_plain(loop, body, false) &&
	    rounds_counter(loop, &p->c))
		take_loop(loop, body, &p->all, &p->taken);
	free(body);
	return !p->all.is_empty() && p->all.length() <= CALLS_MAX;
}

static void
count_behind(class loop *loop, bool known_long, hash_set<gimple *> *skip)
{
	unsigned i;
	plan p;

	if (!make_plan(loop, &p) || (!known_long && !is_long(loop, p.all)))
		return;
	for (i = 0; i < p.exits.length(); i++)
		emit_exit(p.exits[i], &p.c, p.all);
	for (i = 0; i < p.taken.length(); i++)
		skip->add(p.taken[i]);
	figures.loops++;
}

static bool
is_expensive(tree value)
{
#if GCCPLUGIN_VERSION >= 14000
	bool overflows;

	return expression_expensive_p(value, &overflows);
#else
	return expression_expensive_p(value);
#endif
}

/* A condition before the loop: it will run long; or NULL if none is known. */
static tree
is_long_now(class loop *loop, const vec<edge> &exits)
{
	for (unsigned i = 0; i < exits.length(); i++) {
		tree_niter_desc rounds;
		gcond *unused;

		/* A wrong guess does no harm: both versions of the loop
		 * count. */
		if (number_of_iterations_exit_assumptions(loop, exits[i],
							  &rounds, &unused) &&
		    TREE_CODE(rounds.niter) != INTEGER_CST &&
		    !is_expensive(rounds.niter))
			return fold_build2(GE_EXPR, boolean_type_node,
					   unshare_expr(rounds.niter),
					   build_int_cst(TREE_TYPE(
								 rounds.niter),
							 ROUNDS_MIN - 1));
	}
	return NULL_TREE;
}

/* Copies the loop for short runs; false: it can't be copied. */
static bool
copy_short(class loop *loop)
{
	profile_probability even = profile_probability::even();
	HOST_WIDE_INT most = max_loop_iterations_int(loop);
	HOST_WIDE_INT rounds = estimated_loop_iterations_int(loop);
	basic_block condition;
	tree is_long_here;
	plan p;

	if ((most >= 0 && most + 1 < ROUNDS_MIN) ||
	    (rounds >= 0 && rounds + 1 < ROUNDS_MIN) ||
	    loop->num_nodes > COPY_BLOCKS_MAX || !can_duplicate_loop_p(loop) ||
	    !make_plan(loop, &p) || is_long(loop, p.all))
		return false;
	is_long_here = is_long_now(loop, p.exits);
	return is_long_here &&
	       loop_version(loop, is_long_here, &condition, even, even, even,
			    even, true) != NULL;
}

/* Finds which of the loops have a copy now. */
static void
copy_loops(const vec<class loop *> &loops, hash_set<class loop *> *copied)
{
	initialize_original_copy_tables();
	for (unsigned i = 0; i < loops.length(); i++)
		if (copy_short(loops[i]))
			copied->add(loops[i]);
	free_original_copy_tables();
	if (copied->is_empty())
		return;
	update_ssa(TODO_update_ssa);
	scev_reset();
	free_dominance_info(CDI_DOMINATORS);
	calculate_dominance_info(CDI_DOMINATORS);
}

/* The loops that contain no other loop. */
void
loop_innermost(function *fun, vec<class loop *> *out)
{
#if GCCPLUGIN_VERSION >= 12000
	for (class loop *loop : loops_list(fun, LI_ONLY_INNERMOST))
#else
	class loop *loop;

	FOR_EACH_LOOP_FN(fun, loop, LI_ONLY_INNERMOST)
#endif
		out->safe_push(loop);
}

/* Counts accesses with a stride; adds their statements to `skip'. */
void
loop_collect(const vec<class loop *> &innermost, hash_set<gimple *> *skip)
{
	hash_set<class loop *> copied;

	if (!options.all_loops)
		copy_loops(innermost, &copied);
	for (unsigned i = 0; i < innermost.length(); i++)
		count_behind(innermost[i], copied.contains(innermost[i]), skip);
}
