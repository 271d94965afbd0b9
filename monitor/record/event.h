/* SPDX-License-Identifier: MIT */
/*
 * Events: what the hooks report.  A free is reported before the real free, an
 * allocation after the real allocation, so that a block's address belongs to
 * one owner between the two.  None of these touches errno.
 */
#ifndef MEMMON_EVENT_H
#define MEMMON_EVENT_H

#include "monitor/base/thread.h"

/*
 * `size' bytes were allocated at p by the caller at *e; p NULL: refused, which
 * is counted.  ctx: hook.
 */
void mmi_event_alloc(const void *p, uint64_t size, const struct arch_entry *e);

/*
 * Two steps of it where it isn't as usual (usual.h).  The cell of a new block
 * of the chain of s that needs no timed-block record, NULL: none is known to
 * be.  A block was made of that cell, or NULL; the struct is left.  ctx: hook.
 */
struct mmi_cell *mmi_event_cell(struct mmi_thread *t, struct mmi_frame *s,
				uint64_t size);
void mmi_event_made(struct mmi_thread *t, struct mmi_frame *s,
		    struct mmi_cell *c, const void *p, uint64_t size,
		    bool other);

/* mmi_event_alloc() of a block that isn't from one of malloc's functions. */
void mmi_event_alloc_other(const void *p, uint64_t size,
			   const struct arch_entry *e);

/* The same, of which that is known besides.  ctx: hook. */
struct mmi_origin;
void mmi_event_alloc_of(const void *p, uint64_t size,
			const struct arch_entry *e, const struct mmi_origin *o);

/*
 * The block at p, not NULL, is about to be freed by the caller at *e, NULL: it
 * isn't known.  False: it mustn't be, it is from mmi_next_boot().  ctx: hook.
 */
bool mmi_event_free(const void *p, const struct arch_entry *e);

/*
 * The same where blocks are sampled, of one that may be recorded; and a block
 * of `size' bytes that isn't recorded was refused.  ctx: hook.
 */
bool mmi_event_free_sampled(const void *p, const struct arch_entry *e);
COLD void mmi_event_refused(uint64_t size);

/*
 * A realloc in two halves.  mmi_event_realloc_begin() takes the block at `old'
 * out of the live map and returns its entry, or 0 when it isn't there.  After
 * the real call mmi_event_realloc_end() counts one free and one allocation (new
 * is the result), or only the free (new NULL, freed true), or puts all back as
 * it was (new NULL, freed false). other: neither block is malloc's. `carry' is
 * what the block at old was used for so far, which mmi_event_realloc_carry()
 * finds out between the first half and the real call, `size' being the size
 * asked for; NULL where accesses aren't recorded. ctx: hook.
 */
struct mmi_carry;

uint64_t mmi_event_realloc_begin(const void *old);
void mmi_event_realloc_carry(uint64_t entry, const void *old, uint64_t size,
			     struct mmi_carry *carry);
void mmi_event_realloc_end(uint64_t entry, const void *old, const void *new,
			   uint64_t size, bool freed, bool other,
			   const struct arch_entry *e, struct mmi_carry *carry);

/*
 * What annotations tell (pool.h), with a struct at hand: a new block, a block
 * of an entry that was taken out of the map, one that wasn't there.  A block
 * that is resized; new NULL: nothing is recorded of what it becomes.  One that
 * a pool divides: it goes, and that tells nothing of how soon.  True: the new
 * block was recorded.  And one that no struct could be had for.  ctx: hook.
 */
bool mmi_event_annotated(struct mmi_thread *t, const void *p, uint64_t size,
			 const struct arch_entry *e);
void mmi_event_gone(struct mmi_thread *t, uint64_t entry, const void *p);
void mmi_event_unseen(struct mmi_thread *t);
bool mmi_event_resized(struct mmi_thread *t, uint64_t entry, const void *old,
		       const void *new, uint64_t size,
		       const struct arch_entry *e,
		       const struct mmi_carry *carry);
void mmi_event_divided(struct mmi_thread *t, uint64_t entry, const void *p);
void mmi_event_missed(uint64_t size);

/*
 * The last block, or NULL, that was reported in this thread: tells a hook
 * whether one further in has done so already.
 */
extern TLS const void *mmi_event_last;

/* Allocations lost for want of a struct mmi_thread, and their bytes. */
void mmi_event_read(uint64_t *lost, uint64_t *bytes); /* ctx: any */

/* None were lost.  ctx: fork. */
void mmi_event_fork(void);

#endif
