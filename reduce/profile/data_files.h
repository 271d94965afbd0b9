/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which files are data files, and what is beside them. */
#ifndef MEMMON_REDUCE_DATA_FILES_H
#define MEMMON_REDUCE_DATA_FILES_H

#include <stdbool.h>

struct arena;

/*
 * Is the path for data?  True for a directory, for "-", and for a file that
 * begins as a data file does.  Also true if the name is that of a data file and
 * the file is missing or neither a data file nor an ELF file.
 */
bool profile_is_data(const char *path);

/* Is it a plain file that begins as a data file does? */
bool profile_begins_data(const char *path);

/*
 * The names of the modules that have results beside a data file, in order.  The
 * array is from malloc() and ends with NULL; the names live as long as the
 * arena.
 */
const char **profile_findings(struct arena *a, const char *path);

#endif
