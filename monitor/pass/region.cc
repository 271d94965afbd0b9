/* SPDX-License-Identifier: MIT */
/*
 * The blocks that always run before a block, without a call on the way: its
 * dominators, one after the other, up to a call.
 */
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>

#include "monitor/pass/pass.h"

#define REGION_MAX 64 /* blocks to search for calls */
#define CLIMB_MAX 12 /* blocks to go up */

regions::regions(Function *f, DominatorTree *tree) : dt(tree)
{
	unsigned n = 1; /* 0: never reached */

	for (BasicBlock &bb : *f)
		for (const Instruction &i : bb)
			calls[&bb] += access_ends_group(&i);
	for (BasicBlock *bb : ReversePostOrderTraversal<Function *>(f))
		order[bb] = n++;
}

climb::climb(const regions *r, BasicBlock *from)
    : top(from), rounds(false), all(r), bottom(from), steps(0), blocks(0)
{
}

/*
 * Goes one block up.  false: it is the first block, or a way from there
 * contains a call.  A way on which a block runs twice sets `rounds'.
 */
bool
climb::up()
{
	auto *node = all->dt->getNode(top);
	SmallVector<BasicBlock *, 16> work = { top };
	BasicBlock *next;

	node = node ? node->getIDom() : nullptr;
	next = node ? node->getBlock() : nullptr;
	if (++steps > CLIMB_MAX || !next ||
	    (top != bottom && all->calls.lookup(top)))
		return false;
	while (!work.empty()) {
		BasicBlock *at = work.pop_back_val();

		for (BasicBlock *from : predecessors(at)) {
			if (all->order.lookup(from) >= all->order.lookup(at))
				rounds = true;
			if (from == next || !seen.insert(from).second)
				continue;
			if (all->calls.lookup(from) || from->isEHPad() ||
			    ++blocks > REGION_MAX)
				return false;
			work.push_back(from);
		}
	}
	top = next;
	return true;
}

/* May `top' run several times before the bottom block runs? */
bool
climb::comes_again() const
{
	SmallVector<BasicBlock *, 16> work = { top };
	SmallPtrSet<const BasicBlock *, 16> met;

	while (!work.empty())
		for (BasicBlock *to : successors(work.pop_back_val())) {
			if (to == top || work.size() > REGION_MAX)
				return true;
			if (to != bottom && met.insert(to).second)
				work.push_back(to);
		}
	return false;
}
