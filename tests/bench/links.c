/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Blocks that point to each other at random, eight pointers each: the hardest
 * case for memmon --graph.
 *
 *	links [blocks]		(1000000)
 *
 * Blocks of 64 bytes.  Prints the sum of the numbers that the pointers lead to.
 */
#include "bench.h"

struct node {
	struct node *to[8];
};

static struct node **all;

FRAME uint64_t
join(struct node *from, size_t n, uint64_t *s)
{
	uint64_t sum = 0, to;

	for (size_t k = 0; k < 8; k++) {
		to = rnd(s) % n;
		from->to[k] = all[to];
		sum += to;
	}
	return sum;
}

int
main(int argc, char **argv)
{
	size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000000;
	uint64_t s = 1, sum = 0;

	if (!n || !(all = calloc(n, sizeof(*all))))
		return 1;
	for (size_t i = 0; i < n; i++)
		if (!(all[i] = calloc(1, sizeof(*all[i]))))
			return 1;
	for (size_t i = 0; i < n; i++)
		sum += join(all[i], n, &s);
	printf("%" PRIu64 "\n", sum);
	return 0;
}
