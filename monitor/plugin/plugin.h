/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * memmon's plugin for gcc: what its files share (see README).
 *
 * The code of an event is at the first access of its group.  A group ends where
 * the function calls anything that may free memory or take long.
 */
#ifndef MEMMON_PLUGIN_H
#define MEMMON_PLUGIN_H

#include "monitor/pass/grouping.h"

struct plugin_options {
	bool count;  /* accesses */
	bool merge;  /* accesses to one granule */
	bool loops;  /* accesses of a long loop */
	bool all_loops; /* also short ones */
	bool types;  /* of allocations */
	bool sample; /* few accesses will be to samples */
	bool verbose; /* print figures at the end */
};
extern plugin_options options;

/* Figures for `verbose'. */
struct plugin_figures {
	unsigned long accesses, local, events, covered, joined, ranges, loops,
		invariant, checks, types;
};
extern plugin_figures figures;

/*
 * An access to memory that may be heap.  Its address is that of `ref' without
 * its offsets, plus `var' (a tree, NULL: 0), plus `disp'.  For merging it is
 * `root' + `index' * `step' + `index2' + `var' + `off'.
 */
struct deref {
	gimple *stmt;
	tree ref;	    /* its MEM_REF or TARGET_MEM_REF, or a pointer */
	tree var;
	HOST_WIDE_INT disp; /* bytes */
	tree root, index, step, index2;
	HOST_WIDE_INT off;  /* bytes */
	HOST_WIDE_INT size; /* bytes, -1: see `length' */
	tree length;
	unsigned align;	    /* address modulo this (1 to 16) is ... */
	unsigned misalign;
	unsigned reads, writes;
};

/* A word: the one `words' behind the index'th. */
struct word_place {
	tree index;
	HOST_WIDE_INT words;
};

typedef event_of<word_place> event;

/* Counts a loop's rounds: value in this round, in the next, in the first. */
struct counter {
	tree phi, next, base;
	HOST_WIDE_INT step;
};

/* A pointer that a function gets as an argument. */
struct handed {
	tree value;
	int type;		      /* index in pointee.cc, or -1 */
	unsigned HOST_WIDE_INT bytes; /* of that type; 0: unknown */
	int argument;		      /* its number, or -1 */
};

/* Accesses through one root, up to the next call. */
struct group {
	deref first;
	vec<deref> members;
	std::vector<event> events;  /* correct in any case */
	std::vector<event> aligned; /* correct if 16 divides the root */
	bool test_align;	    /* test for `aligned' pays off */
	unsigned segment;
	tree state;	     /* in registers, see state.cc */
	tree cells, now;     /* the same, if not compiled for samples */
	tree index[GRANULE]; /* of the word of the root + i, or NULL */
	group *before; /* same root, in reach: use its index */
	bool gone;     /* no events are left */
	tree times;    /* how often it counts, as a word; NULL: once */
};

/* The blocks of a function, by index. */
struct regions {
	auto_vec<unsigned> calls; /* calls that end groups */
	auto_vec<int> order;	  /* a way back leads to a lower number */

	regions(function *fun);
};

/* Goes from a block up to blocks that run before it with no call between. */
struct climb {
	basic_block top; /* the block that it has reached */
	bool rounds;	 /* a block may run twice from `top' on */

	climb(const regions *all, basic_block from);
	bool up();
	bool comes_again() const;

      private:
	const regions *all;
	basic_block bottom;
	int steps, blocks;
	auto_bitmap seen;
};

/* Where code is added: at the end of `bb', which `out' leaves. */
struct cursor {
	basic_block bb;
	edge out;
	location_t where;
};

/* plugin.cc */
bool plugin_instruments(function *fun);

/* access.cc */
extern bool access_everything; /* also what can't be heap */
bool access_is_in_memory(tree object);
void access_start(function *fun);
bool access_place(deref *a, tree ref);
bool access_pointer(deref *a, tree pointer);
void access_collect(gimple *stmt, vec<deref> *out);
bool access_ends_group(gimple *stmt);
HOST_WIDE_INT access_offset(tree constant);

/* builtins.cc */
void builtins_rewrite(function *fun);
bool builtins_accesses(gcall *call, vec<deref> *out);
void builtins_copies(gimple *stmt, vec<deref> *out);
void builtins_add(vec<deref> *out, tree pointer, tree size, bool reads,
		  bool writes);
tree builtins_bytes_at(tree pointer, unsigned HOST_WIDE_INT size);
#define BUILTINS_KNOWN 64
extern tree builtins_real[BUILTINS_KNOWN];

/* swaps.cc */
void swaps_start(void);
void swaps_rewrite(gimple_stmt_iterator *gsi, gcall *call);
bool swaps_apart(gimple *call);
bool swaps_accesses(gimple *stmt, vec<deref> *out);

/* vectors.cc */
void vectors_rewrite(gimple_stmt_iterator *gsi, gcall *call);
bool vectors_accesses(gcall *call, vec<deref> *out);

/* group.cc */
void group_collect(function *fun, hash_set<gimple *> *skip, vec<group *> *out);
bool group_same_root(const deref *a, const deref *b);
void group_plan(group *g);
void group_free_one(group *g);
void group_free(vec<group *> *groups);

