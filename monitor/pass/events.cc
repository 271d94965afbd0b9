/* SPDX-License-Identifier: MIT */
/*
 * Events for profiling modules.  This pass runs when the compiler has removed
 * redundant code and hasn't changed loops yet.  So accesses, loops and
 * iterations are those of the source, except those that were optimized away.
 */
#include <llvm/Support/CommandLine.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

#include "monitor/pass/events.h"

events_wanted wanted;

static cl::opt<std::string> asked("memmon-events", cl::Hidden);
static cl::opt<std::string> modules("memmon-modules", cl::Hidden);
static cl::opt<std::string> workers("memmon-workers", cl::Hidden);

/* --------------------------------------------------------- instructions -- */

static events_draft
draft_access(events_function *f, const counted &a, unsigned kind, Type *type,
	     Value *value)
{
	events_draft d = {};
	bool is_long = a.size < 0 || a.size >= MEMMON_EVENT_SIZE_MAX;

	d.kind = kind;
	d.size = is_long ? MEMMON_EVENT_SIZE_MAX : (uint64_t)a.size;
	d.place = events_place_at(f, kind, a.where, a.pointer, type,
				  a.size < 0 ? 0 : (uint64_t)a.size);
	if (wanted.has(kind, EVENTS_ADDRESS)) {
		d.source = FROM_ACCESS;
		d.at = a.at;
		d.pointer = a.pointer;
	}
	if (is_long && wanted.has(kind, EVENTS_SIZE))
		d.value = a.size < 0 ? a.length
				     : ConstantInt::get(f->w->u.word,
							(uint64_t)a.size);
	else if (!is_long && wanted.has(kind, EVENTS_VALUE) && value &&
		 events_has_value(f->w, value))
		d.value = value;
	d.late_value = value == a.where;
	return d;
}

static void
add_accesses(events_function *f, Instruction *i, events_made *m)
{
	auto *load = dyn_cast<LoadInst>(i);
	auto *store = dyn_cast<StoreInst>(i);
	std::vector<counted> all;
	Type *type = load    ? load->getType()
		     : store ? store->getValueOperand()->getType()
			     : nullptr;

	access_collect(f->w, i, &all);
	for (counted &a : all) {
		bool swaps = isa<AtomicCmpXchgInst>(i);

		a.where = i;
		if (a.reads && wanted.has(MEMMON_EVENT_LOAD))
			m->before.push_back(draft_access(f, a,
							 MEMMON_EVENT_LOAD,
							 type, load));
		if ((a.writes || swaps) && wanted.has(MEMMON_EVENT_STORE))
			m->before.push_back(
				draft_access(f, a, MEMMON_EVENT_STORE, type,
					     store ? store->getValueOperand()
						   : nullptr));
	}
}

static events_draft
draft_pointer(events_function *f, Instruction *where, Value *pointer)
{
	events_draft d = {};

	d.kind = MEMMON_EVENT_POINTER;
	d.place = events_place_at(f, d.kind, where, nullptr, pointer->getType(),
				  0);
	if (wanted.has(d.kind, EVENTS_ADDRESS)) {
		d.source = FROM_VALUE;
		d.pointer = pointer;
	}
	return d;
}

static bool
makes_pointer(const Instruction *i)
{
	const auto *load = dyn_cast<LoadInst>(i);

	return i->getType()->isPointerTy() &&
	       ((load && !access_may_be_register(load->getPointerOperand())) ||
		isa<IntToPtrInst>(i) ||
		(isa<CallBase>(i) && !isa<IntrinsicInst>(i)));
}

static events_made
look_at(events_function *f, Instruction *i)
{
	const auto *call = dyn_cast<CallBase>(i);
	events_made m;

	if (!events_in_scope(f, i))
		return m;
	events_add_stack(f, i, &m);
	if (wanted.has(MEMMON_EVENT_LOAD) || wanted.has(MEMMON_EVENT_STORE))
		add_accesses(f, i, &m);
	if (wanted.has(MEMMON_EVENT_POINTER) && makes_pointer(i))
		m.behind.push_back(draft_pointer(f, i, i));
	if (call && call->hasFnAttr(Attribute::ReturnsTwice) &&
	    wanted.has(MEMMON_EVENT_RESUME))
		m.behind.push_back(
			events_of_frame(MEMMON_EVENT_RESUME, f->place));
	return m;
}

/* --------------------------------------------------------------- blocks -- */

/* Events behind a block's last instruction go on an edge out of the block. */
static void
find_late(events_function *f)
{
	std::vector<InvokeInst *> all;

	for (BasicBlock &bb : f->w->f)
		if (auto *invoke = dyn_cast<InvokeInst>(bb.getTerminator()))
			all.push_back(invoke);
	for (InvokeInst *i : all) {
		events_made &m = f->ends[i] = look_at(f, i);

		events_on(f, i->getParent(), i->getNormalDest(), m.behind);
		m.behind.clear();
	}
}

