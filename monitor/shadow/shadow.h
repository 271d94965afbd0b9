/* SPDX-License-Identifier: MIT */
/*
 * The shadow of the address space: two arrays with a word for each granule,
 * mapped whole, touched only where there is heap.  The first has the counts
 * (abi.h); the second has the live map and when things were first touched:
 *
 *	START	the block's first granule: its entry, as in live.h
 *	INFO	its second one, or the one after it: when the block was made,
 *		and when one of these two was first touched (0: see the stamp)
 *	FIRST	another one: when it was first touched
 *
 * Where the block begins that an address is in two more arrays tell, of larger
 * blocks (mmi_shadow_begins_far()).  One has a number for each card of 32
 * granules: how many granules before the card the block begins that was last
 * known to reach into it from before.  The other one has, for each region of 1
 * MiB, the first granule of such a block.  They are never cleared: who asks
 * them looks at the block.  One more array has the ends of ranges: ranges.h.
 *
 * Blocks that may share a granule with others aren't in it: those of 16 bytes
 * and less of some allocators.  They are in the map of live.h, as all are when
 * there is no shadow; of their accesses nothing is known.
 */
#ifndef MEMMON_SHADOW_H
#define MEMMON_SHADOW_H

#include <sys/single_threaded.h>

#include "monitor/abi.h"
#include "monitor/base/arch.h"
#include "monitor/base/internal.h"

/* Bits of an address that matter, less those in a granule; valgrind has room
 * for 28. */
#ifndef MMI_SHADOW_BITS
#define MMI_SHADOW_BITS 40
#endif
#define MMI_SHADOW_GRANULES (1ull << MMI_SHADOW_BITS)

#define MMI_SHADOW_START (1ull << 63)
#define MMI_SHADOW_INFO (1ull << 62)
#define MMI_SHADOW_FIRST (1ull << 61)
#define MMI_SHADOW_ENTRY ((1ull << 54) - 1)
#define MMI_SHADOW_STAMP ((1ull << MEMMON_STAMP_BITS) - 1)
/* Of INFO and FIRST. */
#define MMI_SHADOW_FIRST_SHIFT MEMMON_STAMP_BITS
/*
 * Of INFO: its site's sizes have grown in a row; a part of it was cut off, the
 * counts of which are in overflow.h and the last access to which follows.
 */
#define MMI_SHADOW_GROWING (1ull << (2 * MEMMON_STAMP_BITS))
#define MMI_SHADOW_CUT (1ull << (2 * MEMMON_STAMP_BITS + 1))
#define MMI_SHADOW_LAST_SHIFT (2 * MEMMON_STAMP_BITS + 2)
/* Several threads touched what was cut off, or all that there was before. */
#define MMI_SHADOW_SHARED (1ull << (3 * MEMMON_STAMP_BITS + 2))
/* The block was handed to code whose accesses aren't recorded: handed.h. */
#define MMI_SHADOW_HANDED (1ull << (3 * MEMMON_STAMP_BITS + 3))
/* It is a sample: only samples have words that aren't 0 then. */
#define MMI_SHADOW_SAMPLE (1ull << (3 * MEMMON_STAMP_BITS + 4))

/* Regions of the heap, to find live blocks by: 1 MiB. */
#define MMI_SHADOW_REGION_SHIFT 20u
#define MMI_SHADOW_REGIONS (1u << 24)
#define MMI_SHADOW_REGION \
	((1ull << MMI_SHADOW_REGION_SHIFT) >> MEMMON_GRANULE_SHIFT)

/* Granules of a card.  A block of no more granules needs no card. */
#define MMI_SHADOW_CARD 32u

/* What ranges.h calls a card: its granules, and the bytes of its record. */
#define MMI_RANGES_CARD 16u
#define MMI_RANGES_BYTES 32u

struct mmi_shadow {
	uint64_t *cells;  /* the counts; NULL if there is no shadow */
	uint64_t *blocks; /* the other array */
	uint16_t
		*cards; /* a block's distance from each, in granules; 0: none */
	uint64_t *large;  /* by region: a block's first granule */
	uint64_t *ends;	  /* of ranges: ranges.h */
	uint8_t *regions; /* was there a block in it? */
	uint8_t *ranged;  /* was there an end of a range? */
	uint64_t least;	  /* bytes of a block that doesn't share 32 with any */
	bool shared;	  /* a fork doesn't copy it */
};
extern struct mmi_shadow mmi_shadow;

/* Two words, to be read or written at once. */
typedef uint64_t mmi_words
	__attribute__((vector_size(16), aligned(sizeof(uint64_t)), may_alias));

/* Granule of an address. */
static inline uint64_t
mmi_shadow_granule(uintptr_t a)
{
	return a >> MEMMON_GRANULE_SHIFT & (MMI_SHADOW_GRANULES - 1);
}

/* The words of the block at p will be needed soon. */
static inline void
mmi_shadow_soon(const void *p)
{
	uint64_t i = mmi_shadow_granule((uintptr_t)p);

	__builtin_prefetch((void *)((uintptr_t)mmi_shadow.cells + 8 * i), 1);
	__builtin_prefetch((void *)((uintptr_t)mmi_shadow.blocks + 8 * i), 1);
}

/* Granules of a block of `size' bytes. */
static inline uint64_t
mmi_shadow_granules(uint64_t size)
{
	return (size + 15) >> MEMMON_GRANULE_SHIFT;
}

