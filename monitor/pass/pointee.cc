/* SPDX-License-Identifier: MIT */
/*
 * What a pointer points to, as far as LLVM knows.  Up to LLVM 14 a pointer has
 * a type: records (abi.h) contain the offsets of the pointers in a struct and
 * the types that they point to.  void, char, unions and types that are
 * incomplete here count as words.  Since LLVM 15 everything does.
 */
#include "monitor/pass/pass.h"

#if LLVM_VERSION_MAJOR < 15
#define ELEMENTS_MAX 64 /* followed in an array of a struct */
#define POINTERS_MAX 4096 /* of a type */
#define WORD 8

struct pointer_in {
	uint64_t offset;
	Type *to; /* NULL: anything */
};

static bool
is_union(Type *type)
{
	return isa<StructType>(type) && cast<StructType>(type)->hasName() &&
	       begins(type->getStructName(), "union.");
}

/* The type that a pointer points to; NULL: anything. */
static Type *
target_of(Type *pointer)
{
	auto *type = cast<PointerType>(pointer);
	Type *to;

	if (type->isOpaque())
		return nullptr;
	to = type->getNonOpaquePointerElementType();
	if (to->isIntegerTy(8) || !to->isSized() || is_union(to))
		return nullptr;
	return to;
}

/* Adds the pointers in an object.  false: there are too many. */
static bool
add_pointers(unit *u, Type *type, uint64_t offset,
	     std::vector<pointer_in> *out)
{
	uint64_t size = u->dl.getTypeAllocSize(type);
	auto *structure = dyn_cast<StructType>(type);

	if (out->size() >= POINTERS_MAX)
		return false;
	if (type->isPointerTy()) {
		auto *to = cast<PointerType>(type);

		if (to->isOpaque() ||
		    !to->getNonOpaquePointerElementType()->isFunctionTy())
			out->push_back({ offset, target_of(type) });
	} else if (is_union(type)) {
		if (size > ELEMENTS_MAX * WORD)
			return false;
		for (uint64_t i = 0; i + WORD <= size; i += WORD)
			out->push_back({ offset + i, nullptr });
	} else if (structure) {
		const StructLayout *layout = u->dl.getStructLayout(structure);

		for (unsigned i = 0; i < structure->getNumElements(); i++)
			if (!add_pointers(u, structure->getElementType(i),
					  offset + layout->getElementOffset(i),
					  out))
				return false;
	} else if (auto *array = dyn_cast<ArrayType>(type)) {
		std::vector<pointer_in> one;
		uint64_t n = array->getNumElements();

		if (!add_pointers(u, array->getElementType(), 0, &one))
			return false;
		if (one.empty())
			return true;
		if (n > ELEMENTS_MAX)
			return false;
		for (uint64_t i = 0; i < n; i++)
			for (const pointer_in &p : one)
				out->push_back({ offset + size / n * i +
							 p.offset,
						 p.to });
	}
	return true;
}

static Constant *record_of(unit *u, Type *type);

/* The record of a type that a pointer points to, as a number. */
static Constant *
followed(unit *u, Type *to)
{
	Constant *record;

	if (!to)
		return ConstantInt::get(u->word, POINTEE_WORDS);
	record = record_of(u, to);
	return ConstantExpr::getPtrToInt(record, u->word);
}

/* A type's record; NULL: it contains no pointers to follow. */
static Constant *
record_of(unit *u, Type *type)
{
	auto known = u->records.find(type);
	std::vector<pointer_in> pointers;
	std::vector<Constant *> numbers;
	GlobalVariable *v;

	if (known != u->records.end())
		return known->second;
	/* The contents of a FILE belong to libc. */
	if (type->isStructTy() && cast<StructType>(type)->hasName() &&
	    type->getStructName() == "struct._IO_FILE")
		return u->records[type] = ConstantPointerNull::get(u->pointer);
	if (!add_pointers(u, type, 0, &pointers))
		return u->records[type] = ConstantExpr::getIntToPtr(
			       ConstantInt::get(u->word, POINTEE_WORDS),
			       u->pointer);
	if (pointers.empty())
		return u->records[type] = ConstantPointerNull::get(u->pointer);
	ArrayType *array =
		ArrayType::get(u->word, 2 + 2 * (uint64_t)pointers.size());

	v = cast<GlobalVariable>(u->m.getOrInsertGlobal(
		"__memmon_type" + std::to_string(u->records.size()), array));
	v->setConstant(true);
	v->setLinkage(GlobalValue::InternalLinkage);
	v->setAlignment(Align(8));
	/* Set before its pointers are added: they may lead back. */
	u->records[type] = v;
	numbers = { ConstantInt::get(u->word, u->dl.getTypeAllocSize(type)),
		    ConstantInt::get(u->word, pointers.size()) };
	for (const pointer_in &p : pointers) {
		numbers.push_back(ConstantInt::get(u->word, p.offset));
		numbers.push_back(followed(u, p.to));
	}
	v->setInitializer(ConstantArray::get(array, numbers));
	return v;
}

/* The record by the pointer's type, or by that of the value it was made of. */
Constant *
pointee_record(unit *u, Value *value)
{
	Type *to = nullptr;

	if (value->getType()->isPointerTy())
		to = target_of(value->getType());
	if (!to && value->stripPointerCasts()->getType()->isPointerTy())
		to = target_of(value->stripPointerCasts()->getType());
	if (!to || isa<ArrayType>(to))
		return pointee_words(u);
	return record_of(u, to);
}
#else
Constant *
pointee_record(unit *u, Value *)
{
	return pointee_words(u);
}
#endif

Constant *
pointee_words(unit *u)
{
	return ConstantExpr::getIntToPtr(ConstantInt::get(u->word,
							  POINTEE_WORDS),
					 u->pointer);
}
