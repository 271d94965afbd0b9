/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Print all tables. */
#ifndef MEMMON_DISPLAY_TABLES_H
#define MEMMON_DISPLAY_TABLES_H

#include "display/grid/table.h"
#include "display/settings/settings.h"
#include "reduce/profile/profile.h"

#include <stdio.h>

/*
 * Print the tables that o asks for, with a form feed between tables.  0, or -1
 * with *e set: unknown symbol, or out of memory.
 */
int tables_print(const struct profile *p, const struct options *o, FILE *out,
		 struct err *e);

/* The call paths that freed blocks: the last section of --lifetimes. */

/* Print the section, if it is known. */
void freed_by_print(struct tables *t);

/* Parts of the table of leaks; only for leaks*.c. */

/*
 * Print the results of leak checks, by kind and path.  kinds: which kinds, as
 * bits 1 << enum profile_leak.  0, or -1 when out of memory.
 */
int leaks_check(struct tables *t, unsigned kinds);

/* Print the blocks that each suppression hides, if any. */
void leaks_suppressed(struct tables *t);

/* A line for each data file: --file-info=list. */

/*
 * Print p->runs on out.  If the user did not ask for the list, also print what
 * to do next.  0, or -1 with *e set.
 */
int list_print(const struct profile *p, const struct options *o, FILE *out,
	       struct err *e);

/* Parts of the prolog; only for prolog*.c. */

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
