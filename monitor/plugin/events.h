/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Events for profiling modules: what the files events*.cc share.
 * monitor/events.h explains what an event is.
 */
#ifndef MEMMON_PLUGIN_EVENTS_H
#define MEMMON_PLUGIN_EVENTS_H

#include "monitor/events_list.h"
#include "monitor/plugin/plugin.h"

/* Where the address of an event comes from. */
enum events_source { FROM_NOTHING, FROM_ACCESS, FROM_VALUE, FROM_FRAME };

struct events_draft {
	unsigned kind, place;
	unsigned HOST_WIDE_INT size;
	events_source source;
	deref at;
	tree pointer; /* FROM_VALUE */
	tree value;   /* or NULL */
	bool late_value; /* known only behind the statement */
};

/* The events of one statement: before it and behind it. */
struct events_made {
	std::vector<events_draft> before, behind;
};

/* A word to be written before or behind a statement. */
struct events_word {
	events_source source;
	deref at;
	tree value;
	gimple *where;
	bool behind;
};

/* The events of a stretch of code without calls; their code begins at a nop. */
struct events_block {
	gimple *marker, *behind; /* the statement before it, or NULL */
	std::vector<events_step> steps;
	std::vector<events_word> words;
};

/*
 * A function that the pass works on.  Vectors are indexed by block or by loop.
 */
struct events_function {
	function *fun;
	unsigned place;
	bool whole; /* all of it was asked for */
	std::vector<bool> chosen; /* loops that were asked for */
	std::vector<unsigned> loops; /* their places */
	std::vector<std::vector<events_draft>> at_start, at_end;
	std::map<tree, unsigned> objects; /* places of objects on the stack */
	std::map<gimple *, std::vector<events_draft>> born_before;
	std::map<gimple *, events_made> ends; /* statements that end blocks */
	std::vector<events_block *> blocks;
	std::vector<gimple *> nops; /* to be removed */

	std::vector<events_draft> &
	start_of(basic_block bb)
	{
		if (at_start.size() <= (size_t)bb->index)
			at_start.resize(bb->index + 1);
		return at_start[bb->index];
	}
	std::vector<events_draft> &
	end_of(basic_block bb)
	{
		if (at_end.size() <= (size_t)bb->index)
			at_end.resize(bb->index + 1);
		return at_end[bb->index];
	}
};

extern events_wanted wanted;
extern events_scope scope;

/* events.cc */
std::string events_modules(void);

/* events_scope.cc */
void events_find_scope(events_function *f);
bool events_loop_in_scope(const events_function *f, class loop *loop);
bool events_in_scope(const events_function *f, basic_block bb,
		     location_t where);

/* events_loops.cc */
void events_find_loops(events_function *f);
void events_find_ways(events_function *f);
events_draft events_of_frame(unsigned kind, unsigned place);
void events_on(events_function *f, edge e,
	       const std::vector<events_draft> &all);

/* events_stack.cc */
bool events_has_stack(const events_function *f);
void events_find_stack(events_function *f);
void events_add_stack(events_function *f, gimple *stmt, events_made *m);

/* events_code.cc */
void events_add(events_function *f, events_block **open, const events_draft &d,
		gimple *where, bool behind);
void events_emit(events_block *b);
tree events_value(gimple_seq *seq, tree value);
bool events_has_value(tree value);

/* events_places.cc */
unsigned events_place_of_function(function *fun);
location_t events_loop_location(class loop *loop, tree *scope);
/* The block of the inlined function, then the one around it; NULL: the end. */
tree events_written_in(location_t where);
tree events_inlined_in(tree inner);
unsigned events_place_of_loop(const events_function *f, class loop *loop,
			      unsigned outer);
unsigned events_place(const events_function *f, unsigned kind, basic_block bb,
		      location_t where, tree what, unsigned HOST_WIDE_INT size);
bool events_fixed(const deref *at, int32_t *address);
unsigned events_block_number(const events_block *b);
tree events_first(void);

#endif
