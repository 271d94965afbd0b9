/* SPDX-License-Identifier: MIT */
/*
 * Recording: how counts change when a block is made or freed.  The usual cases
 * are here, the others in record.c.  All ctx: hook.
 */
#ifndef MEMMON_RECORD_H
#define MEMMON_RECORD_H

#include "monitor/counts/cells.h"
#include "monitor/counts/heap.h"
#include "monitor/counts/history.h"
#include "monitor/counts/live.h"
#include "monitor/counts/timed.h"
#ifdef MEMMON_ACCESS
#include "monitor/use/grow.h"
#include "monitor/use/use.h"
#endif

/*
 * The first blocks of a cell are all timed, as long as there are few cells.
 * After that one block in MMI_TIMED_NEXT is timed and represents the others.
 * mmi_record_timing(n) sets one in n instead (1: all; 0: none).  ctx of timing:
 * init.
 */
#define MMI_TIMED_FIRST 16u
#define MMI_TIMED_NEXT 64u
#define MMI_TIMED_CELLS 8192u
void mmi_record_timing(unsigned n);
unsigned mmi_record_timed(void); /* ctx: any */

/* A block that is freed. */
struct mmi_gone {
	uint64_t size;
	uint32_t resized;
	uint32_t ordinal; /* of its thread; 0: not known */
	uint32_t place;	  /* in that thread's ring */
	bool become;	  /* realloc makes a block of it; for the log */
	const void *at;	  /* its address by an old entry; for the log */
	const struct arch_entry *by; /* who frees it; NULL: not known */
};

/* The properties of a new block. */
struct mmi_made {
	const void *p;
	uint64_t size;
	uint32_t resized;
	uint32_t other; /* 1: not from one of malloc's functions */
#ifdef MEMMON_ACCESS
	const struct mmi_carry *carry; /* NULL: no earlier data */
#endif
};

/*
 * Frees: by a thread that isn't the cell's; of a block from before a fork or a
 * reset; of a block with a timed-block record.
 */
void mmi_record_free_by_other(struct mmi_thread *t, struct mmi_cell *c,
			      const void *p, const struct mmi_gone *g);
void mmi_record_free_inherited(struct mmi_thread *t, uint32_t cell,
			       const void *p, const struct mmi_gone *g);
void mmi_record_free_timed(struct mmi_thread *t, uint64_t entry, const void *p,
			   struct mmi_gone *g);

/*
 * mmi_record_free() with p NULL, out of line, for a block at `at'; become: see
 * struct mmi_gone.
 */
void mmi_record_free_old(struct mmi_thread *t, uint64_t entry, const void *at,
			 bool become, struct mmi_gone *g);

/* Must the cell's next block be timed because it is one of the first? */
static inline bool
mmi_record_first(const struct mmi_cell *c)
{
	return c->allocs < MMI_TIMED_FIRST && c->number < MMI_TIMED_CELLS;
}

/* Or does it need a timed-block record for another reason? */
static inline bool
mmi_record_slowly(const struct mmi_cell *c)
{
	return mmi_record_first(c) || mmi_cell_size(c) >= MMI_CELL_ANY;
}

/* Counts an allocation of `size' bytes that couldn't be recorded. */
void mmi_record_lost(struct mmi_thread *t, uint64_t size);

/*
 * Records a new block of any kind, of the call path of s (NULL: in t->chain).
 * Returns its cell; NULL: not recorded, which is counted.
 */
struct mmi_cell *mmi_record_slow(struct mmi_thread *t, struct mmi_frame *s,
				 const struct mmi_made *m);

/*
 * The cell for the call path of s if its blocks need no timed-block record,
 * else NULL.
 */
struct mmi_cell *mmi_record_cell(struct mmi_thread *t, struct mmi_frame *s,
				 uint64_t size);

/*
 * The cell's counts are about to change: if there was a new snapshot since
 * their last change, the cell notes them.  `peaks' is mmi_shared.heap's.
 */
static inline void
mmi_record_time(struct mmi_thread *t, struct mmi_cell *c, uint64_t peaks)
{
	if (LIKELY(!((c->epoch ^ peaks) >> MMI_HEAP_SNAPSHOT)))
		return;
	mmi_history_note(t, c);
	c->epoch = (c->epoch & MMI_HEAP_PEAKS) | (peaks & ~MMI_HEAP_PEAKS);
}

