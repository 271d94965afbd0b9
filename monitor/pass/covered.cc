/* SPDX-License-Identifier: MIT */
/*
 * Finds events that need no check, because an earlier event has just checked
 * their granule.  The earlier event has the same root and is in a block that
 * always runs before theirs, with no call and no loop between the two.  Nothing
 * that the check looks for can have happened since, except for a tick of the
 * clock, which may also come between the accesses of one event.  If the later
 * block also always runs after the earlier one, its events join those of the
 * earlier group.  If a loop is between the two, or the granule is another one,
 * the index of the word is still valid.
 *
 * In a program that was compiled for samples, events only join: a covered one
 * would have to add even if the block isn't a sample.
 */
#include "monitor/pass/pass.h"

/* The groups of each block. */
typedef DenseMap<const BasicBlock *, std::vector<group *>> block_groups;

/* Finds what covers g's events; true: no event is left. */
static bool
cover(const regions *all, const PostDominatorTree *behind,
      const block_groups &blocks, group *g)
{
	BasicBlock *bb = g->first.where->getParent();
	climb c(all, bb);

	while (g->segment == 0 && c.up()) {
		bool joins = behind->dominates(bb, c.top) && !c.comes_again();

		for (group *by : blocks.lookup(c.top)) {
			if (by->gone || (options.sample && !joins) ||
			    by->segment != all->calls.lookup(c.top) ||
			    !group_same_root(&by->first, &g->first))
				continue;
			covered_from(g, by, !c.rounds, joins);
		}
	}
	return covered_is_gone(g, options.sample, &figures.joined);
}

/*
 * Finds covered events.  `groups' is then in an order where a group comes
 * before those that it covers; groups without events are freed.
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
