/* SPDX-License-Identifier: MIT */
/*
 * Events on their way: places are registered, threads fill buffers, full ones
 * are handed over.  Who waits for a free buffer looks every tenth of a second
 * whether the consumer is still there.
 */
#include "monitor/events/events.h"

#include <limits.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "monitor/base/own_mappings.h"
#include "monitor/base/process.h"
#include "monitor/base/thread.h"
#include "monitor/events/callers.h"
#include "monitor/events/consumer.h"
#include "monitor/events/in_process.h"
#include "monitor/image/image.h"
#include "monitor/image/name.h"

/* Bytes of a buffer: what stays in a cache of this CPU, and of the other. */
#define WORDS_INLINE 4096u
#define WORDS_SHARED 16384u
#define BUFFERS 4u
#define LISTS_SIZE (1ul << 30)
/* A handler may come between two instructions that reserve words. */
#define PAD (1ul << 16)

EXPORT __thread struct memmon_events __link_with_lmemmon_events_v1
	__attribute__((tls_model("initial-exec")));
#define MINE (&__link_with_lmemmon_events_v1)

HIDDEN uint32_t mmi_events_wanted;

static struct stream_head *stream; /* atomic; NULL: none, or not yet */
static int stopped;		   /* atomic: what comes is thrown away */
static int starting;		   /* atomic: a thread makes the stream */
static uint64_t trash[4096 + STREAM_SPARE];

static pthread_key_t key; /* whose destructor tells that a thread ends */

/* The lists so far, of which a child after a fork makes its own stream. */
static struct {
	const struct memmon_places *list;
	const void *const *addresses;
	uint32_t first, n;
} lists[STREAM_LISTS];
static uint32_t nlists, places = 1;
static char modules[STREAM_TEXT];
static bool chosen; /* by MEMMON_MODULES, whatever the lists say */
static unsigned workers = 1;

static TLS struct stream_ring *ring;
static TLS uint64_t *base;	     /* of the buffer that is filled */
static TLS bool busy;
/* A child's first buffer: many end without another. */
static uint64_t *early;
static bool forked;

/* Words that can't be kept are counted. */
static uint64_t *
throw_away(size_t n)
{
	struct stream_head *h = LOAD_ACQ(&stream);
	uint64_t none = 0;

	if (h && !LOAD(&stopped)) {
		CAS(&h->lost_at, &none, mmi_process_clock(CLOCK_MONOTONIC));
		FETCH_ADD(&h->lost_words, n);
	}
	MINE->end = NULL;
	return trash;
}

/* ------------------------------------------------------- the stream -- */

/* Words of `list' that begin with a blank or are the first. */
static const char *
word(const char *list, size_t *n)
{
	while (*list == ' ')
		list++;
	*n = 0;
	while (list[*n] && list[*n] != ' ')
		++*n;
	return list;
}

/* Those that aren't known yet are added. */
static void
add_modules(const char *list)
{
	size_t n, len = strlen(modules), m;

	for (list = word(list, &n); n; list = word(list + n, &n)) {
		const char *have = word(modules, &m);

		if (n > 8 && !memcmp(list, "workers=", 8)) {
			workers = 0;
			for (size_t i = 8; i < n; i++)
				workers = workers * 10 +
					  (unsigned)(list[i] - '0') % 10;
			continue;
		}
		if (chosen)
			continue;
		while (m && (m != n || memcmp(have, list, n) != 0))
			have = word(have + m, &m);
		if (m || len + n + 2 > sizeof(modules))
			continue;
		if (len)
			modules[len++] = ' ';
		memcpy(modules + len, list, n);
		len += n;
		modules[len] = '\0';
	}
}

static void
read_environment(void)
{
	const char *m = mmi_process_variable("MEMMON_MODULES");
	unsigned long n;

	if (m) {
		add_modules(m);
		chosen = true;
	}
	if (mmi_process_number("MEMMON_WORKERS", &n))
		workers = (unsigned)n;
	/* A power of two: what parts addresses is quick then. */
	workers = workers >= 8	 ? 8
		  : workers >= 4 ? 4
		  : workers >= 3 ? 2
				 : workers;
}

