/* SPDX-License-Identifier: MIT */
/*
 * The code of an event, as in monitor/access/inline.h:
 *
 *	if (address >= state->limit)
 *		go on behind all events of the group
 *	index = address >> 4 & cells[-1]
 *	if (upper half of cells[index] != that of state->now) {
 *		if (it is that of state->skip)	(out of line)
 *			go on behind all events of the group
 *		touch(&cells[index])
 *	}
 *	cells[index] += add
 *
 * If blocks are sampled, the program skips most of them by the limit and writes
 * nothing.  A program that was compiled for samples has all of this code out of
 * line.
 *
 * Among places whose distance to one root differs by a multiple of 16 bytes,
 * only the first has an index of its own, if it is in reach.  `now' is read
 * again from time to time (state.cc), because another thread changes it.
 */
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "monitor/pass/pass.h"

#define UPPER 4 /* offset of a word's upper half */
#define NOW_OFFSET 8
#define SKIP_OFFSET 16
#define LIMIT_OFFSET 32
#define MASK_OFFSET -8 /* offset from the words */

/* Where a group's code goes, and what is known at this point. */
struct emission {
	unit *u;
	const group *g;
	Instruction *before;
	Value *index[GRANULE]; /* as in the group */
	std::vector<BranchInst *> *skips; /* branches that skip its rest */

	emission(unit *of, const group *some, Instruction *at,
		 std::vector<BranchInst *> *to)
	    : u(of), g(some), before(at), index(), skips(to)
	{
		for (const group *b = some; b; b = b->before)
			for (unsigned i = 0; i < GRANULE; i++)
				if (!index[i])
					index[i] = b->index[i];
	}
};

unit::unit(Module &module)
    : m(module), dl(module.getDataLayout()),
      word(Type::getInt64Ty(module.getContext())),
      half(Type::getInt32Ty(module.getContext())),
      nothing(Type::getVoidTy(module.getContext())),
      pointer(pointer_to(Type::getInt8Ty(module.getContext()))),
      uses_targets(false)
{
}

MDNode *
code_rarely(unit *u)
{
	return MDBuilder(u->m.getContext()).createBranchWeights(1, 100000);
}

static GlobalVariable *
state_variable(unit *u)
{
	GlobalVariable *v = u->m.getNamedGlobal(MEMMON_STATE_NAME);

	if (v)
		return v;
	v = cast<GlobalVariable>(
		u->m.getOrInsertGlobal(MEMMON_STATE_NAME, u->pointer));
	v->setThreadLocalMode(GlobalValue::InitialExecTLSModel);
	return v;
}

/* An address as a number. */
Value *
code_address(unit *u, IRBuilder<> *b, Value *pointer)
{
	return b->CreatePtrToInt(pointer, u->word);
}

Value *
code_pointer_to(IRBuilder<> *b, Value *address, Type *type)
{
	return b->CreateIntToPtr(address, pointer_to(type));
}

static Value *
as_words(unit *u, IRBuilder<> *b, Value *pointer)
{
	return b->CreatePointerCast(pointer, pointer_to(u->word));
}

static Value *
word_at(unit *u, IRBuilder<> *b, Value *pointer, int off)
{
	Value *at = b->CreateConstInBoundsGEP1_64(u->word, pointer,
						  (uint64_t)(int64_t)(off / 8));

	return b->CreateAlignedLoad(u->word, at, Align(8));
}

/* Loads the pointer to the thread's state. */
Value *
code_state(unit *u, IRBuilder<> *b)
{
	Value *state = b->CreateAlignedLoad(
		u->pointer,
		b->CreatePointerCast(state_variable(u),
				     pointer_to(u->pointer)),
		Align(8));

	return as_words(u, b, state);
}

/* Loads the pointer to the words. */
Value *
code_cells(unit *u, IRBuilder<> *b, Value *state)
{
	return b->CreateIntToPtr(word_at(u, b, state, 0), pointer_to(u->word));
}

/* `off' bytes behind the group's root. */
static Value *
address_of(emission *m, IRBuilder<> *b, int64_t off)
{
	const counted *a = &m->g->first;
	Value *at = code_address(m->u, b, a->pointer);

	if (off == a->at.off)
		return at;
	return b->CreateAdd(at, ConstantInt::get(m->u->word,
						 (uint64_t)(off - a->at.off)));
}

static word_place
word_of(emission *m, IRBuilder<> *b, Value *address)
{
	Value *index = b->CreateLShr(address, MEMMON_GRANULE_SHIFT);

	index = b->CreateAnd(index, word_at(m->u, b, m->g->cells, MASK_OFFSET));
	return { index, 0 };
}

