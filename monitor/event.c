/* SPDX-License-Identifier: MIT */
/* Events: chain, cell, live map, counts. */
#include "monitor/event.h"

#include <sys/single_threaded.h>
#include <time.h>

#include "monitor/bins.h"
#include "monitor/cells.h"
#include "monitor/live.h"
#include "monitor/next.h"
#include "monitor/process.h"
#include "monitor/sites.h"
#include "monitor/stamps.h"
#include "monitor/thread.h"
#include "monitor/unwind.h"

TLS const void *mmi_event_last;

/*
 * Live bytes.  While there is one thread `live' is exact.  Of several each
 * keeps a difference of its own, below SPREAD, and adds it when it gets larger:
 * so `live' and `peak' are right to SPREAD times the number of threads.
 * `peaks' is raised after each new peak, which tells the cells that what they
 * hold now is what they held then.
 */
static struct {
	uint64_t live, peak, peaks;
	uint64_t timed; /* the peak whose end peak_at is */
	uint64_t peak_at;
	int fresh;  /* the peak has grown since by more than a little */
	int spread; /* there was more than one thread */
} heap __attribute__((aligned(64)));

#define SPREAD ((int64_t)32 << 10)

/*
 * The first blocks of a cell are all timed, as long as cells are few; of others
 * one in TIMED_NEXT is, which stands for so many.
 */
#define TIMED_FIRST 16u
#define TIMED_NEXT 64u
#define TIMED_CELLS 8192u
static unsigned timing = TIMED_NEXT;

/* An event that no struct could be had for. */
static uint64_t lost_allocs, lost_bytes;

/* A new peak. */
static inline void
peak_set(uint64_t now)
{
	uint64_t old = LOAD(&heap.peak);

	do
		if (now <= old)
			return;
	while (!CAS(&heap.peak, &old, now));
	FETCH_ADD(&heap.peaks, 1);
	if (now - LOAD(&heap.timed) > now >> 10)
		STORE(&heap.fresh, 1);
}

/* The same for a program of one thread. */
static inline void
peak_set_alone(uint64_t now)
{
	uint64_t old = LOAD(&heap.peak);

	while (UNLIKELY(!arch_cas_local(&heap.peak, old, now))) {
		old = LOAD(&heap.peak);
		if (now <= old)
			return;
	}
	arch_add_local(&heap.peaks, 1);
	if (UNLIKELY(now - LOAD(&heap.timed) > now >> 10))
		STORE(&heap.fresh, 1);
}

/* Memory is about to shrink: the peak ends. */
static COLD void
peak_time(void)
{
	STORE(&heap.fresh, 0);
	STORE(&heap.timed, LOAD(&heap.peak));
	STORE(&heap.peak_at, mmi_process_clock(CLOCK_MONOTONIC));
}

void
mmi_event_flush(struct mmi_thread *t)
{
	int64_t d = t->delta;

	if (!d)
		return;
	t->delta = 0;
	peak_set(FETCH_ADD(&heap.live, (uint64_t)d) + (uint64_t)d);
}

static inline void
live_grow(struct mmi_thread *t, uint64_t size)
{
	uint64_t now;

	if (LIKELY(__libc_single_threaded && !t->delta)) {
		arch_add_local(&heap.live, size);
		now = LOAD(&heap.live);
		if (now > LOAD(&heap.peak))
			peak_set_alone(now);
		return;
	}
	STORE(&heap.spread, 1);
	t->delta += (int64_t)size;
	if (UNLIKELY(t->delta >= SPREAD))
		mmi_event_flush(t);
}

static inline void
live_shrink(struct mmi_thread *t, uint64_t size)
{
	if (UNLIKELY(LOAD(&heap.fresh)))
		peak_time();
	if (LIKELY(__libc_single_threaded && !t->delta)) {
		arch_add_local(&heap.live, -size);
		return;
	}
	t->delta -= (int64_t)size;
	if (UNLIKELY(t->delta <= -SPREAD))
		mmi_event_flush(t);
}

/* Before the cell's counts change: what it held at the peak. */
static inline void
cell_settle(struct mmi_cell *c)
{
	uint64_t peaks = LOAD(&heap.peaks);

	if (LIKELY(c->epoch == peaks))
		return;
	c->held = (int64_t)(c->allocs - c->frees);
	if (UNLIKELY(mmi_cell_size(c) >= MMI_CELL_ANY))
		c->extra->held_bytes =
			(int64_t)(c->extra->bytes - c->extra->freed);
	c->epoch = peaks;
}

