/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a file, of whatever kind, to struct mon. */
#ifndef MEMMON_REDUCE_OPEN_H
#define MEMMON_REDUCE_OPEN_H

#include "reduce/base/err.h"
#include "reduce/file/mon.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Read a file.  m is filled, and the caller calls mon_fini() later; a file of
 * which a part is lost is read as far as it goes, with incomplete and a warning
 * set.  Returns 0, or -1 with *e set and nothing to free when there is no such
 * file or it isn't one of memmon.
 */
int open_file(struct mon *m, const char *path, struct err *e);

/* The same from memory; path is for messages only. */
int open_memory(struct mon *m, const char *path, const void *data, size_t size,
		struct err *e);

/* Are they those of a process's memory, not of records? */
bool open_is_image(const void *head, size_t n);

/* Do the first n bytes of a file (8 will do) say that it is data of memmon? */
bool open_is_data(const void *head, size_t n);

#endif
