/* SPDX-License-Identifier: MIT */
/*
 * The layout of glibc's malloc (malloc/malloc.c, struct malloc_state and
 * malloc_chunk; from 2.27 on): memory that is malloc's own, and can be
 * recognized only by its contents.  With another version or another allocator,
 * nothing is recognized.
 */
#include <sys/uio.h>

#include "monitor/base/next.h"
#include "monitor/base/process.h"
#include "monitor/leak/leak.h"
#include "monitor/leak/leak_check.h"

/* Heaps of other arenas have this size, and this alignment. */
#define HEAP_SIZE ((uintptr_t)64 << 20)

/* Bits of the size in the word before a block. */
#define CHUNK_MMAPPED 2u
#define CHUNK_ARENA 4u
#define CHUNK_FLAGS 7u

/* Two chunks of this size end a part of the first arena's heap. */
#define FENCE 16u

/* Offsets in an arena, in words. */
#define ARENA_TOP 12u
#define ARENA_BINS 14u
#define BINS 127u
#define ARENA_NEXT 270u
#define ARENA_WORDS 275u

/*
 * For debuggers (nptl_db): bits, number and offset of a field in a thread's
 * control block.  FIELD_WAITS words before the field is the thread that joins
 * this one (this one itself if it is detached); FIELD_RESULT words before it is
 * the result.
 */
#define FIELD_WAITS 3u
#define FIELD_RESULT 2u
#ifdef MEMMON_STATIC
extern const uint32_t _thread_db_pthread_start_routine[3] __attribute__((weak));
extern const uint32_t _thread_db_sizeof_pthread __attribute__((weak));
#define FIND(name) ((const void *)&(name))
#else
#define FIND(name) (mmi_next_has(#name) ? mmi_next_symbol(#name) : NULL)
#endif

static size_t start_routine; /* the field's offset; 0: unknown */
static uintptr_t stacks;     /* the list of used stacks; 0: unknown */
static size_t stacks_link;   /* the offset of a link in struct pthread */
intptr_t mmi_leak_pthread = ARCH_PTHREAD_AT;

#define PTHREAD_WORDS (ARCH_PTHREAD_SIZE / sizeof(uintptr_t))

#ifndef MEMMON_STATIC
/* A list's head points to the first link, and the last link to the head. */
static void
stacks_find(void)
{
	const uint32_t *next = FIND(_thread_db_list_t_next);
	const uint32_t *used = FIND(_thread_db_rtld_global__dl_stack_used);
	const uint32_t *link = FIND(_thread_db_pthread_list);
	uintptr_t global = (uintptr_t)FIND(_rtld_global);

	if (!next || next[2] || !used || !link || !global ||
	    link[2] >= ARCH_PTHREAD_SIZE)
		return;
	stacks = global + used[2];
	stacks_link = link[2];
}
#endif

void
mmi_leak_init_glibc(void)
{
	const uint32_t *field = FIND(_thread_db_pthread_start_routine);
	const uint32_t *size =
		ARCH_PTHREAD_AT < 0 ? FIND(_thread_db_sizeof_pthread) : NULL;

#ifndef MEMMON_STATIC
	stacks_find();
#endif
	/* It ends where the control block begins. */
	if (size)
		mmi_leak_pthread = -(intptr_t)*size;
	if (field && field[0] == 64 && field[1] == 1 &&
	    field[2] >= 8 * FIELD_WAITS && field[2] < ARCH_PTHREAD_SIZE)
		start_routine = field[2];
}

uintptr_t
mmi_leak_result(struct mmi_leak *l, uintptr_t tcb)
{
	uintptr_t p = tcb + (uintptr_t)mmi_leak_pthread;
	const uintptr_t *field = (const uintptr_t *)(p + start_routine);

	/* A thread that joins it writes itself there. */
	if (!start_routine || !mmi_leak_ok(l, p, ARCH_PTHREAD_SIZE) ||
	    arch_pthread_tid(p) != 0 || *(field - FIELD_WAITS) == p)
		return 0;
	return *(field - FIELD_RESULT);
}

