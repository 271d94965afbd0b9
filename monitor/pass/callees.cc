/* SPDX-License-Identifier: MIT */
/*
 * Calls of functions that are defined elsewhere, or by pointers, with pointers
 * among their arguments.  Only the linker or the loader knows whether the
 * accesses of such a function are recorded.  So this code precedes the call:
 *
 *	if (callee.unknown != 0)
 *		__memmon_handed(&callee, n, pointer, type, bytes, ...)
 *
 * The monitor then marks the blocks that the function gets as passed to
 * unrecorded code (monitor/access/handed.h), and the blocks that these point to
 * (pointee.cc).  A number as wide as a pointer may be a pointer: LLVM passes
 * structs by value this way.
 *
 * If all pointers come in registers, handing.cc does this in less code.
 *
 * Before a call by a pointer the code tests whether its target was met before:
 *
 *	if (targets[pointer & MASK] != pointer)
 *		__memmon_handed_target(pointer, n, pointer, type, bytes, ...)
 *
 * Assembler that may access any memory is such a function, too: NULL.
 */
#include <llvm/IR/InlineAsm.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "monitor/pass/pass.h"

/* The function's name for the assembler; "": none that can be used. */
static std::string
name_of(const GlobalValue *f)
{
	StringRef s = f->getName();

	s.consume_front("\01");
	for (char c : s)
		if (!isalnum((unsigned char)c) && c != '_' && c != '.' &&
		    c != '$')
			return "";
	return s.str();
}

/* The function's accesses are recorded. */
void
callees_defined(unit *u, Function *f)
{
	if (!f->hasLocalLinkage() && !name_of(f).empty())
		u->defined.push_back(name_of(f));
	for (GlobalAlias &alias : u->m.aliases())
		if (alias.getAliaseeObject() == f && !alias.hasLocalLinkage() &&
		    !name_of(&alias).empty())
			u->defined.push_back(name_of(&alias));
}

/* The function that the call names; NULL: unknown. */
static GlobalValue *
callee_of(const CallBase *call)
{
	return dyn_cast<GlobalValue>(
		call->getCalledOperand()->stripPointerCasts());
}

/*
 * May this statement of assembler access memory that it gets pointers to: any,
 * or operands in memory?  Not if the statement is one of ours.
 */
static bool
is_unknown(const InlineAsm *code)
{
	StringRef text = code->getAsmString();
	StringRef operands = code->getConstraintString();

	return text.find_first_not_of(" \t\n;") != StringRef::npos &&
	       !begins(text, "call __memmon_") &&
	       (operands.contains("~{memory}") || operands.contains('*'));
}

/*
 * Is it a call of a function that is defined elsewhere, or may be, or of
 * assembler?
 */
static bool
is_elsewhere(CallBase *call)
{
	GlobalValue *callee = callee_of(call);

	if (const auto *code = dyn_cast<InlineAsm>(call->getCalledOperand()))
		return is_unknown(code);
	if (isa<IntrinsicInst>(call))
		return false;
	if (!callee)
		return true;
	if (const auto *f = dyn_cast<Function>(callee))
		if (f->isIntrinsic() || library_is_known(f))
			return false;
	return callee->isDeclarationForLinker() && !name_of(callee).empty();
}

/* A variable with a name that only the assembler sees. */
static GlobalVariable *
labelled(unit *u, const std::string &name)
{
	GlobalVariable *v = u->m.getNamedGlobal("\01" + name);

	if (!v) {
		v = cast<GlobalVariable>(
			u->m.getOrInsertGlobal("\01" + name, u->word));
		v->setVisibility(GlobalValue::HiddenVisibility);
		v->setDSOLocal(true);
	}
	return v;
}

/* The callee's index in `callees'. */
static unsigned
callee_place(unit *u, const std::string &name)
{
	auto known = u->callee_of.find(name);

	if (known == u->callee_of.end()) {
		known = u->callee_of.insert({ name, u->callees.size() }).first;
		u->callees.push_back(name);
	}
	return known->second;
}

/* Bytes of a variable from this address on; 0: it isn't one. */
static uint64_t
bytes_from(unit *u, Value *pointer)
{
	APInt off(64, 0);
	Value *base =
		pointer->stripAndAccumulateConstantOffsets(u->dl, off, true);
	uint64_t size = 0;

	if (auto *local = dyn_cast<AllocaInst>(base)) {
		if (!local->isArrayAllocation())
			size = u->dl.getTypeAllocSize(
				local->getAllocatedType());
	} else if (auto *global = dyn_cast<GlobalVariable>(base)) {
		size = u->dl.getTypeAllocSize(global->getValueType());
	}
	return off.isNonNegative() && off.ult(size) ? size - off.getZExtValue()
						    : 0;
}

