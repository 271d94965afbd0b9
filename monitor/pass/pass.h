/* SPDX-License-Identifier: MIT */
/*
 * memmon's pass for LLVM: what its files share (see README).
 *
 * The code of an event is at the first access of its group.  A group ends where
 * the function calls anything that may free memory or take long.
 */
#ifndef MEMMON_PASS_PASS_H
#define MEMMON_PASS_PASS_H

#include <map>
#include <string>
#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/BlockFrequencyInfo.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>

#include "monitor/pass/grouping.h"

using namespace llvm;

static inline bool
begins(StringRef s, StringRef with)
{
	return s.substr(0, with.size()) == with;
}

/* A pointer to a type; since LLVM 15 all pointers are alike. */
static inline PointerType *
pointer_to(Type *type)
{
#if LLVM_VERSION_MAJOR < 15
	return PointerType::getUnqual(type);
#else
	return PointerType::getUnqual(type->getContext());
#endif
}

struct pass_options {
	bool count; /* accesses */
	bool merge; /* accesses to one granule */
	bool loops; /* count accesses of a long loop behind it */
	bool all_loops; /* also of a short one */
	bool sample; /* few accesses will be to samples */
	bool verbose; /* print figures at the end */
};
extern pass_options options;

/* Figures for `verbose'. */
struct pass_figures {
	unsigned long accesses, local, events, covered, joined, ranges, loops,
		invariant, checks;
};
extern pass_figures figures;

/* An LLVM module that is being compiled. */
struct unit {
	Module &m;
	const DataLayout &dl;
	IntegerType *word, *half;    /* of 64 and 32 bits */
	Type *nothing;
	PointerType *pointer;	     /* to anything */
	std::vector<std::string> defined; /* recorded functions */
	std::vector<std::string> callees; /* called, defined elsewhere */
	std::map<std::string, unsigned> callee_of;
	std::map<Type *, Constant *> records; /* by type, see pointee.cc */
	std::vector<unsigned> stand_ins; /* their callees, see handing.cc */
	std::map<std::string, unsigned> stand_in_of;
	bool uses_targets;

	explicit unit(Module &module);
};

/* The address `root', plus each part times its scale, plus `off'. */
struct place {
	Value *root;
	SmallVector<std::pair<Value *, int64_t>, 2> parts;
	int64_t off;
};

/* An access to memory that may be heap. */
struct counted {
	Instruction *where; /* it counts before this */
	Value *pointer;
	place at; /* same address as `pointer' */
	int64_t size; /* bytes, -1: see `length' */
	Value *length;
	unsigned align; /* of the pointer: 1 to 16 */
	unsigned reads, writes;
};

/* A pointer that a function gets as this argument. */
struct handed {
	Value *value;
	Constant *type; /* as passed to __memmon_handed() */
	uint64_t bytes;
	unsigned argument;
};

/* A function that the pass works on. */
struct work {
	unit &u;
	Function &f;
	const TargetLibraryInfo &tli;
	LoopInfo *li;	      /* of the function before changes */
	bool optimize;
	/* Accesses that an added statement counts. */
	std::map<Instruction *, counted> apart;
	SmallPtrSet<Instruction *, 8> skip; /* counted elsewhere */
	bool everything; /* all in memory, also what can't be heap */
};

/* A word: the one `words' behind the index'th. */
struct word_place {
	Value *index;
	int64_t words;
};

typedef event_of<word_place> event;

/* Accesses through one root, up to the next call. */
struct group {
	counted first;
	std::vector<counted> members;
	std::vector<event> events;  /* correct in any case */
	std::vector<event> aligned; /* correct if 16 divides the root */
	bool test_align;	    /* test for `aligned' pays off */
	unsigned segment;
	Value *state, *cells, *now; /* loaded, see state.cc */
	Value *index[GRANULE]; /* of the word of the root + i, or NULL */
	group *before; /* same root, in reach: use its index */
	bool gone;     /* no events are left */
	Value *times;  /* how often it counts; NULL: once */
};

/* Counts a loop's rounds: value in this round, in the first, in the next. */
struct counter {
	PHINode *phi;
	Value *base, *next;
	int64_t step;
};

/* An innermost loop that is examined. */
struct looked_at {
	work *w;
	Loop *loop;
	DominatorTree *dt;
	ScalarEvolution *se;
	counter by;
};

