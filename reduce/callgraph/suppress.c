/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Suppressions in the syntax of LeakSanitizer. */
#include "reduce/callgraph/suppress.h"
#include "reduce/base/err.h"
#include "reduce/base/spool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char kind[] = "leak:";

/* Say what is wrong with a line that isn't a suppression. */
static int
suppress_stranger(const char *path, size_t number, const char *line,
		  struct err *e)
{
	if (*line == '{')
		return err_set(
			e,
			"%s:%zu: this is a suppression of valgrind; write "
			"leak:PATTERN with a function, source file or library",
			path, number);
	return err_set(e,
		       "%s:%zu: not a suppression; write leak:PATTERN, or # "
		       "before a comment",
		       path, number);
}

/* Read a line, which is changed.  0, or -1 with *e set. */
static int
suppress_line(struct suppress *s, struct arena *a, char *line, const char *path,
	      size_t number, struct err *e)
{
	static const char blanks[] = " \t\r\n\v\f";
	size_t n;

	line += strspn(line, blanks);
	n = strlen(line);
	while (n && strchr(blanks, line[n - 1]))
		n--;
	line[n] = '\0';
	if (!n || *line == '#')
		return 0;
	if (strncmp(line, kind, sizeof(kind) - 1) || n < sizeof(kind))
		return suppress_stranger(path, number, line, e);
	line += sizeof(kind) - 1;
	ARRAY_ADD(s->pattern, s->room, s->n, arena_copy(a, line, strlen(line)));
	return 0;
}

int
suppress_read(struct suppress *s, struct arena *a, const char *path,
	      struct err *e)
{
	int fd = spool_open(path, NULL);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "r");
	char *line = NULL;
	size_t room = 0, number = 0;
	int status = 0;

	if (!f)
		return err_set(e,
			       "%s: %s; --suppressions needs a file with lines "
			       "leak:PATTERN",
			       path, strerror(errno));
	errno = 0;
	while (!status && getline(&line, &room, f) >= 0)
		status = suppress_line(s, a, line, path, ++number, e);
	if (!status && !feof(f))
		status = err_set(e, "%s: can't be read: %s", path,
				 strerror(errno));
	free(line);
	fclose(f);
	return status;
}

/* Does text begin with the first n bytes of part? */
static bool
suppress_begins(const char *text, const char *part, size_t n)
{
	return !strncmp(text, part, n);
}

/* The first occurrence of the first n bytes of part in text, or NULL. */
static const char *
suppress_find(const char *text, const char *part, size_t n)
{
	for (; *text || !n; text++) {
		if (suppress_begins(text, part, n))
			return text;
	}
	return NULL;
}

bool
suppress_fits(const char *pattern, const char *text)
{
	bool start = *pattern == '^', end = false;
	const char *star;
	size_t n = strlen(pattern), part, length;

	if (start) {
		pattern++;
		n--;
	}
	if (n && pattern[n - 1] == '$') {
		end = true;
		n--;
	}
	for (;;) {
		star = memchr(pattern, '*', n);
		part = star ? (size_t)(star - pattern) : n;
		length = strlen(text);
		if (!star && end) {
			if (length < part || (start && length != part))
				return false;
			return !memcmp(text + length - part, pattern, part);
		}
		if (start && !suppress_begins(text, pattern, part))
			return false;
		/*
		 * The first occurrence is enough: it leaves the most text for
		 * the rest.
		 */
		text = start ? text : suppress_find(text, pattern, part);
		if (!text || !star)
			return text;
		text += part;
		start = false;
		pattern = star + 1;
		n -= part + 1;
	}
}

uint32_t
suppress_match(const struct suppress *s, const char *text)
{
	size_t i;

	for (i = 0; i < s->n && text && *text; i++) {
		if (suppress_fits(s->pattern[i], text))
			return (uint32_t)i + 1;
	}
	return 0;
}

void
suppress_fini(struct suppress *s)
{
	free((void *)s->pattern);
	*s = (struct suppress){ 0 };
}
