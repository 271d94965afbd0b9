/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Many events from few call paths.
 *
 *	events N	makes N blocks by 7 x 7 x 7 = 343 call paths, block n of
 *			8 + n % 5 * 24 bytes; each is freed when 100 more have
 *			been made, and 100 are left at the end.  No other
 *			allocations.
 *
 * Prints allocations, bytes, frees, freed bytes, before the end; by write(2).
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define LIVE 100u

static void *live[LIVE];

static size_t
size_of(unsigned long n)
{
	return 8 + n % 5 * 24;
}

/* Seven functions alike, each does `what'. */
#define ONE(name, i, what) \
	static __attribute__((noinline)) void *name##i(unsigned long n) \
	{ \
		void *p = what; \
		__asm__ volatile("" : : "r"(p) : "memory"); \
		return p; \
	}
#define SEVEN(name, what) \
	ONE(name, 0, what) \
	ONE(name, 1, what) \
	ONE(name, 2, what) \
	ONE(name, 3, what) \
	ONE(name, 4, what) \
	ONE(name, 5, what) \
	ONE(name, 6, what) \
	static void *(*const name[7])(unsigned long) = { \
		name##0, name##1, name##2, name##3, name##4, name##5, name##6 \
	};

SEVEN(make, malloc(size_of(n)))
SEVEN(middle, make[n % 7](n))
SEVEN(outer, middle[n / 7 % 7](n))

int
main(int argc, char **argv)
{
	unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
	unsigned long bytes = 0, freed = 0;
	char line[100];
	int len;

	for (unsigned long i = 0; i < n; i++) {
		if (live[i % LIVE]) {
			free(live[i % LIVE]);
			freed += size_of(i - LIVE);
		}
		live[i % LIVE] = outer[i / 49 % 7](i);
		bytes += size_of(i);
	}
	len = snprintf(line, sizeof(line), "%lu %lu %lu %lu\n", n, bytes,
		       n > LIVE ? n - LIVE : 0, freed);
	return write(1, line, (size_t)len) != len;
}
