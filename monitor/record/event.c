/* SPDX-License-Identifier: MIT */
/* Events: from the hooks to the records. */
#include "monitor/record/event.h"

#include "monitor/base/next.h"
#include "monitor/chain/origin.h"
#include "monitor/chain/unwind.h"
#ifdef MEMMON_ACCESS
#include "monitor/events/events.h"
#endif
#include "monitor/record/backing.h"
#include "monitor/record/figures.h"
#include "monitor/record/record.h"
#include "monitor/record/sample.h"
#include "monitor/record/types.h"
#include "monitor/thread/control.h"
#include "monitor/thread/enter.h"
#include "monitor/thread/within.h"

#ifdef MEMMON_ACCESS
#define SOON(p) mmi_shadow_soon(p)
#define TELL_MADE(t, s, m, e) \
	do { \
		if (mmi_events_want(MEMMON_EVENT_ALLOC)) \
			tell_made(t, s, m, e); \
	} while (0)
#else
#define SOON(p)
#define TELL_MADE(t, s, m, e)
#endif

TLS const void *mmi_event_last;
TLS uint64_t mmi_event_was;
TLS uintptr_t mmi_event_stray;

struct mmi_cell *
mmi_event_cell(struct mmi_thread *t, struct mmi_frame *s, uint64_t size)
{
	struct mmi_cell *c;

	if (s->size_plus == size + 1)
		return s->cell;
	c = mmi_cells_known(t, s->node, size);
	if (UNLIKELY(!c || s->why || mmi_record_slowly(c) ||
		     size >= UINT32_MAX))
		return mmi_record_cell(t, s, size);
	s->size_plus = (uint32_t)size + 1;
	s->cell = c;
	return c;
}

/* A block was made in cell c; NULL: its cell isn't known. */
static void
made(struct mmi_thread *t, struct mmi_frame *s, struct mmi_cell *c,
     const struct mmi_made *m)
{
	if (UNLIKELY(!c)) {
		mmi_record_slow(t, s, m);
		return;
	}
	t->last_node = s->node;
	if (LIKELY(mmi_record_enter(t, m, c, mmi_record_entry(t, c->number))))
		mmi_record_counted(t, c, m->p, m->size);
	else
		mmi_record_lost(t, m->size);
}

void
mmi_event_made(struct mmi_thread *t, struct mmi_frame *s, struct mmi_cell *c,
	       const void *p, uint64_t size, bool other)
{
	const struct mmi_made m = { .p = p, .size = size, .other = other };

	made(t, s, c, &m);
	mmi_thread_leave(t);
}

#ifdef MEMMON_ACCESS
/* Reports the block, with the innermost caller outside operators new. */
static COLD void
tell_made(const struct mmi_thread *t, const struct mmi_frame *s,
	  const struct mmi_made *m, const struct arch_entry *e)
{
	uintptr_t pc = e->pc;

	while (s && s->pc == pc && s->parent && mmi_events_in_new(pc)) {
		s = &t->frames[s->parent];
		pc = s->pc;
	}
	/* Frames that aren't cached. */
	for (unsigned i = 0; i < t->nchain && mmi_events_in_new(pc); i++)
		pc = MMI_KEY_ADDR(t->chain[i]);
	mmi_events_alloc(m->p, m->size, pc);
}
#endif

/* Record a new block. */
static inline void
record_alloc(struct mmi_thread *t, const struct mmi_made *m,
	     const struct arch_entry *e)
{
	struct mmi_frame *s = mmi_unwind(t, e);
	struct mmi_cell *c = NULL;

	TELL_MADE(t, s, m, e);
	if (LIKELY(--t->countdown) && LIKELY(s) && LIKELY(!t->nested))
		c = mmi_event_cell(t, s, m->size);
	made(t, s, c, m);
}

/* The thread has no struct: recording is off, or memory is used up. */
static COLD void
alloc_unknown(const void *p, uint64_t size)
{
	struct mmi_thread *t;

	if (!p || mmi_control_off() || mmi_thread_frozen())
		return;
	t = mmi_thread_enter();
	if (t) {
		/* There is memory now, or recording was off before. */
		if (!mmi_shared.control.gaps)
			mmi_record_lost(t, size);
		mmi_thread_leave(t);
		return;
	}
	mmi_sample_lost(size, &mmi_shared.lost_allocs, &mmi_shared.lost_bytes);
}

