/* SPDX-License-Identifier: MIT */
/* Structs of threads: how they are taken, borrowed, and handed on. */
#include "monitor/thread/enter.h"

#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>

#include "monitor/base/arena.h"
#include "monitor/base/process.h"
#include "monitor/base/real.h"
#include "monitor/base/table.h"
#include "monitor/chain/cached_frames.h"
#include "monitor/chain/traced.h"
#include "monitor/counts/heap.h"
#include "monitor/counts/live.h"
#include "monitor/image/image.h"
#ifdef MEMMON_ACCESS
#include "monitor/shadow/access_state.h"
#endif
#include "monitor/thread/control.h"
#include "monitor/thread/ended.h"
#include "monitor/thread/ordinal.h"
#include "monitor/thread/owners.h"
#include "monitor/thread/resync.h"

static unsigned limit = MMI_DEPTH_DEFAULT;
static uint32_t nstructs;
static pthread_key_t key;
static int have_key;

/*
 * The free structs: index + 1 of the first one, and in the upper half a count
 * that makes each state of the list different.
 */
#define STRUCTS_MAX (1u << 16)
static MMI_TABLE struct mmi_thread *by_index[STRUCTS_MAX];
static uint64_t idle;

static void
idle_push(struct mmi_thread *t)
{
	uint64_t head = LOAD_ACQ(&idle);

	do
		STORE(&t->next_free, (uint32_t)head);
	while (!CAS(&idle, &head, ((head >> 32) + 1) << 32 | (t->index + 1)));
}

static struct mmi_thread *
idle_pop(void)
{
	uint64_t head = LOAD_ACQ(&idle), next;
	struct mmi_thread *t;

	do {
		if (!(uint32_t)head)
			return NULL;
		t = by_index[(uint32_t)head - 1];
		next = ((head >> 32) + 1) << 32 | LOAD(&t->next_free);
	} while (!CAS(&idle, &head, next));
	return t;
}

/*
 * Counts of free structs until there is an image for them; and counts of the
 * only thread after a fork.
 */
static struct mmi_pub idle_pub, first_pub;

/* An event was left in the middle: the caches of the struct may be broken. */
static COLD void
thread_torn(struct mmi_thread *t)
{
	memset(t->nodes, 0, sizeof(t->nodes));
	memset(t->pairs, 0, sizeof(t->pairs));
	memset(t->cells, 0, sizeof(t->cells));
	t->last_node = t->shortened = 0;
	t->asking = t->busy = 0;
}

/* A free struct with long enough arrays. */
static struct mmi_thread *
thread_reuse(void)
{
	struct mmi_thread *t = idle_pop();

	if (!t)
		return NULL;
	mmi_frames_clear(t);
	if (UNLIKELY(t->busy))
		thread_torn(t);
	t->nesting = NULL;
	t->stack_hi = t->stack_lo = t->stack_gap = 0;
	t->exits = 0;
	t->nested = false;
	t->attention = 1;
	return t;
}

/* Frames that are cached, in addition to those of one call path. */
#define CACHED 8192u

/* The next struct's number.  False: there are too many. */
static bool
index_take(uint32_t *i)
{
	*i = LOAD(&nstructs);
	do
		if (*i >= STRUCTS_MAX)
			return false;
	while (!CAS(&nstructs, i, *i + 1));
	return true;
}

/*
 * One mapping: the struct, then its arrays.  Only touched memory counts.  The
 * struct has no counts yet.
 */
