/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names in expressions, and what is said of wrong ones: see expr.h. */
#include "display/query/expr.h"

#include <string.h>

/* ----------------------------------------------------------------- names -- */

static unsigned
find(const struct expr_scope *scope, const char *name, size_t n)
{
	unsigned i;

	for (i = 0; i < scope->n; i++)
		if (strlen(scope->name[i].name) == n &&
		    !strncmp(scope->name[i].name, name, n))
			break;
	return i;
}

/* NAME.bytes is NAME, and NAME.blocks NAME_blocks, where there are both. */
unsigned
expr_find(const struct expr_scope *scope, const char *name, size_t n)
{
	const char *dot = memchr(name, '.', n);
	size_t before = dot ? (size_t)(dot - name) : n;
	char blocks[32];
	unsigned i;
	int len;

	if (!dot)
		return find(scope, name, n);
	if (before > 16)
		return (unsigned)scope->n;
	len = snprintf(blocks, sizeof blocks, "%.*s_blocks", (int)before, name);
	i = find(scope, blocks, (size_t)len);
	if (n - before == 7 && !strncmp(dot, ".blocks", 7))
		return i;
	if (n - before == 6 && !strncmp(dot, ".bytes", 6) && i < scope->n)
		return find(scope, name, before);
	return (unsigned)scope->n;
}

enum { NAME_MAX_LENGTH = 24 };

static unsigned
least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* How many letters have to be changed (Levenshtein's distance). */
static unsigned
distance(const char *a, size_t n, const char *b)
{
	unsigned row[NAME_MAX_LENGTH + 1], before, was;
	size_t m = strlen(b);

	for (unsigned k = 0; k <= m; k++)
		row[k] = k;
	for (size_t i = 0; i < n; i++) {
		before = row[0]++;
		for (size_t k = 0; k < m; k++) {
			was = row[k + 1];
			row[k + 1] = least(before + (a[i] != b[k]),
					   1 + least(row[k], was));
			before = was;
		}
	}
	return row[m];
}

const char *
expr_nearest(const struct expr_scope *scope, const char *name, size_t n)
{
	const char *best = NULL;
	unsigned most = n < 4 ? 1 : n < 8 ? 2 : 3, d;

	if (n > NAME_MAX_LENGTH)
		return NULL;
	for (size_t i = 0; i < scope->n; i++) {
		if (strlen(scope->name[i].name) > NAME_MAX_LENGTH)
			continue;
		d = distance(name, n, scope->name[i].name);
		if (d > most)
			continue;
		if (!best || d < most) {
			best = scope->name[i].name;
			most = d;
		}
	}
	return best;
}

/* -------------------------------------------------------------- messages -- */

/* Characters before and behind the place that are shown. */
enum { BEFORE = 40, BEHIND = 30 };

static bool
is_inside(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* Go n characters back from, or on from, a place. */
static size_t
back(const char *text, size_t at, size_t n)
{
	for (; at && n; n--)
		for (at--; at && is_inside(text[at]); at--)
			;
	return at;
}

static size_t
on(const char *text, size_t at, size_t n)
{
	for (; text[at] && n; n--)
		for (at++; text[at] && is_inside(text[at]); at++)
			;
	return at;
}

void
expr_complain(struct err *e, const char *what, const char *text, size_t at,
	      const char *message)
{
	size_t from = back(text, at, BEFORE), to = on(text, at, BEHIND), len;
	const char *cut = from ? "..." : "";
	char part[4 * (BEFORE + BEHIND) + 8], caret[BEFORE + 1];
	size_t n = to - from < sizeof part ? to - from : sizeof part - 1;
	int columns = 0;

	memcpy(part, text + from, n);
	part[n] = '\0';
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)part[i] < ' ' || part[i] == 127)
			part[i] = ' ';
	for (len = from; len < at; len++)
		columns += !is_inside(text[len]);
	columns = columns > BEFORE ? BEFORE : columns;
	memset(caret, ' ', sizeof caret - 1);
	caret[BEFORE] = '\0';
	snprintf(e->text, sizeof e->text, "%.400s: %s\n  %s%s%s\n  %*s%.*s^",
		 what, message, cut, part, text[to] ? "..." : "",
		 (int)strlen(cut), "", columns, caret);
}
