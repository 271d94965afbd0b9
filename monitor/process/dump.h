/* SPDX-License-Identifier: MIT */
/*
 * A signal by which a running process is told from outside to write its file,
 * or to switch recording on or off (MEMMON_SIGNAL).
 */
#ifndef MEMMON_DUMP_H
#define MEMMON_DUMP_H

#include <signal.h>

#include "monitor/base/internal.h"

/* Its number; 0 if there is none.  signals.c installs the handler. */
extern int mmi_dump_signal;
void mmi_dump_on_signal(int sig, siginfo_t *info, void *context);

/* What the variable says, or NULL.  ctx: init. */
void mmi_dump_init(const char *value);

/* MEMMON_EVERY, MEMMON_KEEP: files by time; the oldest go.  ctx: init. */
void mmi_dump_init_every(void);

/* The parent's files aren't the child's.  ctx: fork. */
void mmi_dump_fork(void);

#endif
