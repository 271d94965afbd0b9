/* SPDX-License-Identifier: MIT */
/*
 * Fatal signals: the file is written, then the signal has its usual effect.
 *
 * If a signal has its default action, and this ends the process, the signal
 * gets a handler of the monitor.  The program doesn't see this handler:
 * sigaction() and signal() report the default action; if the program sets the
 * default action, they set the handler.
 */
#ifndef MEMMON_SIGNALS_H
#define MEMMON_SIGNALS_H

#include "monitor/base/internal.h"

/* Install the handler for signals with the default action.  ctx: init. */
void mmi_signals_init(void);

/* Restore the kernel's default actions, until the next init.  ctx: init. */
void mmi_signals_leave(void);

#endif
