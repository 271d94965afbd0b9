/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Blocks of very many sizes, from one call site, by one thread or many.
 *
 *	sizes [threads [blocks [most]]]		(1, 2000000, 100000)
 *
 * Each thread has an array of 64 blocks and replaces random ones by blocks of 1
 * to `most' bytes; all threads run at the same time.
 *
 * By construction, in addition to what the libc allocates for its threads:
 * threads x blocks allocations, all freed.
 */
#include <pthread.h>

#include "bench.h"

#define SLOTS 64

static unsigned long blocks, most;
static pthread_barrier_t ready;

struct work {
	pthread_t id;
	uint64_t seed, sum;
};

FRAME void
replace(struct work *w, unsigned char **slot)
{
	size_t n = 1 + (rnd(&w->seed) >> 20) % most;

	free(*slot);
	*slot = must(malloc(n));
	**slot = (unsigned char)n;
	w->sum = mix(w->sum, n);
}

static void *
run(void *work)
{
	unsigned char *slot[SLOTS] = { NULL };
	struct work *w = work;

	pthread_barrier_wait(&ready);
	for (unsigned long i = 0; i < blocks; i++)
		replace(w, &slot[rnd(&w->seed) % SLOTS]);
	for (unsigned i = 0; i < SLOTS; i++)
		free(slot[i]);
	return NULL;
}

int
main(int argc, char **argv)
{
	unsigned long n = arg(argc, argv, 1, 1);
	struct work *w = must(calloc(n, sizeof(*w)));
	uint64_t sum = 0;

	blocks = arg(argc, argv, 2, 2000000);
	most = arg(argc, argv, 3, 100000);
	pthread_barrier_init(&ready, NULL, (unsigned)n);
	for (unsigned long i = 0; i < n; i++) {
		w[i].seed = i + 1;
		if (i > 0 && pthread_create(&w[i].id, NULL, run, &w[i]) != 0) {
			fputs("sizes: no thread\n", stderr);
			return 1;
		}
	}
	run(&w[0]);
	for (unsigned long i = 0; i < n; i++) {
		if (i > 0)
			pthread_join(w[i].id, NULL);
		sum = mix(sum, w[i].sum);
	}
	free(w);
	printf("sizes %lu %lu %lu %" PRIx64 "\n", n, blocks, most, sum);
	return 0;
}
