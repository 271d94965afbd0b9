/* SPDX-License-Identifier: MIT */
/*
 * The shadow of the address space: two arrays with a word for each granule,
 * mapped as a whole, touched only where there is heap.  The first array has the
 * counts (abi.h).  The second array has the live map and the times of first
 * accesses:
 *
 *	START	the block's first granule: its entry, as in live.h
 *	INFO	its second one, or the one after it: when the block was made,
 *		and when one of these two was first touched (0: see the stamp)
 *	FIRST	another one: when it was first touched
 *
 * For larger blocks, two more arrays tell where the block begins that contains
 * an address (mmi_shadow_begins_far()).  One array has a number for each card
 * of 32 granules: the distance in granules from the card back to the start of
 * the last block that was known to reach into it.  The other array has, for
 * each region of 1 MiB, the first granule of such a block.  They are never
 * cleared: code that reads them checks the block.  Another array has the ends
 * of ranges: ranges.h.
 *
 * Blocks that may share a granule with others aren't in the shadow: blocks of
 * at most 16 bytes of some allocators.  They are in the map of live.h, as all
 * blocks are when there is no shadow; their accesses are unknown.
 */
#ifndef MEMMON_SHADOW_H
#define MEMMON_SHADOW_H

#include <sys/single_threaded.h>

#include "monitor/abi.h"
#include "monitor/base/arch.h"
#include "monitor/base/internal.h"

/*
 * Bits of an address that count, without those in a granule; valgrind has room
 * for 28.
 */
#ifndef MMI_SHADOW_BITS
#define MMI_SHADOW_BITS 40
#endif
#define MMI_SHADOW_GRANULES (1ull << MMI_SHADOW_BITS)

#define MMI_SHADOW_START (1ull << 63)
#define MMI_SHADOW_INFO (1ull << 62)
#define MMI_SHADOW_FIRST (1ull << 61)
#define MMI_SHADOW_ENTRY ((1ull << 54) - 1)
#define MMI_SHADOW_STAMP ((1ull << MEMMON_STAMP_BITS) - 1)
/* In INFO and FIRST. */
#define MMI_SHADOW_FIRST_SHIFT MEMMON_STAMP_BITS
/*
 * In INFO.  GROWING: the sizes at its site have grown in a row.  CUT: a part of
 * the block was cut off; its counts are in overflow.h, and the time of the last
 * access to it is from LAST_SHIFT on.
 */
#define MMI_SHADOW_GROWING (1ull << (2 * MEMMON_STAMP_BITS))
#define MMI_SHADOW_CUT (1ull << (2 * MEMMON_STAMP_BITS + 1))
#define MMI_SHADOW_LAST_SHIFT (2 * MEMMON_STAMP_BITS + 2)
/* Several threads touched the part that was cut off, or all that was there. */
#define MMI_SHADOW_SHARED (1ull << (3 * MEMMON_STAMP_BITS + 2))
/* The block was passed to unrecorded code: handed.h. */
#define MMI_SHADOW_HANDED (1ull << (3 * MEMMON_STAMP_BITS + 3))
/* The block is a sample; then only samples have words that aren't 0. */
#define MMI_SHADOW_SAMPLE (1ull << (3 * MEMMON_STAMP_BITS + 4))

/* Regions of the heap, 1 MiB each: live blocks are found by them. */
#define MMI_SHADOW_REGION_SHIFT 20u
#define MMI_SHADOW_REGIONS (1u << 24)
#define MMI_SHADOW_REGION \
	((1ull << MMI_SHADOW_REGION_SHIFT) >> MEMMON_GRANULE_SHIFT)

/* Granules of a card.  A block of at most this many needs no card. */
#define MMI_SHADOW_CARD 32u

/* A card of ranges.h: its granules, and the bytes of its record. */
#define MMI_RANGES_CARD 16u
#define MMI_RANGES_BYTES 32u

struct mmi_shadow {
	uint64_t *cells;  /* the counts; NULL if there is no shadow */
	uint64_t *blocks; /* the other array */
	uint16_t *cards;  /* granules back to a block's start; 0: none */
	uint64_t *large;  /* by region: a block's first granule */
	uint64_t *ends;	  /* of ranges: ranges.h */
	uint8_t *regions; /* did it ever have a block? */
	uint8_t *ranged;  /* did it ever have an end of a range? */
	/* Blocks of at least this size share no 32 bytes with others. */
	uint64_t least;
	bool shared; /* a fork doesn't copy it */
};
extern struct mmi_shadow mmi_shadow;

/* Two words, read or written at once. */
typedef uint64_t mmi_words
	__attribute__((vector_size(16), aligned(sizeof(uint64_t)), may_alias));

/* The granule of an address. */
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

/* How many granules a block of `size' bytes has. */
static inline uint64_t
mmi_shadow_granules(uint64_t size)
{
	return (size + 15) >> MEMMON_GRANULE_SHIFT;
}

/*
 * Map the shadow, once.  If that fails everything else works without it, and
 * mmi_shadow_why() says why (NULL: it exists).  ctx: init, before the first
 * block is recorded.
 */
void mmi_shadow_init(void);
const char *mmi_shadow_why(void);

/*
 * _put_off: the shadow isn't needed while no code counts accesses.  ctx: init.
 * _needed: now it is needed; it doesn't contain blocks from before.  ctx: slow.
 */
void mmi_shadow_put_off(void);
void mmi_shadow_needed(void);

