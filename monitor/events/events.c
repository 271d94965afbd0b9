/* SPDX-License-Identifier: MIT */
/*
 * The way of the events: places are registered, threads fill buffers, full
 * buffers are handed over.  A thread that waits for a free buffer checks every
 * tenth of a second whether the consumer is still alive.
 */
#include "monitor/events/events.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "monitor/base/own_mappings.h"
#include "monitor/base/process.h"
#include "monitor/base/real.h"
#include "monitor/base/sampling.h"
#include "monitor/base/thread.h"
#include "monitor/events/callers.h"
#include "monitor/events/consumer.h"
#include "monitor/events/in_process.h"
#include "monitor/events/registered.h"

/* Bytes of a child's first buffer. */
#define WORDS_EARLY 4096u

EXPORT __thread struct memmon_events __link_with_lmemmon_events_v1
	__attribute__((tls_model("initial-exec")));
#define MINE (&__link_with_lmemmon_events_v1)

HIDDEN uint32_t mmi_events_wanted;

static struct stream_head *stream; /* atomic; NULL: none, or not yet */
static int stopped;		   /* atomic: further events are thrown away */
static int starting;		   /* atomic: a thread is making the stream */
static uint64_t trash[4096 + STREAM_SPARE];

static pthread_key_t key; /* its destructor runs when a thread ends */

static TLS struct stream_ring *ring;
/* Since when all were in use, ns; 0: they aren't. */
static TLS uint64_t no_ring;
static TLS uint64_t *base; /* of the buffer being filled */
static TLS bool busy;
/* A child's first buffer: many children end without another. */
static uint64_t *early;
static bool forked;

/* Words that were lost before there was a stream. */
static uint64_t lost_early; /* atomic */

static void
count_lost(struct stream_head *h, uint64_t n)
{
	uint64_t none = 0;

	if (!n)
		return;
	CAS(&h->lost_at, &none, mmi_process_clock(CLOCK_MONOTONIC));
	FETCH_ADD(&h->lost_words, n);
}

/* Count words that can't be kept. */
static uint64_t *
throw_away(size_t n)
{
	struct stream_head *h = LOAD_ACQ(&stream);

	if (!LOAD(&stopped) && h)
		count_lost(h, n);
	else if (!LOAD(&stopped))
		FETCH_ADD(&lost_early, n);
	MINE->end = NULL;
	return trash;
}

/* How long to wait for the thread that makes the stream, ms. */
#define START_MS 2000

/* Another thread is making the stream: wait for it. */
static bool
stream_wait(void)
{
	for (int n = 0; n < START_MS && !LOAD_ACQ(&stream) && !LOAD(&stopped);
	     n++)
		mmi_wait_ms(1);
	return LOAD_ACQ(&stream) != NULL;
}

/* Make the stream, if there is none.  False: there won't be one. */
static bool
stream_start(void)
{
	struct stream_head *h;
	int fd, no = 0;

	if (LOAD_ACQ(&stream))
		return true;
	if (LOAD(&stopped))
		return false;
	if (!CAS(&starting, &no, 1))
		return stream_wait();
	h = mmi_registered_map(&fd);
	if (!h) {
		STORE(&stopped, 1);
		return false;
	}
	if (mmi_registered.workers ? !mmi_consumer_start(h, fd)
				   : !mmi_in_process_start(h))
		STORE_REL(&h->failed, 1);
	STORE_REL(&stream, h);
	return true;
}

/* ------------------------------------------------------------ rings -- */

/* Free the rings of threads that ended without notice. */
static void
rings_look(struct stream_head *h)
{
	for (uint32_t i = 0; i < STREAM_RINGS; i++) {
		struct stream_ring *r = &h->ring[i];
		uint32_t used = STREAM_USED;

		if (LOAD(&r->state) == STREAM_USED &&
		    ARCH_SYS(SYS_tgkill, h->pid, LOAD(&r->tid), 0, 0, 0, 0) ==
			    -ESRCH)
			CAS(&r->state, &used,
			    h->workers ? STREAM_ENDED : STREAM_FREE);
	}
}

