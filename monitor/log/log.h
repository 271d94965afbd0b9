/* SPDX-License-Identifier: MIT */
/*
 * The log: a record for each block, when it goes or when the data file is
 * written (MEMMON_LOG).  Records stand in a buffer of their thread's; a full
 * one is packed and written by the thread that filled it, on a stack of its own
 * and with signals blocked.  Nobody waits: what can't be written is counted.
 *
 * All blocks of which there is a record here are timed (timed.h), so that
 * events that need none cost nothing more.
 */
#ifndef MEMMON_LOG_H
#define MEMMON_LOG_H

#include "monitor/base/emit.h"
#include "monitor/base/thread.h"
#include "monitor/monlog.h"

struct mmi_cell;
struct mmi_timed;

/* Is a log wanted?  True until that is known. */
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
 * Invariant: of block[], those below `used' are whole, and those below `done'
 * were written.  `used' is the owner's; `done', and to write, is for who has
 * set `busy'.  An owner who finds it busy leaves it for another buffer.
 */
struct mmi_log_buffer {
	struct mmi_log_buffer *next; /* all; set once */
	uint32_t used, done;
	int busy, left, idle; /* atomic */
	uint32_t room;
	struct mmi_log_block *block;
};

/* A log of at most `cap' bytes is wanted; 0: none is.  ctx: init. */
void mmi_log_init(uint64_t cap);

/* Make its file, once the data file has a name.  ctx: init. */
void mmi_log_start(void);

/*
 * A block of cell c goes, as the timed-block record tells; it was at `at' until
 * `now'.  resized: another one is made of it.  ctx: hook (slow now and then).
 */
void mmi_log_gone(struct mmi_thread *t, const struct mmi_cell *c,
		  const struct mmi_timed *s, const void *at, uint64_t now,
		  bool resized);

/*
 * Before a data file is written, whose name will be `name' (NULL: it is a
 * dump): all buffers; the live blocks follow (file/log_dump.h).  Then what
 * RUN says of it; and, when the threads have their numbers, who was who.
 * ctx: exit.
 */
void mmi_log_flush(const char *name);
void mmi_log_run(struct mmi_emit *o);
void mmi_log_owners(void);

/* The file isn't wanted.  ctx: exit. */
void mmi_log_remove(void);

/*
 * The disk is full, and the data file has no room: give half of what the log
 * has, or all.  False: it isn't for the log, or that has nothing.  ctx: exit.
 */
bool mmi_log_give(void);

/* The parent's blocks aren't the child's.  ctx: fork. */
void mmi_log_fork(void);

/* log_chunk.c: write n blocks, or else count them as missed.  ctx: slow. */
void mmi_log_chunk(unsigned kind, const struct mmi_log_block *b, uint32_t n);
void mmi_log_chunk_fork(void);

/* Owners from `first' on: item[], n of them. */
void mmi_log_chunk_owners(uint32_t first, const uint64_t *item, uint32_t n);

/*
 * log_file.c: a chunk, of h->packed bytes after *h, which is completed; it
 * takes mmi_log_file_size() bytes.  Signals are blocked.  ctx: slow.
 */
void mmi_log_file_put(struct monlog_chunk *h);
void mmi_log_file_lost(uint64_t blocks, uint64_t high);
static inline uint32_t
mmi_log_file_size(const struct monlog_chunk *h)
{
	return ((uint32_t)sizeof(*h) + h->packed + MONLOG_ALIGN - 1) &
	       -MONLOG_ALIGN;
}

/* From now on, what is live is of another dump. */
void mmi_log_file_dump(const char *name);
void mmi_log_file_run(struct mmi_emit *o, uint64_t missed);
void mmi_log_file_init(uint64_t cap);
void mmi_log_file_make(void);
void mmi_log_file_remove(void);
bool mmi_log_file_give(void);
void mmi_log_file_fork(void);

/* The record of a block of cell c; `end' isn't set. */
void mmi_log_fill(struct mmi_log_block *b, const struct mmi_cell *c,
		  const struct mmi_timed *s, uintptr_t at);

#endif