/* Sets how many blocks the cell held at the peak. */
static inline void
mmi_record_held(struct mmi_cell *c, uint64_t peaks)
{
	if (UNLIKELY(MMI_HEAP_SAME_PEAK(c->epoch, peaks)))
		return;
	c->held = (int64_t)(c->allocs - c->frees);
	if (UNLIKELY(mmi_cell_size(c) >= MMI_CELL_ANY))
		c->extra->held_bytes =
			(int64_t)(c->extra->bytes - c->extra->freed);
	c->epoch = (c->epoch & ~MMI_HEAP_PEAKS) | (peaks & MMI_HEAP_PEAKS);
}

/* Call it before the cell's counts change: mmi_record_time() and _held(). */
static inline __attribute__((always_inline)) void
mmi_record_note(struct mmi_thread *t, struct mmi_cell *c)
{
	uint64_t peaks = LOAD(&mmi_shared.heap.peaks);

	if (LIKELY(c->epoch == peaks))
		return;
	mmi_record_time(t, c, peaks);
	mmi_record_held(c, peaks);
}

/* Counts n freed blocks, `size' bytes in all, of a cell for one size. */
static inline __attribute__((always_inline)) void
mmi_record_free_some(struct mmi_thread *t, struct mmi_cell *c, uint32_t n,
		     uint64_t size)
{
	mmi_heap_top();
	mmi_record_note(t, c);
	STORE_REL(&c->frees, c->frees + n);
	t->pub->done.frees += n;
	t->pub->done.freed += size;
	mmi_heap_shrink(t, size);
}

/* Counts one freed block of a cell for one size. */
static inline void
mmi_record_free_one(struct mmi_thread *t, struct mmi_cell *c, uint64_t size)
{
	mmi_record_free_some(t, c, 1, size);
}

/*
 * mmi_record_free_one() in two steps that call no function, for a cell for one
 * size.  Does the free only change counts?  Then count it.
 */
static inline __attribute__((always_inline)) bool
mmi_record_free_only(const struct mmi_thread *t, struct mmi_cell *c,
		     uint64_t size)
{
	uint64_t peaks;

	if (UNLIKELY(mmi_heap_topped()))
		mmi_heap_peak_here(LOAD(&mmi_shared.heap.live));
	peaks = LOAD(&mmi_shared.heap.peaks);
	if (UNLIKELY(c->epoch != peaks)) {
		if (UNLIKELY((c->epoch ^ peaks) >> MMI_HEAP_SNAPSHOT))
			return false;
		c->held = (int64_t)(c->allocs - c->frees);
		c->epoch = peaks;
	}
	return mmi_heap_shrinks_only(t, size);
}

static inline __attribute__((always_inline)) void
mmi_record_free_count(struct mmi_thread *t, struct mmi_cell *c, uint64_t size,
		      bool alone)
{
	struct mmi_pub *pub = t->pub;

	STORE_REL(&c->frees, c->frees + 1);
	pub->done.frees++;
	pub->done.freed += size;
	mmi_heap_shrink_count(pub, size, alone);
}

/* Counts whether the block was made by one of the thread's last allocations. */
static inline void
mmi_record_near(struct mmi_thread *t, struct mmi_cell *c, const void *p,
		uint32_t place)
{
	if (t->ring[place] != p)
		return;
	c->near++;
	c->temps += place == ((uint32_t)t->pub->seq - 1) % MONOUT_NEAR;
}

/* This thread frees its block at p, which a larger one may have replaced. */
static inline __attribute__((always_inline)) void
mmi_record_run(const struct mmi_thread *t, struct mmi_cell *c, const void *p)
{
#ifdef MEMMON_ACCESS
	mmi_grow_gone(t, c, p);
#else
	(void)t;
	(void)c;
	(void)p;
#endif
}

/* Adds how the block was used to its cell, which is this thread's. */
static inline __attribute__((always_inline)) void
mmi_record_used(struct mmi_thread *t, struct mmi_cell *c, const void *p,
		const struct mmi_gone *g)
{
#ifdef MEMMON_ACCESS
	mmi_use_gone(t, c, p, g->size);
#else
	(void)t;
	(void)c;
	(void)p;
	(void)g;
#endif
}

