/* SPDX-License-Identifier: MIT */
/* --allocator: what the program's allocator is like, before it runs. */
#ifndef MEMMON_LAUNCHER_PROBE_H
#define MEMMON_LAUNCHER_PROBE_H

#include <stdbool.h>
#include <stddef.h>

/* The variable of what was found: probe_run()'s text, path and build-id. */
#define LAUNCHER_PROBE "MEMMON_ALLOCATOR_PROBE"

/*
 * If MEMMON_ALLOCATOR asks for it, find out what the allocator is like that the
 * program, an executable, will have with LD_PRELOAD as it is now, and set
 * LAUNCHER_PROBE.  What can't be found out isn't set; what the user has set
 * stays.  It takes some milliseconds, and none of the program's code is run.
 */
void launcher_probe(const char *program);

/*
 * The libraries that the dynamic loader of an executable would load for it with
 * that LD_PRELOAD, in the order in which it looks them up, into to[n]: the
 * loader's own text.  false: it can't be told.
 */
bool launcher_probe_libraries(const char *program, const char *preload,
			      char *to, size_t n);

/*
 * The path of the next library in that text, which is changed, and its name as
 * it was asked for; NULL: there are no more.
 */
char *launcher_probe_next(char **text, char **name);

/* Has a library a malloc() of its own? */
bool launcher_probe_is_allocator(const char *path);

#endif
