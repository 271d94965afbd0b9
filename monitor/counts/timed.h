/* SPDX-License-Identifier: MIT */
/* Stamps: what is known of some live blocks beyond their entry in the map. */
#ifndef MEMMON_STAMPS_H
#define MEMMON_STAMPS_H

#include "monitor/base/thread.h"

struct mmi_stamp {
	uint64_t born;	  /* ns on the monotonic clock; weight 0: not set */
	uint64_t size;	  /* bytes */
	uint32_t weight;  /* blocks that this one stands for; 0: not timed; and
			   * MMI_STAMP_LOOKED */
	uint32_t resized; /* reallocs that the block has been through */
	uint32_t ordinal; /* of the thread that allocated it */
	uint32_t seq;	  /* allocations of that thread before it; or, of a
			   * free stamp, the next one */
};

/* Its usable size is in its cell's `looked'. */
#define MMI_STAMP_LOOKED (1u << 31)

/* Stamps are numbered below this; 0 isn't one. */
#define MMI_STAMPS_MAX (1u << 27)

/*
 * The number of a stamp, which isn't cleared; 0: no memory.  What is left when
 * memory is tight is only for those that are needed (`must').  ctx: hook.
 */
uint32_t mmi_stamps_take(struct mmi_thread *t, bool must);

/* Stamp i, which mmi_stamps_take() gave. */
struct mmi_stamp *mmi_stamps_at(uint32_t i);

/* It isn't needed any more.  ctx: hook. */
void mmi_stamps_give(struct mmi_thread *t, uint32_t i);

#endif
