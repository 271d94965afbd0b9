/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tokens of conditions: see cond.h. */
#include "display/query/cond.h"

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
wrong(struct cond_lex *l, size_t at, const char *why)
{
	l->wrong = why;
	l->at = at;
}

/* Digits, a point and more of them, a unit: see units.h. */
static void
number(struct cond_lex *l)
{
	const char *s = l->text + l->at;
	struct units u;
	const char *bad = units_read(&s, &u);

	l->token = COND_T_NUMBER;
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
string(struct cond_lex *l)
{
	char quote = l->text[l->at++];

	l->token = COND_T_STRING;
	while (l->text[l->at] && l->text[l->at] != quote)
		l->at++;
	if (l->text[l->at])
		l->at++;
	else
		wrong(l, l->start, "this quote is not closed");
}

static void
op(struct cond_lex *l)
{
	static const char *const ops[] = { "==", "!=", "<=", ">=", "!~",
					   "&&", "||", "<",  ">",  "=",
					   "~",	 "!",  "(",  ")",  "+",
					   "-",	 "*",  "/",  "," };
	const char *s = l->text + l->at;

	l->token = COND_T_OP;
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
				     : "unexpected character");
}

void
cond_next(struct cond_lex *l)
{
	l->at += strspn(l->text + l->at, " \t\r\n");
	l->start = l->at;
	if (!l->text[l->at]) {
		l->token = COND_END;
	} else if (is_digit(l->text[l->at])) {
		number(l);
	} else if (l->text[l->at] == '\'' || l->text[l->at] == '"') {
		string(l);
	} else if (is_letter(l->text[l->at])) {
		l->token = COND_T_NAME;
		while (is_letter(l->text[l->at]) || is_digit(l->text[l->at]) ||
		       l->text[l->at] == '.')
			l->at++;
	} else {
		op(l);
	}
}
