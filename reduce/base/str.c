/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Strings. */
#define _GNU_SOURCE
#include "reduce/base/str.h"
#include "reduce/base/clean.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t
str_prefix(const char *s, const char *const *texts, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (str_starts(s, texts[i]))
			return strlen(texts[i]);
	return 0;
}

bool
str_is_in(const char *s, const char *const *texts, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (strcmp(s, texts[i]) == 0)
			return true;
	return false;
}

const char *
str_distinct(struct arena *a, const char *s, const char *const *before,
	     size_t n, int (*compare)(const char *, const char *))
{
	size_t i = 0;

	while (s && i < n) {
		if (!compare(before[i++], s)) {
			s = arena_print(a, "%s_%zu", s, n + 1);
			i = 0;
		}
	}
	return s;
}

const char *
str_basename(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* Remove the last part from n bytes of a path.  False if ".." must stay. */
static bool
str_leave(const char *path, size_t *n, bool absolute)
{
	size_t i = *n;

	while (i && path[i - 1] != '/')
		i--;
	/* The parent of the root is the root. */
	if (!*n)
		return absolute;
	if (*n - i == 2 && path[i] == '.' && path[i + 1] == '.')
		return false;
	*n = i ? i - 1 : 0;
	return true;
}

void
str_plain_path(const char *path, char *to)
{
	bool absolute = *path == '/';
	size_t n = 0, len;
	const char *s;

	for (s = path; *s; s += len) {
		s += strspn(s, "/");
		len = strcspn(s, "/");
		if (!len || (len == 1 && *s == '.'))
			continue;
		if (len == 2 && s[0] == '.' && s[1] == '.' &&
		    str_leave(to, &n, absolute))
			continue;
		if (n || absolute)
			to[n++] = '/';
		memcpy(to + n, s, len);
		n += len;
	}
	to[n] = '\0';
	if (!n)
		memcpy(to, path, strlen(path) + 1);
}

/* Write s as it is written between $' and '. */
static void
str_quote_bytes(FILE *f, const char *s)
{
	unsigned n;

	for (; *s; s += n) {
		if (clean_next(s, &n) == CLEAN_FINE) {
			if (*s == '\'' || *s == '\\')
				putc('\\', f);
			fwrite(s, 1, n, f);
			continue;
		}
		for (unsigned i = 0; i < n; i++)
			fprintf(f, "\\%03o", (unsigned char)s[i]);
	}
}

/* Can all of s be printed? */
static bool
str_is_clean(const char *s)
{
	unsigned n;

	for (; *s; s += n)
		if (clean_next(s, &n) != CLEAN_FINE)
			return false;
	return true;
}

/* Write one argument: bare, in '', or in $'' if some bytes aren't text. */
static void
str_quote_one(FILE *f, const char *s)
{
	static const char bare[] =
		"abcdefghijklmnopqrstuvwxyz"
		"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";

	if (*s && !s[strspn(s, bare)]) {
		fputs(s, f);
		return;
	}
	if (!str_is_clean(s)) {
		fputs("$'", f);
		str_quote_bytes(f, s);
		putc('\'', f);
		return;
	}
	putc('\'', f);
	for (; *s; s++) {
		if (*s == '\'')
			fputs("'\\''", f);
		else
			putc(*s, f);
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
