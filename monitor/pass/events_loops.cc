/* SPDX-License-Identifier: MIT */
/*
 * Events of control flow: a function is entered and left; a loop is entered,
 * its header runs, an exit is taken; a frame continues behind an exception.
 * Their code is at starts and ends of blocks; some blocks are made for it.
 */
#include <llvm/IR/CFG.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "monitor/pass/events.h"

events_draft
events_of_frame(unsigned kind, unsigned place)
{
	events_draft d = {};

	d.kind = kind;
	d.place = place;
	if (wanted.has(kind, EVENTS_ADDRESS))
		d.source = FROM_FRAME;
	return d;
}

/* The place behind the variables, which must stay in the first block. */
Instruction *
events_start(BasicBlock *bb)
{
	Instruction *i = &*bb->getFirstInsertionPt();

	while (isa<AllocaInst>(i) && !i->isTerminator())
		i = i->getNextNode();
	return i;
}

Instruction *
events_end(BasicBlock *bb)
{
	Instruction *call = bb->getTerminatingMustTailCall();

	return call ? call : bb->getTerminator();
}

static bool
may_split(BasicBlock *from, BasicBlock *to)
{
	return !to->isEHPad() && !isa<IndirectBrInst>(from->getTerminator()) &&
	       !isa<CallBrInst>(from->getTerminator());
}

static BasicBlock *
split(events_function *f, BasicBlock *from, BasicBlock *to)
{
	return SplitEdge(from, to, nullptr, f->li);
}

/* Adds events on an edge, before all others on it. */
void
events_on(events_function *f, BasicBlock *from, BasicBlock *to,
	  const std::vector<events_draft> &all)
{
	if (all.empty() ||
	    (!to->getSinglePredecessor() && !may_split(from, to)))
		return;
	if (!to->getSinglePredecessor())
		to = split(f, from, to);
	std::vector<events_draft> &at = f->at_start[to];
	at.insert(at.begin(), all.begin(), all.end());
}

/* May the instruction call a function that allocates? */
static bool
calls(const events_function *f, const Instruction *i)
{
	const auto *call = dyn_cast<CallBase>(i);
	LibFunc known;

	if (!call || isa<IntrinsicInst>(i))
		return false;
	if (!call->getCalledFunction() || !f->w->tli.getLibFunc(*call, known))
		return true;
	return !call->getType()->isFloatingPointTy() &&
	       !call->onlyReadsMemory();
}

static bool
calls(const events_function *f, const BasicBlock *bb)
{
	for (const Instruction &i : *bb)
		if (calls(f, &i))
			return true;
	return false;
}

/* ---------------------------------------------------------------- loops -- */

static bool
leaves(const Loop *loop, BasicBlock *from, BasicBlock *to)
{
	return loop && loop->contains(from) && !loop->contains(to);
}

/* Do all edges to the same block leave the same loops? */
static bool
leave_alike(events_function *f, BasicBlock *from, BasicBlock *to)
{
	for (BasicBlock *other : predecessors(to)) {
		const Loop *l = f->li->getLoopFor(from);

		for (; leaves(l, from, to); l = l->getParentLoop())
			if (!leaves(l, other, to))
				return false;
		l = f->li->getLoopFor(other);
		for (; leaves(l, other, to); l = l->getParentLoop())
			if (!leaves(l, from, to))
				return false;
	}
	return true;
}

static void
find_exits(events_function *f)
{
	std::vector<std::pair<BasicBlock *, BasicBlock *>> ways;
	SmallPtrSet<BasicBlock *, 16> done;

	for (BasicBlock &bb : f->w->f)
		for (BasicBlock *to : successors(&bb))
			if (leaves(f->li->getLoopFor(&bb), &bb, to) &&
			    (ways.empty() || ways.back().first != &bb ||
			     ways.back().second != to))
				ways.push_back({ &bb, to });
	for (auto &way : ways) {
		BasicBlock *from = way.first, *to = way.second;
		bool alike = leave_alike(f, from, to);
		const Loop *l = f->li->getLoopFor(from);
		std::vector<events_draft> all;

		for (; leaves(l, from, to); l = l->getParentLoop())
			if (f->loops.count(l))
				all.push_back(
					events_of_frame(MEMMON_EVENT_LOOP_EXIT,
							f->loops[l]));
		if ((alike && !done.insert(to).second) ||
		    (!alike && !may_split(from, to)))
			continue;
		if (!alike)
			to = split(f, from, to);
		std::vector<events_draft> &at = f->at_start[to];
		at.insert(at.end(), all.begin(), all.end());
	}
}

/* The loops' places. */
void
events_find_loops(events_function *f)
{
	bool some = wanted.only_calls(EVENTS_OF_LOOPS);
	SmallPtrSet<const Loop *, 8> calling;

	if (!(wanted.all() & EVENTS_OF_LOOPS))
		return;
	for (const BasicBlock &bb : f->w->f)
		if (some && calls(f, &bb))
			for (const Loop *l = f->li->getLoopFor(&bb); l;
			     l = l->getParentLoop())
				calling.insert(l);
	for (Loop *l : f->li->getLoopsInPreorder())
		if (f->chosen.count(l) && (!some || calling.count(l)))
			f->loops[l] = events_place_of_loop(f, l);
}

static void
find_entries(events_function *f)
{
	for (Loop *l : f->li->getLoopsInPreorder()) {
		BasicBlock *from = l->getLoopPreheader();

		if (!f->loops.count(l))
			continue;
		if (wanted.has(MEMMON_EVENT_LOOP) && from)
			f->at_end[from].push_back(
				events_of_frame(MEMMON_EVENT_LOOP,
						f->loops[l]));
		if (wanted.has(MEMMON_EVENT_ITERATION))
			f->at_start[l->getHeader()].push_back(
				events_of_frame(MEMMON_EVENT_ITERATION,
						f->loops[l]));
	}
}

/* ------------------------------------------------------------ functions -- */

/* Were the function's entry and exits asked for? */
bool
events_has_frame(const events_function *f)
{
	bool all = !wanted.only_calls(EVENTS_OF_FUNCTIONS);

	for (const BasicBlock &bb : f->w->f)
		all = all || calls(f, &bb) ||
		      (wanted.has(MEMMON_EVENT_STACK_ALLOC) &&
		       events_has_stack(bb));
	return f->whole && all;
}

/* Called before any events of instructions are added: those come behind an
 * entry. */
void
events_find_ways(events_function *f)
{
	bool frame = events_has_frame(f);

	for (BasicBlock &bb : f->w->f) {
		if (wanted.has(MEMMON_EVENT_RESUME) &&
		    (f->whole || !f->loops.empty()) && bb.isEHPad())
			f->at_start[&bb].push_back(
				events_of_frame(MEMMON_EVENT_RESUME, f->place));
		if (frame && wanted.has(MEMMON_EVENT_EXIT) &&
		    (isa<ReturnInst>(bb.getTerminator()) ||
		     isa<ResumeInst>(bb.getTerminator())))
			f->at_end[&bb].push_back(
				events_of_frame(MEMMON_EVENT_EXIT, f->place));
	}
	if (wanted.has(MEMMON_EVENT_LOOP_EXIT))
		find_exits(f);
	find_entries(f);
}
