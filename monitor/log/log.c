/* SPDX-License-Identifier: MIT */
/* The log: records and their buffers. */
#include "monitor/log/log.h"

#include <string.h>
#include <time.h>

#include "monitor/base/arena.h"
#include "monitor/base/process.h"
#include "monitor/base/wait.h"
#include "monitor/counts/cells.h"
#include "monitor/counts/timed.h"
#include "monitor/image/signal_mask.h"
#ifdef MEMMON_ACCESS
#include "monitor/shadow/read_shadow.h"
#endif
#include "monitor/thread/enter.h"
#include "monitor/thread/owners.h"

bool mmi_log_on = true;

/* Blocks in a buffer: when it is full, it becomes a chunk. */
#define ROOM MONLOG_BLOCKS_MAX
#define BUFFER_SIZE \
	(sizeof(struct mmi_log_buffer) + ROOM * sizeof(struct mmi_log_block))

/* Blocks freed before it is known whether there will be a log. */
#define EARLY 64u
static struct mmi_log_block early_blocks[EARLY];
static struct mmi_log_buffer early = {
	.idle = 1,
	.room = EARLY,
	.block = early_blocks,
};

static struct mmi_log_buffer *all = &early; /* newest first */
static bool decided;
static uint64_t missed; /* blocks without a record */

/* Takes a buffer without an owner; NULL: no memory. */
static COLD struct mmi_log_buffer *
buffer_take(void)
{
	struct mmi_log_buffer *b, *head;
	int yes;

	for (b = LOAD_ACQ(&all); b; b = b->next) {
		yes = 1;
		if (LOAD(&b->idle) && (b->room == ROOM || !decided) &&
		    CAS(&b->idle, &yes, 0))
			return b;
	}
	if (!decided || !(b = mmi_arena_map(BUFFER_SIZE)))
		return NULL;
	b->room = ROOM;
	b->block = (struct mmi_log_block *)(b + 1);
	head = LOAD_ACQ(&all);
	do
		b->next = head;
	while (!CAS(&all, &head, b));
	return b;
}

/* Writes the buffer's new blocks.  The caller has set `busy'. */
static void
buffer_write(struct mmi_log_buffer *b)
{
	uint32_t used = LOAD_ACQ(&b->used);

	if (used > b->done)
		mmi_log_chunk(MONLOG_FREED, &b->block[b->done], used - b->done);
	b->done = used;
}

/* Clears `busy'.  If its owner has left, the caller takes care of it. */
static void
buffer_release(struct mmi_log_buffer *b)
{
	int no;

	do {
		no = 0;
		if (LOAD_ACQ(&b->left)) {
			buffer_write(b);
			STORE(&b->used, 0);
			b->done = 0;
			STORE(&b->left, 0);
			__atomic_store_n(&b->busy, 0, __ATOMIC_SEQ_CST);
			STORE_REL(&b->idle, 1);
			return;
		}
		__atomic_store_n(&b->busy, 0, __ATOMIC_SEQ_CST);
	} while (__atomic_load_n(&b->left, __ATOMIC_SEQ_CST) &&
		 CAS(&b->busy, &no, 1));
}

static void
buffer_empty(struct mmi_thread *t, struct mmi_log_buffer *b)
{
	int no = 0;

	if (b->room == ROOM && CAS(&b->busy, &no, 1)) {
		buffer_write(b);
		STORE(&b->used, 0);
		b->done = 0;
		buffer_release(b);
		return;
	}
	t->log = NULL;
	__atomic_store_n(&b->left, 1, __ATOMIC_SEQ_CST);
	no = 0;
	if (CAS(&b->busy, &no, 1))
		buffer_release(b);
}

/*
 * The thread's buffer is full.  Signals are blocked: a handler that writes a
 * file would wait for a buffer that this very thread has made busy.
 */
static COLD void
buffer_full(struct mmi_thread *t, struct mmi_log_buffer *b)
{
	struct mmi_signal_mask m;
	bool masked;

	if (!decided)
		return;
	masked = mmi_signal_mask_block(&m);
	buffer_empty(t, b);
	if (masked)
		mmi_signal_mask_unblock(&m);
}

