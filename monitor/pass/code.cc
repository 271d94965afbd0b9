/* SPDX-License-Identifier: MIT */
/*
 * An event's code, as in monitor/access/inline.h:
 *
 *	index = address >> 4 & state->mask
 *	if (((cells[index] ^ state->now) & state->watch) != 0)
 *		touch(&cells[index])		(out of line)
 *	cells[index] += add
 *
 * `now' is read anew by each event: another thread changes it.
 */
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "monitor/pass/pass.h"

#define NOW_OFFSET 8
#define WATCH_OFFSET 16
#define MASK_OFFSET 24

unit::unit(Module &module)
	: m(module), dl(module.getDataLayout()),
	  word(Type::getInt64Ty(module.getContext())),
	  half(Type::getInt32Ty(module.getContext())),
	  nothing(Type::getVoidTy(module.getContext())),
	  pointer(PointerType::getUnqual(Type::getInt8Ty(module.getContext()))),
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
	return b->CreateIntToPtr(address, PointerType::getUnqual(type));
}

static Value *
as_words(unit *u, IRBuilder<> *b, Value *pointer)
{
	return b->CreatePointerCast(pointer, PointerType::getUnqual(u->word));
}

static Value *
word_at(unit *u, IRBuilder<> *b, Value *state, unsigned off)
{
	Value *at = b->CreateConstInBoundsGEP1_64(u->word, state, off / 8);

	return b->CreateAlignedLoad(u->word, at, Align(8));
}

/* Loads the thread's pointers. */
Value *
code_state(unit *u, IRBuilder<> *b, Value **cells)
{
	Value *state = b->CreateAlignedLoad(
		u->pointer,
		b->CreatePointerCast(state_variable(u),
				     PointerType::getUnqual(u->pointer)),
		Align(8));

	state = as_words(u, b, state);
	*cells = b->CreateIntToPtr(word_at(u, b, state, 0),
				   PointerType::getUnqual(u->word));
	return state;
}

/* Counts in the granule of an address. */
static void
emit_one(unit *u, Instruction *before, const group *g, Value *address,
	 const event &e)
{
	uint64_t add = ((uint64_t)e.reads << MEMMON_READ_SHIFT) +
		       ((uint64_t)e.writes << MEMMON_WRITE_SHIFT);
	IRBuilder<> b(before);
	Value *index, *cell, *x;
	Instruction *side;

	figures.events++;
	index = b.CreateLShr(address, MEMMON_GRANULE_SHIFT);
	index = b.CreateAnd(index, word_at(u, &b, g->state, MASK_OFFSET));
	/* Made in each block, it becomes a part of the instruction. */
	cell = b.CreateInBoundsGEP(u->word, g->cells, index);
	x = b.CreateAlignedLoad(u->word, cell, Align(8));
	x = b.CreateXor(x, word_at(u, &b, g->state, NOW_OFFSET));
	x = b.CreateAnd(x, word_at(u, &b, g->state, WATCH_OFFSET));
	side = SplitBlockAndInsertIfThen(b.CreateIsNotNull(x), before, false,
					 code_rarely(u));
	side->setDebugLoc(before->getDebugLoc());
	b.SetInsertPoint(side);
	target_touch(u, &b, b.CreateInBoundsGEP(u->word, g->cells, index));
	b.SetInsertPoint(before);
	cell = b.CreateInBoundsGEP(u->word, g->cells, index);
	x = b.CreateAlignedLoad(u->word, cell, Align(8));
	b.CreateAlignedStore(b.CreateAdd(x, ConstantInt::get(u->word, add)),
			     cell, Align(8));
}

/* The same for the last byte's granule, if it isn't the first's. */
static void
emit_other(unit *u, Instruction *before, const group *g, Value *first,
	   const event &e)
{
	IRBuilder<> b(before);
	Value *last, *x;
	Instruction *side;

	last = b.CreateAdd(first,
			   ConstantInt::get(u->word, (uint64_t)e.more - 1));
	x = b.CreateLShr(b.CreateXor(first, last), MEMMON_GRANULE_SHIFT);
	side = SplitBlockAndInsertIfThen(
		b.CreateIsNotNull(x), before, false,
		MDBuilder(u->m.getContext()).createBranchWeights(1, 50));
	emit_one(u, side, g, last, e);
}

void
code_range(unit *u, IRBuilder<> *b, Value *pointer, Value *size, bool reads,
	   bool writes)
{
	FunctionCallee f = u->m.getOrInsertFunction(
		"__memmon_range", u->nothing, u->pointer, u->word, u->half,
		u->half);

	figures.ranges++;
	b->CreateCall(f, { b->CreatePointerCast(pointer, u->pointer),
			   b->CreateZExtOrTrunc(size, u->word),
			   ConstantInt::get(u->half, reads),
			   ConstantInt::get(u->half, writes) })
		->setDoesNotThrow();
}

static void
emit_range(unit *u, Instruction *before, const group *g, Value *address,
	   const event &e)
{
	IRBuilder<> b(before);
	Value *size = g->first.length;

	if (e.more >= 0)
		size = ConstantInt::get(u->word, (uint64_t)e.more);
	code_range(u, &b, code_pointer_to(&b, address, b.getInt8Ty()), size,
		   e.reads != 0, e.writes != 0);
}

static void
emit_events(unit *u, Instruction *before, const group *g,
	    const std::vector<event> &events)
{
	const counted *a = &g->first;

	for (const event &e : events) {
		IRBuilder<> b(before);
		Value *at = code_address(u, &b, a->pointer);

		if (e.off != a->at.off)
			at = b.CreateAdd(
				at, ConstantInt::get(u->word,
						     (uint64_t)(e.off -
								a->at.off)));
		if (e.kind == EVENT_RANGE) {
			emit_range(u, before, g, at, e);
			continue;
		}
		emit_one(u, before, g, at, e);
		if (e.kind == EVENT_PAIR)
			emit_other(u, before, g, at, e);
	}
}

/* A group's events, in both ways if its root's alignment is tested. */
void
code_group(work *w, group *g)
{
	unit *u = &w->u;
	Instruction *where = g->first.where, *odd, *even;
	IRBuilder<> b(where);
	Value *x;

	if (!g->test_align) {
		emit_events(u, where, g, g->events);
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
	emit_events(u, odd, g, g->events);
	emit_events(u, even, g, g->aligned);
}
