/* SPDX-License-Identifier: MIT */
/* Addresses for sampled blocks: the slots. */
#include "monitor/shadow/apart.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "monitor/base/arena.h"
#include "monitor/base/next.h"
#include "monitor/base/sampling.h"
#include "monitor/shadow/access_state.h"
#include "monitor/shadow/shadow.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif
#ifndef MREMAP_DONTUNMAP
#define MREMAP_DONTUNMAP 4
#endif

#define CLASS_SIZE ((uintptr_t)1 << MMI_APART_CLASS_SHIFT)
/* The most slots of a class. */
#define SLOTS (1u << 22)
/* Memory of a class becomes usable in steps; pages of all kernels divide it. */
#define STEP ((uint64_t)64 << 10)
/* Freed slots of at least this size give their memory back ... */
#define LARGE ((uint64_t)64 << 10)
/* ... except for this many bytes, which the next blocks use. */
#define KEEP ((int64_t)32 << 20)

/*
 * A slot's link: LIVE, or its place in the list of free slots: the next slot's
 * number + 1, or 0; CLEAN: all its bytes are 0.
 */
#define LIVE UINT32_MAX
#define CLEAN (1u << 31)

struct slots {
	uint64_t head;	/* free slots: the first + 1; above 32 bits, a count */
	uint64_t fresh; /* slots that were ever used */
	uint64_t ready; /* bytes that may be accessed */
} __attribute__((aligned(64)));

uintptr_t mmi_apart_start = UINTPTR_MAX / 2;
bool mmi_apart_open, mmi_apart_zeros;
static struct slots classes[MMI_APART_CLASSES];
static uint32_t *links;	 /* SLOTS of each class */
static int64_t kept;	 /* atomic: bytes of large free slots with memory */
static struct mmi_next real; /* the next allocator */

/*
 * Below the usual places of programs, heaps and mappings.
 */
static const uintptr_t places[] = {
	(uintptr_t)1 << 40,
	(uintptr_t)2 << 40,
	(uintptr_t)1 << 39,
};

/* ------------------------------------------------------------ classes -- */

/* Up to 128 bytes multiples of 16, then four sizes for each power of two. */
static unsigned
kind_of(uint64_t size)
{
	unsigned k;

	if (size <= 128)
		return size ? (unsigned)(size - 1) / 16 : 0;
	k = 63 - (unsigned)__builtin_clzll(size - 1);
	return 4 * (k - 6) + (unsigned)((size - 1) >> (k - 2));
}

static uint64_t
size_of(unsigned kind)
{
	unsigned k = kind / 4 + 5;

	if (kind < 8)
		return 16 * (kind + 1);
	return ((uint64_t)(kind % 4) + 5) << (k - 2);
}

static uint32_t
slots_of(unsigned kind)
{
	uint64_t n = CLASS_SIZE / size_of(kind);

	return n < SLOTS ? (uint32_t)n : SLOTS;
}

static char *
slot_at(unsigned kind, uint32_t slot)
{
	return (char *)mmi_apart_start + kind * CLASS_SIZE +
	       slot * size_of(kind);
}

static uint32_t *
link_of(unsigned kind, uint32_t slot)
{
	return &links[(size_t)kind * SLOTS + slot];
}

/* --------------------------------------------------------------- slots -- */

/* Lets the first `end' bytes of a class be accessed. */
static bool
make_ready(unsigned kind, uint64_t end)
{
	struct slots *c = &classes[kind];
	uint64_t from = LOAD(&c->ready), to = (end + STEP - 1) / STEP * STEP;

	if (LIKELY(end <= from))
		return true;
	if (ARCH_SYS(SYS_mprotect, slot_at(kind, 0) + from, to - from,
		     PROT_READ | PROT_WRITE, 0, 0, 0) != 0)
		return false;
	while (from < to && !CAS(&c->ready, &from, to))
		continue;
	return true;
}

/* A slot that was never used, or -1. */
static int64_t
take_fresh(unsigned kind)
{
	struct slots *c = &classes[kind];
	uint64_t n = LOAD(&c->fresh);

	do {
		if (n >= slots_of(kind) ||
		    !make_ready(kind, (n + 1) * size_of(kind)))
			return -1;
	} while (!CAS(&c->fresh, &n, n + 1));
	return (int64_t)n;
}

