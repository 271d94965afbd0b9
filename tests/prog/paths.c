/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * As many call paths as are wanted.
 *
 *	paths N KEEP [BITS]	(20 bits) block n of 16 + n % 64 bytes is
 *			allocated by way of left() and right(), one for each bit
 *			of n: N call paths up to 2^BITS.  Each block is freed
 *			when the next one has been made, the last one at the
 *			end, except every KEEP'th block; 0: all are freed.
 *
 * Prints allocations, bytes, frees, freed bytes; and on stderr the CPU time
 * that the slowest malloc has taken, in ns.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static unsigned bits = 20;
static uint64_t slowest;

static uint64_t
now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

static __attribute__((noinline)) void *
leaf(unsigned n)
{
	uint64_t t = now();
	void *p = malloc(16 + n % 64);

	t = now() - t;
	if (t > slowest)
		slowest = t;
	return p;
}

static void *left(unsigned n, unsigned bit);
static void *right(unsigned n, unsigned bit);

static inline __attribute__((always_inline)) void *
go(unsigned n, unsigned bit)
{
	if (bit == bits)
		return leaf(n);
	return n >> bit & 1 ? right(n, bit + 1) : left(n, bit + 1);
}

static __attribute__((noinline)) void *
left(unsigned n, unsigned bit)
{
	return go(n, bit);
}

static __attribute__((noinline)) void *
right(unsigned n, unsigned bit)
{
	return go(n, bit);
}

int
main(int argc, char **argv)
{
	unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
	unsigned long keep = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
	uint64_t allocs = 0, bytes = 0, frees = 0, freed = 0;
	static char out[100];
	void *p, *last = NULL;

	if (argc > 3)
		bits = (unsigned)atoi(argv[3]);
	for (unsigned long i = 0; i < n; i++) {
		p = go((unsigned)i, 0);
		allocs++;
		bytes += 16 + i % 64;
		free(last);
		last = p;
		if (keep && i % keep == 0) {
			last = NULL;
			continue;
		}
		frees++;
		freed += 16 + i % 64;
	}
	free(last);
	setvbuf(stdout, out, _IOFBF, sizeof(out));
	printf("%lu %lu %lu %lu\n", allocs, bytes, frees, freed);
	fprintf(stderr, "%lu\n", slowest);
	return 0;
}
