/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Patterns of suppressions: all short patterns on all short texts, compared
 * with fnmatch(3) and the glob that means the same.
 */
#include "reduce/callgraph/suppress.h"
#include "tests/tap.h"

#include <fnmatch.h>
#include <string.h>

enum { PATTERN_MOST = 5, TEXT_MOST = 6 };

/* The n-th string of these letters: all of length 0, then of 1 ... */
static void
nth(char *s, size_t n, const char *letters)
{
	size_t base = strlen(letters), power = 1, length = 0, i;

	while (n >= power) {
		n -= power;
		power *= base;
		length++;
	}
	for (i = 0; i < length; i++, n /= base)
		s[i] = letters[n % base];
	s[length] = '\0';
}

/* The number of strings up to that length. */
static size_t
many(size_t base, size_t most)
{
	size_t sum = 1, power = 1;

	while (most--)
		sum += power *= base;
	return sum;
}

/* Compare one pattern, with ^ and $ or without, on all texts. */
static size_t
wrong(const char *middle, bool start, bool end)
{
	char pattern[PATTERN_MOST + 3], glob[PATTERN_MOST + 3];
	char text[TEXT_MOST + 1];
	size_t bad = 0, i;

	snprintf(pattern, sizeof(pattern), "%s%s%s", start ? "^" : "", middle,
		 end ? "$" : "");
	snprintf(glob, sizeof(glob), "%s%s%s", start ? "" : "*", middle,
		 end ? "" : "*");
	for (i = 0; i < many(2, TEXT_MOST); i++) {
		nth(text, i, "ab");
		if (suppress_fits(pattern, text) !=
		    (fnmatch(glob, text, 0) == 0)) {
			diag("%s on %s", pattern, text);
			bad++;
		}
	}
	return bad;
}

static void
test_matching(void)
{
	char middle[PATTERN_MOST + 1];
	size_t bad[4] = { 0 }, i, k;

	for (i = 0; i < many(3, PATTERN_MOST); i++) {
		nth(middle, i, "ab*");
		for (k = 0; k < 4; k++)
			bad[k] += wrong(middle, k & 1, k & 2);
	}
	is_int((long)bad[0], 0, "patterns without anchors");
	is_int((long)bad[1], 0, "patterns after ^");
	is_int((long)bad[2], 0, "patterns before $");
	is_int((long)bad[3], 0, "patterns between both");
}

static void
test_numbers(void)
{
	const char *list[] = { "one", "two", "o" };
	struct suppress s = { .pattern = list, .n = 3 };

	is_int(suppress_match(&s, "phone"), 1, "the first that matches");
	is_int(suppress_match(&s, "two"), 2, "the second");
	is_int(suppress_match(&s, "door"), 3, "the third");
	is_int(suppress_match(&s, "x"), 0, "none");
	is_int(suppress_match(&s, ""), 0, "no text");
	is_int(suppress_match(&s, NULL), 0, "nothing");
}

int
main(void)
{
	test_matching();
	test_numbers();
	return done_testing();
}
