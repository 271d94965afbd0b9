/* SPDX-License-Identifier: MIT */
/*
 * Vectors with only some elements in memory, or with elements in several
 * places: masked accesses, gathers and scatters, made by LLVM or called by
 * name.  Each accessed element counts, as it would without vectors: a call of
 * __memmon_range() for each, with size 0 if the element isn't accessed.
 *
 * Other functions of the CPU access the memory that a parameter points to: as
 * many bytes as their largest vector has.
 */
#include <llvm/IR/IntrinsicsX86.h>

#include "monitor/pass/pass.h"

/* Element i is at base + index[i] * scale, or base + i * size, or at[i]. */
struct lanes {
	Value *base, *index, *at;
	Value *mask; /* bits, or sign bits of a vector's elements or a number */
	uint64_t scale;
	FixedVectorType *type;
	bool writes, packed; /* packed: side by side, as many as mask bits */
};

static FixedVectorType *
vector_of(Value *v)
{
	return dyn_cast<FixedVectorType>(v->getType());
}

/* The mask, a bit for each element.  Since LLVM 22 no alignment precedes it. */
static Value *
mask_of(IntrinsicInst *i)
{
	for (unsigned k = 1; k < i->arg_size(); k++) {
		FixedVectorType *type = vector_of(i->getArgOperand(k));

		if (type && type->getElementType()->isIntegerTy(1))
			return i->getArgOperand(k);
	}
	return nullptr;
}

static bool
find_generic(IntrinsicInst *i, lanes *l)
{
	l->mask = mask_of(i);
	switch (i->getIntrinsicID()) {
	case Intrinsic::masked_load:
		l->base = i->getArgOperand(0);
		l->type = vector_of(i);
		return true;
	case Intrinsic::masked_store:
		l->base = i->getArgOperand(1);
		l->type = vector_of(i->getArgOperand(0));
		l->writes = true;
		return true;
	case Intrinsic::masked_gather:
		l->at = i->getArgOperand(0);
		l->type = vector_of(i);
		return true;
	case Intrinsic::masked_scatter:
		l->at = i->getArgOperand(1);
		l->type = vector_of(i->getArgOperand(0));
		l->writes = true;
		return true;
	case Intrinsic::masked_expandload:
		l->base = i->getArgOperand(0);
		l->type = vector_of(i);
		l->packed = true;
		return true;
	case Intrinsic::masked_compressstore:
		l->base = i->getArgOperand(1);
		l->type = vector_of(i->getArgOperand(0));
		l->writes = l->packed = true;
		return true;
	default:
		return false;
	}
}

/* Intrinsics of the CPU: gathers (what, base, index, mask, scale), scatters
 * (base, mask, index, what, scale), masked accesses (base, mask, what), and
 * accesses by bytes (what, mask, base). */
static bool
find_cpu(IntrinsicInst *i, lanes *l)
{
	StringRef name = i->getCalledFunction()->getName();

	if (!name.consume_front("llvm.x86."))
		return false;
	if (name.contains(".gather") && i->arg_size() == 5) {
		l->base = i->getArgOperand(1);
		l->index = i->getArgOperand(2);
		l->mask = i->getArgOperand(3);
		l->type = vector_of(i);
	} else if (name.contains(".scatter") && i->arg_size() == 5) {
		l->base = i->getArgOperand(0);
		l->mask = i->getArgOperand(1);
		l->index = i->getArgOperand(2);
		l->type = vector_of(i->getArgOperand(3));
		l->writes = true;
	} else if (name.contains(".maskload.")) {
		l->base = i->getArgOperand(0);
		l->mask = i->getArgOperand(1);
		l->type = vector_of(i);
	} else if (name.contains(".maskstore.")) {
		l->base = i->getArgOperand(0);
		l->mask = i->getArgOperand(1);
		l->type = vector_of(i->getArgOperand(2));
		l->writes = true;
	} else if (name == "sse2.maskmov.dqu") {
		l->base = i->getArgOperand(2);
		l->mask = i->getArgOperand(1);
		l->type = vector_of(i->getArgOperand(0));
		l->writes = true;
	}
	if (!l->type)
		return false;
	if (l->index)
		l->scale = cast<ConstantInt>(i->getArgOperand(4))
				   ->getZExtValue();
	return true;
}

