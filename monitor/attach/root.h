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
 * Puts the path of a file for this process into to[n]; `path' is the file's
 * path for the other process.  The result is valid while the other process
 * runs.  It is valid afterwards, too, unless it begins with /proc.  False: the
 * path is too long.
 */
bool root_path(pid_t pid, const char *path, char *to, size_t n);

#endif