/* One block of a cell that isn't for all sizes. */
static inline void
cell_free(struct mmi_thread *t, struct mmi_cell *c, uint64_t size)
{
	cell_settle(c);
	STORE_REL(&c->frees, c->frees + 1);
	t->deeds.frees++;
	t->deeds.freed += size;
	live_shrink(t, size);
}

/* One of any cell. */
static void
cell_free_any(struct mmi_thread *t, struct mmi_cell *c, uint64_t size)
{
	cell_free(t, c, size);
	if (mmi_cell_size(c) >= MMI_CELL_ANY) {
		STORE(&c->extra->freed, c->extra->freed + size);
		mmi_bins_add(&mmi_bins_any, size, 0, 1);
	}
}

/* A block as it goes. */
struct gone {
	uint64_t size;
	uint32_t resized;
	uint32_t ordinal; /* whose it was; 0: not known */
	uint32_t place;	  /* in that thread's ring */
};

/* Another thread's block, or another thread's cell. */
static COLD void
free_foreign(struct mmi_thread *t, struct mmi_cell *c, const struct gone *g)
{
	uint32_t i = mmi_cells_find(t, mmi_cell_node(c), g->size);
	struct mmi_extra *x;

	if (!i) {
		t->count.lost++;
		t->count.lost_bytes += g->size;
		return;
	}
	c = mmi_cells_at(i);
	if (g->ordinal != t->ordinal && g->ordinal != MMI_LIVE_NOBODY) {
		t->deeds.foreign++;
		x = mmi_cells_extra(t, c, true);
		if (x)
			x->foreign++;
	}
	cell_free_any(t, c, g->size);
}

/* Was it made by one of the thread's last allocations? */
static inline void
count_near(struct mmi_thread *t, struct mmi_cell *c, const void *p,
	   uint32_t place)
{
	if (t->ring[place] != p)
		return;
	c->near++;
	c->temps += place == ((uint32_t)t->seq - 1) % MONOUT_NEAR;
}

/* A block with a stamp goes. */
static COLD void
free_stamped(struct mmi_thread *t, uint64_t entry, const void *p,
	     struct gone *g)
{
	struct mmi_cell *c = mmi_cells_at(mmi_live_cell(entry));
	uint32_t i = entry & MMI_LIVE_TAIL, node = mmi_cell_node(c);
	struct mmi_stamp s = *mmi_stamps_at(i);
	bool own;

	mmi_stamps_give(t, i);
	g->size = s.size;
	g->resized = s.resized;
	g->ordinal = s.ordinal;
	if (UNLIKELY(mmi_cells_inherited(mmi_live_cell(entry)))) {
		t->count.inherited++;
		return;
	}
	own = g->ordinal == t->mine;
	if (own) {
		cell_free_any(t, c, s.size);
		if (p)
			count_near(t, c, p, s.seq % MONOUT_NEAR);
	} else {
		free_foreign(t, c, g);
	}
	if (!s.weight)
		return;
	i = own ? mmi_live_cell(entry) : mmi_cells_find(t, node, s.size);
	if (i)
		mmi_cells_lived(t, mmi_cells_at(i),
				mmi_process_clock(CLOCK_MONOTONIC) - s.born,
				s.weight);
}

/*
 * The block of an entry goes; p NULL: but not for good, it is resized.  *g is
 * set.  A thread's own entries are in cells of its own.
 */
static inline __attribute__((always_inline)) void
count_free(struct mmi_thread *t, uint64_t entry, const void *p, struct gone *g)
{
	uint32_t i = mmi_live_cell(entry), tail = entry & MMI_LIVE_TAIL;
	struct mmi_cell *c;

	if (UNLIKELY(entry & MMI_LIVE_STAMP)) {
		free_stamped(t, entry, p, g);
		return;
	}
	c = mmi_cells_at(i);
	g->size = mmi_cell_size(c);
	g->resized = 0;
	g->ordinal = tail & MMI_LIVE_ORDINAL;
	if (LIKELY(g->ordinal == t->mine)) {
		cell_free(t, c, g->size);
		if (p)
			count_near(t, c, p, tail >> MMI_LIVE_RING_SHIFT);
	} else if (mmi_cells_inherited(i)) {
		t->count.inherited++;
	} else {
		free_foreign(t, c, g);
	}
}

