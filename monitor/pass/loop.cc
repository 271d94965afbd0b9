/* SPDX-License-Identifier: MIT */
/*
 * Accesses with a fixed stride in an innermost loop that calls nothing.  They
 * aren't counted in the loop, but behind it, by one call of __memmon_loop() on
 * each exit.  rounds.cc finds their number.
 *
 * This pays off for accesses that are adjacent, in one round or from round to
 * round, in long loops: loops that are known to be long, or that LLVM has
 * vectorized.  Other loops often run a few times only.
 */
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "monitor/pass/pass.h"

#define ROUNDS_MIN 16 /* what a call and its registers cost */
#define CALLS_MAX 4 /* at a loop's end */
#define SIZE_MAX_OF_ONE 32
#define EACH_MAX 16 /* adjacent accesses of a round */

/* Accesses of one kind: `each' of `size' bytes in a round, from base on. */
struct strided {
	const SCEV *base;
	int64_t stride, size; /* from round to round; of one access */
	unsigned each, reads, writes;
	std::vector<Instruction *> members;
};

struct candidate : looked_at {
	std::vector<strided> all;
};

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

static bool
set_strided(candidate *c, strided *s, const counted *a)
{
	const SCEV *address = c->se->getSCEV(a->pointer);

	s->stride = rounds_step(c->loop, c->se, address);
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

/* Does `b' access the bytes right behind those of `a' in a round? */
static bool
follows(candidate *c, const strided &a, const strided &b)
{
	int64_t to = (int64_t)a.each * (a.stride < 0 ? -a.size : a.size);
	const auto *distance =
		a.base->getType() == b.base->getType()
			? dyn_cast<SCEVConstant>(
				  c->se->getMinusSCEV(b.base, a.base))
			: nullptr;

	return a.stride == b.stride && a.size == b.size && a.reads == b.reads &&
	       a.writes == b.writes && distance &&
	       distance->getAPInt().isSignedIntN(32) &&
	       distance->getAPInt().getSExtValue() == to;
}

/* Joins the adjacent accesses of a round. */
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

/* Finds accesses that every round makes, before or behind all exits. */
static void
collect(candidate *c)
{
	for (const counted &a : rounds_accesses(c->w, c->dt, c->loop)) {
		strided s;

		if (set_strided(c, &s, &a))
			c->all.push_back(s);
	}
	join(c);

	std::vector<strided> dense;

	for (const strided &s : c->all)
		if (std::abs(s.stride) == s.size * s.each)
			dense.push_back(s);
	c->all = dense;
}

static void
emit_call(candidate *c, const strided *s, Value *rounds, Instruction *before)
{
	unit *u = &c->w->u;
	IRBuilder<> b(before);
	FunctionCallee f =
		u->m.getOrInsertFunction("__memmon_loop", u->nothing,
					 u->pointer, u->word, u->word, u->word,
					 u->half, u->half);
#if LLVM_VERSION_MAJOR < 22
	SCEVExpander expander(*c->se, u->dl, "memmon");
#else
	SCEVExpander expander(*c->se, "memmon");
#endif
	Value *first =
		expander.expandCodeFor(s->base, s->base->getType(), before);
	int64_t stride = s->stride < 0 ? -s->size : s->size;

	if (first->getType()->isPointerTy())
		first = b.CreatePointerCast(first, u->pointer);
	else
		first = code_pointer_to(&b, first, b.getInt8Ty());
	b.CreateCall(f,
		     { first, ConstantInt::get(u->word, (uint64_t)stride),
		       b.CreateMul(rounds, ConstantInt::get(u->word, s->each)),
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
	before = rounds_before(c->w, c->dt, &b, &c->by, from);
	behind = b.CreateAdd(before, ConstantInt::get(c->w->u.word, 1));
	for (const strided &s : c->all)
		emit_call(c, &s,
			  c->dt->dominates(s.members[0]->getParent(), from)
				  ? behind
				  : before,
			  end);
}

/* Do all members of each kind come before the same exits? */
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
	way_list exits;

	if (!rounds_known(c->loop, &exits) ||
	    !rounds_counter(c->loop, c->se, &c->by))
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

/* Counts accesses with a stride; other code skips them from then on. */
void
loop_collect(work *w, DominatorTree *dt, ScalarEvolution *se)
{
	if (w->f.hasOptSize())
		return;
	for (Loop *loop : w->li->getLoopsInPreorder()) {
		candidate c = { { w, loop, dt, se, {} }, {} };

		if (loop->isInnermost())
			try_loop(&c);
	}
}