static void
stream_list(struct stream_head *h, uint32_t i)
{
	const struct memmon_places *l = lists[i].list;
	uint64_t own = (l->size + 7u) & ~7u;
	uint64_t size = own + l->n_addresses * 8ull;
	char *to = (char *)h + h->lists_at + h->lists_used;

	memcpy(h->modules, modules, sizeof(modules));
	if (h->lists_used + size > h->lists_size) {
		h->unregistered++;
		return;
	}
	memcpy(to, l, l->size);
	if (lists[i].addresses)
		memcpy(to + own, lists[i].addresses, l->n_addresses * 8ull);
	h->list[i].at = h->lists_at + h->lists_used;
	h->list[i].first = lists[i].first;
	h->list[i].n = lists[i].n;
	h->lists_used += size;
	h->places = lists[i].first + lists[i].n;
	STORE_REL(&h->nlists, i + 1);
}

/* The name of the data file, as far as it is known. */
static void
stream_path(struct stream_head *h, const char *path)
{
	bool has_pid;

	if (!path || !*path)
		path = mmi_image_path();
	if (*path)
		memcpy(h->path, path, strlen(path) + 1);
	else if (!mmi_name_expand(h->path, sizeof(h->path), false, &has_pid))
		h->path[0] = '\0';
}

/* What is shared, with all that is known; *fd: its file, or -1. */
static struct stream_head *
stream_map(int *fd)
{
	uint64_t words = workers ? WORDS_SHARED : WORDS_INLINE;
	uint64_t buffers = workers ? BUFFERS : 1;
	uint64_t head = (sizeof(struct stream_head) + 4095) & ~4095ull;
	uint64_t callers = STREAM_CALLERS * 8;
	uint64_t rings = STREAM_RINGS * buffers * words * 8;
	uint64_t size = head + callers + rings + PAD + LISTS_SIZE;
	struct stream_head *h;
	long p;

	*fd = -1;
	if (workers) {
		*fd = (int)ARCH_SYS(SYS_memfd_create, "memmon-events", 1, 0, 0,
				    0, 0);
		if (*fd < 0 ||
		    ARCH_SYS(SYS_ftruncate, *fd, size, 0, 0, 0, 0) != 0)
			goto failed;
	}
	p = ARCH_SYS(SYS_mmap, 0, size, PROT_READ | PROT_WRITE,
		     (workers ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS) |
			     MAP_NORESERVE,
		     *fd, 0);
	if (p < 0 && p > -4096)
		goto failed;
	mmi_own_add((void *)p, size);
	h = (struct stream_head *)p;
	h->magic = STREAM_MAGIC;
	h->size = size;
	h->pid = (uint32_t)mmi_process.pid;
	h->workers = workers;
	h->buffers = (uint32_t)buffers;
	h->words = (uint32_t)words;
	h->callers_at = head;
	h->rings_at = head + callers;
	h->lists_at = h->rings_at + rings + PAD;
	h->lists_size = LISTS_SIZE;
	h->started = mmi_process_clock(CLOCK_MONOTONIC);
	mmi_callers_copy(h);
	stream_path(h, NULL);
	for (uint32_t i = 0; i < nlists; i++)
		stream_list(h, i);
	return h;
failed:
	if (*fd >= 0)
		ARCH_SYS(SYS_close, *fd, 0, 0, 0, 0, 0);
	return NULL;
}

/* False: there is none, and won't be. */
static bool
stream_start(void)
{
	struct stream_head *h;
	int fd, no = 0;

	if (LOAD_ACQ(&stream))
		return true;
	if (LOAD(&stopped) || !CAS(&starting, &no, 1))
		return false;
	h = stream_map(&fd);
	if (!h) {
		STORE(&stopped, 1);
		return false;
	}
	if (workers ? !mmi_consumer_start(h, fd) : !mmi_in_process_start(h))
		STORE_REL(&h->failed, 1);
	STORE_REL(&stream, h);
	return true;
}

/* ------------------------------------------------------------ rings -- */

