/* SPDX-License-Identifier: MIT */
/* The name of the data file. */
#ifndef MEMMON_NAME_H
#define MEMMON_NAME_H

#include "monitor/base/internal.h"

/*
 * Expand the pattern of mmi_process into to[n]: %p pid, %e name of the
 * executable, %h host, %r rank in a parallel job and %j that job, "none" if
 * there is none, %t start in seconds since 1970, %% a percent sign; relative to
 * the working directory of the start.  If the pattern has no %p, a process that
 * isn't the first gets ".pid" appended.  `exec' appends the pid in the same
 * way, and then "." and the executable's name, since the next image keeps the
 * pid.  again: how many names before this one are taken.  After the plain name
 * comes the name with ".pid", unless it already has the pid, then that with
 * ".1", ".2" and so on.  *has_pid: is the pid in the plain name?  False: the
 * name is too long.  ctx: slow, exit.
 */
bool mmi_name_expand(char *to, size_t n, bool exec, unsigned again,
		     bool *has_pid);

/*
 * The name of a snapshot: with the pid added like a forked process's, then "."
 * and its number, from 1.
 */
bool mmi_name_dump(char *to, size_t n, unsigned number);

/* The name of the log of a data file. */
bool mmi_name_log(char *to, size_t n, const char *path);

/* Joins path, before, pid, "." and `again' unless `again' is 0, and after. */
bool mmi_name_beside(char *to, size_t n, const char *path, const char *before,
		     long pid, unsigned again, const char *after);

#endif
