/* SPDX-License-Identifier: MIT */
/* Spots: made, compared, forgotten. */
#include "monitor/chain/cached_frames.h"

#include <string.h>

const uintptr_t mmi_spots_end;
static const uintptr_t nowhere;

void
mmi_spots_init(struct mmi_thread *t)
{
	t->paths[0].at = &nowhere;
	t->paths[0].value = 1;
	t->npaths = t->nspots = 1;
	t->last_spot = 0;
	t->spots[0].follow[0] = t->spots[0].follow[1] = 0;
}

COLD void
mmi_spots_clear(struct mmi_thread *t)
{
	/* Some had none since the last time. */
	if (t->nspots > 1)
		memset(t->spot_hash, 0, sizeof(t->spot_hash));
	mmi_spots_init(t);
}

uintptr_t
mmi_spots_differ_odd(struct mmi_thread *t, const struct mmi_spot *s)
{
	const struct mmi_spot *p;
	const struct mmi_odd *o;

	for (; (p = s->parent); s = p) {
		if (UNLIKELY(*(uintptr_t *)(p->sp - 8) !=
			     (s->ret & ~MMI_SPOTS_ODD)))
			return p->sp;
		if (!(s->ret & MMI_SPOTS_ODD))
			continue;
		o = mmi_spots_odd(t, s);
		if (o->bp_slot &&
		    *(uintptr_t *)o->bp_slot != mmi_spots_odd(t, p)->bp)
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
mmi_spots_path(struct mmi_thread *t, struct mmi_spot *s)
{
	const struct mmi_spot *from = s, *p;
	const struct mmi_odd *o;

	if (s->path)
		return;
	/* Not for those that are met once only. */
	if (!s->node ||
	    t->npaths + 3 * mmi_spots_odd(t, s)->depth > MMI_SPOTS_PATHS)
		return;
	s->path = t->npaths;
	for (; (p = from->parent); from = p) {
		path_add(t, p->sp - 8, from->ret & ~MMI_SPOTS_ODD);
		if (!(from->ret & MMI_SPOTS_ODD))
			continue;
		o = mmi_spots_odd(t, from);
		if (o->bp_slot)
			path_add(t, o->bp_slot, mmi_spots_odd(t, p)->bp);
		if (o->cfa_slot)
			path_add(t, o->cfa_slot, p->sp);
	}
	path_add(t, (uintptr_t)&mmi_spots_end, 1);
}

static inline uint32_t *
bucket_of(struct mmi_thread *t, uintptr_t pc, uintptr_t sp, uint32_t parent)
{
	uint64_t h =
		(pc ^ sp << 7 ^ (uint64_t)parent << 40) * 0x9e3779b97f4a7c15ull;

	return &t->spot_hash[h >> 50];
}

_Static_assert(MMI_SPOT_HASH == 16384, "14 bits of hash");

/* The spot of a fresh frame below parent, or NULL. */
static struct mmi_spot *
spot_find(struct mmi_thread *t, const struct mmi_fresh *f,
	  const struct mmi_spot *parent, unsigned why, uint32_t i)
{
	uintptr_t pc = MMI_KEY_ADDR(f->key);
	struct mmi_spot *s;

	for (; i; i = t->odds[i].next) {
		s = &t->spots[i];
		if (s->pc == pc && s->sp == f->sp && s->parent == parent &&
		    s->why == why &&
		    (!s->need_bp || mmi_spots_odd(t, s)->bp == f->bp))
			return s;
	}
	return NULL;
}

static struct mmi_spot *
spot_make(struct mmi_thread *t, const struct mmi_fresh *f,
	  struct mmi_spot *parent, unsigned why)
{
	struct mmi_spot *s = &t->spots[t->nspots];
	struct mmi_odd *o = &t->odds[t->nspots++];
	bool need = parent && parent->need_bp;

	s->pc = MMI_KEY_ADDR(f->key);
	s->sp = f->sp;
	s->ret = parent ? parent->pc : 0;
	s->parent = parent;
	s->size_plus = s->path = s->follow[0] = s->follow[1] = 0;
	s->node = 0;
	s->why = (uint8_t)why;
	o->depth = parent ? mmi_spots_odd(t, parent)->depth + 1 : 1;
	o->key = f->key;
	s->need_bp = parent && (f->uses_bp || (need && !f->bp_slot));
	o->bp = f->bp;
	o->bp_slot = need ? f->bp_slot : 0;
	o->cfa_slot = parent ? f->cfa_slot : 0;
	if (o->bp_slot || o->cfa_slot)
		s->ret |= MMI_SPOTS_ODD;
	return s;
}

struct mmi_spot *
mmi_spots_add(struct mmi_thread *t, struct mmi_spot *parent, unsigned n,
	      unsigned why)
{
	struct mmi_spot *s;
	uint32_t *bucket, depth;

	for (unsigned i = n; i-- > 0; parent = s) {
		const struct mmi_fresh *f = &t->fresh[i];

		bucket = bucket_of(t, MMI_KEY_ADDR(f->key), f->sp,
				   parent ? (uint32_t)(parent - t->spots) : 0);
		s = spot_find(t, f, parent, why, *bucket);
		if (s)
			continue;
		s = spot_make(t, f, parent, why);
		mmi_spots_odd(t, s)->next = *bucket;
		*bucket = (uint32_t)(s - t->spots);
	}
	depth = mmi_spots_odd(t, parent)->depth;
	if (depth > t->pub->count.deepest)
		t->pub->count.deepest = depth;
	return parent;
}