static struct stream_ring *
ring_find(struct stream_head *h)
{
	for (uint32_t i = 0; i < STREAM_RINGS; i++) {
		struct stream_ring *r = &h->ring[i];
		uint32_t is_free = STREAM_FREE;

		if (LOAD(&r->state) == STREAM_FREE &&
		    CAS(&r->state, &is_free, STREAM_USED))
			return r;
	}
	return NULL;
}

/* How often a thread without a ring looks for one, ns, after its first wait. */
#define LOOK_AGAIN 1000000000u

/* A free ring.  The first time, wait a little for one.  NULL: none is free. */
static struct stream_ring *
ring_look(struct stream_head *h)
{
	struct stream_ring *r;
	uint64_t now;

	if (UNLIKELY(no_ring)) {
		now = mmi_process_clock(CLOCK_MONOTONIC);
		if (now - no_ring < LOOK_AGAIN)
			return NULL;
		rings_look(h);
	}
	r = ring_find(h);
	for (unsigned i = 0; !r && !no_ring && i < 10; i++) {
		rings_look(h);
		mmi_wait_ms(10);
		r = ring_find(h);
	}
	no_ring = r ? 0 : mmi_process_clock(CLOCK_MONOTONIC) | 1;
	return r;
}

/* Take a ring for this thread; NULL: all are in use. */
static struct stream_ring *
ring_take(struct stream_head *h)
{
	struct stream_ring *r = ring_look(h);

	if (!r)
		return NULL;
	STORE(&r->tid, (uint32_t)ARCH_SYS(SYS_gettid, 0, 0, 0, 0, 0, 0));
	STORE_REL(&r->thread, FETCH_ADD(&h->threads, 1));
	mmi_thread_internal_begin();
	mmi_real_setspecific(key, r);
	mmi_thread_internal_end();
	return r;
}

/* How many buffers of the ring some worker hasn't consumed yet. */
static uint64_t
ring_waiting(const struct stream_head *h, const struct stream_ring *r)
{
	uint64_t taken = r->given;

	for (unsigned w = 0; w < h->workers; w++) {
		uint64_t t = LOAD_ACQ(&r->taken[w]);

		taken = t < taken ? t : taken;
	}
	return r->given - taken;
}

/* Wait for a free buffer.  False: there won't be one. */
static bool
ring_wait(struct stream_head *h, struct stream_ring *r)
{
	unsigned slept = 0;

	while (ring_waiting(h, r) >= h->buffers) {
		uint32_t turn = LOAD_ACQ(&r->turns);

		STORE(&r->waits, 1);
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
		if (ring_waiting(h, r) < h->buffers)
			break;
		mmi_consumer_sleep(&r->turns, turn);
		if ((slept++ & 1) && mmi_consumer_dead(h)) {
			STORE_REL(&h->failed, 1);
			return false;
		}
	}
	STORE(&r->waits, 0);
	return true;
}

/* Hand over the buffer, filled up to `next', to the consumer. */
static void
ring_give(struct stream_head *h, struct stream_ring *r, const uint64_t *next)
{
	uint32_t at = (uint32_t)(r - h->ring);
	uint64_t *from = stream_buffer(h, at, r->given);

	STORE(&r->fills, 0);
	if (!h->workers) {
		mmi_in_process_consume(r->thread, from, next);
		memset(from, 0, (size_t)(next - from) * 8);
		return;
	}
	r->words[r->given % h->buffers] = (uint32_t)(next - from);
	r->turn[r->given % h->buffers] = FETCH_ADD(&h->gives, 1);
	STORE_REL(&r->given, r->given + 1);
	FETCH_ADD(&h->work, 1);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (LOAD(&h->sleepers))
		mmi_consumer_wake(&h->work);
}

/* ------------------------------------------------------ this thread -- */

/* Hand over what the thread has written; it has no buffer then. */
static void
flush(void)
{
	struct stream_head *h = LOAD_ACQ(&stream);

	if (base && base == early)
		return;
	if (base && ring && h)
		ring_give(h, ring, MINE->next);
	MINE->next = MINE->end = base = NULL;
}

