/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Regular expressions from users: see cond.h. */
#include "display/query/cond.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reject longer patterns and deeper brackets. */
enum { PATTERN = 1000, DEEPEST = 100 };

/*
 * Would the C library take very long for the pattern, or too much memory?
 * Returns the message, or NULL.
 */
static const char *
pattern_wrong(const char *s)
{
	unsigned long times = 1;
	unsigned depth = 0;

	if (strlen(s) > PATTERN)
		return "this pattern is too long";
	for (; *s; s++) {
		if (*s == '\\' && s[1] >= '1' && s[1] <= '9')
			return "patterns have no back-references";
		if (*s == '\\' && s[1]) {
			s++;
		} else if (*s == '(') {
			if (++depth > DEEPEST)
				return "this pattern has too many brackets";
		} else if (*s == '{') {
			unsigned long n = 0, most = 0;

			for (s++; (*s >= '0' && *s <= '9') || *s == ','; s++) {
				n = *s == ',' ? 0
					      : n * 10 + (unsigned)(*s - '0');
				most = n > most ? n : most;
				if (n > 255)
					return "this pattern repeats too often";
			}
			times *= most > 1 ? most : 1;
			if (times > 4096)
				return "this pattern repeats too often";
			s--;
		}
	}
	return NULL;
}

int
pattern_compile(regex_t **regex, const char *text, char *message, size_t n)
{
	const char *bad = pattern_wrong(text);
	char said[200];
	int r;

	*regex = NULL;
	*message = '\0';
	if (bad) {
		snprintf(message, n, "%s", bad);
		return -1;
	}
	*regex = calloc(1, sizeof **regex);
	if (!*regex)
		return -1;
	r = regcomp(*regex, text, REG_EXTENDED | REG_NOSUB);
	if (!r)
		return 0;
	regerror(r, *regex, said, sizeof said);
	free(*regex);
	*regex = NULL;
	snprintf(message, n, "not a regular expression: %s", said);
	return -1;
}

void
pattern_free(void *regex)
{
	if (regex)
		regfree(regex);
	free(regex);
}
