/* SPDX-License-Identifier: MIT */
/*
 * The code of a block of events (monitor/events.h):
 *
 *	end = events->next + n
 *	if (end > events->end)
 *		end = room(n)			(out of line)
 *	events->next = end
 *	end[-n] = first + number | words << 32 | kind << 56
 *
 * Each other word is written before or behind the instruction that it comes
 * from.  All of these accesses are volatile: a signal handler may run between
 * them, and vector instructions would gain nothing.
 */
#include <llvm/IR/InlineAsm.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "monitor/pass/events.h"

#define WORDS_MAX 500 /* in a block */
#define STEPS_MAX 30000

/* One of the thread's two pointers, by offset. */
static Value *
thread_word(unit *u, IRBuilder<> *b, unsigned off)
{
	Type *type = ArrayType::get(u->word, 2);
	GlobalVariable *v = u->m.getNamedGlobal(MEMMON_EVENTS_NAME);

	if (!v) {
		v = cast<GlobalVariable>(
			u->m.getOrInsertGlobal(MEMMON_EVENTS_NAME, type));
		v->setThreadLocalMode(GlobalValue::InitialExecTLSModel);
		v->setAlignment(Align(8));
	}
	return b->CreateConstInBoundsGEP1_64(
		u->word, b->CreatePointerCast(v, pointer_to(u->word)), off / 8);
}

static Value *
first(unit *u, IRBuilder<> *b)
{
	static const char name[] = "\01.LMEMMON_E0";
	GlobalVariable *v = u->m.getNamedGlobal(name);

	if (!v) {
		v = cast<GlobalVariable>(u->m.getOrInsertGlobal(name, u->half));
		v->setVisibility(GlobalValue::HiddenVisibility);
		v->setDSOLocal(true);
		v->setAlignment(Align(8));
	}
	return b->CreateAlignedLoad(u->half, v, Align(8));
}

static void
store(IRBuilder<> *b, Value *value, Value *end, int64_t off)
{
	Value *at = b->CreateAdd(end, ConstantInt::get(end->getType(),
						       (uint64_t)off));

	b->CreateAlignedStore(value, code_pointer_to(b, at, value->getType()),
			      Align(4), true);
}

/* ---------------------------------------------------------------- words -- */

/* Does the value fit in a register of up to 64 bits? */
bool
events_has_value(work *w, Value *value)
{
	Type *type = value->getType();

	return type->isSingleValueType() && type->isSized() &&
	       !w->u.dl.getTypeStoreSize(type).isScalable() &&
	       w->u.dl.getTypeSizeInBits(type).getFixedValue() <= 64 &&
	       !(type->isVectorTy() &&
		 cast<VectorType>(type)->getElementType()->isPointerTy());
}

/* An intrinsic function for a type. */
static Function *
declared(unit *u, Intrinsic::ID id, Type *type)
{
#if LLVM_VERSION_MAJOR < 20
	return Intrinsic::getDeclaration(&u->m, id, { type });
#else
	return Intrinsic::getOrInsertDeclaration(&u->m, id, { type });
#endif
}

static Value *
word_value(unit *u, IRBuilder<> *b, const events_word &word)
{
	Value *v = word.value;
	Type *type = v ? v->getType() : nullptr;

	if (word.source == FROM_FRAME) {
		Function *f = declared(u, Intrinsic::addressofreturnaddress,
				       u->pointer);

		v = b->CreateCall(f, {});
		type = v->getType();
	}
	if (type->isPointerTy())
		return b->CreatePtrToInt(v, u->word);
	if (!type->isIntegerTy())
		v = b->CreateBitCast(
			v, b->getIntNTy((unsigned)u->dl.getTypeSizeInBits(type)
						.getFixedValue()));
	return b->CreateZExtOrTrunc(v, u->word);
}

/* --------------------------------------------------------------- blocks -- */

