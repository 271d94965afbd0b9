/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Standard output, or a file that appears only when it is complete. */
#ifndef MEMMON_OUTPUT_H
#define MEMMON_OUTPUT_H

#include "reduce/base/replace.h"
#include "reduce/profile/profile.h"

#include <stdbool.h>
#include <stdio.h>

struct output {
	FILE *f;	  /* stream to write to */
	const char *path; /* path of the file; NULL: standard output */
	bool replaces;	  /* it is a new file: */
	struct replace file;
};

/*
 * Open the file at path, or standard output if path is NULL or "-".  The file
 * has another name in the same directory until output_close().  path must live
 * that long.  0, or -1 with *e set and nothing to close.  A program, a library
 * or a data file is an error: it is never replaced.
 */
int output_open(struct output *o, const char *path, struct err *e);

/*
 * If `keep' is set and all was written, rename the file to its path, where it
 * may replace an old file.  Otherwise delete it.  Standard output is left open.
 * 0, or -1 with *e set: a write failed.
 */
int output_close(struct output *o, bool keep, struct err *e);

#endif
