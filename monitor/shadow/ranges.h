/* SPDX-License-Identifier: MIT */
/*
 * Accesses to long ranges of granules, counted only where a range begins and
 * where it ends: this takes the same time for ranges of any length.
 *
 * A card is MMI_RANGES_CARD granules.  Each card has a record: how often a
 * range began with it, how often a range ended with it, and when and by which
 * threads the ranges were accessed that began.  How often a whole card of a
 * block was accessed is then the number of ranges that began with it or before,
 * minus those that ended before.  Granules at either end of a range that are no
 * whole card are counted in their words (abi.h).
 *
 * The counts of a block's records are added to its words before these are read
 * or set up for a new block.  A granule's data are sums, least and greatest
 * values of its accesses, so the order in which they are added doesn't matter.
 */
#ifndef MEMMON_SHADOW_RANGES_H
#define MEMMON_SHADOW_RANGES_H

#include "monitor/base/thread.h"
#include "monitor/shadow/shadow.h"

/*
 * A record is worth its cost only for a range of at least this many granules.
 */
#define MMI_RANGES_MIN 32u

/* Was any range ever counted in a record?  Atomic. */
extern uint32_t mmi_ranges_any;

/*
 * Count `reads' and `writes' in each granule of the cards from `first' to
 * `last', by the calling thread.  False: not counted, so count in the words.
 * Cost: 40 instructions.  ctx: hook.
 */
bool mmi_ranges_add(uint64_t first, uint64_t last, uint32_t reads,
		    uint32_t writes);

/*
 * _settle: move the counts of the records of a block, n granules from i on, to
 * its words before these are read.  _clear: forget these records before a block
 * is made there.  Cost: 5 instructions for each card, in regions that have
 * records.  ctx: hook.
 */
void mmi_ranges_settle_slow(uint64_t i, uint64_t n);
void mmi_ranges_clear_slow(uint64_t i, uint64_t n);
static inline void
mmi_ranges_settle(uint64_t i, uint64_t n)
{
	if (UNLIKELY(n >= MMI_RANGES_MIN) && LOAD(&mmi_ranges_any))
		mmi_ranges_settle_slow(i, n);
}
static inline void
mmi_ranges_clear(uint64_t i, uint64_t n)
{
	if (UNLIKELY(n >= MMI_RANGES_MIN) && LOAD(&mmi_ranges_any))
		mmi_ranges_clear_slow(i, n);
}

/*
 * Between _hold and _release no other thread adds to records, so each range in
 * them is complete.  False: another thread didn't finish adding in time; then
 * the records must not be read.  ctx: exit.
 */
bool mmi_ranges_hold(void);
void mmi_ranges_release(void);

/* In the child.  has: it has a copy of the records.  ctx: fork. */
void mmi_ranges_fork(bool has);

#endif
