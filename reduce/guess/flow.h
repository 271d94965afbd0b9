/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the result of a call goes: the code behind the call is followed, some
 * of the code before it too, for addresses that are worked out there.
 *
 * There is one walk, with one effect of each instruction; c_call.c and
 * cxx_new.c observe it, each with its own question.
 *
 * What a register holds is an expression of what registers held and memory at
 * addresses of code; vars.h knows what the program calls those.
 */
#ifndef MEMMON_REDUCE_GUESS_FLOW_H
#define MEMMON_REDUCE_GUESS_FLOW_H

#include "reduce/symbols/symbols.h"
#include "reduce/guess/state.h"

/* How far is looked. */
struct guess_reach {
	unsigned bytes; /* of code before the call */
	unsigned steps; /* instructions behind it, less than GUESS_SEEN */
};

/*
 * Follow the result of the call that p is of, and tell the observer.  Returns
 * whether the function's code is known; if not, nothing can be said of the
 * flow.
 */
bool guess_flow_run(struct guess_flow *f, struct guess_code *code,
		    const struct symbols_debug *p,
		    const struct guess_reach *reach,
		    const struct guess_observer *observer);

/* Does the function of that name return its first argument? */
bool guess_flow_returns_first(const char *name);

#endif
