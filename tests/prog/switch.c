/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * switch THREADS ROUNDS WAY: threads make and free blocks, and pass some to one
 * another.  Meanwhile the main thread does one of these 400 times, or for some
 * seconds, since each waits for threads, which a busy machine may not run:
 *
 *	stop	stops and starts recording
 *	reset	resets the counts
 *	both	either, and writes files in between
 *
 *	signal	sends all of them signals that memmon handles; the last one
 *		after make_last() made a block
 *
 * Then all threads have paused.  The main thread resets the counts, and each
 * thread makes ROUNDS blocks of 48 bytes and frees all but KEEP of them; half
 * of them are another thread's.  The file must have these.  The second line
 * says how many frees of older blocks it must have.
 */
#define MEMMON_WEAK
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "monitor/memmon.h"

#define MAX 16
#define TIMES 400
#define SECONDS 10
#define SLOTS 256
#define KEEP 5
#define OLD 20

static _Atomic(void *) slot[SLOTS];
static atomic_int stop;
static int threads, rounds;
static pthread_barrier_t barrier;
static void *old[MAX][OLD], *made[MAX][1 << 16];

static __attribute__((noinline)) void *
make(size_t n)
{
	return malloc(n);
}

static __attribute__((noinline)) void *
make_last(void)
{
	void *volatile p = malloc(7001);

	return p;
}

static void
churn(unsigned seed)
{
	unsigned r = seed * 2654435761u + 1;
	void *p;

	while (!atomic_load(&stop)) {
		r = r * 1664525u + 1013904223u;
		p = make(16 + (r >> 20) % 200);
		if (r & 1 << 13)
			p = realloc(p, 40000 + (r >> 18));
		free(atomic_exchange(&slot[(r >> 8) % SLOTS], p));
	}
}

static void *
run(void *arg)
{
	int i = (int)(long)arg;

	churn((unsigned)i);
	for (int k = 0; k < OLD; k++)
		old[i][k] = make(24);
	pthread_barrier_wait(&barrier);
	/* The main thread resets. */
	pthread_barrier_wait(&barrier);
	for (int k = 0; k < rounds; k++)
		made[i][k] = make(48);
	for (int k = 0; k < OLD; k++)
		free(old[(i + 1) % threads][k]);
	pthread_barrier_wait(&barrier);
	for (int k = 0; k < rounds - KEEP; k++)
		free(made[(i + (k & 1)) % threads][k]);
	pthread_barrier_wait(&barrier);
	/* Until the file is written. */
	pthread_barrier_wait(&barrier);
	return NULL;
}

static void
send_signals(pthread_t *id)
{
	for (int k = 0; k < 60; k++) {
		pthread_kill(id[k % threads], SIGUSR2);
		if (k % 3 == 0)
			raise(SIGUSR2);
		sched_yield();
	}
	slot[0] = make_last();
	for (int i = 0; i < threads; i++)
		pthread_kill(id[i], SIGUSR2);
	raise(SIGUSR2);
}

static time_t
seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec;
}

int
main(int argc, char **argv)
{
	pthread_t id[MAX];
	const char *way = argc > 3 ? argv[3] : "stop";
	time_t end;

	threads = argc > 1 ? atoi(argv[1]) : 2;
	rounds = argc > 2 ? atoi(argv[2]) : 1000;
	pthread_barrier_init(&barrier, NULL, (unsigned)threads + 1);
	for (int i = 0; i < threads; i++)
		pthread_create(&id[i], NULL, run, (void *)(long)i);
	if (!strcmp(way, "signal"))
		send_signals(id);
	end = seconds() + SECONDS;
	for (int k = 0;
	     k < TIMES && strcmp(way, "signal") != 0 && seconds() < end; k++) {
		if (strcmp(way, "reset") != 0) {
			memmon_stop();
			memmon_start();
		}
		if (strcmp(way, "stop") != 0)
			memmon_reset();
		if (!strcmp(way, "both") && k % 20 == 0)
			memmon_dump_to("between.mon");
		sched_yield();
	}
	atomic_store(&stop, 1);
	pthread_barrier_wait(&barrier);
	printf("%d\n", memmon_reset());
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	memmon_stop();
	memmon_dump_to("end.mon");
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < threads; i++)
		pthread_join(id[i], NULL);
	return 0;
}
