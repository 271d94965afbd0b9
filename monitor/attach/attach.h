/* SPDX-License-Identifier: MIT */
/* memmon -p: record in a process that runs. */
#ifndef MEMMON_ATTACH_ATTACH_H
#define MEMMON_ATTACH_ATTACH_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct attach {
	pid_t pid;
	const char *library; /* the path of libmemmon.so.0 */
	double seconds;	     /* how long; 0: until a signal, or its end */
	bool watch;	     /* show it with mpreduce --watch meanwhile */
	const char *watcher; /* the path of mpreduce */
	/* Can the library not be loaded into the program of that file?  Why. */
	bool (*refuses)(int fd, char *why, size_t n);
	/* What of it isn't seen is said. */
	void (*looks)(int fd, const char *path);
	char *program; /* becomes the program's path, of program_size bytes */
	size_t program_size;
};

/*
 * Record, with the settings that stand in this process' environment, and with
 * messages on standard error.  The path by which this process finds the data
 * file; NULL if it can't be done.
 */
const char *attach_run(const struct attach *a);

#endif