/* A thread that ended without a word leaves its ring to others. */
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

/* One for this thread; NULL: all are in use. */
static struct stream_ring *
ring_take(struct stream_head *h)
{
	struct stream_ring *r = ring_find(h);

	for (unsigned i = 0; !r && i < 10; i++) {
		rings_look(h);
		mmi_wait_ms(10);
		r = ring_find(h);
	}
	if (!r)
		return NULL;
	STORE(&r->tid, (uint32_t)ARCH_SYS(SYS_gettid, 0, 0, 0, 0, 0, 0));
	STORE_REL(&r->thread, FETCH_ADD(&h->threads, 1));
	mmi_thread_internal_begin();
	pthread_setspecific(key, r);
	mmi_thread_internal_end();
	return r;
}

/* How many buffers of the ring aren't consumed by all workers yet. */
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

/* Until there is a free buffer.  False: there won't be. */
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

/* The buffer that was filled up to `next' is the consumer's. */
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

/* What the thread has written is handed over; it has no buffer then. */
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

/* Words of a child's first buffer go to the stream, which there is now. */
static void
move_early(struct stream_head *h)
{
	uint64_t n = (uint64_t)(MINE->next - early);

	base = stream_buffer(h, (uint32_t)(ring - h->ring), ring->given);
	STORE_REL(&ring->fills, 1);
	memcpy(base, early, n * 8);
	MINE->next = base + n;
	ARCH_SYS(SYS_munmap, early, WORDS_INLINE * 8, 0, 0, 0, 0);
	early = NULL;
}

/* Where the thread may write: a free buffer, empty. */
static uint64_t *
next_buffer(void)
{
	struct stream_head *h;

	if (forked && !early && !base && !LOAD(&stream)) {
		long p = ARCH_SYS(SYS_mmap, 0, WORDS_INLINE * 8,
				  PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (p < 0 && p > -4096)
			return NULL;
		early = base = (uint64_t *)p;
		MINE->end = base + WORDS_INLINE - STREAM_SPARE;
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

/* What __memmon_events_full() does when there is something to do. */
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

/* The thread ends; what it still does goes to another ring. */
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
 * What is shared with the consumer would be shared with the child, too: so the
 * thread that comes back in both has no buffer then.
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

/* This process has nothing to do with the stream any more. */
static void
leave(struct stream_head *h)
{
	if (h) {
		mmi_own_remove(h, h->size);
		ARCH_SYS(SYS_munmap, h, h->size, 0, 0, 0, 0);
	}
	STORE(&stream, NULL);
	ring = NULL;
	MINE->next = MINE->end = base = NULL;
	if (early)
		ARCH_SYS(SYS_munmap, early, WORDS_INLINE * 8, 0, 0, 0, 0);
	early = NULL;
	STORE(&starting, 0);
	STORE(&stopped, !mmi_process_writes() || mmi_thread_stopped());
}

void
mmi_events_fork(void)
{
	if (!nlists)
		return;
	forked = true;
	mmi_in_process_drop();
	leave(stream);
}

/* Until the results are there. */
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

	if (!nlists || LOAD(&stopped))
		return;
	if (!h && !drop && early && MINE->next > early)
		MINE->next = full(0);
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
	stream_path(h, path);
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

/* What happens at once: objects that are there from the start. */
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
	read_environment();
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

	if (l->magic != MEMMON_PLACES_MAGIC || nlists == STREAM_LISTS)
		return;
	mmi_thread_internal_begin();
	if (!nlists)
		begin();
	add_modules((const char *)l + l->strings + l->modules);
	lists[nlists].list = l;
	lists[nlists].addresses = addresses;
	lists[nlists].first = places;
	lists[nlists].n = n;
	nlists++;
	h = LOAD_ACQ(&stream);
	if (h)
		stream_list(h, nlists - 1);
	*first = places;
	places += n;
	mmi_thread_internal_end();
	if (l->wants >> MEMMON_EVENT_GLOBAL & 1)
		put_start(l, (uint32_t)*first, addresses);
	STORE(&mmi_events_wanted, mmi_events_wanted | l->wants);
}
