/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts by source line. */
#ifndef MEMMON_REDUCE_SOURCE_LINES_H
#define MEMMON_REDUCE_SOURCE_LINES_H

#include "reduce/callgraph/funcs.h"
#include "reduce/binaries/exe.h"
#include "reduce/model/result.h"

/*
 * Set p->sources.  Other members of p aren't changed, and only its arena is
 * used.  like: the parameters of p's call paths.  0, or -1 when out of memory.
 */
int source_lines_make(struct profile *p, const struct funcs *like,
		      const struct exe *x);

#endif
