/* SPDX-License-Identifier: MIT */
/*
 * Objects on the stack, and variables.  With optimization, LLVM marks the life
 * of an object on the stack; without, the object lives from the function's
 * start to its end.  Static variables always exist; the list contains their
 * addresses.
 */
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "monitor/pass/events.h"

/* -------------------------------------------------------------- the stack -- */

/* The object whose life the marker begins or ends, or NULL. */
static AllocaInst *
marked(Instruction *i)
{
	auto *call = dyn_cast<IntrinsicInst>(i);

	if (!call || !call->isLifetimeStartOrEnd())
		return nullptr;
	return dyn_cast<AllocaInst>(
		call->getArgOperand(call->arg_size() - 1)->stripPointerCasts());
}

/* The object's length in bytes, computed before the object is made. */
static Value *
length(events_function *f, AllocaInst *a)
{
	IRBuilder<> b(a);
	uint64_t each = f->w->u.dl.getTypeAllocSize(a->getAllocatedType());

	return b.CreateMul(b.CreateZExtOrTrunc(a->getArraySize(), f->w->u.word),
			   ConstantInt::get(f->w->u.word, each));
}

static events_draft
draft(events_function *f, unsigned kind, AllocaInst *a)
{
	auto size = a->getAllocationSizeInBits(f->w->u.dl);
	bool known = size && !size->isScalable();
	events_draft d = {};

	if (!f->objects.count(a))
		f->objects[a] = events_place_at(
			f, MEMMON_EVENT_STACK_ALLOC, a, a,
			a->getAllocatedType(),
			known ? (uint64_t)size->getFixedValue() / 8 : 0);
	d.kind = kind;
	d.place = f->objects[a];
	d.size = known ? (uint64_t)size->getFixedValue() / 8
		       : MEMMON_EVENT_SIZE_MAX;
	if (wanted.has(kind, EVENTS_ADDRESS)) {
		d.source = FROM_ACCESS;
		d.at = { a, {}, 0 };
		d.pointer = a;
	}
	if (kind == MEMMON_EVENT_STACK_ALLOC && wanted.has(kind, EVENTS_SIZE) &&
	    d.size >= MEMMON_EVENT_SIZE_MAX)
		d.value = known ? ConstantInt::get(f->w->u.word, d.size)
				: length(f, a);
	return d;
}

/* May objects begin to live in this block? */
bool
events_has_stack(const BasicBlock &bb)
{
	for (const Instruction &i : bb) {
		auto *a = dyn_cast<AllocaInst>(&i);

		if (a && !(a->isStaticAlloca() && access_may_be_register(a)))
			return true;
	}
	return false;
}

/* Objects without a marker live as long as the function. */
void
events_find_stack(events_function *f)
{
	std::vector<AllocaInst *> all;
	SmallPtrSet<AllocaInst *, 16> short_lived;

	for (BasicBlock &bb : f->w->f)
		for (Instruction &i : bb) {
			auto *a = dyn_cast<AllocaInst>(&i);

			if (a && a->isStaticAlloca() &&
			    !access_may_be_register(a))
				all.push_back(a);
			if (marked(&i))
				short_lived.insert(marked(&i));
		}
	for (AllocaInst *a : all) {
		if (short_lived.count(a) || !f->whole)
			continue;
		if (wanted.has(MEMMON_EVENT_STACK_ALLOC))
			f->at_start[&f->w->f.getEntryBlock()].push_back(
				draft(f, MEMMON_EVENT_STACK_ALLOC, a));
		for (BasicBlock &bb : f->w->f)
			if (wanted.has(MEMMON_EVENT_STACK_FREE) &&
			    isa<ReturnInst>(bb.getTerminator()))
				f->at_end[&bb].push_back(
					draft(f, MEMMON_EVENT_STACK_FREE, a));
	}
}

/* Adds an instruction's events of objects. */
void
events_add_stack(events_function *f, Instruction *i, events_made *m)
{
	auto *a = dyn_cast<AllocaInst>(i);
	AllocaInst *object = marked(i);

	if (a && !a->isStaticAlloca() && wanted.has(MEMMON_EVENT_STACK_ALLOC))
		m->behind.push_back(draft(f, MEMMON_EVENT_STACK_ALLOC, a));
	if (!object || access_may_be_register(object))
		return;
	if (cast<IntrinsicInst>(i)->getIntrinsicID() ==
	    Intrinsic::lifetime_start) {
		if (wanted.has(MEMMON_EVENT_STACK_ALLOC))
			m->behind.push_back(
				draft(f, MEMMON_EVENT_STACK_ALLOC, object));
	} else if (wanted.has(MEMMON_EVENT_STACK_FREE)) {
		m->before.push_back(draft(f, MEMMON_EVENT_STACK_FREE, object));
	}
}

/* ------------------------------------------------------------- variables -- */

static std::vector<GlobalVariable *> needed;

/* The name for the assembler; "": no name that is known in all of the unit. */
static std::string
symbol(const GlobalVariable *v)
{
	StringRef s = v->getName();

	if (v->isThreadLocal() || v->hasPrivateLinkage() || s.empty() ||
	    (v->hasLocalLinkage() && v->hasComdat()) || begins(s, "llvm.") ||
	    v->hasAvailableExternallyLinkage())
		return "";
	s.consume_front("\01");
	for (char c : s)
		if (!isalnum((unsigned char)c) && c != '_' && c != '.' &&
		    c != '$')
			return "";
	return s.str();
}

/* Is the address always the same?  The list's array contains it then. */
bool
events_fixed(const ::place &at, int32_t *address)
{
	auto *v = dyn_cast<GlobalVariable>(at.root);
	std::string s = v ? symbol(v) : "";

	if (s.empty() || !at.parts.empty())
		return false;
	/* Keep it even if nothing else needs it. */
	if (!v->isDeclaration())
		needed.push_back(v);
	if (at.off)
		s += (at.off < 0 ? "" : "+") + std::to_string(at.off);
	*address = (int32_t)events_all.address(s);
	return true;
}

/* Called at the end of a file. */
void
events_add_variables(Module &m)
{
	std::vector<GlobalValue *> keep;

	for (GlobalVariable &v : m.globals()) {
		std::string s = symbol(&v);
		events_position at = {};

		if (std::find(needed.begin(), needed.end(), &v) != needed.end())
			keep.push_back(&v);
		if (!wanted.has(MEMMON_EVENT_GLOBAL) || s.empty() ||
		    v.isDeclaration())
			continue;
		at = events_position_of(&v, s);
		at.size = m.getDataLayout().getTypeAllocSize(v.getValueType());
		keep.push_back(&v);
		events_all.start(events_all.place(at), events_all.address(s));
	}
	if (!keep.empty())
		appendToCompilerUsed(m, keep);
	needed.clear();
}
