/* SPDX-License-Identifier: MIT */
/* Memory of the monitor. */
#include "monitor/base/arena.h"

#include <string.h>
#include <sys/mman.h>

#include "monitor/base/own_mappings.h"
#include "monitor/base/thread.h"

/* How much a thread's pool gets at a time. */
#define POOL_SIZE ((size_t)32 << 10)

static uint64_t used;
static uint64_t limit = UINT64_MAX;
static uint64_t *shown; /* where `used' is shown; NULL: nowhere */

/* Mappings of at least this size were refused, and when, by arch_ticks(). */
static uint64_t refused_size, refused_at;

/* For this many ticks, some milliseconds at most. */
#define REFUSED_TICKS (1ull << 21)

/*
 * Two threads may change it at the same time: *at gets the later number,
 * because the thread with the earlier number checks again.
 */
static void
used_show(void)
{
	uint64_t *at = LOAD_ACQ(&shown), n;

	if (UNLIKELY(!at))
		return;
	do {
		n = LOAD(&used);
		STORE(at, n);
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
	} while (LOAD(&used) != n);
}

void
mmi_arena_show(uint64_t *at)
{
	STORE_REL(&shown, at);
	used_show();
}

bool
mmi_arena_commit(size_t size)
{
	bool ok = FETCH_ADD(&used, size) + size <= LOAD(&limit);

	if (UNLIKELY(!ok))
		FETCH_ADD(&used, -(uint64_t)size);
	used_show();
	return ok;
}

void
mmi_arena_uncommit(size_t size)
{
	FETCH_ADD(&used, -(uint64_t)size);
	used_show();
}

