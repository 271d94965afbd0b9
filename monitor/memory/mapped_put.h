/* SPDX-License-Identifier: MIT */
/* What the program maps by itself, for a data file. */
#ifndef MEMMON_MAPPED_PUT_H
#define MEMMON_MAPPED_PUT_H

#include "monitor/base/emit.h"
#include "monitor/memory/pieces.h"

/*
 * mmi_mapped_count() counts how much of it is in memory.  Then mmi_mapped_put()
 * writes the table MAPPINGS, of call paths whose node is one of the first
 * `nodes'; returns the number of items.  ctx: exit, one thread at a time.
 */
void mmi_mapped_count(struct mmi_pieces *p);
uint64_t mmi_mapped_put(struct mmi_emit *o, uint64_t nodes);

#endif
