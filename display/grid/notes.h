/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is said above the rows of tables, or in place of them. */
#ifndef MEMMON_DISPLAY_NOTES_H
#define MEMMON_DISPLAY_NOTES_H

#include "display/grid/table.h"

/*
 * What has to be said of all figures below it (filter, lost, incomplete and so
 * on) and a blank line; nothing if there is nothing to be said.  tables_title()
 * prints a title before it, and a blank line in any case.
 */
void tables_notes(struct tables *t);
void tables_title(struct tables *t, const char *title);

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
