/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Very many call paths.
 *
 *	chains [chains [blocks]]		(300000, 5000000)
 *
 * Eight functions call one another from eight places each.  The number of a
 * call path, in octal, says which calls lead to malloc(): one call for a digit,
 * 7 to 14 digits.  The call paths come in runs of eight that differ only in the
 * last call.  The runs are in pseudo-random order; each comes once before any
 * comes again.  A block is freed when 1,000 more have been made.
 *
 * By construction: `blocks' allocations, all freed, from `chains' call paths
 * (rounded up to eights, at most 8 ^ 7), or from `blocks' if those are fewer.
 */
#include "bench.h"

#define SLOTS 1000

static unsigned char *slot[SLOTS];
static unsigned long at;

static inline __attribute__((always_inline)) uint64_t
block(unsigned long way)
{
	unsigned char **old = &slot[at++ % SLOTS], *p;
	uint64_t sum = *old ? (*old)[0] : 0;

	p = must(malloc(16 + way % 100));
	p[0] = (unsigned char)way;
	free(*old);
	*old = p;
	return sum + p[0];
}

/* Compilers merge equal functions: hence the number of each. */
#define CALL(k, number, name)                                                  \
	case k:                                                                \
		return name(digits, way) + k * number;
#define WALK(name, number)                                                     \
	FRAME uint64_t name(unsigned digits, unsigned long way)                \
	{                                                                      \
		if (digits == 0)                                               \
			return block(way) + number;                            \
		digits--;                                                      \
		switch (way >> 3 * digits & 7) {                               \
			CALL(0, number, a)                                     \
			CALL(1, number, b)                                     \
			CALL(2, number, c)                                     \
			CALL(3, number, d)                                     \
			CALL(4, number, e)                                     \
			CALL(5, number, f)                                     \
			CALL(6, number, g)                                     \
			CALL(7, number, h)                                     \
		}                                                              \
		return 0;                                                      \
	}
#define DECLARE(name) FRAME uint64_t name(unsigned digits, unsigned long way);

DECLARE(a)
DECLARE(b)
DECLARE(c)
DECLARE(d)
DECLARE(e)
DECLARE(f)
DECLARE(g)
DECLARE(h)
WALK(a, 1)
WALK(b, 2)
WALK(c, 3)
WALK(d, 4)
WALK(e, 5)
WALK(f, 6)
WALK(g, 7)
WALK(h, 8)

int
main(int argc, char **argv)
{
	unsigned long runs = (arg(argc, argv, 1, 300000) + 7) / 8;
	unsigned long blocks = arg(argc, argv, 2, 5000000);
	uint64_t sum = 0;

	if (runs > 1ul << 18)
		runs = 1ul << 18;
	for (unsigned long i = 0; i < blocks; i++) {
		unsigned long run = i / 8 * 1000003 % runs;

		sum = mix(sum, a(7 + run % 8, run * 8 + i % 8));
	}
	for (unsigned i = 0; i < SLOTS; i++)
		free(slot[i]);
	printf("chains %lu %lu %016" PRIx64 "\n", runs * 8, blocks, sum);
	return 0;
}
