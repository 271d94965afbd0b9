/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows of values under columns, and ways to write them: as a table, as CSV, as
 * JSON.
 */
#ifndef MEMMON_ROWS_H
#define MEMMON_ROWS_H

#include "display/grid/table.h"
#include "display/schema/value.h"
#include "display/text/writer.h"
#include "reduce/base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct tables;

struct rows_column {
	const char *name;
	enum value_kind kind;
};

/* A value, of the column's kind. */
struct rows_cell {
	struct value v;
	bool estimate;	   /* is marked in tables */
	bool digits;	   /* v.text is a number, whatever the kind */
	const char *shown; /* v.text in a table; NULL: as it is, or,
			    * not known, `-' */
};

/* rows_init(), and rows_fini() in any case. */
struct rows {
	const struct rows_column *column; /* the caller's */
	size_t ncolumns;
	struct rows_cell *cell;	  /* row by row */
	size_t n, room;		  /* rows */
	struct rows_cell *total;  /* of all rows, or NULL; the caller's */
	struct rows_cell *others; /* the same of rows that are left out */
	size_t nothers;		  /* how many are left out */
	bool plain; /* tables have names of columns as they are, with _ */
	struct owned owned; /* texts of cells */
};

void rows_init(struct rows *r, const struct rows_column *column, size_t n);
void rows_fini(struct rows *r);

/* The cells of a new row, none of them known; NULL when out of memory. */
struct rows_cell *rows_add(struct rows *r);

/*
 * Take an allocated text, which may be NULL, to be freed by rows_fini().
 * Returns it, or NULL when out of memory: then it is freed.
 */
const char *rows_own(struct rows *r, char *text);

/*
 * An array of objects, one for each row, with the columns' names; what isn't
 * known is null.  name: of the array, as in writer.h.
 */
void rows_json(const struct rows *r, struct writer *w, const char *name);

/*
 * CSV (RFC 4180): a line with the columns' names, and one for each row; what
 * isn't known is empty.
 */
void rows_csv(const struct rows *r, FILE *out);

/* Field i of a line, from 0, in quotes if it needs them (RFC 4180). */
void rows_csv_field(FILE *out, size_t i, const char *s);

/*
 * A table: the header, the total, the rows, and the others.  Numbers are set
 * right, texts left; what isn't known is `-'.
 */
void rows_table(const struct rows *r, struct tables *t);

#endif
