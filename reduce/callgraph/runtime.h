/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Blocks that the C and C++ libraries keep for themselves and never free, found
 * by the calls that allocated them: buffers of standard streams, locales,
 * results of getpwnam(), thread-local storage ...
 */
#ifndef MEMMON_REDUCE_RUNTIME_H
#define MEMMON_REDUCE_RUNTIME_H

#include "reduce/monout/mon.h"

#include <stdbool.h>

/*
 * The owner of a function.  For a call path: the owner of its innermost calls.
 */
enum runtime {
	RUNTIME_NOT,	/* the program's, or of another library */
	RUNTIME_PART,	/* of the C and C++ libraries */
	RUNTIME_LOADER, /* also of these: of the dynamic loader */
	RUNTIME_CXX,	/* also of these: of the C++ library */
	RUNTIME_KEEPS,	/* also of these, and the block stays theirs */
	RUNTIME_STREAM, /* also of these, if a standard stream is meant */
};

/* Is the program linked statically? */
bool runtime_is_static(const struct mon *m);

/*
 * Whose the function of this name is, in the file of that path.  name: NULL or
 * "" if unknown.  whole: the file is a program linked statically, which
 * contains all these libraries.
 */
enum runtime runtime_func(const char *path, const char *name, bool whole);

/*
 * The value of a call path after one more call, of a function with the value
 * func.
 */
enum runtime runtime_call(enum runtime chain, enum runtime func);

/*
 * Do n blocks, allocated by such a call path in that number of runs, stay with
 * the libraries?
 */
bool runtime_keeps(enum runtime chain, uint64_t n, size_t runs);

#endif
