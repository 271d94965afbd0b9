/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The line on stderr that shows mpreduce's progress.  It appears only on a
 * terminal, only after a second, at most five times a second, and is erased
 * before anything else is printed.
 */
#ifndef MEMMON_PROGRESS_LINE_H
#define MEMMON_PROGRESS_LINE_H

#include <stdint.h>

struct progress_line {
	int fd; /* of the terminal */
	unsigned columns;
	uint64_t start, last; /* ns: of the program, of the last update */
	unsigned shown;	      /* columns in use */
};

/*
 * Start at the time `now', ns.  Returns whether fd is a terminal; if it isn't,
 * don't call the other functions.
 */
int progress_line_init(struct progress_line *s, int fd, uint64_t now);

/* ns of a monotonic clock. */
uint64_t progress_line_clock(void);

/*
 * Show "mpreduce: WHAT: 34%" if an update is due; of 0: without the percentage.
 * what NULL: erase the line; this is safe in a signal handler.  arg: the struct
 * progress_line.
 */
void progress_line_say(void *arg, const char *what, uint64_t done, uint64_t of);

/* The same for the time `now'. */
void progress_line_at(struct progress_line *s, uint64_t now, const char *what,
		      uint64_t done, uint64_t of);

#endif
