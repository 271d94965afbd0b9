/* SPDX-License-Identifier: MIT */
/* Recording: the less usual cases. */
#include "monitor/record/record.h"

#include <time.h>

#include "monitor/base/next.h"
#include "monitor/base/process.h"
#include "monitor/chain/sites.h"
#include "monitor/counts/bins.h"
#include "monitor/counts/endings.h"
#include "monitor/counts/snapshots.h"
#include "monitor/log/log.h"
#include "monitor/record/sample.h"
#include "monitor/record/times.h"
#include "monitor/shadow/apart.h"
#ifdef MEMMON_ACCESS
#include "monitor/shadow/clock.h"
#endif
#include "monitor/thread/control.h"
#include "monitor/thread/enter.h"
#include "monitor/thread/resync.h"

static unsigned timing = MMI_TIMED_NEXT;

void
mmi_record_timing(unsigned n)
{
	timing = n;
}

unsigned
mmi_record_timed(void)
{
	return timing;
}

/* Counts the free of one block in any cell. */
static void
free_any(struct mmi_thread *t, struct mmi_cell *c, uint64_t size)
{
	mmi_record_free_one(t, c, size);
	if (mmi_cell_size(c) >= MMI_CELL_ANY) {
		STORE(&c->extra->freed, c->extra->freed + size);
		mmi_bins_add(mmi_bins_of(t), size, 0, 1);
	}
}

/*
 * The free of another thread's block, or of a block in another thread's cell.
 */
void
mmi_record_free_by_other(struct mmi_thread *t, struct mmi_cell *c,
			 const void *p, const struct mmi_gone *g)
{
	struct mmi_fate *f;
	bool by_other;
	uint32_t i;

	/* The block's thread may have seen a reset that this thread hasn't
	 * seen. */
	mmi_resync_reset(t);
	i = mmi_cells_for_free(t, mmi_cell_node(c), g->size);
	/* Only the other thread may change its own cell. */
	if (UNLIKELY(!i)) {
		if (mmi_shared.control.gaps)
			t->pub->count.off_unseen++;
		else
			t->pub->count.unseen++;
		if (p)
			mmi_record_used(t, NULL, p, g);
		return;
	}
	c = mmi_cells_at(i);
	by_other = g->ordinal != t->ordinal && g->ordinal != MMI_LIVE_NOBODY;
	/* Frees first: a file may be written at the same time. */
	free_any(t, c, g->size);
	if (by_other) {
		t->pub->done.of_others++;
		f = mmi_cells_fate(t, c, true);
		if (f)
			STORE_REL(&f->by_others, f->by_others + 1);
		STORE(&c->item.to, c->item.to | MMI_CELL_BY_OTHERS);
	}
	if (mmi_sample_on())
		mmi_sample_gone(t, g->size, by_other);
	if (p)
		mmi_record_used(t, c, p, g);
}

/* A block of the parent, or from before a reset: its data don't count. */
void
mmi_record_free_inherited(struct mmi_thread *t, uint32_t cell, const void *p,
			  const struct mmi_gone *g)
{
	mmi_resync_reset(t);
	if (cell < mmi_cells_forked)
		t->pub->count.inherited++;
	else
		t->pub->count.off_unseen++;
	if (p)
		mmi_record_used(t, NULL, p, g);
}

void
mmi_record_known(uint64_t entry, struct mmi_gone *g)
{
	uint32_t tail = mmi_live_tail(entry);
	const struct mmi_timed *s;

	g->resized = 0;
	if (entry & MMI_LIVE_TIMED) {
		s = mmi_timed_at(tail);
		g->size = s->size;
		g->ordinal = s->ordinal;
	} else {
		g->size = mmi_cell_size(mmi_cells_at(mmi_live_cell(entry)));
		g->ordinal = MMI_LIVE_ORDINAL(tail);
	}
}