/* The word that an event of one granule counts in. */
static word_place
word_of_event(emission *m, IRBuilder<> *b, const event &e)
{
	int64_t rest = e.from & (GRANULE - 1);
	int64_t words = (e.from - rest) / GRANULE;

	if (e.kind != EVENT_ONE || words < 0 || words > MEMMON_BESIDE)
		return word_of(m, b, address_of(m, b, e.off));
	if (!m->index[rest])
		m->index[rest] = word_of(m, b, address_of(m, b, rest)).index;
	return { m->index[rest], words };
}

/* Made again in each block, so that it becomes part of the instruction. */
static Value *
cell_at(unit *u, IRBuilder<> *b, Value *cells, const word_place &word)
{
	Value *at = b->CreateInBoundsGEP(u->word, cells, word.index);

	if (!word.words)
		return at;
	return b->CreateConstInBoundsGEP1_64(u->word, at, (uint64_t)word.words);
}

/* Adds to a word without a check. */
static void
add_to(unit *u, IRBuilder<> *b, Value *cells, const word_place &word,
       const event &e, Value *times)
{
	Value *add = ConstantInt::get(u->word, (uint64_t)e.reads * MEMMON_READ +
						       (uint64_t)e.writes *
							       MEMMON_WRITE);
	Value *cell = cell_at(u, b, cells, word);
	Value *x = b->CreateAlignedLoad(u->word, cell, Align(8));

	if (times)
		add = b->CreateMul(add, times);
	b->CreateAlignedStore(b->CreateAdd(x, add), cell, Align(8));
}

static LoadInst *
upper_half(unit *u, IRBuilder<> *b, Value *word)
{
	Value *halves =
		b->CreatePointerCast(word, pointer_to(u->half));

	return b->CreateAlignedLoad(u->half,
				    b->CreateConstInBoundsGEP1_64(u->half,
								  halves,
								  UPPER / 4),
				    Align(4));
}

/* The upper half of a word in the thread's state. */
static Value *
part_of_state(unit *u, IRBuilder<> *b, Value *state, unsigned offset)
{
	return upper_half(u, b,
			  b->CreateConstInBoundsGEP1_64(u->word, state,
							offset / 8));
}

/* The upper half of the thread's `now'. */
Value *
code_now(unit *u, IRBuilder<> *b, Value *state)
{
	return part_of_state(u, b, state, NOW_OFFSET);
}

/* Counts in a word. */
static void
emit_one(emission *m, const word_place &word, const event &e)
{
	unit *u = m->u;
	Value *cells = m->g->cells, *x;
	LoadInst *half;
	IRBuilder<> b(m->before);
	Instruction *side, *touch;

	figures.events++;
	half = upper_half(u, &b, cell_at(u, &b, cells, word));
	x = b.CreateICmpNE(half, m->g->now);
	side = SplitBlockAndInsertIfThen(x, m->before, false, code_rarely(u));
	side->setDebugLoc(m->before->getDebugLoc());
	b.SetInsertPoint(side);
	/* Loaded again, so the usual way compares it in memory. */
	half = upper_half(u, &b, cell_at(u, &b, cells, word));
	half->setVolatile(true);
	x = b.CreateICmpNE(half, part_of_state(u, &b, m->g->state,
					       SKIP_OFFSET));
	touch = SplitBlockAndInsertIfThen(x, side, false);
	touch->setDebugLoc(m->before->getDebugLoc());
	m->skips->push_back(cast<BranchInst>(
		touch->getParent()->getSinglePredecessor()->getTerminator()));
	b.SetInsertPoint(touch);
	target_touch(u, &b, cell_at(u, &b, cells, word));
	b.SetInsertPoint(m->before);
	add_to(u, &b, cells, word, e, m->g->times);
}

/* The same for the granule of the last byte, unless the first byte shares
 * it. */
static void
emit_other(emission *m, Value *first, const event &e)
{
	IRBuilder<> b(m->before);
	emission side = *m;
	Value *last, *x;

	last = b.CreateAdd(first,
			   ConstantInt::get(m->u->word, (uint64_t)e.more - 1));
	x = b.CreateLShr(b.CreateXor(first, last), MEMMON_GRANULE_SHIFT);
	side.before = SplitBlockAndInsertIfThen(
		b.CreateIsNotNull(x), m->before, false,
		MDBuilder(m->u->m.getContext()).createBranchWeights(1, 50));
	b.SetInsertPoint(side.before);
	emit_one(&side, word_of(&side, &b, last), e);
}

void
code_range(unit *u, IRBuilder<> *b, Value *pointer, Value *size, bool reads,
	   bool writes)
{
	FunctionCallee f =
		u->m.getOrInsertFunction("__memmon_range", u->nothing,
					 u->pointer, u->word, u->half, u->half);

	figures.ranges++;
	b->CreateCall(f, { b->CreatePointerCast(pointer, u->pointer),
			   b->CreateZExtOrTrunc(size, u->word),
			   ConstantInt::get(u->half, reads),
			   ConstantInt::get(u->half, writes) })
		->setDoesNotThrow();
}

