/* SPDX-License-Identifier: MIT */
/* Cached frames: made, compared, deleted. */
#include "monitor/chain/cached_frames.h"

#include <string.h>

#include "monitor/chain/rules.h"

const uintptr_t mmi_frames_end = UINTPTR_MAX;
static const uintptr_t nowhere;

/*
 * How many buckets are used while there are few frames: they need fewer pages.
 */
#define FEW 256u

static inline uint32_t
buckets(const struct mmi_thread *t)
{
	return t->many_frames ? MMI_FRAME_HASH : FEW;
}

void
mmi_frames_init(struct mmi_thread *t)
{
	if (t->ran)
		memset(t->runs, 0, t->nframes * sizeof(*t->runs));
	t->ran = false;
	t->paths[0].at = &nowhere;
	t->paths[0].value = 1;
	t->npaths = t->nframes = 1;
	t->last_frame = t->nlast = 0;
	t->last[0].sp = UINTPTR_MAX;
	t->frames[0].follow[0] = t->frames[0].follow[1] = 0;
	t->many_frames = t->own_frames = false;
	t->own_of = t->own = 0;
	t->made_state = 0;
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
		/* All frames outside it are the same, too. */
		if (s->depth <= n && mmi_frames_last_number(l) == i)
			break;
		l->sp = s->sp;
		l->pc = s->pc;
		l->is = i | mmi_frames_last_gen(s->key) |
			(s->odd ? MMI_LAST_ODD : 0) |
			(s->odds ? MMI_LAST_ODDS : 0);
#ifndef ARCH_RA_AT
		l->ra_slot = t->odds[i].ra_slot;
#endif
	}
}

/* Do the other words that frame `depth' of t->last depends on still hold? */
static bool
odd_holds(const struct mmi_thread *t, unsigned depth)
{
	const struct mmi_last *l = &t->last[depth], *outer = l - 1;
	const struct mmi_odd *o = &t->odds[mmi_frames_last_number(l)];

	return (!o->bp_slot ||
		*(uintptr_t *)o->bp_slot ==
			t->odds[mmi_frames_last_number(outer)].bp) &&
	       (!o->cfa_slot || *(uintptr_t *)o->cfa_slot == outer->sp);
}

/* Does the stack still lead from frame k + 1 of t->last to frame k, at l? */
static inline bool
last_holds(const struct mmi_last *l)
{
#ifdef ARCH_RA_AT
	uintptr_t slot = l->sp + (uintptr_t)(intptr_t)ARCH_RA_AT;
#else
	uintptr_t slot = l[1].ra_slot;
#endif

	return LIKELY(arch_is_return(*(uintptr_t *)slot, l->pc));
}

/* mmi_frames_valid() for n frames; some of them depend on other words, too. */
static unsigned
valid_odd(const struct mmi_thread *t, unsigned n)
{
	unsigned k = 1;

	while (k < n && last_holds(&t->last[k]) &&
	       (!(t->last[k + 1].is & MMI_LAST_ODD) || odd_holds(t, k + 1)))
		k++;
	return k;
}

unsigned
mmi_frames_valid(struct mmi_thread *t, uintptr_t sp)
{
	const struct mmi_last *l = t->last;
	unsigned n = t->nlast, k;

	while (n && l[n].sp < sp)
		n--;
	if (UNLIKELY(!n))
		return 0;
	if (l[n].is & MMI_LAST_ODDS)
		return valid_odd(t, n);
	for (k = 1; k + 4 <= n; k += 4) {
		if (!last_holds(&l[k]))
			return k;
		if (!last_holds(&l[k + 1]))
			return k + 1;
		if (!last_holds(&l[k + 2]))
			return k + 2;
		if (!last_holds(&l[k + 3]))
			return k + 3;
	}
	while (k < n && last_holds(&l[k]))
		k++;
	return k;
}

static inline void
path_add(struct mmi_thread *t, uintptr_t at, uintptr_t value)
{
	t->paths[t->npaths].at = (const uintptr_t *)at;
	t->paths[t->npaths++].value = value;
}

