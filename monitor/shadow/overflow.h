/* SPDX-License-Identifier: MIT */
/*
 * Counts that have outgrown their granule's word.  Each entry has at least
 * 2^MEMMON_ALL_BITS accesses, so there are few entries.
 */
#ifndef MEMMON_SHADOW_OVERFLOW_H
#define MEMMON_SHADOW_OVERFLOW_H

#include "monitor/base/internal.h"

/*
 * A key for the part that was cut off of the block that starts at a granule.
 * In its reads, the tag of the thread that touched it is above the number.
 */
#define MMI_OVERFLOW_CUT (1ull << 60)
#define MMI_OVERFLOW_TAG_SHIFT 56

/* Add to granule i's counts; without room they are lost.  ctx: hook. */
void mmi_overflow_add(uint64_t i, uint64_t reads, uint64_t writes);

/* Read granule i's counts; set them to 0 if `take'.  ctx: hook. */
void mmi_overflow_read(uint64_t i, bool take, uint64_t *reads,
		       uint64_t *writes);

#endif