static void
emit_range(emission *m, const event &e)
{
	unit *u = m->u;
	IRBuilder<> b(m->before);
	Value *at = address_of(m, &b, e.off), *size = m->g->first.length;

	if (e.more >= 0)
		size = ConstantInt::get(u->word, (uint64_t)e.more);
	code_range(u, &b, code_pointer_to(&b, at, b.getInt8Ty()), size,
		   e.reads != 0, e.writes != 0);
}

static void
emit_pair(emission *m, const event &e)
{
	IRBuilder<> b(m->before);
	Value *at = address_of(m, &b, e.off);

	emit_one(m, word_of(m, &b, at), e);
	emit_other(m, at, e);
}

/* Adds an event whose granule needs no check. */
static void
add_covered(emission *m, const event &e)
{
	IRBuilder<> b(m->before);

	figures.covered++;
	if (covered_index(e))
		add_to(m->u, &b, e.covering->cells, e.cover->word, e, nullptr);
	else
		add_to(m->u, &b, m->g->cells, word_of_event(m, &b, e), e,
		       nullptr);
}

/*
 * Skips the events if the first access lies at the limit or above.  Returns
 * where the events go.  Not for a range: the function that counts it knows the
 * limit.
 */
static Instruction *
emit_limit(unit *u, const group *g, Instruction *before)
{
	const event &e = g->events.front();
	IRBuilder<> b(before);
	emission m(u, g, before, nullptr);
	Value *limit, *below;

	if (!e.cover && e.kind == EVENT_RANGE)
		return before;
	limit = word_at(u, &b, (e.cover ? e.covering : g)->state, LIMIT_OFFSET);
	below = b.CreateICmpULT(address_of(&m, &b, e.off), limit);
	before = SplitBlockAndInsertIfThen(
		below, before, false,
		options.sample ? code_rarely(u)
			       : MDBuilder(u->m.getContext())
					 .createBranchWeights(4, 1));
	before->setDebugLoc(g->first.where->getDebugLoc());
	return before;
}

static void
emit_events(unit *u, const group *g, Instruction *before,
	    const std::vector<event> &events)
{
	std::vector<BranchInst *> skips;
	emission m(u, g, before, &skips);
	BasicBlock *behind;

	for (const event &e : events) {
		IRBuilder<> b(m.before);

		if (e.cover)
			add_covered(&m, e);
		else if (e.kind == EVENT_RANGE)
			emit_range(&m, e);
		else if (e.kind == EVENT_PAIR)
			emit_pair(&m, e);
		else if (e.word.index)
			emit_one(&m, e.word, e);
		else
			emit_one(&m, word_of_event(&m, &b, e), e);
	}
	if (skips.empty())
		return;
	behind = SplitBlock(m.before->getParent(), m.before);
	for (BranchInst *skip : skips)
		skip->setSuccessor(1, behind);
}

/*
 * Finds the words of a group that has one version: events that it covers count
 * in the same words.  Must run on all groups before any group gets code.
 */
void
code_words(work *w, group *g)
{
	emission m(&w->u, g, g->first.where, nullptr);
	IRBuilder<> b(g->first.where);

	if (g->test_align || options.sample)
		return;
	for (event &e : g->events)
		if (e.kind == EVENT_ONE && !e.cover)
			e.word = word_of_event(&m, &b, e);
	std::copy(m.index, m.index + GRANULE, g->index);
}

/* Adds a group's code, twice if its root's alignment is tested. */
void
code_group(work *w, group *g)
{
	unit *u = &w->u;
	Instruction *where = emit_limit(u, g, g->first.where), *odd, *even;
	IRBuilder<> b(where);
	Value *x;

	if (options.sample) {
		g->cells = code_cells(u, &b, g->state);
		g->now = code_now(u, &b, g->state);
	}
	if (!g->test_align) {
		emit_events(u, g, where, g->events);
		return;
	}
	figures.checks++;
	x = b.CreateSub(code_address(u, &b, g->first.pointer),
			ConstantInt::get(u->word, (uint64_t)g->first.at.off));
	x = b.CreateAnd(x, GRANULE - 1);
	SplitBlockAndInsertIfThenElse(
		b.CreateIsNotNull(x), where, &odd, &even,
		MDBuilder(u->m.getContext()).createBranchWeights(1, 50));
	odd->setDebugLoc(where->getDebugLoc());
	even->setDebugLoc(where->getDebugLoc());
	emit_events(u, g, odd, g->events);
	emit_events(u, g, even, g->aligned);
}
