/* SPDX-License-Identifier: MIT */
/* memmon -p: which process, and how long. */
#ifndef MEMMON_LAUNCHER_ATTACH_H
#define MEMMON_LAUNCHER_ATTACH_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Do the options take these values?  is_time: a time above 0.  is_watch:
 * seconds, and perhaps a count.
 */
bool launcher_attach_is_pid(const char *arg);
bool launcher_attach_is_time(const char *arg);
bool launcher_attach_is_watch(const char *arg);

/* An option is given: its name, and its value, or NULL. */
void launcher_attach_option(const char *name, const char *value);

/*
 * Was attaching to a process requested?  `others' is the number of remaining
 * arguments.  If the result is false, why[n] says which options don't go
 * together; "" if all do.
 */
bool launcher_attach_wanted(int others, char *why, size_t n);

/*
 * Attach, record and detach, with the library at that path.  Prints errors on
 * standard error.  Returns whether all went well.
 */
bool launcher_attach(const char *library, bool report);

#endif
