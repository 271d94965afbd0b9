/* SPDX-License-Identifier: MIT */
/*
 * Addresses for sampled blocks alone.  If blocks are sampled, recorded code
 * does nothing for all other blocks.  It knows them by their addresses: samples
 * lie below all other memory (struct memmon_access_state, `limit').
 *
 * The addresses are divided into classes of block sizes, each with its own
 * slots.  Taking and giving back a slot needs no lock, so signal handlers,
 * forks and threads that end can't block it.
 *
 * A sample that gets no slot (no memory, another allocator's operator new) lies
 * elsewhere.  Then recorded code looks at the words of all blocks: see
 * mmi_apart_mix().
 */
#ifndef MEMMON_APART_H
#define MEMMON_APART_H

#include "monitor/base/internal.h"

/* Each class has 16 GiB, the size of the largest block. */
#define MMI_APART_CLASS_SHIFT 34
#define MMI_APART_CLASSES 116u
#define MMI_APART_SIZE ((uintptr_t)MMI_APART_CLASSES << MMI_APART_CLASS_SHIFT)

/* Where the addresses begin; no address of a block: there are none. */
extern HIDDEN uintptr_t mmi_apart_start;
/* Do new samples get slots? */
extern HIDDEN bool mmi_apart_open; /* atomic */

/* Is p one of these addresses?  In libmemmon there are none.  ctx: any. */
static inline bool
mmi_apart_has(const void *p)
{
#ifdef MEMMON_ACCESS
	return UNLIKELY((uintptr_t)p - mmi_apart_start < MMI_APART_SIZE);
#else
	(void)p;
	return false;
#endif
}

/*
 * About what glibc's malloc_usable_size() would say of a block of `size' bytes
 * that is in a slot.  ctx: any.
 */
static inline uint64_t
mmi_apart_elsewhere(uint64_t size)
{
	return size < 24 ? 24 : ((size + 23) & ~15ull) - 8;
}

/*
 * Reserves the addresses, sets the limit, and puts functions that know slots
 * before the next allocator's.  Does nothing without sampling, without a
 * shadow, or if the next allocator isn't glibc's.  ctx: init, before the first
 * block.
 */
void mmi_apart_init(void);

/*
 * From now on samples lie among the other blocks.  _mix: some do, the others
 * still get slots.  ctx: any.
 */
#ifdef MEMMON_ACCESS
void mmi_apart_close(void);
#else
static inline void
mmi_apart_close(void)
{
}
#endif
void mmi_apart_mix(void);

/*
 * Atomic: while it is true, the words of a sample of at least MMI_SHADOW_MANY
 * granules are 0 until they are accessed, so most of their memory isn't used.
 * Otherwise only blocks that aren't samples have words of 0.
 */
extern HIDDEN bool mmi_apart_zeros;

/*
 * A slot for `size' bytes, aligned to `align', a power of two; `zeroed': the
 * bytes are 0.  NULL: no slot, use the next allocator.  ctx: hook.
 */
void *mmi_apart_alloc(size_t size, size_t align, bool zeroed);

/*
 * realloc() of a block that is in a slot or not; `sample': the result gets a
 * slot, if there is one.  ctx: hook.
 */
void *mmi_apart_realloc(void *old, size_t size, bool sample);

#endif
