/* SPDX-License-Identifier: MIT */
/*
 * Timed-block records: what is known of some live blocks beyond their entry in
 * the map.
 */
#ifndef MEMMON_TIMED_H
#define MEMMON_TIMED_H

#include "monitor/base/thread.h"

struct mmi_timed {
	uint64_t born;	  /* ns on the monotonic clock; weight 0: not set */
	uint64_t size;	  /* bytes */
	uint32_t weight;  /* blocks that this one represents; 0: not timed; and
			   * MMI_TIMED_LOOKED */
	uint32_t resized; /* how often realloc resized the block */
	uint32_t ordinal; /* of the thread that allocated it */
	uint32_t seq;	  /* allocations of that thread before it; or, in a free
			   * record, the next one */
};

/* Its usable size is in its cell's `looked'. */
#define MMI_TIMED_LOOKED (1u << 31)

/* Timed-block records are numbered below this; 0 isn't one. */
#define MMI_TIMED_MAX (1u << 27)

/*
 * The number of a timed-block record, which isn't cleared; 0: no memory.  When
 * memory is tight, only callers with `must' get a record.  ctx: hook.
 */
uint32_t mmi_timed_take(struct mmi_thread *t, bool must);

/* Timed-block record i, which mmi_timed_take() gave. */
struct mmi_timed *mmi_timed_at(uint32_t i);

/* The record isn't needed any more.  ctx: hook. */
void mmi_timed_give(struct mmi_thread *t, uint32_t i);

#endif