/* A free slot, or -1; *clean: its bytes are 0. */
static int64_t
take_free(unsigned kind, bool *clean)
{
	struct slots *c = &classes[kind];
	uint64_t head = LOAD_ACQ(&c->head), next;
	uint32_t link;

	do {
		if (!(uint32_t)head)
			return -1;
		link = LOAD(link_of(kind, (uint32_t)head - 1));
		next = ((head >> 32) + 1) << 32 | (link & ~CLEAN);
	} while (!CAS(&c->head, &head, next));
	link = LOAD(link_of(kind, (uint32_t)head - 1));
	*clean = link & CLEAN;
	return (int64_t)(uint32_t)head - 1;
}

/* Puts a slot into the list; `was': its link before. */
static void
put_free(unsigned kind, uint32_t slot, bool clean)
{
	struct slots *c = &classes[kind];
	uint64_t head = LOAD(&c->head), next;

	do {
		STORE(link_of(kind, slot),
		      (uint32_t)head | (clean ? CLEAN : 0));
		next = ((head >> 32) + 1) << 32 | (slot + 1);
	} while (!CAS(&c->head, &head, next));
}

void *
mmi_apart_alloc(size_t size, size_t align, bool zeroed)
{
	bool clean = true;
	unsigned kind;
	int64_t slot;
	char *p;

	/* A power of two divides the address of a slot of its size. */
	if (align & (align - 1))
		return NULL;
	if (align > 16) {
		size = size > align ? size : align;
		if (size <= CLASS_SIZE)
			size = (size_t)1
			       << (64 - __builtin_clzll((uint64_t)size - 1));
	}
	if (!LOAD(&mmi_apart_open) || size > CLASS_SIZE)
		return NULL;
	kind = kind_of(size);
	slot = take_free(kind, &clean);
	if (slot < 0)
		slot = take_fresh(kind);
	if (slot < 0)
		return NULL;
	STORE(link_of(kind, (uint32_t)slot), LIVE);
	p = slot_at(kind, (uint32_t)slot);
	if (!clean && size_of(kind) >= LARGE)
		__atomic_fetch_sub(&kept, (int64_t)size_of(kind),
				   __ATOMIC_RELAXED);
	if (zeroed && !clean)
		memset(p, 0, size);
	return p;
}

/* The class of a block; its slot, or -1 if no live block begins at p. */
static unsigned
find(const void *p, int64_t *slot)
{
	uintptr_t off = (uintptr_t)p - mmi_apart_start;
	unsigned kind = (unsigned)(off >> MMI_APART_CLASS_SHIFT);
	uint64_t size = size_of(kind);

	off &= CLASS_SIZE - 1;
	*slot = -1;
	if (off % size == 0 && off / size < LOAD(&classes[kind].fresh) &&
	    LOAD(link_of(kind, (uint32_t)(off / size))) == LIVE)
		*slot = (int64_t)(off / size);
	return kind;
}

/*
 * Gives a slot back.  `clean': its memory is gone.  False: no live block begins
 * at p, or another thread has just freed it.
 */
static bool
give(void *p, bool clean)
{
	int64_t slot, size;
	unsigned kind = find(p, &slot);
	uint32_t live = LIVE;

	if (slot < 0 || !CAS(link_of(kind, (uint32_t)slot), &live, 0))
		return false;
	size = (int64_t)size_of(kind);
	if (size >= (int64_t)LARGE && !clean) {
		if (__atomic_add_fetch(&kept, size, __ATOMIC_RELAXED) > KEEP) {
			__atomic_fetch_sub(&kept, size, __ATOMIC_RELAXED);
			clean = ARCH_SYS(SYS_madvise, p, size, MADV_DONTNEED, 0,
					 0, 0) == 0;
			if (!clean)
				__atomic_fetch_add(&kept, size,
						   __ATOMIC_RELAXED);
		}
	}
	put_free(kind, (uint32_t)slot, clean);
	return true;
}

/* --------------------------------- before the next allocator's functions -- */

/*
 * The next allocator gets this address if the program frees an address in a
 * slot that isn't a live block.  It ends the program with its usual message.
 */
static char nowhere[32] __attribute__((aligned(16)));
#define NO_BLOCK (&nowhere[8])

static void
free_any(void *p)
{
	if (LIKELY(!mmi_apart_has(p)))
		real.free(p);
	else if (!give(p, false))
		real.free(NO_BLOCK);
}

static size_t
usable_size(void *p)
{
	int64_t slot;
	unsigned kind;

	if (LIKELY(!mmi_apart_has(p)))
		return real.malloc_usable_size(p);
	kind = find(p, &slot);
	return slot < 0 ? 0 : size_of(kind);
}

