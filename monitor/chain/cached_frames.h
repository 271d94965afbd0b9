/* SPDX-License-Identifier: MIT */
/*
 * Cached frames: the frames that a thread has walked over on its own stack.
 * Each is stored below its caller's, with the words of the stack that led from
 * one to the other.  A frame has the call path of a cached frame if it has the
 * same program counter and stack pointer, and if all words from there outwards
 * are unchanged.
 *
 * The words are above the frame on the same stack, so they can be read.  Valid
 * only while mmi_modules_state is t->state.
 */
#ifndef MEMMON_CACHED_FRAMES_H
#define MEMMON_CACHED_FRAMES_H

#include "monitor/base/thread.h"

/* Cached frame i; 0: NULL. */
static inline struct mmi_frame *
mmi_frames_at(struct mmi_thread *t, uint32_t i)
{
	return i ? &t->frames[i] : NULL;
}

/* The number of a cached frame; NULL: 0. */
static inline uint32_t
mmi_frames_number(const struct mmi_thread *t, const struct mmi_frame *s)
{
	return s ? (uint32_t)(s - t->frames) : 0;
}

/*
 * Makes t->last the call path of s.  Cost: that of the new frames.  ctx: hook.
 */
void mmi_frames_last(struct mmi_thread *t, const struct mmi_frame *s);

/*
 * A call path has `depth' frames: cached frame i and its callers, or n keys and
 * these.  Notes the depth, less the monitor's own frames, if it is the deepest.
 * ctx: slow.
 */
void mmi_frames_deepest(struct mmi_thread *t, uint32_t i, unsigned depth,
			const uint64_t *keys, unsigned n);

/* The number of the cached frame in t->last; 0: it isn't cached. */
static inline uint32_t
mmi_frames_last_number(const struct mmi_last *l)
{
	return l->is & MMI_LAST_FRAMES;
}

/* The part of l->is that stores the generation of a frame's key. */
static inline uint32_t
mmi_frames_last_gen(uint64_t key)
{
	return (uint32_t)(key >> MMI_KEY_SHIFT) << MMI_LAST_GEN;
}

/* The key of frame k of t->last, from 1. */
static inline uint64_t
mmi_frames_last_key(const struct mmi_thread *t, unsigned k)
{
	const struct mmi_last *l = &t->last[k];

	return l->pc | (uint64_t)(l->is >> MMI_LAST_GEN & 0xff)
			       << MMI_KEY_SHIFT;
}

/* The node of frame k of t->last, or 0. */
static inline uint32_t
mmi_frames_last_node(const struct mmi_thread *t, unsigned k)
{
	uint32_t i = mmi_frames_last_number(&t->last[k]);

	return i ? t->frames[i].node : t->last[k].node;
}

/*
 * How many of the frames in t->last, from the outermost on, are still on the
 * stack?  Frames below sp aren't checked.  Cost: four instructions a frame.
 * ctx: hook.
 */
unsigned mmi_frames_valid(struct mmi_thread *t, uintptr_t sp);

/*
 * The words that a cached frame depends on are in a row in t->paths once it was
 * found again: its own words, then its caller's or a link to the caller's row.
 * Row 0 never holds.
 */
#define MMI_FRAMES_PATHS 32768u

/*
 * A row ends with a word that never holds: it is mmi_frames_end, and its value
 * is the address of the row that continues it, or 0.
 */
extern HIDDEN const uintptr_t mmi_frames_end;

/*
 * Do all words of the row of s hold?  Cost: four instructions a word.  ctx:
 * hook.
 */
static inline __attribute__((always_inline)) bool
mmi_frames_holds(const struct mmi_thread *t, const struct mmi_frame *s)
{
	const struct mmi_check *c = &t->paths[s->path];

	for (;; c = (const struct mmi_check *)c->value) {
		for (; LIKELY(*c->at == c->value); c += 4) {
			if (UNLIKELY(*c[1].at != c[1].value)) {
				c++;
				break;
			}
			if (UNLIKELY(*c[2].at != c[2].value)) {
				c += 2;
				break;
			}
			if (UNLIKELY(*c[3].at != c[3].value)) {
				c += 3;
				break;
			}
		}
		if (UNLIKELY(c->at != &mmi_frames_end))
			return false;
		if (LIKELY(!c->value))
			return true;
	}
}

/*
 * Makes the row of s, and the rows of its callers, if there is room.  Only for
 * frames that were found again.  ctx: hook.
 */
void mmi_frames_path(struct mmi_thread *t, struct mmi_frame *s);

/*
 * The place of the numbers of cached frames that last began call paths with pc
 * and sp, newest first; 0: none; some may have another pc and sp.
 */
static inline uint32_t *
mmi_frames_recent(struct mmi_thread *t, uintptr_t pc, uintptr_t sp)
{
	uint64_t h = (pc ^ sp << 7) * 0x9e3779b97f4a7c15ull;

	return t->recent[h >> 54];
}

_Static_assert(MMI_RECENT_HASH == 1024, "10 bits of hash");

/*
 * init: no cached frames, in memory that is all 0.  clear: forgets all.  ctx:
 * hook, fork.
 */
void mmi_frames_init(struct mmi_thread *t);
void mmi_frames_clear(struct mmi_thread *t);

/*
 * The cached frame of the innermost of the n frames in t->fresh.  They are
 * below `parent'; if that is NULL, they are outermost and why is set.  Makes
 * those that aren't cached yet; there is room, and n isn't 0.  ctx: hook.
 */
struct mmi_frame *mmi_frames_add(struct mmi_thread *t,
				 const struct mmi_frame *parent, unsigned n,
				 unsigned why);

/*
 * Frames for nodes that were found without the stack.  Returns the place for pc
 * `what' and sp `of' (not 0); if the place has other values, it must be filled
 * in.  ctx: hook.
 */
struct mmi_frame *mmi_frames_made(struct mmi_thread *t, uint64_t state,
				  uint64_t what, uint64_t of);

#endif
