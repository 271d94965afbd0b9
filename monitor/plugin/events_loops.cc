/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Events of control flow: a function is entered and left; a loop is entered,
 * its header runs, an exit is taken; a frame continues behind an exception.
 * Their code is at starts and ends of blocks; some blocks are made for it.
 */
#include "monitor/plugin/gcc.h"
#include "monitor/plugin/events.h"

events_draft
events_of_frame(unsigned kind, unsigned place)
{
	events_draft d = {};

	d.kind = kind;
	d.place = place;
	if (wanted.has(kind, EVENTS_ADDRESS))
		d.source = FROM_FRAME;
	return d;
}

static bool
is_abnormal(edge e)
{
	return (e->flags & (EDGE_ABNORMAL | EDGE_EH)) != 0;
}

/* Does the block start with a call that returns twice?  It must stay first. */
static bool
starts_twice(basic_block bb)
{
	gimple_stmt_iterator gsi = gsi_start_nondebug_after_labels_bb(bb);

	return !gsi_end_p(gsi) && is_gimple_call(gsi_stmt(gsi)) &&
	       (gimple_call_flags(gsi_stmt(gsi)) & ECF_RETURNS_TWICE);
}

static basic_block
split(events_function *f, edge e)
{
	basic_block bb = split_edge(e);

	f->start_of(bb);
	return bb;
}

/* Adds an event at the start of a block.  A second return there doesn't run
 * it. */
static void
at_start(events_function *f, basic_block bb, const events_draft &d)
{
	auto_vec<edge> ways;
	edge_iterator ei;
	unsigned i;
	edge e;

	if (!starts_twice(bb)) {
		f->start_of(bb).push_back(d);
		return;
	}
	FOR_EACH_EDGE(e, ei, bb->preds)
	if (!is_abnormal(e))
		ways.safe_push(e);
	FOR_EACH_VEC_ELT(ways, i, e)
	f->end_of(split(f, e)).push_back(d);
}

/* Adds events on an edge, before all others on it. */
void
events_on(events_function *f, edge e, const std::vector<events_draft> &all)
{
	bool alone = single_pred_p(e->dest) &&
		     e->dest != EXIT_BLOCK_PTR_FOR_FN(f->fun) &&
		     !starts_twice(e->dest);

	if (all.empty() || (!alone && (e->flags & EDGE_ABNORMAL)))
		return;
	std::vector<events_draft> &at =
		f->start_of(alone ? e->dest : split(f, e));
	at.insert(at.begin(), all.begin(), all.end());
}

/* May the statement call a function that allocates? */
static bool
calls(gimple *stmt)
{
	tree decl, type;

	if (!access_ends_group(stmt))
		return false;
	if (!gimple_call_builtin_p(stmt, BUILT_IN_NORMAL))
		return true;
	decl = gimple_call_fndecl(stmt);
	type = TREE_TYPE(TREE_TYPE(decl));
	switch (DECL_FUNCTION_CODE(decl)) {
	case BUILT_IN_MEMCPY:
	case BUILT_IN_MEMMOVE:
	case BUILT_IN_MEMSET:
		return false;
	default:
		return !SCALAR_FLOAT_TYPE_P(type) &&
		       !(gimple_call_flags(stmt) & (ECF_CONST | ECF_PURE));
	}
}

static bool
calls(basic_block bb)
{
	for (gimple_stmt_iterator gsi = gsi_start_nondebug_bb(bb);
	     !gsi_end_p(gsi); gsi_next_nondebug(&gsi))
		if (calls(gsi_stmt(gsi)))
			return true;
	return false;
}

/* ---------------------------------------------------------------- loops -- */

static bool
leaves(edge e, class loop *loop)
{
	return flow_bb_inside_loop_p(loop, e->src) &&
	       !flow_bb_inside_loop_p(loop, e->dest);
}

/* Do all edges to the same block leave the same loops? */
static bool
leave_alike(edge e)
{
	edge_iterator ei;
	edge other;

	FOR_EACH_EDGE(other, ei, e->dest->preds)
	for (class loop *l = e->src->loop_father; leaves(e, l);
	     l = loop_outer(l))
		if (!leaves(other, l))
			return false;
	FOR_EACH_EDGE(other, ei, e->dest->preds)
	for (class loop *l = other->src->loop_father; leaves(other, l);
	     l = loop_outer(l))
		if (!leaves(e, l))
			return false;
	return true;
}

static void
find_exits(events_function *f)
{
	auto_vec<edge> ways;
	basic_block bb;
	unsigned i;
	edge e;
	edge_iterator ei;

	FOR_EACH_BB_FN(bb, f->fun)
	FOR_EACH_EDGE(e, ei, bb->succs)
	if (e->dest != EXIT_BLOCK_PTR_FOR_FN(f->fun) &&
	    leaves(e, bb->loop_father))
		ways.safe_push(e);
	hash_set<basic_block> done;
	FOR_EACH_VEC_ELT(ways, i, e)
	{
		bool alike = leave_alike(e) && !starts_twice(e->dest);
		class loop *l = e->src->loop_father;
		std::vector<events_draft> all;

		if (!alike && (e->flags & EDGE_ABNORMAL))
			continue;
		for (; leaves(e, l); l = loop_outer(l))
			if (f->loops[l->num] != MEMMON_NO_PLACE)
				all.push_back(
					events_of_frame(MEMMON_EVENT_LOOP_EXIT,
							f->loops[l->num]));
		if (alike && done.add(e->dest))
			continue;
		std::vector<events_draft> &to =
			f->start_of(alike ? e->dest : split(f, e));

		to.insert(to.end(), all.begin(), all.end());
	}
}