static COLD struct mmi_thread *
thread_new(void)
{
	unsigned most = limit > MMI_DEPTH_DEFAULT ? limit : MMI_DEPTH_DEFAULT;
	size_t n = most + 2, cached = n + CACHED;
	struct mmi_thread *t;
	const size_t touched = sizeof(*t) + 4 * ARCH_PAGE_NOW;
	const size_t size =
		sizeof(*t) +
		cached * (sizeof(*t->frames) + sizeof(*t->odds) +
			  sizeof(*t->runs)) +
		MMI_FRAMES_PATHS * sizeof(*t->paths) +
		MMI_MADE_FRAMES * sizeof(*t->made) +
		n * (sizeof(*t->last) + sizeof(*t->fresh) + sizeof(*t->chain));
	uint32_t i;

	t = mmi_arena_map_part(size, touched);
	if (!t)
		return NULL;
	if (!index_take(&i)) {
		mmi_arena_unmap_part(t, size, touched);
		return NULL;
	}
	t->index = i;
	mmi_owners_first(t);
	t->pub = &idle_pub;
	t->limit = most;
	t->depth = limit;
	t->stops = LOAD_ACQ(&mmi_shared.control.stops);
	t->attention = 1;
	t->frames = (struct mmi_frame *)(t + 1);
	t->frame_room = (unsigned)cached;
	t->odds = (struct mmi_odd *)(t->frames + cached);
	t->runs = (struct mmi_with_runs *)(t->odds + cached);
	t->paths = (struct mmi_check *)(t->runs + cached);
	t->last = (struct mmi_last *)(t->paths + MMI_FRAMES_PATHS);
	t->fresh = (struct mmi_fresh *)(t->last + n);
	t->made = (struct mmi_frame *)(t->fresh + n);
	t->chain = (uint64_t *)(t->made + MMI_MADE_FRAMES);
	mmi_frames_init(t);
	t->random = i + 1;
	t->countdown = 1;
	t->until = 1;
	STORE_REL(&by_index[i], t);
	mmi_thread_add(t);
	return t;
}

/* Give the struct its counts.  False: out of memory. */
static bool
pub_take(struct mmi_thread *t)
{
	struct mmi_pub *pub = mmi_image_pub();

	if (!pub)
		return false;
	pub->epoch = LOAD_ACQ(&mmi_shared.control.epoch);
	STORE_REL(&t->pub, pub);
	return true;
}

/* NULL: out of memory; a part that was made is kept for the next try. */
static struct mmi_thread *
thread_take(void)
{
	struct mmi_thread *t;

	if (mmi_thread_stopped())
		return NULL;
	t = thread_reuse();
	if (!t && !(t = thread_new()))
		return NULL;
	if (UNLIKELY(t->pub == &idle_pub) && !pub_take(t)) {
		idle_push(t);
		return NULL;
	}
	return t;
}

/*
 * The struct now belongs to the calling thread.  Repeat it if it was
 * interrupted.
 */
static COLD void
thread_begin(struct mmi_thread *t)
{
	mmi_thread_name(t);
	mmi_ordinal_here(t);
	if (LOAD_ACQ(&have_key)) {
		mmi_thread_internal_begin();
		mmi_real_setspecific(key, t);
		mmi_thread_internal_end();
	}
	t->pub->tid = ARCH_SYS(SYS_gettid, 0, 0, 0, 0, 0, 0);
}

/*
 * The thread's first event, at sp.  A signal handler that interrupts it is a
 * nested event as soon as the struct belongs to the thread.
 */
static COLD struct mmi_thread *
thread_first(uintptr_t sp)
{
	struct mmi_thread *t = thread_take(), *none = NULL;

	if (!t)
		return NULL;
	mmi_owners_begin(t);
	t->busy = sp;
	/* A signal handler in this same thread may have been faster. */
	if (!CAS(&mmi_thread_me, &none, t)) {
		t->busy = 0;
		idle_push(t);
		return mmi_thread_me;
	}
	thread_begin(t);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	t->busy = 0;
	return t;
}

/*
 * Destructors run in several passes, and later destructors of the program may
 * still allocate.  Ours asks for another pass until the last but one, then
 * gives up the struct.
 */
