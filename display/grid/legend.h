/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The texts that explain the tables. */
#ifndef MEMMON_DISPLAY_LEGEND_H
#define MEMMON_DISPLAY_LEGEND_H

#include "display/grid/table.h"

/* Print one more paragraph below a legend, unless options say no. */
void legend_note(struct tables *t, const char *text);

/* What several legends say at their end. */
extern const char legend_percent[], legend_classes[], legend_granules[];

/* What stands above the fields for the classes of blocks. */
const char *legend_letters(const struct tables *t);

/* Of a column of call paths, in tables where types come behind them. */
#define LEGEND_PATH_ONLY \
	"each function to the left of the function that it called; the last " \
	"one called malloc or a similar function.  ||: the path begins here; " \
	"...: there are more callers (see --depth)."
/* The same with --paths=own. */
#define LEGEND_PATH_OWN \
	"the program's line that called malloc or a similar function, and " \
	"its callers behind <.  ...: there are more callers (see --depth).  " \
	"[std]: code of the standard libraries or of the compiler"
#define LEGEND_PATH \
	LEGEND_PATH_ONLY "  =T, ~T: the type of all blocks (see --types)."

/* A name, and what it stands for; NULL: it heads those that follow. */
struct legend_term {
	const char *name, *text;
};

enum { LEGEND_TERMS = 20, LEGEND_NOTES = 4 };

/*
 * A legend: what the table is about; its columns, which have terms of their
 * own; more terms; and paragraphs below.  All texts are broken into lines here.
 */
struct legend {
	const char *about;
	unsigned indent; /* of what terms stand for */
	struct legend_term terms[LEGEND_TERMS];
	const char *notes[LEGEND_NOTES];
};

/*
 * Print it unless options say no, with what columns() gives, one after the
 * other until it is false, as the first terms; columns may be NULL.
 */
void legend_explain(struct tables *t, const struct legend *x,
		    bool (*columns)(void *arg, struct legend_term *term),
		    void *arg);

#endif
