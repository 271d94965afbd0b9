/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Conditions of --where and --fail-if, as mpreduce-queries(7) describes them,
 * become SQL, which SQLite evaluates: numbers lose their units, and what is
 * compared is checked to be of one kind.
 */
#ifndef MEMMON_COND_H
#define MEMMON_COND_H

#include "display/schema/columns.h"
#include "display/schema/schema.h"
#include "reduce/base/arena.h"
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
	bool row;	  /* it is compared for rows, not for blocks */
	bool inside;	  /* an argument of a function over rows */
	bool tested;	  /* by known() */
	size_t at, end;	  /* in the text, bytes */
	const char *text; /* of a name or a pattern */
	/* Of a function, SQL for its value, for the first row for which its
	 * condition is true, and for whether it is unknown of some row. */
	const char *sql, *first, *gap;
	bool truth; /* the value is true or false */
};

/* All zero is fit for cond_fini(). */
struct cond {
	const char *text; /* as given */
	const char *what; /* where it is from, for messages: "--where" */
	/*
	 * In SQL: what is asked of each block, and what of rows, which are of
	 * several blocks, since it names a figure of rows; NULL: nothing.  And
	 * both as one, for rows.
	 */
	const char *blocks, *rows, *whole;
	struct cond_part *part; /* in their order in the text */
	size_t nparts, room;
	struct arena arena; /* has the texts */
};

/*
 * Translate a text, which with what must live as long as *w.  0, or -1 with *e
 * set, to three lines with a caret, or to one when out of memory; *w needs no
 * fini then.
 */
int cond_parse(struct cond *w, const char *text, const struct cond_scope *scope,
	       const char *what, struct err *e);
void cond_fini(struct cond *w);

/* An operand of an operator, as far as it has to be checked. */
enum cond_kind { COND_NUMBER, COND_TEXT, COND_TRUTH };
struct cond_operand {
	enum cond_kind kind;
	enum units_kind unit;
	bool literal;	    /* a number in digits */
	bool bare;	    /* without a unit */
	const char *string; /* of one in quotes, what is in these; or NULL */
	long double number; /* of a literal */
	const struct schema_field *field; /* that it is; or NULL */
};

/*
 * cond_check.c: the column of that name, as "kept.blocks" too, or NULL; the
 * same by its number, or COLUMN_N.
 */
const struct schema_field *cond_field(const struct schema_table *t,
				      const char *name, size_t n);
enum column cond_column(const char *name, size_t n);

/*
 * Check the operands of an operator.  NULL: they fit; else what is wrong, in
 * `message', which has room for n bytes.  Then: the unit of a field, of a
 * result; "a number" and so on.
 */
const char *cond_check(const char *op, const struct cond_operand *a,
		       const struct cond_operand *b, char *message, size_t n);
enum units_kind cond_field_unit(const struct schema_field *f);
enum units_kind cond_unit_of(const char *op, const struct cond_operand *left,
			     const struct cond_operand *right);
const char *cond_kind_name(enum cond_kind kind);

/*
 * cond_lex.c: the next token of a text, from *at on, which is left behind it.
 */
struct cond_op {
	const char *text, *sql;
	int level; /* the higher, the tighter; 0: it joins no operands */
};
enum { COND_ORS = 1, COND_ANDS, COND_COMPARISONS, COND_SUMS, COND_PRODUCTS };

struct cond_lex {
	const char *text;
	size_t start, at; /* the token begins there, and ends there */
	/* '0' of a number, 'a' of a name, or the quote; '\0' at the end of the
	 * text.  Any other token has an op. */
	char token;
	const struct cond_op *op;
	struct units number;
	bool call;	   /* a bracket is behind it */
	const char *wrong; /* why it is no token, at `at'; or NULL */
};
void cond_lex(struct cond_lex *l);

#endif
