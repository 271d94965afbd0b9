/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Blocks that are freed soon, by the same thread or another.
 *
 *	temps gaps	keep_0 ... keep_17 make 100 blocks each, of 40 bytes; a
 *			block of keep_N is freed after N more allocations of
 *			other()'s.  Before the next allocation: 100 of keep_0;
 *			before the 16th next one: 100 each of keep_0 to keep_15
 *	temps pass	pass() makes 1,500 blocks in one thread.  That thread
 *			frees 500, the last block first: one before its next
 *			allocation, 16 before the 16th.  Another thread frees
 *			the other 1,000
 *	temps ended	ended() makes 100 blocks in each of 50 threads, which
 *			end.  The next thread, which can only have the struct of
 *			one of those, frees them: 5,000 frees of others' blocks
 *	temps resize	resized() makes 100 blocks of 40 bytes, resizes each to
 *			80 at once and frees it at once: 200 allocations; 100
 *			were freed before the next one
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static __attribute__((noinline)) void *
other(void)
{
	return malloc(8);
}

static void
gap(void *(*keep)(void), int n)
{
	void *p, *q[20];

	for (int round = 0; round < 100; round++) {
		p = keep();
		for (int i = 0; i < n; i++)
			q[i] = other();
		free(p);
		for (int i = 0; i < n; i++)
			free(q[i]);
	}
}

#define KEEP(n) \
	static __attribute__((noinline)) void *keep_##n(void) \
	{ \
		return malloc(40); \
	}
#define KEEPS(f) \
	f(0) f(1) f(2) f(3) f(4) f(5) f(6) f(7) f(8) f(9) f(10) f(11) f(12) \
		f(13) f(14) f(15) f(16) f(17)
KEEPS(KEEP)
#define NAME(n) keep_##n,

static void
gaps(void)
{
	static void *(*const keep[])(void) = { KEEPS(NAME) };

	for (int n = 0; n < 18; n++)
		gap(keep[n], n);
}

static void *block[1500];

static __attribute__((noinline)) void *
pass(void)
{
	return malloc(64);
}

static void *
pass_maker(void *arg)
{
	for (int i = 0; i < 1500; i++)
		block[i] = pass();
	for (int i = 1499; i >= 1000; i--)
		free(block[i]);
	return arg;
}

static void *
pass_breaker(void *arg)
{
	for (int i = 0; i < 1000; i++)
		free(block[i]);
	return arg;
}

static void
alone(void *(*f)(void *))
{
	pthread_t id;

	pthread_create(&id, NULL, f, NULL);
	pthread_join(id, NULL);
}

static __attribute__((noinline)) void *
ended(void)
{
	return malloc(72);
}

static void *
ended_maker(void *arg)
{
	for (int i = 0; i < 100; i++)
		block[i] = ended();
	return arg;
}

static void *
ended_breaker(void *arg)
{
	for (int i = 99; i >= 0; i--)
		free(block[i]);
	return arg;
}

static __attribute__((noinline)) void *
resized(void *p, size_t n)
{
	return realloc(p, n);
}

static void
resize(void)
{
	for (int i = 0; i < 100; i++)
		free(resized(resized(NULL, 40), 80));
}

int
main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "gaps";

	if (!strcmp(way, "gaps"))
		gaps();
	if (!strcmp(way, "resize"))
		resize();
	if (!strcmp(way, "pass")) {
		alone(pass_maker);
		alone(pass_breaker);
	}
	for (int i = 0; i < 50 && !strcmp(way, "ended"); i++) {
		alone(ended_maker);
		alone(ended_breaker);
	}
	return 0;
}
