/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tokens of expressions: see expr.h. */
#include "display/query/expr.h"

#include <string.h>

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static void
wrong(struct expr_lex *l, size_t at, const char *why)
{
	l->wrong = why;
	l->at = at;
}

/* What may stand behind a number. */
static const struct {
	const char *name;
	enum expr_unit unit;
	long double times;
} units[] = {
	{ "k", EXPR_PLAIN, 1024.0L },
	{ "K", EXPR_PLAIN, 1024.0L },
	{ "M", EXPR_PLAIN, 1048576.0L },
	{ "G", EXPR_PLAIN, 1073741824.0L },
	{ "T", EXPR_PLAIN, 1099511627776.0L },
	{ "B", EXPR_BYTES, 1.0L },
	{ "KB", EXPR_BYTES, 1024.0L },
	{ "MB", EXPR_BYTES, 1048576.0L },
	{ "GB", EXPR_BYTES, 1073741824.0L },
	{ "TB", EXPR_BYTES, 1099511627776.0L },
	{ "KiB", EXPR_BYTES, 1024.0L },
	{ "MiB", EXPR_BYTES, 1048576.0L },
	{ "GiB", EXPR_BYTES, 1073741824.0L },
	{ "TiB", EXPR_BYTES, 1099511627776.0L },
	{ "ns", EXPR_TIME, 1.0L },
	{ "us", EXPR_TIME, 1e3L },
	{ "ms", EXPR_TIME, 1e6L },
	{ "s", EXPR_TIME, 1e9L },
	{ "m", EXPR_TIME, 60e9L },
	{ "h", EXPR_TIME, 3600e9L },
};

/* The unit behind a number, if any. */
static void
unit(struct expr_lex *l)
{
	const char *s = l->text + l->at;
	size_t n = 0;

	l->bare = false;
	if (*s == '%') {
		l->number /= 100.0L;
		l->at++;
		return;
	}
	while (is_letter(s[n]) || is_digit(s[n]))
		n++;
	if (!n) {
		l->bare = true;
		return;
	}
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		if (strlen(units[i].name) != n ||
		    strncmp(units[i].name, s, n) != 0)
			continue;
		l->number *= units[i].times;
		l->unit = units[i].unit;
		l->at += n;
		return;
	}
	wrong(l, l->at,
	      "no such unit: there are K, M, G, T, also with B; ns, us, ms, s, "
	      "m, h; and %");
}

/* Digits, and perhaps a point and more of them. */
static void
number(struct expr_lex *l)
{
	const char *s = l->text;
	long double place = 1.0L;

	l->token = EXPR_T_NUMBER;
	l->number = 0.0L;
	l->unit = EXPR_PLAIN;
	for (; is_digit(s[l->at]); l->at++) {
		l->number = l->number * 10.0L + (s[l->at] - '0');
		if (l->number > 18446744073709551615.0L) {
			wrong(l, l->start, "this number is too large");
			return;
		}
	}
	if (s[l->at] == '.' && is_digit(s[l->at + 1])) {
		for (l->at++; is_digit(s[l->at]); l->at++) {
			place /= 10.0L;
			l->number += (s[l->at] - '0') * place;
		}
	}
	unit(l);
	if (!l->wrong && l->number > 18446744073709551615.0L)
		wrong(l, l->start, "this number is too large");
}

static void
string(struct expr_lex *l)
{
	char quote = l->text[l->at++];

	l->token = EXPR_T_STRING;
	while (l->text[l->at] && l->text[l->at] != quote)
		l->at++;
	if (l->text[l->at])
		l->at++;
	else
		wrong(l, l->start, "this quote has no end");
}

static void
op(struct expr_lex *l)
{
	static const char *const ops[] = { "==", "!=", "<=", ">=", "!~",
					   "&&", "||", "<",  ">",  "=",
					   "~",	 "!",  "(",  ")",  "+",
					   "-",	 "*",  "/",  "," };
	const char *s = l->text + l->at;

	l->token = EXPR_T_OP;
	for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
		size_t n = strlen(ops[i]);

		if (strncmp(s, ops[i], n) != 0)
			continue;
		memcpy(l->op, ops[i], n + 1);
		l->at += n;
		if (!strcmp(l->op, "="))
			memcpy(l->op, "==", 3);
		return;
	}
	wrong(l, l->at,
	      *s == '&' || *s == '|' ? "`and' is &&, `or' is ||"
				     : "this means nothing here");
}

void
expr_next(struct expr_lex *l)
{
	l->at += strspn(l->text + l->at, " \t\r\n");
	l->start = l->at;
	if (!l->text[l->at]) {
		l->token = EXPR_END;
	} else if (is_digit(l->text[l->at])) {
		number(l);
	} else if (l->text[l->at] == '\'' || l->text[l->at] == '"') {
		string(l);
	} else if (is_letter(l->text[l->at])) {
		l->token = EXPR_T_NAME;
		while (is_letter(l->text[l->at]) || is_digit(l->text[l->at]) ||
		       l->text[l->at] == '.')
			l->at++;
	} else {
		op(l);
	}
}
