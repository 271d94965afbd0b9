/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the result of a call goes: the code behind the call is followed, some
 * of the code before it too, for addresses that are worked out there.
 *
 * What a register holds is an expression of what registers held and memory at
 * addresses of code; guess_vars.h knows what the program calls those.
 */
#ifndef MEMMON_REDUCE_GUESS_FLOW_H
#define MEMMON_REDUCE_GUESS_FLOW_H

#include "reduce/guess/guess_state.h"

/*
 * Follow the result of the call that returns to ra, for `steps' instructions at
 * most.  low, high: the function's code; before: where to begin ahead of the
 * call, the start of an instruction, or ra.
 */
void guess_flow_run(struct guess_flow *f, struct guess_code *code, uint64_t low,
		    uint64_t high, uint64_t before, uint64_t ra,
		    unsigned steps);

/* Does the function of that name return its first argument? */
bool guess_flow_returns_first(const char *name);

#endif
