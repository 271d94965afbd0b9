/* SPDX-License-Identifier: MIT */
/* The program that is to be run, before it is. */
#ifndef MEMMON_LAUNCHER_PROGRAM_H
#define MEMMON_LAUNCHER_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

/* Exit statuses of the launcher's own. */
enum { EXIT_OURS = 125, EXIT_CANNOT = 126, EXIT_NOT_FOUND = 127 };

/* Say why on standard error, in a line after "memmon: ", and end. */
void launcher_die(int status, const char *fmt, ...)
	__attribute__((noreturn, format(printf, 2, 3)));

/* Set a variable, or end: there is no memory. */
void launcher_set(const char *name, const char *value);

/* Put a library before those that LD_PRELOAD has. */
void launcher_preload(const char *library);

/* Where execvp(3) will find the program, maybe in to[n]; or NULL. */
const char *launcher_program_find(const char *name, char *to, size_t n);

/*
 * Say what preloading can't do with the program of that path, or with what runs
 * it if it is a script, and end if it can do nothing.  Returns the path of the
 * file that is recorded: among the arguments, from argv[1] on, if the program
 * is a dynamic loader that is told what to run.
 */
const char *launcher_program_check(const char *path, char *const *argv);

/*
 * The path of the file that a process runs, in its own root, into to[n]: that
 * which its loader was told to run, if it was.  False: it can't be told.
 */
bool launcher_program_of(long pid, char *to, size_t n);

/*
 * The executable that was looked at last and is one for this machine: of a
 * script, what runs it.  NULL: there was none.
 */
const char *launcher_program_elf(void);

/*
 * Say which of the allocator's functions the program at descriptor fd has of
 * its own: what they allocate isn't seen.  ctx: none of the library's.
 */
void launcher_program_own(int fd, const char *path);

#endif
