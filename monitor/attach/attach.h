/* SPDX-License-Identifier: MIT */
/* memmon -p: record in a process that runs. */
#ifndef MEMMON_ATTACH_ATTACH_H
#define MEMMON_ATTACH_ATTACH_H

#include <stdbool.h>
#include <sys/types.h>

struct attach {
	pid_t pid;
	const char *library; /* the path of libmemmon.so.0 */
	double seconds;	     /* how long; 0: until a signal, or its end */
	bool watch;	     /* show it with mpreduce --watch meanwhile */
	const char *watcher; /* the path of mpreduce */
};

/*
 * Record, with the settings that stand in this process' environment, and with
 * messages on standard error.  The path of the data file; NULL if it can't be
 * done.
 */
const char *attach_run(const struct attach *a);

#endif
