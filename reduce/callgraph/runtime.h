/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Blocks that the C and C++ libraries keep for themselves and never free, by
 * the calls that made them: buffers of standard streams, locales, what
 * getpwnam() returns, thread-local storage ...
 */
#ifndef MEMMON_REDUCE_RUNTIME_H
#define MEMMON_REDUCE_RUNTIME_H

#include "reduce/file/mon.h"

#include <stdbool.h>

/* What a function is; and of a chain, by its innermost calls, whose it is. */
enum runtime {
	RUNTIME_NOT,	/* the program's, or another library's */
	RUNTIME_PART,	/* of those libraries */
	RUNTIME_LOADER, /* likewise: the dynamic loader's */
	RUNTIME_CXX,	/* likewise: of C++'s */
	RUNTIME_KEEPS,	/* likewise, and the block stays theirs */
	RUNTIME_STREAM, /* likewise, if it is a standard stream's */
};

/* Is the program linked statically? */
bool runtime_is_static(const struct mon *m);

/*
 * What the function of this name is, in the file of that path; name: NULL or ""
 * if it isn't known.  whole: the file is a program linked statically, and has
 * all of these libraries in it.
 */
enum runtime runtime_func(const char *path, const char *name, bool whole);

/* Of a chain that goes on by a call of a function. */
enum runtime runtime_call(enum runtime chain, enum runtime func);

/* Do n blocks of so many runs, allocated by such a chain, stay theirs? */
bool runtime_keeps(enum runtime chain, uint64_t n, size_t runs);

#endif
