/* SPDX-License-Identifier: MIT */
/*
 * memcpy() and similar functions that libmemmon-access replaces and counts
 * itself must not be expanded inline, as it would miss them.  Inline code must
 * be counted here.  So small copies and clearings of a known size are always
 * made inline, and count as accesses.  All others, and other functions that
 * LLVM knows, become calls that LLVM doesn't expand.
 *
 * A compare-and-swap reads a word, and writes the word only if it swaps.  So
 * the code tests the result behind it, and counts the write there.
 */
#include <llvm/IR/Verifier.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "monitor/pass/pass.h"

/* These need no check: libmemmon-access replaces them, or they access no memory
 * of their caller. */
static const char *const known[] = {
	"memcpy", "memmove", "mempcpy", "memset", "memcmp", "memchr", "bzero",
	"bcopy", "bcmp", "strlen", "strnlen", "strcpy", "stpcpy", "strncpy",
	"stpncpy", "strcat", "strncat", "strcmp", "strncmp", "strcasecmp",
	"strncasecmp", "strchr", "strrchr", "index", "rindex", "strstr",
	"strpbrk", "strspn", "strcspn", "__memcpy_chk", "__memmove_chk",
	"__mempcpy_chk", "__memset_chk", "__strcpy_chk", "__stpcpy_chk",
	"__strncpy_chk", "__stpncpy_chk", "__strcat_chk", "__strncat_chk",
	"malloc", "calloc", "realloc", "free", "aligned_alloc"
};
/* Beginnings of such names: C++'s new and delete, libatomic, and memmon. */
static const char *const known_beginnings[] = {
	"_Znw", "_Zna", "_Zdl", "_Zda", "__atomic_", "__memmon_"
};

bool
library_is_known(const Function *f)
{
	for (const char *name : known)
		if (f->getName() == name)
			return true;
	for (const char *name : known_beginnings)
		if (begins(f->getName(), name))
			return true;
	return false;
}

/* ----------------------------------------------------- copies, clearings -- */

static void
replace_by_call(work *w, MemIntrinsic *old)
{
	unit *u = &w->u;
	bool sets = isa<MemSetInst>(old);
	IRBuilder<> b(old);
	Value *from, *size = b.CreateZExtOrTrunc(old->getLength(), u->word);
	CallInst *call;

	if (sets)
		from = b.CreateZExt(cast<MemSetInst>(old)->getValue(), u->half);
	else
		from = b.CreatePointerCast(cast<MemTransferInst>(old)
						   ->getRawSource(),
					   u->pointer);
	call = b.CreateCall(
		u->m.getOrInsertFunction(sets ? "memset"
					 : isa<MemMoveInst>(old) ? "memmove"
								 : "memcpy",
					 u->pointer, u->pointer,
					 from->getType(), u->word),
		{ b.CreatePointerCast(old->getRawDest(), u->pointer), from,
		  size });
	call->setDoesNotThrow();
	call->addFnAttr(Attribute::NoBuiltin);
	old->eraseFromParent();
}

static void
replace_by_stores(work *w, MemSetInst *old, uint64_t size)
{
	IRBuilder<> b(old);
	uint64_t value = cast<ConstantInt>(old->getValue())->getZExtValue() *
			 0x0101010101010101ull;
	Value *to = b.CreatePointerCast(old->getRawDest(), w->u.pointer);
	Align align = old->getDestAlign().valueOrOne();
	counted all;
	bool counts = access_at(w, &all, old->getRawDest(), (int64_t)size,
				(unsigned)align.value());

	for (uint64_t off = 0, piece = 8; off < size; off += piece) {
		while (piece > size - off)
			piece /= 2;
		Type *type = b.getIntNTy((unsigned)piece * 8);
		Value *at = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), to,
							 off);
		StoreInst *store = b.CreateAlignedStore(
			ConstantInt::get(type, value),
			b.CreatePointerCast(at, pointer_to(type)),
			commonAlignment(align, off), old->isVolatile());

		w->skip.insert(store);
		if (off != 0 || !counts)
			continue;
		all.where = store;
		all.reads = 0;
		all.writes = 1;
		w->apart[store] = all;
	}
	old->eraseFromParent();
}

