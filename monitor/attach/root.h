/* SPDX-License-Identifier: MIT */
/* The root directory of a process, which may differ from memmon's. */
#ifndef MEMMON_ROOT_H
#define MEMMON_ROOT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Puts the link to that directory, below /proc, into to[n]. */
void root_link(pid_t pid, char *to, size_t n);

/* Does the process have another root directory, as in a container? */
bool root_is_other(pid_t pid);

/*
 * Puts into to[n] the path by which this process finds the file that the other
 * process calls `path'.  The path is valid while the other process runs.  It is
 * valid afterwards, too, unless it begins with /proc.  False: the path is too
 * long.
 */
bool root_path(pid_t pid, const char *path, char *to, size_t n);

#endif
