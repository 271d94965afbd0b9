/* SPDX-License-Identifier: MIT */
/*
 * Recording: what becomes of the counts when a block is made or goes.  Here is
 * what happens mostly; record.c has the rest.  All ctx: hook.
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
 * The first blocks of a cell are all timed, as long as cells are few; of others
 * one in so many, MMI_TIMED_NEXT unless mmi_record_timing() says otherwise (1:
 * all; 0: none), which stands for them.  ctx of timing: init.
 */
#define MMI_TIMED_FIRST 16u
#define MMI_TIMED_NEXT 64u
#define MMI_TIMED_CELLS 8192u
void mmi_record_timing(unsigned n);
unsigned mmi_record_timed(void); /* ctx: any */

/* A block as it goes. */
struct mmi_gone {
	uint64_t size;
	uint32_t resized;
	uint32_t ordinal; /* whose it was; 0: not known */
	uint32_t place;	  /* in that thread's ring */
	bool become;	  /* another block is made of it; for the log */
	const void *at;	  /* where it is, by an old entry; likewise */
	const struct arch_entry *by; /* who frees it; NULL: not known */
};

/* What is to be known of a new block. */
struct mmi_made {
	const void *p;
	uint64_t size;
	uint32_t resized;
	uint32_t other; /* 1: not from one of malloc's functions */
#ifdef MEMMON_ACCESS
	const struct mmi_carry *carry; /* NULL: it has none */
#endif
};

/*
 * A free, of a thread that isn't the cell's, or of a block with a timed-block
 * record, or of one from before a fork.
 */
void mmi_record_free_by_other(struct mmi_thread *t, struct mmi_cell *c,
			      const void *p, const struct mmi_gone *g);
void mmi_record_free_inherited(struct mmi_thread *t, uint32_t cell,
			       const void *p, const struct mmi_gone *g);
void mmi_record_free_timed(struct mmi_thread *t, uint64_t entry, const void *p,
			   struct mmi_gone *g);

/*
 * mmi_record_free() with p NULL, where it isn't often, of a block at `at';
 * become: see struct mmi_gone.
 */
void mmi_record_free_old(struct mmi_thread *t, uint64_t entry, const void *at,
			 bool become, struct mmi_gone *g);

/* Is the cell's next block to be timed because it is one of the first? */
static inline bool
mmi_record_first(const struct mmi_cell *c)
{
	return c->allocs < MMI_TIMED_FIRST && c->number < MMI_TIMED_CELLS;
}

/* Or has it to have a timed-block record for another reason? */
static inline bool
mmi_record_slowly(const struct mmi_cell *c)
{
	return mmi_record_first(c) || mmi_cell_size(c) >= MMI_CELL_ANY;
}

/* An allocation of `size' bytes couldn't be recorded. */
void mmi_record_lost(struct mmi_thread *t, uint64_t size);

/*
 * Record a new block of whatever kind, of the chain of s (NULL: in t->chain).
 * Its cell, or NULL: lost, which is counted.
 */
struct mmi_cell *mmi_record_slow(struct mmi_thread *t, struct mmi_frame *s,
				 const struct mmi_made *m);

/*
 * The cell of the chain of s if its blocks need no timed-block record, else
 * NULL.
 */
struct mmi_cell *mmi_record_cell(struct mmi_thread *t, struct mmi_frame *s,
				 uint64_t size);

/*
 * A snapshot has passed since the cell, whose counts are about to change, did
 * last: it notes what it has.  `peaks' is mmi_shared.heap's.
 */
static inline void
mmi_record_time(struct mmi_thread *t, struct mmi_cell *c, uint64_t peaks)
{
	if (LIKELY(!((c->epoch ^ peaks) >> MMI_HEAP_SNAPSHOT)))
		return;
	mmi_history_note(t, c);
	c->epoch = (c->epoch & MMI_HEAP_PEAKS) | (peaks & ~MMI_HEAP_PEAKS);
}

/* What it held at the peak. */
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

/* Before the cell's counts change: both. */
static inline __attribute__((always_inline)) void
mmi_record_note(struct mmi_thread *t, struct mmi_cell *c)
{
	uint64_t peaks = LOAD(&mmi_shared.heap.peaks);

	if (LIKELY(c->epoch == peaks))
		return;
	mmi_record_time(t, c, peaks);
	mmi_record_held(c, peaks);
}

/* n blocks, `size' bytes together, of a cell that isn't for all sizes. */
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

/* One block of such a cell. */
static inline void
mmi_record_free_one(struct mmi_thread *t, struct mmi_cell *c, uint64_t size)
{
	mmi_record_free_some(t, c, 1, size);
}

/*
 * The same in two steps that call nothing, of one for one size.  Is there no
 * more to it than counts?  Then count.
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

/* Was it made by one of the thread's last allocations? */
static inline void
mmi_record_near(struct mmi_thread *t, struct mmi_cell *c, const void *p,
		uint32_t place)
{
	if (t->ring[place] != p)
		return;
	c->near++;
	c->temps += place == ((uint32_t)t->pub->seq - 1) % MONOUT_NEAR;
}

/* This thread's block at p goes, which a larger one may have replaced. */
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

/* How the block was used goes to its cell, which is this thread's. */
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
 * The block of an entry goes; p NULL: but not for good, it is resized.  *g is
 * set.  A thread's own entries are in cells of its own.
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
		/* No p: g->at is, by mmi_record_free_old(). NOLINTNEXTLINE */
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

/* The entry of a block without. */
static inline uint64_t
mmi_record_entry(const struct mmi_thread *t, uint32_t i)
{
	return mmi_live_entry(i, 0,
			      MMI_LIVE_TAIL(t->given,
					    t->pub->seq % MONOUT_NEAR));
}

/* The block is in the map: count it. */
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

/* What an entry tells of its block.  ctx: any. */
void mmi_record_known(uint64_t entry, struct mmi_gone *g);

#ifdef MEMMON_ACCESS
/*
 * The sample of an entry, at p, is about to be added to what was used, though
 * it goes later.  more: there will be accesses that aren't known.
 */
void mmi_record_sample_ends(struct mmi_thread *t, uint64_t entry, const void *p,
			    bool more);

/* It goes on after all, as one that was resized. */
void mmi_record_sample_stays(struct mmi_thread *t, uint64_t entry,
			     const void *p, const struct mmi_carry *carry);

/* How the block of an entry was used, which is gone, as *g tells. */
void mmi_record_used_old(struct mmi_thread *t, uint64_t entry, const void *p,
			 const struct mmi_gone *g);
#endif

/* At p there was one of entry `was', whose free wasn't seen. */
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
