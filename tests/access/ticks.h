/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A clock for programs whose times must be known on any machine, at any
 * load.  It stands still until the program calls ticks(); each reading adds
 * a little.  The program's own clock_gettime() (ticks.c) replaces libc's
 * and the kernel's in the whole process: for the naive recorder and the
 * monitor.  The monitor's thread that moves the clock of accesses sleeps
 * until a time that never comes.  So ticks() moves that clock by a block of
 * no bytes, as each timed block does; the programs run with
 * MEMMON_TIMING=1.
 */
#ifndef TICKS_H
#define TICKS_H

#include <stdlib.h>

#define TICK 40000000u /* ns */

/* Moves the clock by ns. */
void ticks_pass(unsigned long ns);

/* Moves the clock by n ticks. */
static inline void
ticks(unsigned n)
{
	void *volatile none; /* volatile: the compiler must keep it */

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
