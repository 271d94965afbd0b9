/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that are replaced once the new one is whole. */
#ifndef MEMMON_REDUCE_REPLACE_H
#define MEMMON_REDUCE_REPLACE_H

#include <stdbool.h>

struct replace {
	char *to;   /* the file: where symbolic links lead, if path is one */
	char *temp; /* the new one until it is whole, in the same directory */
};

/*
 * Make a new file for path and open it to write.  It gets the mode of the old
 * file, and the owner if the user may set that; without an old file, the usual
 * ones.  Returns the descriptor, or -1 with errno set and nothing to close.
 */
int replace_open(struct replace *r, const char *path);

/*
 * After the descriptor was closed: put the new file in the place of the old if
 * keep is set, or remove it.  0, or -1 with errno set: the old one stays.
 */
int replace_close(struct replace *r, bool keep);

#endif
