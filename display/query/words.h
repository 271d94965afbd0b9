/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shorthands: conditions of --where, --having and --fail-if, as mpreduce(1)
 * describes them, become SQL.  Literals have units, which are checked by the
 * kinds of the fields that they are compared with.
 */
#ifndef MEMMON_WORDS_H
#define MEMMON_WORDS_H

#include "display/query/schema.h"
#include "reduce/base/units.h"
#include "reduce/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * What may be named: the fields of a table.  rows: the functions over all rows
 * (any, all, count, sum, min, max) may be called, whose arguments are of these,
 * and the table has one row, of figures that are the least when not known: the
 * parameter ?n of SQL stands for this value of field n, from 1.
 */
struct words_scope {
	const struct schema_table *table;
	const struct schema_table *rows; /* or NULL */
};

/* Something that a condition names. */
enum words_part_kind {
	WORDS_FIELD,
	WORDS_NAME,    /* a text that a field is compared with */
	WORDS_PATTERN, /* a regular expression, likewise */
	WORDS_CALL     /* a function over rows */
};

struct words_part {
	enum words_part_kind kind;
	const struct schema_field *field;
	bool row;      /* it is compared for rows, not for blocks */
	bool inside;   /* of a function over rows */
	bool tested;   /* known() asks for it */
	size_t at, end; /* in the text, bytes */
	char *text;	/* of a name or a pattern */
	/* Of a function: its value; is that a truth?  A row that any() holds
	 * of; is a value of the rows not known? */
	char *sql, *first, *gap;
	bool truth;
};

/* All zero is fit for words_fini(). */
struct words {
	const char *text; /* as given */
	const char *what; /* where it is from, for messages: "--where" */
	/*
	 * In SQL: what is asked of blocks, and what of rows of several, as it
	 * names a figure of these.  NULL: nothing.
	 */
	char *blocks, *rows;
	struct words_part *part; /* in their order in the text */
	size_t nparts;
};

/*
 * Translate a text, which with what must live as long as *w.  0, or -1 with *e
 * set, to three lines with a caret, or to one when out of memory; *w needs no
 * fini then.
 */
int words_parse(struct words *w, const char *text,
		const struct words_scope *scope, const char *what,
		struct err *e);
void words_fini(struct words *w);

/* Both conditions as one, for rows.  Allocated; NULL: out of memory. */
char *words_whole(const struct words *w);

/* What both operands of an operator are, as far as it has to be checked. */
enum words_kind { WORDS_NUMBER, WORDS_TEXT, WORDS_TRUTH };
struct words_operand {
	enum words_kind kind;
	enum units_kind unit;
	bool literal;			  /* a number as it is */
	bool bare;			  /* without a unit */
	bool string;			  /* in quotes */
	long double number;		  /* of a literal */
	const struct schema_field *field; /* that it is; or NULL */
};

/*
 * words_check.c: NULL, or what is wrong with the operands of an operator;
 * message has room for n bytes.  The unit of what comes out of numbers.
 */
const char *words_check(const char *op, const struct words_operand *a,
			const struct words_operand *b, char *message, size_t n);
enum units_kind words_unit_of(const char *op, const struct words_operand *left,
			      const struct words_operand *right);
enum units_kind words_field_unit(const struct schema_field *f);
const char *words_kind_name(enum words_kind kind);

/*
 * words_lex.c: the next token of a text, from *at on, which is left behind it.
 * start is where it begins.
 */
enum words_token {
	WORDS_END,
	WORDS_T_NUMBER,
	WORDS_T_STRING,
	WORDS_T_NAME,
	WORDS_T_OP
};

struct words_lex {
	const char *text;
	size_t at, start;
	enum words_token token;
	char op[3];
	long double number;
	enum units_kind unit;
	bool bare;	   /* a number without a unit */
	const char *wrong; /* it is none, and this is why; at is where */
};
void words_next(struct words_lex *l);

#endif
