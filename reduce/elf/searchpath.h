/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where programs, libraries, sources and debug information are looked for, as
 * the user wants it.  All of it takes NULL for the usual places.
 */
#ifndef MEMMON_REDUCE_SEARCHPATH_H
#define MEMMON_REDUCE_SEARCHPATH_H

#include "reduce/base/arena.h"
#include "reduce/model/options.h"
#include "reduce/model/result.h"

#include <stdbool.h>
#include <stddef.h>

struct searchpath;

/*
 * The strings of *where must live as long.  NULL only when out of memory.
 */
struct searchpath *searchpath_new(const struct profile_where *where);
void searchpath_free(struct searchpath *p);

/* A directory below which debug files are: "/usr/lib/debug". */
struct searchpath_root {
	const char *path;
	char *real; /* absolute, if it is there, and no colon in it */
	bool given; /* by the user: what is looked for may be right in it */
};

/* The roots in the order in which they are looked at; *n: how many. */
const struct searchpath_root *searchpath_roots(const struct searchpath *p,
					       size_t *n);

/* A path below a root as the root was given, to be freed, or NULL. */
char *searchpath_shown(const struct searchpath *p, const char *path);

/*
 * The path below the sysroot, to be freed.  NULL: there is no sysroot, the path
 * isn't absolute, or memory is short.
 */
char *searchpath_below(const struct searchpath *p, const char *path);

/* The rest of an absolute path when it is below the sysroot, or NULL. */
const char *searchpath_within(const struct searchpath *p, const char *path);

/*
 * The file that was recorded as `path': the one below the sysroot if there is
 * such a regular file, or path itself.  Strings go to a, and NULL is only for
 * want of memory.
 */
const char *searchpath_file(const struct searchpath *p, struct arena *a,
			    const char *path);

/*
 * Is a server to be asked for debug information that isn't here, and is there
 * time?  DEBUGINFOD_MAXTIME is set to what is left of that.
 */
bool searchpath_asks(const struct searchpath *p);

/* Can it be asked?  client: libdebuginfod's, NULL when there is none. */
bool searchpath_ask(const struct searchpath *p, const void *client);

/* A server has been asked, which may have taken all the time. */
void searchpath_asked(const struct searchpath *p);

/* One line on why not all could be asked for, or NULL. */
const char *searchpath_problem(const struct searchpath *p);

#endif
