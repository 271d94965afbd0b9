/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A cache: a hash table with chains, whose entries are also in a list by their
 * last use.
 *
 *	lru [look-ups]				(12000000)
 *
 * 100,000 entries of a block each, in random order in memory and in the list.
 * Every look-up moves an entry to the front.  One in eight looks for an unknown
 * key: that replaces the oldest entry.
 */
#include "bench.h"

#define SLOTS 65536
#define ENTRIES 100000

struct entry {
	struct entry *chain, *newer, *older;
	uint64_t key, used;
};

static struct entry *slots[SLOTS], *newest, *oldest;

static struct entry **
slot(uint64_t key)
{
	return &slots[key * 0x9e3779b97f4a7c15 >> 48];
}

static void
unlink_it(struct entry *e)
{
	*(e->newer ? &e->newer->older : &newest) = e->older;
	*(e->older ? &e->older->newer : &oldest) = e->newer;
}

static void
to_front(struct entry *e)
{
	e->newer = NULL;
	e->older = newest;
	*(newest ? &newest->newer : &oldest) = e;
	newest = e;
}

FRAME void
drop_oldest(void)
{
	struct entry *e = oldest, **at = slot(e->key);

	while (*at != e)
		at = &(*at)->chain;
	*at = e->chain;
	unlink_it(e);
	free(e);
}

FRAME void
add(uint64_t key)
{
	struct entry *e = must(malloc(sizeof(*e))), **at = slot(key);

	e->key = key;
	e->used = 0;
	e->chain = *at;
	*at = e;
	to_front(e);
}

FRAME uint64_t
look_up(uint64_t key)
{
	for (struct entry *e = *slot(key); e; e = e->chain)
		if (e->key == key) {
			unlink_it(e);
			to_front(e);
			return ++e->used;
		}
	return 0;
}

int
main(int argc, char **argv)
{
	unsigned long n = arg(argc, argv, 1, 12000000);
	uint64_t seed = 1, sum = 0, used;

	for (uint64_t i = 0; i < ENTRIES; i++)
		add(i);
	for (unsigned long i = 0; i < n; i++) {
		uint64_t key = rnd(&seed) % (ENTRIES / 7 * 8);

		used = look_up(key);
		if (!used) {
			drop_oldest();
			add(key);
		}
		sum = mix(sum, used);
	}
	printf("lru %lu %016" PRIx64 "\n", n, sum);
	while (oldest)
		drop_oldest();
	return 0;
}
