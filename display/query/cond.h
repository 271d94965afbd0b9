/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Conditions of --where and --fail-if (see mpreduce-queries(7)) are translated
 * to SQL, which SQLite evaluates.  Numbers lose their units, and operands are
 * checked to be of the same kind.
 */
#ifndef MEMMON_COND_H
#define MEMMON_COND_H

#include "display/schema/columns.h"
#include "display/schema/schema.h"
#include "reduce/base/arena.h"
#include "reduce/base/units.h"
#include "reduce/profile/profile.h"

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * The names that a condition can use: fields of `table'.  --fail-if also has
 * `rows': the functions any, all, count, sum, min and max go over all rows, and
 * their arguments use fields of `rows'.  `table' then has a single row.  If a
 * figure in this row is unknown, the parameter ?n of the SQL is the lowest
 * value that it can have; n is the number of the field, from 1.
 */
struct cond_scope {
	const struct schema_table *table;
	const struct schema_table *rows; /* or NULL */
};

/* A thing that a condition names. */
enum cond_part_kind {
	COND_FIELD,
	COND_NAME,    /* a text that is compared with a field */
	COND_PATTERN, /* a regular expression that is compared with a field */
	COND_CALL     /* a function over rows */
};

struct cond_part {
	enum cond_part_kind kind;
	const struct schema_field *field;
	bool row;	  /* compared for rows, not for blocks */
	bool inside;	  /* in an argument of a function over rows */
	bool tested;	  /* an argument of known() */
	size_t at, end;	  /* in the text, bytes */
	const char *text; /* the name or pattern */
	/* For a function: SQL for its value, for the first row that fulfils its
	 * condition, and for whether the value is unknown in any row. */
	const char *sql, *first, *gap;
	bool truth; /* the value is a truth value */
};

/* All zero is valid for cond_fini(). */
struct cond {
	const char *text; /* as given */
	const char *what; /* the option, for messages: "--where" */
	/*
	 * SQL: the condition for each block; the condition for each row, with
	 * figures of all blocks of the row; NULL: none.  whole: both, for rows.
	 */
	const char *blocks, *rows, *whole;
	struct cond_part *part; /* in the order of the text */
	size_t nparts, room;
	struct arena arena; /* memory of the texts */
};

/*
 * Translate a text.  text and what must live as long as *w.  0, or -1 with *e
 * set: three lines with a caret, or one line when out of memory.  After -1 *w
 * needs no fini.
 */
int cond_parse(struct cond *w, const char *text, const struct cond_scope *scope,
	       const char *what, struct err *e);
void cond_fini(struct cond *w);

/* An operand, as far as checks need it. */
enum cond_kind { COND_NUMBER, COND_TEXT, COND_TRUTH };
struct cond_operand {
	enum cond_kind kind;
	enum units_kind unit;
	bool literal;	    /* a number written in digits */
	bool bare;	    /* without a unit */
	const char *string; /* the text in quotes; or NULL */
	long double number; /* value of a literal */
	const struct schema_field *field; /* the field that it names; or NULL */
};

/*
 * cond_check.c: the column of that name (also "kept.blocks"), or NULL;
 * cond_column() returns its number, or COLUMN_N.
 */
const struct schema_field *cond_field(const struct schema_table *t,
				      const char *name, size_t n);
enum column cond_column(const char *name, size_t n);

/*
 * Check the operands of an operator.  NULL: they fit; else the error, in
 * `message', of n bytes.  The other functions return the unit of a field, the
 * unit of a result, and the name of a kind: "a number".
 */
const char *cond_check(const char *op, const struct cond_operand *a,
		       const struct cond_operand *b, char *message, size_t n);
enum units_kind cond_field_unit(const struct schema_field *f);
enum units_kind cond_unit_of(const char *op, const struct cond_operand *left,
			     const struct cond_operand *right);
const char *cond_kind_name(enum cond_kind kind);

/* cond_lex.c: read the next token of a text, from *at on. */
struct cond_op {
	const char *text, *sql;
	int level; /* higher is tighter; 0: joins no operands */
};
enum { COND_ORS = 1, COND_ANDS, COND_COMPARISONS, COND_SUMS, COND_PRODUCTS };

struct cond_lex {
	const char *text;
	size_t start, at; /* begin and end of the token */
	/* '0' for a number, 'a' for a name, a quote for a text, '\0' at the
	 * end.  Any other token is an operator and has an op. */
	char token;
	const struct cond_op *op;
	struct units number;
	bool call;	   /* a bracket follows */
	const char *wrong; /* the error at `at'; or NULL */
};
void cond_lex(struct cond_lex *l);

/* Error messages that show the place of an error in a text. */

/*
 * Set *e to "what: message", and the text with a caret below byte `at', or the
 * part of the text that fits on a line.  Returns -1.
 */
int caret_complain(struct err *e, const char *what, const char *text, size_t at,
		   const char *message);

/* Regular expressions from users. */

/*
 * Compile an extended regular expression, if it is safe: at most 1000 bytes, no
 * back-references, few repetitions.  The caller frees it with pattern_free().
 * 0, or -1 with a message of at most n bytes, which is "" when out of memory.
 */
int pattern_compile(regex_t **regex, const char *text, char *message, size_t n);
void pattern_free(void *regex); /* a regex_t; NULL: nothing */

#endif
