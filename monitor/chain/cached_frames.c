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
	t->last_frame = t->nlast = 0;
	t->frames[0].follow[0] = t->frames[0].follow[1] = 0;
}

void
mmi_frames_last(struct mmi_thread *t, const struct mmi_frame *s)
{
	struct mmi_last *l;
	unsigned n = t->nlast;
	uint32_t i = mmi_frames_number(t, s);

	for (t->nlast = s->depth; i; i = s->parent) {
		s = &t->frames[i];
		l = &t->last[s->depth];
		/* All outside of it is the same, too. */
		if (s->depth <= n && l->frame == i)
			break;
		l->sp = s->sp;
		l->pc = s->pc;
		l->frame = i;
		l->need_bp = s->need_bp;
		l->odd = s->odd;
	}
}

bool
mmi_frames_odd_holds(struct mmi_thread *t, unsigned depth)
{
	const struct mmi_last *l = &t->last[depth], *outer = l - 1;
	const struct mmi_odd *o = &t->odds[l->frame];

	return (!o->bp_slot ||
		*(uintptr_t *)o->bp_slot == t->odds[outer->frame].bp) &&
	       (!o->cfa_slot || *(uintptr_t *)o->cfa_slot == outer->sp);
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
	unsigned left = t->depth;

	if (s->path)
		return;
	/* Not for those that are met once only. */
	if (!s->node || t->npaths + 3 * s->depth > MMI_FRAMES_PATHS)
		return;
	s->path = t->npaths;
	/* What of the chain is kept hangs on these alone. */
	for (; --left && (p = mmi_frames_at(t, from->parent)); from = p) {
		path_add(t, p->sp - 8, p->pc);
		if (!from->odd)
			continue;
		o = &t->odds[from - t->frames];
		if (o->bp_slot)
			path_add(t, o->bp_slot, t->odds[p - t->frames].bp);
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

COLD void
mmi_frames_clear(struct mmi_thread *t)
{
	const struct mmi_frame *s = t->frames + 1,
			       *end = t->frames + t->nframes;

	/* What few frames have is little of the hash; or it may be torn. */
	if (t->nframes < MMI_FRAME_HASH / 64 && !t->busy)
		for (; s < end; s++)
			*bucket_of(t, s->pc, s->sp, s->parent) = 0;
	else
		memset(t->frame_hash, 0, sizeof(t->frame_hash));
	mmi_frames_init(t);
}

/* The number of the cached frame of a fresh frame below parent, or 0. */
static uint32_t
frame_find(const struct mmi_thread *t, const struct mmi_fresh *f,
	   uint32_t parent, unsigned why, uint32_t i)
{
	uintptr_t pc = MMI_KEY_ADDR(f->key);
	const struct mmi_frame *s;

	for (; i; i = s->next) {
		s = &t->frames[i];
		if (s->pc == pc && s->sp == f->sp && s->parent == parent &&
		    s->why == why && (!s->need_bp || t->odds[i].bp == f->bp))
			return i;
	}
	return 0;
}

static uint32_t
frame_make(struct mmi_thread *t, const struct mmi_fresh *f, uint32_t parent,
	   unsigned why)
{
	const struct mmi_frame *p = &t->frames[parent];
	uint32_t i = t->nframes++;
	struct mmi_frame *s = &t->frames[i];
	struct mmi_odd *o = &t->odds[i];
	bool need = parent && p->need_bp;

	s->pc = MMI_KEY_ADDR(f->key);
	s->sp = f->sp;
	s->key = f->key;
	s->parent = parent;
	s->size_plus = s->path = s->follow[0] = s->follow[1] = 0;
	s->node = 0;
	s->why = why;
	s->depth = parent ? p->depth + 1 : 1;
	s->need_bp = parent && (f->uses_bp || (need && !f->bp_slot));
	s->odd = parent && ((need && f->bp_slot) || f->cfa_slot);
	if (UNLIKELY(s->need_bp || s->odd)) {
		o->bp = f->bp;
		o->bp_slot = need ? f->bp_slot : 0;
		o->cfa_slot = f->cfa_slot;
	}
	return i;
}

struct mmi_frame *
mmi_frames_add(struct mmi_thread *t, const struct mmi_frame *parent, unsigned n,
	       unsigned why)
{
	uint32_t *bucket, p = mmi_frames_number(t, parent), i;
	struct mmi_frame *s;

	while (n-- > 0) {
		const struct mmi_fresh *f = &t->fresh[n];

		bucket = bucket_of(t, MMI_KEY_ADDR(f->key), f->sp, p);
		i = frame_find(t, f, p, why, *bucket);
		if (!i) {
			i = frame_make(t, f, p, why);
			t->frames[i].next = *bucket;
			*bucket = i;
		}
		p = i;
	}
	s = &t->frames[p];
	i = s->depth < t->depth ? s->depth : t->depth;
	if (i > t->pub->count.deepest)
		t->pub->count.deepest = i;
	return s;
}
