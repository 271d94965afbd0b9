/* SPDX-License-Identifier: MIT */
/*
 * Are blocks sampled (record/sample.h), and which of them may have been
 * recorded?
 */
#ifndef MEMMON_SAMPLING_H
#define MEMMON_SAMPLING_H

#include "monitor/base/internal.h"

/* The mean gap in bytes; 0: every block is recorded.  ctx: any. */
extern HIDDEN uint64_t mmi_sample_rate;
#define MMI_SAMPLE_MAX (1ull << 40)
static inline bool
mmi_sample_on(void)
{
	return UNLIKELY(mmi_sample_rate != 0);
}

/*
 * A byte for all addresses with the same lower bits: the number of recorded
 * blocks at these addresses; at 255 the number isn't known any more.
 */
#define MMI_SAMPLE_FILTER (1u << 16)
extern HIDDEN uint8_t mmi_sample_filter[MMI_SAMPLE_FILTER];

static inline uint8_t *
mmi_sample_place(const void *p)
{
	return &mmi_sample_filter[(uintptr_t)p >> 4 & (MMI_SAMPLE_FILTER - 1)];
}

/* False: no block at p is recorded.  ctx: hook. */
static inline bool
mmi_sample_marked(const void *p)
{
	return UNLIKELY(LOAD(mmi_sample_place(p)) != 0);
}

/* mark: a recorded block is at p; unmark: it is freed.  ctx: hook. */
void mmi_sample_mark(const void *p);
void mmi_sample_unmark(const void *p);

#endif
