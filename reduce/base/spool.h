/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that can be read only once, such as pipes, read as often as wanted. */
#ifndef MEMMON_REDUCE_SPOOL_H
#define MEMMON_REDUCE_SPOOL_H

#include <stdbool.h>
#include <stddef.h>

/* Are the first n bytes those of what is looked for? */
typedef bool spool_wanted(const void *head, size_t n);

/*
 * Open a file for reading, at its beginning: as open() does, which sets errno.
 * Of a pipe or a device all is read into memory when it is opened for the first
 * time, and what this returns then, and each time after, is that copy: it can
 * be sought in, and is there for the processes of guard.h, too.  wanted, unless
 * NULL: of what it says no to only the first bytes are read, as a device may
 * have no end.  A descriptor that the caller closes before the same file is
 * opened again; or -1 with errno set.  Not thread-safe.
 */
int spool_open(const char *path, spool_wanted *wanted);

#endif
