/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Threads that replace blocks at random, after larson (Larson and Krishnan,
 * "Memory allocation for long-running server applications", ISMM 1998).
 *
 *	server [threads [replacements]]		(1, 10000000)
 *
 * Each thread has an array of 1,000 blocks of 16 to 500 bytes and replaces
 * random ones by new ones.  After every 20th of its share it hands the array
 * to a successor and ends, so that the first free of most blocks is another
 * thread's.  `replacements' is the share of each: more threads do more.
 *
 * By construction, in addition to what the libc allocates for its threads:
 * threads x (1000 + replacements, rounded down to twenties) allocations, all
 * freed.
 */
#include <pthread.h>
#include <semaphore.h>

#include "bench.h"

#define SLOTS 1000
#define HEIRS 20

struct array {
	unsigned char *slot[SLOTS];
	uint64_t seed, sum;
	unsigned long share;
	unsigned heirs;
};

static sem_t served;

FRAME unsigned char *
fill(uint64_t r)
{
	size_t n = 16 + (r >> 32) % 485;
	unsigned char *p = must(malloc(n));

	p[0] = (unsigned char)r;
	p[n - 1] = (unsigned char)(r >> 8);
	return p;
}

FRAME void
replace(struct array *a, uint64_t r)
{
	unsigned char **p = &a->slot[(r >> 16) % SLOTS];

	a->sum = mix(a->sum, **p);
	free(*p);
	*p = fill(r);
}

static void *serve(void *array);

static void
hand_over(struct array *a)
{
	pthread_t id;

	if (pthread_create(&id, NULL, serve, a) != 0) {
		fputs("server: no thread\n", stderr);
		exit(1);
	}
	pthread_detach(id);
}

static void *
serve(void *array)
{
	struct array *a = array;

	for (unsigned long i = 0; i < a->share; i++)
		replace(a, rnd(&a->seed));
	if (--a->heirs > 0)
		hand_over(a);
	else
		sem_post(&served);
	return NULL;
}

int
main(int argc, char **argv)
{
	unsigned long threads = arg(argc, argv, 1, 1), i, j;
	unsigned long share = arg(argc, argv, 2, 10000000) / HEIRS;
	struct array *all = must(calloc(threads, sizeof(*all)));
	uint64_t sum = 0;

	sem_init(&served, 0, 0);
	for (i = 0; i < threads; i++) {
		all[i] = (struct array){ .seed = i + 1,
					 .share = share,
					 .heirs = HEIRS };
		for (j = 0; j < SLOTS; j++)
			all[i].slot[j] = fill(rnd(&all[i].seed));
	}
	for (i = 0; i < threads; i++)
		hand_over(&all[i]);
	for (i = 0; i < threads; i++)
		sem_wait(&served);
	for (i = 0; i < threads; i++) {
		sum = mix(sum, all[i].sum);
		for (j = 0; j < SLOTS; j++)
			free(all[i].slot[j]);
	}
	free(all);
	printf("server %lu %lu %016" PRIx64 "\n", threads, share * HEIRS, sum);
	return 0;
}
