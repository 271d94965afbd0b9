/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Follow the result of a call through the code after it.  Some of the code
 * before the call is followed, too, because it may compute addresses.
 *
 * There is only this walk, which knows the effect of each instruction; c_call.c
 * and cxx_new.c observe it with different questions.
 *
 * The value of a register is an expression of the values of other registers and
 * of memory at certain code addresses; vars.h finds the program's variables for
 * these.
 */
#ifndef MEMMON_REDUCE_GUESS_FLOW_H
#define MEMMON_REDUCE_GUESS_FLOW_H

#include "reduce/symbols/symbols.h"
#include "reduce/infer/state.h"

/* How far to look. */
struct guess_reach {
	unsigned bytes; /* code before the call */
	unsigned steps; /* instructions after the call, less than GUESS_SEEN */
};

/*
 * Follow the result of the call of p, and inform the observer.  Returns false
 * if the function's code is unknown; then nothing is known of the flow.
 */
bool guess_flow_run(struct guess_flow *f, struct guess_code *code,
		    const struct symbols_debug *p,
		    const struct guess_reach *reach,
		    const struct guess_observer *observer);

/* Does the function of that name return its first argument? */
bool guess_flow_returns_first(const char *name);

#endif
