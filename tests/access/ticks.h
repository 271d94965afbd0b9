/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A clock for programs whose times are to be known, whatever the machine and
 * whatever else it does: it stands still, but for a little with each look at
 * it, until the program says tick().  The program's own clock_gettime()
 * (ticks.c) is in the way of libc's and of the kernel's for all that is in the
 * process: the naive recorder and the monitor, whose thread that moves the
 * clock of accesses sleeps until a time that never comes.  So a block of no
 * bytes moves that clock, as each block that is timed does; the programs run
 * with MEMMON_TIMING=1.
 */
#ifndef TICKS_H
#define TICKS_H

#include <stdlib.h>

#define TICK 40000000u /* ns */

/* So much time goes by. */
void ticks_pass(unsigned long ns);

/* So many ticks go by. */
static inline void
ticks(unsigned n)
{
	void *volatile none; /* or the compiler leaves it out */

	for (; n; n--) {
		ticks_pass(TICK);
		none = malloc(0);
		free(none);
	}
}

static inline void
tick(void)
{
	ticks(1);
}

#endif
