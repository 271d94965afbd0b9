/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declarations that the files cxx_*.c share. */
#ifndef MEMMON_REDUCE_GUESS_CXX_CALL_H
#define MEMMON_REDUCE_GUESS_CXX_CALL_H

#include "reduce/base/arena.h"
#include "reduce/infer/guess.h"

/* ------------------------------------------------------- cxx_std.c: text -- */

/*
 * Describe the blocks of a type that an allocator was asked for, by its clean
 * name (names.h): "std::list<int> node" for the library's own types, the name
 * itself for others.  *open: the container may tell more.
 */
const char *guess_std_type(struct arena *a, const char *type, bool *open);

/*
 * The same if a function of the class `holder', a clean name, is on the call
 * path.  NULL if it tells nothing.  *done: calls further out can't tell more.
 */
const char *guess_std_holder(struct arena *a, const char *type,
			     const char *holder, const char *function,
			     bool *done);

/*
 * Find out what a function without debug information allocated, by its
 * demangled name: GUESS_FOUND with *type set, GUESS_PASS or GUESS_UNKNOWN.
 */
enum guess_answer guess_std_function(struct arena *a, const char *function,
				     const char **type);

/* ------------------------------------------------------------- cxx_new.c -- */

/*
 * Find the object that the result is made into, by constructors and virtual
 * tables.
 */
enum guess_answer guess_cxx_new(const struct guess_call *c,
				struct guess_type *t);

/* ------------------------------------------------------------ cxx_call.c -- */

/*
 * Fill *t for the type with that clean name and size; the call returned one
 * such object, or an array.
 */
enum guess_answer guess_cxx_found(const struct guess_call *c, const char *name,
				  uint64_t size,
				  enum profile_confidence confidence,
				  struct guess_type *t);

/*
 * Find the type of the result of a function without debug information, by its
 * name, demangled or not.
 */
enum guess_answer guess_cxx_function(const struct guess_call *c,
				     const char *function,
				     struct guess_type *t);

#endif
