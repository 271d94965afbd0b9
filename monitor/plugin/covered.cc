/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Events of a granule that an event before them has just checked: of the same
 * root, in a block that comes before theirs in any case, with no call and no
 * loop between the two.  They need no check: nothing that the check looks for
 * can have come about, but for a step of the clock that began in between, as it
 * may between the accesses of one event.  If a block comes after the other in
 * any case, too, its events join those before.  Where a loop lies between, or
 * the granule is another, what is known of where words are is still true.
 */
#include "monitor/plugin/gcc.h"
#include "monitor/plugin/plugin.h"

/* The groups of each block, by index. */
typedef vec<vec<group *>> block_groups;

/* Is what `e' accesses in the granule of an event that is checked? */
static event *
find(vec<event> *events, const event &e)
{
	unsigned i;
	event *by;

	FOR_EACH_VEC_ELT(*events, i, by)
	if (by->kind == EVENT_ONE && by->cover == NULL && by->from <= e.low &&
	    e.high <= by->to && by->sum + e.sum <= MEMMON_ADD_MAX)
		return by;
	return NULL;
}

/* What `by' covers of some events; `also', if any, must do so too. */
static void
cover_events(vec<event> *events, group *by, vec<event> *from, vec<event> *also,
	     bool joins)
{
	unsigned i;
	event *e, *one, *other = NULL;

	FOR_EACH_VEC_ELT(*events, i, e)
	{
		if (e->cover || e->kind == EVENT_RANGE)
			continue;
		one = find(from, *e);
		if (also)
			other = find(also, *e);
		if (one == NULL || (also && other == NULL))
			continue;
		one->sum += e->sum;
		if (other)
			other->sum += e->sum;
		e->cover = one;
		e->also = other;
		e->covering = by;
		e->joins = joins;
	}
}

/* The same of g's, where both may have two ways. */
static void
cover_group(group *g, group *by, bool joins)
{
	cover_events(&g->events, by, &by->events,
		     by->test_align ? &by->aligned : NULL, joins);
	if (g->test_align)
		cover_events(&g->aligned, by,
			     by->test_align ? &by->aligned : &by->events, NULL,
			     joins);
}

/* Is the word of what covers it known where it is? */
bool
covered_index(const event *e)
{
	return e->cover && !e->covering->test_align;
}

/* Are there no other events in the group? */
bool
covered_all(const group *g)
{
	if (g->test_align)
		return false;
	for (unsigned i = 0; i < g->events.length(); i++)
		if (!covered_index(&g->events[i]))
			return false;
	return true;
}

static bool
all_join(const vec<event> &events)
{
	for (unsigned i = 0; i < events.length(); i++)
		if (!events[i].joins)
			return false;
	return true;
}

static void
join(const vec<event> &events, bool both)
{
	for (unsigned i = 0; i < events.length(); i++) {
		const event &e = events[i];

		e.cover->reads += e.reads;
		e.cover->writes += e.writes;
		if (both && e.also) {
			e.also->reads += e.reads;
			e.also->writes += e.writes;
		}
	}
	figures.joined += events.length();
}

/* Finds what covers g's events; true: there is none left. */
static bool
cover(const regions *all, const block_groups &blocks, group *g)
{
	basic_block bb = gimple_bb(g->first.stmt);
	climb c(all, bb);

	while (g->segment == 0 && c.up()) {
		const vec<group *> &groups = blocks[c.top->index];
		bool joins = dominated_by_p(CDI_POST_DOMINATORS, c.top, bb) &&
			     !c.comes_again();

		for (unsigned i = 0; i < groups.length(); i++) {
			group *by = groups[i];

			if (by->gone ||
			    by->segment != all->calls[c.top->index] ||
			    !group_same_root(&by->first, &g->first))
				continue;
			if (!c.rounds)
				cover_group(g, by, joins);
			if (g->before == NULL)
				g->before = by;
		}
	}
	g->test_align = g->test_align && group_is_worth_test(g);
	if (!all_join(g->events) || (g->test_align && !all_join(g->aligned)))
		return false;
	join(g->events, !g->test_align);
	if (g->test_align)
		join(g->aligned, false);
	g->gone = true;
	return true;
}

/*
 * Which events are covered.  Groups come before those that they cover from here
 * on, and those that nothing is left of go.
 */
void
covered_find(function *fun, const regions *all, vec<group *> *groups)
{
	block_groups blocks = vNULL;
	auto_vec<group *> gone;
	auto_vec<basic_block> work;
	unsigned i;
	group *g;

	calculate_dominance_info(CDI_POST_DOMINATORS);
	blocks.safe_grow_cleared(last_basic_block_for_fn(fun));
	FOR_EACH_VEC_ELT(*groups, i, g)
	blocks[gimple_bb(g->first.stmt)->index].safe_push(g);
	groups->truncate(0);
	work.safe_push(ENTRY_BLOCK_PTR_FOR_FN(fun));
	while (!work.is_empty()) {
		basic_block bb = work.pop(), son;

		FOR_EACH_VEC_ELT(blocks[bb->index], i, g)
		(cover(all, blocks, g) ? &gone : groups)->safe_push(g);
		for (son = first_dom_son(CDI_DOMINATORS, bb); son;
		     son = next_dom_son(CDI_DOMINATORS, son))
			work.safe_push(son);
	}
	group_free(&gone);
	for (i = 0; i < blocks.length(); i++)
		blocks[i].release();
	blocks.release();
}
