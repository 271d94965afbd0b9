/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Threads allocate, resize and free blocks of many sizes and call paths while
 * the data file is written: agree HOW THREADS EVENTS [SIZES].  First main
 * allocates and frees SIZES blocks, each of a different size.  After EVENTS
 * allocations it does what HOW says: term: raise SIGTERM; exit: call _exit();
 * usr1: raise SIGUSR1 30 times; dump: a thread calls memmon_dump_to() 30 times,
 * for dump.1, dump.2 and so on.  No totals: each run has others.  AGREE_TIMES
 * replaces the 30.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SLOTS 256

static int times = 30;
static unsigned long events; /* atomic */

static __attribute__((noinline)) void *
make(void *old, size_t size, unsigned path)
{
	void *volatile p;

	if (!path)
		return realloc(old, size);
	if (path & 1)
		p = make(old, size, path >> 1);
	else
		p = make(old, size + 1, path >> 1);
	return p;
}

static void *
worker(void *arg)
{
	uint64_t x = (uintptr_t)arg;
	char *keep[SLOTS] = { NULL };

	for (;;) {
		unsigned i;

		x = x * 6364136223846793005u + 1442695040888963407u;
		i = (unsigned)(x >> 33) % SLOTS;
		if (x >> 60) {
			free(keep[i]);
			keep[i] = NULL;
		}
		keep[i] = make(keep[i], 1 + (x >> 40) % 500,
			       (unsigned)(x >> 50) % 16);
		keep[i][0] = 1;
		__atomic_fetch_add(&events, 1, __ATOMIC_RELAXED);
	}
	return NULL;
}

static void
await(unsigned long n)
{
	while (__atomic_load_n(&events, __ATOMIC_RELAXED) < n)
		sched_yield();
}

static void *
dumper(void *arg)
{
	int (*dump_to)(const char *) = NULL;
	void *f = dlsym(RTLD_DEFAULT, "memmon_dump_to");
	unsigned long n = *(unsigned long *)arg;
	char name[32];

	memcpy(&dump_to, &f, sizeof(f));
	for (int k = 1; k <= times; k++) {
		await(n);
		n = events + 1000;
		snprintf(name, sizeof(name), "dump.%d", k);
		if (!dump_to || dump_to(name) != 0)
			_exit(3);
	}
	return NULL;
}

int
main(int argc, char **argv)
{
	unsigned long n = argc > 3 ? strtoul(argv[3], NULL, 10) : 0;
	pthread_t t;

	if (argc < 4)
		return 2;
	if (getenv("AGREE_TIMES"))
		times = atoi(getenv("AGREE_TIMES"));
	for (unsigned long i = argc > 4 ? strtoul(argv[4], NULL, 10) : 0; i;
	     i--)
		free(make(NULL, i, 0));
	for (uintptr_t i = 1; i <= strtoul(argv[2], NULL, 10); i++)
		if (pthread_create(&t, NULL, worker, (void *)(i * 7919)))
			return 2;
	await(n);
	if (!strcmp(argv[1], "term"))
		raise(SIGTERM);
	for (int k = 0; k < times && !strcmp(argv[1], "usr1"); k++) {
		raise(SIGUSR1);
		await(events + 1000);
	}
	if (!strcmp(argv[1], "dump") &&
	    (pthread_create(&t, NULL, dumper, &n) || pthread_join(t, NULL)))
		return 2;
	_exit(0);
}
