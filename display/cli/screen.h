/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What follows from whether standard output is a terminal. */
#ifndef MEMMON_SCREEN_H
#define MEMMON_SCREEN_H

#include "display/text/settings.h"

#include <stdbool.h>
#include <sys/types.h>

/*
 * After the options are known: what is printed where nothing was asked for, and
 * how, where nothing was said.  given: which rows of the table there were.
 */
void screen_choose(struct options *o, const bool *given);

/* Can the terminal do nothing but print lines, as far as TERM tells? */
bool screen_is_plain(void);

/* The pager that standard output goes to. */
struct screen_pager {
	pid_t pid;    /* 0: there is none */
	int terminal; /* what standard output was */
};

/*
 * Start a pager if standard output is a terminal and the options let it; what
 * is written to standard output goes there until screen_pager_end(), which
 * waits until the user has read it.  Where it can't be started, all goes to the
 * terminal itself.  Nothing may have been written before.
 */
void screen_pager_begin(struct screen_pager *s, const struct options *o);
void screen_pager_end(struct screen_pager *s);

#endif