/* The same, where it isn't often. */
static COLD void
count_old(struct mmi_thread *t, uint64_t entry, struct gone *g)
{
	count_free(t, entry, NULL, g);
}

/* Is the cell's next block to be timed because it is one of the first? */
static inline bool
is_first(const struct mmi_cell *c)
{
	return c->allocs < TIMED_FIRST && c->number < TIMED_CELLS;
}

/* What is to be known of a new block. */
struct made {
	const void *p;
	uint64_t size;
	uint32_t resized;
};

/* 1 to 2 n - 1, n on average. */
static uint32_t
random_about(struct mmi_thread *t, uint32_t n)
{
	t->random = t->random * 6364136223846793005ull + 1442695040888963407ull;
	return 1 + (uint32_t)((t->random >> 33) % (2 * n - 1));
}

/* Chains of a thread that are all counted; later ones, one in NEXT. */
#define CHAINS_FIRST 8192u
#define CHAINS_NEXT 64u

/*
 * An allocation that isn't as others: its chain is counted, or it is timed,
 * which is returned.
 */
static COLD bool
attend(struct mmi_thread *t, uint32_t node)
{
	uint32_t step = t->seq < CHAINS_FIRST ? 1
			: timing	      ? random_about(t, timing)
					      : CHAINS_NEXT;
	bool timed = timing && --t->until == 0;

	mmi_sites_count(t, node);
	t->countdown = step;
	/* While each is attended to, the timed ones are counted apart. */
	if (timed || !t->until || t->seq >= CHAINS_FIRST)
		t->until = timing && t->seq < CHAINS_FIRST
				   ? random_about(t, timing)
				   : 1;
	return timed;
}

/* The entry of a block of cell i that gets a stamp, or 0: no memory. */
static COLD uint64_t
entry_stamped(struct mmi_thread *t, uint32_t i, struct mmi_cell *c,
	      const struct made *m, uint32_t weight)
{
	bool any = mmi_cell_size(c) >= MMI_CELL_ANY;
	uint32_t n = mmi_stamps_take(t, any || m->resized);
	struct mmi_stamp *s;

	if (!n) {
		t->count.untimed += weight != 0;
		return 0;
	}
	s = mmi_stamps_at(n);
	s->size = m->size;
	s->resized = m->resized;
	s->ordinal = t->lent ? MMI_LIVE_NOBODY : t->ordinal;
	s->seq = (uint32_t)t->seq;
	s->weight = weight;
	s->born = weight ? mmi_process_clock(CLOCK_MONOTONIC) : 0;
	return mmi_live_entry(i, MMI_LIVE_STAMP, n);
}

/* The entry of a block without. */
static inline uint64_t
entry_plain(const struct mmi_thread *t, uint32_t i)
{
	return mmi_live_entry(i, 0,
			      (uint32_t)(t->seq % MONOUT_NEAR)
					      << MMI_LIVE_RING_SHIFT |
				      t->mine);
}

/* The block is in the map: count it. */
static inline void
count_alloc(struct mmi_thread *t, struct mmi_cell *c, const struct made *m)
{
	cell_settle(c);
	STORE_REL(&c->allocs, c->allocs + 1);
	t->ring[t->seq++ % MONOUT_NEAR] = m->p;
	t->deeds.bytes += m->size;
	live_grow(t, m->size);
}

/* Enter the block into the map; false: no memory. */
static inline bool
enter(struct mmi_thread *t, const struct made *m, uint64_t entry)
{
	struct gone g;
	uint64_t was;
	bool ok;

	was = mmi_live_put(t, m->p, m->size, entry, &ok);
	if (UNLIKELY(!ok)) {
		if (entry & MMI_LIVE_STAMP)
			mmi_stamps_give(t, entry & MMI_LIVE_TAIL);
		return false;
	}
	if (UNLIKELY(was)) {
		t->count.reused++;
		count_old(t, was, &g);
	}
	return true;
}

static COLD void
count_lost(struct mmi_thread *t, uint64_t size)
{
	t->count.lost++;
	t->count.lost_bytes += size;
}

