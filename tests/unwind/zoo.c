/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Frames of many kinds, with an allocation under each: for the comparison of
 * two unwinders.  Compiled with many sets of flags.  Prints "done".
 *
 *	zoo [ALARMS]	ALARMS (100) signals, anywhere
 *	zoo calm	no signals, and only the threads' own stacks
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

static void *volatile sink;

static __attribute__((noinline)) void
leaf(size_t n)
{
	void *p = malloc(n);

	sink = p;
	free(p);
}

/* Frames whose size is known at run time only. */
static __attribute__((noinline)) void
with_alloca(int n)
{
	volatile char *p = __builtin_alloca((size_t)n * 7 + 1);

	p[n] = 1;
	leaf((size_t)n);
	if (n > 0)
		with_alloca(n - 1);
	p[0] = 2;
}

/* Frames on a realigned stack. */
static __attribute__((noinline)) void
realigned(int n)
{
	volatile char p[128] __attribute__((aligned(64)));

	p[n] = 1;
	leaf((size_t)((unsigned long)p % 64 + 8));
	if (n > 0)
		realigned(n - 1);
	p[1] = 2;
}

/* Both, and many registers in use. */
static __attribute__((noinline)) int
busy(int a, int b, int c, int d, int e, int f, int g, int h)
{
	volatile char p[64] __attribute__((aligned(32)));
	volatile char *q = __builtin_alloca((size_t)(a & 15) + 1);
	int s = 0;

	for (int i = 0; i < 3; i++) {
		q[0] = p[i] = (char)i;
		leaf((size_t)(a + b + i));
		s += a * b - c * d + e * f - g * h + p[i] + q[0];
		a += b;
		c ^= d;
		e -= f;
		g |= h;
	}
	return s + (a > 100 ? 0 : busy(b, c, d, e, f, g, h, a + 101));
}

static int
compare(const void *a, const void *b)
{
	leaf(16);
	return *(const int *)a - *(const int *)b;
}

static void
callbacks(void)
{
	int v[50];

	for (int i = 0; i < 50; i++)
		v[i] = (i * 37) % 50;
	qsort(v, 50, sizeof(v[0]), compare);
	bsearch(&v[3], v, 50, sizeof(v[0]), compare);
}

static jmp_buf env;

static __attribute__((noinline)) void
jumper(int n)
{
	leaf(24);
	if (n == 0)
		longjmp(env, 1);
	jumper(n - 1);
	leaf(25);
}

static void
jumps(void)
{
	for (volatile int i = 0; i < 10; i++)
		if (!setjmp(env))
			jumper(i);
	leaf(26);
}

static void
on_signal(int sig)
{
	leaf((size_t)sig);
	with_alloca(3);
}

static void
signals(void)
{
	static char stack[1 << 16];
	stack_t ss = { .ss_sp = stack, .ss_size = sizeof(stack) };
	struct sigaction a;

	memset(&a, 0, sizeof(a));
	a.sa_handler = on_signal;
	sigaction(SIGUSR1, &a, NULL);
	raise(SIGUSR1);
	sigaltstack(&ss, NULL);
	a.sa_flags = SA_ONSTACK;
	sigaction(SIGUSR2, &a, NULL);
	raise(SIGUSR2);
	kill(getpid(), SIGUSR2);
}

static volatile int alarms, alarms_wanted = 100;

/* Once, in half a millisecond: main must go on even if a handler is slow. */
static void
alarm_soon(void)
{
	struct itimerval it = { { 0, 0 }, { 0, 500 } };

	setitimer(ITIMER_REAL, &it, NULL);
}

static void
on_alarm(int sig)
{
	leaf((size_t)sig);
	if (++alarms < alarms_wanted)
		alarm_soon();
}

/* Signals anywhere: in prologues, epilogues, the middle of malloc. */
static void
storm(void)
{
	signal(SIGALRM, on_alarm);
	alarm_soon();
	while (alarms < alarms_wanted) {
		with_alloca(2);
		realigned(1);
		busy(1, 2, 3, 4, 5, 6, 7, 8);
	}
}

static ucontext_t home, away;

static void
coroutine(int n)
{
	leaf(100);
	for (int i = 0; i < n; i++) {
		with_alloca(i);
		swapcontext(&away, &home);
	}
	leaf(101);
}

static void
coroutines(void)
{
	char *stack = malloc(1 << 16);

	getcontext(&away);
	away.uc_stack.ss_sp = stack;
	away.uc_stack.ss_size = 1 << 16;
	away.uc_link = &home;
	makecontext(&away, (void (*)(void))coroutine, 1, 5);
	for (int i = 0; i < 6; i++) {
		leaf(102);
		swapcontext(&home, &away);
	}
	free(stack);
}

static void *
thread(void *arg)
{
	with_alloca(5);
	realigned(3);
	return arg;
}

static void
threads(void)
{
	pthread_t id[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&id[i], NULL, thread, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(id[i], NULL);
}

static __attribute__((noinline)) int
deep(int n)
{
	if (n == 0)
		leaf(8);
	else
		return deep(n - 1) + 1;
	return 0;
}

/* Calls that the compiler turns into jumps. */
static __attribute__((noinline)) void
tail_c(int n)
{
	leaf((size_t)n + 30);
	leaf((size_t)n + 31);
}

static __attribute__((noinline)) void
tail_b(int n)
{
	if (n & 1)
		leaf(32);
	tail_c(n);
}

static __attribute__((noinline)) void
tail_a(int n)
{
	leaf(33);
	tail_b(n + 1);
}

/* A function on the stack; it calls back into the outer function's frame. */
static void
nested(void)
{
#ifndef __clang__
	volatile int calls = 0;
	int by_calls(const void *a, const void *b)
	{
		calls++;
		leaf((size_t)calls + 1);
		return *(const int *)b - *(const int *)a;
	}
	int v[9] = { 5, 3, 8, 1, 9, 2, 7, 4, 6 };

	qsort(v, 9, sizeof(v[0]), by_calls);
#endif
}

static void
at_exit(void)
{
	leaf(9);
}

__attribute__((constructor)) static void
first(void)
{
	leaf(10);
}

__attribute__((destructor)) static void
last(void)
{
	leaf(11);
}

int
main(int argc, char **argv)
{
	int calm = argc > 1 && !strcmp(argv[1], "calm");
	char *line = NULL;

	if (argc > 1 && !calm)
		alarms_wanted = atoi(argv[1]);
	atexit(at_exit);
	with_alloca(20);
	realigned(5);
	busy(1, 2, 3, 4, 5, 6, 7, 8);
	callbacks();
	jumps();
	for (int i = 0; i < 4; i++)
		tail_a(i);
	nested();
	if (!calm) {
		signals();
		storm();
		coroutines();
	}
	threads();
	deep(2000);
	if (asprintf(&line, "%s", "done") < 0)
		return 1;
	puts(line);
	free(line);
	return 0;
}
