/* SPDX-License-Identifier: MIT */
/* The log: packs blocks into chunks. */
#include "monitor/log/log.h"

#include <string.h>

#include "monitor/base/arena.h"
#include "monitor/base/process.h"
#include "monitor/image/signal_mask.h"
#ifdef MEMMON_ACCESS
#include "monitor/shadow/clock.h"
#endif
#include "monitor/zip/zip.h"

#define STACK 65536u

/*
 * The memory to make one chunk, by one thread at a time.  The chunk is made
 * twice, plain and packed, and one of the two is written.
 */
struct worker {
	int busy; /* atomic */
	unsigned kind;
	const struct mmi_log_block *block;
	uint32_t n;
	uint8_t *to; /* end of the numbers so far */
	struct monlog_chunk head;
	uint8_t plain[MONLOG_PLAIN_MAX];
	uint8_t packed[sizeof(struct monlog_chunk) + MONLOG_PLAIN_MAX];
	uint8_t stack[STACK] __attribute__((aligned(64)));
	uint8_t zip[] __attribute__((aligned(64)));
};

/* All numbers of a block at their greatest length. */
#define BLOCK_MOST (4 * 5u + 4 * 10u + 4 * 10u)
_Static_assert(MONLOG_BLOCKS_MAX *BLOCK_MOST <= MONLOG_PLAIN_MAX, "room");

#define WORKERS 32u
static struct worker *workers[WORKERS];

/* NULL: all are in use, and their number is at its limit, or memory is
 * exhausted. */
static struct worker *
worker_take(void)
{
	size_t size = sizeof(struct worker) + mmi_zip_room(MONLOG_PLAIN_MAX);
	struct worker *w, *none;
	int no;

	for (unsigned i = 0; i < WORKERS; i++) {
		w = LOAD_ACQ(&workers[i]);
		if (!w) {
			w = mmi_arena_map(size);
			if (!w)
				return NULL;
			w->busy = 1;
			none = NULL;
			if (CAS(&workers[i], &none, w))
				return w;
			mmi_arena_unmap(w, size);
			w = none;
		}
		no = 0;
		if (CAS(&w->busy, &no, 1))
			return w;
	}
	return NULL;
}

static inline void
put(struct worker *w, uint64_t v)
{
	for (; v >= 128; v >>= 7)
		*w->to++ = (uint8_t)(v | 128);
	*w->to++ = (uint8_t)v;
}

static inline void
put_step(struct worker *w, uint64_t from, uint64_t to)
{
	uint64_t d = to - from;

	put(w, d << 1 ^ -(d >> 63));
}

/* ns after the process's start. */
static uint64_t
since(uint64_t ns)
{
	return ns > mmi_process.mono ? ns - mmi_process.mono : 0;
}

static uint64_t
born(const struct mmi_log_block *b)
{
	return b->flags & MONLOG_B_EARLY ? 0 : since(b->born);
}

/* When the block was freed; for a live block, when it was allocated. */
static uint64_t
end_of(const struct worker *w, const struct mmi_log_block *b)
{
	return w->kind == MONLOG_LIVE ? born(b) : since(b->end);
}

static void
put_times(struct worker *w)
{
	const struct mmi_log_block *b = w->block, *end = b + w->n;
	uint64_t before = 0, now;

	for (; b < end; b++, before = now) {
		now = end_of(w, b);
		put_step(w, before, now);
		if (now > w->head.high)
			w->head.high = now;
	}
	for (b = w->block; b < end; b++) {
		now = end_of(w, b);
		put(w, now > born(b) ? now - born(b) : 0);
	}
}

#ifdef MEMMON_ACCESS
/* When the epoch began. */
static uint64_t
epoch(uint32_t e)
{
	uint64_t u = mmi_clock_units(e);

	return u ? (u - 1) * MMI_CLOCK_UNIT : 0;
}

