/* SPDX-License-Identifier: MIT */
/*
 * Spots: the frames that a thread has walked over on its own stack, with the
 * words of the stack that led from each to its caller.  A frame with the program
 * counter, stack pointer and return address of a spot, all of whose words out to
 * the last are still what they were, has the spot's chain.
 *
 * The words lie above the frame on the same stack, so they can be read.  Only
 * while mmi_modules_state is t->state.
 */
#ifndef MEMMON_SPOTS_H
#define MEMMON_SPOTS_H

#include "monitor/internal.h"

/* Spots of one place that are tried before the frame counts as new. */
#define MMI_SPOTS_TRIES 8u

/* In .ret: the spot is odd, more than ret leads to its parent. */
#define MMI_SPOTS_ODD (1ull << 63)

static inline uint32_t *
mmi_spots_bucket(struct mmi_thread *t, uintptr_t pc, uintptr_t sp,
		 uintptr_t ret)
{
	uint64_t h = (pc ^ sp << 7 ^ ret << 17) * 0x9e3779b97f4a7c15ull;

	return &t->spot_hash[h >> 54];
}

_Static_assert(MMI_SPOT_HASH == 1024, "ten bits of hash");

/* What there is of s besides: only of those with need_bp, and odd ones. */
static inline struct mmi_odd *
mmi_spots_odd(struct mmi_thread *t, const struct mmi_spot *s)
{
	return &t->odds[s - t->spots];
}

/* As mmi_spots_differ(), from an odd spot on. */
uintptr_t mmi_spots_differ_odd(struct mmi_thread *t, const struct mmi_spot *s);

/*
 * Does the stack still lead from s outwards as it did?  0, or the stack pointer
 * of the first frame to which it doesn't.
 */
static inline uintptr_t
mmi_spots_differ(struct mmi_thread *t, const struct mmi_spot *s)
{
	const struct mmi_spot *p;

	for (; LIKELY(p = s->parent); s = p)
		if (UNLIKELY(*(uintptr_t *)(p->sp - 8) != s->ret))
			return s->ret & MMI_SPOTS_ODD
				       ? mmi_spots_differ_odd(t, s)
				       : p->sp;
	return 0;
}

/*
 * The spot that holds for a frame with pc, sp and bp that returns to ret (0:
 * an outermost one), or NULL, then *skip is at least the stack pointer below
 * which none of those holds that were tried.  Cost: about a ns for each frame
 * outwards.  ctx: hook.
 */
static inline struct mmi_spot *
mmi_spots_find(struct mmi_thread *t, uintptr_t pc, uintptr_t sp, uintptr_t bp,
	       uintptr_t ret, uintptr_t *skip)
{
	uint32_t *bucket = mmi_spots_bucket(t, pc, sp, ret), *from = bucket, i;
	struct mmi_spot *s;
	unsigned tries = 0;
	uintptr_t at;

	for (; LIKELY(i = *from); from = &s->next) {
		s = &t->spots[i];
		if (UNLIKELY(s->sp != sp || s->pc != pc ||
			     (s->ret ^ ret) << 1 ||
			     (s->need_bp && mmi_spots_odd(t, s)->bp != bp)))
			continue;
		at = mmi_spots_differ(t, s);
		if (LIKELY(!at)) {
			/* The next is likely to be the same. */
			if (from != bucket) {
				*from = s->next;
				s->next = *bucket;
				*bucket = i;
			}
			return s;
		}
		if (at > *skip)
			*skip = at;
		if (++tries == MMI_SPOTS_TRIES)
			break;
	}
	return NULL;
}

/*
 * The words that a spot depends on stand in a row in t->paths, once it was met
 * again; the row ends with one that never holds, at mmi_spots_end.  Row 0 never
 * holds.
 */
extern const uintptr_t mmi_spots_end;
#define MMI_SPOTS_PATHS 16384u

static inline bool
mmi_spots_holds(const struct mmi_thread *t, const struct mmi_spot *s)
{
	const struct mmi_check *c = &t->paths[s->path];

	while (LIKELY(*c->at == c->value))
		c++;
	return c->at == &mmi_spots_end;
}

/* Make the row of s, if there is room.  ctx: hook. */
void mmi_spots_path(struct mmi_thread *t, struct mmi_spot *s);

/* Forget all.  ctx: hook, fork. */
void mmi_spots_clear(struct mmi_thread *t);

/*
 * Make spots of the n frames in t->fresh below `parent', or outermost ones when
 * it is NULL and why is set.  There is room, and n isn't 0.  Returns the
 * innermost.  ctx: hook.
 */
struct mmi_spot *mmi_spots_add(struct mmi_thread *t, struct mmi_spot *parent,
			       unsigned n, unsigned why);

#endif
