/* SPDX-License-Identifier: MIT */
/*
 * Calls of functions that are defined elsewhere and get all their pointers in
 * registers.  The call goes to a stand-in of this unit, which jumps to the
 * function.  The unit has one stand-in for all calls that pass the same
 * pointers to a function (HANDED_CALL in touch_entries.h).  So the call itself
 * needs no extra instruction.
 */
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "monitor/pass/pass.h"

#define REGISTERS 6

/* How many integer registers the argument comes in; -1: unknown. */
static int
registers_for(const CallBase *call, unsigned i)
{
	Type *type = call->getArgOperand(i)->getType();

	for (auto kind :
	     { Attribute::ByVal, Attribute::InAlloca, Attribute::Nest,
	       Attribute::InReg, Attribute::SwiftSelf, Attribute::SwiftError })
		if (call->paramHasAttr(i, kind))
			return -1;
	if (type->isPointerTy() ||
	    (type->isIntegerTy() && type->getIntegerBitWidth() <= 64))
		return 1;
	return type->isFloatingPointTy() ? 0 : -1;
}

/* Which arguments come in which integer registers; false: unknown. */
static bool
registers_of(const CallBase *call, std::vector<unsigned> *to)
{
	Type *result = call->getType();
	unsigned next = 0;
	int n;

	if (call->getCallingConv() != CallingConv::C ||
	    call->hasFnAttr(Attribute::ReturnsTwice) ||
	    call->hasFnAttr("no_caller_saved_registers") ||
	    result->isArrayTy() ||
	    (result->isStructTy() && result->getStructNumElements() > 2))
		return false;
	for (unsigned i = 0; i < call->arg_size(); i++) {
		n = registers_for(call, i);
		if (n < 0)
			return false;
		to->push_back(n ? next : REGISTERS);
		next += (unsigned)n;
	}
	return true;
}

/* The distance from field i of the record v to the object at `to'. */
static Constant *
distance(unit *u, GlobalVariable *v, Constant *to, ArrayRef<unsigned> field)
{
	std::vector<Constant *> path = { ConstantInt::get(u->half, 0) };

	if (to->isNullValue())
		return ConstantInt::get(u->half, 0);
	if (to == pointee_words(u))
		return ConstantInt::get(u->half, POINTEE_WORDS);
	for (unsigned i : field)
		path.push_back(ConstantInt::get(u->half, i));
	return ConstantExpr::getTrunc(
		ConstantExpr::getSub(
			ConstantExpr::getPtrToInt(to, u->word),
			ConstantExpr::getPtrToInt(
				ConstantExpr::getInBoundsGetElementPtr(
					v->getValueType(), v, path),
				u->word)),
		u->half);
}

/* A struct memmon_handing, number n. */
static void
make_record(unit *u, unsigned n, GlobalVariable *callee,
	    const std::vector<handed> &pointers,
	    const std::vector<unsigned> &registers)
{
	LLVMContext &context = u->m.getContext();
	StructType *one =
		StructType::get(context, { u->word, u->half, u->half });
	ArrayType *array = ArrayType::get(one, pointers.size());
	StructType *all = StructType::get(context, { u->half, u->half, array });
	std::vector<Constant *> some;
	auto *v = new GlobalVariable(u->m, all, true,
				     GlobalValue::InternalLinkage, nullptr,
				     "\01.LMEMMON_D" + std::to_string(n));

	v->setAlignment(Align(8));
	for (unsigned i = 0; i < pointers.size(); i++) {
		const handed &h = pointers[i];

		some.push_back(ConstantStruct::get(
			one,
			{ ConstantInt::get(u->word, h.bytes),
			  distance(u, v, h.type, { 2, i, 1 }),
			  ConstantInt::get(u->half, registers[h.argument]) }));
	}
	v->setInitializer(ConstantStruct::get(
		all, { distance(u, v, callee, { 0 }),
		       ConstantInt::get(u->half, pointers.size()),
		       ConstantArray::get(array, some) }));
	appendToCompilerUsed(u->m, { v });
}

/* A key that is the same for calls that can share a stand-in. */
static std::string
key_of(unsigned callee, const std::vector<handed> &pointers,
       const std::vector<unsigned> &registers)
{
	std::string s = std::to_string(callee);

	for (const handed &h : pointers)
		s += " " + std::to_string((uintptr_t)h.type) + " " +
		     std::to_string(h.bytes) + " " +
		     std::to_string(registers[h.argument]);
	return s;
}

/* Makes the call use a stand-in that passes the pointers; false: not
 * possible. */
bool
handing_call(unit *u, CallBase *call, unsigned callee, GlobalVariable *record,
	     const std::vector<handed> &pointers)
{
	std::vector<unsigned> registers;
	unsigned number = u->stand_ins.size();
	std::string key;
	const auto *f = dyn_cast<Function>(
		call->getCalledOperand()->stripPointerCasts());
	Function *to;

	if (!f || !registers_of(call, &registers))
		return false;
	for (const handed &h : pointers)
		if (registers[h.argument] >= REGISTERS)
			return false;
	key = key_of(callee, pointers, registers);
	auto known = u->stand_in_of.find(key);
	if (known != u->stand_in_of.end()) {
		number = known->second;
	} else {
		u->stand_in_of[key] = number;
		u->stand_ins.push_back(callee);
		make_record(u, number, record, pointers, registers);
	}
	std::string name = "\01.LMEMMON_H" + std::to_string(number);
	to = u->m.getFunction(name);
	if (!to) {
		to = Function::Create(f->getFunctionType(),
				      GlobalValue::ExternalLinkage, name, u->m);
		to->setAttributes(f->getAttributes());
		to->setVisibility(GlobalValue::HiddenVisibility);
		to->setDSOLocal(true);
	}
	call->setCalledOperand(ConstantExpr::getPointerCast(
		to, call->getCalledOperand()->getType()));
	return true;
}
