/* SPDX-License-Identifier: MIT */
/*
 * Counts that have outgrown their granule's word.  Each entry stands for at
 * least 2^MEMMON_ALL_BITS accesses, so there are few.
 */
#ifndef MEMMON_SHADOW_OVERFLOW_H
#define MEMMON_SHADOW_OVERFLOW_H

#include "monitor/base/internal.h"

/*
 * Not a granule, but what was cut off of the block that starts at one: above
 * the reads stands the tag of the thread that touched it.
 */
#define MMI_OVERFLOW_CUT (1ull << 60)
#define MMI_OVERFLOW_TAG_SHIFT 56

/* Add to granule i's; without room for it they are lost.  ctx: hook. */
void mmi_overflow_add(uint64_t i, uint64_t reads, uint64_t writes);

/* Granule i's, which are 0 afterwards if `take'.  ctx: hook. */
void mmi_overflow_read(uint64_t i, bool take, uint64_t *reads,
		       uint64_t *writes);

#endif
