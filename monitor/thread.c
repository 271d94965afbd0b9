/* SPDX-License-Identifier: MIT */
/* Structs of threads: taken, borrowed, handed on. */
#include "monitor/thread.h"

#include <limits.h>
#include <pthread.h>
#include <string.h>

#include "monitor/arena.h"

/*
 * The thread's own struct.  ENDED: its destructor ran for the last time; events
 * from now on borrow.
 */
#define ENDED ((struct mmi_thread *)1)

static TLS struct mmi_thread *self;
TLS int mmi_thread_own_doing;

static struct mmi_thread *all; /* atomic: every struct, newest first */
static unsigned limit = MMI_DEPTH_DEFAULT;
static uint64_t nthreads;
static pthread_key_t key;
static int have_key;

struct mmi_thread *
mmi_thread_self(void)
{
	return self == ENDED ? NULL : self;
}

/* A struct nobody has, with arrays long enough. */
static struct mmi_thread *
thread_reuse(void)
{
	for (struct mmi_thread *t = LOAD_ACQ(&all); t; t = t->next) {
		int free = 0;

		if (!LOAD(&t->owned) && CAS(&t->owned, &free, 1)) {
			t->depth = 0;
			t->stack_hi = t->stack_lo = t->stack_gap = 0;
			t->exits = 0;
			return t;
		}
	}
	return NULL;
}

/* One mapping: the struct, then its arrays. */
static COLD struct mmi_thread *
thread_new(void)
{
	size_t n = limit + 2;
	struct mmi_thread *t, *head;
	char *p;

	p = mmi_arena_map(sizeof(*t) +
			  n * (2 * sizeof(uint64_t) + sizeof(uint32_t)));
	if (!p)
		return NULL;
	t = (struct mmi_thread *)p;
	t->owned = 1;
	t->limit = limit;
	t->chain = (uint64_t *)(p + sizeof(*t));
	t->prev_key = t->chain + n;
	t->prev_node = (uint32_t *)(t->prev_key + n);
	head = LOAD_ACQ(&all);
	do
		t->next = head;
	while (!CAS(&all, &head, t));
	return t;
}

static struct mmi_thread *
thread_take(void)
{
	struct mmi_thread *t = thread_reuse();

	return t ? t : thread_new();
}

/* The thread's first event. */
static COLD struct mmi_thread *
thread_first(void)
{
	struct mmi_thread *t = thread_take();

	if (!t)
		return NULL;
	/* A signal handler may have been quicker in this very thread. */
	if (self) {
		STORE_REL(&t->owned, 0);
		return self;
	}
	self = t;
	FETCH_ADD(&nthreads, 1);
	if (LOAD_ACQ(&have_key)) {
		mmi_thread_own_doing++;
		pthread_setspecific(key, t);
		mmi_thread_own_doing--;
	}
	return t;
}

/*
 * Destructors run in several passes, and those of others may still allocate.
 * Ours asks for the next pass until the last but one, then lets go.
 */
static void
thread_end(void *arg)
{
	struct mmi_thread *t = arg;

	if (t != self)
		return;
	mmi_thread_own_doing++;
	if (++t->exits < PTHREAD_DESTRUCTOR_ITERATIONS &&
	    pthread_setspecific(key, t) == 0) {
		mmi_thread_own_doing--;
		return;
	}
	mmi_thread_own_doing--;
	self = ENDED;
	STORE_REL(&t->owned, 0);
}

struct mmi_thread *
mmi_thread_enter(void)
{
	struct mmi_thread *t = self;

	if (UNLIKELY(!t)) {
		t = thread_first();
		if (!t)
			return NULL;
	}
	if (LIKELY(t != ENDED && !t->busy)) {
		t->busy = 1;
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		return t;
	}
	t = thread_take();
	if (t)
		t->busy = 1;
	return t;
}

void
mmi_thread_leave(struct mmi_thread *t)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	t->busy = 0;
	if (UNLIKELY(t != self))
		STORE_REL(&t->owned, 0);
}

void
mmi_thread_internal_begin(void)
{
	mmi_thread_own_doing++;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}

void
mmi_thread_internal_end(void)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	mmi_thread_own_doing--;
}

void
mmi_thread_init(void)
{
	if (have_key || pthread_key_create(&key, thread_end) != 0)
		return;
	STORE_REL(&have_key, 1);
	if (mmi_thread_self())
		pthread_setspecific(key, self);
}

void
mmi_thread_limit(unsigned depth)
{
	limit = depth;
	/*
	 * The first thread may have a struct already, made before the limit
	 * was known.  It gets a new one; the old one keeps its counts and is
	 * never handed on, since its arrays have another length.
	 */
	if (self && self != ENDED && self->limit != depth && !self->busy) {
		struct mmi_thread *t = thread_new();

		if (!t)
			return;
		self = t;
		if (have_key)
			pthread_setspecific(key, t);
	}
}

unsigned
mmi_thread_depth(void)
{
	return limit;
}

void
mmi_thread_fork(void)
{
	struct mmi_thread *mine = mmi_thread_self();

	for (struct mmi_thread *t = all; t; t = t->next) {
		memset(&t->count, 0, sizeof(t->count));
		memset(t->allocs, 0, sizeof(t->allocs));
		memset(t->frees, 0, sizeof(t->frees));
		if (t == mine)
			continue;
		/* Its owner, if any, didn't come along. */
		t->busy = 0;
		STORE_REL(&t->owned, 0);
	}
	nthreads = mine ? 1 : 0;
}

const struct mmi_thread *
mmi_thread_next(const struct mmi_thread *t)
{
	return t ? t->next : LOAD_ACQ(&all);
}

uint64_t
mmi_thread_count(void)
{
	return LOAD(&nthreads);
}
