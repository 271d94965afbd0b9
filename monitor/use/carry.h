/* SPDX-License-Identifier: MIT */
/* What is known of a block while it is resized.  ctx of all: hook. */
#ifndef MEMMON_USE_CARRY_H
#define MEMMON_USE_CARRY_H

#include "monitor/base/thread.h"

/*
 * Granules of a block whose words aren't set up, but left 0; and of one whose
 * words' memory goes back to the kernel with it.  That of smaller ones is used
 * again.
 */
#define MMI_CARRY_LARGE ((64u << 10) >> MEMMON_GRANULE_SHIFT)
#define MMI_CARRY_HUGE ((256u << 10) >> MEMMON_GRANULE_SHIFT)

/* What of a block goes over from one place to another when it is resized. */
struct mmi_carry {
	uint64_t *words;       /* of its shadow, saved; NULL: still in place */
	uint64_t size;	       /* of the block */
	uint64_t granules;     /* how many words it has */
	uint64_t mapped;       /* bytes of `words' when they are a mapping */
	uint64_t from;	       /* its first granule */
	uint64_t info;	       /* as it was */
	uint32_t birth;	       /* an epoch; 0: nothing is known */
	/* Was it read?  Then when it was touched at first, and whether by
	 * several threads. */
	bool read, shared;
	uint32_t first;
	uint64_t few[64];
};

/* Nothing is known of any block. */
void mmi_carry_none(struct mmi_carry *carry);

/*
 * The block at `old', of `size' bytes, is about to be resized: what is known of
 * it goes to *carry, and is only there from now on.  Where there is but one
 * thread its words aren't read yet: they are still there afterwards, and if the
 * block is, too, and no smaller, they needn't be.
 */
void mmi_carry_find(struct mmi_carry *carry, const void *old, uint64_t size);

/* It stays as it was after all: *carry goes back to it. */
void mmi_carry_restore(const struct mmi_carry *carry, const void *old);

/*
 * The block is at `new' now, and mmi_use_made() has been told: give back the
 * memory that *carry took, and what the old place's shadow did.
 */
void mmi_carry_free(const struct mmi_carry *carry, const void *old,
		    const void *new);

/*
 * What is known of a block goes over to granule i and those after it, `kept' of
 * them.  When each was first touched stays behind: the block's is known.  What
 * is known of a part that was cut off becomes the block's.  Returns what INFO
 * is to say.
 */
uint64_t mmi_carry_over(uint64_t i, uint64_t kept,
			const struct mmi_carry *carry);

/* Has the block at granule i, which has n now, all that it had, in place? */
static inline bool
mmi_carry_stays(uint64_t i, uint64_t n, const struct mmi_carry *carry)
{
	return carry->birth && !carry->read && i == carry->from &&
	       n >= carry->granules;
}

/* What a huge block's shadow took goes back. */
void mmi_carry_drop(uint64_t i, uint64_t n);

#endif