#ifdef MEMMON_ACCESS
void
mmi_record_sample_ends(struct mmi_thread *t, uint64_t entry, const void *p,
		       bool more)
{
	/* A block that was recorded before sampling began isn't a sample. */
	if (entry & MMI_LIVE_TIMED)
		t->lived = mmi_process_clock(CLOCK_MONOTONIC) -
			   mmi_timed_at(mmi_live_tail(entry))->born;
	if (more)
		mmi_use_unknown(p);
}

void
mmi_record_sample_stays(struct mmi_thread *t, uint64_t entry, const void *p,
			const struct mmi_carry *carry)
{
	struct mmi_gone g;

	if (mmi_cells_inherited(mmi_live_cell(entry)))
		return;
	mmi_record_known(entry, &g);
	mmi_use_sampled(p, g.size);
	mmi_use_made(t, p, g.size, false, carry);
}

void
mmi_record_used_old(struct mmi_thread *t, uint64_t entry, const void *p,
		    const struct mmi_gone *g)
{
	uint32_t i = mmi_live_cell(entry);

	if (mmi_cells_inherited(i))
		i = 0;
	else if (g->ordinal != t->mine)
		i = mmi_cells_find(t, mmi_cell_node(mmi_cells_at(i)), g->size);
	mmi_record_used(t, i ? mmi_cells_at(i) : NULL, p, g);
}
#endif

/* A block with a timed-block record is freed. */
void
mmi_record_free_timed(struct mmi_thread *t, uint64_t entry, const void *p,
		      struct mmi_gone *g)
{
	struct mmi_cell *c = mmi_cells_at(mmi_live_cell(entry));
	uint32_t i = mmi_live_tail(entry), node = mmi_cell_node(c);
	struct mmi_timed s = *mmi_timed_at(i);
	uint64_t now = 0;
	bool own;

	mmi_timed_give(t, i);
	s.weight &= ~MMI_TIMED_LOOKED;
	g->size = s.size;
	g->resized = s.resized;
	g->ordinal = s.ordinal;
	if (UNLIKELY(mmi_cells_inherited(mmi_live_cell(entry)))) {
		mmi_record_free_inherited(t, mmi_live_cell(entry), p, g);
		return;
	}
	if (s.weight || mmi_log_on)
		now = mmi_process_clock(CLOCK_MONOTONIC);
	t->lived = now - s.born;
	if (now)
		mmi_times_before(t, now);
	if (mmi_log_on)
		mmi_log_gone(t, c, &s, p ? p : g->at, now, !p && g->become);
	own = g->ordinal == t->mine;
	if (own) {
		free_any(t, c, s.size);
		mmi_record_run(t, c, p ? p : g->at);
		if (mmi_sample_on())
			mmi_sample_gone(t, s.size, false);
		if (p) {
			mmi_record_near(t, c, p, s.seq % MONOUT_NEAR);
			mmi_record_used(t, c, p, g);
		}
	} else {
		mmi_record_free_by_other(t, c, p, g);
	}
	mmi_times_counted(t);
	if (!s.weight)
		return;
	i = own ? mmi_live_cell(entry) : mmi_cells_find(t, node, s.size);
	if (i) {
		mmi_cells_lived(t, mmi_cells_at(i), now - s.born, s.weight);
		mmi_endings_add(t, node, g->by, s.size, s.weight, now - s.born);
	}
	mmi_times_look(now);
}

/* For callers that are rare. */
COLD void
mmi_record_free_old(struct mmi_thread *t, uint64_t entry, const void *at,
		    bool become, struct mmi_gone *g)
{
	g->at = at;
	g->become = become;
	mmi_record_free(t, entry, NULL, g);
}

COLD void
mmi_record_over(struct mmi_thread *t, uint64_t was, const void *p)
{
	bool past =
		mmi_process.attached && mmi_cells_inherited(mmi_live_cell(was));
	uint64_t unseen = t->pub->count.off_unseen;
	struct mmi_gone g = { .by = NULL };

	t->pub->count.reused += !past;
	/* The cell found for the new block must stay this thread's. */
	if (t->pub->epoch == LOAD_ACQ(&mmi_shared.control.epoch))
		mmi_record_free_old(t, was, p, false, &g);
	else
		mmi_record_known(was, &g);
	/* The block was freed while memmon wasn't attached: no free now. */
	if (past)
		t->pub->count.off_unseen = unseen;
#ifdef MEMMON_ACCESS
	mmi_record_used_old(t, was, p, &g);
#else
	(void)p;
#endif
}

