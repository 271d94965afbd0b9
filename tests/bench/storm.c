/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A storm of small, short-lived blocks, as dense as in cfrac (the bignum
 * program of allocator benchmarks).
 *
 *	storm [depth [blocks]]			(16, 30000000)
 *
 * main() calls `depth' functions, one inside the other, and the last
 * allocates.  The lowest 7 calls (or depth - 1) branch in two, so on average
 * two frames are left and entered between two blocks.  As many call paths lead
 * to malloc() as in cfrac (up to 128), and in deep ones the upper frames stay
 * for long.  Blocks have 16 to 64 bytes, one in 16 more, and are freed within
 * the next 16.
 *
 * By construction: `blocks' allocations, rounded up to whole passes of
 * 2 ^ min(7, depth - 1), and as many frees.
 */
#include "bench.h"

#define FAN 7
#define RING 16

static uint64_t *ring[RING];
static unsigned at, fan;

static const unsigned short sizes[16] = { 16, 24, 32, 24, 48, 16, 40, 32,
					  24, 64, 16, 32, 56, 24, 48, 160 };

/* Makes a number of `words' words, like a bignum's.  Frees an old one: the
 * oldest, or, one in four times, the newest. */
static inline __attribute__((always_inline)) uint64_t
block(uint64_t x)
{
	unsigned i = at++ % RING, words = sizes[x >> 7 & 15] / 8;
	uint64_t *p = must(malloc(words * sizeof(*p))), *old;

	for (unsigned w = 0; w < words; w++) {
		x = x * 0x9e3779b97f4a7c15 + w;
		p[w] = x >> 32;
	}
	if ((x >> 13 & 3) == 0)
		i = (i + RING - 1) % RING;
	old = ring[i];
	ring[i] = p;
	if (old) {
		x += old[0] + old[1];
		free(old);
	}
	return x;
}

/* Compilers merge equal functions: hence the number of each. */
#define NODE(name, number, left, right)                                        \
	FRAME uint64_t name(unsigned level, uint64_t x)                        \
	{                                                                      \
		if (level == 0)                                                \
			return block(x);                                       \
		x = left(level - 1, x);                                        \
		if (level <= fan)                                              \
			x = right(level - 1, x >> 5 ^ x);                      \
		return x + number;                                             \
	}

FRAME uint64_t b(unsigned level, uint64_t x);
FRAME uint64_t c(unsigned level, uint64_t x);
FRAME uint64_t d(unsigned level, uint64_t x);
NODE(a, 1, b, c)
NODE(b, 2, c, d)
NODE(c, 3, d, a)
NODE(d, 4, a, b)

int
main(int argc, char **argv)
{
	unsigned depth = (unsigned)arg(argc, argv, 1, 16);
	unsigned long blocks = arg(argc, argv, 2, 30000000), n;
	uint64_t x = 1;

	fan = depth - 1 < FAN ? depth - 1 : FAN;
	for (n = 0; n < blocks; n += 1ul << fan)
		x = mix(x, a(depth - 1, x));
	for (unsigned i = 0; i < RING; i++)
		free(ring[i]);
	printf("storm %u %lu %016" PRIx64 "\n", depth, n, x);
	return 0;
}
