/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Are operators of such operands, and patterns fit for use?  See expr.h. */
#include "display/query/expr.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------- operands -- */

/* Is it a number without a unit that isn't 0? */
static bool
is_bare(const struct expr_node *a)
{
	return a->op == EXPR_LITERAL && a->column && a->number > 0;
}

const char *
expr_kind_name(enum expr_kind kind)
{
	return kind == EXPR_NUMBER ? "a number"
	       : kind == EXPR_TEXT ? "a text"
				   : "a condition";
}

/* Numbers: bytes, times, or others, which go with bytes.  NULL: fine. */
static const char *
check_units(const struct expr_node *a, const struct expr_node *b)
{
	if (a->unit == b->unit)
		return NULL;
	if (is_bare(a) || is_bare(b))
		return a->unit == EXPR_TIME || b->unit == EXPR_TIME
			       ? "a time needs a unit: ns, us, ms, s, m or h"
			       : NULL;
	if ((a->unit == EXPR_TIME && b->unit == EXPR_BYTES) ||
	    (a->unit == EXPR_BYTES && b->unit == EXPR_TIME))
		return "one is a time, the other bytes";
	return NULL;
}

const char *
expr_check(enum expr_op op, const char *sign, const struct expr_node *a,
	   const struct expr_node *b, char *message, size_t n)
{
	bool match = op == EXPR_MATCH || op == EXPR_NO_MATCH;
	bool same = op == EXPR_EQ || op == EXPR_NE;
	enum expr_kind kind = op == EXPR_AND || op == EXPR_OR ? EXPR_TRUTH
			      : match			      ? EXPR_TEXT
			      : same			      ? a->kind
							      : EXPR_NUMBER;

	if (match && b->op != EXPR_STRING)
		return "behind ~ stands a pattern in quotes";
	if (a->kind != kind || b->kind != kind) {
		snprintf(message, n, "`%s' has %s on its left, %s on its right",
			 sign, expr_kind_name(a->kind),
			 expr_kind_name(b->kind));
		return message;
	}
	if (kind == EXPR_NUMBER && op != EXPR_MUL && op != EXPR_DIV)
		return check_units(a, b);
	return NULL;
}

enum expr_unit
expr_unit_of(enum expr_op op, const struct expr_node *left,
	     const struct expr_node *right)
{
	enum expr_unit a = left->unit, b = right->unit;

	if (op == EXPR_DIV)
		return b == EXPR_PLAIN ? a : EXPR_PLAIN;
	if (op == EXPR_MUL && a != EXPR_PLAIN && b != EXPR_PLAIN)
		return EXPR_PLAIN;
	return a != EXPR_PLAIN ? a : b;
}

/* Longer patterns, and deeper brackets, aren't taken. */
enum { PATTERN = 1000, DEEPEST = 100 };

/* Would the C library take very long for it, or more memory than there is? */
static const char *
pattern_wrong(const char *s)
{
	unsigned long times = 1;
	unsigned depth = 0;

	if (strlen(s) > PATTERN)
		return "this pattern is too long";
	for (; *s; s++) {
		if (*s == '\\' && s[1] >= '1' && s[1] <= '9')
			return "patterns have no back-references";
		if (*s == '\\' && s[1]) {
			s++;
		} else if (*s == '(') {
			if (++depth > DEEPEST)
				return "this pattern has too many brackets";
		} else if (*s == '{') {
			unsigned long n = 0, most = 0;

			for (s++; (*s >= '0' && *s <= '9') || *s == ','; s++) {
				n = *s == ',' ? 0
					      : n * 10 + (unsigned)(*s - '0');
				most = n > most ? n : most;
				if (n > 255)
					return "this pattern repeats too often";
			}
			times *= most > 1 ? most : 1;
			if (times > 4096)
				return "this pattern repeats too often";
			s--;
		}
	}
	return NULL;
}

int
expr_compile(regex_t **regex, const char *text, char *message, size_t n)
{
	const char *bad = pattern_wrong(text);
	char said[200];
	int r;

	*regex = NULL;
	if (bad) {
		snprintf(message, n, "%s", bad);
		return -1;
	}
	*regex = calloc(1, sizeof **regex);
	if (!*regex)
		return -1;
	r = regcomp(*regex, text, REG_EXTENDED | REG_NOSUB);
	if (!r)
		return 0;
	regerror(r, *regex, said, sizeof said);
	free(*regex);
	*regex = NULL;
	snprintf(message, n, "this is no regular expression: %s", said);
	return -1;
}
