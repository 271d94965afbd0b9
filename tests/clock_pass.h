/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A clock for programs whose times must be known.  From the first clock_pass()
 * it stands still: clock_pass() moves it, and each look at it moves it by
 * CLOCK_LOOK ns.  Include it in one file of the program.
 */
#ifndef MEMMON_TESTS_CLOCK_PASS_H
#define MEMMON_TESTS_CLOCK_PASS_H

#include "tests/clock.h"

#ifndef CLOCK_LOOK
#define CLOCK_LOOK 0
#endif

static uint64_t clock_stands; /* ns; 0: the kernel's clock */

int
clock_gettime(clockid_t id, struct timespec *ts)
{
	if (!clock_stands || id != CLOCK_MONOTONIC)
		return (int)syscall(SYS_clock_gettime, id, ts);
	clock_stands += CLOCK_LOOK;
	ts->tv_sec = (time_t)(clock_stands / 1000000000u);
	ts->tv_nsec = (long)(clock_stands % 1000000000u);
	return 0;
}

/* Return what the clock shows, ns. */
static uint64_t
clock_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* Move the clock by ns. */
static __attribute__((unused)) void
clock_pass(uint64_t ns)
{
	clock_stands = clock_now() + ns;
}

#endif
