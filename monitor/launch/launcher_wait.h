/* SPDX-License-Identifier: MIT */
/*
 * On a terminal: memmon stays beside the program, and says at the end what it
 * did with its heap.
 */
#ifndef MEMMON_LAUNCHER_WAIT_H
#define MEMMON_LAUNCHER_WAIT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Go on in a child, which is to become the program `name'; the parent waits for
 * its end, says what is in the data file (says: and standard error is a
 * terminal), prints a report (reports), and ends as it has.  Signals that are
 * sent to the parent go to the program, and it stops and goes on with it.
 * Returns in the child, with a descriptor that is closed by exec(3) and is for
 * launcher_wait_failed(); -1 where there is no child: this process goes on
 * alone.  After launcher_place_check() only.
 */
int launcher_wait(const char *name, bool says, bool reports);

/* The program couldn't be run: the parent has nothing to say. */
void launcher_wait_failed(int fd);

/*
 * Say on standard error what is in the data file of the program of that name.
 * begun: the terminal's line has "^C" in it.
 */
void launcher_say(const char *name, const char *file, bool begun);

/* Print the summary of that program's data file on standard error. */
void launcher_report(const char *name, const char *file);

/*
 * The path of the mpreduce beside this program, or its name, as PATH may have
 * it, in to[n].
 */
void launcher_reducer(char *to, size_t n);

#endif