static void
rewrite_memory(work *w, MemIntrinsic *old)
{
	const auto *constant = dyn_cast<ConstantInt>(old->getLength());
	const auto *transfer = dyn_cast<MemTransferInst>(old);
	auto *set = dyn_cast<MemSetInst>(old);
	bool small = w->optimize && constant &&
		     constant->getValue().ule(INLINE_MAX);

	if (old->getCalledFunction()->getName().contains(".inline.") ||
	    (constant && constant->isZero()) ||
	    (access_is_local(w, old->getRawDest()) &&
	     (!transfer || access_is_local(w, transfer->getRawSource()))))
		return;
	if (small && set && isa<ConstantInt>(set->getValue())) {
		replace_by_stores(w, set, constant->getZExtValue());
	} else if (small && isa<MemCpyInst>(old)) {
		IRBuilder<> b(old);

		b.CreateMemCpyInline(old->getRawDest(), old->getDestAlign(),
				     transfer->getRawSource(),
				     transfer->getSourceAlign(),
				     old->getLength(), old->isVolatile());
		old->eraseFromParent();
	} else {
		replace_by_call(w, old);
	}
}

/* --------------------------------------------------------------- atomics -- */

/* Arguments of a function of libatomic; -1: none. */
struct atomic {
	const char *name;
	int object, reads, writes; /* numbers of the pointers that it
				    * accesses */
	bool loads, stores, swaps;
};
/* Functions for any size, which is the first argument; then for the size at the
 * end of the name. */
static const atomic any_size[] = {
	{ "__atomic_load", 1, -1, 2, true, false, false },
	{ "__atomic_store", 1, 2, -1, false, true, false },
	{ "__atomic_exchange", 1, 2, 3, true, true, false },
	{ "__atomic_compare_exchange", 1, 3, -1, true, false, true },
};
static const atomic one_size[] = {
	{ "__atomic_load", 0, -1, -1, true, false, false },
	{ "__atomic_store", 0, -1, -1, false, true, false },
	{ "__atomic_compare_exchange", 0, -1, -1, true, false, true },
	{ "__atomic_", 0, -1, -1, true, true, false }, /* all others */
};

/* The row of a call, and its size; NULL: it isn't in the table. */
static const atomic *
find_atomic(work *w, CallBase *call, Value **size)
{
	Function *f = call->getCalledFunction();
	unsigned bytes = 0;
	StringRef name;

	if (!f || !f->isDeclaration() ||
	    !begins(f->getName(), "__atomic_"))
		return nullptr;
	name = f->getName();
	if (!name.substr(name.rfind('_') + 1).getAsInteger(10, bytes)) {
		name = name.substr(0, name.rfind('_'));
		*size = ConstantInt::get(w->u.word, bytes);
		for (const atomic &a : one_size)
			if (call->arg_size() > 0 &&
			    (name == a.name || &a == std::end(one_size) - 1))
				return &a;
		return nullptr;
	}
	for (const atomic &a : any_size)
		if (name == a.name && call->arg_size() >= 4) {
			*size = call->getArgOperand(0);
			return &a;
		}
	return nullptr;
}

/* A place for code that runs behind `i', if `value' is true. */
static Instruction *
place_if(work *w, Instruction *i, Value *value)
{
	Instruction *next = i->getNextNode(), *side;

	if (auto *v = dyn_cast<Instruction>(value))
		next = v->getNextNode();
	side = SplitBlockAndInsertIfThen(value, next, false, nullptr);
	side->setDebugLoc(i->getDebugLoc());
	(void)w;
	return side;
}

static void
write_at(work *w, Instruction *side, Value *pointer, Value *size)
{
	std::vector<counted> found;

	access_add(w, &found, side, pointer, size, false, true);
	for (counted &a : found)
		w->apart[side] = a;
}

static void
rewrite_swap(work *w, AtomicCmpXchgInst *swap)
{
	Value *done;
	TypeSize size = w->u.dl.getTypeStoreSize(
		swap->getCompareOperand()->getType());

	if (access_is_local(w, swap->getPointerOperand()))
		return;
	IRBuilder<> b(swap->getNextNode());

	done = b.CreateExtractValue(swap, 1);
	write_at(w, place_if(w, swap, done), swap->getPointerOperand(),
		 ConstantInt::get(w->u.word, size));
}

