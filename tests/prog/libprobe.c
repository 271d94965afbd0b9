/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An allocator whose costs are known, preloaded behind memmon --allocator.  It
 * keeps its own account of the costs, to compare with the monitor's.
 *
 * Blocks of up to 4096 bytes come from runs of one size, a power of two from 16
 * on: blocks of all threads are neighbours; the block freed last is used first.
 * A larger one has a mapping with a page before it.  Each operation takes one
 * mutex, once.  Nothing is written into blocks or beside them.
 *
 *	-DBUMP	blocks of multiples of 16 bytes, one after the other, never
 *		used again; no mutex
 *	-DOWN	each thread has runs of its own, and what it frees goes there
 *	-DSLEEP	each 100th free sleeps for 200 us
 *	-DGIVE	each 10th free of a block of 4096 bytes gives its page back
 *	-DHOLD	malloc(777) keeps the mutex until another thread has waited for
 *		it for 200 us; probe_held is its number then
 *	-DASK	malloc_usable_size() allocates when it is first called, as
 *		tcmalloc's does; that isn't in the account
 *
 * probe_begin() starts the watch; a thread's end calls probe_ended().
 * probe_account() prints, for monout.h's classes of operation:
 *
 *	calls OF OPERATIONS BYTES LARGEST	since the program began; bytes
 *				of calls that succeeded
 *	lock OF ACQUISITIONS			since probe_begin()
 *	mmap, munmap, madvise, other OF CALLS BYTES LARGEST
 *	watched OPERATIONS
 *	class USABLE ALLOCATIONS BYTES LARGEST	of up to 4096 bytes
 *	class-live, class-free USABLE BLOCKS	at the peak of usable: live;
 *				freed and not allocated again, by a counter
 *	usable, requested, unused, blowup BYTES	at the peak; at probe_begin():
 *				the first two as begun-usable, begun-requested
 */
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "tests/prog/libprobe.h"

#define ROOM ((size_t)4 << 30)
#define RUN 65536u
#define CLASSES 9u
#define OWNERS 16u
#define DEPTH ((size_t)1 << 18) /* free blocks of a class */

void *malloc(size_t n);
void *calloc(size_t n, size_t size);
void *realloc(void *old, size_t n);
void free(void *p);
void *memalign(size_t align, size_t n);
void *aligned_alloc(size_t align, size_t n);
int posix_memalign(void **p, size_t align, size_t n);
void *valloc(size_t n);
size_t malloc_usable_size(void *p);
void probe_begin(void);
void probe_ended(void);
void probe_account(void);

int probe_held;

/* -------------------------------------------------------- the allocator -- */

/* For every 16 bytes of the room: the block that begins there. */
static struct info {
	uint32_t asked, usable;
} * infos;
static char *room; /* it was handed out before: the usable size isn't 0 */
static size_t used;

/* Before a block that has a mapping. */
struct head {
	size_t asked, usable;
};

static int
is_small(const void *p)
{
	return (const char *)p - room >= 0 &&
	       (const char *)p - room < (long)ROOM;
}

static struct info *
info_of(const void *p)
{
	return &infos[((const char *)p - room) / 16];
}

static struct head *
head_of(const void *p)
{
	return (struct head *)((uintptr_t)p - SMALL);
}

static size_t
usable_of(const void *p)
{
	if (!p)
		return 0;
	return is_small(p) ? info_of(p)->usable : head_of(p)->usable;
}

static void
ask(void *p, size_t n)
{
	if (is_small(p))
		info_of(p)->asked = (uint32_t)n;
	else
		head_of(p)->asked = n;
}

static size_t
asked_of(const void *p)
{
	return is_small(p) ? info_of(p)->asked : head_of(p)->asked;
}

