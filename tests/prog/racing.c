/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Four threads allocate blocks of 1 to 256 bytes and free each other's, while
 * main writes data files: racing.0 to racing.7, and one at the end, when they
 * still run.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define MEMMON_WEAK
#include "monitor/memmon.h"

static void *slot[4096];

static void *
work(void *arg)
{
	unsigned x = *(unsigned *)arg;
	void *p;

	for (;;) {
		x = x * 1664525 + 1013904223;
		p = x & 256 ? malloc((x >> 12 & 255) + 1) : NULL;
		free(__atomic_exchange_n(&slot[x >> 20], p, __ATOMIC_ACQ_REL));
	}
	return NULL;
}

int
main(void)
{
	static unsigned seed[4] = { 1, 2, 3, 4 };
	char name[16] = "racing.0";
	pthread_t t;
	int i;

	for (i = 0; i < 4; i++)
		pthread_create(&t, NULL, work, &seed[i]);
	for (i = 0; i < 8; i++, name[7]++) {
		usleep(10000);
		memmon_dump_to(name);
	}
	return 0;
}