/* Adds the words that lead from s to its caller p. */
static inline void
path_step(struct mmi_thread *t, const struct mmi_frame *s,
	  const struct mmi_frame *p)
{
	const struct mmi_odd *o;

#ifdef ARCH_RA_AT
	path_add(t, p->sp + (uintptr_t)(intptr_t)ARCH_RA_AT, p->pc);
#else
	/* The present word: it may be signed. */
	path_add(t, t->odds[s - t->frames].ra_slot,
		 *(uintptr_t *)t->odds[s - t->frames].ra_slot);
#endif
	if (LIKELY(!s->odd))
		return;
	o = &t->odds[s - t->frames];
	if (o->bp_slot)
		path_add(t, o->bp_slot, t->odds[p - t->frames].bp);
	if (o->cfa_slot)
		path_add(t, o->cfa_slot, p->sp);
}

/* The row of a call path that is longer than is stored: only these frames. */
static COLD void
path_deep(struct mmi_thread *t, struct mmi_frame *s)
{
	unsigned left = t->depth;
	struct mmi_frame *p;

	s->path = t->npaths;
	for (; --left; s = p) {
		p = &t->frames[s->parent];
		path_step(t, s, p);
	}
	path_add(t, (uintptr_t)&mmi_frames_end, 0);
}

/*
 * While there is plenty of room, a row links to its caller's row only if that
 * has this many words before its own link, or ends without a link.
 */
#define ROW_WORDS 24u

static bool
row_is_long(const struct mmi_thread *t, uint32_t row)
{
	const struct mmi_check *c = &t->paths[row];

	if (t->npaths > MMI_FRAMES_PATHS / 2)
		return true;
	for (unsigned i = 0; i < ROW_WORDS; i++)
		if (c[i].at == &mmi_frames_end)
			return !c[i].value;
	return true;
}

void
mmi_frames_path(struct mmi_thread *t, struct mmi_frame *s)
{
	struct mmi_frame *p;

	if (s->path || t->npaths + 3 * s->depth > MMI_FRAMES_PATHS)
		return;
	if (UNLIKELY(s->depth > t->depth)) {
		path_deep(t, s);
		return;
	}
	for (;; s = p) {
		if (!s->path)
			s->path = t->npaths;
		p = &t->frames[s->parent];
		if (p == t->frames)
			break;
		path_step(t, s, p);
		if (p->path && row_is_long(t, p->path))
			break;
	}
	path_add(t, (uintptr_t)&mmi_frames_end,
		 p->path ? (uintptr_t)&t->paths[p->path] : 0);
}

static inline uint32_t *
bucket_of(struct mmi_thread *t, uintptr_t pc, uintptr_t sp, uint32_t parent)
{
	uint64_t h =
		(pc ^ sp << 7 ^ (uint64_t)parent << 40) * 0x9e3779b97f4a7c15ull;

	return &t->frame_hash[h >> 51 & (buckets(t) - 1)];
}

_Static_assert(MMI_FRAME_HASH == 8192, "13 bits of hash");

/* Uses all buckets from now on. */
static COLD void
buckets_grow(struct mmi_thread *t)
{
	uint32_t *bucket;

	memset(t->frame_hash, 0, FEW * sizeof(*t->frame_hash));
	t->many_frames = true;
	for (uint32_t i = 1; i < t->nframes; i++) {
		struct mmi_frame *s = &t->frames[i];

		bucket = bucket_of(t, s->pc, s->sp, s->parent);
		s->next = *bucket;
		*bucket = i;
	}
}

