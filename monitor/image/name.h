/* SPDX-License-Identifier: MIT */
/* The name of the data file. */
#ifndef MEMMON_NAME_H
#define MEMMON_NAME_H

#include "monitor/base/internal.h"

/*
 * Expand the pattern of mmi_process into to[n]: %p pid, %e name of the
 * executable, %h host, %r rank in a parallel job and %j that job, "none" if
 * there is none, %t start in seconds since 1970, %% a percent sign; relative to
 * the working directory of the start.  A process that isn't the first gets
 * ".pid" added when the pattern has no %p; `exec' adds the pid in the same way
 * and then "." and the executable's name, since the next image keeps the pid.
 * *has_pid: is the pid in it?  False when it doesn't fit.  ctx: slow, exit.
 */
bool mmi_name_expand(char *to, size_t n, bool exec, bool *has_pid);

/*
 * The name of a dump: with the pid added like a forked process's, then "."
 * and its number.
 */
bool mmi_name_dump(char *to, size_t n, unsigned number);

#endif
