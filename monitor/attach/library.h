/* SPDX-License-Identifier: MIT */
/* The library in a process that memmon attaches to: loaded, and called. */
#ifndef MEMMON_LIBRARY_H
#define MEMMON_LIBRARY_H

#include "monitor/attach/inject.h"
#include "monitor/attach/target.h"
#include "monitor/process/attached.h"

/*
 * Copy the environment variables for the library into to[n], as "NAME=VALUE",
 * each ended by NUL.  Returns the number of bytes.
 */
size_t library_settings(char *to, size_t n);

/* The address of a function of the library, if it is loaded; or 0. */
uintptr_t library_function(const struct target *t, const char *name);

/*
 * Have the thread load the library of that path.  False, with why[n]: what the
 * process' loader says, or that it can't find the file.
 */
bool library_load(struct target *t, struct inject *i, const char *library,
		  char *why, size_t n);

/*
 * Call a function of the library in the thread, whose last argument is an
 * answer; told[length] comes before it, if it isn't NULL.  False, with why[n].
 */
bool library_ask(const struct target *t, struct inject *i, const char *function,
		 const char *told, size_t length, struct mmi_attached_answer *a,
		 char *why, size_t n);

/*
 * A word of the loaded library's, 0: it isn't loaded; and is it still there?
 * It isn't once the process has ended, or executes another program.
 */
uintptr_t library_word(const struct target *t);
bool library_is_there(const struct target *t, uintptr_t word);

#endif
