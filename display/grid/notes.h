/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines above the rows of tables, or instead of rows. */
#ifndef MEMMON_DISPLAY_NOTES_H
#define MEMMON_DISPLAY_NOTES_H

#include "display/grid/table.h"
#include "display/text/conditions.h"

/* Print a title between dashes, unless it has its own. */
void tables_rule(struct tables *t, const char *title);

/*
 * tables_notes() prints the conditions of the run (text/conditions.h) up to
 * level `most', and a blank line.  If there are none, it prints nothing and
 * returns false.  tables_heading() prints a title first, and always a blank
 * line.  tables_title() does so with the conditions that every table prints.
 */
bool tables_notes(struct tables *t, enum condition_said most);
void tables_heading(struct tables *t, const char *title,
		    enum condition_said most);
void tables_title(struct tables *t, const char *title);

/* Print a line for each limit of the leak checks. */
void tables_leak_notes(struct tables *t);

/*
 * Print that something isn't in the data files, and why.  what: a noun phrase
 * at the start of a sentence.
 */
void tables_unknown(struct tables *t, const char *what);

/* Print the line that replaces the rows if nothing was allocated. */
void tables_nothing(struct tables *t);

/*
 * Print the title of a table about accesses, and what the recorded accesses
 * lack.  False: none were recorded, which is printed.
 */
bool tables_uses(struct tables *t, const char *title);

#endif