static void
thread_end(void *arg)
{
	struct mmi_thread *t = arg;

	if (t != mmi_thread_me)
		return;
	mmi_thread_internal_begin();
	if (++t->exits < PTHREAD_DESTRUCTOR_ITERATIONS &&
	    mmi_real_setspecific(key, t) == 0) {
		mmi_thread_internal_end();
		return;
	}
	mmi_thread_internal_end();
	mmi_thread_ended.busy = 1;
	mmi_thread_costs_end();
#ifdef MEMMON_ACCESS
	mmi_state_leave();
#endif
	mmi_traced_ends();
	mmi_thread_me = &mmi_thread_ended;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	mmi_sample_mine = NULL;
	mmi_ended_hand_on(t, 1);
	mmi_heap_flush(t);
	t->pub->tid = 0;
	idle_push(t);
}

/* A signal's frame is larger than this; an event uses less below sp. */
#define SIGNAL_FRAME 512u

/*
 * Did a handler jump out of t's event, and so leave it?  The present event is
 * at sp, where no event can be that has interrupted t's event.
 */
static COLD bool
thread_left(const struct mmi_thread *t, uintptr_t sp)
{
	stack_t ss;

	/*
	 * The allocator's own calls, while it is asked, are part of that event.
	 */
	if (sp < t->asking)
		return false;
	/* Both are on the thread's own stack, as far as known. */
	if (sp + SIGNAL_FRAME <= t->busy || sp >= t->stack_hi ||
	    t->busy < t->stack_lo)
		return false;
	/* A handler's stack may be a part of it. */
	return ARCH_SYS(SYS_sigaltstack, 0, &ss, 0, 0, 0, 0) == 0 &&
	       !(ss.ss_flags & SS_ONSTACK);
}

/* Add a nested struct's totals to its thread's struct `me', or to a row. */
static void
nested_give_back(struct mmi_thread *t, struct mmi_thread *me)
{
	mmi_heap_flush(t);
	if (me && me->pub->epoch == t->pub->epoch) {
		mmi_ended_moving();
		mmi_ended_add(&me->pub->handlers, &t->pub->done,
			      t->pub->seq - t->pub->seq_first);
		mmi_ended_clear(t);
		mmi_ended_moved();
	} else {
		mmi_ended_hand_on(t, 0);
	}
	idle_push(t);
}

/* Free the structs of events that were left, down to `last' (NULL: all). */
static void
nested_end(struct mmi_thread *me, const struct mmi_thread *last)
{
	struct mmi_thread *t;

	while ((t = me->nesting) && t != last) {
		me->nesting = t->nested_next;
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		nested_give_back(t, me);
	}
}

struct mmi_thread *
mmi_thread_enter_slow(uintptr_t sp)
{
	struct mmi_thread *t = mmi_thread_me, *me;

	/* A process made by the bare system call. */
	if (UNLIKELY(!mmi_memory.mine)) {
		mmi_process_forked();
		t = mmi_thread_me;
	}
	if (UNLIKELY(mmi_thread_frozen()))
		return NULL;
	mmi_control_pending(t);
	if (!t && !(t = thread_first(sp)))
		return NULL;
	if (t->busy && t != &mmi_thread_ended && thread_left(t, sp)) {
		nested_end(t, NULL);
		mmi_frames_clear(t);
		if (!t->pub->tid)
			thread_begin(t);
		thread_torn(t);
	}
	if (!t->busy) {
		t->busy = sp;
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		if (LOAD(&t->attention))
			mmi_resync(t);
		if (LIKELY(!mmi_thread_frozen()))
			return t;
		t->busy = 0;
		return NULL;
	}
	t = thread_take();
	if (!t)
		return NULL;
	t->nested = true;
	mmi_ordinal_here(t);
	t->busy = sp;
	me = mmi_thread_self();
	mmi_owners_nested(t, me);
	if (me) {
		t->nested_next = me->nesting;
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		me->nesting = t;
	}
	mmi_resync(t);
	if (LIKELY(!mmi_thread_frozen()))
		return t;
	mmi_thread_leave(t);
	return NULL;
}

struct mmi_thread *
mmi_thread_enter_on_slow(uintptr_t sp)
{
	return mmi_control_off() ? NULL : mmi_thread_enter_slow(sp);
}

