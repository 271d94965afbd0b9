/* SPDX-License-Identifier: MIT */
/* Pages of the live map: their layout, and how they grow.  For live*.c only. */
#ifndef MEMMON_LIVE_PAGES_H
#define MEMMON_LIVE_PAGES_H

#include <sys/single_threaded.h>

#include "monitor/base/thread.h"

/*
 * Bits of an address: 18 for a leaf (1 GiB), 12 in a page, the others for the
 * root.
 */
#define MMI_LIVE_PAGE_BITS 12u
#define MMI_LIVE_LEAF_BITS 18u
#define MMI_LIVE_ROOT_BITS \
	(ARCH_ADDR_BITS - MMI_LIVE_LEAF_BITS - MMI_LIVE_PAGE_BITS)

/*
 * A leaf has a word for each page; 0: nothing yet.  Otherwise the lower 48 bits
 * are the address of the bucket or (FLAT, and no other bit) of the flat array.
 * The 6 bits above are 32 - n for a bucket of 2^n lines of 8 entries; if SMALL
 * is set, they are n and the bucket has 2^n entries, less than a line.
 * SPILLED: some entries are in the line next to their own, which was full.
 * LOCKED, DISTURBED: see live_pages.c.
 */
struct mmi_live_leaf {
	uint64_t page[1u << MMI_LIVE_LEAF_BITS];
	/* A bit for each page of memory of this struct where words were set. */
	uint32_t touched[(8u << MMI_LIVE_LEAF_BITS) / ARCH_PAGE / 32];
};
#define MMI_LIVE_FLAT (1ull << 63)
#define MMI_LIVE_SMALL (1ull << 62)
#define MMI_LIVE_LOCKED (1ull << 61)
#define MMI_LIVE_DISTURBED (1ull << 60)
#define MMI_LIVE_SPILLED (1ull << 59)
#define MMI_LIVE_BUCKET(word) ((uint64_t *)((word) & ((1ull << 48) - 1)))
#define MMI_LIVE_N(word) ((unsigned)((word) >> 48 & 63))

/* The second half is for addresses that aren't multiples of 16. */
#define MMI_LIVE_ROOTS (2u << MMI_LIVE_ROOT_BITS)
extern HIDDEN struct mmi_live_leaf *mmi_live_root[MMI_LIVE_ROOTS];

/* One bit stands for 64 roots: do any of them have a leaf?  Atomic. */
#define MMI_LIVE_GROUPS (MMI_LIVE_ROOTS / 64)
extern HIDDEN uint64_t mmi_live_groups[MMI_LIVE_GROUPS / 64];

static inline size_t
mmi_live_root_of(uintptr_t a)
{
	return a >> (MMI_LIVE_LEAF_BITS + MMI_LIVE_PAGE_BITS) |
	       (a & 8) << (MMI_LIVE_ROOT_BITS - 3);
}

/*
 * A flat array has a place for each 16 bytes of the page.  It contains 0, an
 * entry, or (WIDE) the number of an entry that takes more than 31 bits and is
 * stored in live_wide.c.
 */
#define MMI_LIVE_PLACES 256u
#define MMI_LIVE_WIDE (1u << 31)

/*
 * take: the word for a place that stores a wide entry; 0: no memory.
 * mmi_live_wide: its entry; 0: it was given back.  give: its entry, which is
 * then given back.  ctx: hook; mmi_live_wide(): any.
 */
uint32_t mmi_live_wide_take(uint64_t entry);
uint64_t mmi_live_wide(uint32_t v);
uint64_t mmi_live_wide_give(uint32_t v);

static inline uint64_t
mmi_live_flat_entry(uint32_t v)
{
	return LIKELY(v < MMI_LIVE_WIDE) ? v : mmi_live_wide(v);
}

