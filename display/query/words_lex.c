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

/* Digits, a point and more of them, a unit: see units.h. */
static void
number(struct words_lex *l)
{
	const char *s = l->text + l->at;
	struct units u;
	const char *bad = units_read(&s, &u);

	l->token = WORDS_T_NUMBER;
	if (bad) {
		wrong(l, (size_t)(s - l->text), bad);
		return;
	}
	l->at = (size_t)(s - l->text);
	l->number = u.value;
	l->unit = u.kind;
	l->bare = u.bare;
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
