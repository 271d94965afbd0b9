/* SPDX-License-Identifier: MIT */
/* Cached frames: made, compared, forgotten. */
#include "monitor/chain/cached_frames.h"

#include <string.h>

const uintptr_t mmi_frames_end;
static const uintptr_t nowhere;

void
mmi_frames_init(struct mmi_thread *t)
{
	t->paths[0].at = &nowhere;
	t->paths[0].value = 1;
	t->npaths = t->nframes = 1;
	t->last_frame = 0;
	t->frames[0].follow[0] = t->frames[0].follow[1] = 0;
}

COLD void
mmi_frames_clear(struct mmi_thread *t)
{
	/* Some had none since the last time. */
	if (t->nframes > 1)
		memset(t->frame_hash, 0, sizeof(t->frame_hash));
	mmi_frames_init(t);
}

uintptr_t
mmi_frames_differ_odd(struct mmi_thread *t, const struct mmi_frame *s)
{
	const struct mmi_frame *p;
	const struct mmi_odd *o;

	for (; (p = s->parent); s = p) {
		if (UNLIKELY(*(uintptr_t *)(p->sp - 8) !=
			     (s->ret & ~MMI_FRAMES_ODD)))
			return p->sp;
		if (!(s->ret & MMI_FRAMES_ODD))
			continue;
		o = mmi_frames_odd(t, s);
		if (o->bp_slot &&
		    *(uintptr_t *)o->bp_slot != mmi_frames_odd(t, p)->bp)
			return p->sp;
		if (o->cfa_slot && *(uintptr_t *)o->cfa_slot != p->sp)
			return p->sp;
	}
	return 0;
}

static void
path_add(struct mmi_thread *t, uintptr_t at, uintptr_t value)
{
	t->paths[t->npaths].at = (const uintptr_t *)at;
	t->paths[t->npaths++].value = value;
}

void
mmi_frames_path(struct mmi_thread *t, struct mmi_frame *s)
{
	const struct mmi_frame *from = s, *p;
	const struct mmi_odd *o;

	if (s->path)
		return;
	/* Not for those that are met once only. */
	if (!s->node ||
	    t->npaths + 3 * mmi_frames_odd(t, s)->depth > MMI_FRAMES_PATHS)
		return;
	s->path = t->npaths;
	for (; (p = from->parent); from = p) {
		path_add(t, p->sp - 8, from->ret & ~MMI_FRAMES_ODD);
		if (!(from->ret & MMI_FRAMES_ODD))
			continue;
		o = mmi_frames_odd(t, from);
		if (o->bp_slot)
			path_add(t, o->bp_slot, mmi_frames_odd(t, p)->bp);
		if (o->cfa_slot)
			path_add(t, o->cfa_slot, p->sp);
	}
	path_add(t, (uintptr_t)&mmi_frames_end, 1);
}

static inline uint32_t *
bucket_of(struct mmi_thread *t, uintptr_t pc, uintptr_t sp, uint32_t parent)
{
	uint64_t h =
		(pc ^ sp << 7 ^ (uint64_t)parent << 40) * 0x9e3779b97f4a7c15ull;

	return &t->frame_hash[h >> 50];
}

_Static_assert(MMI_FRAME_HASH == 16384, "14 bits of hash");

/* The cached frame of a fresh frame below parent, or NULL. */
static struct mmi_frame *
spot_find(struct mmi_thread *t, const struct mmi_fresh *f,
	  const struct mmi_frame *parent, unsigned why, uint32_t i)
{
	uintptr_t pc = MMI_KEY_ADDR(f->key);
	struct mmi_frame *s;

	for (; i; i = t->odds[i].next) {
		s = &t->frames[i];
		if (s->pc == pc && s->sp == f->sp && s->parent == parent &&
		    s->why == why &&
		    (!s->need_bp || mmi_frames_odd(t, s)->bp == f->bp))
			return s;
	}
	return NULL;
}

static struct mmi_frame *
spot_make(struct mmi_thread *t, const struct mmi_fresh *f,
	  struct mmi_frame *parent, unsigned why)
{
	struct mmi_frame *s = &t->frames[t->nframes];
	struct mmi_odd *o = &t->odds[t->nframes++];
	bool need = parent && parent->need_bp;

	s->pc = MMI_KEY_ADDR(f->key);
	s->sp = f->sp;
	s->ret = parent ? parent->pc : 0;
	s->parent = parent;
	s->size_plus = s->path = s->follow[0] = s->follow[1] = 0;
	s->node = 0;
	s->why = (uint8_t)why;
	o->depth = parent ? mmi_frames_odd(t, parent)->depth + 1 : 1;
	o->key = f->key;
	s->need_bp = parent && (f->uses_bp || (need && !f->bp_slot));
	o->bp = f->bp;
	o->bp_slot = need ? f->bp_slot : 0;
	o->cfa_slot = parent ? f->cfa_slot : 0;
	if (o->bp_slot || o->cfa_slot)
		s->ret |= MMI_FRAMES_ODD;
	return s;
}

struct mmi_frame *
mmi_frames_add(struct mmi_thread *t, struct mmi_frame *parent, unsigned n,
	       unsigned why)
{
	struct mmi_frame *s;
	uint32_t *bucket, depth;

	for (unsigned i = n; i-- > 0; parent = s) {
		const struct mmi_fresh *f = &t->fresh[i];

		bucket = bucket_of(t, MMI_KEY_ADDR(f->key), f->sp,
				   parent ? (uint32_t)(parent - t->frames) : 0);
		s = spot_find(t, f, parent, why, *bucket);
		if (s)
			continue;
		s = spot_make(t, f, parent, why);
		mmi_frames_odd(t, s)->next = *bucket;
		*bucket = (uint32_t)(s - t->frames);
	}
	depth = mmi_frames_odd(t, parent)->depth;
	if (depth > t->pub->count.deepest)
		t->pub->count.deepest = depth;
	return parent;
}
