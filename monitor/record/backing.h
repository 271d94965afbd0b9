/* SPDX-License-Identifier: MIT */
/*
 * Backing: blocks of malloc or of a pool that another pool has divided: see
 * pool.h.  A record without an address is free for a later block of the same
 * list.
 */
#ifndef MEMMON_BACKING_H
#define MEMMON_BACKING_H

#include "monitor/base/internal.h"

struct mmi_backing {
	uintptr_t key; /* atomic; 0: free; 1: being made */
	uint32_t next; /* set once */
	uint32_t cell; /* the cell that counted it */
	uint32_t pool; /* number; 0: not from a pool */
	uint32_t life; /* of the pool */
	uint64_t size;
};

/*
 * new: a record for the block at p, to be filled in; NULL: no memory.  ready:
 * makes it visible.  ctx: hook (slow now and then).
 */
struct mmi_backing *mmi_backing_new(const void *p);
void mmi_backing_ready(struct mmi_backing *b, const void *p);

/* A free of a block that isn't in the map: was it backing?  ctx: hook. */
bool mmi_backing_gone_slow(const void *p);
extern uint32_t mmi_backings; /* how many there are; atomic */
static inline bool
mmi_backing_gone(const void *p)
{
	return UNLIKELY(LOAD(&mmi_backings)) && mmi_backing_gone_slow(p);
}

/*
 * Bytes of backing blocks without a pool, or whose pool has still the same life
 * according to life().  ctx: any.
 */
uint64_t mmi_backing_sum(uint32_t (*life)(uint32_t pool));

#endif
