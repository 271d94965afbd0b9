/* SPDX-License-Identifier: MIT */
/*
 * The live map: from the address of a block to its site and size.
 *
 * A radix tree over the address space, three loads deep, with a slot of 8 bytes
 * per 16 bytes of heap: a store when a block is made, an exchange when it goes,
 * no lock, no search.  Only pages that hold a block's start are touched.
 * Blocks at odd multiples of 8, which some allocators hand out for small sizes,
 * have slots of their own.
 */
#ifndef MEMMON_LIVE_H
#define MEMMON_LIVE_H

#include "monitor/internal.h"

/* Sites are numbered below this; 0 isn't a site. */
#define MMI_LIVE_SITES (1u << 26)

/* What the map knows of a block. */
struct mmi_block {
	uint32_t site;	/* from 1; 0: the block isn't in the map */
	bool inherited; /* made before the last fork */
	uint64_t size;	/* bytes asked for */
};

/*
 * Enter the block at p.  Returns what stood there: normally .site == 0; another
 * block when its free wasn't seen.  *ok is false when there is no memory for
 * the slot.  ctx: hook.
 */
struct mmi_block mmi_live_put(const void *p, uint32_t site, uint64_t size,
			      bool *ok);

/* Take the block at p out; .site == 0 when it isn't there.  ctx: hook. */
struct mmi_block mmi_live_take(const void *p);

/* Put back what mmi_live_take() took from p: the free failed.  ctx: hook. */
void mmi_live_restore(const void *p, struct mmi_block b);

/* From now on all blocks in the map are inherited.  ctx: fork. */
void mmi_live_fork(void);

#endif
