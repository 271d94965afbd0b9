/* SPDX-License-Identifier: MIT */
/*
 * The live map: from the address of a block to its entry.
 *
 * A page of the program's heap with many small blocks has a flat array: 4 bytes
 * for each 16 bytes, so that no entry is searched for.  Another page has a
 * bucket of entries, 8 bytes each, which gets twice the room when there is no
 * place in it for a block, and becomes flat in the end.  So the map takes 8 to
 * 16 bytes for most blocks of any size, besides 8 bytes for each page.  (Where
 * there are several threads buckets that were left aren't used again: twice
 * that.)  Neighbours in the heap are neighbours here.  Blocks that aren't
 * aligned to 16 bytes have pages of their own.
 */
#ifndef MEMMON_LIVE_H
#define MEMMON_LIVE_H

#include "monitor/counts/live_pages.h"
#ifdef MEMMON_ACCESS
#include "monitor/shadow/shadow.h"
#endif

/*
 * An entry, of 54 bits: a cell (26 bits) and a tail (27): the block's place in
 * its thread's ring (4) and that thread's ordinal (23), or, of a timed block
 * (TIMED), its record's number.  What is 0 of most entries, of a cell's and an
 * ordinal's bits the upper ones, stands above bit 31, so that they fit into 4
 * bytes.  0 is not an entry.
 */
#define MMI_LIVE_TIMED (1ull << 31)
#define MMI_LIVE_CELL_LOW 17u
#define MMI_LIVE_CELL_HIGH 9u
#define MMI_LIVE_TAIL_LOW 14u
#define MMI_LIVE_TAIL_BITS 27u

/* Of the tail of a block that isn't timed. */
#define MMI_LIVE_TAIL(ordinal, place) ((ordinal) << 4 | (place))
#define MMI_LIVE_ORDINAL(tail) ((tail) >> 4)
#define MMI_LIVE_PLACE(tail) ((tail)&15u)
_Static_assert(MONOUT_NEAR == 16, "4 bits");

/* No thread's ordinal: whose block it is isn't known; none's to match it. */
#define MMI_LIVE_NOBODY ((1u << 23) - 1)
#define MMI_LIVE_NONE 0u

/*
 * A word of a flat array, for a block that isn't timed, of one of the first
 * threads and cells: from bit 0 on its cell and its place in the ring, in the
 * bits of MARKS its mark, which is the thread's ordinal.  Of blocks of other
 * threads, timed and wide ones, these bits are no thread's mark; NO_MARK is no
 * block's.
 */
#define MMI_LIVE_MARKS (~0u << (MMI_LIVE_CELL_LOW + 4))
#define MMI_LIVE_NO_MARK 1u
#define MMI_LIVE_FIRST_CELLS (1u << MMI_LIVE_CELL_LOW)

static inline uint32_t
mmi_live_mark(uint32_t ordinal)
{
	return ordinal && ordinal < 1u << (MMI_LIVE_TAIL_LOW - 4)
		       ? ordinal << (MMI_LIVE_CELL_LOW + 4)
		       : MMI_LIVE_NO_MARK;
}

static inline uint32_t
mmi_live_cell(uint64_t entry)
{
	return ((uint32_t)entry & ((1u << MMI_LIVE_CELL_LOW) - 1)) |
	       ((uint32_t)(entry >> 32) & ((1u << MMI_LIVE_CELL_HIGH) - 1))
		       << MMI_LIVE_CELL_LOW;
}

static inline uint32_t
mmi_live_tail(uint64_t entry)
{
	return ((uint32_t)entry >> MMI_LIVE_CELL_LOW &
		((1u << MMI_LIVE_TAIL_LOW) - 1)) |
	       ((uint32_t)(entry >> (32 + MMI_LIVE_CELL_HIGH)) &
		((1u << (MMI_LIVE_TAIL_BITS - MMI_LIVE_TAIL_LOW)) -
		 1)) << MMI_LIVE_TAIL_LOW;
}

static inline uint64_t
mmi_live_entry(uint32_t cell, uint64_t timed, uint32_t tail)
{
	return (cell & ((1u << MMI_LIVE_CELL_LOW) - 1)) |
	       (uint64_t)(cell >> MMI_LIVE_CELL_LOW) << 32 |
	       (tail & ((1u << MMI_LIVE_TAIL_LOW) - 1)) << MMI_LIVE_CELL_LOW |
	       (uint64_t)(tail >> MMI_LIVE_TAIL_LOW)
		       << (32 + MMI_LIVE_CELL_HIGH) |
	       timed;
}

/* mmi_live_put() and take() where the page isn't flat, or the entry wide. */
uint64_t mmi_live_put_other(struct mmi_thread *t, const void *p, uint64_t size,
			    uint64_t entry, bool *ok);
uint64_t mmi_live_take_other(const void *p);

/*
 * mmi_live_put() and take() of a block in a page.  Between its allocation and
 * its free a block's address is one thread's, so that nobody else changes its
 * place; but a program may free what is freed already.
 */
static inline __attribute__((always_inline)) uint64_t
mmi_live_put_map(struct mmi_thread *t, const void *p, uint64_t size,
		 uint64_t entry, bool *ok)
{
	uint32_t *e = mmi_live_flat(p);

	if (UNLIKELY(!e) || UNLIKELY(LOAD(e) | entry >> 31))
		return mmi_live_put_other(t, p, size, entry, ok);
	STORE(e, (uint32_t)entry);
	*ok = true;
	return 0;
}

/*
 * Take what stands in the place out; false: it isn't that any more.  alone:
 * there is one thread.
 */
static inline bool
mmi_live_take_flat(uint32_t *at, uint32_t v, bool alone)
{
	if (UNLIKELY(!alone))
		return CAS(at, &v, 0);
	STORE(at, 0);
	return true;
}

static inline __attribute__((always_inline)) uint64_t
mmi_live_take_map(const void *p)
{
	uint32_t *e = mmi_live_flat(p), v = LIKELY(e) ? LOAD(e) : 0;

	if (UNLIKELY(v - 1 >= MMI_LIVE_WIDE - 1) ||
	    UNLIKELY(!mmi_live_take_flat(e, v, __libc_single_threaded)))
		return mmi_live_take_other(p);
	return v;
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
 * page; then for those that aren't aligned to 16 bytes.  Other threads stand
 * still, or what they do meanwhile may be missed or met.  Not those in the
 * shadow.  ctx: exit.
 */
void mmi_live_walk(void (*f)(uintptr_t a, uint64_t entry, void *arg),
		   void *arg);

/*
 * The same of one page, which begins at a, of blocks that are aligned to 16
 * bytes; f may take them out.  ctx: hook.
 */
void mmi_live_walk_page(uintptr_t a,
			void (*f)(uintptr_t a, uint64_t entry, void *arg),
			void *arg);

/*
 * The entry of the block at p, with nothing but what tells it from others; 0:
 * it isn't there.  May miss one that other threads are moving.  ctx: any.
 */
uint64_t mmi_live_peek(const void *p);

#endif
