/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A stress of malloc by threads that free one another's blocks.
 *
 *	exchange [threads [blocks]]		(2, 4000000)
 *
 * Each thread makes `blocks' blocks: most have 8 to 128 bytes, one in 100 has
 * 100 times as many.  It fills each and puts it into its own place or into one
 * that all threads share; then it reads and frees the old block of that place.
 * The checksum is the sum of all bytes read, from both kinds.
 */
#include "bench.h"

#include <pthread.h>
#include <stdatomic.h>

#define OWN 4096u
#define SHARED 1024u

struct block {
	uint64_t n, word[];
};

static _Atomic(struct block *) shared[SHARED];
static _Atomic uint64_t check;
static unsigned long blocks;

FRAME struct block *
block_new(uint64_t *seed)
{
	uint64_t n = 1 + rnd(seed) % 15;
	struct block *b;

	if (rnd(seed) % 100 == 0)
		n *= 100;
	b = must(malloc(sizeof(*b) + n * sizeof(*b->word)));
	b->n = n;
	for (uint64_t i = 0; i < n; i++)
		b->word[i] = n - i;
	return b;
}

FRAME uint64_t
block_end(struct block *b)
{
	uint64_t sum = 0, n = b ? b->n : 0;

	for (uint64_t i = 0; i < n; i++)
		sum += b->word[i];
	free(b);
	return sum;
}

static void *
thread(void *seeds)
{
	struct block **own = must(calloc(OWN, sizeof(struct block *)));
	struct block *b, **at;
	uint64_t seed = *(uint64_t *)seeds, sum = 0;

	for (unsigned long k = 0; k < blocks; k++) {
		b = block_new(&seed);
		if (rnd(&seed) % 4 == 0) {
			b = atomic_exchange(&shared[rnd(&seed) % SHARED], b);
			sum += block_end(b);
			continue;
		}
		at = &own[rnd(&seed) % OWN];
		sum += block_end(*at);
		*at = b;
	}
	for (unsigned i = 0; i < OWN; i++)
		sum += block_end(own[i]);
	free(own);
	check += sum;
	return NULL;
}

int
main(int argc, char **argv)
{
	unsigned long n = arg(argc, argv, 1, 2);
	pthread_t *t = must(calloc(n, sizeof(*t)));
	uint64_t *seeds = must(calloc(n, sizeof(*seeds)));

	blocks = arg(argc, argv, 2, 4000000);
	for (unsigned long i = 0; i < n; i++) {
		seeds[i] = i + 1;
		if (pthread_create(&t[i], NULL, thread, &seeds[i]) != 0) {
			fputs("no thread\n", stderr);
			return 1;
		}
	}
	for (unsigned long i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	for (unsigned i = 0; i < SHARED; i++)
		check += block_end(shared[i]);
	printf("%016" PRIx64 "\n", (uint64_t)check);
	free(seeds);
	free(t);
	return 0;
}
