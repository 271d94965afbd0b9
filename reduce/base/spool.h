/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Read files several times that can be read only once, such as pipes. */
#ifndef MEMMON_REDUCE_SPOOL_H
#define MEMMON_REDUCE_SPOOL_H

#include <stdbool.h>
#include <stddef.h>

/* Do the first n bytes of a file show that it is a file of the wanted kind? */
typedef bool spool_wanted(const void *head, size_t n);

/*
 * Open a file for reading, from its beginning.  A pipe or a device is read into
 * memory when it is opened for the first time; the descriptor returned then,
 * and each time after, is for this copy.  lseek() works on the copy, and the
 * processes of guard.h can read it, too.  If wanted isn't NULL and returns
 * false for a pipe or a device, only its first bytes are read, because a device
 * may have no end.  Returns a descriptor, which the caller closes before the
 * same file is opened again, or -1 with errno set as open() does.  Not
 * thread-safe.
 */
int spool_open(const char *path, spool_wanted *wanted);

#endif
