/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is said above the rows of tables, or in place of them. */
#ifndef MEMMON_DISPLAY_NOTES_H
#define MEMMON_DISPLAY_NOTES_H

#include "display/grid/table.h"
#include "display/text/conditions.h"

/*
 * The conditions of the run (text/conditions.h), except those said after
 * `most', and a blank line.  False, and nothing is printed: there are none.
 * tables_heading() prints a title before them, and a blank line in any case;
 * tables_title() likewise, with the conditions that stand above every table.
 */
bool tables_notes(struct tables *t, enum condition_said most);
void tables_heading(struct tables *t, const char *title,
		    enum condition_said most);
void tables_title(struct tables *t, const char *title);

/* A line for each thing that leak checks could not know. */
void tables_leak_notes(struct tables *t);

/*
 * The line that says that something (a noun phrase at the start of a sentence)
 * isn't in the data files, and why.
 */
void tables_unknown(struct tables *t, const char *what);

/* The line that stands for the rows where there is nothing at all. */
void tables_nothing(struct tables *t);

/*
 * The title of a table of how blocks were used, and below it what the accesses
 * lack that were recorded.  False: there are none, and that was said.
 */
bool tables_uses(struct tables *t, const char *title);

#endif
