/* SPDX-License-Identifier: MIT */
/*
 * A signal from outside tells a running process to write its file, or to switch
 * recording on or off (MEMMON_SIGNAL).
 */
#ifndef MEMMON_DUMP_H
#define MEMMON_DUMP_H

#include <signal.h>

#include "monitor/base/internal.h"

/* The signal's number; 0: none.  signals.c installs the handler. */
extern int mmi_dump_signal;
void mmi_dump_on_signal(int sig, siginfo_t *info, void *context);

/* Reads the variable's value; NULL: it isn't set.  ctx: init. */
void mmi_dump_init(const char *value);

/* MEMMON_EVERY, MEMMON_KEEP: files by time; the oldest are removed.  ctx:
 * init. */
void mmi_dump_init_every(void);

/* The parent's files don't belong to the child.  ctx: fork. */
void mmi_dump_fork(void);

#endif
