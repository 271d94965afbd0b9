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

#include "monitor/base/internal.h"

/* Put our handler where the default action is.  ctx: init. */
void mmi_signals_init(void);

/* The default actions are the kernel's, until the next init.  ctx: init. */
void mmi_signals_leave(void);

#endif