/* covered.cc */
void covered_find(function *fun, const regions *all, vec<group *> *groups);

/* state.cc */
void state_place(function *fun, const regions *all, vec<group *> *groups);

/* event.cc */
void event_group(group *g);

/* code.cc */
tree code_cell_type(void);
tree code_cell_pointer(void);
bool code_is_ours(tree ref);
#define UPPER 4 /* offset of a word's upper half */
tree code_cell_type(void);
tree code_cell_pointer(void);
tree code_half_type(void);
tree code_part(tree type, tree pointer, HOST_WIDE_INT off);
tree code_cell(tree type, tree cells, const word_place &word,
	       HOST_WIDE_INT off);
tree code_add(gimple_seq *seq, gimple *stmt, location_t where);
tree code_convert(gimple_seq *seq, tree type, tree value, location_t where);
tree code_address(const deref *a, HOST_WIDE_INT delta, gimple_seq *seq);
tree code_binary(gimple_seq *seq, tree_code code, tree a, tree b,
		 location_t where);
tree code_load(gimple_seq *seq, tree ref, location_t where);
cursor code_before(gimple *stmt);
cursor code_on(edge e, location_t where);
cursor code_branch(cursor *c, tree value, tree other,
		   profile_probability taken);
cursor code_below(cursor *c, tree value, tree limit);
cursor code_side(cursor *c, tree value);
void code_append(cursor *c, gimple_seq seq);
void code_if(tree value, gimple *behind, gimple *stmt);
tree code_range(void);
void code_call_range(cursor *c, tree address, tree size, unsigned reads,
		     unsigned writes);
void code_insert(gimple *before, gimple_seq seq);
tree code_state(gimple_seq *seq);
tree code_cells(gimple_seq *seq, tree state);
tree code_now(gimple_seq *seq, tree state, location_t where);
tree code_function(const char *name, tree type);

/* rounds.cc */
bool rounds_plain(class loop *loop, basic_block *body, bool arithmetic);
bool rounds_step(tree step, HOST_WIDE_INT *value);
bool rounds_counter(class loop *loop, counter *c);
void rounds_add_counter(class loop *loop, counter *c);
tree rounds_value(gimple_seq *seq, tree value);
tree rounds_before(gimple_seq *seq, const counter *c, edge exit);
gimple *rounds_last(basic_block bb);
bool rounds_exits(const vec<edge> &exits);

/* loop.cc */
void loop_innermost(function *fun, vec<class loop *> *out);
void loop_collect(const vec<class loop *> &innermost, hash_set<gimple *> *skip);

/* invariant.cc */
void invariant_collect(const vec<class loop *> &innermost,
		       vec<group *> *groups);

/* callees.cc */
void callees_calls(function *fun);
void callees_note_pointer(tree value, tree target, bool one, vec<handed> *out);
void callees_hand(gimple_seq *seq, tree to, bool is_record,
		  const vec<handed> &pointers, location_t where);
void callees_defined(function *fun);
void callees_finish_unit(void);

/* handing.cc */
bool handing_call(gcall *call, const std::string &function, unsigned callee,
		  const vec<handed> &pointers);
void handing_finish_unit(FILE *f);

/* assembly.cc */
bool assembly_is_unknown(gimple *stmt);
void assembly_hand_over(gasm *stmt);

/* pointee.cc */
#define POINTEE_WORDS 16 /* followed if the type is unknown */
bool pointee_follows(tree type);
int pointee_of_type(tree type);
int pointee_words(void);
bool pointee_holds(tree type);
bool pointee_field(tree field); /* a field that is followed */
unsigned pointee_elements(tree array);
bool pointee_leads_on(int place);
unsigned HOST_WIDE_INT pointee_size(int place);
void pointee_finish_unit(FILE *f);

/* target.cc */
bool target_refuses(void);
bool target_has_touch(void);
bool target_keeps_arguments(tree fntype);
bool target_state(gimple_seq *seq, tree state);
void target_touch(cursor *c, tree cell, tree ref);
void target_room(cursor *c, unsigned words, tree end);
void target_finish_unit(void);
void target_register(void);

/* events.cc, events_places.cc */
bool events_option(const char *key, const char *value);
bool events_are_wanted(void);
void events_register(const char *plugin_name);
void events_finish_unit(void);

/* results.cc */
void results_register(const char *plugin_name);
void results_mark_calls(function *fun);
void results_finish_unit(void);

/* Trees that live as long as the plugin. */
enum shared_tree {
	SHARED_HERE,	  /* the thread's variable */
	SHARED_CELL_TYPE, /* the type of a granule's word */
	SHARED_HALF_TYPE,
	SHARED_CELL_POINTER,
	SHARED_RANGE,
	SHARED_LOOP,
	SHARED_TOUCH,
	SHARED_HANDED,
	SHARED_HANDED_TARGET,
	SHARED_EVENTS,	     /* the thread's struct memmon_events */
	SHARED_EVENTS_FIRST, /* the file's *first */
	SHARED_TREES
};
extern tree shared[SHARED_TREES];

#endif
