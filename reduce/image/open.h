/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Read a file of any kind into struct mon. */
#ifndef MEMMON_REDUCE_OPEN_H
#define MEMMON_REDUCE_OPEN_H

#include "reduce/base/err.h"
#include "reduce/monout/mon.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Read a file.  Fills m; the caller calls mon_fini() later.  If part of the
 * data is lost, the rest is read, and incomplete and a warning are set.
 * Returns 0, or -1 with *e set and nothing to free if the file is missing or
 * isn't from memmon.
 */
int open_file(struct mon *m, const char *path, struct err *e);

/* The same for bytes in memory.  path is for messages only. */
int open_memory(struct mon *m, const char *path, const void *data, size_t size,
		struct err *e);

/* Do the first n bytes show that the file is the image of a process? */
bool open_is_image(const void *head, size_t n);

/*
 * Do the first n bytes of a file (8 are enough) show that it is data of memmon?
 */
bool open_is_data(const void *head, size_t n);

#endif
