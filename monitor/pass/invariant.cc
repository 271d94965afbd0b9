/* SPDX-License-Identifier: MIT */
/*
 * Accesses to the same place in each round of an innermost loop that calls
 * nothing.  The code counts them on each exit, as often as the loop ran
 * (rounds.cc).  The compiler has kept in registers what it could, so the
 * remaining places are those that something else in the loop may change, as in
 *
 *	for (j = 0; j < n; j++)
 *		a->sum += b[j]->part;
 *
 * Each exit gets a block that adds up to ROUNDS_AT_ONCE rounds.  The block is a
 * loop of its own, which nearly always runs once.  Its groups are ordinary
 * ones, except that code.cc multiplies.
 */
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "monitor/pass/pass.h"

#define ROUNDS_AT_ONCE 256u
#define ROUNDS_MIN 4 /* fewer aren't worth it */
#define ACCESSES_MAX 24 /* on all exits */

struct repeated : looked_at {
	std::vector<counted> all;
};

/* Finds accesses to the same place in all rounds. */
static void
collect(repeated *c)
{
	for (const counted &a : rounds_accesses(c->w, c->dt, c->loop))
		if (a.size > 0 && a.size <= INLINE_MAX &&
		    c->loop->isLoopInvariant(a.pointer))
			c->all.push_back(a);
}

/* The block jumps to itself: a loop that later loops' analysis must know. */
static void
note_loop(LoopInfo *li, BasicBlock *bb)
{
	Loop *outer = li->getLoopFor(bb), *loop = li->AllocateLoop();

	if (outer)
		outer->addChildLoop(loop);
	else
		li->addTopLevelLoop(loop);
	loop->addBlockEntry(bb);
	li->changeLoopFor(bb, loop);
}

/*
 * Makes a block on an exit, before `end', for n rounds; `none': n may be 0.
 * Returns where groups go; *times is the number of rounds that they count for.
 */
static Instruction *
open_landing(repeated *c, Instruction *end, Value *n, bool none, Value **times)
{
	Type *word = c->w->u.word;
	BasicBlock *before = end->getParent();
	BasicBlock *bb = SplitBlock(before, end, c->dt, c->w->li);
	BasicBlock *behind = SplitBlock(bb, end, c->dt, c->w->li);
	IRBuilder<> b(bb->getTerminator());
	Value *most = ConstantInt::get(word, ROUNDS_AT_ONCE), *rest;
	PHINode *left = b.CreatePHI(word, 2);

	b.SetCurrentDebugLocation(end->getDebugLoc());
	*times = b.CreateSelect(b.CreateICmpULT(left, most), left, most);
	rest = b.CreateSub(left, *times);
	left->addIncoming(n, before);
	left->addIncoming(rest, bb);
	b.CreateCondBr(b.CreateIsNotNull(rest), bb, behind,
		       code_rarely(&c->w->u));
	bb->getTerminator()->eraseFromParent();
	note_loop(c->w->li, bb);
	if (none) {
		b.SetInsertPoint(before->getTerminator());
		b.CreateCondBr(b.CreateIsNotNull(n), bb, behind);
		before->getTerminator()->eraseFromParent();
		c->dt->changeImmediateDominator(behind, before);
	}
	return cast<Instruction>(rest);
}

/* May ROUNDS_AT_ONCE rounds be added at once? */
static bool
is_few(const std::vector<counted> &all)
{
	return all.size() * ROUNDS_AT_ONCE <= MEMMON_ADD_MAX;
}

static void
emit_exit(repeated *c, BasicBlock *from, BasicBlock *to,
	  std::vector<group *> *groups)
{
	BasicBlock *on = SplitEdge(from, to, c->dt, c->w->li);
	Instruction *end = on->getTerminator();
	Value *n[2];

	IRBuilder<> b(end);

	b.SetCurrentDebugLocation(from->getTerminator()->getDebugLoc());
	n[0] = rounds_before(c->w, c->dt, &b, &c->by, from);
	n[1] = b.CreateAdd(n[0], ConstantInt::get(c->w->u.word, 1));
	for (int done = 0; done < 2; done++) {
		Instruction *at = nullptr;
		Value *times = nullptr;
		size_t first = groups->size();

		for (counted a : c->all) {
			if (c->dt->dominates(a.where->getParent(), from) !=
			    (done != 0))
				continue;
			if (!at)
				at = open_landing(c, end, n[done], !done,
						  &times);
			a.where = at;
			group_add(c->w, groups, first, 0, a);
		}
		for (size_t i = first; i < groups->size(); i++)
			group_repeat(c->w, (*groups)[i], times);
	}
}

static void
try_loop(repeated *c, std::vector<group *> *groups)
{
	unsigned most = c->se->getSmallConstantMaxTripCount(c->loop);
	way_list exits;

	if ((most > 0 && most < ROUNDS_MIN) || !rounds_known(c->loop, &exits) ||
	    !rounds_counter(c->loop, c->se, &c->by))
		return;
	collect(c);
	if (c->all.empty() || !is_few(c->all) ||
	    c->all.size() * exits.size() > ACCESSES_MAX)
		return;
	for (const auto &e : exits)
		emit_exit(c, e.first, e.second, groups);
	for (const counted &a : c->all)
		c->w->skip.insert(a.where);
	figures.invariant += c->all.size();
}

/* Counts such accesses behind innermost loops; the loops skip them then. */
void
invariant_collect(work *w, DominatorTree *dt, ScalarEvolution *se,
		  std::vector<group *> *groups)
{
	for (Loop *loop : w->li->getLoopsInPreorder()) {
		repeated c = { { w, loop, dt, se, {} }, {} };

		if (loop->isInnermost() && !w->f.hasOptSize())
			try_loop(&c, groups);
	}
}