/* Start and size of the memory, and the guard's size.  w: the struct at p. */
static bool
stack_in(uintptr_t p, const uintptr_t w[PTHREAD_WORDS],
	 struct mmi_leak_stack *s)
{
	const uintptr_t page = ARCH_PAGE_NOW - 1;

	for (size_t i = 0; i + 3 <= PTHREAD_WORDS; i++)
		if (w[i] && w[i] < p && w[i + 1] > p - w[i] && w[i + 2] &&
		    w[i + 2] < p - w[i] &&
		    !((w[i] | w[i + 1] | w[i + 2]) & page)) {
			s->start = w[i] + w[i + 2];
			s->end = w[i] + w[i + 1];
			s->guard = w[i + 2];
			return true;
		}
	return false;
}

bool
mmi_leak_stack_is(struct mmi_leak *l, uintptr_t tcb,
		  const struct mmi_leak_map *guard)
{
	uintptr_t p = tcb + (uintptr_t)mmi_leak_pthread;
	struct mmi_leak_stack s;

	return mmi_leak_ok(l, p, ARCH_PTHREAD_SIZE) &&
	       stack_in(p, (const uintptr_t *)p, &s) && s.start == guard->end &&
	       s.guard == guard->end - guard->start;
}

#define STACKS_MAX (1u << 16)

static bool
words_read(uintptr_t at, uintptr_t *w, size_t n)
{
	struct iovec to = { w, n * sizeof(*w) };
	struct iovec from = { (void *)at, n * sizeof(*w) };

	return ARCH_SYS(SYS_process_vm_readv, mmi_process.pid, &to, 1, &from, 1,
			0) == (long)(n * sizeof(*w));
}

bool
mmi_leak_stack_next(uintptr_t *link, struct mmi_leak_stack *s)
{
	uintptr_t w[PTHREAD_WORDS], p;

	if (!*link)
		*link = stacks;
	/* The link of a thread that ends now may lead into another list. */
	for (unsigned i = 0; stacks && i < STACKS_MAX; i++) {
		if (!words_read(*link, link, 1) || *link == stacks)
			return false;
		p = *link - stacks_link;
		if (!words_read(p, w, PTHREAD_WORDS))
			return false;
		if (stack_in(p, w, s))
			return true;
	}
	return false;
}

bool
mmi_leak_heap_around(struct mmi_leak *l, const struct mmi_leak_map *m,
		     const struct mmi_leak_block *b, struct mmi_leak_range *r)
{
	const uintptr_t *word = (const uintptr_t *)b->start;
	uintptr_t size, chunk = b->start - 16;
	uint64_t rest;

	if (b->start & 15 || b->start < m->start + 16 ||
	    !mmi_leak_ok(l, chunk, 16))
		return false;
	size = word[-1] & ~(uintptr_t)CHUNK_FLAGS;
	rest = size - b->size;
	if (size & 15 || size < 32 || size < b->size + 8)
		return false;
	if (word[-1] & CHUNK_MMAPPED) {
		r->start = chunk - word[-2];
		r->end = chunk + size;
		return rest <= 2 * ARCH_PAGE_NOW && r->start >= m->start &&
		       r->start <= chunk && r->end <= m->end &&
		       !((r->start | r->end) & (ARCH_PAGE_NOW - 1));
	}
	if (rest > 128 || !(word[-1] & CHUNK_ARENA))
		return false;
	r->start = b->start & -HEAP_SIZE;
	r->end = r->start + HEAP_SIZE;
	if (r->start < m->start)
		r->start = m->start;
	return true;
}

/*
 * The first arena is in the libc's data.  It points to the headers of free
 * chunks; a header's first word is the last word of the block before.  An arena
 * is recognized by its bins, rings of chunks that are nearly all empty, and by
 * the list of arenas.
 */