/* A random number from 1 to 2 n - 1, on average n. */
static uint32_t
random_about(struct mmi_thread *t, uint32_t n)
{
	t->random = t->random * 6364136223846793005ull + 1442695040888963407ull;
	return 1 + (uint32_t)((t->random >> 33) % (2 * n - 1));
}

/*
 * A thread counts the call paths of its first allocations; later one in NEXT.
 */
#define CHAINS_FIRST 8192u
#define CHAINS_NEXT 64u

/* In ns.  Steps that are shorter may be missed in a busy program. */
#define SLOW 1000000u

/*
 * Are allocations so rare that snapshots would be missed unless each allocation
 * checks whether one is due?
 */
static bool
seldom(const struct mmi_thread *t, uint64_t now)
{
	uint64_t step = mmi_snapshots_step();

	/* The first steps are shorter than a busy program needs. */
	return step && now - t->due_at > (step > SLOW ? step : SLOW) / 2;
}

/* Reads of the clock for an allocation that isn't counted yet. */
static void
looks_at(struct mmi_thread *t, uint64_t now)
{
	mmi_times_look(now);
	STORE(&t->look_at, now);
	t->looked = true;
}

/*
 * An unusual allocation: its call path is counted, it is timed, or it only
 * reads the clock.  Returns the time if it is timed, else 0.
 */
static COLD uint64_t
odd_allocation(struct mmi_thread *t, uint32_t node)
{
	uint64_t now = mmi_process_clock(CLOCK_MONOTONIC);
	bool first = t->pub->seq < CHAINS_FIRST, due = --t->until == 0, each;
	uint32_t gap;

	looks_at(t, now);
	if (first || due)
		mmi_sites_count(t, node);
	/* While each allocation reads the clock, `until' counts to the next due
	 * one. */
	t->countdown = 1;
	if (!due)
		return 0;
	each = first || seldom(t, now);
	gap = timing ? random_about(t, timing) : CHAINS_NEXT;
	t->until = each ? gap : 1;
	if (!each)
		t->countdown = gap;
	t->due_at = now;
	return timing ? now : 0;
}

/* Note the usable size of a block; false: it can't be noted. */
static COLD bool
look(struct mmi_thread *t, struct mmi_cell *c, const void *p, uint64_t size)
{
	size_t (*usable)(void *) = mmi_next.malloc_usable_size;
	uint64_t n = 0;

	/* Its size isn't what the next allocator would give. */
	if (mmi_apart_has(p))
		return false;
	/* It may allocate, as tcmalloc's does at its first call. */
	t->asking = (uintptr_t)__builtin_frame_address(0);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (usable)
		n = usable((void *)p);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	t->asking = 0;
	return n >= size && n && mmi_cells_looked(c, n - size);
}

/*
 * The entry of a block of cell i, with a new timed-block record; 0: no memory.
 * now: the time; 0: not read yet.
 */
static COLD uint64_t
entry_stamped(struct mmi_thread *t, uint32_t i, struct mmi_cell *c,
	      const struct mmi_made *m, uint32_t weight, uint64_t now)
{
	bool any = mmi_cell_size(c) >= MMI_CELL_ANY;
	uint32_t n = mmi_timed_take(t, any || m->resized || mmi_sample_on());
	struct mmi_timed *s;

	if (!n) {
		t->pub->count.untimed += weight != 0;
		return 0;
	}
	s = mmi_timed_at(n);
	s->size = m->size;
	s->resized = m->resized;
	s->ordinal = t->nested ? MMI_LIVE_NOBODY : t->ordinal;
	s->seq = (uint32_t)t->pub->seq;
	s->weight = weight;
	if ((weight | mmi_log_on) && !now)
		looks_at(t, now = mmi_process_clock(CLOCK_MONOTONIC));
	s->born = (weight || mmi_log_on) ? now : 0;
	if (weight)
		t->pub->seen = now;
	if (weight && !m->other && !t->nested && look(t, c, m->p, m->size))
		s->weight |= MMI_TIMED_LOOKED;
#ifdef MEMMON_ACCESS
	if (weight)
		mmi_clock_move(s->born);
#endif
	return mmi_live_entry(i, MMI_LIVE_TIMED, n);
}

