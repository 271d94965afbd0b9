/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of the prolog; only for prolog*.c. */
#ifndef MEMMON_PROLOG_H
#define MEMMON_PROLOG_H

#include "display/grid/table.h"

/* Print the start of a line, before its value. */
void prolog_item(struct tables *t, const char *name);

/* Print how a run ended that did not record its end: one or more lines. */
void prolog_killed(struct tables *t, const struct run *r);

/*
 * Print lines that only few runs need: recording that was off, resets, pools,
 * leak checks.
 */
void prolog_recording(struct tables *t);

/* Print what is known about sampling. */
void prolog_sample(struct tables *t);

/* Print the lines on leak checks.  With a filter, they come first. */
void prolog_leaks(struct tables *t);

#endif
