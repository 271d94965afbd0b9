/* SPDX-License-Identifier: MIT */
/* Events: chain, site, live map, counts. */
#include "monitor/event.h"

#include "monitor/bins.h"
#include "monitor/sites.h"
#include "monitor/thread.h"
#include "monitor/unwind.h"

TLS const void *mmi_event_last;

static uint64_t live;	    /* bytes; changed by mmi_sites_add() only */
static uint64_t peak;	    /* most that `live' was */
static uint64_t peak_ticks; /* arch_ticks() then */

/* An event that no struct could be had for. */
static uint64_t lost_allocs, lost_bytes;

static inline void
live_grow(uint64_t size)
{
	uint64_t now = mmi_sites_add(&live, size) + size;
	uint64_t old = LOAD(&peak);

	while (UNLIKELY(now > old)) {
		if (CAS(&peak, &old, now)) {
			STORE(&peak_ticks, arch_ticks());
			return;
		}
	}
}

/* The block b goes: count its free at its site. */
static inline void
count_free(struct mmi_thread *t, struct mmi_block b)
{
	struct mmi_site_count *c;

	if (UNLIKELY(b.inherited)) {
		t->count.inherited++;
		return;
	}
	c = &mmi_sites_at(b.site)->count[mmi_class(b.size)];
	mmi_sites_add(&c->frees, 1);
	mmi_sites_add(&c->freed, b.size);
	mmi_sites_add(&live, -b.size);
	mmi_bins_free(t, b.size);
}

static COLD void
count_lost(struct mmi_thread *t, uint64_t size)
{
	t->count.lost++;
	t->count.lost_bytes += size;
}

/* The site for the caller at *e; 0: no memory. */
static inline uint32_t
site_find(struct mmi_thread *t, const struct arch_entry *e)
{
	enum mmi_unwind_end end;
	unsigned n = mmi_unwind(t, e, &end), why = 0;

	if (UNLIKELY(end == UNWIND_CUT)) {
		t->count.cut++;
		why = MONOUT_PC_CUT;
	} else if (UNLIKELY(end == UNWIND_STOPPED)) {
		t->count.stopped++;
		why = MONOUT_PC_STOPPED;
	}
	return mmi_sites_intern(t, n, why);
}

static inline void
record_alloc(struct mmi_thread *t, const void *p, uint64_t size,
	     const struct arch_entry *e, bool is_realloc)
{
	uint32_t s = site_find(t, e);
	struct mmi_site_count *c;
	struct mmi_site *site;
	struct mmi_block old;
	bool ok;

	if (UNLIKELY(!s)) {
		count_lost(t, size);
		return;
	}
	old = mmi_live_put(p, s, size, &ok);
	if (UNLIKELY(!ok)) {
		count_lost(t, size);
		return;
	}
	if (UNLIKELY(old.site)) {
		t->count.reused++;
		count_free(t, old);
	}
	site = mmi_sites_at(s);
	c = &site->count[mmi_class(size)];
	mmi_sites_add(&c->allocs, 1);
	mmi_sites_add(&c->bytes, size);
	if (is_realloc)
		mmi_sites_add(&site->reallocs, 1);
	live_grow(size);
	mmi_bins_alloc(t, size);
}

void
mmi_event_alloc(const void *p, uint64_t size, const struct arch_entry *e)
{
	struct mmi_thread *t;

	mmi_event_last = p;
	t = mmi_thread_enter();
	if (UNLIKELY(!t)) {
		FETCH_ADD(&lost_allocs, p != NULL);
		FETCH_ADD(&lost_bytes, p ? size : 0);
		return;
	}
	if (LIKELY(p != NULL))
		record_alloc(t, p, size, e, false);
	else
		t->count.failed++;
	mmi_thread_leave(t);
}

void
mmi_event_free(const void *p)
{
	struct mmi_block b = mmi_live_take(p);
	struct mmi_thread *t;

	/* What the monitor's own doing allocated isn't in the map. */
	if (UNLIKELY(!b.site && mmi_thread_internal()))
		return;
	t = mmi_thread_enter();
	if (UNLIKELY(!t)) {
		/* Counted when the allocator hands the address out anew. */
		if (b.site)
			mmi_live_restore(p, b);
		return;
	}
	if (LIKELY(b.site))
		count_free(t, b);
	else
		t->count.unseen++;
	mmi_thread_leave(t);
}

struct mmi_block
mmi_event_realloc_begin(const void *old)
{
	return mmi_live_take(old);
}

void
mmi_event_realloc_end(struct mmi_block b, const void *old, const void *new,
		      uint64_t size, bool freed, const struct arch_entry *e)
{
	struct mmi_thread *t;

	mmi_event_last = new;
	if (UNLIKELY(!b.site && mmi_thread_internal()))
		return;
	if (!new && !freed && b.site)
		mmi_live_restore(old, b);
	t = mmi_thread_enter();
	if (UNLIKELY(!t)) {
		FETCH_ADD(&lost_allocs, new != NULL);
		FETCH_ADD(&lost_bytes, new ? size : 0);
		return;
	}
	if (!new && !freed) {
		t->count.failed++;
	} else {
		if (LIKELY(b.site))
			count_free(t, b);
		else
			t->count.unseen++;
		if (new)
			record_alloc(t, new, size, e, b.site && !b.inherited);
	}
	mmi_thread_leave(t);
}

void
mmi_event_read(struct mmi_event_state *s)
{
	s->live = LOAD(&live);
	s->peak = LOAD(&peak);
	s->peak_ticks = LOAD(&peak_ticks);
	s->lost = LOAD(&lost_allocs);
	s->lost_bytes = LOAD(&lost_bytes);
}

void
mmi_event_fork(void)
{
	live = peak = 0;
	peak_ticks = arch_ticks();
	lost_allocs = lost_bytes = 0;
}
