/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Binary trees: built, walked and freed; and one that stays until the end.
 *
 *	tree [height [nodes]]			(14, 8000000)
 *
 * Trees of all heights from 4 to `height' in turn, until `nodes' nodes have
 * been made.  Each way down, left or right at each node, is its own call path:
 * 2 ^ (height + 1) - 1 of them, and as many for the tree that stays.
 */
#include "bench.h"

struct node {
	struct node *child[2];
	uint64_t key;
};

static unsigned long made;

FRAME struct node *
build(unsigned height, uint64_t *seed)
{
	struct node *n = must(malloc(sizeof(*n)));

	made++;
	n->key = rnd(seed) >> 40;
	n->child[0] = n->child[1] = NULL;
	if (height > 0) {
		n->child[0] = build(height - 1, seed);
		n->child[1] = build(height - 1, seed);
	}
	return n;
}

FRAME uint64_t
walk(const struct node *n, uint64_t sum)
{
	if (!n)
		return sum;
	sum = walk(n->child[0], mix(sum, n->key));
	return walk(n->child[1], sum);
}

FRAME void
drop(struct node *n)
{
	if (!n)
		return;
	drop(n->child[0]);
	drop(n->child[1]);
	free(n);
}

int
main(int argc, char **argv)
{
	unsigned height = (unsigned)arg(argc, argv, 1, 14), h = 4;
	unsigned long nodes = arg(argc, argv, 2, 8000000);
	uint64_t seed = 1, sum = 0;
	struct node *stays = build(height, &seed);

	while (made < nodes) {
		struct node *n = build(h, &seed);

		sum = walk(n, sum);
		drop(n);
		h = h < height ? h + 1 : 4;
	}
	sum = walk(stays, sum);
	drop(stays);
	printf("tree %u %lu %016" PRIx64 "\n", height, made, sum);
	return 0;
}
