/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where programs, libraries, sources and debug information are looked for, as
 * the user wants it.  All of it takes NULL for the usual places.
 */
#ifndef MEMMON_REDUCE_PLACES_H
#define MEMMON_REDUCE_PLACES_H

#include "reduce/base/arena.h"
#include "reduce/model/options.h"
#include "reduce/model/result.h"

#include <stdbool.h>
#include <stddef.h>

struct places;

/*
 * The strings of *where must live as long.  NULL only when out of memory.
 */
struct places *places_new(const struct profile_where *where);
void places_free(struct places *p);

/* What debug files are below of, e.g. "/usr/lib/debug". */
struct places_root {
	const char *path;
	char *real; /* absolute, if it is there, and no colon in it */
	bool given; /* by the user: what is looked for may be right in it */
};

/* The roots in the order in which they are looked at; *n: how many. */
const struct places_root *places_roots(const struct places *p, size_t *n);

/* A path below a root as the root was given, to be freed, or NULL. */
char *places_shown(const struct places *p, const char *path);

/*
 * The path below the sysroot, to be freed.  NULL: there is no sysroot, the path
 * isn't absolute, or memory is short.
 */
char *places_below(const struct places *p, const char *path);

/* The rest of an absolute path when it is below the sysroot, or NULL. */
const char *places_within(const struct places *p, const char *path);

/*
 * The file that was recorded as `path': the one below the sysroot if there is
 * such a regular file, or path itself.  Strings go to a, and NULL is only for
 * want of memory.
 */
const char *places_file(const struct places *p, struct arena *a,
			const char *path);

/*
 * Is a server to be asked for debug information that isn't here, and is there
 * time?  DEBUGINFOD_MAXTIME is set to what is left of that.
 */
bool places_asks(const struct places *p);

/* Can it be asked?  client: libdebuginfod's, NULL when there is none. */
bool places_ask(const struct places *p, const void *client);

/* A server has been asked, which may have taken all the time. */
void places_asked(const struct places *p);

/* One line on why not all could be asked for, or NULL. */
const char *places_problem(const struct places *p);

#endif
