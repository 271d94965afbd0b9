/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a query gives, rows of values under columns, and ways to write it: as a
 * table, as CSV, as JSON.
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
	bool estimate;	   /* is marked in tables */
	bool digits;	   /* v.text is a number, whatever the kind */
	const char *shown; /* v.text in a table; NULL: as it is, or,
			    * not known, `-' */
};

/* result_init(), and result_fini() in any case. */
struct result {
	const struct result_column *column; /* the caller's */
	size_t ncolumns;
	struct result_cell *cell;	  /* row by row */
	size_t n, room;		  /* rows */
	struct result_cell *total;  /* of all rows, or NULL; the caller's */
	struct result_cell *others; /* the same of rows that are left out */
	size_t nothers;		  /* how many are left out */
	bool plain; /* tables have names of columns as they are, with _ */
	struct owned owned; /* texts of cells */
};

void result_init(struct result *r, const struct result_column *column,
		 size_t n);
void result_fini(struct result *r);

/* The cells of a new row, none of them known; NULL when out of memory. */
struct result_cell *result_add(struct result *r);

/*
 * Take an allocated text, which may be NULL, to be freed by result_fini().
 * Returns it, or NULL when out of memory: then it is freed.
 */
const char *result_own(struct result *r, char *text);

/*
 * An array of objects, one for each row, with the columns' names; what isn't
 * known is null.  name: of the array, as in writer.h.  A column whose name one
 * before it has gets "_" and its number behind that.  0, or -1: out of memory.
 */
int result_json(const struct result *r, struct writer *w, const char *name);

/*
 * CSV (RFC 4180): a line with the columns' names, and one for each row; what
 * isn't known is empty.
 */
void result_csv(const struct result *r, FILE *out);

/* Field i of a line, from 0, in quotes if it needs them (RFC 4180). */
void result_csv_field(FILE *out, size_t i, const char *s);

/*
 * A table: the header, the total, the rows, and the others.  Numbers are set
 * right, texts left; what isn't known is `-'.
 */
void result_table(const struct result *r, struct tables *t);

#endif
