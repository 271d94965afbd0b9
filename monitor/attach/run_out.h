/* SPDX-License-Identifier: MIT */
/* A stopped thread is run until it has left some of its frames. */
#ifndef MEMMON_RUN_OUT_H
#define MEMMON_RUN_OUT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Run the thread until it returns to `pc' in the frame whose stack pointer is
 * `sp', for at most so many ms.  True: it is stopped there.  False: it is
 * stopped elsewhere, or has ended.  The thread alone stops there, by a register
 * of the CPU for breakpoints; whoever calls this must not be killed meanwhile,
 * or the thread is by the breakpoint's signal.
 */
bool run_out(pid_t tid, uintptr_t pc, uintptr_t sp, unsigned ms);

#endif
