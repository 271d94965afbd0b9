/* SPDX-License-Identifier: MIT */
/*
 * Where the thread's pointers, and its `now', are loaded into registers.
 *
 * Pointers that live across calls would cost registers that each function has
 * to save, or spills; loading them again takes three instructions.  So code
 * between two calls loads them once: at an event, or further up if that runs
 * less often (before a loop) and no call can come between.  Later events before
 * the next call use the same registers.  `now' isn't kept across a loop, which
 * may run long.
 *
 * A program that was compiled for samples loads only the state here.  The code
 * behind a guard, which runs rarely, loads the rest.
 */
#include "monitor/pass/pass.h"

struct pointers {
	Value *state, *cells;
	Value *now; /* NULL: not loaded */
};

struct block_state {
	bool known; /* `out' is right at the block's end */
	pointers out;
	std::vector<group *> groups;
};

struct placement {
	work *w;
	const regions *all;
	BlockFrequencyInfo *bfi;
	std::map<const BasicBlock *, block_state> blocks;
};

static pointers
load_before(placement *p, Instruction *where)
{
	IRBuilder<> b(where);
	pointers got = {};

	b.SetCurrentDebugLocation(DebugLoc());
	got.state = code_state(&p->w->u, &b);
	if (!options.sample)
		got.cells = code_cells(&p->w->u, &b, got.state);
	return got;
}

static Value *
load_now(placement *p, Instruction *where, Value *state)
{
	IRBuilder<> b(where);

	return code_now(&p->w->u, &b, state);
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
	climb c(p->all, bb);
	BasicBlock *best = bb;

	while (c.up()) {
		if (p->blocks[c.top].known) {
			pointers got = p->blocks[c.top].out;

			if (c.rounds)
				got.now = nullptr;
			return got;
		}
		if (may_end_with_load(c.top) &&
		    p->bfi->getBlockFreq(c.top) < p->bfi->getBlockFreq(best))
			best = c.top;
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
	/* Blocks may be added, so this is a copy and not a reference. */
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
		if (!now.now && !options.sample)
			now.now = load_now(p, g->first.where, now.state);
		have = true;
		segment = g->segment;
		g->state = now.state;
		g->cells = now.cells;
		g->now = now.now;
	}
	if (!have || !p->w->optimize ||
	    calls_behind(groups.back()->first.where))
		return;
	p->blocks[bb].known = true;
	p->blocks[bb].out = now;
}

/* Gives each group its pointers.  Groups of a block are in the block's
 * order. */
void
state_place(work *w, const regions *all, const std::vector<group *> &groups,
	    BlockFrequencyInfo *bfi)
{
	placement p = { w, all, bfi, {} };

	for (group *g : groups)
		if (!covered_all(g))
			p.blocks[g->first.where->getParent()].groups.push_back(
				g);
	if (!w->optimize) {
		for (BasicBlock &bb : w->f)
			place_block(&p, &bb);
		return;
	}
	SmallVector<DomTreeNode *, 32> below = { all->dt->getRootNode() };

	while (!below.empty()) {
		DomTreeNode *node = below.pop_back_val();

		place_block(&p, node->getBlock());
		below.append(node->begin(), node->end());
	}
}
