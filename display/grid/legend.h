/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The texts that explain the tables. */
#ifndef MEMMON_DISPLAY_LEGEND_H
#define MEMMON_DISPLAY_LEGEND_H

#include "display/grid/table.h"

/* Print one more paragraph below a legend, unless options say no. */
void legend_note(struct tables *t, const char *text);

/* Texts that several legends end with. */
extern const char legend_percent[], legend_classes[], legend_granules[];

/* The head above the fields for the size classes of blocks. */
const char *legend_letters(const struct tables *t);

/* The column of call paths, in tables that print types after the paths. */
#define LEGEND_PATH_ONLY \
	"each function to the left of the function that it called; the last " \
	"one called malloc or a similar function.  ||: the path begins here; " \
	"...: there are more callers (see --depth)."
/* The same column with --paths=own. */
#define LEGEND_PATH_OWN \
	"the program's line that called malloc or a similar function, and " \
	"its callers behind <.  ...: there are more callers (see --depth).  " \
	"[std]: code of the standard libraries or of the compiler"
#define LEGEND_PATH \
	LEGEND_PATH_ONLY "  =T, ~T: types of the blocks (see --types)."

/* A name and its meaning; NULL: the name is a heading for the next terms. */
struct legend_term {
	const char *name, *text;
};

enum { LEGEND_TERMS = 20, LEGEND_NOTES = 4 };

/*
 * A legend: what the table is about; terms; and paragraphs below.  The columns
 * have terms, too.  All texts are broken into lines here.
 */
struct legend {
	const char *about;
	unsigned indent; /* columns before the meaning of a term; 0: 13 */
	struct legend_term terms[LEGEND_TERMS];
	const char *notes[LEGEND_NOTES];
};

/*
 * Print a legend, unless options forbid it.  The first terms come from
 * columns(), which is called until it returns false; columns may be NULL.
 */
void legend_explain(struct tables *t, const struct legend *x,
		    bool (*columns)(void *arg, struct legend_term *term),
		    void *arg);

#endif