/* Maps memory for the monitor; NULL: refused. */
static void *
map(size_t size, int protection)
{
	long p = ARCH_SYS(SYS_mmap, 0, size, protection,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return p < 0 && p > -4096 ? NULL : (void *)p;
}

/* Can the program get one more mapping that joins no other? */
static bool
one_more(void)
{
	void *p = map(ARCH_PAGE_NOW, PROT_READ);

	if (p)
		ARCH_SYS(SYS_munmap, p, ARCH_PAGE_NOW, 0, 0, 0, 0);
	return p != NULL;
}

/*
 * map(), unless that takes the last possible mapping: the program may need it
 * more than the monitor.  A mapping that joins its neighbours takes none.
 */
static void *
map_not_last(size_t size)
{
	void (*moved)(size_t) = LOAD_ACQ(&mmi_own_moved);
	void *p = map(size, PROT_READ | PROT_WRITE);

	if (UNLIKELY(!p && moved != NULL)) {
		moved(size + ARCH_PAGE_NOW);
		p = map(size, PROT_READ | PROT_WRITE);
	}
	if (LIKELY(!p || one_more()))
		return p;
	if (ARCH_SYS(SYS_munmap, p, size, 0, 0, 0, 0) != 0)
		return p;
	return one_more() ? NULL : map(size, PROT_READ | PROT_WRITE);
}

bool
mmi_arena_refused(size_t size)
{
	uint64_t least = LOAD(&refused_size);

	return UNLIKELY(least && size >= least) &&
	       arch_ticks() - LOAD(&refused_at) < REFUSED_TICKS;
}

void *
mmi_arena_reserve(size_t size)
{
	void *p;

	if (mmi_arena_refused(size))
		return NULL;
	p = map_not_last(size);
	if (p && mmi_own_add(p, size)) {
		if (UNLIKELY(LOAD(&refused_size)))
			STORE(&refused_size, 0);
		return p;
	}
	if (p)
		ARCH_SYS(SYS_munmap, p, size, 0, 0, 0, 0);
	STORE(&refused_at, arch_ticks());
	STORE_REL(&refused_size, size);
	return NULL;
}

void
mmi_arena_unreserve(void *p, size_t size)
{
	void (*moved)(size_t) = LOAD_ACQ(&mmi_own_moved);

	mmi_own_remove(p, size);
	ARCH_SYS(SYS_munmap, p, size, 0, 0, 0, 0);
	if (UNLIKELY(moved != NULL))
		moved(0);
}

void *
mmi_arena_map_part(size_t size, size_t touched)
{
	void *p;

	if (!mmi_arena_commit(touched))
		return NULL;
	p = mmi_arena_reserve(size);
	if (!p)
		mmi_arena_uncommit(touched);
	return p;
}

void
mmi_arena_unmap_part(void *p, size_t size, size_t touched)
{
	mmi_arena_unreserve(p, size);
	mmi_arena_uncommit(touched);
}

void *
mmi_arena_map(size_t size)
{
	return mmi_arena_map_part(size, size);
}

void
mmi_arena_unmap(void *p, size_t size)
{
	mmi_arena_unmap_part(p, size, size);
}

void
mmi_arena_empty(void *p, size_t size)
{
	ARCH_SYS(SYS_madvise, p, size, MADV_DONTNEED, 0, 0, 0);
	mmi_arena_uncommit(size);
}

/* Refills the pool: gives up what little is left of it. */
static COLD bool
pool_fill(struct mmi_thread *t)
{
	char *p = mmi_arena_map(POOL_SIZE);

	if (!p)
		return false;
	/* In this order: the thread may never get further than this. */
	t->pool_left = 0;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	t->pool = p;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	t->pool_left = POOL_SIZE;
	return true;
}

void *
mmi_arena_take(struct mmi_thread *t, size_t size, size_t align)
{
	size_t pad = -(uintptr_t)t->pool & (align - 1);
	char *p;

	if (UNLIKELY(t->pool_left < pad + size)) {
		if (!pool_fill(t))
			return NULL;
		pad = 0;
	}
	p = t->pool + pad;
	/* In this order: the thread may never get further than this. */
	t->pool_left -= pad + size;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	t->pool = p + size;
	return p;
}

uint64_t
mmi_arena_used(void)
{
	return LOAD(&used);
}

bool
mmi_arena_tight(void)
{
	uint64_t most = LOAD(&limit);

	return UNLIKELY(LOAD(&used) > most - most / 8);
}

void
mmi_arena_limit(uint64_t bytes)
{
	STORE(&limit, bytes ? bytes : UINT64_MAX);
}

uint64_t
mmi_arena_limited(void)
{
	return LOAD(&limit) == UINT64_MAX ? 0 : LOAD(&limit);
}

/* If this much memory is in use, more is taken in huge pages. */
#define MANY ((uint64_t)16 << 20)
#define HUGE ((uintptr_t)2 << 20)

static uintptr_t huge; /* atomic: the rest of a huge page; 0: none */

/* A huge page, aligned to its size, or 0. */
static uintptr_t
huge_map(void)
{
	uintptr_t p = (uintptr_t)mmi_arena_reserve(2 * HUGE), at;

	if (!p)
		return 0;
	at = (p + HUGE - 1) & -HUGE;
	if (at > p)
		mmi_arena_unreserve((void *)p, at - p);
	if (p + HUGE > at)
		mmi_arena_unreserve((void *)(at + HUGE), p + HUGE - at);
	ARCH_SYS(SYS_madvise, at, HUGE, MADV_HUGEPAGE, 0, 0, 0);
	return at;
}

/* Zeroed memory for a chunk; it is never given back to the kernel. */
static void *
chunk_map(size_t size)
{
	uintptr_t at = LOAD(&huge), from;

	if (mmi_arena_used() < MANY)
		return mmi_arena_map(size);
	if (!mmi_arena_commit(size))
		return NULL;
	do {
		from = at;
		/* A page that is used up to its end can't be continued. */
		if (!(at & (HUGE - 1)) || HUGE - (at & (HUGE - 1)) < size) {
			from = huge_map();
			if (!from) {
				mmi_arena_uncommit(size);
				return NULL;
			}
		}
		if (CAS(&huge, &at, from + size))
			return (void *)from;
		if (from != at && !(from & (HUGE - 1)))
			mmi_arena_unreserve((void *)from, HUGE);
	} while (true);
}

/*
 * A chunk that was given back, or NULL.  No chunk is given back meanwhile, so
 * the second one stays the second.
 */
static void *
spare_take(struct mmi_array *a)
{
	void *first = LOAD_ACQ(&a->spare);

	while (first && !CAS(&a->spare, &first, *(void **)first))
		;
	if (first)
		*(void **)first = NULL;
	return first;
}

/* Makes chunk c, or returns the one that another thread has just made. */
static COLD void *
array_chunk(struct mmi_array *a, uint32_t c)
{
	size_t size = (size_t)a->size << a->shift;
	void *mine = NULL, *seen = NULL;
	bool shared;

	if (a->home)
		mine = a->home->take(a->kind, c << a->shift, size);
	shared = mine != NULL;
	if (!mine && !(mine = spare_take(a)) && !(mine = chunk_map(size)))
		return LOAD_ACQ(&a->chunk[c]);
	if (CAS(&a->chunk[c], &seen, mine)) {
		if (a->home && !shared)
			a->home->outside(a->kind, 1u << a->shift);
		return mine;
	}
	/* Another thread was first: this memory stays mapped, but unused. */
	mmi_arena_uncommit(size);
	if (shared)
		a->home->give(mine);
	return seen;
}

void
mmi_array_give(struct mmi_array *a, uint32_t c, void *instead)
{
	size_t size = (size_t)a->size << a->shift;
	void *chunk = LOAD(&a->chunk[c]);

	STORE_REL(&a->chunk[c], instead);
	memset(chunk, 0, size);
	if (a->home && a->home->give(chunk)) {
		mmi_arena_uncommit(size);
		return;
	}
	*(void **)chunk = a->spare;
	STORE_REL(&a->spare, chunk);
}

void
mmi_array_skip(struct mmi_array *a)
{
	uint64_t last = (1u << a->shift) - 1, c = (a->used + last) >> a->shift;

	a->used = (uint32_t)(c << a->shift);
	/*
	 * A thread that made this chunk had not taken an index in it yet.  The
	 * directory of an array that was never used may be read-only.
	 */
	if (c < a->chunks && LOAD(&a->chunk[c]))
		STORE_REL(&a->chunk[c], NULL);
}

bool
mmi_array_add_many(struct mmi_array *a, uint32_t count, uint32_t *i)
{
	uint32_t n = LOAD(&a->used);

	/* Not fetch-and-add: `used' must not go beyond the directory's end. */
	do {
		if (UNLIKELY(n >> a->shift >= a->chunks))
			return false;
		if (UNLIKELY(!LOAD_ACQ(&a->chunk[n >> a->shift])) &&
		    !array_chunk(a, n >> a->shift))
			return false;
	} while (!CAS(&a->used, &n, n + count));
	*i = n;
	return true;
}

void *
mmi_array_add(struct mmi_array *a, uint32_t *i)
{
	return mmi_array_add_many(a, 1, i) ? mmi_array_at(a, *i) : NULL;
}
