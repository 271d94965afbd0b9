/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where programs, libraries, sources and debug information are searched, as the
 * user wants it.  Every function accepts NULL for the usual places.
 */
#ifndef MEMMON_REDUCE_SEARCHPATH_H
#define MEMMON_REDUCE_SEARCHPATH_H

#include "reduce/base/arena.h"
#include "reduce/model/options.h"
#include "reduce/model/result.h"

#include <stdbool.h>
#include <stddef.h>

struct searchpath;

/* Make a search path.  The strings of *where must live as long as it does. */
struct searchpath *searchpath_new(const struct profile_where *where);
void searchpath_free(struct searchpath *p);

/* A directory below which debug files are: "/usr/lib/debug". */
struct searchpath_root {
	const char *path;
	char *real; /* absolute if it exists, and without a colon */
	bool given; /* given by the user: may contain the wanted file itself */
};

/* The roots, in the order of the search; *n gets their number. */
const struct searchpath_root *searchpath_roots(const struct searchpath *p,
					       size_t *n);

/*
 * The path to print, to be freed: a root at its start is written as the user
 * gave it.
 */
char *searchpath_shown(const struct searchpath *p, const char *path);

/*
 * The path below the sysroot, to be freed.  NULL without a sysroot, and for a
 * path that isn't absolute.
 */
char *searchpath_below(const struct searchpath *p, const char *path);

/* The rest of an absolute path that is below the sysroot, or NULL. */
const char *searchpath_within(const struct searchpath *p, const char *path);

/*
 * The file that was recorded as `path': the regular file below the sysroot if
 * there is one, otherwise path itself.  Strings are allocated in a.
 */
const char *searchpath_file(const struct searchpath *p, struct arena *a,
			    const char *path);

/*
 * May a server be asked for missing debug information?  False if none is wanted
 * or the time is over.  If true, DEBUGINFOD_MAXTIME is set to the time left.
 */
bool searchpath_asks(const struct searchpath *p);

/*
 * Can a server be asked?  client: from libdebuginfod, NULL if the library is
 * missing.
 */
bool searchpath_ask(const struct searchpath *p, const void *client);

/* Call this after a server was asked: the time may be over now. */
void searchpath_asked(const struct searchpath *p);

/*
 * One line that says why some debug information couldn't be asked for, or NULL.
 */
const char *searchpath_problem(const struct searchpath *p);

#endif
