/* SPDX-License-Identifier: MIT */
/*
 * The life of the process: its start, its forks, the ways it can end.
 */
#ifndef MEMMON_PROCESS_H
#define MEMMON_PROCESS_H

#include <time.h>

#include "monitor/base/internal.h"

/* What is known of the process.  Set in init and fork context, then read. */
struct mmi_process {
	long pid; /* 0 before our constructor ran */
	long ppid;
	bool child;	     /* another process has the plain file name */
	bool forked;	     /* counts start at a fork */
	bool secure;	     /* it has other rights than its user */
	uint64_t start;	     /* ns since 1970 */
	uint64_t mono;	     /* CLOCK_MONOTONIC then, ns */
	const char *exe;     /* path of the executable, "" unknown */
	const char *cwd;     /* "" unknown */
	const char *pattern; /* of the data file's name */
	const char *command; /* arguments, each ended by NUL */
	size_t command_len;
};
extern struct mmi_process mmi_process;

/*
 * The process is about to end, or to be replaced, or asks for its file: write
 * it.  end: enum monout_end; sig: the signal, when that is what ends it.
 * Nothing is written in a child of vfork, and for a forked process that calls
 * exec.  Returns 0; below 0 when nothing was written, -errno if there is one.
 * ctx: exit.
 */
int mmi_process_end(int end, int sig);

/*
 * This process was made by a fork that ran no handlers, or not yet: as in the
 * handler.  ctx: hook.
 */
void mmi_process_forked(void);

/*
 * A number in an environment variable, with K, M or G after it or without.
 * False: it isn't set, or is none.  ctx: init.
 */
bool mmi_process_number(const char *name, unsigned long *n);

/* Does this process write files?  ctx: any. */
bool mmi_process_writes(void);

/* A clock, in ns.  ctx: init, exit. */
uint64_t mmi_process_clock(clockid_t id);

/*
 * Reading the clock would end the process: time stands still.  Or, with false,
 * it goes on.  ctx: any.
 */
void mmi_process_clock_stop(bool stop);

/* Find what the hooks of exec.c need, while the loader is idle.  ctx: init. */
void mmi_exec_init(void);

#endif
