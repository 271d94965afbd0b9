/* SPDX-License-Identifier: MIT */
/*
 * Accesses with a fixed stride in an innermost loop that calls nothing: not
 * counted in the loop, but behind it, by one call of __memmon_loop() on each
 * way out.
 *
 * How often it ran is asked of a counter in the loop: a phi that changes by the
 * same constant in each round.  On a way out in round k (from 0), an access
 * that is in every round was made k times if it comes behind the exit, and
 * k + 1 times if before.  So loops with several exits, or whose end can't be
 * foreseen, are right too.
 *
 * Worth it where the accesses lie one behind the other, in one round or from
 * round to round, and for loops that are long: that are known to be, or LLVM
 * has made vectors of.  Others are often run a few times only.
 */
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "monitor/pass/pass.h"

#define ROUNDS_MIN 16 /* a call, and what it does to registers, costs that */
#define CALLS_MAX 4 /* at a loop's end */
#define EXITS_MAX 3
#define BLOCKS_MAX 32
#define SIZE_MAX_OF_ONE 32
#define EACH_MAX 16 /* accesses of a round that lie one behind the other */

/* Accesses of one kind: `each' in a round, from base on, of `size' bytes. */
struct strided {
	const SCEV *base;
	int64_t stride, size; /* from round to round; of one */
	unsigned each, reads, writes;
	std::vector<Instruction *> members;
};

struct counter {
	PHINode *phi;
	Value *base, *next; /* in the first round; in the next one */
	int64_t step;
};

struct candidate {
	work *w;
	Loop *loop;
	DominatorTree *dt;
	ScalarEvolution *se;
	counter by;
	std::vector<strided> all;
};

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

/* Is it likely long enough? */
static bool
is_long(candidate *c)
{
	unsigned most = c->se->getSmallConstantMaxTripCount(c->loop);
	unsigned rounds = c->se->getSmallConstantTripCount(c->loop);

	if (options.all_loops)
		return true;
	if (most > 0 && most < ROUNDS_MIN)
		return false;
	if (rounds >= ROUNDS_MIN)
		return true;
	for (const strided &s : c->all)
		if (s.size >= GRANULE)
			return true;
	return false;
}

/* What changes by the same constant in each round; 0: it doesn't. */
static int64_t
step_of(candidate *c, const SCEV *value)
{
	const auto *sum = dyn_cast<SCEVAddRecExpr>(value);
	const auto *step = sum && sum->getLoop() == c->loop && sum->isAffine()
				   ? dyn_cast<SCEVConstant>(
					     sum->getStepRecurrence(*c->se))
				   : nullptr;

	return step && step->getAPInt().isSignedIntN(32)
		       ? step->getAPInt().getSExtValue()
		       : 0;
}

static bool
find_counter(candidate *c)
{
	BasicBlock *latch = c->loop->getLoopLatch();
	BasicBlock *before = c->loop->getLoopPredecessor();

	c->by.phi = nullptr;
	for (PHINode &phi : c->loop->getHeader()->phis()) {
		const SCEV *value;
		int64_t step;

		if (!c->se->isSCEVable(phi.getType()))
			continue;
		value = c->se->getSCEV(&phi);
		step = step_of(c, value);
		if (step == 0 ||
		    (c->se->getTypeSizeInBits(phi.getType()) < 64 &&
		     (c->se->getTypeSizeInBits(phi.getType()) < 32 ||
		      !cast<SCEVAddRecExpr>(value)->hasNoSelfWrap())))
			continue;
		if (c->by.phi && std::abs(step) >= std::abs(c->by.step))
			continue;
		c->by = { &phi, phi.getIncomingValueForBlock(before),
			  phi.getIncomingValueForBlock(latch), step };
	}
	return c->by.phi != nullptr;
}

static bool
set_strided(candidate *c, strided *s, const counted *a)
{
	const SCEV *address = c->se->getSCEV(a->pointer);

	s->stride = step_of(c, address);
	s->size = a->size;
	s->each = 1;
	s->reads = a->reads;
	s->writes = a->writes;
	s->members = { a->where };
	if (s->stride == 0 || a->size < 1 || a->size > SIZE_MAX_OF_ONE ||
	    !isPowerOf2_64((uint64_t)a->size) || s->stride % a->size != 0)
		return false;
	s->base = cast<SCEVAddRecExpr>(address)->getStart();
	return !SCEVExprContains(s->base, [](const SCEV *part) {
		return isa<SCEVUDivExpr>(part);
	});
}

/* Does `b' come right behind what `a' accesses in a round? */
static bool
follows(candidate *c, const strided &a, const strided &b)
{
	int64_t to = (int64_t)a.each * (a.stride < 0 ? -a.size : a.size);
	const auto *distance =
		a.base->getType() == b.base->getType()
			? dyn_cast<SCEVConstant>(
				  c->se->getMinusSCEV(b.base, a.base))
			: nullptr;

	return a.stride == b.stride && a.size == b.size &&
	       a.reads == b.reads && a.writes == b.writes && distance &&
	       distance->getAPInt().isSignedIntN(32) &&
	       distance->getAPInt().getSExtValue() == to;
}

/* Those of a round that lie one behind the other become one. */
static void
join(candidate *c)
{
	for (size_t i = 0; i < c->all.size(); i++)
		for (size_t k = 0; k < c->all.size(); k++) {
			strided &to = c->all[i], &from = c->all[k];

			if (i == k || from.each != 1 || to.each >= EACH_MAX ||
			    (to.each + 1) * to.size > std::abs(to.stride) ||
			    !follows(c, to, from))
				continue;
			to.each++;
			to.members.push_back(from.members[0]);
			c->all.erase(c->all.begin() + (long)k);
			i -= k < i;
			k = (size_t)-1;
		}
}

