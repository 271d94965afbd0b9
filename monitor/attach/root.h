/* SPDX-License-Identifier: MIT */
/* The root directory of a process, which may be another than ours. */
#ifndef MEMMON_ROOT_H
#define MEMMON_ROOT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* The link to that directory, below /proc, into to[n]. */
void root_link(pid_t pid, char *to, size_t n);

/* Has the process another root directory, as in a container? */
bool root_is_other(pid_t pid);

/*
 * The path by which this process finds what the process calls `path', into
 * to[n].  While the process runs it is valid; afterwards, too, unless it begins
 * with /proc.  False: it doesn't fit.
 */
bool root_path(pid_t pid, const char *path, char *to, size_t n);

#endif