ARCH_REALIGN void
mmi_event_alloc_other(const void *p, uint64_t size, const struct arch_entry *e)
{
	struct mmi_made m = { .p = p, .size = size, .other = 1 };
	struct mmi_thread *t;

	SOON(p);
	mmi_event_last = p;
	t = mmi_thread_enter_on();
	if (UNLIKELY(!t)) {
		alloc_unknown(p, size);
		return;
	}
	record_alloc(t, &m, e);
	mmi_thread_leave(t);
}

ARCH_REALIGN void
mmi_event_alloc_of(const void *p, uint64_t size, const struct arch_entry *e,
		   const struct mmi_origin *o)
{
	struct mmi_made m = { .p = p, .size = size, .other = 1 };
	struct mmi_cell *c = NULL;
	struct mmi_thread *t;
	struct mmi_frame *s;

	mmi_event_last = p;
	t = mmi_thread_enter_on();
	if (UNLIKELY(!t)) {
		alloc_unknown(p, size);
		return;
	}
	SOON(p);
	s = mmi_origin_frame(t, mmi_unwind(t, e), o);
	if (LIKELY(--t->countdown) && LIKELY(s) && LIKELY(!t->nested))
		c = mmi_event_cell(t, s, size);
	made(t, s, c, &m);
	mmi_thread_leave(t);
}

ARCH_REALIGN void
mmi_event_alloc(const void *p, uint64_t size, const struct arch_entry *e)
{
	struct mmi_made m = { .p = p, .size = size };
	struct mmi_thread *t;

	SOON(p);
	mmi_event_last = p;
	t = mmi_thread_enter_on();
	if (UNLIKELY(!t)) {
		alloc_unknown(p, size);
		return;
	}
	if (UNLIKELY(!p)) {
		t->pub->count.failed++;
		mmi_sample_refund(size);
	} else {
		record_alloc(t, &m, e);
	}
	mmi_thread_leave(t);
}

/* Counts the free of a block that isn't in the map. */
static void
count_unknown(struct mmi_thread *t, const void *p)
{
	if ((p && mmi_backing_gone(p)) || mmi_sample_on())
		return;
	if (mmi_shared.control.gaps)
		t->pub->count.off_unseen++;
	else
		t->pub->count.unseen++;
}

/* A free of a block that isn't in the map. */
static COLD bool
free_unknown(const void *p)
{
	struct mmi_thread *t;

	if (mmi_next_is_boot(p))
		return false;
	mmi_event_stray = ~(uintptr_t)p;
	if (mmi_thread_apart()) /* the monitor's block, or the allocator's */
		return true;
	t = mmi_thread_enter_on();
	if (t) {
		count_unknown(t, p);
		mmi_thread_leave(t);
	} else {
		mmi_backing_gone(p);
	}
	return true;
}

/* Counts the free of a known block of `size' bytes while recording is off. */
static void
count_off(struct mmi_thread *t, uint64_t entry, uint64_t size)
{
	bool ours = !mmi_cells_inherited(mmi_live_cell(entry));

	t->pub->count.off_frees += ours;
	t->pub->count.off_freed += ours ? size : 0;
}

/* A free of a known block that couldn't be recorded at once. */
static COLD void
free_known(const void *p, uint64_t entry)
{
	struct mmi_thread *t = mmi_thread_enter();
	bool ok;

	if (!t) {
		/* Counted when the allocator returns this address again. */
		mmi_live_put(NULL, p, 0, entry, &ok);
		if (mmi_sample_on())
			mmi_sample_mark(p);
		return;
	}
	mmi_event_gone(t, entry, p);
	mmi_thread_leave(t);
}

void
mmi_event_gone(struct mmi_thread *t, uint64_t entry, const void *p)
{
	struct mmi_gone g = { .by = NULL };

	mmi_record_free(t, entry, p, &g);
	if (mmi_control_off())
		count_off(t, entry, g.size);
}

