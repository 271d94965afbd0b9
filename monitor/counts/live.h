/* SPDX-License-Identifier: MIT */
/*
 * The live map: from the address of a block to its entry.
 *
 * For each page of the program's heap there is a bucket of entries, 8 bytes
 * each, which gets twice the room when there is no place in it for a block, so
 * that the map takes 8 to 16 bytes for most blocks of any size, besides 8 bytes
 * for each page.  (Where there are several threads buckets that were left
 * aren't used again: twice that.)  Neighbours in the heap are neighbours here.
 */
#ifndef MEMMON_LIVE_H
#define MEMMON_LIVE_H

#include <sys/single_threaded.h>

#include "monitor/base/thread.h"
#ifdef MEMMON_ACCESS
#include "monitor/shadow/shadow.h"
#endif

/*
 * An entry: where in its page the block starts, in units of 8 bytes and from 1
 * (10 bits, above); its cell (26 bits); has it a timed-block record (1
 * bit); then that record's number, or the place in its thread's ring and the
 * low bits of that thread's ordinal.  0 is no entry.
 */
#define MMI_LIVE_CELL_SHIFT 28u
#define MMI_LIVE_TIMED (1ull << 27)
#define MMI_LIVE_TAIL ((1u << 27) - 1)
#define MMI_LIVE_RING_SHIFT 23u
#define MMI_LIVE_ORDINAL ((1u << MMI_LIVE_RING_SHIFT) - 1)

/* No thread's ordinal: whose block it is isn't known; none's to match it. */
#define MMI_LIVE_NOBODY MMI_LIVE_ORDINAL
#define MMI_LIVE_NONE 0u

static inline uint32_t
mmi_live_cell(uint64_t entry)
{
	return (uint32_t)(entry >> MMI_LIVE_CELL_SHIFT) & ((1u << 26) - 1);
}

/* An entry but for the place of the block, which mmi_live_put() adds. */
static inline uint64_t
mmi_live_entry(uint32_t cell, uint64_t timed, uint32_t tail)
{
	return (uint64_t)cell << MMI_LIVE_CELL_SHIFT | timed | tail;
}

/* 47 bits of address: 17 for the root, 18 for a leaf (1 GiB), 12 in a page. */
#define MMI_LIVE_PAGE_BITS 12u
#define MMI_LIVE_LEAF_BITS 18u
#define MMI_LIVE_ROOT_BITS \
	(ARCH_ADDR_BITS - MMI_LIVE_LEAF_BITS - MMI_LIVE_PAGE_BITS)

/*
 * A leaf has a word for each page; 0: no bucket yet.  Else the address of the
 * bucket, 48 bits; above it, 6 bits: of a bucket of 2^n lines of 8 entries, 32
 * - n; SMALL: it is less than a line, 2^n entries for n there.  SPILLED: some
 * entries stand in the line beside theirs, which was full.  LOCKED: see live.c.
 */
struct mmi_live_leaf {
	uint64_t page[1u << MMI_LIVE_LEAF_BITS];
};
#define MMI_LIVE_LOCKED (1ull << 63)
#define MMI_LIVE_SMALL (1ull << 62)
#define MMI_LIVE_SPILLED (1ull << 60)
#define MMI_LIVE_BUCKET(word) ((uint64_t *)((word) & ((1ull << 48) - 1)))
#define MMI_LIVE_N(word) ((unsigned)((word) >> 48 & 63))

extern HIDDEN struct mmi_live_leaf *mmi_live_root[1u << MMI_LIVE_ROOT_BITS];

/* A bit for each page of a leaf, in which words were set; NULL: none was. */
extern HIDDEN uint32_t *mmi_live_touched[1u << MMI_LIVE_ROOT_BITS];

/* Where in its page an address is: from 1, so that 0 is nowhere. */
#define MMI_LIVE_OFF(a) ((uint64_t)((a) >> 3 & 511u) + 1)
#define MMI_LIVE_OFF_SHIFT 54

/*
 * The first place, in a bucket of lines, of an entry with this OFF.  Equally
 * spaced blocks spread evenly, neighbours go to different lines, and in the
 * largest bucket there is a place for each.
 */
static inline size_t
mmi_live_line(uint64_t off, unsigned n)
{
	return (uint64_t)((uint32_t)(off - 1) * (69u << 23)) >> n << 3;
}

/* The word of the page of address a, or NULL. */
static inline uint64_t *
mmi_live_page(uintptr_t a)
{
	struct mmi_live_leaf *l;

	if (UNLIKELY(a >> ARCH_ADDR_BITS))
		return NULL;
	l = LOAD_ACQ(
		&mmi_live_root[a >> (MMI_LIVE_LEAF_BITS + MMI_LIVE_PAGE_BITS)]);
	if (UNLIKELY(!l))
		return NULL;
	return &l->page[a >> MMI_LIVE_PAGE_BITS &
			((1u << MMI_LIVE_LEAF_BITS) - 1)];
}

