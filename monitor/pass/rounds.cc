/* SPDX-License-Identifier: MIT */
/*
 * How often an innermost loop ran, as known on each exit.
 *
 * A counter in the loop tells: a phi that changes by the same constant in each
 * round.  On an exit in round k (from 0), an access that every round makes has
 * run k times if it comes behind the exit, and k + 1 times if it comes before
 * the exit.  So loops with several exits, or with an unpredictable end, are
 * correct, too.
 */
#include <llvm/Analysis/ScalarEvolutionExpressions.h>

#include "monitor/pass/pass.h"

#define EXITS_MAX 3
#define BLOCKS_MAX 32

/* Does the loop only compute? */
static bool
is_plain(const Loop *loop)
{
	for (const BasicBlock *bb : loop->blocks())
		for (const Instruction &i : *bb) {
			const auto *call = dyn_cast<CallBase>(&i);

			if (i.isVolatile() ||
			    (call && !isa<DbgInfoIntrinsic>(call) &&
			     (call->mayReadOrWriteMemory() ||
			      !isa<IntrinsicInst>(call))))
				return false;
		}
	return true;
}

/* Can the number of rounds be known on each exit? *exits receives the exits. */
bool
rounds_known(const Loop *loop, way_list *exits)
{
	SmallVector<Loop::Edge, 4> edges;

	loop->getExitEdges(edges);
	if (loop->getNumBlocks() > BLOCKS_MAX || !loop->getLoopLatch() ||
	    !loop->getLoopPredecessor() || edges.empty() ||
	    edges.size() > EXITS_MAX)
		return false;
	for (const auto &e : edges) {
		auto *from = const_cast<BasicBlock *>(e.first);
		auto *to = const_cast<BasicBlock *>(e.second);

		if (!isa<BranchInst>(from->getTerminator()) || to->isEHPad())
			return false;
		exits->push_back({ from, to });
	}
	return is_plain(loop);
}

/* The constant that the value changes by in each round; 0: none. */
int64_t
rounds_step(const Loop *loop, ScalarEvolution *se, const SCEV *value)
{
	const auto *sum = dyn_cast<SCEVAddRecExpr>(value);
	const auto *step =
		sum && sum->getLoop() == loop && sum->isAffine()
			? dyn_cast<SCEVConstant>(sum->getStepRecurrence(*se))
			: nullptr;

	return step && step->getAPInt().isSignedIntN(32)
		       ? step->getAPInt().getSExtValue()
		       : 0;
}

/* Finds a counter of the loop, or returns false. */
bool
rounds_counter(const Loop *loop, ScalarEvolution *se, counter *c)
{
	BasicBlock *latch = loop->getLoopLatch();
	BasicBlock *before = loop->getLoopPredecessor();

	c->phi = nullptr;
	for (PHINode &phi : loop->getHeader()->phis()) {
		const SCEV *value;
		int64_t step;

		if (!se->isSCEVable(phi.getType()))
			continue;
		value = se->getSCEV(&phi);
		step = rounds_step(loop, se, value);
		if (step == 0 ||
		    (se->getTypeSizeInBits(phi.getType()) < 64 &&
		     (se->getTypeSizeInBits(phi.getType()) < 32 ||
		      !cast<SCEVAddRecExpr>(value)->hasNoSelfWrap())))
			continue;
		if (c->phi && std::abs(step) >= std::abs(c->step))
			continue;
		*c = { &phi, phi.getIncomingValueForBlock(before),
		       phi.getIncomingValueForBlock(latch), step };
	}
	return c->phi != nullptr;
}

/* How many rounds began before the one that leaves the loop at `from'. */
Value *
rounds_before(const work *w, const DominatorTree *dt, IRBuilder<> *b,
	      const counter *c, const BasicBlock *from)
{
	auto *next = dyn_cast<Instruction>(c->next);
	bool is_next = next && next != c->phi &&
		       dt->dominates(next->getParent(), from);
	Value *now = is_next ? c->next : c->phi, *n, *base = c->base;
	Type *word = w->u.word;

	if (now->getType()->isPointerTy()) {
		now = b->CreatePtrToInt(now, word);
		base = b->CreatePtrToInt(base, word);
	}
	n = c->step > 0 ? b->CreateSub(now, base) : b->CreateSub(base, now);
	n = b->CreateExactUDiv(n,
			       ConstantInt::get(n->getType(),
						(uint64_t)std::abs(c->step)));
	n = b->CreateZExtOrTrunc(n, word);
	return is_next ? b->CreateSub(n, ConstantInt::get(word, 1)) : n;
}

/* Loads and stores in every round that may access heap. */
std::vector<counted>
rounds_accesses(work *w, const DominatorTree *dt, const Loop *loop)
{
	std::vector<counted> all, some;

	for (BasicBlock *bb : loop->blocks()) {
		if (!dt->dominates(bb, loop->getLoopLatch()))
			continue;
		for (Instruction &i : *bb) {
			some.clear();
			if (isa<LoadInst>(i) || isa<StoreInst>(i))
				access_collect(w, &i, &some);
			if (some.size() == 1)
				all.push_back(some[0]);
		}
	}
	return all;
}
