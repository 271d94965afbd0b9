/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Guess the types of blocks from debug information and code, call by call:
 * where does the address that a call returned go?
 */
#ifndef MEMMON_REDUCE_GUESS_H
#define MEMMON_REDUCE_GUESS_H

#include "reduce/model/typed.h"
#include "reduce/symbols/symbols.h"
#include "reduce/symbols/symbols_pool.h"

#include <stdbool.h>
#include <stdint.h>

/* The answer for a call. */
enum guess_answer {
	GUESS_UNKNOWN, /* unknown, and calls further out can't know more */
	GUESS_PASS,    /* the result is returned to the caller: ask about its
			* call.  A type with a name is used if no call knows
			* more; among several the largest */
	GUESS_FOUND
};

struct guess_type {
	const char *name; /* in the pool; as the plugin for gcc writes it */
	uint64_t size;	  /* bytes of one object; 0: unknown */
	enum profile_confidence confidence;
	/*
	 * The block belongs to a container that is still unknown: ask about
	 * outer calls with guess_cxx_outer().  element: the type that the
	 * container was asked for.
	 */
	bool open;
	const char *element;
};

/* A call on the call path of a site. */
struct guess_call {
	const struct symbols_debug *debug; /* n 0: it has no debug
					    * information */
	/*
	 * The name of the physical function, linked or demangled; NULL:
	 * unknown.
	 */
	const char *function;
	struct symbols_pool *pool; /* for names */
	/*
	 * The smallest and largest size of the site's blocks, in bytes; 0:
	 * unknown.
	 */
	uint64_t least, largest;
	bool innermost; /* no inner call passed the result to this one */
};

/*
 * C++: use the template argument of an allocator's function, and name
 * containers' nodes as users write them; then find what operator new's result
 * is made into.  Runs inside guard_run().  *t is filled if GUESS_FOUND is
 * returned.
 */
enum guess_answer guess_cxx(const struct guess_call *c, struct guess_type *t);

/*
 * While t->open is set, call this for the next call further out.  It improves
 * t->name if it knows better, and clears t->open if calls further out can't
 * know more.  Calls without debug information may be skipped.
 */
void guess_cxx_outer(const struct guess_call *c, struct guess_type *t);

/*
 * C and other languages: use the variable or member that takes the result, or
 * the return type of the function.  Otherwise like guess_cxx().
 */
enum guess_answer guess_c(const struct guess_call *c, struct guess_type *t);

#endif
