/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inside of the translation of conditions (cond.h): what is known of a part of
 * the text.  Functions that return false have set the message.
 */
#ifndef MEMMON_COND_TERM_H
#define MEMMON_COND_TERM_H

#include "display/query/cond.h"

/* What has been translated of the text. */
struct term {
	struct cond_operand is;
	/* In SQL; a condition: what is asked of blocks, and of rows. */
	char *sql, *rows;
	bool sum;	 /* a figure of rows is in it */
	unsigned height; /* of the expression as a tree */
	size_t at, end;	 /* in the text */
	size_t part;	 /* the first within it */
};

struct parser {
	struct cond *w;
	const struct cond_scope *scope;
	bool inside; /* a function over rows */
	struct cond_lex lex;
	unsigned depth; /* of brackets */
	struct err *e;
};

bool cond_fail(struct parser *p, size_t at, const char *message);

/* The next token. */
bool cond_advance(struct parser *p);
bool cond_is_op(const struct parser *p, const char *op);

/* An allocated text; NULL with a message. */
char *cond_say(struct parser *p, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Note that something is named; NULL with a message. */
struct cond_part *cond_note(struct parser *p, enum cond_part_kind kind,
			    size_t at, size_t end);

/* What the term names is compared for rows. */
void cond_mark_row(struct parser *p, const struct term *t);

/* A condition as one, for rows; NULL with a message. */
char *cond_both(struct parser *p, const struct term *t);
void cond_drop(struct term *t);

/* Operands of operators of that level, 0 the loosest, and tighter ones. */
bool cond_level(struct parser *p, int level, struct term *t);

/*
 * cond_call.c: a column, which is the token; and what has a bracket behind its
 * name, the bracket being the token.
 */
bool cond_name(struct parser *p, struct term *t);
bool cond_call(struct parser *p, size_t at, size_t n, struct term *t);

/*
 * For --fail-if, a figure of the whole compared with a number.  lost > 0 is of
 * lost_blocks, as a lost block may have 0 bytes, but not lost.bytes > 0; and a
 * figure that isn't known is more than a number if what is known of it is.
 */
bool cond_limit(struct parser *p, const char *op, struct term *l,
		const struct term *r);

#endif