/* The cell of a chain, and its number in *i; NULL: no memory. */
static struct mmi_cell *
cell_find(struct mmi_thread *t, struct mmi_spot *s, uint64_t size, uint32_t *i)
{
	uint32_t node = mmi_sites_node_of(t, s);
	unsigned why = s ? s->why : t->why;

	if (why == MONOUT_PC_CUT)
		t->count.cut++;
	else if (why)
		t->count.stopped++;
	*i = LIKELY(node) ? mmi_cells_find(t, node, size) : 0;
	return LIKELY(*i) ? mmi_cells_at(*i) : NULL;
}

/* Record a new block of whatever kind.  Its cell, or NULL: lost. */
static __attribute__((noinline)) struct mmi_cell *
record_slow(struct mmi_thread *t, struct mmi_spot *s, const struct made *m)
{
	bool timed = false, any;
	uint64_t entry = 0;
	uint32_t i, weight;
	struct mmi_cell *c = cell_find(t, s, m->size, &i);

	if (UNLIKELY(!c))
		goto lost;
	any = mmi_cell_size(c) >= MMI_CELL_ANY;
	if (t->countdown == 0)
		timed = attend(t, mmi_cell_node(c));
	t->last_node = mmi_cell_node(c);
	weight = is_first(c) ? timing != 0 : timed ? timing : 0;
	if (weight || any || m->resized)
		entry = entry_stamped(t, i, c, m, weight);
	if (!entry && any)
		goto lost;
	if (!entry)
		entry = entry_plain(t, i) | (t->lent ? MMI_LIVE_NOBODY : 0);
	if (!enter(t, m, entry))
		goto lost;
	count_alloc(t, c, m);
	if (any) {
		STORE(&c->extra->bytes, c->extra->bytes + m->size);
		mmi_bins_add(&mmi_bins_any, m->size, 1, 0);
	}
	return c;
lost:
	if (t->countdown == 0)
		t->countdown = 1;
	count_lost(t, m->size);
	return NULL;
}

/* The cell of a chain if its blocks need no stamp, else NULL. */
static __attribute__((noinline)) struct mmi_cell *
cell_other(struct mmi_thread *t, struct mmi_spot *s, uint64_t size)
{
	uint32_t node = mmi_sites_node_of(t, s), i;
	struct mmi_cell *c;

	if (UNLIKELY(s->why || !s->node))
		return NULL;
	i = mmi_cells_find(t, node, size);
	if (UNLIKELY(!i))
		return NULL;
	c = mmi_cells_at(i);
	if (UNLIKELY(is_first(c) || mmi_cell_size(c) >= MMI_CELL_ANY))
		return NULL;
	if (size < UINT32_MAX) {
		s->size_plus = (uint32_t)size + 1;
		s->cell = c;
	}
	return c;
}

/* Record a new block. */
static inline __attribute__((always_inline)) void
record_alloc(struct mmi_thread *t, const struct made *m,
	     const struct arch_entry *e)
{
	struct mmi_spot *s = mmi_unwind(t, e);
	struct mmi_cell *c;

	if (UNLIKELY(!--t->countdown || !s || t->lent)) {
		record_slow(t, s, m);
		return;
	}
	if (LIKELY(s->size_plus == m->size + 1)) {
		c = s->cell;
	} else {
		c = cell_other(t, s, m->size);
		if (UNLIKELY(!c)) {
			record_slow(t, s, m);
			return;
		}
	}
	t->last_node = s->node;
	if (LIKELY(enter(t, m, entry_plain(t, c->number))))
		count_alloc(t, c, m);
	else
		count_lost(t, m->size);
}

void
mmi_event_alloc(const void *p, uint64_t size, const struct arch_entry *e)
{
	struct made m = { p, size, 0 };
	struct mmi_thread *t;

	mmi_event_last = p;
	t = mmi_thread_enter();
	if (UNLIKELY(!t)) {
		FETCH_ADD(&lost_allocs, p != NULL);
		FETCH_ADD(&lost_bytes, p ? size : 0);
		return;
	}
	if (UNLIKELY(!p))
		t->count.failed++;
	else
		record_alloc(t, &m, e);
	mmi_thread_leave(t);
}