/*
 * The block of an entry is freed; p NULL: it is being resized instead.  Sets
 * *g.  A thread's own entries are in its own cells.
 */
static inline __attribute__((always_inline)) void
mmi_record_free(struct mmi_thread *t, uint64_t entry, const void *p,
		struct mmi_gone *g)
{
	uint32_t i = mmi_live_cell(entry), tail = mmi_live_tail(entry);
	struct mmi_cell *c;

	if (UNLIKELY(entry & MMI_LIVE_TIMED)) {
		mmi_record_free_timed(t, entry, p, g);
		return;
	}
	c = mmi_cells_at(i);
	g->size = mmi_cell_size(c);
	g->resized = 0;
	g->ordinal = MMI_LIVE_ORDINAL(tail);
	if (LIKELY(g->ordinal == t->mine)) {
		mmi_record_free_one(t, c, g->size);
		/* p NULL: mmi_record_free_old() has set g->at.
		 * NOLINTNEXTLINE */
		mmi_record_run(t, c, p ? p : g->at);
		if (LIKELY(p)) {
			mmi_record_near(t, c, p, MMI_LIVE_PLACE(tail));
			mmi_record_used(t, c, p, g);
		}
	} else if (mmi_cells_inherited(i)) {
		mmi_record_free_inherited(t, i, p, g);
	} else {
		mmi_record_free_by_other(t, c, p, g);
	}
}

/* The entry of a block without a timed-block record. */
static inline uint64_t
mmi_record_entry(const struct mmi_thread *t, uint32_t i)
{
	return mmi_live_entry(i, 0,
			      MMI_LIVE_TAIL(t->given,
					    t->pub->seq % MONOUT_NEAR));
}

/* Counts a block that is in the map. */
static inline __attribute__((always_inline)) void
mmi_record_counted(struct mmi_thread *t, struct mmi_cell *c, const void *p,
		   uint64_t size)
{
	struct mmi_pub *pub = t->pub;
	uint64_t seq = pub->seq;

	mmi_record_note(t, c);
	STORE_REL(&c->allocs, c->allocs + 1);
	t->ring[seq % MONOUT_NEAR] = p;
	pub->seq = seq + 1;
	pub->done.bytes += size;
	mmi_heap_grow(t, size);
}

/* Reads the block's properties from its entry.  ctx: any. */
void mmi_record_known(uint64_t entry, struct mmi_gone *g);

#ifdef MEMMON_ACCESS
/*
 * The sample of an entry, at p, is about to be added to the sums of use, though
 * it will be freed later.  more: it will have accesses that aren't counted.
 */
void mmi_record_sample_ends(struct mmi_thread *t, uint64_t entry, const void *p,
			    bool more);

/* The sample goes on after all, as a block that was resized. */
void mmi_record_sample_stays(struct mmi_thread *t, uint64_t entry,
			     const void *p, const struct mmi_carry *carry);

/* Adds how the block of an entry was used, which is gone; *g describes it. */
void mmi_record_used_old(struct mmi_thread *t, uint64_t entry, const void *p,
			 const struct mmi_gone *g);
#endif

/* The map had a block of entry `was' at p: its free wasn't recorded. */
void mmi_record_over(struct mmi_thread *t, uint64_t was, const void *p);

/* Enter the block into the map; false: no memory. */
static inline __attribute__((always_inline)) bool
mmi_record_enter(struct mmi_thread *t, const struct mmi_made *m,
		 struct mmi_cell *c, uint64_t entry)
{
	uint64_t was;
	bool ok;

	was = mmi_live_put(t, m->p, m->size, entry, &ok);
	if (UNLIKELY(!ok)) {
		if (entry & MMI_LIVE_TIMED)
			mmi_timed_give(t, mmi_live_tail(entry));
		return false;
	}
	if (UNLIKELY(was))
		mmi_record_over(t, was, m->p);
#ifdef MEMMON_ACCESS
	mmi_use_made(t, m->p, m->size, mmi_grow_made(t, c, m->p, m->size),
		     m->carry);
#else
	(void)c;
#endif
	return true;
}

#endif
