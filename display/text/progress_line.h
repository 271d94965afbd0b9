/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The line on stderr that says how far mpreduce is: only on a terminal, only
 * after a second, at most five times a second, and gone before anything else is
 * printed.
 */
#ifndef MEMMON_PROGRESS_LINE_H
#define MEMMON_PROGRESS_LINE_H

#include <stdint.h>

struct progress_line {
	int fd; /* of the terminal */
	unsigned columns;
	uint64_t start, last; /* ns: of the program, of what is shown */
	unsigned shown;	      /* columns that are taken */
};

/*
 * Start to wait at `now', in ns.  Returns whether fd is a terminal; if not, the
 * rest isn't to be called.
 */
int progress_line_init(struct progress_line *s, int fd, uint64_t now);

/* ns, of a clock that only goes on. */
uint64_t progress_line_clock(void);

/*
 * Show "mpreduce: WHAT: 34%" if it is time to; of 0: without the percentage.
 * what NULL: take it off the screen, which may be done in a signal handler.
 * arg: the struct progress_line.
 */
void progress_line_say(void *arg, const char *what, uint64_t done, uint64_t of);

/* The same at the time `now'. */
void progress_line_at(struct progress_line *s, uint64_t now, const char *what,
		      uint64_t done, uint64_t of);

#endif
