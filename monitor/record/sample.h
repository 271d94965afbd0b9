/* SPDX-License-Identifier: MIT */
/*
 * Poisson sampling by bytes (MEMMON_SAMPLE): points stand in the stream of the
 * bytes that a thread allocates, the gaps between them exponential with the
 * rate as their mean.  A block in which there is one (or several) is recorded,
 * others aren't.  A block counts as its size and one byte more, so that those
 * of 0 bytes are met, too: p = 1 - exp(-(size + 1) / rate), independently of
 * all other blocks.
 *
 * What isn't recorded costs a subtraction when it is made, and a look into a
 * filter of addresses when it goes; no struct mmi_thread is entered.  Besides,
 * all allocations and their bytes are counted, exactly.
 */
#ifndef MEMMON_SAMPLE_H
#define MEMMON_SAMPLE_H

#include "monitor/base/next.h"
#include "monitor/base/sampling.h"
#include "monitor/thread/enter.h"

/* mmi_sample_skips() where mmi_sample_mine is NULL; where there
 * is a point in the block:
 * may it be left out nevertheless? */
bool mmi_sample_skips_slow(uint64_t size);
bool mmi_sample_spares(struct mmi_sample *s);

/*
 * Is the thread's next block, of `size' bytes, one that isn't recorded?  It is
 * counted.  ctx: hook.  Costs eight instructions.
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

/* That block couldn't be had: refused, or a realloc to nothing.  ctx: hook. */
void mmi_sample_refund(uint64_t size);

/* How many bytes (blocks) a recorded block of `size' stands for. */
uint64_t mmi_sample_weigh(uint64_t size);
double mmi_sample_weight(uint64_t size); /* 1 / p */

/*
 * Shares of a block, above 0 and below 1, of which each is as often; the same
 * where `of' and n are, and the seed is.  ctx: any.
 */
double mmi_sample_share(uint64_t of, uint64_t n);

/*
 * A block of `size' bytes that was to be recorded couldn't be: add what it
 * stands for to what is lost.  A fraction of a block is one by chance.
 * ctx: hook.
 */
void mmi_sample_lost(uint64_t size, uint64_t *blocks, uint64_t *bytes);

/*
 * A recorded block came or went: what what the thread did and the live bytes
 * get besides the one that was counted.  ctx: hook.
 */
void mmi_sample_made(struct mmi_thread *t, uint64_t size);
void mmi_sample_gone(struct mmi_thread *t, uint64_t size, bool by_other);

/* All allocations since the start, a fork or a reset, and their bytes, known
 * exactly.  ctx: any. */
void mmi_sample_totals(uint64_t *allocs, uint64_t *bytes);

/* What the generators of threads begin with.  ctx: init. */
void mmi_sample_seed(uint64_t n);

/*
 * sample_start.c.  Read the environment, when the next allocator has been
 * found; true: sampling is on.  At the constructor, if the environment couldn't
 * be read then (true: it is on only now); off again for good; while recording
 * is off.  ctx: init; the last: any.
 */
bool mmi_sample_init(void);
bool mmi_sample_begin(void);
void mmi_sample_end(void);
void mmi_sample_pause(bool off);

/* Totals are 0 again; and the child's samples aren't the parent's. */
void mmi_sample_reset(void); /* ctx: any */
void mmi_sample_fork(void);  /* ctx: fork */

/*
 * sample_draw.c: a gap of mean `rate', by a generator's state; one of 256
 * numbers between 0 and 1; 1 - exp(-x).
 */
uint64_t mmi_sample_gap(uint64_t *state, uint64_t rate);
double mmi_sample_even(uint64_t *state);
double mmi_sample_rest(double x);

#endif
