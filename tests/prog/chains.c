/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * As many call paths as are wanted, without recursion.
 *
 *	chains N	N blocks of 24 bytes, at most 2^20; number n comes
 *			from twenty functions.  Each calls the next one from
 *			one of two places, as a bit of n says: all N call paths
 *			differ.  Each block is freed before the next one.
 */
#include <stdio.h>
#include <stdlib.h>

#define STEP(name, next, bit) \
	static __attribute__((noinline)) void *name(unsigned n) \
	{ \
		void *p = n >> (bit)&1 ? next(n) : next(n + 0); \
\
		__asm__ volatile("" : : "r"(p) : "memory"); /* no tail call */ \
		return p; \
	}

static __attribute__((noinline)) void *
leaf(unsigned n)
{
	void *p = malloc(24);

	__asm__ volatile("" : : "r"(p), "r"(n) : "memory");
	return p;
}

STEP(at19, leaf, 0)
STEP(at18, at19, 1)
STEP(at17, at18, 2)
STEP(at16, at17, 3)
STEP(at15, at16, 4)
STEP(at14, at15, 5)
STEP(at13, at14, 6)
STEP(at12, at13, 7)
STEP(at11, at12, 8)
STEP(at10, at11, 9)
STEP(at9, at10, 10)
STEP(at8, at9, 11)
STEP(at7, at8, 12)
STEP(at6, at7, 13)
STEP(at5, at6, 14)
STEP(at4, at5, 15)
STEP(at3, at4, 16)
STEP(at2, at3, 17)
STEP(at1, at2, 18)
STEP(at0, at1, 19)

int
main(int argc, char **argv)
{
	unsigned n = argc > 1 ? (unsigned)atoi(argv[1]) : 0;

	for (unsigned i = 0; i < n; i++) {
		void *p = at0(i);

		free(p);
	}
	return 0;
}