static void
early_drop(void)
{
	void *p = early;

	STORE(&early, NULL);
	if (p)
		ARCH_SYS(SYS_munmap, p, WORDS_EARLY * 8, 0, 0, 0, 0);
}

/* Move the words of a child's first buffer to the stream. */
static void
move_early(struct stream_head *h)
{
	uint64_t n = (uint64_t)(MINE->next - early);

	base = stream_buffer(h, (uint32_t)(ring - h->ring), ring->given);
	STORE_REL(&ring->fills, 1);
	memcpy(base, early, n * 8);
	MINE->next = base + n;
	early_drop();
}

/* Where the thread may write: an empty free buffer. */
static uint64_t *
next_buffer(void)
{
	struct stream_head *h;

	if (forked && !early && !base && !LOAD(&stream)) {
		long p = ARCH_SYS(SYS_mmap, 0, WORDS_EARLY * 8,
				  PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (p < 0 && p > -4096)
			return NULL;
		early = base = (uint64_t *)p;
		MINE->end = base + WORDS_EARLY - STREAM_SPARE;
		return base;
	}
	if (!stream_start())
		return NULL;
	h = LOAD_ACQ(&stream);
	if (LOAD_ACQ(&h->failed) || LOAD(&h->ending))
		return NULL;
	if (!ring)
		ring = ring_take(h);
	if (!ring)
		return NULL;
	if (base && base == early)
		move_early(h);
	if (base)
		ring_give(h, ring, MINE->next);
	base = NULL;
	if (!ring_wait(h, ring))
		return NULL;
	base = stream_buffer(h, (uint32_t)(ring - h->ring), ring->given);
	if (h->workers)
		memset(base, 0, h->words * 8ul);
	STORE_REL(&ring->fills, 1);
	MINE->end = base + h->words - STREAM_SPARE;
	return base;
}

/* __memmon_events_full(), if there is something to do. */
static __attribute__((noinline)) uint64_t *
full(size_t n)
{
	struct arch_vectors v;
	uint64_t *p;

	arch_vectors_save(&v);
	if (!mmi_memory.mine)
		mmi_process_forked();
	busy = true;
	p = next_buffer();
	if (!p)
		base = NULL;
	busy = false;
	arch_vectors_restore(&v);
	return p ? p : throw_away(n);
}

ARCH_REALIGN EXPORT uint64_t *
__memmon_events_full(size_t n)
{
	if (busy || LOAD(&stopped) || mmi_thread_internal())
		return throw_away(n);
	return full(n);
}

/* The thread ends; its later events go to another ring. */
static void
thread_end(void *arg)
{
	struct stream_head *h = LOAD_ACQ(&stream);
	struct stream_ring *r = arg;

	if (r != ring || !h || busy)
		return;
	busy = true;
	flush();
	ring = NULL;
	STORE_REL(&r->state, h->workers ? STREAM_ENDED : STREAM_FREE);
	busy = false;
}

/* ----------------------------------------------- fork, and the end -- */

/*
 * The child would share the memory that is shared with the consumer.  So the
 * thread that forks gives up its buffer first: it has none in either process.
 */
static void
before_fork(void)
{
	if (busy)
		return;
	busy = true;
	flush();
	busy = false;
}

/* Separate this process from the stream. */
static void
leave(struct stream_head *h)
{
	/* Clear pointers first: another thread may fork meanwhile. */
	STORE(&stream, NULL);
	ring = NULL;
	MINE->next = MINE->end = base = NULL;
	if (h) {
		mmi_own_remove(h, h->size);
		ARCH_SYS(SYS_munmap, h, h->size, 0, 0, 0, 0);
	}
	early_drop();
	no_ring = 0;
	STORE(&lost_early, 0);
	STORE(&starting, 0);
	STORE(&stopped, !mmi_process_writes() || mmi_thread_stopped());
}

void
mmi_events_fork(void)
{
	if (!mmi_registered.n)
		return;
	forked = true;
	mmi_in_process_drop();
	leave(stream);
}

/* Wait until the results are written. */
static void
wait_for_results(struct stream_head *h)
{
	uint32_t done;

	while (!(done = LOAD_ACQ(&h->done)) && !mmi_consumer_dead(h))
		mmi_consumer_sleep(&h->done, done);
	if (!done)
		mmi_in_process_failed(h);
}

void
mmi_events_end(const char *path, bool drop)
{
	struct stream_head *h = LOAD_ACQ(&stream);
	uint32_t goes_on = STREAM_GOES_ON;

	if (!mmi_registered.n || LOAD(&stopped))
		return;
	if (!h && !drop && early && MINE->next > early)
		MINE->next = full(0);
	/* Without any event there are results, too. */
	if (!LOAD(&stream) && !drop && !forked && !busy)
		stream_start();
	h = LOAD_ACQ(&stream);
	if (drop && (!h || LOAD(&h->workers))) {
		if (h) {
			STORE_REL(&h->ending, STREAM_DROP);
			mmi_consumer_wake(&h->ending);
		}
		leave(h);
		return;
	}
	if (!h)
		return;
	count_lost(h, SWAP(&lost_early, 0));
	mmi_registered_path(h, path);
	if (!busy) {
		busy = true;
		flush();
		busy = false;
	}
	if (!CAS(&h->ending, &goes_on, STREAM_FINISH))
		return;
	mmi_consumer_wake(&h->ending);
	if (LOAD(&h->failed))
		mmi_in_process_failed(h);
	else if (h->workers)
		wait_for_results(h);
	else
		mmi_in_process_finish(h);
	STORE(&stopped, 1);
}

struct stream_head *
mmi_events_stream(void)
{
	return LOAD_ACQ(&stream);
}

/* ----------------------------------------------------- registering -- */

/* Report objects that exist from the start. */
static void
put_start(const struct memmon_places *l, uint32_t first,
	  const void *const *addresses)
{
	const struct memmon_place *place = (const void *)(l + 1);
	const struct memmon_step *s =
		(const void *)((const char *)l + l->start);

	for (uint32_t i = 0; addresses && i < l->n_start; i++) {
		uint32_t where = (uint32_t)s[i].event;

		mmi_events_put(s[i].event >> MEMMON_EVENT_KIND_SHIFT &
				       MEMMON_EVENT_KIND_MASK,
			       first + where, 0,
			       (uintptr_t)addresses[s[i].delta],
			       place[where].size);
	}
}

static void
begin(void)
{
	mmi_registered_environment();
	/* Modules don't run then: in_process.c. */
	if (mmi_sample_on()) {
		mmi_registered.workers = 0;
		mmi_registered.fixed = true;
	}
	pthread_atfork(before_fork, NULL, NULL);
	pthread_key_create(&key, thread_end);
	if (!mmi_process_writes() || mmi_thread_stopped())
		STORE(&stopped, 1);
}

EXPORT void
__memmon_events_register(const struct memmon_places *l, uint64_t *first,
			 const void *const *addresses)
{
	struct stream_head *h;
	uint32_t n = l->n > l->n_blocks ? l->n : l->n_blocks;

	if (l->magic != MEMMON_PLACES_MAGIC || mmi_registered.n == STREAM_LISTS)
		return;
	mmi_thread_internal_begin();
	if (!mmi_registered.n)
		begin();
	mmi_registered_modules((const char *)l + l->strings + l->modules);
	mmi_registered.list[mmi_registered.n].list = l;
	mmi_registered.list[mmi_registered.n].addresses = addresses;
	mmi_registered.list[mmi_registered.n].first = mmi_registered.places;
	mmi_registered.list[mmi_registered.n].n = n;
	mmi_registered.n++;
	h = LOAD_ACQ(&stream);
	if (h)
		mmi_registered_list(h, mmi_registered.n - 1);
	*first = mmi_registered.places;
	mmi_registered.places += n;
	mmi_thread_internal_end();
	if (l->wants >> MEMMON_EVENT_GLOBAL & 1)
		put_start(l, (uint32_t)*first, addresses);
	STORE(&mmi_events_wanted, mmi_events_wanted | l->wants);
}
