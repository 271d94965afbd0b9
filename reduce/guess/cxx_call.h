/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files cxx_*.c share. */
#ifndef MEMMON_REDUCE_GUESS_CXX_CALL_H
#define MEMMON_REDUCE_GUESS_CXX_CALL_H

#include "reduce/base/arena.h"
#include "reduce/guess/guess.h"

/* ------------------------------------------------------- cxx_std.c: text -- */

/*
 * What blocks of the type are that an allocator was asked for, by its clean
 * name (names.h): "std::list<int> node" for the library's own, the name
 * itself for others.  *open: the container that they belong to may tell more.
 * NULL when out of memory.
 */
const char *guess_std_type(struct arena *a, const char *type, bool *open);

/*
 * The same when a function of that class, by its clean name, is on the way.
 * NULL: it tells nothing.  *done: nobody further out tells more.
 */
const char *guess_std_holder(struct arena *a, const char *type,
			     const char *holder, const char *function,
			     bool *done);

/*
 * What a function without debug information has allocated, by its demangled
 * name: GUESS_FOUND with *type set, GUESS_PASS or GUESS_UNKNOWN.
 */
enum guess_answer guess_std_function(struct arena *a, const char *function,
				     const char **type);

/* ------------------------------------------------------------- cxx_new.c -- */

/* What the call's result is made into: by constructors and virtual tables. */
enum guess_answer guess_cxx_new(const struct guess_call *c,
				struct guess_type *t);

/* ------------------------------------------------------------ cxx_call.c -- */

/*
 * Fill *t for the type with that clean name and size, a block of which, or an
 * array, is what the call returned.  GUESS_UNKNOWN when out of memory.
 */
enum guess_answer guess_cxx_found(const struct guess_call *c, const char *name,
				  uint64_t size,
				  enum profile_confidence confidence,
				  struct guess_type *t);

/*
 * What a function without debug information returns, by its name, demangled or
 * not.
 */
enum guess_answer guess_cxx_function(const struct guess_call *c,
				     const char *function,
				     struct guess_type *t);

#endif
