/* SPDX-License-Identifier: MIT */
/*
 * Backing: blocks of malloc's, or of a pool's, that a pool has divided: see
 * pool.h.  A record without address is for the next one that needs one in the
 * same list.
 */
#ifndef MEMMON_BACKING_H
#define MEMMON_BACKING_H

#include "monitor/base/internal.h"

struct mmi_backing {
	uintptr_t key; /* atomic; 0: nobody's; 1: being made */
	uint32_t next; /* set once */
	uint32_t cell; /* where it was counted */
	uint32_t pool; /* number; 0: no pool's */
	uint32_t life; /* of the pool */
	uint64_t size;
};

/*
 * A record for the block at p, to be filled in; NULL: no memory.  Then it is
 * found.  ctx: hook (slow now and then).
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
 * Bytes of what is of no pool, or of one whose life, as life() has it, is still
 * the same.  ctx: any.
 */
uint64_t mmi_backing_sum(uint32_t (*life)(uint32_t pool));

#endif
