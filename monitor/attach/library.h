/* SPDX-License-Identifier: MIT */
/* The library in a process that memmon attaches to: loads and calls it. */
#ifndef MEMMON_LIBRARY_H
#define MEMMON_LIBRARY_H

#include "monitor/attach/inject.h"
#include "monitor/attach/target.h"
#include "monitor/process/attached.h"

/*
 * Copies the environment variables for the library into to[n], as "NAME=VALUE",
 * each ended by NUL.  Returns the number of bytes.
 */
size_t library_settings(char *to, size_t n);

/* The address of a function of the library, if the library is loaded; or 0. */
uintptr_t library_function(const struct target *t, const char *name);

/*
 * Makes the thread load the library at that path.  False, with why[n]: the
 * message of the process's loader, or that the loader can't find the file.
 */
bool library_load(struct target *t, struct inject *i, const char *library,
		  char *why, size_t n);

/*
 * Calls a function of the library in the thread.  The function's last argument
 * is an answer; told[length] comes before it, if `told' isn't NULL.  False,
 * with why[n].
 */
bool library_ask(const struct target *t, struct inject *i, const char *function,
		 const char *told, size_t length, struct mmi_attached_answer *a,
		 char *why, size_t n);

/*
 * The address of a word of the loaded library; 0: it isn't loaded.  And is the
 * library still there?  It isn't if the process has ended, or executes another
 * program.
 */
uintptr_t library_word(const struct target *t);
bool library_is_there(const struct target *t, uintptr_t word);

#endif
