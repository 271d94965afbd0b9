/* SPDX-License-Identifier: MIT */
/*
 * Finds the instructions that access memory which may be heap.
 *
 * Not counted are: variables, on the stack or static, and accesses by pointers
 * that can only point to variables; alloca's memory; arguments that are passed
 * by value; C++'s tables of virtual functions; other address spaces.  A struct
 * that a function returns in memory is an object of the caller, maybe on the
 * heap: its accesses count in the function itself, and not at the call.
 */
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include "monitor/pass/pass.h"

#include "monitor/events.h"

#define OBJECTS_DEEP 12 /* steps back from a pointer to its object */
#define PARTS_MAX 4
#define EVENTS_DEEP 5 /* steps back to the events' pointers */

/* Was it loaded from a vtable pointer of C++? Then it points to a table. */
static bool
is_table(const Value *v)
{
	const auto *load = dyn_cast<LoadInst>(v);
	const MDNode *tbaa =
		load ? load->getMetadata(LLVMContext::MD_tbaa) : nullptr;

	return tbaa && tbaa->isTBAAVtableAccess();
}

/* Is the value derived from events' pointers, as events_code.cc computes it? */
static bool
is_events(const Value *v, unsigned steps)
{
	const auto *load = dyn_cast<LoadInst>(v);
	const auto *call = dyn_cast<CallBase>(v);
	const auto *user = dyn_cast<User>(v);

	if (load)
		return load->getPointerOperand()
			       ->stripInBoundsConstantOffsets()
			       ->getName() == MEMMON_EVENTS_NAME;
	if (call) {
		const auto *text =
			dyn_cast<InlineAsm>(call->getCalledOperand());

		return text && StringRef(text->getAsmString())
				       .contains("__memmon_events_room");
	}
	if (!user || steps == 0 ||
	    (!isa<PHINode>(v) && !isa<IntToPtrInst>(v) && !isa<AddOperator>(v)))
		return false;
	for (const Use &u : user->operands())
		if (is_events(u.get(), steps - 1))
			return true;
	return false;
}

static bool
is_local_object(const Value *v)
{
	const auto *call = dyn_cast<CallBase>(v);
	const auto *argument = dyn_cast<Argument>(v);

	if (argument)
		return argument->hasByValAttr();
	if (isa<IntToPtrInst>(v))
		return is_events(v, EVENTS_DEEP);
	if (call)
		return call->getCalledFunction() &&
		       begins(call->getCalledFunction()->getName(),
			      "llvm.threadlocal.address");
	if (const auto *alias = dyn_cast<GlobalAlias>(v))
		return isa<GlobalValue>(alias->getAliasee());
	return isa<AllocaInst>(v) || isa<GlobalVariable>(v) ||
	       isa<Function>(v) || isa<UndefValue>(v) ||
	       isa<ConstantPointerNull>(v) || is_table(v);
}

/* Can it point to nothing but variables? */
bool
access_is_local(work *w, const Value *pointer)
{
	SmallVector<const Value *, 8> objects;

	getUnderlyingObjects(pointer, objects, w->li, OBJECTS_DEEP);
	for (const Value *v : objects)
		if (!is_local_object(v))
			return false;
	return !objects.empty();
}

/* Moves the offsets of a getelementptr to *at.  false: there are too many. */
static bool
take_offsets(const DataLayout &dl, place *at, GEPOperator *gep)
{
	SmallVector<std::pair<Value *, int64_t>, 2> parts;
	int64_t off = 0;

	for (auto i = gep_type_begin(gep), end = gep_type_end(gep); i != end;
	     ++i) {
		Value *index = i.getOperand();
		const auto *constant = dyn_cast<ConstantInt>(index);

		if (StructType *type = i.getStructTypeOrNull()) {
			off += (int64_t)(uint64_t)dl.getStructLayout(type)
				       ->getElementOffset(
					       (unsigned)constant
						       ->getZExtValue());
			continue;
		}
		TypeSize size = dl.getTypeAllocSize(i.getIndexedType());

		if (size.isScalable() || index->getType()->isVectorTy())
			return false;
		if (constant)
			off += constant->getSExtValue() *
			       (int64_t)size.getFixedValue();
		else
			parts.push_back({ index, size.getFixedValue() });
	}
	if (at->parts.size() + parts.size() > PARTS_MAX)
		return false;
	at->parts.append(parts.begin(), parts.end());
	at->off += off;
	return true;
}