/* Is element n accessed? */
static Value *
has(IRBuilder<> *b, const lanes *l, unsigned n)
{
	Type *type = l->mask->getType();

	if (type->isIntegerTy())
		return b->CreateTrunc(b->CreateLShr(l->mask, n),
				      b->getInt1Ty());
	Value *one = b->CreateExtractElement(l->mask, n);

	if (one->getType()->isFloatingPointTy())
		one = b->CreateBitCast(
			one, b->getIntNTy(one->getType()
						  ->getPrimitiveSizeInBits()));
	if (one->getType()->isIntegerTy(1))
		return one;
	return b->CreateICmpSLT(one, Constant::getNullValue(one->getType()));
}

static Value *
address_of(work *w, IRBuilder<> *b, const lanes *l, unsigned n, uint64_t size)
{
	unit *u = &w->u;
	Value *off;

	if (l->at)
		return b->CreateExtractElement(l->at, n);
	off = ConstantInt::get(u->word, n * size);
	if (l->index) {
		off = b->CreateSExt(b->CreateExtractElement(l->index, n),
				    u->word);
		off = b->CreateMul(off, ConstantInt::get(u->word, l->scale));
	}
	off = b->CreateAdd(code_address(u, b, l->base), off);
	return code_pointer_to(b, off, b->getInt8Ty());
}

/* All elements in the mask, adjacent in memory. */
static void
count_packed(work *w, IRBuilder<> *b, const lanes *l, uint64_t size)
{
	unit *u = &w->u;
	Value *n = ConstantInt::get(u->word, 0);

	for (unsigned i = 0; i < l->type->getNumElements(); i++)
		n = b->CreateAdd(n, b->CreateZExt(has(b, l, i), u->word));
	code_range(u, b, l->base,
		   b->CreateMul(n, ConstantInt::get(u->word, size)),
		   !l->writes, l->writes);
}

static void
count_lanes(work *w, IntrinsicInst *i, const lanes *l)
{
	unit *u = &w->u;
	uint64_t size = u->dl.getTypeStoreSize(l->type->getElementType());
	unsigned n = l->type->getNumElements();
	IRBuilder<> b(i);

	if (l->index && vector_of(l->index) &&
	    vector_of(l->index)->getNumElements() < n)
		n = vector_of(l->index)->getNumElements();
	if (l->packed) {
		count_packed(w, &b, l, size);
		return;
	}
	for (unsigned k = 0; k < n; k++)
		code_range(u, &b, address_of(w, &b, l, k, size),
			   b.CreateSelect(has(&b, l, k),
					  ConstantInt::get(u->word, size),
					  ConstantInt::get(u->word, 0)),
			   !l->writes, l->writes);
}

/* The size of the largest vector in the call, in bytes; 0: none. */
static uint64_t
vector_size(work *w, IntrinsicInst *i)
{
	uint64_t size = 0;

	for (unsigned k = 0; k <= i->arg_size(); k++) {
		Type *type = k == i->arg_size()
				     ? i->getType()
				     : i->getArgOperand(k)->getType();

		if (isa<FixedVectorType>(type) &&
		    w->u.dl.getTypeStoreSize(type).getFixedValue() > size)
			size = w->u.dl.getTypeStoreSize(type).getFixedValue();
	}
	return size;
}

/* A function of the CPU that reads or writes a whole vector. */
static void
count_whole(work *w, IntrinsicInst *i)
{
	uint64_t size = vector_size(w, i);
	bool reads = i->onlyReadsMemory();
	IRBuilder<> b(i);

	if (size == 0 || i->doesNotAccessMemory() ||
	    !begins(i->getCalledFunction()->getName(), "llvm.x86."))
		return;
	for (Value *v : i->args())
		if (v->getType()->isPointerTy() && !access_is_local(w, v))
			code_range(&w->u, &b, v,
				   ConstantInt::get(w->u.word, size), reads,
				   !reads);
}

/* Counts a vector's elements, if the call is one of these. */
bool
vectors_rewrite(work *w, IntrinsicInst *i)
{
	lanes l = {};

	if (!find_generic(i, &l) && !find_cpu(i, &l)) {
		count_whole(w, i);
		return false;
	}
	if (l.type && (!l.base || !access_is_local(w, l.base)))
		count_lanes(w, i, &l);
	return true;
}
