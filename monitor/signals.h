/* SPDX-License-Identifier: MIT */
/*
 * Fatal signals: the file is written, then the signal does what it would have
 * done.
 *
 * A signal whose action is the default one, and whose default is to end the
 * process, gets a handler of ours.  The program doesn't see it: sigaction() and
 * signal() report the default action, and take it to mean our handler.
 */
#ifndef MEMMON_SIGNALS_H
#define MEMMON_SIGNALS_H

#include "monitor/internal.h"

/* Put our handler where the default action is.  ctx: init. */
void mmi_signals_init(void);

/*
 * A stack for our handler in this thread, so that a stack overflow leaves a
 * file too: n bytes at p, unless the thread has one.  Hidden from
 * sigaltstack(). ctx: slow.
 */
void mmi_signals_stack(void *p, size_t n);

/* The thread goes on without it.  ctx: slow. */
void mmi_signals_no_stack(void *p);

/* Bytes of such a stack: a frame with all vector registers, and the writer. */
#define MMI_SIGNALS_STACK 65536u

#endif
