/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Expressions over columns, as described in mpreduce(1): parsed, checked, and
 * then evaluated for one row after the other.
 */
#ifndef MEMMON_EXPR_H
#define MEMMON_EXPR_H

#include "reduce/profile/profile.h"

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum expr_kind { EXPR_NUMBER, EXPR_TEXT, EXPR_TRUTH };

/* What a number counts. */
enum expr_unit { EXPR_PLAIN, EXPR_BYTES, EXPR_TIME };

/* A column that an expression may name; text has no unit. */
struct expr_name {
	const char *name;
	enum expr_kind kind;
	enum expr_unit unit;
};

/*
 * What may be named.  rows: the functions over all rows (any, all, count, sum,
 * min, max) may be called, whose arguments are of these columns.
 */
struct expr_scope {
	const struct expr_name *name; /* by number */
	size_t n;
	const struct expr_scope *rows; /* or NULL */
};

/* Times are ns; a long double has each 64-bit number exactly. */
struct expr_value {
	bool known;
	bool truth;
	long double number;
	const char *text;
	const char *other; /* the same by another name, or NULL */
};

enum expr_op {
	EXPR_LITERAL, /* number */
	EXPR_STRING,  /* text */
	EXPR_COLUMN,  /* number: of the column */
	EXPR_KNOWN,   /* left: a column */
	EXPR_NOT,     /* left */
	EXPR_AND,     /* and so on: left, right */
	EXPR_OR,
	EXPR_EQ,
	EXPR_NE,
	EXPR_LT,
	EXPR_LE,
	EXPR_GT,
	EXPR_GE,
	EXPR_MATCH, /* left; regex */
	EXPR_NO_MATCH,
	EXPR_ADD,
	EXPR_SUB,
	EXPR_MUL,
	EXPR_DIV,
	EXPR_ANY, /* over rows: left a number, right a condition */
	EXPR_ALL,
	EXPR_COUNT,
	EXPR_SUM,
	EXPR_MIN,
	EXPR_MAX
};

/* No operand. */
#define EXPR_NONE UINT32_MAX

struct expr_node {
	enum expr_op op;
	enum expr_kind kind;
	enum expr_unit unit;
	bool row;	 /* within a function over rows */
	unsigned height; /* of the tree below */
	unsigned column;
	uint32_t left, right;
	size_t at, end; /* in the text */
	long double number;
	char *text;
	regex_t *regex;
};

/* All zero is fit for expr_fini(). */
struct expr {
	const char *text; /* as given */
	struct expr_node *node;
	size_t n, room;
	uint32_t root;
};

/*
 * Parse text, which must live as long as *x: of the kind that is asked for.
 * what: where it is from, for messages: "--where".  0, or -1 with *e set, to
 * three lines with a caret, or to one when out of memory; *x needs no fini
 * then.
 */
int expr_parse(struct expr *x, const char *text, const struct expr_scope *scope,
	       enum expr_kind kind, const char *what, struct err *e);
void expr_fini(struct expr *x);

/* Where values come from.  rows(): of a node over all rows; else NULL. */
struct expr_source {
	void (*column)(void *arg, unsigned column, struct expr_value *v);
	void (*rows)(void *arg, const struct expr *x,
		     const struct expr_node *node, struct expr_value *v);
	void *arg;
};

/*
 * The value of a node.  What isn't known, and what is reckoned from it, isn't;
 * compared with anything it is not true.
 */
struct expr_value expr_value(const struct expr *x, uint32_t node,
			     const struct expr_source *s);
bool expr_true(const struct expr *x, const struct expr_source *s);

/* Is a column of that number named anywhere? */
bool expr_names(const struct expr *x, unsigned column);

/* Of the scope's names the one most like this one; NULL: none is. */
const char *expr_nearest(const struct expr_scope *scope, const char *name,
			 size_t n);

/* The number of the column of that name, as "kept.blocks"; or scope->n. */
unsigned expr_find(const struct expr_scope *scope, const char *name, size_t n);

/*
 * Set *e to "what: message", and the text with a caret below that byte, or as
 * much of it as fits a line.
 */
void expr_complain(struct err *e, const char *what, const char *text, size_t at,
		   const char *message);

/*
 * expr_check.c: NULL, or what is wrong with the operands of an operator;
 * message has room for n bytes.  The unit of what comes out of numbers.
 */
const char *expr_check(enum expr_op op, const char *sign,
		       const struct expr_node *a, const struct expr_node *b,
		       char *message, size_t n);
enum expr_unit expr_unit_of(enum expr_op op, const struct expr_node *left,
			    const struct expr_node *right);
const char *expr_kind_name(enum expr_kind kind);

/*
 * A pattern; the caller frees it, after regfree().  0, or -1 with a message, or
 * with none when out of memory.
 */
int expr_compile(regex_t **regex, const char *text, char *message, size_t n);

/*
 * expr_lex.c: the next token of a text, from *at on, which is left behind it.
 * start is where it begins.
 */
enum expr_token {
	EXPR_END,
	EXPR_T_NUMBER,
	EXPR_T_STRING,
	EXPR_T_NAME,
	EXPR_T_OP
};

struct expr_lex {
	const char *text;
	size_t at, start;
	enum expr_token token;
	char op[3];
	long double number;
	enum expr_unit unit;
	bool bare;	   /* a number without a unit */
	const char *wrong; /* it is none, and this is why; at is where */
};
void expr_next(struct expr_lex *l);

#endif
