/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that can be read only once, such as pipes, read as often as wanted. */
#ifndef MEMMON_REDUCE_SPOOL_H
#define MEMMON_REDUCE_SPOOL_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Open a file for reading, at its beginning: as open() does, which sets errno.
 * Of a pipe or a device all is read into memory when it is opened for the first
 * time, and what this returns then, and each time after, is that copy: it can
 * be sought in, and is there for the processes of guard.h, too.  data: what
 * isn't memmon's is of no use, so only its first bytes are read, as a device
 * may have no end.  The caller closes what is returned before the same file is
 * opened again.  Not thread-safe.
 */
int spool_open(const char *path, bool data);

#endif
