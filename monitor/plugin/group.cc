/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Accesses become events.  Those of one basic block through one root form a
 * group; in it, what is in one granule for sure becomes one event.  What is
 * sure depends on what is known of the root's alignment: of a pointer to a
 * struct of 8-byte members, that it is a multiple of 8.  Blocks of malloc are
 * multiples of 16, so a struct's start mostly is: where that would save enough
 * events, the code tests for it, and has both ways.
 */
#include "monitor/plugin/gcc.h"
#include "monitor/plugin/plugin.h"

/* What an event costs, about, in instructions, but to find its word. */
static const int event_costs[] = { 4, 11, 25 };
#define COST_OF_TEST 2
#define COST_OF_ADD 1 /* of a covered one */
#define COST_OF_WORD 3
#define INLINE_MAX 64 /* bytes that events are made for inline */

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

static void
add_event(vec<event> *events, const event &e)
{
	unsigned i;
	event *old;

	FOR_EACH_VEC_ELT(*events, i, old)
	if (options.merge && old->kind == e.kind && old->window == e.window &&
	    old->more == e.more && old->reads + e.reads <= MEMMON_ADD_MAX &&
	    old->writes + e.writes <= MEMMON_ADD_MAX) {
		old->reads += e.reads;
		old->writes += e.writes;
		old->sum += e.sum;
		old->low = MIN(old->low, e.low);
		old->high = MAX(old->high, e.high);
		return;
	}
	events->safe_push(e);
}

static void
set_window(event *e, HOST_WIDE_INT window, unsigned align, unsigned base)
{
	e->window = window;
	e->from = window - base;
	e->to = e->from + align;
}

/* Adds the events of one access; the root is `base' modulo `align'. */
static void
add_events(vec<event> *events, const deref *a, unsigned align, unsigned base)
{
	HOST_WIDE_INT at = a->off + base, window = at & -(HOST_WIDE_INT)align;
	HOST_WIDE_INT off = a->off, end = a->off + a->size;
	event e = event();

	e.kind = EVENT_ONE;
	e.off = e.low = off;
	e.high = end;
	e.reads = a->reads;
	e.writes = a->writes;
	e.sum = MAX(e.reads, e.writes);
	if (a->size < 0 || a->size > INLINE_MAX) {
		e.kind = EVENT_RANGE;
		e.more = a->size;
		e.window = off;
	} else if (at + a->size <= window + align) {
		set_window(&e, window, align, base);
	} else if (align == GRANULE) {
		for (; window < at + a->size; window += GRANULE) {
			set_window(&e, window, align, base);
			e.off = e.low = MAX(e.from, off);
			e.high = MIN(e.to, end);
			add_event(events, e);
		}
		return;
	} else {
		for (; off + GRANULE < end; off += GRANULE) {
			e.off = e.low = off;
			e.high = off + 1;
			set_window(&e, (off + base) & -(HOST_WIDE_INT)align,
				   align, base);
			add_event(events, e);
		}
		e.kind = EVENT_PAIR;
		e.off = e.low = off;
		e.high = end;
		e.window = off;
		e.more = end - off;
	}
	add_event(events, e);
}

static int
cost(const vec<event> &events)
{
	unsigned known = 0;
	int sum = 0;

	for (unsigned i = 0; i < events.length(); i++) {
		const event &e = events[i];
		unsigned place = 1u << (e.from & (GRANULE - 1));

		sum += e.cover ? COST_OF_ADD : event_costs[e.kind];
		if (e.kind == EVENT_RANGE || covered_index(&e))
			continue;
		/* Multiples of 16 apart, they need it once. */
		if (e.kind != EVENT_ONE || !(known & place))
			sum += COST_OF_WORD;
		if (e.kind == EVENT_ONE)
			known |= place;
	}
	return sum;
}

bool
group_is_worth_test(const group *g)
{
	return cost(g->aligned) + COST_OF_TEST < cost(g->events);
}

/* Is it computed from another by something that 16 may not divide? */
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
 * Is the root likely a block's start, or as good as one?  Not if it was
 * computed: elements of an array are multiples of 16 at random, unless their
 * size is one.
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
plan(group *g)
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
	g->test_align = group_is_worth_test(g);
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

/* All groups of a function, but without accesses of statements in `skip'. */
void
group_collect(function *fun, hash_set<gimple *> *skip, vec<group *> *out)
{
	basic_block bb;
	unsigned i;
	group *g;

	FOR_EACH_BB_FN(bb, fun)
	collect_block(bb, skip, out);
	FOR_EACH_VEC_ELT(*out, i, g)
	plan(g);
}

void
group_free(vec<group *> *groups)
{
	unsigned i;
	group *g;

	FOR_EACH_VEC_ELT(*groups, i, g)
	{
		g->members.release();
		g->events.release();
		g->aligned.release();
		delete g;
	}
}
