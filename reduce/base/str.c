/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text that comes from elsewhere, made fit to be printed. */
#define _GNU_SOURCE
#include "reduce/base/str.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool
str_is_control(char c)
{
	return (unsigned char)c < ' ' || c == '\177';
}

char *
str_clean(struct arena *a, const char *s)
{
	char *copy = arena_copy(a, s, strlen(s)), *p;

	for (p = copy; p && *p; p++) {
		if (str_is_control(*p))
			*p = '?';
	}
	return copy;
}

const char *
str_basename(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* One argument: bare, in '', or in $'' when there are control characters. */
static void
str_quote_one(FILE *f, const char *s)
{
	static const char bare[] =
		"abcdefghijklmnopqrstuvwxyz"
		"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
	bool control = false;
	const char *p;

	if (*s && !s[strspn(s, bare)]) {
		fputs(s, f);
		return;
	}
	for (p = s; *p; p++)
		control |= str_is_control(*p);
	fputs(control ? "$'" : "'", f);
	for (p = s; *p; p++) {
		if (str_is_control(*p))
			fprintf(f, "\\%03o", (unsigned)*p);
		else if (control && (*p == '\'' || *p == '\\'))
			fprintf(f, "\\%c", *p);
		else if (*p == '\'')
			fputs("'\\''", f);
		else
			putc(*p, f);
	}
	putc('\'', f);
}

char *
str_quote(struct arena *a, const char *arguments, size_t n)
{
	const char *s = arguments ? arguments : "", *end = s + n;
	char *text = NULL, *copy;
	size_t length = 0;
	FILE *f = open_memstream(&text, &length);

	if (!f)
		return NULL;
	while (s < end) {
		if (s > arguments)
			putc(' ', f);
		str_quote_one(f, s);
		s += strlen(s) + 1;
	}
	copy = fclose(f) ? NULL : arena_copy(a, text, length);
	free(text);
	return copy;
}
