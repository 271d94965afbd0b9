/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Threads with names, each with a known number of blocks.
 *
 *	crew names	six threads, "hand 1" ... "hand 6": hand n makes n x
 *			1,000 blocks of 10 n bytes, frees every second one
 *			itself, and leaves the others to "sweeper", which frees
 *			all of hand 1's to hand 5's: 7,500 foreign frees.
 *			Hand 6's stay; main frees 100 of them
 *	crew alike	20 threads of one name, "alike", 10 blocks of 7 bytes
 *			each, all freed; and one that renames itself to "other"
 *			half-way, after 5 of 10 blocks
 *	crew running	two threads, "runs 1" and "runs 2", have made 30 and 40
 *			blocks of 9 bytes and wait when main calls _exit
 *	crew many N	N threads, 4 at a time, make 3 blocks of 24 bytes each,
 *			free 2, and leave one to main: N foreign frees
 *	crew sizes N	N threads of one name, "sizes", one after the other,
 *			make a block of each size from 1 to 300 and free those
 *			of the one before; the last waits when main calls _exit
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *left[7][3000];
static pthread_barrier_t ready;

static __attribute__((noinline)) void *
make(size_t n)
{
	return malloc(n);
}

static void
name_me(const char *format, unsigned n)
{
	char name[16];

	snprintf(name, sizeof(name), format, n);
	pthread_setname_np(pthread_self(), name);
}

static void *
hand(void *arg)
{
	unsigned n = (unsigned)(size_t)arg;

	name_me("hand %u", n);
	for (unsigned i = 0; i < n * 500; i++) {
		free(make(10 * n));
		left[n][i] = make(10 * n);
	}
	return NULL;
}

static void *
sweeper(void *arg)
{
	name_me("sweeper", 0);
	for (unsigned n = 1; n <= 5; n++)
		for (unsigned i = 0; i < n * 500; i++)
			free(left[n][i]);
	return arg;
}

static void
names(void)
{
	pthread_t id[7];

	for (size_t n = 1; n <= 6; n++)
		pthread_create(&id[n], NULL, hand, (void *)n);
	for (size_t n = 1; n <= 6; n++)
		pthread_join(id[n], NULL);
	pthread_create(&id[0], NULL, sweeper, NULL);
	pthread_join(id[0], NULL);
	for (unsigned i = 0; i < 100; i++)
		free(left[6][i]);
}

static void *
alike(void *arg)
{
	name_me("alike", 0);
	for (int i = 0; i < 10; i++) {
		free(make(7));
		if (i == 4 && arg)
			name_me("other", 0);
	}
	return NULL;
}

static void
all_alike(void)
{
	pthread_t id;

	for (int i = 0; i <= 20; i++) {
		pthread_create(&id, NULL, alike, i < 20 ? NULL : &id);
		pthread_join(id, NULL);
	}
}

static void *
running(void *arg)
{
	unsigned n = (unsigned)(size_t)arg;

	name_me("runs %u", n);
	for (unsigned i = 0; i < 20 + 10 * n; i++)
		left[n][i] = make(9);
	pthread_barrier_wait(&ready);
	pause();
	return NULL;
}

static void
leave_running(void)
{
	pthread_t id;

	pthread_barrier_init(&ready, NULL, 3);
	for (size_t n = 1; n <= 2; n++)
		pthread_create(&id, NULL, running, (void *)n);
	pthread_barrier_wait(&ready);
	_exit(0);
}

static void *
one_of_many(void *arg)
{
	void **to = arg, *p[2];

	for (int i = 0; i < 2; i++)
		p[i] = make(24);
	*to = make(24);
	for (int i = 0; i < 2; i++)
		free(p[i]);
	return NULL;
}

static void
many(unsigned n)
{
	pthread_t id[4];
	void *p[4];

	for (unsigned i = 0; i < n; i += 4) {
		for (unsigned k = 0; k < 4; k++)
			pthread_create(&id[k], NULL, one_of_many, &p[k]);
		for (unsigned k = 0; k < 4; k++) {
			pthread_join(id[k], NULL);
			free(p[k]);
		}
	}
}

static void *
of_sizes(void *last)
{
	name_me("sizes", 0);
	for (unsigned n = 1; n <= 300; n++) {
		free(left[0][n]);
		left[0][n] = make(n);
	}
	if (last) {
		pthread_barrier_wait(&ready);
		pause();
	}
	return NULL;
}

static void
sizes(unsigned n)
{
	pthread_t id;

	pthread_barrier_init(&ready, NULL, 2);
	while (n-- > 0) {
		pthread_create(&id, NULL, of_sizes, n ? NULL : &ready);
		if (n)
			pthread_join(id, NULL);
	}
	pthread_barrier_wait(&ready);
	_exit(0);
}

int
main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "names";

	if (!strcmp(way, "names"))
		names();
	if (!strcmp(way, "alike"))
		all_alike();
	if (!strcmp(way, "running"))
		leave_running();
	if (!strcmp(way, "many") && argc > 2)
		many((unsigned)atoi(argv[2]));
	if (!strcmp(way, "sizes") && argc > 2)
		sizes((unsigned)atoi(argv[2]));
	return 0;
}
