/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What each source line did. */
#ifndef MEMMON_REDUCE_SOURCE_LINES_H
#define MEMMON_REDUCE_SOURCE_LINES_H

#include "reduce/callgraph/funcs.h"
#include "reduce/objects/exe.h"
#include "reduce/model/result.h"

/*
 * Set p->sources; nothing else of p changes, or is needed but its arena.  like:
 * what the chains of p were made with.  0, or -1 when out of memory.
 */
int source_lines_make(struct profile *p, const struct funcs *like,
		      const struct exe *x);

#endif
