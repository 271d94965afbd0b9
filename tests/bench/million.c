/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A heap of a million blocks that live long, then random changes to it.
 *
 *	million [blocks [changes]]		(1000000, 1000000)
 *
 * Blocks of 16 to 512 bytes.  A change frees a block and makes another in its
 * slot, or, one in four, gives the block another size by realloc().
 *
 * By construction, in addition to the array: blocks + 3/4 of the changes by
 * malloc(), the rest by realloc(), which memmon counts as an allocation and a
 * free; all freed at the end.
 */
#include "bench.h"

struct slot {
	unsigned char *p;
	size_t n;
};

static size_t
size_of(uint64_t r)
{
	return 16 + (r >> 32) % 497;
}

FRAME void
make(struct slot *s, uint64_t r)
{
	s->n = size_of(r);
	s->p = must(malloc(s->n));
	s->p[0] = (unsigned char)r;
}

FRAME void
replace(struct slot *s, uint64_t r)
{
	free(s->p);
	make(s, r);
}

FRAME void
resize(struct slot *s, uint64_t r)
{
	s->n = size_of(r);
	s->p = must(realloc(s->p, s->n));
}

int
main(int argc, char **argv)
{
	unsigned long blocks = arg(argc, argv, 1, 1000000), i;
	unsigned long changes = arg(argc, argv, 2, 1000000);
	struct slot *slots = must(calloc(blocks, sizeof(*slots)));
	uint64_t seed = 1, sum = 0;

	for (i = 0; i < blocks; i++)
		make(&slots[i], rnd(&seed));
	for (i = 0; i < changes; i++) {
		uint64_t r = rnd(&seed);
		struct slot *s = &slots[(r >> 8) % blocks];

		sum = mix(sum, s->p[0]);
		if (i % 4 == 3)
			resize(s, r);
		else
			replace(s, r);
	}
	for (i = 0; i < blocks; i++) {
		sum = mix(sum, slots[i].n + slots[i].p[0]);
		free(slots[i].p);
	}
	free(slots);
	printf("million %lu %lu %016" PRIx64 "\n", blocks, changes, sum);
	return 0;
}
