/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Threads that allocate and free; most frees happen in another thread.
 *
 *	threads [threads [rounds]]		(8, 625000)
 *
 * Each thread makes `rounds' blocks, block i of 16 + i % 241 bytes, and passes
 * it to its right neighbour through a ring; if that is full, it frees the block
 * itself.  At the end every 1,000th block of a thread is not freed.
 *
 * By construction, in addition to what the libc allocates for itself:
 *	allocations	threads x rounds
 *	bytes		threads x sum of 16 + i % 241
 *	kept		threads x ceil(rounds / 1000), i = 0, 1000, 2000 ...
 * The program prints these three figures and the kept bytes.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define RING 1024

static unsigned nthreads = 8, rounds = 625000;

struct ring {
	_Atomic(void *) slot[RING];
};
static struct ring *rings;
static void **kept;
static atomic_uint kept_n;

static size_t
size_of(unsigned i)
{
	return 16 + i % 241;
}

static __attribute__((noinline)) void *
make_block(unsigned i)
{
	char *p = malloc(size_of(i));

	p[0] = (char)i;
	return p;
}

static __attribute__((noinline)) void *
make_kept(unsigned i)
{
	return malloc(size_of(i));
}

static void *
worker(void *arg)
{
	unsigned me = (unsigned)(size_t)arg;
	struct ring *mine = &rings[me], *right = &rings[(me + 1) % nthreads];

	for (unsigned i = 0; i < rounds; i++) {
		void *p;

		if (i % 1000 == 0) {
			kept[atomic_fetch_add(&kept_n, 1)] = make_kept(i);
			continue;
		}
		p = make_block(i);
		free(atomic_exchange(&right->slot[i % RING], p));
		free(atomic_exchange(&mine->slot[i % RING], NULL));
	}
	return NULL;
}

int
main(int argc, char **argv)
{
	unsigned long bytes = 0, kept_bytes = 0;
	static pthread_t *id;

	if (argc > 1)
		nthreads = (unsigned)atoi(argv[1]);
	if (argc > 2)
		rounds = (unsigned)atoi(argv[2]);
	rings = calloc(nthreads, sizeof(*rings));
	kept = calloc((size_t)nthreads * (rounds / 1000 + 1), sizeof(*kept));
	id = calloc(nthreads, sizeof(*id));
	for (size_t i = 0; i < nthreads; i++)
		pthread_create(&id[i], NULL, worker, (void *)i);
	for (size_t i = 0; i < nthreads; i++)
		pthread_join(id[i], NULL);
	for (unsigned t = 0; t < nthreads; t++)
		for (unsigned i = 0; i < RING; i++)
			free(rings[t].slot[i]);
	for (unsigned i = 0; i < rounds; i++) {
		bytes += size_of(i);
		if (i % 1000 == 0)
			kept_bytes += size_of(i);
	}
	free(rings);
	free(kept);
	free(id);
	printf("%lu %lu %u %lu\n", (unsigned long)nthreads * rounds,
	       nthreads * bytes, atomic_load(&kept_n), nthreads * kept_bytes);
	return 0;
}
