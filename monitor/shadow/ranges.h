/* SPDX-License-Identifier: MIT */
/*
 * Accesses to long ranges of granules, of which the same come again and again:
 * a range that one thread accesses for the third time gets a record, and is
 * then counted there, in the same time however long it is.  The record's counts
 * go to the words (abi.h) before anything reads these, or sets them up anew:
 * all that is known of a granule is a sum, a least or a greatest of its
 * accesses, so it doesn't matter in which order they are told.
 */
#ifndef MEMMON_SHADOW_RANGES_H
#define MEMMON_SHADOW_RANGES_H

#include "monitor/base/internal.h"

/* The least granules of a range that a record may be worth it for. */
#define MMI_RANGES_MIN 64u

/* Which records there are, as bits. */
extern uint32_t mmi_ranges_pending;

/*
 * `reads' and `writes' in each granule from first to last, by a thread whose
 * state's `now' is that.  False: they aren't counted, the words have to be.
 * ctx: hook.
 */
bool mmi_ranges_add(uint64_t first, uint64_t last, uint64_t reads,
		    uint64_t writes, uint64_t now);

/*
 * Before the words of n granules from i on are read or set up: what records
 * hold of them goes there.  ctx: hook.
 */
void mmi_ranges_settle_slow(uint64_t i, uint64_t n);
static inline void
mmi_ranges_settle(uint64_t i, uint64_t n)
{
	if (UNLIKELY(LOAD(&mmi_ranges_pending)))
		mmi_ranges_settle_slow(i, n);
}

/* The child has the words that records are of; or it hasn't.  ctx: fork. */
void mmi_ranges_fork(bool has);

#endif
