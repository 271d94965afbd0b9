/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the bytes of a mon.out file to struct mon. */
#ifndef MEMMON_REDUCE_LOAD_H
#define MEMMON_REDUCE_LOAD_H

#include "reduce/base/err.h"
#include "reduce/file/mon.h"

#include <stddef.h>

/*
 * Read the bytes of a file, none of an image.  m is filled, and the caller
 * calls mon_fini() later; data of which a part is lost are read as far as they
 * go, with incomplete and a warning set.  path is for messages only.  0, or -1
 * with *e set and nothing to free when they aren't memmon's.
 */
int load_memory(struct mon *m, const char *path, const void *data, size_t size,
		struct err *e);

#endif
