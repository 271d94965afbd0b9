/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Blocks of two spans, of one call path, size and thread: counts alone can't
 * say which of them were freed.  Threads "main" and "helper" both allocate in
 * make():
 *
 *	mark a	10 blocks of 100 bytes
 *	mark b	10 of 100 and 5 of 40
 *	mark c	of the first 10, four are freed; of those of 100 after
 *		mark a, one; of those of 40, two		live 1620 each
 *	mark d	10 of 100
 *
 * So 9 of 100 and 3 of 40 bytes that each thread made between a and b are not
 * freed: 2040 bytes in 24 blocks.  Just before d 2 * 1620 bytes are live.
 */
#define MEMMON_WEAK
#include <pthread.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

#include "monitor/memmon.h"

enum { BLOCKS = 40 };

static __attribute__((noinline)) void *
make(size_t size)
{
	void *volatile p = malloc(size);

	return p;
}

/* A thread's blocks. */
struct part {
	void *block[BLOCKS];
	int n;
};

static struct part parts[2];
static pthread_barrier_t barrier;

static void
more(struct part *p, int n, size_t size)
{
	for (int i = 0; i < n; i++)
		p->block[p->n++] = make(size);
}

/* All threads wait here, and one sets the mark. */
static void
mark(const char *name)
{
	const struct timespec t = { 0, 2000000 };

	if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
		nanosleep(&t, NULL);
		memmon_mark(name);
		nanosleep(&t, NULL);
	}
	pthread_barrier_wait(&barrier);
}

static void *
act(void *arg)
{
	struct part *p = arg;

	if (p != parts)
		prctl(PR_SET_NAME, "helper");
	for (int span = 0; span < 4; span++) {
		static const char *const names[] = { "a", "b", "c", "d" };
		static const int hundreds[] = { 10, 10, 0, 10 };
		static const int forties[] = { 0, 5, 0, 0 };

		more(p, hundreds[span], 100);
		more(p, forties[span], 40);
		for (int i = 0; span == 2 && i < 4; i++)
			free(p->block[i]);
		for (int i = 19; span == 2 && i < 22; i++)
			free(p->block[i]);
		mark(names[span]);
	}
	return NULL;
}

int
main(void)
{
	pthread_t t;

	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&t, NULL, act, &parts[1]);
	act(&parts[0]);
	pthread_join(t, NULL);
	return 0;
}
