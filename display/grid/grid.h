/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of rows under columns.  A view names its columns; the grid measures
 * them, prints the heads, the total, the rows, the row of those that aren't
 * worth one, and what each column means.
 */
#ifndef MEMMON_GRID_H
#define MEMMON_GRID_H

#include "display/grid/legend.h"
#include "display/grid/table.h"
#include "display/text/number.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a cell holds, and how it is printed: set right but for GRID_LEFT. */
enum grid_kind {
	GRID_COUNT,   /* n */
	GRID_BYTES,   /* n */
	GRID_TIME,    /* n: ns, with a unit */
	GRID_SECONDS, /* n: ns */
	GRID_SCORE,   /* real */
	GRID_TENTHS,  /* n of `of': "50.2" */
	GRID_PERCENT, /* n of `of': two characters */
	GRID_TEXT,    /* text */
	GRID_LEFT,    /* text, set left */
	GRID_NAME     /* what the row is of: by put(), or a label */
};

/* A value, all zero before get() fills it. */
struct grid_cell {
	uint64_t n;
	uint64_t of; /* of which n is a share; 0: no share is printed */
	double real;
	double var;	  /* of n: see errors.h */
	const char *text; /* instead of the number; "" leaves it blank */
	bool unknown;	  /* "-" */
	bool estimate;	  /* "~" before it */
	bool negative;	  /* "-" before it; not of estimates */
	bool plus;	  /* "+" before it; the same */
	char buf[NUMBER_SIZE]; /* room for text */
};

struct grid;
typedef void grid_getter(const struct grid *g, const void *row, unsigned at,
			 struct grid_cell *c);

/*
 * A column.  The width is the least beside that of the head, with a blank
 * before either unless `before' sets it apart.
 */
struct grid_column {
	const char *head;
	enum grid_kind kind;
	unsigned char width;
	unsigned char share; /* columns for "(50)" behind the figure; 0: none */
	bool error;	     /* its standard error comes behind it */
	/* The column is printed if one of these bits is in grid.with; 0:
	 * always. */
	unsigned char with;
	unsigned at; /* for get() */
	grid_getter *get;
	void (*put)(const struct grid *g, const void *row);
	const char *before, *after; /* printed there in each line; or NULL */
	/* For the legend: what it holds, and the name it goes by there; NULL:
	 * nothing, and its head. */
	const char *explain, *term;
};

/*
 * A column: its head, kind, width, and get() with what it is asked for; and
 * the last one, of names, with what comes before it.  text: for the legend.
 * What follows are more members.
 */
#define COLUMN(title, how, columns, getter, what, text, ...) \
	{ \
		.head = title, .kind = GRID_##how, .width = columns, \
		.get = getter, .at = what, .explain = text, ##__VA_ARGS__ \
	}
#define NAME(title, blanks, putter, text, ...) \
	{ \
		.head = title, .kind = GRID_NAME, .before = blanks, \
		.put = putter, .explain = text, ##__VA_ARGS__ \
	}

/*
 * A column of a figure that the row, a struct `type', has as a uint64_t; and of
 * one that isn't known if it is UINT64_MAX.
 */
#define MEMBER(title, how, columns, type, member, text, ...) \
	COLUMN(title, how, columns, grid_get_member, \
	       offsetof(struct type, member), text, ##__VA_ARGS__)
#define MEMBER_MAX(title, how, columns, type, member, text, ...) \
	COLUMN(title, how, columns, grid_get_max, \
	       offsetof(struct type, member), text, ##__VA_ARGS__)
grid_getter grid_get_member, grid_get_max;

enum { GRID_MOST = 24 };

/* grid_init(); it stays where it is, and nothing is to be freed. */
struct grid {
	struct tables *t;
	const struct grid_column *column;
	size_t n;
	unsigned with;	     /* bits, as in columns */
	const void *arg;     /* the view's */
	const char *(*head)(const struct grid *g, size_t column); /* or NULL:
				* of a column without a head */
	void (*after)(const struct grid *g, const void *row); /* or NULL */
	bool dense; /* without a blank line below the heads */
	size_t *width; /* of each column: own, or the caller's */
	size_t own[GRID_MOST];
};

void grid_init(struct grid *g, struct tables *t,
	       const struct grid_column *column, size_t n);

/* The same of any number of columns, with room for as many widths. */
void grid_init_wide(struct grid *g, struct tables *t,
		    const struct grid_column *column, size_t n, size_t *width);

/* With an array of columns. */
#define GRID_INIT(g, t, columns) \
	grid_init(g, t, columns, sizeof(columns) / sizeof *(columns))

/* Make the columns wide enough for a row. */
void grid_fit(struct grid *g, const void *row);

/* Print the heads and a blank line; a row, with label as its name if set. */
void grid_head(const struct grid *g);
void grid_row(const struct grid *g, const void *row, const char *label);

/* The rows of a table, n of `size' bytes each, and others; NULL: none. */
struct grid_rows {
	const void *v;
	size_t n, size;
	const void *total; /* above them, with a blank line */
	const void *other; /* of `others' rows that have none of their own */
	size_t others;
	const void *rest; /* what isn't known, below all */
};

/* All of a table, but for its title and legend. */
void grid_print(struct grid *g, const struct grid_rows *rows);

/* The legend, in which each column has a line. */
void grid_legend(const struct grid *g, const struct legend *legend);

/*
 * Keep those of the n rows that are worth one, in their order, and add up the
 * others in *other.  If there is but one other it is kept, too, unless `top' is
 * set: "(1 other)" would take as much room.  Returns how many are kept.
 */
size_t grid_pick(void *rows, size_t n, size_t size, bool top,
		 bool (*worth)(const void *row, size_t place, void *arg),
		 void (*add)(void *other, const void *row), void *other,
		 void *arg);

#endif
