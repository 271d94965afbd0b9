/* SPDX-License-Identifier: MIT */
/*
 * Usual events: a thread's own blocks, in flat pages and known cells.  They
 * only call the function that finds the call path; event.c does everything
 * else.
 */
#ifndef MEMMON_USUAL_H
#define MEMMON_USUAL_H

#include "monitor/chain/origin.h"
#include "monitor/chain/unwind.h"
#include "monitor/record/event.h"
#include "monitor/record/record.h"
#include "monitor/thread/enter.h"

/* The caller's struct, marked busy at sp; NULL: the event isn't usual. */
static inline __attribute__((always_inline)) struct mmi_thread *
mmi_usual_enter(uintptr_t sp)
{
	struct mmi_thread *t = mmi_thread_me;

	if (UNLIKELY(!t) || UNLIKELY(t->busy) || UNLIKELY(!mmi_memory.mine))
		return NULL;
	t->busy = sp;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (LIKELY(!LOAD(&t->attention)))
		return t;
	t->busy = 0;
	return NULL;
}

/* Leaves the thread's own struct, not a borrowed one. */
static inline __attribute__((always_inline)) void
mmi_usual_leave(struct mmi_thread *t)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	t->busy = 0;
}

/* mmi_event_alloc(), _other(), or, with *o, _of().  ctx: hook. */
static inline __attribute__((always_inline)) void
mmi_usual_alloc_of(const void *p, uint64_t size, const struct arch_entry *e,
		   bool other, const struct mmi_origin *o)
{
	struct mmi_cell *c = NULL;
	struct mmi_thread *t;
	struct mmi_frame *s;
	uint32_t *at;
	uint64_t seq;

	if (UNLIKELY(!p) || UNLIKELY(!(t = mmi_usual_enter(e->sp)))) {
		if (o)
			mmi_event_alloc_of(p, size, e, o);
		else
			(other ? mmi_event_alloc_other
			       : mmi_event_alloc)(p, size, e);
		return;
	}
	mmi_event_last = p;
	s = mmi_unwind(t, e);
	if (o)
		s = mmi_origin_frame(t, s, o);
	if (UNLIKELY(!--t->countdown) || UNLIKELY(!s))
		goto other;
	c = s->cell;
	if (UNLIKELY(s->size_plus != size + 1) &&
	    UNLIKELY(!(c = mmi_event_cell(t, s, size))))
		goto other;
	at = mmi_live_flat(p);
	if (UNLIKELY(!at) || UNLIKELY(LOAD(at)) ||
	    UNLIKELY(c->number >= t->marked))
		goto other;
	seq = t->pub->seq;
	STORE(at, c->number |
			  (uint32_t)(seq % MONOUT_NEAR) << MMI_LIVE_CELL_LOW |
			  t->mark);
	t->last_node = s->node;
	mmi_record_counted(t, c, p, size);
	mmi_usual_leave(t);
	return;
other:
	mmi_event_made(t, s, c, p, size, other);
}

static inline __attribute__((always_inline)) void
mmi_usual_alloc(const void *p, uint64_t size, const struct arch_entry *e,
		bool other)
{
	mmi_usual_alloc_of(p, size, e, other, NULL);
}

/*
 * mmi_event_free() of a block of the calling thread.  False: the event isn't
 * usual, and nothing was done.  ctx: hook.
 */
static inline __attribute__((always_inline)) bool
mmi_usual_free(const void *p)
{
	uint32_t *at = mmi_live_flat(p), v = LIKELY(at) ? LOAD(at) : 0;
	struct mmi_thread *t = mmi_thread_me;
	struct mmi_cell *c;
	uint64_t size;
	bool alone;

	if (UNLIKELY(!t) || UNLIKELY((v & MMI_LIVE_MARKS) != t->mark) ||
	    UNLIKELY(!mmi_usual_enter((uintptr_t)__builtin_frame_address(0))))
		return false;
	c = mmi_cells_at(v & (MMI_LIVE_FIRST_CELLS - 1));
	size = mmi_cell_size(c);
	alone = __libc_single_threaded;
	if (UNLIKELY(!mmi_record_free_only(t, c, size)) ||
	    UNLIKELY(!mmi_live_take_flat(at, v, alone))) {
		mmi_usual_leave(t);
		return false;
	}
	mmi_record_free_count(t, c, size, alone);
	mmi_record_near(t, c, p, v >> MMI_LIVE_CELL_LOW & 15);
	mmi_usual_leave(t);
	return true;
}

#endif
