/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Blocks of every size.
 *
 *	sizes N		one() makes two blocks of each size from 0 to N - 1,
 *			two() one; the peak is then.  All of one()'s are freed.
 *
 * Most blocks aren't touched, so that they take little memory.  Prints
 * allocations, bytes, frees, freed bytes, by write(2).
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
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
	unsigned long sum = n * (n - 1) / 2;
	char line[100];
	void **p;
	int len;

	p = mmap(NULL, 2 * n * sizeof(*p), PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return 1;
	for (unsigned long i = 0; i < n; i++) {
		p[2 * i] = one(i);
		p[2 * i + 1] = one(i);
		if (!two(i))
			return 1;
	}
	for (unsigned long i = 0; i < 2 * n; i++)
		free(p[i]);
	len = snprintf(line, sizeof(line), "%lu %lu %lu %lu\n", 3 * n, 3 * sum,
		       2 * n, 2 * sum);
	return write(1, line, (size_t)len) != len;
}