static void *
realloc_any(void *old, size_t size)
{
	return mmi_apart_realloc(old, size, false);
}

/*
 * Moves the first n bytes of a large slot to another one, whole pages.  True:
 * the bytes are 0 in the old slot now.  False: the kernel can't do it.
 */
static bool
move_pages(void *to, void *from, size_t n)
{
	return n >= LARGE && mmi_apart_has(to) && mmi_apart_has(from) &&
	       ARCH_SYS(SYS_mremap, from, n, n,
			MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP, to,
			0) == (long)(uintptr_t)to;
}

void *
mmi_apart_realloc(void *old, size_t size, bool sample)
{
	bool ours = mmi_apart_has(old), moved;
	void *p = NULL;
	int64_t slot;
	size_t n = 0, part;

	if (ours)
		n = size_of(find(old, &slot));
	if (ours ? slot < 0 : !sample || !size)
		return real.realloc(ours ? NO_BLOCK : old, size);
	if (!size) {
		give(old, false);
		return NULL;
	}
	if (!ours)
		n = real.malloc_usable_size(old);
	if (sample && ours && size <= CLASS_SIZE && size_of(kind_of(size)) == n)
		return old;
	if (sample)
		p = mmi_apart_alloc(size, 16, false);
	if (!p)
		p = ours ? real.malloc(size) : real.realloc(old, size);
	if (!p || (!ours && !mmi_apart_has(p)))
		return p;
	part = n;
	if (mmi_apart_has(p) && usable_size(p) < n)
		part = usable_size(p);
	moved = move_pages(p, old, part);
	if (!moved)
		memcpy(p, old, n < size ? n : size);
	if (ours)
		give(old, moved && part == n);
	else
		real.free(old);
	return p;
}

/* --------------------------------------------------------------- start -- */

static bool
reserve(void)
{
	long p;

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		p = ARCH_SYS(SYS_mmap, places[i], MMI_APART_SIZE, PROT_NONE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE |
				     MAP_FIXED_NOREPLACE,
			     -1, 0);
		if (p == (long)places[i]) {
			mmi_apart_start = places[i];
			return true;
		}
		/* Old kernels take the address only as a hint. */
		if (p > 0 || p < -4095)
			ARCH_SYS(SYS_munmap, p, MMI_APART_SIZE, 0, 0, 0, 0);
	}
	return false;
}

void
mmi_apart_init(void)
{
	const size_t all = sizeof(*links) * SLOTS * MMI_APART_CLASSES;

	if (!mmi_sample_on() || mmi_shadow_why() || !mmi_next_is_glibc() ||
	    !mmi_next.malloc_usable_size)
		return;
	links = mmi_arena_reserve(all);
	if (!links)
		return;
	if (!reserve()) {
		mmi_arena_unreserve(links, all);
		links = NULL;
		return;
	}
	real = mmi_next;
	mmi_next.free = free_any;
	mmi_next.realloc = realloc_any;
	mmi_next.malloc_usable_size = usable_size;
	mmi_next.free_sized = NULL;
	mmi_next.free_aligned_sized = NULL;
	mmi_state_limit_to(mmi_apart_start + MMI_APART_SIZE);
	mmi_state_zeros = mmi_apart_zeros = true;
	STORE_REL(&mmi_apart_open, true);
}

/* Sets the words of large samples that are 0: they would not be counted. */
static void
set_words(void)
{
	const uint64_t word = (uint64_t)mmi_clock_epoch() << MEMMON_STAMP_SHIFT;

	for (unsigned kind = 0; kind < MMI_APART_CLASSES; kind++) {
		uint64_t n = size_of(kind) >> MEMMON_GRANULE_SHIFT, at;

		if (n < MMI_SHADOW_MANY)
			continue;
		for (uint32_t k = 0; k < LOAD(&classes[kind].fresh); k++) {
			at = mmi_shadow_granule((uintptr_t)slot_at(kind, k));
			if (LOAD(link_of(kind, k)) == LIVE)
				mmi_shadow_set(at, n, word);
		}
	}
}

void
mmi_apart_mix(void)
{
	bool zeros = true;

	/* Blocks that aren't samples are counted, too, for a short time. */
	mmi_state_limit_to(UINT64_MAX);
	if (!CAS(&mmi_apart_zeros, &zeros, false))
		return;
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	set_words();
	mmi_state_zeros_end();
}

void
mmi_apart_close(void)
{
	if (LOAD(&mmi_apart_open)) {
		STORE(&mmi_apart_open, false);
		mmi_apart_mix();
	}
}
