/* SPDX-License-Identifier: MIT */
#include "monitor/launch/calibrate.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
	THREADS = 4,	   /* at most at a time */
	BLOCKS = 4096,	   /* of a thread at a time */
	LARGE = 16,	   /* this many of BLOCKS may be large */
	SHARED = 256,	   /* passed from one thread to another */
	TURNS = 400000,	   /* of all threads of a phase together */
	SHORT_LIVED = 128, /* threads that end after a few operations */
};

struct worker {
	pthread_t thread;
	uint64_t random;
	unsigned turns;
	void *block[BLOCKS];
	size_t size[BLOCKS];
};

static struct worker worker[THREADS];
static void *shared[SHARED]; /* atomic */

static uint32_t
next(struct worker *w)
{
	w->random = w->random * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)(w->random >> 33);
}

/* 16 to 511 bytes; one in 8 up to 16 KB; large ones from 128 KB on. */
static size_t
some_size(struct worker *w, bool large)
{
	uint32_t r = next(w);

	if (large)
		return (128 << 10) + r % (384 << 10);
	return (16 + (r >> 3) % 496) << (r % 8 ? 0 : r >> 24 & 5);
}

/* Writes to it at once, as programs do. */
static void *
touch(void *p, size_t size)
{
	if (p) {
		memset(p, 1, size < 64 ? size : 64);
		((volatile char *)p)[size - 1] = 1;
	}
	return p;
}

static void *
some_block(struct worker *w, size_t size)
{
	uint32_t how = next(w) % 16;
	void *p = NULL;

	if (how < 2)
		return touch(calloc(1, size), size);
	if (how == 2 && posix_memalign(&p, 64, size) == 0)
		return touch(p, size);
	return touch(malloc(size), size);
}

static void
grow(struct worker *w, unsigned i)
{
	size_t size = w->size[i] + w->size[i] / 2;
	void *p;

	if (size > 1 << 20)
		return;
	p = realloc(w->block[i], size);
	if (!p)
		return;
	w->block[i] = touch(p, size);
	w->size[i] = size;
}

static void *
work(void *arg)
{
	struct worker *w = arg;

	for (unsigned t = 0; t < w->turns; t++) {
		/* Large blocks are few: one in 64 may be large. */
		unsigned i = next(w) % 64 ? LARGE + next(w) % (BLOCKS - LARGE)
					  : next(w) % LARGE;
		uint32_t what = next(w) % 16;

		if (!w->block[i]) {
			w->size[i] = some_size(w, i < LARGE);
			w->block[i] = some_block(w, w->size[i]);
		} else if (what == 0) {
			grow(w, i);
		} else if (what == 1 && i >= LARGE && next(w) % 4 == 0) {
			free(__atomic_exchange_n(&shared[next(w) % SHARED],
						 w->block[i],
						 __ATOMIC_ACQ_REL));
			w->block[i] = NULL;
		} else {
			free(w->block[i]);
			w->block[i] = NULL;
		}
	}
	for (unsigned i = 0; i < BLOCKS; i++) {
		free(w->block[i]);
		w->block[i] = NULL;
	}
	return NULL;
}

static void *
few(void *arg)
{
	(void)arg;
	free(touch(malloc(100), 100));
	return NULL;
}

int
calibrate_run(void)
{
	pthread_t thread;

	for (unsigned n = 1; n <= THREADS; n *= 2) {
		unsigned run = 0;

		for (unsigned i = 0; i < n; i++) {
			worker[i].random = 1000 * n + i;
			worker[i].turns = TURNS / n;
		}
		for (; run < n - 1; run++)
			if (pthread_create(&worker[run].thread, NULL, work,
					   &worker[run]) != 0)
				break;
		work(&worker[n - 1]);
		for (unsigned i = 0; i < run; i++)
			pthread_join(worker[i].thread, NULL);
	}
	for (unsigned i = 0; i < SHORT_LIVED; i++)
		if (pthread_create(&thread, NULL, few, NULL) == 0)
			pthread_join(thread, NULL);
	for (unsigned i = 0; i < SHARED; i++)
		free(shared[i]);
	return 0;
}
