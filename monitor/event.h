/* SPDX-License-Identifier: MIT */
/*
 * Events: what the hooks report.  A free is reported before the real free, an
 * allocation after the real allocation, so that a block's address belongs to
 * one owner between the two.  None of these touches errno.
 */
#ifndef MEMMON_EVENT_H
#define MEMMON_EVENT_H

#include "monitor/internal.h"

/*
 * `size' bytes were allocated at p by the caller at *e; p NULL: refused, which
 * is counted.  ctx: hook.
 */
void mmi_event_alloc(const void *p, uint64_t size, const struct arch_entry *e);

/*
 * The block at p, not NULL, is about to be freed.  False: it mustn't be, it is
 * from mmi_next_boot().  ctx: hook.
 */
bool mmi_event_free(const void *p);

/*
 * A realloc in two halves.  mmi_event_realloc_begin() takes the block at `old'
 * out of the live map.  After the real call mmi_event_realloc_end() counts one
 * free and one allocation (new is the result), or only the free (new NULL,
 * freed true), or puts all back as it was (new NULL, freed false).  ctx: hook.
 */
uint64_t mmi_event_realloc_begin(const void *old);
void mmi_event_realloc_end(uint64_t entry, const void *old, const void *new,
			   uint64_t size, bool freed,
			   const struct arch_entry *e);

/*
 * The last block that mmi_event_alloc() recorded in this thread: tells a hook
 * whether one further in has done so already.
 */
extern TLS const void *mmi_event_last;

/*
 * Of blocks whose cell has many, one in so many is timed, on average; 1: all;
 * 0: none.  ctx: init.
 */
void mmi_event_timing(unsigned n);
unsigned mmi_event_timed(void); /* ctx: any */

/* The thread ends: what it hasn't yet told of live bytes.  ctx: hook. */
void mmi_event_flush(struct mmi_thread *t);

/* Counts that belong to no site. */
struct mmi_event_state {
	uint64_t live;	/* bytes live now */
	uint64_t peak;	/* bytes live at most */
	uint64_t slack; /* by so much `peak' may be wrong */
	uint64_t peaks; /* how many peaks there were: mmi_cell.epoch's match */
	uint64_t peak_at; /* ns on the monotonic clock; 0: it still lasts */
	uint64_t lost, lost_bytes; /* besides those of the threads */
};
void mmi_event_read(struct mmi_event_state *s); /* ctx: any */

/* Nothing is live and nothing was.  ctx: fork. */
void mmi_event_fork(void);

#endif