/*
 * Map it, once.  When it can't be had all goes on without, and mmi_shadow_why()
 * says why (NULL: it is there).  ctx: init, before the first block is recorded.
 */
void mmi_shadow_init(void);
const char *mmi_shadow_why(void);

/*
 * It isn't needed as long as nobody counts accesses; then it is: blocks that
 * there are by then aren't in it.  ctx: init; slow.
 */
void mmi_shadow_put_off(void);
void mmi_shadow_needed(void);

/* A region gets its first block. */
void mmi_shadow_region(uintptr_t a);

/* May the block stand in the second array? */
static inline bool
mmi_shadow_takes(const void *p, uint64_t size)
{
	return LIKELY(size >= mmi_shadow.least) && LIKELY(!((uintptr_t)p & 15));
}

/*
 * Enter a block that it takes; what stood there, normally 0.  An entry is as in
 * live.h.  ctx: hook.
 */
static inline uint64_t
mmi_shadow_put(const void *p, uint64_t entry)
{
	uintptr_t a = (uintptr_t)p;
	uint64_t *b = &mmi_shadow.blocks[mmi_shadow_granule(a)], was;
	uint8_t *r = &mmi_shadow.regions[a >> MMI_SHADOW_REGION_SHIFT &
					 (MMI_SHADOW_REGIONS - 1)];

	if (UNLIKELY(!LOAD(r)))
		mmi_shadow_region(a);
	was = LOAD(b);
	STORE(b, entry | MMI_SHADOW_START);
	return was & MMI_SHADOW_START ? was & MMI_SHADOW_ENTRY : 0;
}

/* Take it out; 0: it isn't there.  ctx: hook. */
static inline uint64_t
mmi_shadow_take(const void *p)
{
	uint64_t *b = &mmi_shadow.blocks[mmi_shadow_granule((uintptr_t)p)], v;

	if (UNLIKELY(!mmi_shadow.blocks || (uintptr_t)p & 15))
		return 0;
	v = LOAD(b);
	if (UNLIKELY(!(v & MMI_SHADOW_START)))
		return 0;
	STORE(b, 0);
	return v & MMI_SHADOW_ENTRY;
}

/* Is the block there that was just taken out, or belongs it elsewhere? */
static inline bool
mmi_shadow_had(const void *p)
{
	uint64_t i = mmi_shadow_granule((uintptr_t)p) + 1;

	return LIKELY(mmi_shadow.blocks) && !((uintptr_t)p & 15) &&
	       LOAD(&mmi_shadow.blocks[i]) & MMI_SHADOW_INFO;
}

/*
 * A block of n granules from i on, more than a card has, is to be found from
 * all of them; from the first `had' it is.  Cost: 6 instructions for each card.
 * ctx: hook.
 */
void mmi_shadow_spread(uint64_t i, uint64_t n, uint64_t had);

/*
 * False: no block contains address a, as in most libraries and stacks.  True:
 * one may.  Cost: 3 loads.  ctx: any.
 */
static inline bool
mmi_shadow_may_reach(uintptr_t a)
{
	uint64_t r = a >> MMI_SHADOW_REGION_SHIFT & (MMI_SHADOW_REGIONS - 1);

	/* One from further away is in large[], mmi_shadow_spread(). */
	return LOAD(&mmi_shadow.regions[r]) ||
	       (r && LOAD(&mmi_shadow.regions[r - 1])) ||
	       LOAD(&mmi_shadow.large[r]);
}

/*
 * Two places where the block of granule i may begin: the first by cards and
 * regions, the second by the words before i.  A block that has granule i begins
 * at one of the two; UINT64_MAX is none.  Cost: 10 instructions, and 20 to 70,
 * however large the block is.  ctx: any.
 */
uint64_t mmi_shadow_begins_far(uint64_t i);
uint64_t mmi_shadow_begins_near(uint64_t i);

/*
 * Put v in place of *was, unless another thread or a handler has changed it:
 * then *was gets what is there.  A lone thread pays for no lock.  ctx: any.
 */
static inline bool
mmi_shadow_replace(uint64_t *p, uint64_t *was, uint64_t v)
{
	if (!__libc_single_threaded)
		return CAS(p, was, v);
	if (arch_cas_local(p, *was, v))
		return true;
	*was = LOAD(p);
	return false;
}

/* Remember that granule i was touched at `epoch', if not before.  ctx: hook. */
void mmi_shadow_first(uint64_t i, uint32_t epoch);

/*
 * Forget the words of n granules from i on where these are whole pages, which
 * go back to the kernel: they are 0 then.  *lo and *hi: the first of these, and
 * the one after the last; equal if there are none.  ctx: slow.
 */
void mmi_shadow_drop(uint64_t *words, uint64_t i, uint64_t n, uint64_t *lo,
		     uint64_t *hi);

/*
 * Call f for each block in it, with its address's granule and its entry.  ctx:
 * exit.
 */
void mmi_shadow_walk(void (*f)(uint64_t granule, uint64_t entry, void *arg),
		     void *arg);

/* Call f for each of n granules from i on whose word has any of `bits'.  ctx:
 * hook. */
void mmi_shadow_with(uint64_t i, uint64_t n, uint64_t bits,
		     void (*f)(uint64_t granule));

/* Bytes of memory that it takes, about.  ctx: exit. */
uint64_t mmi_shadow_used(void);

/* A child has a copy of its own, or else an empty one.  ctx: fork. */
void mmi_shadow_fork(void);

#endif
