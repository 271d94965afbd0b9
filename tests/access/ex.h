/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * For the examples of heap scores, ex_*.c: programs whose figures are worked
 * out by hand in the comment at their top.  Time is in ticks there: each waits
 * for tick 1, 2, 3 ... and does at once what the comment says, so that times
 * are known whatever the machine.  The lines that tests read are
 *
 *	expect FUNCTION key=value ...
 *
 * with FUNCTION the one that called malloc, and as keys blocks, bytes, reads,
 * writes, span, cover, groups; the scores lifetime, usage, cover-score, useful;
 * and the flags, as blocks/bytes.  A flag that isn't there is 0/0, but short,
 * early and late, which are looked at only where they are there.  Values with a
 * point are exact to +-0.02, the others entirely.  "expect program" has the
 * means over the sites: lifetime, usage, useful.
 *
 * A program that the machine held up ends with status 77, to be run again.
 */
#ifndef EX_H
#define EX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A function that stays one, with its name. */
#ifdef __clang__
#define NOINLINE __attribute__((noinline))
#else
#define NOINLINE __attribute__((noipa))
#endif

#define EX_TICK 40000000 /* ns */
#define EX_LATE 2500000	 /* ns after its time that a tick may begin */
#define EX_WORK 400000	 /* ns that it may take, less than tau */

static uint64_t ex_start, ex_tick, ex_woke;
static bool ex_late;

static inline uint64_t
ex_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Wait for the next tick.  The first call is tick 0, the program's start. */
static inline void
tick(void)
{
	uint64_t now = ex_now(), due;
	struct timespec t;

	if (!ex_start) {
		/* What happens once, at the first block; it doesn't count. */
		free(malloc(0));
		ex_start = ex_woke = ex_now();
		return;
	}
	due = ex_start + ++ex_tick * EX_TICK;
	t.tv_sec = (time_t)(due / 1000000000);
	t.tv_nsec = (long)(due % 1000000000);
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
	if (now > ex_woke + EX_WORK)
		ex_late = true;
	ex_woke = ex_now();
	if (ex_woke > due + EX_LATE)
		ex_late = true;
}

static inline void
ticks(int n)
{
	while (n--)
		tick();
}

/* The last thing that a program does: its status. */
static inline int
ex_end(void)
{
	return ex_late || ex_now() > ex_woke + EX_WORK ? 77 : 0;
}

/* Read or write n bytes one by one; the compiler leaves none out. */
static inline void
put(void *p, size_t n)
{
	volatile char *c = p;

	while (n--)
		*c++ = 1;
}

static inline int
get(const void *p, size_t n)
{
	const volatile char *c = p;
	int sum = 0;

	while (n--)
		sum += *c++;
	return sum;
}

#endif
