/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Types that the program's debug information and code tell of, call by call:
 * what becomes of the address that a call returned.
 */
#ifndef MEMMON_REDUCE_GUESS_H
#define MEMMON_REDUCE_GUESS_H

#include "reduce/model/typed.h"
#include "reduce/symbols/symbols.h"
#include "reduce/symbols/symbols_pool.h"

#include <stdbool.h>
#include <stdint.h>

/* What is known of a call. */
enum guess_answer {
	GUESS_UNKNOWN, /* nothing, and nobody further out can know more */
	GUESS_PASS,    /* the result goes on to the caller: ask there.  The
			* type, if it has a name, is the guess if nobody knows;
			* of several the largest */
	GUESS_FOUND
};

struct guess_type {
	const char *name; /* in the pool; as the plugin for gcc writes it */
	uint64_t size;	  /* bytes of one; 0 unknown */
	enum profile_confidence confidence;
	/* Of what belongs to a container: its callers know which, so ask them
	 * by guess_cxx_outer().  element: what the container is told of. */
	bool open;
	const char *element;
};

/* A call on the chain of a site. */
struct guess_call {
	const struct symbols_debug *debug; /* n 0: no debug information */
	/* What the physical function is called, by the linker or demangled;
	 * NULL unknown. */
	const char *function;
	struct symbols_pool *pool; /* for names */
	/* Sizes of the site's blocks, least and largest, bytes; 0: unknown. */
	uint64_t least, largest;
	bool innermost; /* no call further in was asked and passed it on */
};

/*
 * C++: the template argument of an allocator's function, containers' nodes said
 * as the user wrote them; then what operator new's result is made into.  Runs
 * in guard_run(); *t is filled when GUESS_FOUND comes back.
 */
enum guess_answer guess_cxx(const struct guess_call *c, struct guess_type *t);

/*
 * While t->open is set, call it for the next call further out, and so on: it
 * improves on t->name when it knows better, and clears t->open when nobody
 * further out can.  Calls without debug information can be left out.
 */
void guess_cxx_outer(const struct guess_call *c, struct guess_type *t);

/*
 * C, and all that is left: the variable or member that takes the result, the
 * type that the function returns.  The same for the rest.
 */
enum guess_answer guess_c(const struct guess_call *c, struct guess_type *t);

#endif
