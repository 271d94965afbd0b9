/* SPDX-License-Identifier: MIT */
/* Runs a stopped thread until it has left some of its frames. */
#ifndef MEMMON_RUN_OUT_H
#define MEMMON_RUN_OUT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Runs the thread until it returns to `pc' in the frame whose stack pointer is
 * `sp', for at most that number of ms.  True: the thread is stopped there.
 * False: it is stopped elsewhere, or has ended.  Only this thread stops there,
 * by a breakpoint register of the CPU.  If the caller is killed meanwhile, the
 * breakpoint's signal kills the thread.  If such registers don't work, the
 * thread runs until it has made a system call, in any frame.
 */
bool run_out(pid_t tid, uintptr_t pc, uintptr_t sp, unsigned ms);

/* How often to repeat this until the thread is at a safe point, or to give
 * up. */
unsigned run_out_times(void);

#endif
