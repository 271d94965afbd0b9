/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The clock of ticks.h; compiled without recording: recorders read it. */
#include "tests/access/ticks.h"

#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tests/clock.h"

#define LOOK 10u		  /* ns that each reading adds */
#define LATER 4000000000000000000 /* ns: no machine has run for as long */
#define SECOND 1000000000u

static uint64_t passed;

void
ticks_pass(unsigned long ns)
{
	__atomic_add_fetch(&passed, ns, __ATOMIC_RELAXED);
}

int
clock_gettime(clockid_t id, struct timespec *t)
{
	uint64_t now;

	if (id != CLOCK_MONOTONIC)
		return (int)syscall(SYS_clock_gettime, id, t);
	now = LATER + __atomic_add_fetch(&passed, LOOK, __ATOMIC_RELAXED);
	t->tv_sec = (time_t)(now / SECOND);
	t->tv_nsec = (long)(now % SECOND);
	return 0;
}
