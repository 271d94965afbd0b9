/* SPDX-License-Identifier: MIT */
/* Data of a block while it is resized.  ctx of all: hook. */
#ifndef MEMMON_USE_CARRY_H
#define MEMMON_USE_CARRY_H

#include "monitor/base/thread.h"

/*
 * LARGE: the words of new blocks with at least this many granules are not set
 * up but stay 0.  HUGE: the memory of such blocks' words goes back to the
 * kernel with the block; smaller blocks' words are reused.
 */
#define MMI_CARRY_LARGE ((64u << 10) >> MEMMON_GRANULE_SHIFT)
#define MMI_CARRY_HUGE MMI_SHADOW_MANY

/* The data of a block that moves with it when it is resized. */
struct mmi_carry {
	uint64_t *words;       /* copy of its shadow words; NULL: still in
			        * place */
	uint64_t size;	       /* of the block */
	uint64_t granules;     /* number of its words */
	uint64_t mapped;       /* bytes of `words' if it is a mapping */
	uint64_t from;	       /* its first granule */
	uint64_t info;	       /* INFO before the resize */
	uint32_t birth;	       /* an epoch; 0: no data */
	/* Was the shadow read?  Then `first' is the time of the first access,
	 * and `shared' tells whether several threads accessed the block. */
	bool read, shared;
	uint32_t first;
	uint64_t few[64];
};

/* There are no data of any block. */
void mmi_carry_none(struct mmi_carry *carry);

/*
 * The block at `old', of `size' bytes, is about to be resized: moves its data
 * to *carry.  If there is only one thread, the block's words stay where they
 * are and are not read yet: that is unnecessary if the block stays in place and
 * doesn't shrink.
 */
void mmi_carry_find(struct mmi_carry *carry, const void *old, uint64_t size);

/* The block was not resized: puts the data back. */
void mmi_carry_restore(const struct mmi_carry *carry, const void *old);

/*
 * The block is at `new' now, and mmi_use_made() was called: gives back the
 * memory that *carry and the shadow of the old place used.
 */
void mmi_carry_free(const struct mmi_carry *carry, const void *old,
		    const void *new);

/*
 * Copies the words of a block to granule i and the next ones, `kept' words in
 * all.  Leaves out when each granule was first accessed: the time of the
 * block's first access is known.  Adds the counts of a part that was cut off to
 * the block's.  Returns the block's new INFO.
 */
uint64_t mmi_carry_over(uint64_t i, uint64_t kept,
			const struct mmi_carry *carry);

/* Are all words of the block at granule i, now n granules, still in place? */
static inline bool
mmi_carry_stays(uint64_t i, uint64_t n, const struct mmi_carry *carry)
{
	return carry->birth && !carry->read && i == carry->from &&
	       n >= carry->granules;
}

/* Gives back the memory of a huge block's shadow. */
void mmi_carry_drop(uint64_t i, uint64_t n);

#endif
