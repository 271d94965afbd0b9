/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The walk behind a call that guess_cxx_new.c goes, and what types it passes on
 * its way: those that a new object is given as, put into or returned as.
 */
#ifndef MEMMON_REDUCE_GUESS_CXX_HINT_H
#define MEMMON_REDUCE_GUESS_CXX_HINT_H

#include "reduce/guess/guess_cxx_code.h"
#include "reduce/guess/guess_constructor.h"

#define GUESS_PATHS 8	    /* branches that are followed */
#define GUESS_RETURNED 32 /* calls whose results are remembered */

/* How the memory was asked for. */
enum guess_asked {
	GUESS_ASKED_OBJECT,
	GUESS_ASKED_ARRAY,
	GUESS_ASKED_THROW,
	GUESS_ASKED_ANY
};

struct guess_walk {
	const struct guess_call *c;
	struct guess_code code;
	struct symbols_unit *unit;
	const struct symbols_scope *root; /* the function itself */
	enum guess_asked asked;
	const char *callee; /* as the linker calls it; NULL unknown */
	struct guess_held now;
	uint64_t pc;
	struct guess_held wait[GUESS_PATHS];
	uint64_t wait_pc[GUESS_PATHS];
	unsigned nwait;
	unsigned left; /* steps */
	/* What was found. */
	bool found;
	Dwarf_Die class;   /* if there is an entry for it, */
	const char *table; /* or the linker's name of its virtual table, or of
			    * its type */
	const char *named; /* or its own name */
	uint64_t size;
	/* Types that functions returned. */
	Dwarf_Die returned[GUESS_RETURNED];
	int nreturned;
	/* What it is given as, or returned as, in case nothing was found. */
	bool hinted;
	Dwarf_Die hint;
	enum guess_confidence confidence;
};

/* The step is a call: what the parameters are that the object is given to. */
void guess_hint_given(struct guess_walk *w, const struct guess_deed *d);

/* The step is a store: where the object's address is put. */
void guess_hint_put(struct guess_walk *w, const struct guess_deed *d);

/*
 * A call has been done.  Note what type it returned a pointer to, or that it
 * gave back the object; second: what its second argument was.
 */
void guess_hint_returned(struct guess_walk *w, const struct guess_deed *d,
			 struct guess_value second);

/* At last: what functions return that were inlined around the call. */
void guess_hint_around(struct guess_walk *w);

#endif