/* A region gets its first block. */
void mmi_shadow_region(uintptr_t a);

/* May the block be in the second array? */
static inline bool
mmi_shadow_takes(const void *p, uint64_t size)
{
	return LIKELY(size >= mmi_shadow.least) && LIKELY(!((uintptr_t)p & 15));
}

/*
 * Enter a block that mmi_shadow_takes() allows; returns the old entry, normally
 * 0.  An entry is as in live.h.  ctx: hook.
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

/* Remove its entry and return it; 0: it has none.  ctx: hook. */
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

/* Was the block just removed from here?  False: from the map of live.h. */
static inline bool
mmi_shadow_had(const void *p)
{
	uint64_t i = mmi_shadow_granule((uintptr_t)p) + 1;

	return LIKELY(mmi_shadow.blocks) && !((uintptr_t)p & 15) &&
	       LOAD(&mmi_shadow.blocks[i]) & MMI_SHADOW_INFO;
}

/*
 * Let a block of n granules from i on, more than a card has, be found from all
 * its granules; from the first `had' it already can be.  Cost: 6 instructions
 * for each card.  ctx: hook.
 */
void mmi_shadow_spread(uint64_t i, uint64_t n, uint64_t had);

/*
 * False: no block contains address a, as for most libraries and stacks.  True:
 * a block may.  Cost: 3 loads.  ctx: any.
 */
static inline bool
mmi_shadow_may_reach(uintptr_t a)
{
	uint64_t r = a >> MMI_SHADOW_REGION_SHIFT & (MMI_SHADOW_REGIONS - 1);

	/*
	 * A block that begins further away is in large[], mmi_shadow_spread().
	 */
	return LOAD(&mmi_shadow.regions[r]) ||
	       (r && LOAD(&mmi_shadow.regions[r - 1])) ||
	       LOAD(&mmi_shadow.large[r]);
}

/*
 * Two granules where the block of granule i may begin: _far finds the first
 * from cards and regions, _near the second from the words before i.  A block
 * with granule i begins at one of the two; UINT64_MAX: none.  Cost: 10
 * instructions (_far), 20 to 70 (_near), for blocks of any size.  ctx: any.
 */
uint64_t mmi_shadow_begins_far(uint64_t i);
uint64_t mmi_shadow_begins_near(uint64_t i);

/*
 * Replace *was by v at p, unless another thread or a signal handler has changed
 * it: then *was gets the present word.  A single thread needs no locked
 * instruction.  ctx: any.
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

/*
 * Note that granule i was touched at `epoch', unless it was before.  ctx: hook.
 */
void mmi_shadow_first(uint64_t i, uint32_t epoch);

/*
 * Set the words of n granules from i on that are 0, while other threads may
 * change words.  ctx: any.
 */
void mmi_shadow_set(uint64_t i, uint64_t n, uint64_t word);

/*
 * Forget the words of n granules from i on that fill whole pages; the kernel
 * takes these pages back, and the words are 0 then.  *lo and *hi: the first of
 * these granules, and the one after the last; equal if there are none.  ctx:
 * slow.
 */
void mmi_shadow_drop(uint64_t *words, uint64_t i, uint64_t n, uint64_t *lo,
		     uint64_t *hi);

/* Make the words of n granules 0; whole pages are dropped.  ctx: slow. */
void mmi_shadow_zero(uint64_t i, uint64_t n);

/*
 * Call f for each block in the shadow, with the granule of its address and its
 * entry.  ctx: exit.
 */
void mmi_shadow_walk(void (*f)(uint64_t granule, uint64_t entry, void *arg),
		     void *arg);

/*
 * The first array's words of n granules from i on, in parts: pages that aren't
 * there have only zeros, and reading them would make them.  Only the words of
 * blocks of at least MANY granules go back to the kernel (use/carry.h); of a
 * smaller block, all words are one part.
 *
 *	struct mmi_shadow_pages p = mmi_shadow_pages(i, n);
 *	while (mmi_shadow_there(&p))
 *		use granules p.from to p.to - 1
 *
 * Cost: two or three system calls for each 1 MiB of a large block.  ctx: hook.
 */
#define MMI_SHADOW_MANY ((256u << 10) >> MEMMON_GRANULE_SHIFT)
#define MMI_SHADOW_REGION_PAGES                                               \
	(MMI_SHADOW_REGION * sizeof(uint64_t) / ARCH_PAGE)
struct mmi_shadow_pages {
	uint64_t from, to, end;
	uint32_t region; /* the one that in[] is about */
	bool all;
	uint8_t in[MMI_SHADOW_REGION_PAGES];
};
bool mmi_shadow_there(struct mmi_shadow_pages *p);

static inline struct mmi_shadow_pages
mmi_shadow_pages(uint64_t i, uint64_t n)
{
	struct mmi_shadow_pages p;

	p.from = p.to = i;
	p.end = i + n;
	p.region = UINT32_MAX;
	p.all = n < MMI_SHADOW_MANY;
	return p;
}

/* Call f for each of n granules from i on whose word has any of `bits'.  ctx:
 * hook. */
void mmi_shadow_with(uint64_t i, uint64_t n, uint64_t bits,
		     void (*f)(uint64_t granule));

/* About how many bytes of memory the shadow takes.  ctx: exit. */
uint64_t mmi_shadow_used(void);

/* The child has its own copy, or else an empty one.  ctx: fork. */
void mmi_shadow_fork(void);

#endif