/* Reserves words before the instruction where the block begins. */
static Value *
reserve(unit *u, Instruction *where, uint64_t bytes)
{
	FunctionType *type = FunctionType::get(u->word, { u->word }, false);
	InlineAsm *call =
		InlineAsm::get(type, "call __memmon_events_room",
			       "={ax},0,~{dirflag},~{fpsr},~{flags}", true);
	IRBuilder<> b(where);
	Value *next, *other;
	Instruction *side;
	BasicBlock *before = where->getParent();
	PHINode *end;

	next = b.CreateAlignedLoad(u->word, thread_word(u, &b, 0), Align(8),
				   true);
	next = b.CreateAdd(next, ConstantInt::get(u->word, bytes));
	other = b.CreateAlignedLoad(u->word, thread_word(u, &b, 8), Align(8),
				    true);
	side = SplitBlockAndInsertIfThen(b.CreateICmpUGT(next, other), where,
					 false, code_rarely(u));
	side->setDebugLoc(where->getDebugLoc());
	b.SetInsertPoint(side);
	other = b.CreateCall(type, call,
			     { ConstantInt::get(u->word, bytes / 8) });
	cast<CallInst>(other)->setDoesNotThrow();
	where->getFunction()->addFnAttr(Attribute::NoRedZone);
	b.SetInsertPoint(&where->getParent()->front());
	end = b.CreatePHI(u->word, 2);
	end->addIncoming(next, before);
	end->addIncoming(other, side->getParent());
	b.SetInsertPoint(where);
	b.CreateAlignedStore(end, thread_word(u, &b, 0), Align(8), true);
	return end;
}

void
events_emit(unit *u, events_block *b)
{
	int64_t bytes = 8 * (1 + (int64_t)b->words.size());
	uint64_t rest = events_head(MEMMON_EVENT_BLOCK, 0, b->words.size(),
				    false, false) >>
			32;
	Value *end = reserve(u, b->where, (uint64_t)bytes), *number;
	IRBuilder<> builder(b->where);

	number = builder.CreateAdd(
		first(u, &builder),
		ConstantInt::get(u->half,
				 events_all.block(b->steps,
						  (unsigned)b->words.size())));
	store(&builder, number, end, -bytes);
	store(&builder, ConstantInt::get(u->half, rest), end, 4 - bytes);
	for (size_t i = 0; i < b->words.size(); i++) {
		builder.SetInsertPoint(b->words[i].where);
		store(&builder, word_value(u, &builder, b->words[i]), end,
		      8 * (1 + (int64_t)i) - bytes);
	}
	delete b;
}

/* The block's word that has this address, maybe at a distance (*delta). */
static size_t
find_word(const events_block *b, const ::place &at, int32_t *delta)
{
	for (size_t i = 0; i < b->words.size(); i++) {
		const events_word &w = b->words[i];
		int64_t off = at.off - w.at.off;

		if (w.source != FROM_ACCESS || w.at.root != at.root ||
		    w.at.parts != at.parts || off != (int32_t)off)
			continue;
		*delta = (int32_t)off;
		return i;
	}
	return b->words.size();
}

/*
 * Adds an event before `where' to the open block, or to a new one; a late value
 * is written before `behind'.
 */
void
events_add(events_function *f, events_block **open, const events_draft &d,
	   Instruction *where, Instruction *behind)
{
	events_step step = { events_head(d.kind, d.place, d.size,
					 d.source != FROM_NOTHING,
					 d.value != nullptr),
			     0, 0, 0 };
	events_block *b = *open;

	if (!b || b->words.size() >= WORDS_MAX ||
	    b->steps.size() >= STEPS_MAX) {
		b = *open = new events_block();
		b->where = where;
		f->blocks.push_back(b);
	}
	if (d.source != FROM_NOTHING) {
		size_t i = b->words.size();

		if (d.source == FROM_ACCESS)
			i = find_word(b, d.at, &step.delta);
		step.address = (uint16_t)i;
		if (d.source == FROM_ACCESS && events_fixed(d.at, &step.delta))
			step.address = MEMMON_STEP_FIXED;
		else if (i == b->words.size())
			b->words.push_back(
				{ d.source, d.at, d.pointer, where });
	}
	if (d.value) {
		step.value = (uint16_t)b->words.size();
		b->words.push_back({ FROM_VALUE,
				     {},
				     d.value,
				     d.late_value ? behind : where });
	}
	b->steps.push_back(step);
}
