/* SPDX-License-Identifier: MIT */
/* memmon -p: record in a process that already runs. */
#ifndef MEMMON_ATTACH_ATTACH_H
#define MEMMON_ATTACH_ATTACH_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct attach {
	pid_t pid;
	const char *library; /* the path of libmemmon.so.0 */
	double seconds;	     /* time; 0: until a signal, or its end */
	const char *watch;   /* mpreduce's option that shows it meanwhile:
			      * "--watch=SECONDS,COUNT"; or NULL */
	const char *watcher; /* the path of mpreduce */
	/* Can the library not be loaded into the program in this file?  Puts
	 * the reason into why[n]. */
	bool (*refuses)(int fd, char *why, size_t n);
	/* Prints what can't be recorded in it. */
	void (*looks)(int fd, const char *path);
	char *program; /* receives the program's path, of program_size bytes */
	size_t program_size;
};

/*
 * Record, with the settings in this process's environment.  Prints messages on
 * standard error.  Returns the data file's path in this process, or NULL if
 * recording failed.
 */
const char *attach_run(const struct attach *a);

#endif
