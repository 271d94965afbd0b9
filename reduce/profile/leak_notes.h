/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The limits of leak checks, as text. */
#ifndef MEMMON_LEAK_NOTES_H
#define MEMMON_LEAK_NOTES_H

#include "reduce/model/result.h"

/*
 * Set p->leak_notes: a sentence for each limit of the checks, in the words that
 * every view shows.  Call it after p's runs, functions and leaks are set.
 * Returns 0, or -1 when out of memory.
 */
int leak_notes_make(struct profile *p);

#endif
