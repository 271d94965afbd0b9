/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Conditions of --where and --fail-if, as mpreduce-queries(7) describes them,
 * become SQL.  Literals have units, which are checked by the
 * kinds of the fields that they are compared with.
 */
#ifndef MEMMON_COND_H
#define MEMMON_COND_H

#include "display/schema/columns.h"
#include "display/schema/schema.h"
#include "reduce/base/units.h"
#include "reduce/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * What a condition may name: the fields of `table'.  For --fail-if there are
 * `rows', too: the arguments of any, all, count, sum, min and max, which go
 * over all rows, name fields of these.  `table' has one row then, and of a
 * figure in it that isn't known the least that it may be is parameter ?n of the
 * SQL, n being the field's number from 1.
 */
struct cond_scope {
	const struct schema_table *table;
	const struct schema_table *rows; /* or NULL */
};

/* Something that a condition names. */
enum cond_part_kind {
	COND_FIELD,
	COND_NAME,    /* a text that a field is compared with */
	COND_PATTERN, /* a regular expression, likewise */
	COND_CALL     /* a function over rows */
};

struct cond_part {
	enum cond_part_kind kind;
	const struct schema_field *field;
	bool row;      /* it is compared for rows, not for blocks */
	bool inside;   /* an argument of a function over rows */
	bool tested;   /* by known() */
	size_t at, end; /* in the text, bytes */
	char *text;	/* of a name or a pattern */
	/* Of a function, SQL for its value, for the first row for which its
	 * condition is true, and for whether it is unknown of some row. */
	char *sql, *first, *gap;
	bool truth; /* the value is true or false */
};

/* All zero is fit for cond_fini(). */
struct cond {
	const char *text; /* as given */
	const char *what; /* where it is from, for messages: "--where" */
	/*
	 * In SQL: what is asked of each block, and what of rows, which are of
	 * several blocks, since it names a figure of rows.  NULL: nothing.
	 */
	char *blocks, *rows;
	struct cond_part *part; /* in their order in the text */
	size_t nparts;
};

/*
 * Translate a text, which with what must live as long as *w.  0, or -1 with *e
 * set, to three lines with a caret, or to one when out of memory; *w needs no
 * fini then.
 */
int cond_parse(struct cond *w, const char *text, const struct cond_scope *scope,
	       const char *what, struct err *e);
void cond_fini(struct cond *w);

/* The number of the column of that name, as "kept.blocks"; or COLUMN_N. */
enum column cond_column(const char *name, size_t n);

/* Both conditions as one, for rows.  Allocated; NULL: out of memory. */
char *cond_whole(const struct cond *w);

/* An operand of an operator, as far as it has to be checked. */
enum cond_kind { COND_NUMBER, COND_TEXT, COND_TRUTH };
struct cond_operand {
	enum cond_kind kind;
	enum units_kind unit;
	bool literal;			  /* a number in digits */
	bool bare;			  /* without a unit */
	bool string;			  /* in quotes */
	long double number;		  /* of a literal */
	const struct schema_field *field; /* that it is; or NULL */
};

/*
 * cond_check.c: what is wrong with the operands of an operator, in `message',
 * which has room for n bytes, or NULL; the unit of a result, of a field; "a
 * number" and so on.
 */
const char *cond_check(const char *op, const struct cond_operand *a,
		       const struct cond_operand *b, char *message, size_t n);
enum units_kind cond_unit_of(const char *op, const struct cond_operand *left,
			     const struct cond_operand *right);
enum units_kind cond_field_unit(const struct schema_field *f);
const char *cond_kind_name(enum cond_kind kind);

/*
 * cond_lex.c: the next token of a text, from *at on, which is left behind it.
 * start is where it begins.
 */
enum cond_token {
	COND_END,
	COND_T_NUMBER,
	COND_T_STRING,
	COND_T_NAME,
	COND_T_OP
};

struct cond_lex {
	const char *text;
	size_t at, start;
	enum cond_token token;
	char op[3];
	long double number;
	enum units_kind unit;
	bool bare;	   /* a number without a unit */
	const char *wrong; /* why it is no token, at `at'; or NULL */
};
void cond_next(struct cond_lex *l);

#endif
