/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A heap in phases, for tests of time.  A mark ends each phase:
 *
 *	load	100 blocks of 1000 bytes by load()		live 100000
 *	work	50 times 400 bytes by work(), freed at once,
 *		10 of 64 bytes by cache()			live 100640
 *	big	one of 1000000 by big(), freed before the mark	live 100640
 *	drop	those of load() are freed			live    640
 *	tail	5 of 2000 by load(), 4 of cache()'s freed	live  10384
 *
 * In all 166 allocations of 1130640 bytes, 155 frees of 1120256; the peak is
 * 1100640.  Some milliseconds pass between phases, and in them, by the
 * program's own clock: on a busy machine, too, malloc() takes no time.
 */
#define MEMMON_WEAK
#define CLOCK_LOOK 10
#include <stdlib.h>

#include "monitor/memmon.h"
#include "tests/clock_pass.h"

static void *loaded[105], *cached[10];

static void
pause_a_little(void)
{
	clock_pass(3000000);
}

static __attribute__((noinline)) void
load(int from, int to, size_t size)
{
	for (int i = from; i < to; i++)
		loaded[i] = malloc(size);
}

static __attribute__((noinline)) void
work(void)
{
	char *volatile p = malloc(400);

	free(p);
}

static __attribute__((noinline)) void
cache(int i)
{
	cached[i] = malloc(64);
}

static __attribute__((noinline)) void
big(void)
{
	char *volatile p = malloc(1000000);

	pause_a_little();
	free(p);
}

static void
phase(const char *name)
{
	pause_a_little();
	memmon_mark(name);
	pause_a_little();
}

int
main(void)
{
	clock_pass(0);
	load(0, 100, 1000);
	phase("load");
	for (int i = 0; i < 50; i++)
		work();
	for (int i = 0; i < 10; i++)
		cache(i);
	phase("work");
	big();
	phase("big");
	for (int i = 0; i < 100; i++)
		free(loaded[i]);
	phase("drop");
	load(100, 105, 2000);
	for (int i = 0; i < 4; i++)
		free(cached[i]);
	phase("tail");
	return 0;
}
