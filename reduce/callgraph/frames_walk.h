/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tree of frames, walked depth first: callers before their callees. */
#ifndef MEMMON_REDUCE_FRAMES_WALK_H
#define MEMMON_REDUCE_FRAMES_WALK_H

#include "reduce/model/stages.h"

/*
 * walk_init() sets it up for the first n frames; call walk_fini() in any case.
 */
struct walk {
	const struct profile *p;
	/*
	 * child[], sibling[]: of each frame its first callee, and the next
	 * callee of its caller.  first: the first frame without a caller.
	 * STAGES_NONE if there is none.
	 */
	uint32_t *child, *sibling, first;
	size_t deepest; /* largest depth of a frame */
};

/* p must have its frames. */
void walk_init(struct walk *w, const struct profile *p, size_t n);
void walk_fini(struct walk *w);

/*
 * Call enter() for each frame, by number, and leave() after all frames below
 * it.  This function and both callbacks are inlined.
 */
static inline __attribute__((always_inline)) void
walk_frames(const struct walk *w, void (*enter)(void *arg, uint32_t i),
	    void (*leave)(void *arg, uint32_t i), void *arg)
{
	const struct frame *parent;
	uint32_t i = w->first;

	while (i != STAGES_NONE) {
		enter(arg, i);
		if (w->child[i] != STAGES_NONE) {
			i = w->child[i];
			continue;
		}
		for (;;) {
			leave(arg, i);
			parent = w->p->priv->frames[i].parent;
			if (w->sibling[i] != STAGES_NONE || !parent)
				break;
			i = stages_frame(w->p, parent);
		}
		i = w->sibling[i];
	}
}

#endif
