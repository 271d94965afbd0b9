/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far the result of leak checks goes. */
#ifndef MEMMON_LEAK_NOTES_H
#define MEMMON_LEAK_NOTES_H

#include "reduce/model/result.h"

/*
 * Set p->leak_notes: a sentence for each thing that the checks could not know,
 * in the words that every view shows.  After p's runs, functions and leaks.  0,
 * or -1 when out of memory.
 */
int leak_notes_make(struct profile *p);

#endif