COLD void
mmi_frames_clear(struct mmi_thread *t)
{
	const struct mmi_frame *s = t->frames + 1,
			       *end = t->frames + t->nframes;

	/* Few frames use little of the hash; if t is busy, it may be
	 * inconsistent. */
	if (t->nframes < MMI_FRAME_HASH / 64 && !t->busy)
		for (; s < end; s++) {
			*bucket_of(t, s->pc, s->sp, s->parent) = 0;
			memset(mmi_frames_recent(t, s->pc, s->sp), 0,
			       sizeof(t->recent[0]));
		}
	else {
		memset(t->frame_hash, 0,
		       t->busy ? sizeof(t->frame_hash)
			       : buckets(t) * sizeof(*t->frame_hash));
		memset(t->recent, 0, sizeof(t->recent));
	}
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

/*
 * For frame i, below p: its way in or out depends on more than return
 * addresses.
 */
static COLD void
frame_odd(struct mmi_thread *t, const struct mmi_fresh *f, uint32_t i,
	  const struct mmi_frame *p)
{
	bool saves = mmi_rules_saves_bp(f->rule), need = p->need_bp;
	bool deref = RULE_KIND(f->rule) == RULE_DEREF;
	struct mmi_frame *s = &t->frames[i];
	struct mmi_odd *o = &t->odds[i];

	s->need_bp = mmi_rules_use_bp(f->rule) || (need && !saves);
	s->odd = (need && saves) || deref;
	s->odds = s->odd || p->odds;
	o->bp = f->bp;
	o->bp_slot =
		need && saves ? mmi_rules_bp_slot(f->rule, f->bp, p->sp) : 0;
	o->cfa_slot = deref ? f->bp + (uintptr_t)RULE_CFA(f->rule) : 0;
}

static uint32_t
frame_make(struct mmi_thread *t, const struct mmi_fresh *f, uint32_t parent,
	   unsigned why)
{
	const struct mmi_frame *p = &t->frames[parent];
	uint32_t i = t->nframes++;
	struct mmi_frame *s = &t->frames[i];

	*s = (struct mmi_frame){ .pc = MMI_KEY_ADDR(f->key),
				 .sp = f->sp,
				 .key = f->key,
				 .parent = parent,
				 .depth = (parent ? p->depth : 0) + 1u,
				 .why = why & 63,
				 .odds = p->odds };
#ifndef ARCH_RA_AT
	t->odds[i].ra_slot = mmi_rules_ra_slot(f->rule, p->sp);
#endif
	t->own_frames |= MMI_KEY_GEN(f->key) == MMI_GEN_OWN;
	if (parent &&
	    (UNLIKELY(p->need_bp) || UNLIKELY(mmi_rules_use_bp(f->rule))))
		frame_odd(t, f, i, p);
	return i;
}

/*
 * How many frames of the call path of frame i are the monitor's own.  Callers
 * ask for longer and longer call paths, usually below the last one they asked
 * for.
 */
static unsigned
frames_own(struct mmi_thread *t, uint32_t i)
{
	uint32_t of = i;
	unsigned n = 0;

	if (LIKELY(!t->own_frames))
		return 0;
	for (; i && i != t->own_of; i = t->frames[i].parent)
		n += MMI_KEY_GEN(t->frames[i].key) == MMI_GEN_OWN;
	if (i)
		n += t->own;
	t->own_of = of;
	t->own = n;
	return n;
}

void
mmi_frames_deepest(struct mmi_thread *t, uint32_t i, unsigned depth,
		   const uint64_t *keys, unsigned n)
{
	while (n-- > 0)
		depth -= MMI_KEY_GEN(keys[n]) == MMI_GEN_OWN;
	depth -= frames_own(t, i);
	if (depth > t->depth)
		depth = t->depth;
	if (depth > t->pub->count.deepest)
		t->pub->count.deepest = depth;
}

struct mmi_frame *
mmi_frames_add(struct mmi_thread *t, const struct mmi_frame *parent, unsigned n,
	       unsigned why)
{
	uint32_t *bucket, p = mmi_frames_number(t, parent), i;
	struct mmi_frame *s;

	if (UNLIKELY(t->nframes + n > FEW) && !t->many_frames)
		buckets_grow(t);
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
	if (s->depth > t->pub->count.deepest)
		mmi_frames_deepest(t, p, s->depth, NULL, 0);
	return s;
}

struct mmi_frame *
mmi_frames_made(struct mmi_thread *t, uint64_t state, uint64_t what,
		uint64_t of)
{
	uint64_t h = (what ^ (of << 40 | of >> 24)) * 0x9e3779b97f4a7c15ull;

	_Static_assert(MMI_MADE_FRAMES == 1024, "10 bits of hash");
	if (UNLIKELY(t->made_state != state)) {
		memset(t->made, 0, MMI_MADE_FRAMES * sizeof(*t->made));
		t->made_state = state;
	}
	return &t->made[h >> 54];
}
