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

/* In .ret: the cached frame is odd, more than ret leads to its parent. */
#define MMI_FRAMES_ODD (1ull << 63)

/* What there is of s besides: only of those with need_bp, and odd ones. */
static inline struct mmi_odd *
mmi_frames_odd(struct mmi_thread *t, const struct mmi_frame *s)
{
	return &t->odds[s - t->frames];
}

/* As mmi_frames_differ(), from an odd cached frame on. */
uintptr_t mmi_frames_differ_odd(struct mmi_thread *t,
				const struct mmi_frame *s);

/*
 * Does the stack still lead from s outwards as it did?  0, or the stack pointer
 * of the first frame to which it doesn't.
 */
static inline uintptr_t
mmi_frames_differ(struct mmi_thread *t, const struct mmi_frame *s)
{
	const struct mmi_frame *p;

	for (; LIKELY(p = s->parent); s = p)
		if (UNLIKELY(*(uintptr_t *)(p->sp - 8) != s->ret))
			return s->ret & MMI_FRAMES_ODD
				       ? mmi_frames_differ_odd(t, s)
				       : p->sp;
	return 0;
}

/*
 * The words that a cached frame depends on stand in a row in t->paths, once it
 * was met again; the row ends with one that never holds, at mmi_frames_end.
 * Row 0 never holds.
 */
extern const uintptr_t mmi_frames_end;
#define MMI_FRAMES_PATHS 16384u

static inline bool
mmi_frames_holds(const struct mmi_thread *t, const struct mmi_frame *s)
{
	const struct mmi_check *c = &t->paths[s->path];

	while (LIKELY(*c->at == c->value))
		c++;
	return c->at == &mmi_frames_end;
}

/* Make the row of s, if there is room.  ctx: hook. */
void mmi_frames_path(struct mmi_thread *t, struct mmi_frame *s);

/* There are none, in memory that is all 0.  Or forget all.  ctx: hook, fork. */
void mmi_frames_init(struct mmi_thread *t);
void mmi_frames_clear(struct mmi_thread *t);

/*
 * The cached frame of the innermost of the n frames in t->fresh, which are
 * below `parent', or the outermost ones when it is NULL and why is set.  Those
 * that aren't there are made; there is room, and n isn't 0.  ctx: hook.
 */
struct mmi_frame *mmi_frames_add(struct mmi_thread *t, struct mmi_frame *parent,
				 unsigned n, unsigned why);

#endif
