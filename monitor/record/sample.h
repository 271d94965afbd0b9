/* SPDX-License-Identifier: MIT */
/*
 * Poisson sampling by bytes (MEMMON_SAMPLE).  The bytes that a thread allocates
 * are a stream with sampling points in it.  The gaps between points are
 * exponential; their mean is the rate.  A block with at least one point is
 * recorded, other blocks aren't.  A block counts as its size and one byte more,
 * so blocks of 0 bytes are recorded, too: p = 1 - exp(-(size + 1) / rate),
 * independently of all other blocks.
 *
 * A block that isn't recorded costs a subtraction when it is made, and a look
 * into a filter of addresses when it is freed; no struct mmi_thread is entered.
 * All allocations and their bytes are also counted exactly.
 */
#ifndef MEMMON_SAMPLE_H
#define MEMMON_SAMPLE_H

#include "monitor/base/next.h"
#include "monitor/base/sampling.h"
#include "monitor/thread/enter.h"

/*
 * slow: mmi_sample_skips() without mmi_sample_mine.  spares: there is a point
 * in the block; is it left out after all?
 */
bool mmi_sample_skips_slow(uint64_t size);
bool mmi_sample_spares(struct mmi_sample *s);

/*
 * Is the thread's next block, of `size' bytes, left out?  Also counts it.  ctx:
 * hook.  Costs eight instructions.
 */
static inline bool
mmi_sample_skips(uint64_t size)
{
	struct mmi_sample *s = mmi_sample_mine;

	if (UNLIKELY(!s))
		return mmi_sample_skips_slow(size);
	s->allocs++;
	if (LIKELY((s->left -= (int64_t)size + 1) >= 0))
		return true;
	return mmi_sample_spares(s);
}

/* That block wasn't allocated: refused, or a realloc to nothing.  ctx: hook. */
void mmi_sample_refund(uint64_t size);

/* How many bytes (blocks) a recorded block of `size' bytes represents. */
uint64_t mmi_sample_weigh(uint64_t size);
double mmi_sample_weight(uint64_t size); /* 1 / p */

/*
 * A random share of a block, evenly distributed above 0 and below 1.  The share
 * is the same for the same `of', n and seed.  ctx: any.
 */
double mmi_sample_share(uint64_t of, uint64_t n);

/*
 * A block of `size' bytes that was due to be recorded couldn't be: adds the
 * blocks and bytes that it represents to *blocks and *bytes.  A fraction of a
 * block is rounded up or down by chance.  ctx: hook.
 */
void mmi_sample_lost(uint64_t size, uint64_t *blocks, uint64_t *bytes);

/*
 * A recorded block was made or freed: adds the blocks and bytes that it
 * represents beyond itself to the thread's counts and to the live bytes.  ctx:
 * hook.
 */
void mmi_sample_made(struct mmi_thread *t, uint64_t size);
void mmi_sample_gone(struct mmi_thread *t, uint64_t size, bool by_other);

/*
 * The exact number of all allocations since the start, a fork or a reset, and
 * their bytes.  ctx: any.
 */
void mmi_sample_totals(uint64_t *allocs, uint64_t *bytes);

/* Seeds the threads' random numbers.  ctx: init. */
void mmi_sample_seed(uint64_t n);

/*
 * sample_start.c.  init: reads the environment once the next allocator is
 * found; true: sampling is on.  begin: at the constructor, if the environment
 * couldn't be read before; true: sampling is on only now.  end: switches it off
 * for good.  pause: while recording is off.  ctx: init; pause: any.
 */
bool mmi_sample_init(void);
bool mmi_sample_begin(void);
void mmi_sample_end(void);
void mmi_sample_pause(bool off);

/* Totals are 0 again; fork: the child's samples differ from the parent's. */
void mmi_sample_reset(void); /* ctx: any */
void mmi_sample_fork(void);  /* ctx: fork */

/*
 * sample_draw.c: a gap with mean `rate', from a generator's state; one of 256
 * numbers between 0 and 1; 1 - exp(-x).
 */
uint64_t mmi_sample_gap(uint64_t *state, uint64_t rate);
double mmi_sample_even(uint64_t *state);
double mmi_sample_rest(double x);

#endif