static void *
pages(size_t n, int protection, int flags)
{
	void *p = mmap(NULL, n, protection, MAP_PRIVATE | MAP_ANONYMOUS | flags,
		       -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

static void
room_get(void)
{
	infos = pages(ROOM / 16 * sizeof(*infos), PROT_READ | PROT_WRITE,
		      MAP_NORESERVE);
	room = pages(ROOM, PROT_READ | PROT_WRITE, MAP_NORESERVE);
	if (!room || !infos)
		__builtin_trap();
	call(MMAP, ROOM / 16 * sizeof(*infos));
	call(MMAP, ROOM);
}

#ifdef BUMP
#define lock() ((void)0)
#define unlock() ((void)0)

static void *
small(size_t align, size_t n, unsigned *reused)
{
	size_t at;

	*reused = 0;
	if (!__atomic_load_n(&room, __ATOMIC_ACQUIRE))
		room_get(); /* there is one thread yet */
	n = n ? (n + 15) & ~(size_t)15 : 16;
	enter();
	at = (used + align - 1) & ~(align - 1);
	used = at + n;
	leave();
	if (used > ROOM)
		__builtin_trap();
	info_of(room + at)->usable = (uint32_t)n;
	return room + at;
}

static void
small_free(void *p, size_t n)
{
	(void)p;
	enter();
	is.unused += n;
	leave();
}
#else
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static struct heap {
	char *at, *end;
	uint32_t *free; /* in the room, by 16 bytes */
	size_t nfree;
} heaps[OWNERS][CLASSES];

static void
lock(void)
{
	pthread_mutex_lock(&mutex);
	now.locks++;
}

static void
unlock(void)
{
	pthread_mutex_unlock(&mutex);
}

static struct heap *
heap_of(size_t n)
{
	unsigned owner = 0, k = 0;
#ifdef OWN
	static unsigned owners;

	if (!now.owner)
		now.owner = ++owners;
	owner = now.owner % OWNERS;
#endif
	while ((16u << k) < n)
		k++;
	return &heaps[owner][k];
}

static void *
small(size_t align, size_t n, unsigned *reused)
{
	struct heap *h = heap_of(n > align ? n : align);
	size_t size = 16u;
	char *p;

	while (size < n || size < align)
		size *= 2;
	if (!room)
		room_get();
	if (h->nfree) {
		p = room + (size_t)h->free[--h->nfree] * 16;
		*reused = info_of(p)->usable ? MONOUT_OP_REUSED : 0;
		is.unused -= *reused ? size : 0;
	} else {
		if (h->at == h->end) {
			h->at = mmap(room + used, RUN, PROT_READ | PROT_WRITE,
				     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
				     -1, 0);
			call(MMAP, RUN);
			h->end = h->at + RUN;
			used += RUN;
		}
		p = h->at;
		h->at += size;
		*reused = 0;
	}
	info_of(p)->usable = (uint32_t)size;
	return p;
}

static void
small_free(void *p, size_t n)
{
	struct heap *h = heap_of(n);
#ifdef GIVE
	static unsigned turn;

	if (n == SMALL && ++turn % 10 == 0) {
		madvise(p, SMALL, MADV_DONTNEED);
		call(MADVISE, SMALL);
		info_of(p)->usable = 0;
		is.unused -= n;
	}
#endif
	is.unused += n;
	if (!h->free) {
		h->free = pages(DEPTH * 4, PROT_READ | PROT_WRITE, 0);
		call(MMAP, DEPTH * 4);
	}
	if (!h->free || h->nfree == DEPTH)
		__builtin_trap();
	h->free[h->nfree++] = (uint32_t)(((char *)p - room) / 16);
}
#endif

static void *
large(size_t n)
{
	size_t size = (n + SMALL - 1) & ~(size_t)(SMALL - 1);
	char *p;

	if (n > PTRDIFF_MAX / 4)
		return NULL;
	p = pages(SMALL + size, PROT_READ | PROT_WRITE, 0);
	if (!p)
		__builtin_trap();
	call(MMAP, SMALL + size);
	((struct head *)p)->usable = size;
	return p + SMALL;
}

/* Takes a block; the caller has the mutex.  *of gets the bits of its class. */
static void *
take(size_t align, size_t n, unsigned *of)
{
	void *p;

	*of = n < LARGE ? 0 : MONOUT_OP_BIG;
	p = n < LARGE ? small(align, n, of) : large(n);
	if (!p)
		return NULL;
	ask(p, n);
	born(usable_of(p), n);
	return p;
}

/* Frees p; the caller has the mutex. */
static void
give(void *p)
{
	size_t usable = usable_of(p);

	dead(usable, asked_of(p));
	if (is_small(p)) {
		small_free(p, usable);
		return;
	}
	munmap(head_of(p), SMALL + usable);
	call(MUNMAP, SMALL + usable);
}

static void *
make(unsigned op, size_t align, size_t n)
{
	unsigned of = 0;
	void *p;

	lock();
	p = align <= SMALL ? take(align, n, &of) : NULL;
#ifdef HOLD
	if (n == 777) {
		__atomic_store_n(&probe_held, probe_held + 1, __ATOMIC_RELEASE);
		while (__atomic_load_n(&mutex.__data.__lock,
				       __ATOMIC_RELAXED) != 2)
			__builtin_ia32_pause();
		nanosleep(&(struct timespec){ 0, 200000 }, NULL);
		call(OTHER, 0);
	}
#endif
	unlock();
	end(op | of, p ? n : 0);
	if (!p)
		errno = ENOMEM;
	return p;
}

/* --------------------------------------------------- what programs call -- */

void *
malloc(size_t n)
{
	return make(MONOUT_OP_MALLOC, 16, n);
}

void *
calloc(size_t n, size_t size)
{
	void *p;

	if (__builtin_mul_overflow(n, size, &n))
		n = SIZE_MAX;
	p = make(MONOUT_OP_CALLOC, 16, n);
	return p && is_small(p) ? memset(p, 0, n) : p;
}

void *
realloc(void *old, size_t n)
{
	size_t had = usable_of(old);
	unsigned of = 0;
	void *p = NULL;

	lock();
	if (old && n && n <= had && (n < LARGE) == (had < LARGE)) {
		dead(had, asked_of(old));
		born(had, n);
		p = old;
		of = MONOUT_OP_SAME | (had < LARGE ? 0 : MONOUT_OP_BIG);
		ask(p, n);
	} else if (n || !old) {
		p = take(16, n, &of);
		if (p && old)
			memcpy(p, old, had < n ? had : n);
	}
	if (old && (p || !n) && p != old)
		give(old);
	unlock();
	end((old ? MONOUT_OP_REALLOC : MONOUT_OP_MALLOC) | of, p ? n : 0);
	return p;
}

void
free(void *p)
{
	size_t usable = usable_of(p);

	lock();
	if (p)
		give(p);
	unlock();
#ifdef SLEEP
	static unsigned turn;

	if (__atomic_add_fetch(&turn, 1, __ATOMIC_RELAXED) % 100 == 0) {
		nanosleep(&(struct timespec){ 0, 200000 }, NULL);
		call(OTHER, 0);
	}
#endif
	end(MONOUT_OP_FREE | (usable < LARGE ? 0 : MONOUT_OP_BIG), usable);
}

void *
memalign(size_t align, size_t n)
{
	return make(MONOUT_OP_MEMALIGN, align, n);
}

void *
aligned_alloc(size_t align, size_t n)
{
	return make(MONOUT_OP_MEMALIGN, align, n);
}

int
posix_memalign(void **p, size_t align, size_t n)
{
	*p = make(MONOUT_OP_MEMALIGN, align, n);
	return *p ? 0 : ENOMEM;
}

void *
valloc(size_t n)
{
	return make(MONOUT_OP_MEMALIGN, SMALL, n);
}

size_t
malloc_usable_size(void *p)
{
#ifdef ASK
	/* By way of the monitor's malloc. */
	static char *volatile made;

	if (!made)
		made = malloc(8);
#endif
	return usable_of(p);
}