static void
add_all(events_function *f, events_block **open,
	const std::vector<events_draft> &all, Instruction *where,
	Instruction *behind)
{
	for (const events_draft &d : all)
		events_add(f, open, d, where, behind);
}

static void
walk(events_function *f, BasicBlock *bb)
{
	std::vector<events_draft> start, end;
	Instruction *from = events_start(bb), *last = events_end(bb);
	events_block *open = nullptr;

	if (f->at_start.count(bb))
		add_all(f, &open, f->at_start[bb], from, nullptr);
	if (f->at_end.count(bb))
		end = f->at_end[bb];
	for (Instruction *i = from; i; i = i->getNextNode()) {
		auto known = f->ends.find(i);
		events_made m =
			known == f->ends.end() ? look_at(f, i) : known->second;
		Instruction *next = i->getNextNode();

		if (i == last)
			add_all(f, &open, end, i, nullptr);
		add_all(f, &open, m.before, i, next);
		if (access_ends_group(i))
			open = nullptr;
		add_all(f, &open, m.behind, next, nullptr);
	}
}

/* Moves variables to the entry block's start: it may be split anywhere then. */
static void
gather_variables(Function *f)
{
	BasicBlock &bb = f->getEntryBlock();
	Instruction *front = &*bb.getFirstInsertionPt();
	std::vector<AllocaInst *> all;

	for (Instruction &i : bb)
		if (auto *a = dyn_cast<AllocaInst>(&i))
			if (a->isStaticAlloca())
				all.push_back(a);
	for (AllocaInst *a : all)
		if (a == front)
			front = front->getNextNode();
		else
			a->moveBefore(bb, front->getIterator());
}

static void
add_events(unit *u, Function &fun, FunctionAnalysisManager &fam)
{
	work w = { *u,
		   fun,
		   fam.getResult<TargetLibraryAnalysis>(fun),
		   nullptr,
		   !fun.hasOptNone(),
		   {},
		   {},
		   true };
	events_function f = {};
	std::vector<BasicBlock *> all;

	gather_variables(&fun);
	LoopSimplifyPass().run(fun, fam);
	f.w = &w;
	f.li = &fam.getResult<LoopAnalysis>(fun);
	f.place = events_place_of_function(&fun);
	events_find_scope(&f);
	events_find_loops(&f);
	if (wanted.has(MEMMON_EVENT_ENTRY) && events_has_frame(&f))
		f.at_start[&fun.getEntryBlock()].push_back(
			events_of_frame(MEMMON_EVENT_ENTRY, f.place));
	events_find_stack(&f);
	events_find_ways(&f);
	find_late(&f);
	if (f.whole && wanted.has(MEMMON_EVENT_POINTER)) {
		BasicBlock *first = &fun.getEntryBlock();

		for (Argument &a : fun.args())
			if (a.getType()->isPointerTy())
				f.at_start[first].push_back(
					draft_pointer(&f, events_start(first),
						      &a));
	}
	for (BasicBlock &bb : fun)
		all.push_back(&bb);
	for (BasicBlock *bb : all)
		walk(&f, bb);
	for (auto b = f.blocks.rbegin(); b != f.blocks.rend(); ++b)
		events_emit(u, *b);
	fam.invalidate(fun, PreservedAnalyses::none());
}

/* ----------------------------------------------------------------- pass -- */

bool
events_are_asked_for(void)
{
	return !asked.empty();
}

/* Adds events to a function. */
void
events_run(Function &f, FunctionAnalysisManager &fam)
{
	unit u(*f.getParent());

	if (!wanted.all()) {
		LLVMContext &context = f.getContext();
		std::string bad = wanted.add(asked);
		std::string loop = events_read_scope();

		if (!bad.empty())
			context.emitError("memmon: no such event: " + bad);
		if (!loop.empty())
			context.emitError("memmon: not FILE:LINE: " + loop);
	}
	if (!target_refuses(u.m) && pass_instruments(f))
		add_events(&u, f, fam);
}

/* Writes the file's list of places. */
void
events_finish(Module &m)
{
	const char *why = target_refuses(m);

	if (why)
		m.getContext().emitError("memmon: no events with " +
					 std::string(why));
	events_add_variables(m);
	events_all.restricted(scope);
	if (!events_all.empty())
		m.appendModuleInlineAsm(
			EVENTS_ROOM_TEXT +
			events_all.text(wanted.all(), m.getSourceFileName(),
					workers.empty()
						? modules
						: modules + " workers=" +
							  workers));
	events_all = events_list();
}
