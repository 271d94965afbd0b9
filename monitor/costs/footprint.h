/* SPDX-License-Identifier: MIT */
/*
 * The allocator's memory as the heap grows: sampled now and then, the last time
 * near the peak.
 *
 * Requested bytes are those that the program asked for and didn't free; usable
 * bytes are what malloc_usable_size() says of these blocks.  A sample is taken
 * when one of these has grown since the largest sample: the usable bytes by 64
 * KB or a 256th; the bytes that have been in blocks and still belong to the
 * allocator (usable and unused) by 1 MB or a 64th.  A look walks through all
 * blocks.  A sample includes a look if the usable bytes are 1 MB or an 8th
 * above those of the last look; before a block is freed, 64 KB or a 32nd; at
 * the end, if there are at least as many as at the last look.  Of two such
 * amounts the larger one counts.
 */
#ifndef MEMMON_FOOTPRINT_H
#define MEMMON_FOOTPRINT_H

#include "monitor/costs/cost.h"
#include "monitor/costs/cache_lines.h"

/*
 * A sample at a time (ns on the monotonic clock).  unused: bytes that were in a
 * block before and are free; blowup: the same, from the counters of each size.
 * UINT64_MAX: unknown.
 */
struct mmi_footprint {
	uint64_t at;
#define X(name) uint64_t name;
	MONREC_COST_MEMORY(X)
#undef X
};
#define MMI_FOOTPRINTS 512u

/* Take a sample before the next operation of any kind. */
extern HIDDEN int mmi_footprint_due;

/* Add the counts that only c has so far to the process's sum.  ctx: hook. */
void mmi_footprint_flush(struct mmi_costs *c);

/*
 * Take the sample that is due.  going: the usable size of a block that is about
 * to be freed and isn't counted as live any more; else 0.  ctx: slow.
 */
void mmi_footprint_take(uint64_t going);

/* For each size: how many blocks were freed and not allocated again since. */
extern HIDDEN uint64_t mmi_footprint_free[MMI_COST_SIZES];

/*
 * A thread adds its counts to the process's sum when they reach this many
 * bytes.
 */
#define MMI_FOOTPRINT_SPREAD ((int64_t)64 << 10)

/* A block of `usable' bytes was allocated, or freed.  ctx: hook. */
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
 * For the file: the samples and how many; the indexes of those with most usable
 * bytes and with most bytes ever used; the look.
 */
const struct mmi_footprint *mmi_footprint_all(unsigned *n, unsigned *peak,
					      unsigned *heap);
const struct mmi_cache_lines *mmi_footprint_look(void);

/* Blocks by size at the peak: live, and free by the counter.  ctx: exit. */
void mmi_footprint_size(unsigned place, uint64_t *live, uint64_t *free);

/* Blocks from before the fork count as neither live nor free.  ctx: fork. */
void mmi_footprint_fork(void);

#endif
