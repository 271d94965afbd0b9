/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors, as one line of text. */
#ifndef MEMMON_REDUCE_ERR_H
#define MEMMON_REDUCE_ERR_H

/* An error: what is wrong and what to do, one line, no "mpreduce: ". */
struct err {
	char text[1024];
};

/* printf into *e, without a newline; text that is too long is cut.  -1. */
int err_set(struct err *e, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* "out of memory"; -1. */
int err_memory(struct err *e);

/*
 * About to write to a file of that path: -1 if there is a program or library,
 * which nobody means to replace; else 0.
 */
int err_if_program(struct err *e, const char *path);

#endif
