/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An unbalanced binary tree, by recursive insertion.
 *
 *	insert [nodes]				(1200000)
 *
 * Keys are random, so most nodes have their own way down: there are nearly as
 * many call paths as nodes, all of one function that calls itself.
 *
 * By construction: one allocation of 24 bytes for each node; none is freed.
 */
#include "bench.h"

struct node {
	struct node *child[2];
	uint64_t key;
};

FRAME struct node *
insert(struct node *t, uint64_t key)
{
	struct node **to;

	if (!t) {
		t = must(malloc(sizeof(*t)));
		*t = (struct node){ .key = key };
		return t;
	}
	to = &t->child[key > t->key];
	*to = insert(*to, key);
	return t;
}

static uint64_t
sum(const struct node *t)
{
	return t ? mix(mix(sum(t->child[0]), t->key), sum(t->child[1])) : 1;
}

int
main(int argc, char **argv)
{
	unsigned long n = arg(argc, argv, 1, 1200000);
	struct node *t = NULL;
	uint64_t seed = 1;

	for (unsigned long i = 0; i < n; i++)
		t = insert(t, rnd(&seed));
	printf("insert %lu %" PRIx64 "\n", n, sum(t));
	return 0;
}
