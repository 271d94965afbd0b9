/* SPDX-License-Identifier: MIT */
/*
 * The allocator's memory as the heap grows: looked at now and then, the last
 * time near the peak.
 *
 * Requested is what the program asked for and didn't free; usable, what
 * malloc_usable_size() says of that.  A sample is taken when usable bytes are
 * above the largest by 64 KB, or a 256th, or what has been in blocks and is the
 * allocator's still (usable and unused) is by 1 MB, or a 64th.  A look, which
 * walks through all blocks, goes with those that are 1 MB, or an 8th, above the
 * last one that had it; before something is freed 64 KB, or a 32nd; and with
 * that of the end, if there is as much as at the last.
 */
#ifndef MEMMON_FOOTPRINT_H
#define MEMMON_FOOTPRINT_H

#include "monitor/costs/cost.h"
#include "monitor/costs/cache_lines.h"

/*
 * At a time (ns on the monotonic clock): unused, in a block before, and free;
 * blowup, the same by counters of each size.  UINT64_MAX: not known.
 */
struct mmi_footprint {
	uint64_t at;
#define X(name) uint64_t name;
	MONREC_COST_MEMORY(X)
#undef X
};
#define MMI_FOOTPRINTS 512u

/* A sample is to be taken before the next operation, whatever it is. */
extern HIDDEN int mmi_footprint_due;

/* Add what c alone has counted so far to the process's sum.  ctx: hook. */
void mmi_footprint_flush(struct mmi_costs *c);

/*
 * Take the sample that is due.  Before a block is freed that isn't counted as
 * live any more: its usable size, else 0.  ctx: slow.
 */
void mmi_footprint_take(uint64_t going);

/* Of each size: blocks freed and not allocated again since, by a counter. */
extern HIDDEN uint64_t mmi_footprint_free[MMI_COST_SIZES];

/* Up to so many bytes a thread counts alone, before they are in that sum. */
#define MMI_FOOTPRINT_SPREAD ((int64_t)64 << 10)

/* A block of so many usable bytes is there, or went.  ctx: hook. */
static inline void
mmi_footprint_made(struct mmi_costs *c, uint64_t usable)
{
	uint64_t *n = &mmi_footprint_free[mmi_cost_size(usable)];
	uint64_t was = LOAD(n);

	if (__libc_single_threaded && was)
		STORE(n, was - 1);
	else
		while (was && !CAS(n, &was, was - 1))
			;
	c->usable += (int64_t)usable;
	if (UNLIKELY(c->usable >= MMI_FOOTPRINT_SPREAD))
		mmi_footprint_flush(c);
}

static inline void
mmi_footprint_gone(struct mmi_costs *c, uint64_t usable)
{
	mmi_cost_add(&mmi_footprint_free[mmi_cost_size(usable)], 1);
	c->usable -= (int64_t)usable;
	if (UNLIKELY(c->usable <= -MMI_FOOTPRINT_SPREAD))
		mmi_footprint_flush(c);
}

/*
 * For the file: samples and how many; the places of those with most usable
 * bytes and with most ever used; the look.
 */
const struct mmi_footprint *mmi_footprint_all(unsigned *n, unsigned *peak,
					      unsigned *heap);
const struct mmi_cache_lines *mmi_footprint_look(void);

/* Blocks by size at the peak: live, and free by the counter.  ctx: exit. */
void mmi_footprint_size(unsigned place, uint64_t *live, uint64_t *free);

/* What was live when the process was made is neither.  ctx: fork. */
void mmi_footprint_fork(void);

#endif