/* Exits of a loop: from, to. */
typedef SmallVector<std::pair<BasicBlock *, BasicBlock *>, 4> way_list;

/* The blocks of a function. */
struct regions {
	DenseMap<const BasicBlock *, unsigned> calls; /* calls that end
						       * groups */
	DenseMap<const BasicBlock *, unsigned> order; /* a way back leads to a
						       * lower number */
	DominatorTree *dt;

	regions(Function *f, DominatorTree *tree);
};

/* Goes from a block up to blocks that run before it with no call between. */
struct climb {
	BasicBlock *top; /* the block that it has reached */
	bool rounds;	 /* a block may run twice from `top' on */

	climb(const regions *all, BasicBlock *from);
	bool up();
	bool comes_again() const;

      private:
	const regions *all;
	BasicBlock *bottom;
	int steps, blocks;
	SmallPtrSet<const BasicBlock *, 16> seen;
};

/* pass.cc */
bool pass_instruments(const Function &f);

/* events.cc */
bool events_are_asked_for(void);
void events_run(Function &f, FunctionAnalysisManager &fam);
void events_finish(Module &m);

/* access.cc */
bool access_may_be_register(const Value *pointer);
bool access_is_local(work *w, const Value *pointer);
bool access_at(work *w, counted *a, Value *pointer, int64_t size,
	       unsigned align);
void access_add(work *w, std::vector<counted> *out, Instruction *where,
		Value *pointer, Value *length, bool reads, bool writes);
void access_collect(work *w, Instruction *i, std::vector<counted> *out);
bool access_ends_group(const Instruction *i);

/* library.cc */
void library_rewrite(work *w);
bool library_accesses(work *w, CallBase *call, std::vector<counted> *out);
bool library_is_known(const Function *f);

/* vectors.cc */
bool vectors_rewrite(work *w, IntrinsicInst *call);

/* group.cc */
void group_add(work *w, std::vector<group *> *groups, size_t from,
	       unsigned segment, const counted &a);
void group_repeat(work *w, group *g, Value *times);
void group_collect(work *w, std::vector<group *> *groups);
bool group_same_root(const counted *a, const counted *b);

/* covered.cc */
void covered_find(const regions *all, const PostDominatorTree *behind,
		  std::vector<group *> *groups);

/* state.cc */
void state_place(work *w, const regions *all,
		 const std::vector<group *> &groups, BlockFrequencyInfo *bfi);

/* code.cc */
void code_words(work *w, group *g);
void code_group(work *w, group *g);
void code_range(unit *u, IRBuilder<> *b, Value *pointer, Value *size,
		bool reads, bool writes);
Value *code_address(unit *u, IRBuilder<> *b, Value *pointer);
Value *code_state(unit *u, IRBuilder<> *b);
Value *code_cells(unit *u, IRBuilder<> *b, Value *state);
Value *code_now(unit *u, IRBuilder<> *b, Value *state);
Value *code_pointer_to(IRBuilder<> *b, Value *address, Type *type);
MDNode *code_rarely(unit *u);

/* rounds.cc */
bool rounds_known(const Loop *loop, way_list *exits);
int64_t rounds_step(const Loop *loop, ScalarEvolution *se, const SCEV *value);
bool rounds_counter(const Loop *loop, ScalarEvolution *se, counter *c);
Value *rounds_before(const work *w, const DominatorTree *dt, IRBuilder<> *b,
		     const counter *c, const BasicBlock *from);
std::vector<counted> rounds_accesses(work *w, const DominatorTree *dt,
				     const Loop *loop);

/* invariant.cc */
void invariant_collect(work *w, DominatorTree *dt, ScalarEvolution *se,
		       std::vector<group *> *groups);

/* loop.cc */
void loop_collect(work *w, DominatorTree *dt, ScalarEvolution *se);

/* callees.cc */
void callees_calls(work *w);
void callees_defined(unit *u, Function *f);

/* handing.cc */
bool handing_call(unit *u, CallBase *call, unsigned callee,
		  GlobalVariable *record, const std::vector<handed> &pointers);

/* pointee.cc */
#define POINTEE_WORDS 1 /* MEMMON_WORDS */
Constant *pointee_record(unit *u, Value *value);
Constant *pointee_words(unit *u);

/* target.cc */
const char *target_refuses(const Module &m);
void target_touch(unit *u, IRBuilder<> *b, Value *cell);
void target_mark(unit *u, Function *f);
void target_finish(unit *u);

#endif
