/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The result of a query, rows of values under columns, and ways to write it: as
 * a table, as CSV, as JSON.
 */
#ifndef MEMMON_RESULT_H
#define MEMMON_RESULT_H

#include "display/grid/table.h"
#include "display/schema/value.h"
#include "display/text/writer.h"
#include "reduce/base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct tables;

struct result_column {
	const char *name;
	enum value_kind kind;
};

/* A value, of the column's kind. */
struct result_cell {
	struct value v;
	bool estimate;	   /* marked in tables */
	bool digits;	   /* v.text is a number, in a column of any kind */
	const char *shown; /* the text for tables; NULL: v.text, or `-' if
			    * unknown */
};

/* Call result_init() first, and result_fini() after any result. */
struct result {
	const struct result_column *column; /* the caller's */
	size_t ncolumns;
	struct result_cell *cell;	  /* row by row */
	size_t n, room;		  /* number of rows */
	struct result_cell *total;  /* of all rows, or NULL; the caller's */
	struct result_cell *others; /* sum of rows that are left out; or NULL */
	size_t nothers;		  /* number of rows left out */
	bool plain; /* tables print column names unchanged, with _ */
	struct owned owned; /* texts of cells */
};

void result_init(struct result *r, const struct result_column *column,
		 size_t n);
void result_fini(struct result *r);

/* Add a row, and return its cells, all unknown; NULL when out of memory. */
struct result_cell *result_add(struct result *r);

/*
 * Take a text from malloc(), or NULL; result_fini() frees it.  Returns the
 * text, or NULL when out of memory, after freeing it.
 */
const char *result_own(struct result *r, char *text);

/*
 * Write an array of objects, one for each row, with the columns' names as keys;
 * unknown values are null.  name: of the array, as in writer.h.  A repeated
 * column name gets "_" and the column's number as a suffix.  0, or -1: out of
 * memory.
 */
int result_json(const struct result *r, struct writer *w, const char *name);

/*
 * Write CSV (RFC 4180): a line with the columns' names, and a line for each
 * row.  Unknown values are empty.
 */
void result_csv(const struct result *r, FILE *out);

/* Write field i of a line, from 0, in quotes if it needs them (RFC 4180). */
void result_csv_field(FILE *out, size_t i, const char *s);

/*
 * Print a table: header, total, rows, and the sum of other rows.  Numbers are
 * aligned right, texts left; unknown values are `-'.
 */
void result_table(const struct result *r, struct tables *t);

#endif
