/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Find cycles on call paths.  The tree of frames is walked, and the elements of
 * the path to the present frame are known.  If the frame's function is on the
 * path already, the elements from its first frame on become one element, which
 * begins where the first of them begins.  Elements are ordered by depth, so a
 * binary search finds an element: that is the cost for each frame.
 */
#include "reduce/callgraph/callgraph.h"
#include "reduce/callgraph/frames_walk.h"

#include <stdlib.h>

struct elements_frame {
	uint32_t was;	      /* the element's earlier value in `begin' */
	uint32_t n;	      /* elements from the start of the path */
};

struct elements {
	struct profile *p;
	struct walk walk;
	struct elements_frame *frames;
	uint32_t *begin;    /* first frame of each element on the way */
	const struct frame **on; /* of each whole function: its first frame
				  * on the way, or NULL */
};

static void
elements_init(struct elements *e)
{
	const struct profile_priv *priv = e->p->priv;
	size_t i, whole = 0;

	for (i = 0; i < priv->all_funcs; i++)
		if (whole < priv->funcs[i].whole)
			whole = priv->funcs[i].whole;
	walk_init(&e->walk, e->p, priv->all_frames);
	e->frames = heap_array(priv->all_frames + 1, sizeof(*e->frames));
	e->begin = heap_array(e->walk.deepest + 1, sizeof(*e->begin));
	e->on = heap_array(whole + 1, sizeof(*e->on));
}

/* A number for a function; the sum of these tells sets of functions apart. */
static uint64_t
elements_mark(uint64_t whole)
{
	uint64_t h = (whole + 1) * UINT64_C(0x9e3779b97f4a7c15);

	h = (h ^ h >> 31) * UINT64_C(0xbf58476d1ce4e5b9);
	return h ^ h >> 29;
}

/* The last of n elements that begins at this depth or above. */
static uint32_t
elements_at(const struct elements *e, uint32_t n, unsigned depth)
{
	uint32_t low = 0;

	while (n - low > 1) {
		uint32_t mid = low + (n - low) / 2;

		if (e->p->priv->frames[e->begin[mid]].depth <= depth)
			low = mid;
		else
			n = mid;
	}
	return low;
}

static void
elements_enter(void *arg, uint32_t i)
{
	struct elements *e = arg;
	struct frame *frames = e->p->priv->frames, *f = &frames[i];
	const struct frame *parent = f->parent;
	const struct frame **on = &e->on[f->func->whole];
	uint32_t n = parent ? e->frames[stages_frame(e->p, parent)].n : 0;

	f->nfuncs = parent ? parent->nfuncs : 0;
	f->funcs = parent ? parent->funcs : 0;
	if (*on) {
		n = elements_at(e, n, (*on)->depth);
		f->entry = &frames[e->begin[n]];
	} else {
		*on = f;
		f->nfuncs++;
		f->funcs += elements_mark(f->func->whole);
		e->frames[i].was = e->begin[n];
		e->begin[n] = i;
	}
	e->frames[i].n = n + 1;
}

static void
elements_leave(void *arg, uint32_t i)
{
	struct elements *e = arg;
	const struct frame *f = &e->p->priv->frames[i];

	if (f->entry)
		return;
	e->on[f->func->whole] = NULL;
	e->begin[e->frames[i].n - 1] = e->frames[i].was;
}

void
elements_find(struct profile *p)
{
	struct elements e = { .p = p };

	elements_init(&e);
	walk_frames(&e.walk, elements_enter, elements_leave, &e);
	walk_fini(&e.walk);
	free(e.frames);
	free(e.begin);
	free(e.on);
}