/* One thread alone needs no bus lock; handlers of its own see it whole. */
static inline bool
mmi_live_cas(uint64_t *p, uint64_t old, uint64_t new)
{
	if (LIKELY(__libc_single_threaded))
		return arch_cas_local(p, old, new);
	return CAS(p, &old, new);
}

/* Is there an entry of this OFF in a line, and where is none (as two bits)? */
static inline unsigned
mmi_live_look(const uint64_t *line, uint64_t off, unsigned *none)
{
	return arch_line_find(line, MMI_LIVE_OFF_SHIFT, (unsigned)off, none);
}

/* mmi_live_put() and take() where it isn't as simple as mostly. */
uint64_t mmi_live_put_slow(struct mmi_thread *t, const void *p, uint64_t size,
			   uint64_t entry, bool *ok);
uint64_t mmi_live_take_slow(const void *p);

/* mmi_live_put() and take() of a block in a bucket. */
static inline uint64_t
mmi_live_put_map(struct mmi_thread *t, const void *p, uint64_t size,
		 uint64_t entry, bool *ok)
{
	uintptr_t a = (uintptr_t)p;
	uint64_t *page = mmi_live_page(a), word = page ? LOAD_ACQ(page) : 0;
	uint64_t off = MMI_LIVE_OFF(a), *line;
	unsigned none, same, other;

	*ok = true;
	/* Neither 0, nor LOCKED, nor SMALL. */
	if (LIKELY(word - 1 < MMI_LIVE_SMALL - 1)) {
		line = MMI_LIVE_BUCKET(word) +
		       mmi_live_line(off, MMI_LIVE_N(word));
		same = mmi_live_look(line, off, &none);
		if (UNLIKELY(word & MMI_LIVE_SPILLED))
			same |= mmi_live_look((uint64_t *)((uintptr_t)line ^
							   64),
					      off, &other);
		if (LIKELY(!same && none) &&
		    LIKELY(mmi_live_cas(line + __builtin_ctz(none) / 2, 0,
					entry | off << MMI_LIVE_OFF_SHIFT)))
			return 0;
	}
	return mmi_live_put_slow(t, p, size, entry, ok);
}

static inline uint64_t
mmi_live_take_map(const void *p)
{
	uintptr_t a = (uintptr_t)p;
	uint64_t *page = mmi_live_page(a), word = page ? LOAD_ACQ(page) : 0;
	uint64_t off = MMI_LIVE_OFF(a), *line, v;
	unsigned none, same;

	if (LIKELY(word - 1 < MMI_LIVE_SMALL - 1)) {
		line = MMI_LIVE_BUCKET(word) +
		       mmi_live_line(off, MMI_LIVE_N(word));
		same = mmi_live_look(line, off, &none);
		if (LIKELY(same)) {
			line += __builtin_ctz(same) / 2;
			v = LOAD(line);
			if (LIKELY(v >> MMI_LIVE_OFF_SHIFT == off &&
				   mmi_live_cas(line, v, 0)))
				return v;
		}
	}
	return mmi_live_take_slow(p);
}

#ifdef MEMMON_ACCESS
/* The same of one that isn't in the shadow, or put back there. */
uint64_t mmi_live_put_odd(struct mmi_thread *t, const void *p, uint64_t size,
			  uint64_t entry, bool *ok);
uint64_t mmi_live_take_odd(const void *p);
#endif

/*
 * Enter the block of `size' bytes at p.  Returns what stood there: normally 0;
 * another entry when its free wasn't seen.  *ok is false when there is no
 * memory for it (with t NULL none is asked for), or no end to a page's being
 * LOCKED.  ctx: hook.
 */
static inline uint64_t
mmi_live_put(struct mmi_thread *t, const void *p, uint64_t size, uint64_t entry,
	     bool *ok)
{
#ifdef MEMMON_ACCESS
	if (UNLIKELY(!mmi_shadow_takes(p, size)))
		return mmi_live_put_odd(t, p, size, entry, ok);
	*ok = true;
	return mmi_shadow_put(p, entry);
#else
	return mmi_live_put_map(t, p, size, entry, ok);
#endif
}

/* Take the block at p out; 0 when it isn't there.  ctx: hook. */
static inline uint64_t
mmi_live_take(const void *p)
{
#ifdef MEMMON_ACCESS
	uint64_t entry = mmi_shadow_take(p);

	return LIKELY(entry) ? entry : mmi_live_take_odd(p);
#else
	return mmi_live_take_map(p);
#endif
}

/*
 * Call f for each block in the map, page by page upwards, in no order within a
 * page.  Other threads stand still, or what they do meanwhile may be missed or
 * met.  Not those in the shadow.  ctx: exit.
 */
void mmi_live_walk(void (*f)(uintptr_t a, uint64_t entry, void *arg),
		   void *arg);

/*
 * The entry of the block at p, with nothing but what tells it from others; 0:
 * it isn't there.  May miss one that other threads are moving.  ctx: any.
 */
uint64_t mmi_live_peek(const void *p);

/* Pages that other threads were giving more room to are forgotten.  ctx: fork.
 */
void mmi_live_fork(void);

#endif