ARCH_REALIGN bool
mmi_event_free(const void *p, const struct arch_entry *e)
{
	struct mmi_thread *t;
	struct mmi_gone g;
	uint64_t entry;

	SOON(p);
	entry = mmi_live_take(p);
	if (UNLIKELY(!entry))
		return free_unknown(p);
	t = mmi_thread_enter_on();
	if (UNLIKELY(!t)) {
		free_known(p, entry);
		return true;
	}
	g.by = e;
	mmi_record_free(t, entry, p, &g);
	mmi_thread_leave(t);
	return true;
}

ARCH_REALIGN COLD void
mmi_event_refused(uint64_t size)
{
	struct mmi_thread *t;

	mmi_sample_refund(size);
	mmi_event_last = NULL;
	t = mmi_thread_enter_on();
	if (!t)
		return;
	t->pub->count.failed++;
	mmi_thread_leave(t);
}

COLD bool
mmi_event_free_sampled(const void *p, const struct arch_entry *e)
{
	if (mmi_live_peek(p))
		mmi_sample_unmark(p);
	return mmi_event_free(p, e);
}

ARCH_REALIGN uint64_t
mmi_event_realloc_begin(const void *old)
{
	return mmi_live_take(old);
}

#ifdef MEMMON_ACCESS
ARCH_REALIGN void
mmi_event_realloc_carry(uint64_t entry, const void *old, uint64_t size,
			struct mmi_carry *carry)
{
	struct mmi_thread *t;
	struct mmi_gone g;

	mmi_carry_none(carry);
	if (!entry)
		return;
	mmi_record_known(entry, &g);
	/* A sample ends here: the new block may not be a sample. */
	if (size && !mmi_control_off() && !mmi_sample_on() &&
	    !mmi_cells_inherited(mmi_live_cell(entry))) {
		mmi_carry_find(carry, old, g.size);
		return;
	}
	/* The new block has no earlier data; the sample will lack accesses. */
	t = mmi_thread_enter();
	if (!t)
		return;
	if (mmi_sample_on())
		mmi_record_sample_ends(t, entry, old, size != 0);
	mmi_record_used_old(t, entry, old, &g);
	mmi_thread_leave(t);
}
#endif

/* Records a new block that realloc made. */
static struct mmi_cell *
record_slow_at(struct mmi_thread *t, const struct mmi_made *m,
	       const struct arch_entry *e)
{
	struct mmi_frame *s = mmi_unwind(t, e);

	t->countdown--;
	return mmi_record_slow(t, s, m);
}

/* *g at `old' became the block at m->p.  Its cell; NULL: unrecorded. */
static struct mmi_cell *
record_resized(struct mmi_thread *t, struct mmi_made *m, const void *old,
	       const struct mmi_gone *g, const struct arch_entry *e)
{
	struct mmi_cell *c;

	m->resized = g->resized + 1;
	c = record_slow_at(t, m, e);
	if (c)
		mmi_figures_resized(t, c, m, g, m->p != old);
	return c;
}

/* Returns the new block's cell; NULL: no new block, or not recorded. */
static struct mmi_cell *
record_realloc(struct mmi_thread *t, uint64_t entry, const void *old,
	       struct mmi_made *m, const struct arch_entry *e)
{
	bool known = entry && !mmi_cells_inherited(mmi_live_cell(entry));
	bool off = mmi_control_off();
	struct mmi_gone g = { .by = e };

	if (LIKELY(entry))
		mmi_record_free_old(t, entry, old, !off && m->p, &g);
	else if (!off)
		count_unknown(t, old);
	else
		mmi_backing_gone(old);
	if (off && entry)
		count_off(t, entry, g.size);
	if (UNLIKELY(!entry))
		g.size = mmi_event_was;
	if (off || !m->p)
		return NULL;
	return known || mmi_sample_on() ? record_resized(t, m, old, &g, e)
					: record_slow_at(t, m, e);
}

/* record_realloc() of a block with a type, which the new block keeps. */
static COLD struct mmi_cell *
record_typed(struct mmi_thread *t, uint64_t entry, const void *old,
	     struct mmi_made *m, const struct arch_entry *e)
{
	uint64_t type = entry ? mmi_types_of(entry) : 0;
	struct mmi_cell *c = record_realloc(t, entry, old, m, e);

	if (c && type)
		mmi_types_give(t, m->p, type);
	return c;
}

