/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Threads call functions of libraries by a pointer.  Two libraries, each with a
 * function at the same fixed place (PART 3 of handed_pointers.c), are opened
 * and closed in turn.  The arguments are a number of rounds, and libraries: the
 * first isn't recorded; another thread opens and closes the last until the end.
 * No thread calls a library that is being closed.  Prints how many blocks there
 * must be, and how many of them must count as passed to unrecorded code:
 *
 *	recorded	n 0	to a library that is recorded
 *	foreign		n n	to the first one
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/access/handed.h"

#define CALLERS 3
#define CALLS 3

typedef void (*fill_fn)(char *p);

static pthread_barrier_t barrier;
static fill_fn fill;
static int is_foreign, over;

NOINLINE char *
recorded(void)
{
	return calloc(1, 64);
}

NOINLINE char *
foreign(void)
{
	return calloc(1, 64);
}

/* All call the open library; it is closed when the last has returned. */
static void *
caller(void *none)
{
	(void)none;
	for (;;) {
		pthread_barrier_wait(&barrier);
		if (over)
			return NULL;
		for (int i = 0; i < CALLS; i++) {
			char *p = is_foreign ? foreign() : recorded();

			fill(p);
			free(p);
		}
		pthread_barrier_wait(&barrier);
	}
}

static void *
other(void *path)
{
	for (;;) {
		void *file = dlopen(path, RTLD_NOW);

		if (!file)
			abort();
		dlclose(file);
	}
}

static int
round_of(const char *path)
{
	void *file = dlopen(path, RTLD_NOW);

	fill = file ? (fill_fn)dlsym(file, "opened_fill") : NULL;
	if (!fill)
		return -1;
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	return dlclose(file);
}

int
main(int argc, char **argv)
{
	unsigned chance = 1, n[2] = { 0, 0 }, libraries = (unsigned)argc - 3;
	pthread_t t[CALLERS + 1];
	int rounds = argc > 1 ? atoi(argv[1]) : 0;

	if (argc < 5)
		return 2;
	pthread_barrier_init(&barrier, NULL, CALLERS + 1);
	for (int i = 0; i < CALLERS; i++)
		pthread_create(&t[i], NULL, caller, NULL);
	pthread_create(&t[CALLERS], NULL, other, argv[argc - 1]);
	for (int i = 0; i < rounds; i++) {
		unsigned which;

		chance = chance * 1103515245 + 12345;
		which = (chance >> 16) % libraries;
		is_foreign = which == 0;
		n[is_foreign] += CALLERS * CALLS;
		if (round_of(argv[2 + which]) != 0)
			return 3;
	}
	over = 1;
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < CALLERS; i++)
		pthread_join(t[i], NULL);
	printf(n[0] ? "%u 0 write_only, " : ", ", n[0]);
	printf(n[1] ? "%u %u\n" : "\n", n[1], n[1]);
	return 0;
}
