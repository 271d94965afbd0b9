/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tree of frames: the callees of each frame. */
#include "reduce/callgraph/frames_walk.h"

#include <stdlib.h>

void
walk_init(struct walk *w, const struct profile *p, size_t n)
{
	size_t i;
	const struct frame *f;
	uint32_t *to;

	*w = (struct walk){ .p = p, .first = STAGES_NONE };
	w->child = heap_new((n + 1) * sizeof(*w->child));
	w->sibling = heap_new((n + 1) * sizeof(*w->sibling));
	for (i = 0; i < n; i++)
		w->child[i] = STAGES_NONE;
	for (i = n; i-- > 0;) {
		f = &p->priv->frames[i];
		to = f->parent ? &w->child[stages_frame(p, f->parent)]
			       : &w->first;
		w->sibling[i] = *to;
		*to = (uint32_t)i;
		if (f->depth > w->deepest)
			w->deepest = f->depth;
	}
}

void
walk_fini(struct walk *w)
{
	free(w->child);
	free(w->sibling);
}