/* The same for a call, which writes the found value if it hasn't swapped. */
static void
rewrite_swap_call(work *w, CallInst *call, const atomic *a, Value *size)
{
	IRBuilder<> b(call->getNextNode());
	unsigned object = (unsigned)a->object;
	Value *done = b.CreateIsNotNull(call), *not_done = b.CreateNot(done);
	Instruction *last = cast<Instruction>(not_done);

	write_at(w, place_if(w, call, not_done),
		 call->getArgOperand(object + 1), size);
	last = place_if(w, call, done);
	write_at(w, last, call->getArgOperand(object), size);
}

/* ------------------------------------------------------------------- all -- */

/* Prevents LLVM from replacing a call of a function that it knows. */
static void
keep_call(work *w, CallBase *call)
{
	Function *f = call->getCalledFunction();
	LibFunc which;

	if (!f || f->isIntrinsic() || !w->tli.getLibFunc(*f, which))
		return;
	for (const Value *argument : call->args())
		if (argument->getType()->isPointerTy()) {
			call->addFnAttr(Attribute::NoBuiltin);
			return;
		}
}

/* Makes sure that each access of a known function counts once. */
void
library_rewrite(work *w)
{
	std::vector<Instruction *> all;
	const atomic *a;
	Value *size;

	for (BasicBlock &bb : w->f)
		for (Instruction &i : bb)
			if (isa<CallBase>(i) || isa<AtomicCmpXchgInst>(i))
				all.push_back(&i);
	for (Instruction *i : all) {
		if (auto *swap = dyn_cast<AtomicCmpXchgInst>(i)) {
			rewrite_swap(w, swap);
		} else if (auto *memory = dyn_cast<MemIntrinsic>(i)) {
			rewrite_memory(w, memory);
		} else if (auto *intrinsic = dyn_cast<IntrinsicInst>(i)) {
			vectors_rewrite(w, intrinsic);
		} else {
			auto *call = cast<CallBase>(i);

			keep_call(w, call);
			a = find_atomic(w, call, &size);
			if (a && a->swaps && isa<CallInst>(call))
				rewrite_swap_call(w, cast<CallInst>(call), a,
						  size);
		}
	}
}

static bool
intrinsic_accesses(work *w, IntrinsicInst *call, std::vector<counted> *out)
{
	Value *list = ConstantInt::get(w->u.word, 24);

	switch (call->getIntrinsicID()) {
	case Intrinsic::vacopy:
		access_add(w, out, call, call->getArgOperand(1), list, true,
			   false);
		access_add(w, out, call, call->getArgOperand(0), list, false,
			   true);
		return true;
	case Intrinsic::vastart:
		access_add(w, out, call, call->getArgOperand(0), list, false,
			   true);
		return true;
	default:
		break;
	}
	if (auto *memory = dyn_cast<AnyMemIntrinsic>(call)) {
		if (auto *transfer = dyn_cast<AnyMemTransferInst>(memory))
			access_add(w, out, call, transfer->getRawSource(),
				   memory->getLength(), true, false);
		access_add(w, out, call, memory->getRawDest(),
			   memory->getLength(), false, true);
	}
	return true;
}

/* Adds the accesses of a call of a known function.  false: it isn't one. */
bool
library_accesses(work *w, CallBase *call, std::vector<counted> *out)
{
	const atomic *a;
	Value *size;

	if (auto *intrinsic = dyn_cast<IntrinsicInst>(call))
		return intrinsic_accesses(w, intrinsic, out);
	a = find_atomic(w, call, &size);
	if (!a)
		return false;
	access_add(w, out, call, call->getArgOperand((unsigned)a->object), size,
		   a->loads, a->stores);
	if (a->swaps)
		access_add(w, out, call,
			   call->getArgOperand((unsigned)a->object + 1), size,
			   true, false);
	if (a->reads >= 0)
		access_add(w, out, call,
			   call->getArgOperand((unsigned)a->reads), size, true,
			   false);
	if (a->writes >= 0)
		access_add(w, out, call,
			   call->getArgOperand((unsigned)a->writes), size,
			   false, true);
	return true;
}
