/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of rows under columns.  A table describes its columns.  The grid
 * measures them and prints the heads, the total, the rows, the row for those
 * that are too small, and the legend.
 */
#ifndef MEMMON_GRID_H
#define MEMMON_GRID_H

#include "display/grid/legend.h"
#include "display/grid/table.h"
#include "display/text/number.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The kind of a cell.  All cells are aligned right, except GRID_LEFT. */
enum grid_kind {
	GRID_COUNT,   /* n, as a number */
	GRID_BYTES,   /* n, as bytes */
	GRID_TIME,    /* n: ns, with a unit */
	GRID_SECONDS, /* n: ns */
	GRID_SCORE,   /* real */
	GRID_TENTHS,  /* n of `of': "50.2" */
	GRID_PERCENT, /* n of `of': two characters */
	GRID_TEXT,    /* text */
	GRID_LEFT,    /* text, aligned left */
	GRID_NAME     /* the row's name: from put(), or a label */
};

/* A value.  All fields are zero before get() fills it. */
struct grid_cell {
	uint64_t n;
	uint64_t of; /* the whole that n is a share of; 0: no share */
	double real;
	double var;	  /* variance of n: see table.h */
	const char *text; /* replaces the number; "" is a blank cell */
	bool unknown;	  /* "-" */
	bool estimate;	  /* "~" before the number */
	bool negative;	  /* "-" before it; not with estimate */
	bool plus;	  /* "+" before it; not with estimate */
	char buf[NUMBER_SIZE]; /* room for text */
};

struct grid;
typedef void grid_getter(const struct grid *g, const void *row, unsigned at,
			 struct grid_cell *c);

/*
 * A column.  `width' is the least width without head.  A blank precedes the
 * column unless `before' separates it.
 */
struct grid_column {
	const char *head;
	enum grid_kind kind;
	unsigned char width;
	unsigned char share; /* width of "(50)" after the figure; 0: none */
	bool error;	     /* print the standard error after it */
	/* The column is printed if one of these bits is in grid.with; 0:
	 * always. */
	unsigned char with;
	unsigned at; /* argument of get() */
	grid_getter *get;
	void (*put)(const struct grid *g, const void *row);
	const char *before, *after; /* text before and after each cell; or
				     * NULL */
	/* For the legend: the explanation, or NULL; and the term, or NULL for
	 * the head. */
	const char *explain, *term;
};

/*
 * COLUMN(): head, kind, width, get() and its argument, text for the legend.
 * NAME(): the last column, of names, with the text before it.  NAME_OF(): the
 * name is a text in the row, a struct `type'.  More members may follow.
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
#define NAME_OF(title, blanks, type, member, text, ...) \
	NAME(title, blanks, grid_put_member, text, \
	     .at = offsetof(struct type, member), ##__VA_ARGS__)
void grid_put_member(const struct grid *g, const void *row);

/*
 * A column for a uint64_t member of the row, a struct `type'.  MEMBER_MAX():
 * UINT64_MAX means unknown.
 */
#define MEMBER(title, how, columns, type, member, text, ...) \
	COLUMN(title, how, columns, grid_get_member, \
	       offsetof(struct type, member), text, ##__VA_ARGS__)
#define MEMBER_MAX(title, how, columns, type, member, text, ...) \
	COLUMN(title, how, columns, grid_get_max, \
	       offsetof(struct type, member), text, ##__VA_ARGS__)
grid_getter grid_get_member, grid_get_max;

enum { GRID_MOST = 24 };

/* Set by grid_init().  A grid must not be moved; it needs no fini. */
struct grid {
	struct tables *t;
	const struct grid_column *column;
	size_t n;
	unsigned with;	     /* bits for grid_column.with */
	const void *arg;     /* the table's own data */
	const char *(*head)(const struct grid *g, size_t column); /* of a column
								   * without
								   * .head; or
								   * NULL */
	void (*after)(const struct grid *g, const void *row); /* prints what
							       * follows a row;
							       * or NULL */
	bool dense; /* no blank line below the heads */
	size_t *width; /* by column: own, or the caller's */
	size_t own[GRID_MOST];
};

void grid_init(struct grid *g, struct tables *t,
	       const struct grid_column *column, size_t n);

/* As grid_init(), for any number of columns; width[] has room for n. */
void grid_init_wide(struct grid *g, struct tables *t,
		    const struct grid_column *column, size_t n, size_t *width);

/* grid_init() with an array of columns. */
#define GRID_INIT(g, t, columns) \
	grid_init(g, t, columns, sizeof(columns) / sizeof *(columns))

/* Make the columns wide enough for a row. */
void grid_fit(struct grid *g, const void *row);

/* Print the heads and a blank line; or a row, with label, if any, as name. */
void grid_head(const struct grid *g);
void grid_row(const struct grid *g, const void *row, const char *label);

/* The rows of a table, n of `size' bytes each, and more; NULL: none. */
struct grid_rows {
	const void *v;
	size_t n, size;
	const void *total; /* printed first, with a blank line */
	const void *other; /* sum of `others' rows that aren't printed */
	size_t others;
	const void *rest; /* the unknown, after all others */
};

/* The first members of a struct grid_rows: n elements of an array. */
#define GRID_ROWS(array, many) .v = array, .n = many, .size = sizeof *(array)

/* Print the whole table, except title and legend. */
void grid_print(struct grid *g, const struct grid_rows *rows);

/*
 * Print the whole table, from grid_init() to the legend; or, if one of them is
 * NULL, only the legend or only the rows.
 */
void grid_table(struct tables *t, const struct grid_column *column, size_t n,
		const struct grid_rows *rows, const struct legend *legend);

/* grid_table() with arrays of columns and rows. */
#define GRID_TABLE(t, columns, array, many, legend) \
	grid_table(t, columns, sizeof(columns) / sizeof *(columns), \
		   &(struct grid_rows){ GRID_ROWS(array, many) }, legend)

/* Print the legend, with a line for each column. */
void grid_legend(const struct grid *g, const struct legend *legend);
#define GRID_LEGEND(t, columns, legend) \
	grid_table(t, columns, sizeof(columns) / sizeof *(columns), NULL, \
		   legend)

/*
 * Keep those of the n rows that worth() accepts, in their order, and add() up
 * all others in *other.  If only one row would be left out it is kept, unless
 * `top' is set: "(1 other)" would take as much room.  Returns the number of
 * rows kept.
 */
size_t grid_pick(void *rows, size_t n, size_t size, bool top,
		 bool (*worth)(const void *row, size_t place, void *arg),
		 void (*add)(void *other, const void *row), void *other,
		 void *arg);

#endif
