/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of the prolog; for its own two files only. */
#ifndef MEMMON_PROLOG_H
#define MEMMON_PROLOG_H

#include "display/grid/table.h"

/* The start of a line, before its value. */
void prolog_item(struct tables *t, const char *name);

/* How a run ended that didn't say so: a line or more. */
void prolog_killed(struct tables *t, const struct run *r);

/*
 * Lines on what few runs have: recording that was off, resets, pools, leak
 * checks.  Nothing if there is nothing to be said.
 */
void prolog_recording(struct tables *t);

/* What is known of samples. */
void prolog_sample(struct tables *t);

/* The lines on leak checks among them, which come first under a filter. */
void prolog_leaks(struct tables *t);

#endif
