/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors, as one line of text. */
#ifndef MEMMON_REDUCE_ERR_H
#define MEMMON_REDUCE_ERR_H

/* An error: what is wrong and what to do, one line, no "mpreduce: ". */
struct err {
	char text[1536];
};

/*
 * printf into *e, without a newline.  Text that is too long is truncated.
 * Returns -1.
 */
int err_set(struct err *e, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Set *e to "out of memory".  Returns -1. */
int err_memory(struct err *e);

/*
 * Call this before writing to a file of that path.  Returns 0, or -1 with *e
 * set if the file is a program or library, which must not be replaced.
 */
int err_if_program(struct err *e, const char *path);

#endif
