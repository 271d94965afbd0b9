/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Show where a text has an error: see cond.h. */
#include "display/query/cond.h"

#include <string.h>

/* The characters to show before and after the place. */
enum { BEFORE = 40, BEHIND = 30 };

static bool
caret_is_inside(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* The place n characters before `at', or after it. */
static size_t
back(const char *text, size_t at, size_t n)
{
	for (; at && n; n--)
		for (at--; at && caret_is_inside(text[at]); at--)
			;
	return at;
}

static size_t
on(const char *text, size_t at, size_t n)
{
	for (; text[at] && n; n--)
		for (at++; text[at] && caret_is_inside(text[at]); at++)
			;
	return at;
}

int
caret_complain(struct err *e, const char *what, const char *text, size_t at,
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
		columns += !caret_is_inside(text[len]);
	columns = columns > BEFORE ? BEFORE : columns;
	memset(caret, ' ', sizeof caret - 1);
	caret[BEFORE] = '\0';
	return err_set(e, "%.400s: %s\n  %s%s%s\n  %*s%.*s^", what, message,
		       cut, part, text[to] ? "..." : "", (int)strlen(cut), "",
		       columns, caret);
}
