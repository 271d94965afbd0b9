/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The words of a line of tests/monmake.c, and numbers out of them.  For that
 * one program only.
 */
#ifndef MEMMON_TESTS_MONMAKE_WORDS_H
#define MEMMON_TESTS_MONMAKE_WORDS_H

#include "reduce/base/arena.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_WORDS = 4096 };

static struct arena arena; /* of all words */
static unsigned long line_number;
static char *words[MOST_WORDS];
static size_t nwords;

static inline _Noreturn void
die(const char *what)
{
	fprintf(stderr, "%s: line %lu: %s\n", program_invocation_short_name,
		line_number, what);
	exit(1);
}

/* A word of the line; it must exist. */
static inline char *
word(size_t i)
{
	if (i >= nwords)
		die("a word is missing");
	return words[i];
}

static inline uint64_t
to_number(const char *s)
{
	char *end;
	uint64_t v = strtoull(s, &end, 0);

	if (!*s || *end)
		die("not a number");
	return v;
}

static inline uint64_t
number(size_t i)
{
	return to_number(word(i));
}

/* The index of s in the strings, ignoring case; 0: not found. */
static inline size_t
key(const char *const *keys, size_t n, const char *s)
{
	size_t i;

	for (i = 1; i < n; i++) {
		if (keys[i] && !strcasecmp(keys[i], s))
			return i;
	}
	return 0;
}

static inline char *
from_hex(const char *s, size_t *length)
{
	size_t n = strlen(s) / 2, i;
	char *p = arena_alloc(&arena, n + 1);
	unsigned byte;

	for (i = 0; p && i < n; i++) {
		if (sscanf(s + 2 * i, "%2x", &byte) != 1)
			die("not hexadecimal");
		p[i] = (char)byte;
	}
	*length = n;
	return p;
}

static inline void *
grow(void *array, size_t *room, size_t n, size_t size)
{
	array = array_grow(array, room, n, size);
	if (!array)
		die("out of memory");
	return array;
}

/* Undo the escapes of a word, in place. */
static inline void
unescape(char *s)
{
	char *to = s;

	for (; *s; s++) {
		if (*s != '\\' || !s[1]) {
			*to++ = *s;
			continue;
		}
		s++;
		*to++ = *s == 's'   ? ' '
			: *s == 't' ? '\t'
			: *s == 'n' ? '\n'
				    : *s;
	}
	*to = '\0';
}

/* Splits a line into words, up to a #. */
static inline void
split(const char *line)
{
	char *copy = arena_copy(&arena, line, strcspn(line, "#\n")), *s, *at;

	nwords = 0;
	for (s = copy ? strtok_r(copy, " \t", &at) : NULL; s;
	     s = strtok_r(NULL, " \t", &at)) {
		if (nwords == MOST_WORDS)
			die("too many words");
		unescape(s);
		words[nwords++] = s;
	}
}

#endif
