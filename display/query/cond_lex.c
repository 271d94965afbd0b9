/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tokens of conditions: see cond.h. */
#include "display/query/cond.h"

#include <string.h>

#define BLANKS " \t\r\n"
#define DIGITS "0123456789"
#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"

/* Longer operators precede those that are their beginning. */
static const struct cond_op ops[] = {
	{ "==", "=", 3 },     { "!=", "!=", 3 },  { "!~", "NOT REGEXP", 3 },
	{ "<=", "<=", 3 },    { ">=", ">=", 3 },  { "<", "<", 3 },
	{ ">", ">", 3 },      { "&&", "AND", 2 }, { "||", "OR", 1 },
	{ "~", "REGEXP", 3 }, { "=", "=", 3 },	  { "+", "+", 4 },
	{ "-", "-", 4 },      { "*", "*", 5 },	  { "/", "* 1.0 /", 5 },
	{ "!", "", 0 },	      { "(", "", 0 },	  { ")", "", 0 },
	{ ",", "", 0 },
};
enum { NOPS = sizeof ops / sizeof *ops };

void
cond_lex(struct cond_lex *l)
{
	const char *s, *end;

	l->wrong = NULL;
	l->at += strspn(l->text + l->at, BLANKS);
	l->start = l->at;
	end = s = l->text + l->at;
	l->token = *s;
	l->op = NULL;
	if (*s && strchr(DIGITS, *s)) {
		l->wrong = units_read(&end, &l->number);
		l->token = '0';
	} else if (*s == '\'' || *s == '"') {
		end = strchr(s + 1, *s);
		l->wrong = end ? NULL : "this quote is not closed";
		end = end ? end + 1 : s;
	} else if (*s && strchr(LETTERS, *s)) {
		end += strspn(s, LETTERS DIGITS ".");
		l->token = 'a';
	} else if (*s) {
		l->wrong = *s == '&' || *s == '|' ? "`and' is &&, `or' is ||"
						  : "unexpected character";
		for (size_t i = 0; i < NOPS && l->wrong; i++) {
			size_t n = strlen(ops[i].text);

			if (strncmp(s, ops[i].text, n) != 0)
				continue;
			/* "=" means "==" */
			l->op = *s == '=' ? &ops[0] : &ops[i];
			l->wrong = NULL;
			end += n;
		}
	}
	l->at += (size_t)(end - s);
	l->call = l->text[l->at + strspn(l->text + l->at, BLANKS)] == '(';
}