static bool
is_arena(const uintptr_t *w)
{
	const uintptr_t *bin = w + ARENA_BINS;
	uintptr_t next = w[ARENA_NEXT];
	unsigned empty = 0;

	if (next != (uintptr_t)w &&
	    ((next & (HEAP_SIZE - 1)) >= 128 || next < HEAP_SIZE ||
	     next >> ARCH_ADDR_BITS))
		return false;
	for (unsigned i = 0; i < BINS; i++, bin += 2) {
		if (!bin[0] || !bin[1] || (bin[0] | bin[1]) & 15)
			return false;
		empty += bin[0] == (uintptr_t)(bin - 2) &&
			 bin[1] == (uintptr_t)(bin - 2);
	}
	return empty >= 8;
}

/* Search pages of data; an arena is in one range. */
static void
look_for_arena(struct mmi_leak *l, uintptr_t lo, uintptr_t hi)
{
	const uintptr_t size = ARENA_WORDS * sizeof(uintptr_t);

	for (lo = (lo + 15) & ~(uintptr_t)15; lo + size <= hi; lo += 16)
		if (is_arena((const uintptr_t *)lo)) {
			mmi_leak_except(l, lo, lo + size);
			l->top = ((const uintptr_t *)lo)[ARENA_TOP];
			lo += size & ~(uintptr_t)15;
		}
}

void
mmi_leak_except_arenas(struct mmi_leak *l, const struct mmi_leak_map *m)
{
	if (m->flags == (MMI_LEAK_READ | MMI_LEAK_WRITE | MMI_LEAK_FILE))
		mmi_leak_present(l, m->start, m->end, look_for_arena);
}

/* The size of the chunk of the first arena at a, at most up to hi; or 0. */
static uintptr_t
chunk_size(struct mmi_leak *l, uintptr_t a, uintptr_t hi)
{
	uintptr_t word, size;

	if (a & 15 || hi - a < 16 || !mmi_leak_ok(l, a, 16))
		return 0;
	word = ((const uintptr_t *)a)[1];
	size = word & ~(uintptr_t)CHUNK_FLAGS;
	if (size & 15 || size < FENCE || size > hi - a ||
	    word & (CHUNK_MMAPPED | CHUNK_ARENA))
		return 0;
	return size;
}

/* Does chunk follow chunk from a to `to'?  False after *steps chunks. */
static bool
chunks_lead(struct mmi_leak *l, uintptr_t a, uintptr_t to, uint64_t *steps)
{
	uintptr_t size;

	while (a < to) {
		size = chunk_size(l, a, to);
		if (size <= FENCE || !*steps || !--*steps)
			return false;
		a += size;
	}
	return true;
}

/* The end of the part of the heap with the chunk at a; 0: it has none. */
static uintptr_t
chunks_end(struct mmi_leak *l, uintptr_t a, uintptr_t hi)
{
	uintptr_t size;

	while ((size = chunk_size(l, a, hi)) > FENCE) {
		if (a == l->top)
			return a + size;
		a += size;
	}
	return size && chunk_size(l, a + FENCE, hi) == FENCE ? a + 2 * FENCE
							     : 0;
}

/*
 * The parts of the heap that malloc got by sbrk(2) are mixed with parts that
 * the program got.  Each of malloc's parts begins where chunks lead to its
 * first live block, or to the top.
 */
bool
mmi_leak_except_brk(struct mmi_leak *l, uintptr_t lo, uintptr_t hi)
{
	uintptr_t at = (lo + 15) & ~(uintptr_t)15, to, end;
	uint64_t steps = hi - lo;
	size_t n = l->nexcept;
	uint32_t i;

	for (; l->top; at = end) {
		i = mmi_leak_from(l, at);
		to = i < l->nblocks ? l->blocks[i].start - 16 : hi;
		if (l->top >= at && l->top < to)
			to = l->top;
		if (to >= hi)
			return true;
		while (at < to && !chunks_lead(l, at, to, &steps))
			at += 16;
		end = steps ? chunks_end(l, to, hi) : 0;
		if (!end)
			break;
		mmi_leak_except(l, at, end);
	}
	l->nexcept = n;
	return false;
}
