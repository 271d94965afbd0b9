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
			covered_from(g, by, !c.rounds, joins);
		}
	}
	return covered_is_gone(g, &figures.joined);
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
