/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where something is written: standard output, or a file that is there only
 * once all of it is.
 */
#ifndef MEMMON_OUTPUT_H
#define MEMMON_OUTPUT_H

#include "reduce/base/replace.h"
#include "reduce/profile/profile.h"

#include <stdbool.h>
#include <stdio.h>

struct output {
	FILE *f;	  /* to write to */
	const char *path; /* of the file; NULL: standard output */
	bool replaces;	  /* it is new: */
	struct replace file;
};

/*
 * Open the file at path, or standard output when path is NULL or "-".  Until
 * output_close() it has another name, in the same directory; path must live
 * till then.  0, or -1 with *e set and nothing to close, also when there is a
 * program or a library of that name, as nobody means to replace that.
 */
int output_open(struct output *o, const char *path, struct err *e);

/*
 * When `keep' is set and all could be written, the file gets its name, in place
 * of one that was there before; else it is gone.  0, or -1 with *e set: it
 * couldn't be written.  Standard output is left as it is.
 */
int output_close(struct output *o, bool keep, struct err *e);

#endif
