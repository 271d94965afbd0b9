/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tokens of shorthands: see words.h. */
#include "display/query/words.h"

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
wrong(struct words_lex *l, size_t at, const char *why)
{
	l->wrong = why;
	l->at = at;
}

/* What may stand behind a number. */
static const struct {
	const char *name;
	enum words_unit unit;
	long double times;
} units[] = {
	{ "k", WORDS_PLAIN, 1024.0L },
	{ "K", WORDS_PLAIN, 1024.0L },
	{ "M", WORDS_PLAIN, 1048576.0L },
	{ "G", WORDS_PLAIN, 1073741824.0L },
	{ "T", WORDS_PLAIN, 1099511627776.0L },
	{ "B", WORDS_BYTES, 1.0L },
	{ "KB", WORDS_BYTES, 1024.0L },
	{ "MB", WORDS_BYTES, 1048576.0L },
	{ "GB", WORDS_BYTES, 1073741824.0L },
	{ "TB", WORDS_BYTES, 1099511627776.0L },
	{ "KiB", WORDS_BYTES, 1024.0L },
	{ "MiB", WORDS_BYTES, 1048576.0L },
	{ "GiB", WORDS_BYTES, 1073741824.0L },
	{ "TiB", WORDS_BYTES, 1099511627776.0L },
	{ "ns", WORDS_TIME, 1.0L },
	{ "us", WORDS_TIME, 1e3L },
	{ "ms", WORDS_TIME, 1e6L },
	{ "s", WORDS_TIME, 1e9L },
	{ "m", WORDS_TIME, 60e9L },
	{ "h", WORDS_TIME, 3600e9L },
};

/* The unit behind a number, if any. */
static void
unit(struct words_lex *l)
{
	const char *s = l->text + l->at;
	size_t n = 0;

	l->bare = false;
	if (*s == '%') {
		l->number /= 100.0L;
		l->unit = WORDS_SHARE;
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
number(struct words_lex *l)
{
	const char *s = l->text;
	long double place = 1.0L;

	l->token = WORDS_T_NUMBER;
	l->number = 0.0L;
	l->unit = WORDS_PLAIN;
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
string(struct words_lex *l)
{
	char quote = l->text[l->at++];

	l->token = WORDS_T_STRING;
	while (l->text[l->at] && l->text[l->at] != quote)
		l->at++;
	if (l->text[l->at])
		l->at++;
	else
		wrong(l, l->start, "this quote has no end");
}

static void
op(struct words_lex *l)
{
	static const char *const ops[] = { "==", "!=", "<=", ">=", "!~",
					   "&&", "||", "<",  ">",  "=",
					   "~",	 "!",  "(",  ")",  "+",
					   "-",	 "*",  "/",  "," };
	const char *s = l->text + l->at;

	l->token = WORDS_T_OP;
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
words_next(struct words_lex *l)
{
	l->at += strspn(l->text + l->at, " \t\r\n");
	l->start = l->at;
	if (!l->text[l->at]) {
		l->token = WORDS_END;
	} else if (is_digit(l->text[l->at])) {
		number(l);
	} else if (l->text[l->at] == '\'' || l->text[l->at] == '"') {
		string(l);
	} else if (is_letter(l->text[l->at])) {
		l->token = WORDS_T_NAME;
		while (is_letter(l->text[l->at]) || is_digit(l->text[l->at]) ||
		       l->text[l->at] == '.')
			l->at++;
	} else {
		op(l);
	}
}