#ifdef MEMMON_ACCESS
/* Adds how it was accessed, if known. */
static void
fill_accesses(struct mmi_log_block *b, uintptr_t at)
{
	uint64_t i = mmi_shadow_granule(at), info;
	struct mmi_found f;

	if (!b->size || !mmi_shadow_had((const void *)at))
		return;
	mmi_ranges_settle(i, mmi_shadow_granules(b->size));
	info = LOAD(&mmi_shadow.blocks[i + 1]);
	mmi_shadow_read(&f, i, b->size, info, NULL, false);
	b->flags |= MONLOG_B_USED | (f.shared ? MONLOG_B_SHARED : 0);
	b->low = f.low;
	b->span = f.span;
	b->reads = f.reads;
	b->writes = f.writes;
	b->first = f.first;
	b->last = f.last;
}
#endif

void
mmi_log_fill(struct mmi_log_block *b, const struct mmi_cell *c,
	     const struct mmi_timed *s, uintptr_t at)
{
	uint64_t owner = mmi_cell_owner(c);

	b->address = at;
	b->size = s->size;
	b->born = s->born;
	b->node = mmi_cell_node(c);
	b->owner = owner & 1 ? (uint32_t)(owner >> 1) + 1 : 0;
	b->other = 0;
	b->flags = s->born ? 0 : MONLOG_B_EARLY;
#ifdef MEMMON_ACCESS
	fill_accesses(b, at);
#endif
}

void
mmi_log_gone(struct mmi_thread *t, const struct mmi_cell *c,
	     const struct mmi_timed *s, const void *at, uint64_t now,
	     bool resized)
{
	struct mmi_log_buffer *b = t->log;
	struct mmi_log_block *to;
	uint32_t used;

	if (UNLIKELY(!b)) {
		t->log = b = buffer_take();
		if (!b) {
			FETCH_ADD(&missed, 1);
			return;
		}
	}
	used = b->used;
	if (UNLIKELY(used == b->room)) {
		FETCH_ADD(&missed, 1);
		return;
	}
	to = &b->block[used];
	mmi_log_fill(to, c, s, (uintptr_t)at);
	to->end = now;
	if (s->ordinal != t->ordinal && s->ordinal)
		to->other = (t->owner >> 1) + 1;
	if (resized)
		to->flags |= MONLOG_B_RESIZED;
	STORE_REL(&b->used, used + 1);
	if (UNLIKELY(used + 1 == b->room))
		buffer_full(t, b);
}

void
mmi_log_init(uint64_t cap)
{
	mmi_log_on = cap != 0;
	if (!cap) {
		early.used = early.room;
		return;
	}
	decided = true;
	mmi_log_file_init(cap);
}

void
mmi_log_start(void)
{
	if (mmi_log_on)
		mmi_log_file_make();
}

/* How long to wait for a busy buffer before skipping it. */
#define PATIENCE (100 * MMI_WAIT_MS)

/* Writes the contents of all buffers. */
static void
write_buffers(void)
{
	struct mmi_log_buffer *b;
	struct mmi_wait wait;
	bool had;
	int no;

	for (b = LOAD_ACQ(&all); b; b = b->next) {
		if (LOAD(&b->idle))
			continue;
		wait = (struct mmi_wait){ 0, 0 };
		do {
			no = 0;
			had = CAS(&b->busy, &no, 1);
		} while (!had && mmi_wait_more(&wait, PATIENCE));
		if (!had)
			continue;
		buffer_write(b);
		buffer_release(b);
	}
}

void
mmi_log_flush(const char *name)
{
	mmi_log_file_make();
	mmi_log_file_dump(name);
	write_buffers();
}

void
mmi_log_run(struct mmi_emit *o)
{
	if (mmi_log_on)
		mmi_log_file_run(o, LOAD(&missed));
}

void
mmi_log_owners(void)
{
	static uint64_t item[256];
	uint32_t n = mmi_log_on ? mmi_owners_count() + 1 : 0, i, k;

	/* In the form of records: 0 is none. */
	for (i = 0; i < n; i += k) {
		for (k = 0; k < 256 && i + k < n; k++)
			item[k] = i + k ? mmi_owners_of(2 * (i + k) - 1) : 0;
		mmi_log_chunk_owners(i, item, k);
	}
}

void
mmi_log_remove(void)
{
	if (mmi_log_on)
		mmi_log_file_remove();
}

bool
mmi_log_give(void)
{
	return mmi_log_on && mmi_log_file_give();
}

void
mmi_log_fork(void)
{
	struct mmi_log_buffer *b;

	if (!mmi_log_on)
		return;
	for (b = all; b; b = b->next) {
		b->used = b->done = 0;
		b->busy = 0;
		if (b->left) {
			b->left = 0;
			b->idle = 1;
		}
	}
	missed = 0;
	mmi_log_chunk_fork();
	mmi_log_file_fork();
}
