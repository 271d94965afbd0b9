/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Blocks of every size.
 *
 *	sizes N		one() makes two blocks of each size from 0 to N - 1, and
 *			frees them; then two() makes one.  It is freed, except
 *			if its size is a multiple of 8.  N is one, too.  At the
 *			peak one() has made its last two.
 *
 * Most blocks aren't touched, so that they take little memory.  Prints
 * allocations, bytes, frees, freed bytes, by write(2).
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static __attribute__((noinline)) void *
one(size_t n)
{
	return malloc(n);
}

static __attribute__((noinline)) void *
two(size_t n)
{
	return malloc(n);
}

int
main(int argc, char **argv)
{
	unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
	unsigned long sum = n * (n - 1) / 2, stays = n / 8 * (n - 8) / 2;
	char line[100];
	void *p, *q;
	int len;

	for (unsigned long i = 0; i < n; i++) {
		p = one(i);
		q = one(i);
		free(p);
		free(q);
		p = two(i);
		if (i % 8)
			free(p);
	}
	len = snprintf(line, sizeof(line), "%lu %lu %lu %lu\n", 3 * n, 3 * sum,
		       3 * n - n / 8, 3 * sum - stays);
	return write(1, line, (size_t)len) != len;
}