/* Accesses that are in every round, before or behind all ways out. */
static void
collect(candidate *c)
{
	std::vector<counted> accesses;

	for (BasicBlock *bb : c->loop->blocks()) {
		if (!c->dt->dominates(bb, c->loop->getLoopLatch()))
			continue;
		for (Instruction &i : *bb) {
			strided s;

			accesses.clear();
			if (isa<LoadInst>(i) || isa<StoreInst>(i))
				access_collect(c->w, &i, &accesses);
			if (accesses.size() == 1 &&
			    set_strided(c, &s, &accesses[0]))
				c->all.push_back(s);
		}
	}
	join(c);

	std::vector<strided> dense;

	for (const strided &s : c->all)
		if (std::abs(s.stride) == s.size * s.each)
			dense.push_back(s);
	c->all = dense;
}

/* How many rounds were begun before the one that goes out there. */
static Value *
rounds_before(candidate *c, IRBuilder<> *b, const BasicBlock *from)
{
	auto *next = dyn_cast<Instruction>(c->by.next);
	bool is_next = next && next != c->by.phi &&
		       c->dt->dominates(next->getParent(), from);
	Value *now = is_next ? c->by.next : c->by.phi, *n, *base = c->by.base;
	Type *word = c->w->u.word;

	if (now->getType()->isPointerTy()) {
		now = b->CreatePtrToInt(now, word);
		base = b->CreatePtrToInt(base, word);
	}
	n = c->by.step > 0 ? b->CreateSub(now, base)
			   : b->CreateSub(base, now);
	n = b->CreateUDiv(n, ConstantInt::get(n->getType(),
					      (uint64_t)std::abs(c->by.step)));
	n = b->CreateZExtOrTrunc(n, word);
	return is_next ? b->CreateSub(n, ConstantInt::get(word, 1)) : n;
}

static void
emit_call(candidate *c, const strided *s, Value *rounds, Instruction *before)
{
	unit *u = &c->w->u;
	IRBuilder<> b(before);
	FunctionCallee f = u->m.getOrInsertFunction(
		"__memmon_loop", u->nothing, u->pointer, u->word, u->word,
		u->word, u->half, u->half);
	SCEVExpander expander(*c->se, u->dl, "memmon");
	Value *first = expander.expandCodeFor(s->base, s->base->getType(),
					      before);
	int64_t stride = s->stride < 0 ? -s->size : s->size;

	if (first->getType()->isPointerTy())
		first = b.CreatePointerCast(first, u->pointer);
	else
		first = code_pointer_to(&b, first, b.getInt8Ty());
	b.CreateCall(f, { first, ConstantInt::get(u->word, (uint64_t)stride),
			  b.CreateMul(rounds,
				      ConstantInt::get(u->word, s->each)),
			  ConstantInt::get(u->word, (uint64_t)s->size),
			  ConstantInt::get(u->half, s->reads),
			  ConstantInt::get(u->half, s->writes) })
		->setDoesNotThrow();
}

static void
emit_exit(candidate *c, BasicBlock *from, BasicBlock *to)
{
	BasicBlock *on = SplitEdge(from, to, c->dt, c->w->li);
	Instruction *end = on->getTerminator();
	Value *before, *behind;

	IRBuilder<> b(end);

	b.SetCurrentDebugLocation(from->getTerminator()->getDebugLoc());
	before = rounds_before(c, &b, from);
	behind = b.CreateAdd(before, ConstantInt::get(c->w->u.word, 1));
	for (const strided &s : c->all)
		emit_call(c, &s,
			  c->dt->dominates(s.members[0]->getParent(), from)
				  ? behind
				  : before,
			  end);
}

typedef SmallVector<std::pair<BasicBlock *, BasicBlock *>, 4> edge_list;

static bool
good_exits(const edge_list &exits)
{
	if (exits.empty() || exits.size() > EXITS_MAX)
		return false;
	for (const auto &e : exits)
		if (!isa<BranchInst>(e.first->getTerminator()) ||
		    e.second->isEHPad())
			return false;
	return true;
}

/* Do all members of each kind come before the same ways out? */
static bool
are_together(const candidate *c)
{
	for (const strided &s : c->all)
		for (const Instruction *i : s.members)
			if (i->getParent() != s.members[0]->getParent())
				return false;
	return true;
}

static void
try_loop(candidate *c)
{
	SmallVector<Loop::Edge, 4> edges;
	edge_list exits;

	c->loop->getExitEdges(edges);
	for (const auto &e : edges)
		exits.push_back({ const_cast<BasicBlock *>(e.first),
				  const_cast<BasicBlock *>(e.second) });
	if (c->loop->getNumBlocks() > BLOCKS_MAX ||
	    !c->loop->getLoopLatch() || !c->loop->getLoopPredecessor() ||
	    !good_exits(exits) || !is_plain(c->loop) || !find_counter(c))
		return;
	collect(c);
	if (c->all.empty() || c->all.size() > CALLS_MAX || !is_long(c) ||
	    !are_together(c))
		return;
	for (const auto &e : exits)
		emit_exit(c, e.first, e.second);
	for (const strided &s : c->all)
		for (Instruction *i : s.members)
			c->w->skip.insert(i);
	figures.loops++;
}

/* Counts what is strided, which is to be skipped from then on. */
void
loop_collect(work *w, DominatorTree *dt, ScalarEvolution *se)
{
	if (w->f.hasOptSize())
		return;
	for (Loop *loop : w->li->getLoopsInPreorder()) {
		candidate c = { w, loop, dt, se, {}, {} };

		if (loop->isInnermost())
			try_loop(&c);
	}
}
