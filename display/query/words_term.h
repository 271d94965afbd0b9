/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inside of the translation of shorthands (words.h): what is known of a part of
 * the text.  Functions that return false have set the message.
 */
#ifndef MEMMON_WORDS_TERM_H
#define MEMMON_WORDS_TERM_H

#include "display/query/words.h"

/* What has been translated of the text. */
struct term {
	struct words_operand is;
	/* In SQL; a condition: what is asked of blocks, and of rows. */
	char *sql, *rows;
	bool sum;	 /* it has a figure of rows in it */
	unsigned height; /* of the tree that it would be */
	size_t at, end;	 /* in the text */
	size_t part;	 /* the first within it */
};

struct parser {
	struct words *w;
	const struct words_scope *scope;
	bool inside; /* a function over rows */
	struct words_lex lex;
	unsigned depth; /* of brackets */
	struct err *e;
};

bool words_fail(struct parser *p, size_t at, const char *message);

/* The next token. */
bool words_advance(struct parser *p);
bool words_is_op(const struct parser *p, const char *op);

/* An allocated text; NULL with a message. */
char *words_say(struct parser *p, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Note that something is named; NULL with a message. */
struct words_part *words_note(struct parser *p, enum words_part_kind kind,
			      size_t at, size_t end);

/* What the term names is compared for rows. */
void words_mark_row(struct parser *p, const struct term *t);

/* A condition as one, for rows; NULL with a message. */
char *words_both(struct parser *p, const struct term *t);
void words_drop(struct term *t);

/* Operands of operators of that level, 0 the loosest, and tighter ones. */
bool words_level(struct parser *p, int level, struct term *t);

/*
 * words_call.c: a column, which is the token; and what has a bracket behind its
 * name, the bracket being the token.
 */
bool words_name(struct parser *p, struct term *t);
bool words_call(struct parser *p, size_t at, size_t n, struct term *t);

/*
 * The left side of a comparison, if it is a figure of the whole and the right
 * one a number: there is some if there is a block, be it of 0 bytes, unless
 * bytes are named; and it is more than something if what is known of it is.
 */
bool words_limit(struct parser *p, const char *op, struct term *l,
		 const struct term *r);

#endif
