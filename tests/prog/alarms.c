/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Signal handlers that allocate while the program does.  Runs on an allocator
 * that such handlers may interrupt (libbump.c).
 *
 *	alarms US N [threads]	until N handlers of SIGALRM, one every US
 *			microseconds, have run.  Each makes 3 blocks of 48 bytes
 *			in struck(), frees those of the one before, and swaps a
 *			block of its own, of 80 bytes, with main's loop, which
 *			makes blocks of 16 to 215 bytes in plain(); each side
 *			frees what it got.  With threads, two more run the loop,
 *			too, and any of the three may be interrupted.
 *
 * Prints allocations, bytes, frees and freed bytes of all, then the first two
 * of struck(); by write(2).
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

struct count {
	atomic_ulong allocs, bytes, frees, freed;
};
static struct count all, in_handler;
static atomic_int strikes;
static int wanted;

/* Blocks store their size. */
static _Atomic(size_t *) swap, last[3];

static void
counted(struct count *c, size_t n)
{
	atomic_fetch_add(&c->allocs, 1);
	atomic_fetch_add(&c->bytes, n);
}

static __attribute__((noinline)) size_t *
struck(size_t n)
{
	size_t *p = malloc(n);

	*p = n;
	counted(&all, n);
	counted(&in_handler, n);
	return p;
}

static __attribute__((noinline)) size_t *
plain(size_t n)
{
	size_t *p = malloc(n);

	*p = n;
	counted(&all, n);
	return p;
}

static void
drop(size_t *p)
{
	if (!p)
		return;
	atomic_fetch_add(&all.frees, 1);
	atomic_fetch_add(&all.freed, *p);
	free(p);
}

static void
handler(int sig)
{
	(void)sig;
	if (strikes >= wanted)
		return;
	for (int i = 0; i < 3; i++)
		drop(atomic_exchange(&last[i], struck(48)));
	drop(atomic_exchange(&swap, struck(80)));
	strikes++;
}

static void *
loop(void *arg)
{
	for (unsigned i = 0; strikes < wanted; i++) {
		size_t *p = plain(16 + i % 200);

		if (i % 64 == 0)
			p = atomic_exchange(&swap, p);
		drop(p);
	}
	return arg;
}

int
main(int argc, char **argv)
{
	struct itimerval it = { 0 };
	struct sigaction a = { .sa_handler = handler, .sa_flags = SA_RESTART };
	pthread_t id[2];
	char line[200];
	int n;

	if (argc < 3)
		return 2;
	wanted = atoi(argv[2]);
	sigaction(SIGALRM, &a, NULL);
	for (int i = 0; i < 2 && argc > 3; i++)
		pthread_create(&id[i], NULL, loop, NULL);
	it.it_interval.tv_usec = it.it_value.tv_usec = atoi(argv[1]);
	setitimer(ITIMER_REAL, &it, NULL);
	loop(NULL);
	memset(&it, 0, sizeof(it));
	setitimer(ITIMER_REAL, &it, NULL);
	for (int i = 0; i < 2 && argc > 3; i++)
		pthread_join(id[i], NULL);
	n = snprintf(line, sizeof(line), "%lu %lu %lu %lu\n%lu %lu\n",
		     all.allocs, all.bytes, all.frees, all.freed,
		     in_handler.allocs, in_handler.bytes);
	return write(1, line, (size_t)n) != n;
}
