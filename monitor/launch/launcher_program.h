/* SPDX-License-Identifier: MIT */
/* Checks of the program before it runs. */
#ifndef MEMMON_LAUNCHER_PROGRAM_H
#define MEMMON_LAUNCHER_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

/* Exit statuses of the launcher itself. */
enum { EXIT_OURS = 125, EXIT_CANNOT = 126, EXIT_NOT_FOUND = 127 };

/* Print the reason on standard error, in a line after "memmon: ", and exit. */
void launcher_die(int status, const char *fmt, ...)
	__attribute__((noreturn, format(printf, 2, 3)));

/* Set a variable; exit if memory is exhausted. */
void launcher_set(const char *name, const char *value);

/* Put a library before those in LD_PRELOAD. */
void launcher_preload(const char *library);

/* Where execvp(3) will find the program, maybe in to[n]; NULL: nowhere. */
const char *launcher_program_find(const char *name, char *to, size_t n);

/*
 * Print which parts preloading can't record of the program with this path, or
 * of a script's interpreter; exit if it can record nothing.  Returns the path
 * of the file that is recorded.  This is one of the arguments, from argv[1] on,
 * if the program is a dynamic loader that runs another program.
 */
const char *launcher_program_check(const char *path, char *const *argv);

/*
 * Puts the path of the file that a process runs, in its own root, into to[n].
 * If a loader runs a program by its arguments, this is the program.  False:
 * unknown.
 */
bool launcher_program_of(long pid, char *to, size_t n);

/*
 * The last executable for this machine that was checked; for a script, its
 * interpreter.  NULL: none was checked.
 */
const char *launcher_program_elf(void);

/*
 * Print which of the allocator's functions the program at descriptor fd defines
 * itself: their allocations aren't recorded.  ctx: none of the library's.
 */
void launcher_program_own(int fd, const char *path);

#endif