static void
put_accesses(struct worker *w)
{
	const struct mmi_log_block *b, *end = w->block + w->n;
	uint64_t first;

	for (b = w->block; b < end; b++)
		if (b->flags & MONLOG_B_USED)
			put(w, b->reads);
	for (b = w->block; b < end; b++)
		if (b->flags & MONLOG_B_USED)
			put(w, b->writes);
	/* The clock's steps are coarse: no access before the allocation. */
	for (b = w->block; b < end; b++) {
		first = epoch(b->first);
		if (b->flags & MONLOG_B_USED)
			put(w, first > born(b) ? first - born(b) : 0);
	}
	for (b = w->block; b < end; b++)
		if (b->flags & MONLOG_B_USED)
			put(w, b->last > b->first
				       ? epoch(b->last) - epoch(b->first)
				       : 0);
	for (b = w->block; b < end; b++)
		if (b->flags & MONLOG_B_USED)
			put(w, b->low);
	for (b = w->block; b < end; b++)
		if (b->flags & MONLOG_B_USED)
			put(w, b->span);
}
#endif

/* The columns. */
static void
put_blocks(struct worker *w)
{
	const struct mmi_log_block *b, *end = w->block + w->n;
	uint64_t before = 0;

	for (b = w->block; b < end; b++)
		put(w, b->node);
	for (b = w->block; b < end; b++)
		put(w, b->size);
	for (b = w->block; b < end; before = b++->address)
		put_step(w, before, b->address);
	put_times(w);
	for (b = w->block; b < end; b++)
		put(w, b->owner);
	for (b = w->block; b < end; b++)
		put(w, b->other);
	for (b = w->block; b < end; b++)
		put(w, b->flags);
#ifdef MEMMON_ACCESS
	put_accesses(w);
#endif
}

/* Runs on the worker's stack: packs and writes head and plain. */
static void
finish(void *arg)
{
	struct worker *w = arg;
	struct monlog_chunk *h = (struct monlog_chunk *)w->packed;
	size_t n;

	w->head.plain = (uint32_t)(w->to - w->plain);
	n = mmi_zip(w->zip, MONLOG_PLAIN_MAX, h + 1,
		    w->head.plain ? w->head.plain - 1 : 0, w->plain,
		    w->head.plain);
	if (!n)
		memcpy(h + 1, w->plain, n = w->head.plain);
	w->head.packed = (uint32_t)n;
	*h = w->head;
	mmi_log_file_put(h);
}

static void
begin(struct worker *w, unsigned kind, uint32_t count)
{
	memset(&w->head, 0, sizeof(w->head));
	w->head.kind = kind;
	w->head.count = count;
	w->to = w->plain;
}

static void
blocks(void *arg)
{
	struct worker *w = arg;

	begin(w, w->kind, w->n);
	put_blocks(w);
	finish(w);
}

/* The latest end of n blocks. */
static uint64_t
last(const struct mmi_log_block *b, uint32_t n)
{
	uint64_t high = 0;

	for (uint32_t i = 0; i < n; i++)
		if (b[i].end > high)
			high = b[i].end;
	return since(high);
}

void
mmi_log_chunk(unsigned kind, const struct mmi_log_block *b, uint32_t n)
{
	struct mmi_signal_mask m;
	struct worker *w = worker_take();

	if (!w || !mmi_signal_mask_block(&m)) {
		mmi_log_file_lost(n, last(b, n));
		if (w)
			STORE_REL(&w->busy, 0);
		return;
	}
	w->kind = kind;
	w->block = b;
	w->n = n;
	arch_on_stack(w->stack + STACK, blocks, w);
	STORE_REL(&w->busy, 0);
	mmi_signal_mask_unblock(&m);
}

void
mmi_log_chunk_owners(uint32_t first, const uint64_t *item, uint32_t n)
{
	struct mmi_signal_mask m;
	struct worker *w = worker_take();

	if (!w)
		return;
	if (mmi_signal_mask_block(&m)) {
		begin(w, MONLOG_OWNERS, n);
		w->head.blocks = first;
		for (uint32_t i = 0; i < n; i++)
			put(w, item[i]);
		arch_on_stack(w->stack + STACK, finish, w);
		mmi_signal_mask_unblock(&m);
	}
	STORE_REL(&w->busy, 0);
}

void
mmi_log_chunk_fork(void)
{
	for (unsigned i = 0; i < WORKERS; i++)
		if (workers[i])
			workers[i]->busy = 0;
}
