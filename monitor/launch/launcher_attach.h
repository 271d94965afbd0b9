/* SPDX-License-Identifier: MIT */
/* memmon -p: which process, and how long. */
#ifndef MEMMON_LAUNCHER_ATTACH_H
#define MEMMON_LAUNCHER_ATTACH_H

#include <stdbool.h>
#include <stddef.h>

/* Are these values that the options take?  The second: a time above 0. */
bool launcher_attach_is_pid(const char *arg);
bool launcher_attach_is_time(const char *arg);

/* An option is given: its name, and its value, or NULL. */
void launcher_attach_option(const char *name, const char *value);

/*
 * Is a process to be attached to?  `others' is how many arguments are left.
 * Otherwise why[n] says what doesn't go together, "" if all does.
 */
bool launcher_attach_wanted(int others, char *why, size_t n);

/*
 * Attach, record and let go, with the library at that path; what goes wrong is
 * said on standard error.  Has all gone well?
 */
bool launcher_attach(const char *library, bool report);

#endif
