/* SPDX-License-Identifier: MIT */
/*
 * The live map: from the address of a block to its entry.
 *
 * A page of the program's heap with many small blocks has a flat array: 4 bytes
 * for each 16 bytes, so no search is necessary.  Another page has a bucket of
 * entries of 8 bytes each.  A full bucket is replaced by one of twice the size,
 * and in the end by a flat array.  So the map takes 8 to 16 bytes for most
 * blocks of any size, and 8 bytes for each page.  (With several threads,
 * replaced buckets aren't used again: then it takes twice that.) Neighbours in
 * the heap are neighbours here.  Blocks that aren't aligned to 16 bytes have
 * pages of their own.
 */
#ifndef MEMMON_LIVE_H
#define MEMMON_LIVE_H

#include "monitor/counts/live_pages.h"
#ifdef MEMMON_ACCESS
#include "monitor/shadow/shadow.h"
#endif

/*
 * An entry has 54 bits: a cell (26 bits), TIMED, and a tail (27 bits).  The
 * tail of a timed block (TIMED) is the number of its record; of any other
 * block, its place in its thread's ring (4 bits) and that thread's ordinal (23
 * bits).  The upper bits of a cell and an ordinal are 0 in most entries.  They
 * are above bit 31, so most entries fit into 4 bytes. 0 is not an entry.
 */
#define MMI_LIVE_TIMED (1ull << 31)
#define MMI_LIVE_CELL_LOW 17u
#define MMI_LIVE_CELL_HIGH 9u
#define MMI_LIVE_TAIL_LOW 14u
#define MMI_LIVE_TAIL_BITS 27u

/* The tail of a block that isn't timed. */
#define MMI_LIVE_TAIL(ordinal, place) ((ordinal) << 4 | (place))
#define MMI_LIVE_ORDINAL(tail) ((tail) >> 4)
#define MMI_LIVE_PLACE(tail) ((tail)&15u)
_Static_assert(MONOUT_NEAR == 16, "4 bits");

/*
 * These are no thread's ordinals.  NOBODY: the block's thread is unknown; NONE:
 * no thread matches.
 */
#define MMI_LIVE_NOBODY ((1u << 23) - 1)
#define MMI_LIVE_NONE 0u

/*
 * A word of a flat array, for a block that isn't timed and belongs to one of
 * the first threads and cells: from bit 0 on its cell and its place in the
 * ring; in the bits of MARKS its mark, which is the thread's ordinal.  In words
 * of other threads' blocks and of timed and wide blocks these bits are no
 * thread's mark.  No block has NO_MARK.
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

/* mmi_live_put() and take() if the page isn't flat or the entry is wide. */
uint64_t mmi_live_put_other(struct mmi_thread *t, const void *p, uint64_t size,
			    uint64_t entry, bool *ok);
uint64_t mmi_live_take_other(const void *p);

/*
 * mmi_live_put() and take() for a block in a page.  Between a block's
 * allocation and its free its address has one owner, so no other thread changes
 * its place; but a program may free a block twice.
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
 * Take the word v out of the place; false: the place has another word now.
 * alone: there is one thread.
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
/* The same for a block that isn't in the shadow, or that is put back there. */
uint64_t mmi_live_put_odd(struct mmi_thread *t, const void *p, uint64_t size,
			  uint64_t entry, bool *ok);
uint64_t mmi_live_take_odd(const void *p);
#endif

/*
 * Enters the block of `size' bytes at p.  Returns the old entry: normally 0;
 * another entry if the free of its block wasn't recorded.  *ok becomes false
 * without memory for the entry (with t NULL none is requested), or if a page
 * stays LOCKED.  ctx: hook.
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

/* Take the block at p out; 0 if it isn't in the map.  ctx: hook. */
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
 * page; then for blocks that aren't aligned to 16 bytes.  Other threads must be
 * stopped, or f may miss or get blocks that they change.  Leaves out blocks in
 * the shadow.  ctx: exit.
 */
void mmi_live_walk(void (*f)(uintptr_t a, uint64_t entry, void *arg),
		   void *arg);

/*
 * mmi_live_walk() of one page, which begins at a, for blocks that are aligned
 * to 16 bytes; f may take them out.  ctx: hook.
 */
void mmi_live_walk_page(uintptr_t a,
			void (*f)(uintptr_t a, uint64_t entry, void *arg),
			void *arg);

/*
 * The entry of the block at p, only with the bits that tell it from others; 0:
 * not in the map.  May miss one that another thread is moving.  ctx: any.
 */
uint64_t mmi_live_peek(const void *p);

#endif