/* A free of a block that isn't in the map. */
static COLD bool
free_unknown(const void *p)
{
	struct mmi_thread *t;

	if (mmi_next_is_boot(p))
		return false;
	/* What the monitor's own doing allocated isn't in the map. */
	if (mmi_thread_internal())
		return true;
	t = mmi_thread_enter();
	if (t) {
		t->count.unseen++;
		mmi_thread_leave(t);
	}
	return true;
}

bool
mmi_event_free(const void *p)
{
	uint64_t entry = mmi_live_take(p);
	struct mmi_thread *t;
	struct gone g;
	bool ok;

	if (UNLIKELY(!entry))
		return free_unknown(p);
	t = mmi_thread_enter();
	if (UNLIKELY(!t)) {
		/* Counted when the allocator hands the address out anew. */
		mmi_live_put(NULL, p, 0, entry, &ok);
		return true;
	}
	count_free(t, entry, p, &g);
	mmi_thread_leave(t);
	return true;
}

uint64_t
mmi_event_realloc_begin(const void *old)
{
	return mmi_live_take(old);
}

/* A new block, by realloc. */
static struct mmi_cell *
record_slow_at(struct mmi_thread *t, const struct made *m,
	       const struct arch_entry *e)
{
	struct mmi_spot *s = mmi_unwind(t, e);

	t->countdown--;
	return record_slow(t, s, m);
}

/* The block at m->p was `old', of which *g tells. */
static void
record_resized(struct mmi_thread *t, struct made *m, const void *old,
	       const struct gone *g, const struct arch_entry *e)
{
	struct mmi_extra *x;
	struct mmi_cell *c;

	m->resized = g->resized + 1;
	c = record_slow_at(t, m, e);
	if (!c)
		return;
	x = mmi_cells_extra(t, c, true);
	if (!x)
		return;
	STORE(&x->reallocs, x->reallocs + 1);
	if (m->p != old) {
		STORE(&x->moved, x->moved + 1);
		STORE(&x->copied,
		      x->copied + (g->size < m->size ? g->size : m->size));
	}
	if (m->resized > x->longest)
		STORE(&x->longest, m->resized);
}

static void
record_realloc(struct mmi_thread *t, uint64_t entry, const void *old,
	       struct made *m, const struct arch_entry *e)
{
	bool known = entry && !mmi_cells_inherited(mmi_live_cell(entry));
	struct gone g = { 0 };

	if (LIKELY(entry))
		count_old(t, entry, &g);
	else
		t->count.unseen++;
	if (m->p && known)
		record_resized(t, m, old, &g, e);
	else if (m->p)
		record_slow_at(t, m, e);
}

void
mmi_event_realloc_end(uint64_t entry, const void *old, const void *new,
		      uint64_t size, bool freed, const struct arch_entry *e)
{
	struct made m = { new, size, 0 };
	struct mmi_thread *t;
	bool ok;

	mmi_event_last = new;
	if (UNLIKELY(!entry && mmi_thread_internal()))
		return;
	if (!new && !freed && entry)
		mmi_live_put(NULL, old, 0, entry, &ok);
	t = mmi_thread_enter();
	if (UNLIKELY(!t)) {
		FETCH_ADD(&lost_allocs, new != NULL);
		FETCH_ADD(&lost_bytes, new ? size : 0);
		return;
	}
	if (!new && !freed)
		t->count.failed++;
	else
		record_realloc(t, entry, old, &m, e);
	mmi_thread_leave(t);
}

void
mmi_event_timing(unsigned n)
{
	timing = n;
}

unsigned
mmi_event_timed(void)
{
	return timing;
}

void
mmi_event_read(struct mmi_event_state *s)
{
	const struct mmi_thread *t = NULL;
	uint64_t threads = 0;

	s->live = LOAD(&heap.live);
	while ((t = mmi_thread_next(t))) {
		s->live += (uint64_t)LOAD(&t->delta);
		threads++;
	}
	s->peak = LOAD(&heap.peak);
	s->peaks = LOAD(&heap.peaks);
	s->peak_at = LOAD(&heap.fresh) ? 0 : LOAD(&heap.peak_at);
	s->slack = LOAD(&heap.spread) ? threads * (uint64_t)SPREAD : 0;
	s->lost = LOAD(&lost_allocs);
	s->lost_bytes = LOAD(&lost_bytes);
}

void
mmi_event_fork(void)
{
	__builtin_memset(&heap, 0, sizeof(heap));
	lost_allocs = lost_bytes = 0;
}
