/* SPDX-License-Identifier: MIT */
/* --allocator: how the program's allocator works, found before the program
 * runs. */
#ifndef MEMMON_LAUNCHER_PROBE_H
#define MEMMON_LAUNCHER_PROBE_H

#include <stdbool.h>
#include <stddef.h>

/* The variable with the result: probe_run()'s text, path and build-id. */
#define LAUNCHER_PROBE "MEMMON_ALLOCATOR_PROBE"

/*
 * If MEMMON_ALLOCATOR asks for it, find out how the allocator works that the
 * program, an executable, will have with the current LD_PRELOAD, and set
 * LAUNCHER_PROBE.  Unknown facts aren't set; variables that the user has set
 * stay.  This takes some milliseconds, and runs none of the program's code.
 */
void launcher_probe(const char *program);

/*
 * Puts the libraries that the executable's dynamic loader would load with this
 * LD_PRELOAD, in search order, into to[n], as the loader prints them.  false:
 * unknown.
 */
bool launcher_probe_libraries(const char *program, const char *preload,
			      char *to, size_t n);

/*
 * Returns the path of the next library in that text, and the name that was
 * requested.  Changes the text.  NULL: no more libraries.
 */
char *launcher_probe_next(char **text, char **name);

/* Does the library define its own malloc()? */
bool launcher_probe_is_allocator(const char *path);

#endif
