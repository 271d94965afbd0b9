/* SPDX-License-Identifier: MIT */
/* Spots: made, compared, forgotten. */
#include "monitor/spots.h"

#include <string.h>

const uintptr_t mmi_spots_end;
static const uintptr_t nowhere;

COLD void
mmi_spots_clear(struct mmi_thread *t)
{
	t->paths[0].at = &nowhere;
	t->paths[0].value = 1;
	t->npaths = 1;
	memset(t->spot_hash, 0, sizeof(t->spot_hash));
	t->nspots = 1;
	t->last_spot = t->spots[0].follow = 0;
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

	if (s->path || t->npaths + 3 * s->depth > MMI_SPOTS_PATHS)
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

struct mmi_spot *
mmi_spots_add(struct mmi_thread *t, struct mmi_spot *parent, unsigned n,
	      unsigned why)
{
	uint32_t *bucket;
	struct mmi_spot *s;

	for (unsigned i = n; i-- > 0; parent = s) {
		const struct mmi_fresh *f = &t->fresh[i];
		bool need = parent && parent->need_bp;
		struct mmi_odd *o = &t->odds[t->nspots];

		s = &t->spots[t->nspots];
		s->pc = MMI_KEY_ADDR(f->key);
		s->sp = f->sp;
		s->ret = parent ? parent->pc : 0;
		s->parent = parent;
		s->size_plus = s->follow = s->path = 0;
		s->node = 0;
		s->depth = (parent ? parent->depth + 1 : 1) & 0xfffff;
		s->gen = MMI_KEY_GEN(f->key) & 0xff;
		s->why = why & 3;
		s->need_bp = parent && (f->uses_bp || (need && !f->bp_slot));
		o->bp = f->bp;
		o->bp_slot = need ? f->bp_slot : 0;
		o->cfa_slot = parent ? f->cfa_slot : 0;
		bucket = mmi_spots_bucket(t, s->pc, s->sp, s->ret);
		if (o->bp_slot || o->cfa_slot)
			s->ret |= MMI_SPOTS_ODD;
		s->next = *bucket;
		*bucket = t->nspots++;
	}
	if (parent->depth > t->count.deepest)
		t->count.deepest = parent->depth;
	return parent;
}
