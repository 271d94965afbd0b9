/* SPDX-License-Identifier: MIT */
/*
 * Where the memory of the process was at times of the run: the lines of
 * memory.h, in mmi_shared.moments.  One thread at a time, as for memory.h.
 */
#ifndef MEMMON_MOMENTS_H
#define MEMMON_MOMENTS_H

#include "monitor/base/emit.h"

/*
 * Take the lines of this moment; at: ns on the monotonic clock.  False: they
 * are unknown.  ctx: slow.
 */
bool mmi_moments_take(uint64_t at);

/* Put them into the open table MEMORY_SNAPSHOTS.  ctx: exit. */
void mmi_moments_put(struct mmi_emit *o);

#endif
