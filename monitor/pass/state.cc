/* SPDX-License-Identifier: MIT */
/*
 * Where the thread's pointers are loaded into registers.
 *
 * Kept over calls they would cost registers that each function has to save, or
 * spills; loading them again is three instructions.  So they are loaded once
 * between calls: at an event, or further up where that runs less often (before
 * a loop), if no call can come between; later events without a call between
 * use the same.
 */
#include <llvm/IR/CFG.h>

#include "monitor/pass/pass.h"

#define REGION_MAX 64 /* blocks that are looked at for calls */
#define CLIMB_MAX 12 /* blocks to go up */

struct pointers {
	Value *state, *cells;
};

struct block_state {
	bool calls; /* something in it ends groups */
	bool known; /* `out' is right at its end */
	pointers out;
	std::vector<group *> groups;
};

struct placement {
	work *w;
	DominatorTree *dt;
	BlockFrequencyInfo *bfi;
	std::map<const BasicBlock *, block_state> blocks;
};

static bool
has_calls(const BasicBlock &bb)
{
	for (const Instruction &i : bb)
		if (access_ends_group(&i))
			return true;
	return false;
}

/* Is every way from the end of `top', which dominates, to `bb' free of calls?*/
static bool
is_free_between(placement *p, const BasicBlock *top, const BasicBlock *bb)
{
	SmallVector<const BasicBlock *, 16> work = { bb };
	SmallPtrSet<const BasicBlock *, 16> seen;
	unsigned n = 0;

	while (!work.empty())
		for (const BasicBlock *from :
		     predecessors(work.pop_back_val())) {
			if (from == top || !seen.insert(from).second)
				continue;
			if (p->blocks[from].calls || from->isEHPad() ||
			    ++n > REGION_MAX)
				return false;
			work.push_back(from);
		}
	return true;
}

static pointers
load_before(placement *p, Instruction *where)
{
	IRBuilder<> b(where);
	pointers got;

	b.SetCurrentDebugLocation(DebugLoc());
	got.state = code_state(&p->w->u, &b, &got.cells);
	return got;
}

static bool
may_end_with_load(const BasicBlock *bb)
{
	return isa<BranchInst>(bb->getTerminator()) ||
	       isa<SwitchInst>(bb->getTerminator());
}

/* The pointers for the events of `bb' before its first call. */
static pointers
find_or_load(placement *p, BasicBlock *bb, Instruction *first)
{
	BasicBlock *best = bb;
	auto *node = p->dt->getNode(bb);

	for (int i = 0; node && i < CLIMB_MAX; i++) {
		BasicBlock *top;

		node = node->getIDom();
		top = node ? node->getBlock() : nullptr;
		if (!top || !is_free_between(p, top, bb))
			break;
		if (p->blocks[top].known)
			return p->blocks[top].out;
		if (may_end_with_load(top) &&
		    p->bfi->getBlockFreq(top) < p->bfi->getBlockFreq(best))
			best = top;
		if (p->blocks[top].calls)
			break;
	}
	if (best == bb)
		return load_before(p, first);
	p->blocks[best].out = load_before(p, best->getTerminator());
	p->blocks[best].known = true;
	return p->blocks[best].out;
}

static bool
calls_behind(Instruction *i)
{
	for (; i; i = i->getNextNode())
		if (access_ends_group(i))
			return true;
	return false;
}

static void
place_block(placement *p, BasicBlock *bb)
{
	/* Other blocks may be added: no reference is kept. */
	std::vector<group *> groups = p->blocks[bb].groups;
	unsigned segment = 0;
	bool have = false;
	pointers now = {};

	for (group *g : groups) {
		if (g->segment != segment)
			have = false;
		if (!have)
			now = g->segment == 0 && p->w->optimize
				      ? find_or_load(p, bb, g->first.where)
				      : load_before(p, g->first.where);
		have = true;
		segment = g->segment;
		g->state = now.state;
		g->cells = now.cells;
	}
	if (!have || !p->w->optimize ||
	    calls_behind(groups.back()->first.where))
		return;
	p->blocks[bb].known = true;
	p->blocks[bb].out = now;
}

/* Gives each group its pointers.  Groups of a block come in its order. */
void
state_place(work *w, const std::vector<group *> &groups, DominatorTree *dt,
	    BlockFrequencyInfo *bfi)
{
	placement p = { w, dt, bfi, {} };

	for (BasicBlock &bb : w->f)
		p.blocks[&bb].calls = has_calls(bb);
	for (group *g : groups)
		p.blocks[g->first.where->getParent()].groups.push_back(g);
	if (!w->optimize) {
		for (BasicBlock &bb : w->f)
			place_block(&p, &bb);
		return;
	}
	SmallVector<DomTreeNode *, 32> below = { dt->getRootNode() };

	while (!below.empty()) {
		DomTreeNode *node = below.pop_back_val();

		place_block(&p, node->getBlock());
		below.append(node->begin(), node->end());
	}
}
