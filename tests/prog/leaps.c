/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Handlers that don't return, and threads that are cancelled, anywhere in an
 * allocator that stands it (libbump.c).
 *
 *	leaps jump N	main makes and frees blocks of 32 bytes in plain(); each
 *			300 us a handler of SIGPROF takes a backtrace, makes a
 *			block of 48 in struck(), frees it, and leaves by
 *			siglongjmp(), N times
 *	leaps stack N	the same with the handler on a stack of its own
 *	leaps cancel N	N threads do as main does above, each till cancelled
 *			asynchronously
 *
 * At most one event for each of the N may have been counted or not.  Then main
 * and four new threads make 1,000 blocks each of 24 bytes in after() and free
 * them: all of these count.  Prints what plain(), struck() and after() have
 * made, and the blocks freed, as far as the program knows.
 */
#define _GNU_SOURCE
#include <execinfo.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static atomic_ulong made, struck_made, after_made;
static volatile sig_atomic_t strikes;
static sig_atomic_t wanted;
static sigjmp_buf back;
static char stack[1 << 18];

static __attribute__((noinline)) void *
plain(size_t n)
{
	void *p = malloc(n);

	__asm__ volatile("" : : "r"(p) : "memory");
	return p;
}

static __attribute__((noinline)) void *
struck(size_t n)
{
	void *p = malloc(n);

	__asm__ volatile("" : : "r"(p) : "memory");
	return p;
}

static __attribute__((noinline)) void *
after(size_t n)
{
	void *p = malloc(n);

	__asm__ volatile("" : : "r"(p) : "memory");
	return p;
}

static void
handler(int sig)
{
	void *frame[20];

	(void)sig;
	if (strikes >= wanted)
		return;
	backtrace(frame, 20);
	free(struck(48));
	struck_made++;
	strikes++;
	siglongjmp(back, 1);
}

static void *
loop(void *arg)
{
	int old;

	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
	for (;;) {
		free(plain(32));
		made++;
	}
	return arg;
}

static void
jump(int flags)
{
	struct sigevent ev = { .sigev_notify = SIGEV_SIGNAL,
			       .sigev_signo = SIGPROF };
	struct itimerspec it = { { 0, 300000 }, { 0, 300000 } };
	struct sigaction a = { .sa_handler = handler, .sa_flags = flags };
	stack_t ss = { .ss_sp = stack, .ss_size = sizeof(stack) };
	void *frame[20];
	timer_t t;

	/* The first time it loads a library. */
	backtrace(frame, 20);
	sigaltstack(&ss, NULL);
	sigaction(SIGPROF, &a, NULL);
	timer_create(CLOCK_MONOTONIC, &ev, &t);
	/* The first signal may come before timer_settime() returns. */
	if (!sigsetjmp(back, 1))
		timer_settime(t, 0, &it, NULL);
	while (strikes < wanted) {
		free(plain(32));
		made++;
	}
	timer_delete(t);
	signal(SIGPROF, SIG_IGN);
}

static void
cancel(void)
{
	struct timespec t = { 0, 300000 };
	pthread_t id;

	for (int i = 0; i < wanted; i++) {
		pthread_create(&id, NULL, loop, NULL);
		nanosleep(&t, NULL);
		pthread_cancel(id);
		pthread_join(id, NULL);
	}
}

static void *
afterwards(void *arg)
{
	for (int i = 0; i < 1000; i++) {
		free(after(24));
		after_made++;
	}
	return arg;
}

int
main(int argc, char **argv)
{
	pthread_t id[4];
	char line[200];
	int n;

	if (argc < 3)
		return 2;
	wanted = atoi(argv[2]);
	if (!strcmp(argv[1], "jump"))
		jump(0);
	else if (!strcmp(argv[1], "stack"))
		jump(SA_ONSTACK);
	else
		cancel();
	for (int i = 0; i < 4; i++)
		pthread_create(&id[i], NULL, afterwards, NULL);
	afterwards(NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(id[i], NULL);
	n = snprintf(line, sizeof(line), "%lu %lu %lu\n", atomic_load(&made),
		     atomic_load(&struck_made), atomic_load(&after_made));
	return write(1, line, (size_t)n) != n;
}
