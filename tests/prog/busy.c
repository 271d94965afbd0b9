/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program that may be killed at any time.  It counts its work in a file that
 * is mapped: busy FILE THREADS [SECONDS].  With FILE alone it prints the counts
 * in that file: the least and the most allocations, bytes, frees and freed
 * bytes that memmon may have counted.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define THREADS 64
#define SLOTS 256

/* A multiple of a cache line: each thread has its own. */
struct count {
	volatile uint64_t n[8]; /* begun, done: allocs, bytes, frees, freed */
};

static struct count *counts;
static volatile int stop;

enum { ALLOCS, BYTES, FREES, FREED };

static void *
block_make(struct count *c, size_t size)
{
	char *p;

	c->n[2 * ALLOCS]++;
	c->n[2 * BYTES] += size;
	p = malloc(size);
	c->n[2 * ALLOCS + 1]++;
	c->n[2 * BYTES + 1] += size;
	*(size_t *)p = size;
	return p;
}

static void
block_free(struct count *c, void *p)
{
	size_t size = *(size_t *)p;

	c->n[2 * FREES]++;
	c->n[2 * FREED] += size;
	free(p);
	c->n[2 * FREES + 1]++;
	c->n[2 * FREED + 1] += size;
}

/* Some depth, so that there are many call paths. */
static __attribute__((noinline)) void *
deeper(struct count *c, size_t size, unsigned path)
{
	void *volatile p;

	if (!path)
		return block_make(c, size);
	if (path & 1)
		p = deeper(c, size, path >> 1);
	else
		p = deeper(c, size + 8, path >> 1);
	return p;
}

static void *
worker(void *arg)
{
	struct count *c = arg;
	void *keep[SLOTS] = { NULL };
	uint64_t x = (uintptr_t)c | 1;

	while (!stop) {
		unsigned i;

		x = x * 6364136223846793005u + 1442695040888963407u;
		i = (unsigned)(x >> 33) % SLOTS;
		if (keep[i])
			block_free(c, keep[i]);
		keep[i] = deeper(c, 16 + (x >> 40) % 200, (x >> 50) % 2048);
	}
	return NULL;
}

static int
print(void)
{
	uint64_t sum[8] = { 0 };

	for (unsigned t = 0; t < THREADS; t++)
		for (unsigned k = 0; k < 8; k++)
			sum[k] += counts[t].n[k];
	for (unsigned k = 0; k < 8; k += 2)
		printf("%llu %llu\n", (unsigned long long)sum[k + 1],
		       (unsigned long long)sum[k]);
	return 0;
}

int
main(int argc, char **argv)
{
	size_t size = THREADS * sizeof(*counts);
	int fd, threads = argc > 2 ? atoi(argv[2]) : 0;
	pthread_t t[THREADS];

	if (argc < 2 || threads >= THREADS)
		return 2;
	fd = open(argv[1], O_RDWR | O_CREAT, 0666);
	if (fd < 0 || ftruncate(fd, (off_t)size) != 0)
		return 2;
	counts = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (counts == MAP_FAILED)
		return 2;
	close(fd);
	if (!threads)
		return print();
	/* The libc allocates less than this for a thread. */
	counts[THREADS - 1].n[2 * ALLOCS] += (uint64_t)threads;
	counts[THREADS - 1].n[2 * BYTES] += (uint64_t)threads * 1024;
	for (int i = 0; i < threads; i++)
		if (pthread_create(&t[i], NULL, worker, &counts[i]))
			return 2;
	sleep(argc > 3 ? (unsigned)atoi(argv[3]) : 60);
	stop = 1;
	for (int i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
	return 0;
}