COLD struct mmi_thread *
mmi_thread_enter_called(struct mmi_thread *t, uintptr_t sp)
{
	t->busy = 0;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	return mmi_thread_enter_slow(sp);
}

COLD struct mmi_thread *
mmi_thread_enter_on_called(struct mmi_thread *t, uintptr_t sp)
{
	t->busy = 0;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	return mmi_thread_enter_on_slow(sp);
}

void
mmi_thread_leave_slow(struct mmi_thread *t)
{
	struct mmi_thread *me = mmi_thread_self();

	t->busy = 0;
	if (me) {
		nested_end(me, t);
		if (me->nesting)
			me->nesting = t->nested_next;
	}
	nested_give_back(t, me);
}

void
mmi_thread_init(void)
{
	if (have_key || pthread_key_create(&key, thread_end) != 0)
		return;
	STORE_REL(&have_key, 1);
	if (mmi_thread_self())
		mmi_real_setspecific(key, mmi_thread_me);
}

void
mmi_thread_limit(unsigned depth)
{
	struct mmi_thread *t = mmi_thread_self(), *new;

	limit = depth;
	/*
	 * The first thread may have a struct already, made before the limit
	 * was known.  It gets a new one; the old one keeps its counts and is
	 * never handed on, since its arrays have another length.
	 */
	if (!t || t->depth == depth || t->busy || !(new = thread_new()))
		return;
	/* The new struct doesn't own blocks that the old one counted. */
	mmi_ordinal_new(new);
	new->pub->tid = t->pub->tid;
	t->pub->tid = 0;
	mmi_ended_add(&new->pub->done, &t->pub->done,
		      t->pub->seq - t->pub->seq_first);
	mmi_ended_add(&new->pub->handlers, &t->pub->handlers, 0);
	mmi_owners_join(t, new);
	mmi_ended_clear(t);
	mmi_thread_me = new;
	mmi_sample_mine = NULL;
	if (have_key)
		mmi_real_setspecific(key, new);
}

unsigned
mmi_thread_depth(void)
{
	return limit;
}

void
mmi_thread_fork(void)
{
	struct mmi_thread *mine = mmi_thread_self(), *t = NULL;

	STORE(&mmi_thread_alone, NULL);
	memset(&first_pub, 0, sizeof(first_pub));
	if (mine)
		mine->nesting = NULL;
	first_pub.epoch = idle_pub.epoch = mmi_shared.control.epoch;
	idle = 0;
	while ((t = (struct mmi_thread *)mmi_thread_next(t))) {
		/* The counts in the parent's image belong to the parent. */
		t->pub = t == mine ? &first_pub : &idle_pub;
		t->page = NULL;
		t->page_left = 0;
		memset(t->cells, 0, sizeof(t->cells));
		t->batch.next = t->batch.end = 0;
		/* The cached frames remember cells, too. */
		mmi_frames_clear(t);
		if (t == mine)
			continue;
		/*
		 * If it had an owner, that thread doesn't exist in the child.
		 */
		if (t->busy)
			thread_torn(t);
		t->nesting = NULL;
		if (t->depth == limit)
			idle_push(t);
	}
	memset(mmi_shared.rows, 0, sizeof(mmi_shared.rows));
	mmi_ended_fork();
	mmi_owners_clear();
	mmi_thread_counted(mine ? 1 : 0);
	if (mine) {
		/* The parent's blocks don't belong to the child. */
		mmi_ordinal_new(mine);
		mine->pub->tid = ARCH_SYS(SYS_gettid, 0, 0, 0, 0, 0, 0);
		mmi_thread_name(mine);
	}
}

void
mmi_thread_share(bool moved)
{
	struct mmi_thread *t = NULL;
	struct mmi_pub *pub;

	while ((t = (struct mmi_thread *)mmi_thread_next(t))) {
		if (moved)
			mmi_frames_clear(t);
		if (t->pub == &idle_pub || !(pub = mmi_image_pub()))
			continue;
		*pub = *t->pub;
		pub->taken = 1;
		STORE_REL(&t->pub, pub);
	}
}