COLD void
mmi_record_lost(struct mmi_thread *t, uint64_t size)
{
	mmi_sample_lost(size, &t->pub->count.lost, &t->pub->count.lost_bytes);
}

/* The cell of a call path, and its number in *i; NULL: no memory. */
static struct mmi_cell *
cell_find(struct mmi_thread *t, struct mmi_frame *s, uint64_t size, uint32_t *i)
{
	uint32_t node = mmi_sites_node_of(t, s);

	*i = LIKELY(node) ? mmi_cells_find(t, node, size) : 0;
	return LIKELY(*i) ? mmi_cells_at(*i) : NULL;
}

/* The call path of s is incomplete, and its block was counted: count why. */
static void
count_why(struct mmi_thread *t, const struct mmi_frame *s, uint32_t node)
{
	unsigned why = s ? s->why : t->why;

	if (UNLIKELY(t->shortened == node))
		t->pub->count.shortened++;
	else if (why && why != MONOUT_PC_CUT)
		t->pub->count.stopped++;
}

/* Records a new block of any kind.  Its cell, or NULL: not recorded. */
struct mmi_cell *
mmi_record_slow(struct mmi_thread *t, struct mmi_frame *s,
		const struct mmi_made *m)
{
	uint64_t entry = 0, now = 0;
	uint32_t i, weight;
	bool any;
	struct mmi_cell *c = cell_find(t, s, m->size, &i);

	if (UNLIKELY(!c))
		goto lost;
	any = mmi_cell_size(c) >= MMI_CELL_ANY;
	if (t->countdown == 0)
		now = odd_allocation(t, mmi_cell_node(c));
	t->last_node = mmi_cell_node(c);
	weight = mmi_record_first(c) ? timing != 0 : now ? timing : 0;
	if (weight || any || m->resized || mmi_log_on || mmi_sample_on())
		entry = entry_stamped(t, i, c, m, weight, now);
	if (!entry && (any || mmi_sample_on()))
		goto lost;
	if (!entry)
		entry = mmi_record_entry(t, i);
#ifdef MEMMON_ACCESS
	if (mmi_sample_on())
		mmi_use_sampled(m->p, m->size);
#endif
	if (!mmi_record_enter(t, m, c, entry))
		goto lost;
	mmi_record_counted(t, c, m->p, m->size);
	mmi_times_counted(t);
	if (mmi_sample_on()) {
		mmi_sample_mark(m->p);
		mmi_sample_made(t, m->size);
	}
	count_why(t, s, mmi_cell_node(c));
	if (any) {
		STORE(&c->extra->bytes, c->extra->bytes + m->size);
		mmi_bins_add(mmi_bins_of(t), m->size, 1, 0);
	}
	return c;
lost:
	if (t->countdown == 0)
		t->countdown = 1;
	t->looked = false;
	mmi_record_lost(t, m->size);
	return NULL;
}

/*
 * The cell of a call path if its blocks need no timed-block record, else NULL.
 */
struct mmi_cell *
mmi_record_cell(struct mmi_thread *t, struct mmi_frame *s, uint64_t size)
{
	uint32_t node = mmi_sites_node_of(t, s), i;
	struct mmi_cell *c;

	if (UNLIKELY(s->why || !s->node))
		return NULL;
	i = mmi_cells_find(t, node, size);
	if (UNLIKELY(!i))
		return NULL;
	c = mmi_cells_at(i);
	if (UNLIKELY(mmi_record_slowly(c)))
		return NULL;
	if (size < UINT32_MAX) {
		s->size_plus = (uint32_t)size + 1;
		s->cell = c;
	}
	return c;
}