#ifdef MEMMON_ACCESS
static COLD void
tell_resized(uint64_t entry, const void *old, const void *new, uint64_t size,
	     uintptr_t pc)
{
	struct mmi_gone g = { 0 };

	if (entry)
		mmi_record_known(entry, &g);
	mmi_events_resized(old, g.size, new, size, pc);
}
#endif

ARCH_REALIGN void
mmi_event_realloc_end(uint64_t entry, const void *old, const void *new,
		      uint64_t size, bool freed, bool other,
		      const struct arch_entry *e, struct mmi_carry *carry)
{
	struct mmi_made m = { .p = new, .size = size, .other = other };
	struct mmi_thread *t;
	struct mmi_gone g;
	bool ok;

	mmi_event_last = new;
	if (UNLIKELY(!entry) && mmi_within_any(e))
		return;
#ifdef MEMMON_ACCESS
	if (UNLIKELY(LOAD(&mmi_events_wanted)) && (new || freed))
		tell_resized(entry, old, new, size, e->pc);
	if (!new && !freed)
		mmi_carry_restore(carry, old);
	m.carry = carry;
#else
	(void)carry;
#endif
	if (!new && !freed && entry) {
		mmi_record_known(entry, &g);
		mmi_live_put(NULL, old, g.size, entry, &ok);
		if (mmi_sample_on())
			mmi_sample_mark(old);
	}
	t = mmi_thread_enter();
	if (UNLIKELY(!t)) {
		alloc_unknown(new, size);
		return;
	}
	if (!new && !freed)
		t->pub->count.failed += !mmi_control_off();
	else if (LIKELY(!LOAD(&mmi_types_n)))
		record_realloc(t, entry, old, &m, e);
	else
		record_typed(t, entry, old, &m, e);
#ifdef MEMMON_ACCESS
	if (!new && !freed && entry &&mmi_sample_on())
		mmi_record_sample_stays(t, entry, old, carry);
	mmi_carry_free(carry, old, new);
#endif
	mmi_thread_leave(t);
}

void
mmi_event_missed(uint64_t size)
{
	alloc_unknown(&mmi_shared.lost_allocs, size);
}

void
mmi_event_unseen(struct mmi_thread *t)
{
	count_unknown(t, NULL);
}

/* Counts an annotated block of cell c; c NULL: false, it is unrecorded. */
static bool
count_pooled(struct mmi_thread *t, const struct mmi_cell *c, uint64_t size)
{
	if (!c)
		return false;
	if (mmi_sample_on()) {
		t->pub->count.pool_allocs +=
			(uint64_t)(mmi_sample_weight(size) + 0.5);
		size = mmi_sample_weigh(size);
	} else {
		t->pub->count.pool_allocs++;
	}
	t->pub->count.pool_bytes += size;
	return true;
}

ARCH_REALIGN bool
mmi_event_annotated(struct mmi_thread *t, const void *p, uint64_t size,
		    const struct arch_entry *e)
{
	struct mmi_made m = { .p = p, .size = size, .other = 1 };

	return count_pooled(t, record_slow_at(t, &m, e), size);
}

void
mmi_event_divided(struct mmi_thread *t, uint64_t entry, const void *p)
{
	struct mmi_gone g = { .by = NULL };

	mmi_record_free_old(t, entry, p, false, &g);
#ifdef MEMMON_ACCESS
	mmi_record_used_old(t, entry, p, &g);
#endif
	if (mmi_control_off())
		count_off(t, entry, g.size);
}

ARCH_REALIGN bool
mmi_event_resized(struct mmi_thread *t, uint64_t entry, const void *old,
		  const void *new, uint64_t size, const struct arch_entry *e,
		  const struct mmi_carry *carry)
{
	struct mmi_made m = { .p = new, .size = size, .other = 1 };
	const struct mmi_cell *c;

#ifdef MEMMON_ACCESS
	m.carry = carry;
#else
	(void)carry;
#endif
	c = record_typed(t, entry, old, &m, e);
	return count_pooled(t, c, size);
}

void
mmi_event_read(uint64_t *lost, uint64_t *bytes)
{
	*lost = LOAD(&mmi_shared.lost_allocs);
	*bytes = LOAD(&mmi_shared.lost_bytes);
}

void
mmi_event_fork(void)
{
	mmi_shared.lost_allocs = mmi_shared.lost_bytes = 0;
}
