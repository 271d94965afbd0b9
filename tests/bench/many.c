/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Very many short-lived threads, few at a time.
 *
 *	many [threads [blocks]]			(100000, 20)
 *
 * Four threads at a time; each makes `blocks' blocks of 16 to 271 bytes, frees
 * all but the last and leaves that one to main(), which frees it.
 *
 * By construction, in addition to what the libc allocates for its threads:
 * threads x blocks allocations, all freed.
 */
#include <pthread.h>
#include <string.h>

#include "bench.h"

#define BATCH 4

static unsigned long blocks;

struct work {
	uint64_t seed, sum;
	unsigned char *left;
};

FRAME unsigned char *
make(uint64_t r)
{
	size_t n = 16 + (r >> 24) % 256;

	return memset(must(malloc(n)), (int)(r >> 16 & 0xff), n);
}

static void *
work(void *at)
{
	struct work *w = at;

	for (unsigned long i = 0; i < blocks; i++) {
		free(w->left);
		w->left = make(rnd(&w->seed));
		w->sum = mix(w->sum, w->left[15]);
	}
	return NULL;
}

int
main(int argc, char **argv)
{
	unsigned long threads = arg(argc, argv, 1, 100000), n = 0;
	uint64_t sum = 0;

	blocks = arg(argc, argv, 2, 20);
	while (n < threads) {
		struct work w[BATCH] = { 0 };
		pthread_t id[BATCH];
		unsigned here = 0;

		for (; here < BATCH && n < threads; here++) {
			w[here].seed = ++n;
			if (pthread_create(&id[here], NULL, work, &w[here])) {
				fputs("many: no thread\n", stderr);
				return 1;
			}
		}
		for (unsigned i = 0; i < here; i++) {
			pthread_join(id[i], NULL);
			sum = mix(sum, w[i].sum + w[i].left[0]);
			free(w[i].left);
		}
	}
	printf("many %lu %lu %016" PRIx64 "\n", threads, blocks, sum);
	return 0;
}
