/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replace a file once the new one is complete. */
#ifndef MEMMON_REDUCE_REPLACE_H
#define MEMMON_REDUCE_REPLACE_H

#include <stdbool.h>

struct replace {
	char *to;   /* the file, or the target if it is a symbolic link */
	char *temp; /* the new file while it isn't complete, in the same
		     * directory */
};

/*
 * Make a new file for path and open it for writing.  It gets the mode of the
 * old file, and its owner if the user may set that.  Without an old file it
 * gets the usual mode.  Returns the descriptor, or -1 with errno set and
 * nothing to close.
 */
int replace_open(struct replace *r, const char *path);

/*
 * Call this after closing the descriptor.  If keep is set, the new file
 * replaces the old one; otherwise the new file is removed.  Returns 0, or -1
 * with errno set; the old file stays then.
 */
int replace_close(struct replace *r, bool keep);

#endif
