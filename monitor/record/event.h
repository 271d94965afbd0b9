/* SPDX-License-Identifier: MIT */
/*
 * Events: the reports of the hooks.  A free is reported before the real free,
 * and an allocation after the real allocation, so between the two a block's
 * address has one owner.  None of these functions changes errno.
 */
#ifndef MEMMON_EVENT_H
#define MEMMON_EVENT_H

#include "monitor/base/thread.h"

/*
 * `size' bytes were allocated at p by the caller *e; p NULL: the request was
 * refused, which is counted.  ctx: hook.
 */
void mmi_event_alloc(const void *p, uint64_t size, const struct arch_entry *e);

/*
 * Two steps of mmi_event_alloc() for events that aren't usual (usual.h).  cell:
 * the cell for a new block of the call path of s that needs no timed-block
 * record; NULL: not known.  made: counts a block of that cell, or of NULL, and
 * leaves the thread's struct.  ctx: hook.
 */
struct mmi_cell *mmi_event_cell(struct mmi_thread *t, struct mmi_frame *s,
				uint64_t size);
void mmi_event_made(struct mmi_thread *t, struct mmi_frame *s,
		    struct mmi_cell *c, const void *p, uint64_t size,
		    bool other);

/* mmi_event_alloc() of a block that no function of malloc's family returned. */
void mmi_event_alloc_other(const void *p, uint64_t size,
			   const struct arch_entry *e);

/* mmi_event_alloc_other() with the origin *o.  ctx: hook. */
struct mmi_origin;
void mmi_event_alloc_of(const void *p, uint64_t size,
			const struct arch_entry *e, const struct mmi_origin *o);

/*
 * The block at p, not NULL, is about to be freed by the caller *e; e NULL: not
 * known.  False: don't free it, it is from mmi_next_boot().  ctx: hook.
 */
bool mmi_event_free(const void *p, const struct arch_entry *e);

/*
 * free_sampled: mmi_event_free() while blocks are sampled, for a block that may
 * be recorded.  refused: an allocation of `size' bytes was refused that
 * wouldn't have been recorded.  ctx: hook.
 */
bool mmi_event_free_sampled(const void *p, const struct arch_entry *e);
COLD void mmi_event_refused(uint64_t size);

/*
 * A realloc in two halves.  mmi_event_realloc_begin() takes the block at `old'
 * out of the live map and returns its entry; 0: it isn't in the map.  After the
 * real call mmi_event_realloc_end() counts one free and one allocation (new is
 * the result), or only the free (new NULL, freed true), or puts the entry back
 * (new NULL, freed false).  other: neither block is malloc's.
 *
 * Between the first half and the real call, mmi_event_realloc_carry() reads how
 * the block at `old' was used so far into *carry; `size' is the requested size.
 * carry is NULL if accesses aren't recorded.  ctx: hook.
 */
struct mmi_carry;

uint64_t mmi_event_realloc_begin(const void *old);
void mmi_event_realloc_carry(uint64_t entry, const void *old, uint64_t size,
			     struct mmi_carry *carry);
void mmi_event_realloc_end(uint64_t entry, const void *old, const void *new,
			   uint64_t size, bool freed, bool other,
			   const struct arch_entry *e, struct mmi_carry *carry);

/*
 * Reports of annotations (pool.h), with the thread's struct t.  annotated: a
 * new block.  gone: a block whose entry was taken out of the map.  unseen: a
 * free of a block that wasn't in the map.  resized: a block was resized; new
 * NULL: the new block isn't recorded.  divided: a pool divides this block;
 * counts a free, but not how soon it came.  True: the new block was recorded.
 * missed: a block for which there was no struct.  ctx: hook.
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
 * The last block, or NULL, that this thread reported: an outer hook sees by it
 * that an inner hook has reported the block already.
 */
extern TLS const void *mmi_event_last;

/*
 * The complement of the last address that this thread freed without a known
 * block there: perhaps it isn't a block.  (No leak check takes it for a
 * pointer.)
 */
extern TLS uintptr_t mmi_event_stray;

/*
 * If blocks are sampled: the bytes that an unrecorded block has before it is
 * resized; 0: not known.
 */
extern TLS uint64_t mmi_event_was;

/*
 * Allocations that weren't recorded for lack of a struct mmi_thread, and their
 * bytes.
 */
void mmi_event_read(uint64_t *lost, uint64_t *bytes); /* ctx: any */

/* Resets those counts to 0.  ctx: fork. */
void mmi_event_fork(void);

#endif