#define BYTES_ELSEWHERE 128 /* of words outside of blocks */

/* A pointer that the function gets, with the type of its target. */
static handed
pointer_of(unit *u, Value *value, unsigned argument, Constant *type)
{
	uint64_t bytes = bytes_from(u, value);

	if (bytes == 0 && type == pointee_words(u))
		bytes = BYTES_ELSEWHERE;
	return { value, type, bytes, argument };
}

/* Adds the three arguments for a pointer. */
static void
add_pointer(unit *u, IRBuilder<> *b, const handed &h, std::vector<Value *> *out)
{
	Value *value = h.value;

	if (value->getType()->isPointerTy())
		value = b->CreatePointerCast(value, u->pointer);
	else
		value = code_pointer_to(b, value, b->getInt8Ty());
	out->push_back(value);
	out->push_back(ConstantExpr::getPointerCast(h.type, u->pointer));
	out->push_back(ConstantInt::get(u->word, h.bytes));
}

/* Does it only pass exceptions on, without access to their contents? */
static bool
is_unwinder(const CallBase *call)
{
	const GlobalValue *callee = callee_of(call);

	return callee && (begins(callee->getName(), "__cxa_") ||
			  begins(callee->getName(), "_Unwind_"));
}

static bool
may_be_pointer(unit *u, const Value *v)
{
	return !isa<Constant>(v) &&
	       (v->getType()->isPointerTy() || v->getType() == u->word);
}

static std::vector<handed>
arguments(unit *u, CallBase *call)
{
	std::vector<handed> out;

	for (unsigned i = 0; i < call->arg_size(); i++) {
		Value *v = call->getArgOperand(i);
		bool follow = !call->paramHasAttr(i, Attribute::StructRet) &&
			      !is_unwinder(call);

		if (isa<GlobalVariable>(v->stripInBoundsOffsets())
			    ? !follow
			    : !may_be_pointer(u, v))
			continue;
		out.push_back(pointer_of(u, v, i,
					 follow ? pointee_record(u, v)
						: ConstantPointerNull::get(
							  u->pointer)));
	}
	return out;
}

/* A value that is 0 only if the function is known as recorded. */
static Value *
emit_unknown(unit *u, IRBuilder<> *b, GlobalVariable *record, Value *target)
{
	Value *at, *slot;

	if (record)
		return b->CreateAlignedLoad(u->word, record, Align(8));
	at = code_address(u, b, target);
	u->uses_targets = true;
	slot = b->CreateAlignedLoad(u->word, labelled(u, ".LMEMMON_T0"),
				    Align(8));
	slot = b->CreateAdd(slot, b->CreateAnd(at, MEMMON_TARGETS_MASK));
	slot = b->CreateAlignedLoad(u->word, code_pointer_to(b, slot, u->word),
				    Align(8));
	return b->CreateXor(at, slot);
}

/* Adds the code before the call, or makes it call a stand-in. */
static void
emit_handed(unit *u, CallBase *call)
{
	GlobalValue *callee = callee_of(call);
	GlobalVariable *record = nullptr;
	std::vector<handed> pointers = arguments(u, call);
	std::vector<Value *> all;
	IRBuilder<> b(call);
	Instruction *side;
	Value *unknown, *first = call->getCalledOperand();
	unsigned place;

	if (pointers.empty())
		return;
	if (callee) {
		place = callee_place(u, name_of(callee));
		first = record =
			labelled(u, ".LMEMMON_C" + std::to_string(place));
		if (handing_call(u, call, place, record, pointers))
			return;
	}
	if (call->isInlineAsm()) {
		first = ConstantPointerNull::get(u->pointer);
	} else {
		unknown = emit_unknown(u, &b, record, first);
		side = SplitBlockAndInsertIfThen(b.CreateIsNotNull(unknown),
						 call, false, code_rarely(u));
		side->setDebugLoc(call->getDebugLoc());
		b.SetInsertPoint(side);
	}
	all = { b.CreatePointerCast(first, u->pointer),
		ConstantInt::get(u->half, pointers.size()) };
	for (const handed &h : pointers)
		add_pointer(u, &b, h, &all);
	b.CreateCall(u->m.getOrInsertFunction(
			     record ? "__memmon_handed"
				    : "__memmon_handed_target",
			     FunctionType::get(u->nothing,
					       { u->pointer, u->half }, true)),
		     all)
		->setDoesNotThrow();
}

/* Called after all other code was added to the function. */
void
callees_calls(work *w)
{
	std::vector<CallBase *> calls;

	for (BasicBlock &bb : w->f)
		for (Instruction &i : bb)
			if (auto *call = dyn_cast<CallBase>(&i))
				if (is_elsewhere(call))
					calls.push_back(call);
	for (CallBase *call : calls)
		emit_handed(&w->u, call);
}
