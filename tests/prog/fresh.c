/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fresh [FILES]: four threads allocate blocks and free each other's, at eight
 * places in the program.  Every few blocks the size is one that no block had
 * before.  Meanwhile main writes data files, fresh.0, fresh.1 ... (40).
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define MEMMON_WEAK
#include "monitor/memmon.h"

#define SIZES 900u /* so few that each gets a row of its own */

static void *slot[64];
static int done;

static void *
place(unsigned k, size_t n)
{
	switch (k) {
	case 0:
		return malloc(n);
	case 1:
		return malloc(n);
	case 2:
		return malloc(n);
	case 3:
		return malloc(n);
	case 4:
		return malloc(n);
	case 5:
		return malloc(n);
	case 6:
		return malloc(n);
	default:
		return malloc(n);
	}
}

static void *
work(void *arg)
{
	unsigned x = *(unsigned *)arg, n = 0;
	void *p;

	while (!__atomic_load_n(&done, __ATOMIC_RELAXED)) {
		x = x * 1664525 + 1013904223;
		p = NULL;
		if (x & 256)
			p = place(x >> 10 & 7, 1 + n++ / 64 % SIZES);
		free(__atomic_exchange_n(&slot[x >> 26], p, __ATOMIC_ACQ_REL));
		if ((x & 15) == 0)
			usleep(1);
	}
	return NULL;
}

int
main(int argc, char **argv)
{
	static unsigned seed[4] = { 1, 2, 3, 4 };
	int i, files = argc > 1 ? atoi(argv[1]) : 40;
	char name[32];
	pthread_t t[4];

	for (i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, work, &seed[i]);
	for (i = 0; i < files; i++) {
		usleep(1000);
		snprintf(name, sizeof(name), "fresh.%d", i);
		memmon_dump_to(name);
	}
	__atomic_store_n(&done, 1, __ATOMIC_RELAXED);
	for (i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}
