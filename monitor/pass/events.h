/* SPDX-License-Identifier: MIT */
/*
 * Events for profiling modules: what the files events*.cc share.
 * monitor/events.h explains what an event is.
 */
#ifndef MEMMON_PASS_EVENTS_H
#define MEMMON_PASS_EVENTS_H

#include "monitor/events_list.h"
#include "monitor/pass/pass.h"

/* Where the address of an event comes from. */
enum events_source { FROM_NOTHING, FROM_ACCESS, FROM_VALUE, FROM_FRAME };

struct events_draft {
	unsigned kind, place;
	uint64_t size;
	events_source source;
	::place at;	/* FROM_ACCESS: same as `pointer' */
	Value *pointer; /* FROM_ACCESS, FROM_VALUE */
	Value *value;	/* or NULL; a late one is known only behind it */
	bool late_value;
};

/* The events of one instruction: before it and behind it. */
struct events_made {
	std::vector<events_draft> before, behind;
};

/* A word to be written before an instruction. */
struct events_word {
	events_source source;
	::place at;
	Value *value;
	Instruction *where;
};

/* Events of a stretch of code without calls; their code begins before
 * `where'. */
struct events_block {
	Instruction *where;
	std::vector<events_step> steps;
	std::vector<events_word> words;
};

/* A function that the pass works on. */
struct events_function {
	work *w;
	LoopInfo *li;
	unsigned place;
	bool whole;			    /* all of it was asked for */
	SmallPtrSet<const Loop *, 8> chosen;	/* loops that were asked for */
	std::map<const Loop *, unsigned> loops; /* their places */
	std::map<BasicBlock *, std::vector<events_draft>> at_start, at_end;
	std::map<AllocaInst *, unsigned> objects; /* their places */
	std::map<Instruction *, events_made> ends; /* at ends of blocks:
						    * invoke */
	std::vector<events_block *> blocks;
};

extern events_wanted wanted;
extern events_list events_all;
extern events_scope scope;

/* events_scope.cc */
std::string events_read_scope(void);
void events_find_scope(events_function *f);
bool events_in_scope(events_function *f, Instruction *i);

/* events_loops.cc */
void events_find_loops(events_function *f);
bool events_has_frame(const events_function *f);
void events_find_ways(events_function *f);
void events_on(events_function *f, BasicBlock *from, BasicBlock *to,
	       const std::vector<events_draft> &all);
events_draft events_of_frame(unsigned kind, unsigned place);
Instruction *events_start(BasicBlock *bb);
Instruction *events_end(BasicBlock *bb);

/* events_objects.cc */
bool events_has_stack(const BasicBlock &bb);
void events_find_stack(events_function *f);
void events_add_stack(events_function *f, Instruction *i, events_made *m);
bool events_fixed(const ::place &at, int32_t *address);
void events_add_variables(Module &m);

/* events_code.cc */
bool events_has_value(work *w, Value *value);
void events_add(events_function *f, events_block **open, const events_draft &d,
		Instruction *where, Instruction *behind);
void events_emit(unit *u, events_block *b);

/* events_places.cc */
unsigned events_place_of_function(Function *f);
unsigned events_place_of_loop(events_function *f, const Loop *loop);
events_position events_position_of(GlobalVariable *v, const std::string &name);
unsigned events_place_at(events_function *f, unsigned kind, Instruction *i,
			 Value *pointer, Type *type, uint64_t size);

#endif
