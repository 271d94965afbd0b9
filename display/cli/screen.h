/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What depends on whether standard output is a terminal. */
#ifndef MEMMON_SCREEN_H
#define MEMMON_SCREEN_H

#include "display/settings/settings.h"

#include <stdbool.h>
#include <sys/types.h>

/*
 * After the options are read: choose what to print if the user named nothing,
 * and the form of the output if the user chose none.  given: which rows of the
 * table were used.
 */
void screen_choose(struct options *o, const bool *given);

/* Does TERM name a terminal that can only print lines? */
bool screen_is_plain(void);

/* The pager that reads standard output. */
struct screen_pager {
	pid_t pid;    /* 0: no pager */
	int terminal; /* the original standard output */
};

/*
 * Start a pager if standard output is a terminal and the options allow a pager.
 * Standard output then goes to the pager until screen_pager_end(), which waits
 * until the user has read all.  If the pager can't be started, the terminal
 * gets the output.  Call this before anything is written.
 */
void screen_pager_begin(struct screen_pager *s, const struct options *o);
void screen_pager_end(struct screen_pager *s);

#endif
