/* SPDX-License-Identifier: MIT */
/*
 * Events of a granule that an event before them has just checked: of the same
 * root, in a block that comes before theirs in any case, with no call and no
 * loop between the two.  They need no check: nothing that the check looks for
 * can have come about, but for a step of the clock that began in between, as it
 * may between the accesses of one event.  If a block comes after the other in
 * any case, too, its events join those before.  Where a loop lies between, or
 * the granule is another, what is known of where words are is still true.
 */
#include "monitor/pass/pass.h"

/* The groups of each block. */
typedef DenseMap<const BasicBlock *, std::vector<group *>> block_groups;

/* Is what `e' accesses in the granule of an event that is checked? */
static event *
find(std::vector<event> *events, const event &e)
{
	for (event &by : *events)
		if (by.kind == EVENT_ONE && !by.cover && by.from <= e.low &&
		    e.high <= by.to && by.sum + e.sum <= MEMMON_ADD_MAX)
			return &by;
	return nullptr;
}

/* What `by' covers of some events; `also', if any, must do so too. */
static void
cover_events(std::vector<event> *events, group *by, std::vector<event> *from,
	     std::vector<event> *also, bool joins)
{
	for (event &e : *events) {
		event *one, *other = nullptr;

		if (e.cover || e.kind == EVENT_RANGE)
			continue;
		one = find(from, e);
		if (also)
			other = find(also, e);
		if (!one || (also && !other))
			continue;
		one->sum += e.sum;
		if (other)
			other->sum += e.sum;
		e.cover = one;
		e.also = other;
		e.covering = by;
		e.joins = joins;
	}
}

/* The same of g's, where both may have two ways. */
static void
cover_group(group *g, group *by, bool joins)
{
	cover_events(&g->events, by, &by->events,
		     by->test_align ? &by->aligned : nullptr, joins);
	if (g->test_align)
		cover_events(&g->aligned, by,
			     by->test_align ? &by->aligned : &by->events,
			     nullptr, joins);
}

/* Is the word of what covers it known where it is? */
bool
covered_index(const event &e)
{
	return e.cover && !e.covering->test_align;
}

/* Are there no other events in the group? */
bool
covered_all(const group *g)
{
	if (g->test_align)
		return false;
	for (const event &e : g->events)
		if (!covered_index(e))
			return false;
	return true;
}

static bool
all_join(const std::vector<event> &events)
{
	for (const event &e : events)
		if (!e.joins)
			return false;
	return true;
}

static void
join(const std::vector<event> &events, bool both)
{
	for (const event &e : events) {
		e.cover->reads += e.reads;
		e.cover->writes += e.writes;
		if (both && e.also) {
			e.also->reads += e.reads;
			e.also->writes += e.writes;
		}
	}
	figures.joined += events.size();
}

/* Finds what covers g's events; true: there is none left. */
static bool
cover(const regions *all, const PostDominatorTree *behind,
      const block_groups &blocks, group *g)
{
	BasicBlock *bb = g->first.where->getParent();
	climb c(all, bb);

	while (g->segment == 0 && c.up()) {
		bool joins = behind->dominates(bb, c.top) && !c.comes_again();

		for (group *by : blocks.lookup(c.top)) {
			if (by->gone ||
			    by->segment != all->calls.lookup(c.top) ||
			    !group_same_root(&by->first, &g->first))
				continue;
			if (!c.rounds)
				cover_group(g, by, joins);
			if (!g->before)
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
covered_find(const regions *all, const PostDominatorTree *behind,
	     std::vector<group *> *groups)
{
	SmallVector<DomTreeNode *, 32> work = { all->dt->getRootNode() };
	std::vector<group *> gone, left;
	block_groups blocks;

	for (group *g : *groups)
		if (all->dt->isReachableFromEntry(g->first.where->getParent()))
			blocks[g->first.where->getParent()].push_back(g);
		else
			gone.push_back(g);
	while (!work.empty()) {
		DomTreeNode *node = work.pop_back_val();

		for (group *g : blocks.lookup(node->getBlock()))
			(cover(all, behind, blocks, g) ? &gone : &left)
				->push_back(g);
		work.append(node->begin(), node->end());
	}
	*groups = left;
	for (group *g : gone)
		delete g;
}
