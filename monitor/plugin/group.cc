/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Accesses become events: those of one basic block through one root form a
 * group (see grouping.h).
 */
#include "monitor/plugin/gcc.h"
#include "monitor/plugin/plugin.h"

static bool
same_var(tree a, tree b)
{
	return a == b || (a && b && operand_equal_p(a, b, 0));
}

bool
group_same_root(const deref *a, const deref *b)
{
	return a->root == b->root && a->index == b->index &&
	       same_var(a->step, b->step) && a->index2 == b->index2 &&
	       same_var(a->var, b->var) && a->size >= 0 && b->size >= 0 &&
	       TREE_CODE(a->ref) != SSA_NAME && TREE_CODE(b->ref) != SSA_NAME;
}

/* Is it computed from another pointer by an offset that 16 may not divide? */
static bool
is_computed(tree pointer)
{
	gimple *def;
	tree off;

	if (TREE_CODE(pointer) != SSA_NAME)
		return false;
	def = SSA_NAME_DEF_STMT(pointer);
	if (!is_gimple_assign(def) ||
	    gimple_assign_rhs_code(def) != POINTER_PLUS_EXPR)
		return false;
	off = gimple_assign_rhs2(def);
	if (TREE_CODE(off) == INTEGER_CST)
		return (access_offset(off) & (GRANULE - 1)) != 0;
	return wi::bit_and(get_nonzero_bits(off), GRANULE - 1) != 0;
}

/*
 * Is the root likely the start of a block, or 16-byte aligned like one?  Not if
 * it was computed: elements of an array have random alignment, unless 16
 * divides their size.
 */
static bool
may_be_start(const deref *a)
{
	gimple *def;

	if (a->index || a->index2 || a->var || TREE_CODE(a->root) != SSA_NAME)
		return false;
	def = SSA_NAME_DEF_STMT(a->root);
	if (gimple_code(def) != GIMPLE_PHI)
		return !is_computed(a->root);
	for (unsigned i = 0; i < gimple_phi_num_args(def); i++)
		if (is_computed(gimple_phi_arg_def(def, i)))
			return false;
	return true;
}

static void
add_events(std::vector<event> *events, const deref *a, unsigned align,
	   unsigned base)
{
	grouping_access(events, { a->off, a->size, a->reads, a->writes }, align,
			base, options.merge);
}

/* Plans the events that the group's members make. */
void
group_plan(group *g)
{
	unsigned align = 1, base = 0, i;
	deref *a;

	FOR_EACH_VEC_ELT(g->members, i, a)
	if (a->align > align) {
		align = a->align;
		base = (a->misalign - a->off) & (align - 1);
	}
	FOR_EACH_VEC_ELT(g->members, i, a)
	add_events(&g->events, a, align, base);
	if (align == GRANULE || !options.merge || !optimize ||
	    g->members.length() < 2 || !may_be_start(&g->first))
		return;
	FOR_EACH_VEC_ELT(g->members, i, a)
	add_events(&g->aligned, a, GRANULE, 0);
	g->test_align = grouping_is_worth_test(g);
}

static group *
find(vec<group *> *groups, unsigned from, const deref *a)
{
	if (options.merge && optimize)
		for (unsigned i = from; i < groups->length(); i++)
			if (group_same_root(&(*groups)[i]->first, a))
				return (*groups)[i];
	return NULL;
}

static void
add(vec<group *> *groups, unsigned from, unsigned segment, const deref *a)
{
	group *g = find(groups, from, a);

	if (g == NULL) {
		g = new group();
		g->first = *a;
		g->segment = segment;
		groups->safe_push(g);
	}
	g->members.safe_push(*a);
}

static void
collect_block(basic_block bb, hash_set<gimple *> *skip, vec<group *> *out)
{
	gimple_stmt_iterator gsi;
	unsigned from = out->length(), segment = 0, i;
	auto_vec<deref> accesses;
	deref *a;

	for (gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
		gimple *stmt = gsi_stmt(gsi);

		if (!skip->contains(stmt)) {
			accesses.truncate(0);
			access_collect(stmt, &accesses);
			FOR_EACH_VEC_ELT(accesses, i, a)
			add(out, from, segment, a);
		}
		if (access_ends_group(stmt)) {
			from = out->length();
			segment++;
		}
	}
}

/* All groups of a function, without accesses of statements in `skip'. */
void
group_collect(function *fun, hash_set<gimple *> *skip, vec<group *> *out)
{
	basic_block bb;
	unsigned i;
	group *g;

	FOR_EACH_BB_FN(bb, fun)
	collect_block(bb, skip, out);
	FOR_EACH_VEC_ELT(*out, i, g)
	group_plan(g);
}

void
group_free_one(group *g)
{
	g->members.release();
	delete g;
}

void
group_free(vec<group *> *groups)
{
	unsigned i;
	group *g;

	FOR_EACH_VEC_ELT(*groups, i, g)
	group_free_one(g);
}