/* Where in its page an address is: from 1, so that 0 is nowhere. */
#define MMI_LIVE_OFF(a) ((uint64_t)((a) >> 4 & (MMI_LIVE_PLACES - 1)) + 1)
#define MMI_LIVE_OFF_SHIFT 54
/* The entry is in the bits below OFF. */
#define MMI_LIVE_ENTRY ((1ull << MMI_LIVE_OFF_SHIFT) - 1)

/*
 * The first place, in a bucket of lines, for an entry with this OFF.  Equally
 * spaced blocks spread evenly, and neighbours go to different lines.
 */
static inline size_t
mmi_live_line(uint64_t off, unsigned n)
{
	return (uint64_t)((uint32_t)(off - 1) * (69u << 24)) >> n << 3;
}

/* The word of the page of address a, or NULL. */
static inline uint64_t *
mmi_live_page(uintptr_t a)
{
	struct mmi_live_leaf *l;

	if (UNLIKELY(a >> ARCH_ADDR_BITS))
		return NULL;
	l = LOAD_ACQ(&mmi_live_root[mmi_live_root_of(a)]);
	if (UNLIKELY(!l))
		return NULL;
	return &l->page[a >> MMI_LIVE_PAGE_BITS &
			((1u << MMI_LIVE_LEAF_BITS) - 1)];
}

/* The place of p; NULL: p is in no page, or its page isn't flat. */
static inline __attribute__((always_inline)) uint32_t *
mmi_live_flat(const void *p)
{
	/* Addresses above 47 bits, or with one of the lower four set, are too
	 * large. */
	uint64_t k = (uintptr_t)p >> 4 | (uintptr_t)p << 60, word;
	size_t i = k >> (MMI_LIVE_LEAF_BITS + MMI_LIVE_PAGE_BITS - 4);
	const struct mmi_live_leaf *l;
	uint32_t *at;

	if (UNLIKELY(i >= MMI_LIVE_ROOTS / 2))
		return NULL;
	l = LOAD_ACQ(&mmi_live_root[i]);
	if (UNLIKELY(!l))
		return NULL;
	word = LOAD_ACQ(&l->page[k >> (MMI_LIVE_PAGE_BITS - 4) &
				 ((1u << MMI_LIVE_LEAF_BITS) - 1)]);
	if (UNLIKELY(!(word & MMI_LIVE_FLAT)))
		return NULL;
	at = (uint32_t *)(word & ~MMI_LIVE_FLAT) + (k & (MMI_LIVE_PLACES - 1));
	if (!at)
		__builtin_unreachable();
	return at;
}

/* Places that are compared at a time: a cache line. */
#define MMI_LIVE_LINE 8u

/*
 * mmi_live_page(), but makes the leaf if there is none; NULL: no memory.  ctx:
 * slow.
 */
uint64_t *mmi_live_pages_make(uintptr_t a);

/*
 * Enlarge the bucket of the page of address a, whose word was `word', for a
 * block of `size' bytes.  False: no memory.  ctx: slow.
 */
bool mmi_live_pages_grow(struct mmi_thread *t, uintptr_t a, uint64_t *page,
			 uint64_t word, uint64_t size);

/* A single thread needs no bus lock: its own handlers see the change whole. */
static inline bool
mmi_live_cas(uint64_t *p, uint64_t old, uint64_t new)
{
	if (LIKELY(__libc_single_threaded))
		return arch_cas_local(p, old, new);
	return CAS(p, &old, new);
}

/* The word for a place that stores an entry; 0: no memory. */
static inline uint32_t
mmi_live_flat_made(uint64_t entry)
{
	entry &= MMI_LIVE_ENTRY;
	return LIKELY(entry < MMI_LIVE_WIDE) ? (uint32_t)entry
					     : mmi_live_wide_take(entry);
}

/* The entry of a word that was taken out of a place. */
static inline uint64_t
mmi_live_flat_gone(uint32_t v)
{
	return LIKELY(v < MMI_LIVE_WIDE) ? v : mmi_live_wide_give(v);
}

/* Forget pages that other threads were enlarging.  ctx: fork. */
void mmi_live_fork(void);

#endif
