/* SPDX-License-Identifier: MIT */
/*
 * Accesses to long ranges of granules, counted where they begin and where they
 * end: in the same time however long they are, and however many there are.
 *
 * A card is MMI_RANGES_CARD granules.  Each has a record: how often a range
 * began with it, how often one ended with it, and when and by which threads the
 * ones were that began.  How often a card of a block was accessed as a whole is
 * then the sum of what began with it and before, less what ended before.  The
 * granules at either end of a range that are no whole card are counted in their
 * words (abi.h).
 *
 * What the records of a block hold goes to its words before these are read, or
 * are set up anew: all that is known of a granule is a sum, a least or a
 * greatest of its accesses, so it doesn't matter in which order they are told.
 */
#ifndef MEMMON_SHADOW_RANGES_H
#define MEMMON_SHADOW_RANGES_H

#include "monitor/base/thread.h"
#include "monitor/shadow/shadow.h"

/* The least granules of a range that a record may be worth it for. */
#define MMI_RANGES_MIN 32u

/* Was any range ever counted in a record?  Atomic. */
extern uint32_t mmi_ranges_any;

/*
 * `reads' and `writes' in each granule of the cards from `first' to `last', by
 * the calling thread.  False: they aren't counted, the words have to be.  Cost:
 * 40 instructions.  ctx: hook.
 */
bool mmi_ranges_add(uint64_t first, uint64_t last, uint32_t reads,
		    uint32_t writes);

/*
 * The first moves what records hold of a block of n granules from i on to its
 * words, before these are read.  The second forgets it, before a block is made
 * there.  Cost: 5 instructions for each card, in regions where
 * there are any.  ctx: hook.
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
 * Between the two no other thread adds to records, so that each range in them
 * is whole.  False: a thread that is adding didn't come to an end in time; then
 * records mustn't be read.  ctx: exit.
 */
bool mmi_ranges_hold(void);
void mmi_ranges_release(void);

/* In the child; has: it has a copy of the records.  ctx: fork. */
void mmi_ranges_fork(bool has);

#endif
