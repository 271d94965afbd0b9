/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Read the bytes of a mon.out file into struct mon. */
#ifndef MEMMON_REDUCE_LOAD_H
#define MEMMON_REDUCE_LOAD_H

#include "reduce/base/err.h"
#include "reduce/monout/mon.h"

#include <stddef.h>

/*
 * Read the bytes of a file that isn't an image.  Fills m; the caller calls
 * mon_fini() later.  If part of the data is lost, the rest is read, and
 * incomplete and a warning are set.  path is for messages only.  0, or -1 with
 * *e set and nothing to free if the bytes aren't of memmon.
 */
int load_memory(struct mon *m, const char *path, const void *data, size_t size,
		struct err *e);

#endif
