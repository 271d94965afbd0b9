/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quantiles in little memory, compared with those of sorted values. */
#include "display/blocks/selection.h"

#include "tests/tap.h"

#include <stdlib.h>

enum { MOST = 200000 };

static const unsigned percent[] = { 0, 1, 10, 25, 50, 75, 90, 99, 100 };
enum { QUANTILES = sizeof percent / sizeof *percent };

static uint64_t value[MOST], sorted[MOST];
static uint64_t state = 88172645463325252u;

static uint64_t
at_random(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static int
compare(const void *va, const void *vb)
{
	uint64_t a = *(const uint64_t *)va, b = *(const uint64_t *)vb;

	return (a > b) - (a < b);
}

/* The least value that p percent of the values don't exceed, by counting. */
static uint64_t
by_definition(size_t n, unsigned p)
{
	size_t i = 0;

	while ((i + 1) * 100 < n * p)
		i++;
	return sorted[i];
}

/* For the first n values, with room for `most'. */
static void
check(size_t n, uint64_t most, const char *what)
{
	struct selection s;
	int times = 0, again = 1, wrong = 0;
	size_t i;

	for (i = 0; i < n; i++)
		sorted[i] = value[i];
	qsort(sorted, n, sizeof *sorted, compare);
	ok(!selection_init(&s, most, percent, QUANTILES), "%s", what);
	while (again > 0) {
		for (i = 0; i < n; i++)
			selection_add(&s, value[i]);
		again = selection_next(&s);
		times++;
	}
	ok(!again && s.n == n, "... all of them");
	for (i = 0; i < QUANTILES; i++)
		wrong += selection_value(&s, i) != by_definition(n, percent[i]);
	ok(!wrong, "... exactly");
	ok(times <= 6, "... in %d times", times);
	selection_fini(&s);
}

static void
check_all(size_t n, uint64_t most, const char *how)
{
	size_t i;

	for (i = 0; i < n; i++)
		value[i] = at_random();
	check(n, most, how);
	for (i = 0; i < n; i++)
		value[i] = at_random() >> at_random() % 64;
	check(n, most, "of all magnitudes");
	for (i = 0; i < n; i++)
		value[i] = 22400000000 + at_random() % 1000;
	check(n, most, "close together");
	for (i = 0; i < n; i++)
		value[i] = 16;
	check(n, most, "equal");
	for (i = 0; i < n; i++)
		value[i] = i % 2 ? UINT64_MAX : 0;
	check(n, most, "the least and the most");
	for (i = 0; i < n; i++)
		value[i] = UINT64_MAX - at_random() % 3;
	check(n, most, "at the upper end");
}

int
main(void)
{
	struct selection s;

	check_all(MOST, MOST, "many");
	check_all(1000, 1000, "few");
	check_all(101, MOST, "fewer than were promised");
	check_all(1, 1, "one");
	ok(!selection_init(&s, 0, percent, QUANTILES), "none");
	selection_add(&s, 5);
	ok(!selection_next(&s) && !s.n, "... is left");
	selection_fini(&s);
	return done_testing();
}