static void
find_place(const DataLayout &dl, place *at, Value *pointer)
{
	at->root = pointer;
	at->parts.clear();
	at->off = 0;
	for (;;) {
		auto *gep = dyn_cast<GEPOperator>(at->root);
		auto *cast = dyn_cast<BitCastOperator>(at->root);

		if (gep && take_offsets(dl, at, gep))
			at->root = gep->getPointerOperand();
		else if (cast && cast->getOperand(0)->getType()->isPointerTy())
			at->root = cast->getOperand(0);
		else
			return;
	}
}

/* Is it a variable that optimization would put into a register? */
bool
access_may_be_register(const Value *pointer)
{
	const auto *a = dyn_cast<AllocaInst>(pointer->stripPointerCasts());

	return a && isAllocaPromotable(a);
}

/* Fills in an access.  false: certainly not heap. */
bool
access_at(work *w, counted *a, Value *pointer, int64_t size, unsigned align)
{
	auto *type = dyn_cast<PointerType>(pointer->getType());

	figures.accesses++;
	if (!type || type->getAddressSpace() != 0 || size == 0 ||
	    (w->everything ? access_may_be_register(pointer)
			   : access_is_local(w, pointer))) {
		figures.local++;
		return false;
	}
	a->pointer = pointer;
	find_place(w->u.dl, &a->at, pointer);
	a->size = size;
	a->length = nullptr;
	a->align = align < 1 ? 1 : align > GRANULE ? GRANULE : align;
	return true;
}

/* Adds an access to `length' bytes, unless it is local. */
void
access_add(work *w, std::vector<counted> *out, Instruction *where,
	   Value *pointer, Value *length, bool reads, bool writes)
{
	const auto *constant = dyn_cast<ConstantInt>(length);
	counted a;

	if (!access_at(w, &a, pointer,
		       constant ? (int64_t)constant->getZExtValue() : -1, 1))
		return;
	a.length = length;
	a.where = where;
	a.reads = reads;
	a.writes = writes;
	out->push_back(a);
}

static void
add_plain(work *w, std::vector<counted> *out, Instruction *where,
	  Value *pointer, Type *type, Align align, bool reads, bool writes)
{
	TypeSize size = w->u.dl.getTypeStoreSize(type);
	counted a;

	if (size.isScalable() ||
	    !access_at(w, &a, pointer, (int64_t)size.getFixedValue(),
		       (unsigned)align.value()))
		return;
	a.where = where;
	a.reads = reads;
	a.writes = writes;
	out->push_back(a);
}

/* The caller reads arguments that are passed by value. */
static void
add_by_value(work *w, CallBase *call, std::vector<counted> *out)
{
	for (unsigned i = 0; i < call->arg_size(); i++)
		if (call->isByValArgument(i))
			access_add(w, out, call, call->getArgOperand(i),
				   ConstantInt::get(
					   w->u.word,
					   w->u.dl.getTypeStoreSize(
						   call->getParamByValType(i))),
				   true, false);
}

/* Adds the accesses of an instruction. */
void
access_collect(work *w, Instruction *i, std::vector<counted> *out)
{
	auto own = w->apart.find(i);

	if (own != w->apart.end())
		out->push_back(own->second);
	if (w->skip.count(i))
		return;
	if (auto *load = dyn_cast<LoadInst>(i)) {
		add_plain(w, out, i, load->getPointerOperand(), load->getType(),
			  load->getAlign(), true, false);
	} else if (auto *store = dyn_cast<StoreInst>(i)) {
		add_plain(w, out, i, store->getPointerOperand(),
			  store->getValueOperand()->getType(),
			  store->getAlign(), false, true);
	} else if (auto *rmw = dyn_cast<AtomicRMWInst>(i)) {
		add_plain(w, out, i, rmw->getPointerOperand(),
			  rmw->getValOperand()->getType(), rmw->getAlign(),
			  true, true);
	} else if (auto *swap = dyn_cast<AtomicCmpXchgInst>(i)) {
		/* Its write counts where it has swapped: library.cc. */
		add_plain(w, out, i, swap->getPointerOperand(),
			  swap->getCompareOperand()->getType(),
			  swap->getAlign(), true, false);
	} else if (auto *call = dyn_cast<CallBase>(i)) {
		if (!library_accesses(w, call, out))
			add_by_value(w, call, out);
	}
}

/* May this instruction free memory, or take long? */
bool
access_ends_group(const Instruction *i)
{
	return isa<CallBase>(i) && !isa<IntrinsicInst>(i);
}
