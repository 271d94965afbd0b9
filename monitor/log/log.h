/* SPDX-License-Identifier: MIT */
/*
 * The log: a record for each block, written when the block is freed or when the
 * data file is written (MEMMON_LOG).  Each thread collects records in a buffer.
 * The thread that fills a buffer packs and writes it, on a separate stack and
 * with signals blocked.  No thread waits: records that can't be written are
 * counted.
 *
 * Blocks with a record here are timed blocks (timed.h), so other events have no
 * extra cost.
 */
#ifndef MEMMON_LOG_H
#define MEMMON_LOG_H

#include "monitor/base/emit.h"
#include "monitor/base/thread.h"
#include "monitor/monlog.h"

struct mmi_cell;
struct mmi_timed;

/* Is a log wanted?  True until this is known. */
extern HIDDEN bool mmi_log_on;

/* A block; times in ns on the monotonic clock. */
struct mmi_log_block {
	uint64_t address, size, born, end;
	uint32_t node, owner, other, flags; /* as in monlog.h */
#ifdef MEMMON_ACCESS
	uint64_t reads, writes, low, span; /* the last two: bytes */
	uint32_t first, last; /* epochs */
#endif
};

/*
 * Invariant: blocks below `used' are complete, and blocks below `done' were
 * written.  Only the owner changes `used'.  Only the thread that has set `busy'
 * writes, and changes `done'.  If an owner finds its buffer busy, it takes
 * another one.
 */
struct mmi_log_buffer {
	struct mmi_log_buffer *next; /* list of all; set once */
	uint32_t used, done;
	int busy, left, idle; /* atomic */
	uint32_t room;
	struct mmi_log_block *block;
};

/* Start a log of at most `cap' bytes; 0: no log.  ctx: init. */
void mmi_log_init(uint64_t cap);

/* Make its file, when the data file has a name.  ctx: init. */
void mmi_log_start(void);

/*
 * A block of cell c is freed, as the timed-block record says; it was at `at'
 * until `now'.  resized: it is replaced by another block.  ctx: hook (sometimes
 * slow).
 */
void mmi_log_gone(struct mmi_thread *t, const struct mmi_cell *c,
		  const struct mmi_timed *s, const void *at, uint64_t now,
		  bool resized);

/*
 * Before a data file with name `name' (NULL: a dump) is written: flush writes
 * all buffers; the live blocks follow (file/log_dump.h).  Then run writes the
 * log's part of RUN.  When the threads have their numbers, owners writes which
 * thread was which.  ctx: exit.
 */
void mmi_log_flush(const char *name);
void mmi_log_run(struct mmi_emit *o);
void mmi_log_owners(void);

/* The file isn't wanted: removes it.  ctx: exit. */
void mmi_log_remove(void);

/*
 * The disk is full, and the data file has no room: frees half of the log's
 * space, or all.  False: the log has no file, or its writes haven't failed.
 * ctx: exit.
 */
bool mmi_log_give(void);

/* The child doesn't log its parent's blocks.  ctx: fork. */
void mmi_log_fork(void);

/* log_chunk.c: write n blocks, or count them as missed.  ctx: slow. */
void mmi_log_chunk(unsigned kind, const struct mmi_log_block *b, uint32_t n);
void mmi_log_chunk_fork(void);

/* Writes owners from `first' on: item[], n of them. */
void mmi_log_chunk_owners(uint32_t first, const uint64_t *item, uint32_t n);

/*
 * log_file.c: writes a chunk, of h->packed bytes behind *h.  Completes *h,
 * which takes mmi_log_file_size() bytes.  Signals are blocked.  ctx: slow.
 */
void mmi_log_file_put(struct monlog_chunk *h);
void mmi_log_file_lost(uint64_t blocks, uint64_t high);
static inline uint32_t
mmi_log_file_size(const struct monlog_chunk *h)
{
	return ((uint32_t)sizeof(*h) + h->packed + MONLOG_ALIGN - 1) &
	       -MONLOG_ALIGN;
}

/* From now on, live blocks belong to another dump. */
void mmi_log_file_dump(const char *name);
void mmi_log_file_run(struct mmi_emit *o, uint64_t missed);
void mmi_log_file_init(uint64_t cap);
void mmi_log_file_make(void);
void mmi_log_file_remove(void);
bool mmi_log_file_give(void);
void mmi_log_file_fork(void);

/* Fills in the record of a block of cell c, except `end'. */
void mmi_log_fill(struct mmi_log_block *b, const struct mmi_cell *c,
		  const struct mmi_timed *s, uintptr_t at);

#endif