/* Outer loops come first. */
static void
list_loops(auto_vec<class loop *> *out)
{
	class loop *l = current_loops->tree_root->inner;

	while (l) {
		out->safe_push(l);
		if (l->inner) {
			l = l->inner;
			continue;
		}
		while (l && l->next == NULL)
			l = loop_outer(l);
		l = l ? l->next : NULL;
	}
}

/* The loops' places. */
void
events_find_loops(events_function *f)
{
	bool some = wanted.only_calls(EVENTS_OF_LOOPS);
	std::vector<bool> chosen(number_of_loops(f->fun), !some);
	auto_vec<class loop *> all;
	basic_block bb;
	unsigned i;
	class loop *l;

	f->loops.assign(number_of_loops(f->fun), MEMMON_NO_PLACE);
	if (!(wanted.all() & EVENTS_OF_LOOPS))
		return;
	FOR_EACH_BB_FN(bb, f->fun)
	if (some && calls(bb))
		for (l = bb->loop_father; l; l = loop_outer(l))
			chosen[l->num] = true;
	list_loops(&all);
	FOR_EACH_VEC_ELT(all, i, l)
	if (chosen[l->num] && events_loop_in_scope(f, l))
		f->loops[l->num] =
			events_place_of_loop(f, l,
					     f->loops[loop_outer(l)->num]);
}

static void
find_entries(events_function *f)
{
	auto_vec<class loop *> all;
	unsigned i;
	class loop *l;

	list_loops(&all);
	FOR_EACH_VEC_ELT(all, i, l)
	{
		edge way = loop_preheader_edge(l);
		unsigned place = f->loops[l->num];

		if (place == MEMMON_NO_PLACE)
			continue;
		if (wanted.has(MEMMON_EVENT_LOOP) && way &&
		    !(way->flags & EDGE_ABNORMAL))
			f->end_of(single_succ_p(way->src) ? way->src
							  : split(f, way))
				.push_back(events_of_frame(MEMMON_EVENT_LOOP,
							   place));
		if (wanted.has(MEMMON_EVENT_ITERATION))
			at_start(f, l->header,
				 events_of_frame(MEMMON_EVENT_ITERATION,
						 place));
	}
}

/* ------------------------------------------------------------ functions -- */

/* Blocks where an exception arrives. */
static void
find_resumed(events_function *f)
{
	bool any = f->whole;
	basic_block bb;

	for (unsigned place : f->loops)
		any |= place != MEMMON_NO_PLACE;
	FOR_EACH_BB_FN(bb, f->fun)
	if (any && bb_has_eh_pred(bb))
		f->start_of(bb).push_back(
			events_of_frame(MEMMON_EVENT_RESUME, f->place));
}

/* Does an exception leave the function here? */
static bool
resumes_outside(basic_block bb)
{
	gimple_stmt_iterator gsi = gsi_last_nondebug_bb(bb);

	return !gsi_end_p(gsi) && gimple_code(gsi_stmt(gsi)) == GIMPLE_RESX &&
	       EDGE_COUNT(bb->succs) == 0;
}

static void
find_returns(events_function *f)
{
	basic_block bb;

	FOR_EACH_BB_FN(bb, f->fun)
	{
		gimple_stmt_iterator gsi = gsi_last_nondebug_bb(bb);

		if ((!gsi_end_p(gsi) &&
		     gimple_code(gsi_stmt(gsi)) == GIMPLE_RETURN) ||
		    resumes_outside(bb))
			f->end_of(bb).push_back(
				events_of_frame(MEMMON_EVENT_EXIT, f->place));
	}
}

/* Were the function's entry and exits asked for? */
static bool
has_frame(const events_function *f)
{
	bool all =
		!wanted.only_calls(EVENTS_OF_FUNCTIONS) ||
		(wanted.has(MEMMON_EVENT_STACK_ALLOC) && events_has_stack(f));
	basic_block bb;

	FOR_EACH_BB_FN(bb, f->fun)
	all = all || calls(bb);
	return f->whole && all;
}

/* Called before any events of statements are added: those come behind an
 * entry. */
void
events_find_ways(events_function *f)
{
	bool frame = has_frame(f);
	basic_block first =
		split(f, single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(f->fun)));

	if (frame && wanted.has(MEMMON_EVENT_ENTRY))
		f->start_of(first).push_back(
			events_of_frame(MEMMON_EVENT_ENTRY, f->place));
	if (wanted.has(MEMMON_EVENT_RESUME))
		find_resumed(f);
	if (wanted.has(MEMMON_EVENT_LOOP_EXIT))
		find_exits(f);
	find_entries(f);
	if (frame && wanted.has(MEMMON_EVENT_EXIT))
		find_returns(f);
}
