/* SPDX-License-Identifier: MIT */
/*
 * On a terminal memmon keeps running beside the program, and prints at the end
 * what the program did with its heap.
 */
#ifndef MEMMON_LAUNCHER_WAIT_H
#define MEMMON_LAUNCHER_WAIT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Continue in a child, which will become the program `name'.  The parent waits
 * for the program's end, prints what is in the data file (says: and standard
 * error is a terminal), prints a report (reports), and ends as the program did.
 * The parent passes signals that it receives on to the program, and stops and
 * continues with it.  Returns in the child, with a descriptor that exec(3)
 * closes and that launcher_wait_failed() takes.  -1: no child was started, and
 * this process continues alone.  Call launcher_place_check() first.
 */
int launcher_wait(const char *name, bool says, bool reports);

/* The program couldn't be run: the parent will print nothing. */
void launcher_wait_failed(int fd);

/*
 * Print on standard error what is in the data file of the program `name'.
 * begun: "^C" is in the terminal's line.
 */
void launcher_say(const char *name, const char *file, bool begun);

/* Print the summary of that program's data file on standard error. */
void launcher_report(const char *name, const char *file);

/*
 * Puts the path of the mpreduce beside this program, or else its name, to be
 * found in PATH, into to[n].
 */
void launcher_reducer(char *to, size_t n);

#endif
