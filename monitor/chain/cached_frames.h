/* SPDX-License-Identifier: MIT */
/*
 * Cached frames: those that a thread has walked over on its own stack, each
 * below its caller's, with the words of the stack that led from one to the
 * other.  If a frame has the program counter and stack pointer of a cached
 * frame, and all the words from there outwards are still what they were, it has
 * that one's chain.
 *
 * The words lie above the frame on the same stack, so they can be read.  Only
 * while mmi_modules_state is t->state.
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

/* Its number; NULL: 0. */
static inline uint32_t
mmi_frames_number(const struct mmi_thread *t, const struct mmi_frame *s)
{
	return s ? (uint32_t)(s - t->frames) : 0;
}

/* t->last becomes the chain of s.  Cost: of what it hadn't yet.  ctx: hook. */
void mmi_frames_last(struct mmi_thread *t, const struct mmi_frame *s);

/*
 * A chain has `depth' frames, of cached frame i and its callers, or of n keys
 * and these: it may be the deepest, but for those that are in no chain.  ctx:
 * slow.
 */
void mmi_frames_deepest(struct mmi_thread *t, uint32_t i, unsigned depth,
			const uint64_t *keys, unsigned n);

/* The number of the cached frame in t->last; 0: it isn't one. */
static inline uint32_t
mmi_frames_last_number(const struct mmi_last *l)
{
	return l->is & MMI_LAST_FRAMES;
}

/* What l->is has for the key of a frame. */
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

/* The node of the same, or 0. */
static inline uint32_t
mmi_frames_last_node(const struct mmi_thread *t, unsigned k)
{
	uint32_t i = mmi_frames_last_number(&t->last[k]);

	return i ? t->frames[i].node : t->last[k].node;
}

/*
 * To how many of the frames in t->last, from the outermost, does the stack
 * still lead?  Those below sp aren't looked at.  Cost: four instructions a
 * frame.  ctx: hook.
 */
unsigned mmi_frames_valid(struct mmi_thread *t, uintptr_t sp);

/*
 * The words that a cached frame depends on stand in a row in t->paths, once it
 * was met again: its own and then its caller's row, or a link to that.  Row 0
 * never holds.
 */
#define MMI_FRAMES_PATHS 32768u

/*
 * A row ends with a word that never holds: it is mmi_frames_end, and its value
 * is the address of the row that continues it, or 0.
 */
extern HIDDEN const uintptr_t mmi_frames_end;

/* Cost: four instructions a word.  ctx: hook. */
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
 * Make the row of s, if there is room, and with it those of its callers.  Not
 * for a frame that is met once only.  ctx: hook.
 */
void mmi_frames_path(struct mmi_thread *t, struct mmi_frame *s);

/*
 * Where the numbers of the cached frames are kept that chains began with which
 * began at pc and sp, newest first; or 0; or some of another pc and sp.
 */
static inline uint32_t *
mmi_frames_recent(struct mmi_thread *t, uintptr_t pc, uintptr_t sp)
{
	uint64_t h = (pc ^ sp << 7) * 0x9e3779b97f4a7c15ull;

	return t->recent[h >> 54];
}

_Static_assert(MMI_RECENT_HASH == 1024, "10 bits of hash");

/* There are none, in memory that is all 0.  Or forget all.  ctx: hook, fork. */
void mmi_frames_init(struct mmi_thread *t);
void mmi_frames_clear(struct mmi_thread *t);

/*
 * The cached frame of the innermost of the n frames in t->fresh, which are
 * below `parent', or the outermost ones when it is NULL and why is set.  Those
 * that aren't there are made; there is room, and n isn't 0.  ctx: hook.
 */
struct mmi_frame *mmi_frames_add(struct mmi_thread *t,
				 const struct mmi_frame *parent, unsigned n,
				 unsigned why);

/*
 * Frames that aren't the stack's, made for a node that was found otherwise: the
 * place of one, whose pc is `what' and whose sp is `of', not 0, or it isn't
 * that one. ctx: hook.
 */
struct mmi_frame *mmi_frames_made(struct mmi_thread *t, uint64_t state,
				  uint64_t what, uint64_t of);

#endif
