/* SPDX-License-Identifier: MIT */
/* Call chains: the quick walk. */
#include "monitor/unwind.h"

#include "monitor/walk.h"

/* How a quick walk ended. */
enum ended {
	ENDED_MET,	 /* at a spot */
	ENDED_OUTERMOST, /* at a frame that says so */
	ENDED_ZERO,	 /* at a return address of 0 */
	ENDED_STOP,	 /* at a frame without information */
	ENDED_ASTRAY,	 /* at a return address that can't be one */
	ENDED_CUT,	 /* at the limit */
	ENDED_ODD	 /* at a frame for the thorough walk */
};

/* State of a quick walk. */
struct quick {
	uintptr_t pc, sp, bp;
	uintptr_t hi; /* the stack may be read below this */
};

/* Where the CFA is; 0: the thorough walk must have a look. */
static inline uintptr_t
quick_cfa(struct mmi_thread *t, struct quick *q, uint64_t v,
	  struct mmi_fresh *f)
{
	uintptr_t cfa;

	f->cfa_slot = 0;
	if (LIKELY(RULE_KIND(v) == RULE_SP)) {
		f->uses_bp = false;
		return q->sp + (uintptr_t)RULE_CFA(v);
	}
	f->uses_bp = true;
	cfa = q->bp + (uintptr_t)RULE_CFA(v);
	if (LIKELY(RULE_KIND(v) == RULE_BP))
		return cfa;
	if (RULE_KIND(v) != RULE_DEREF || cfa < q->sp || cfa % 8 ||
	    (cfa >= q->hi && !mmi_walk_extend(t, cfa, &q->hi)))
		return 0;
	f->cfa_slot = cfa;
	return *(uintptr_t *)cfa;
}

/*
 * Go to the caller; what led there is left in *f.  False: the thorough walk
 * must have a look.
 */
static inline bool
quick_step(struct mmi_thread *t, struct quick *q, uint64_t v,
	   struct mmi_fresh *f)
{
	uintptr_t cfa = quick_cfa(t, q, v, f);
	intptr_t bp;

	f->bp_slot = 0;
	/* Frames lie above one another; only the first may have no size. */
	if (UNLIKELY(cfa <= q->sp || cfa % 8))
		return false;
	if (UNLIKELY(cfa > q->hi && !mmi_walk_extend(t, cfa - 8, &q->hi)))
		return false;
	if (UNLIKELY(v & RULE_BP_AT_BP)) {
		if (q->bp < q->sp || q->bp >= cfa || q->bp % 8 ||
		    q->hi != t->stack_hi)
			return false;
		f->uses_bp = true;
		f->bp_slot = q->bp;
		q->bp = *(uintptr_t *)q->bp;
	} else if ((bp = RULE_BP_SLOT(v))) {
		f->bp_slot = cfa + (uintptr_t)bp;
		if (UNLIKELY(bp > -8 || f->bp_slot < q->sp))
			return false;
		/* On a stack that isn't known page by page, one page only. */
		if (UNLIKELY(q->hi != t->stack_hi) &&
		    (cfa - 8) / ARCH_PAGE != f->bp_slot / ARCH_PAGE)
			return false;
		q->bp = *(uintptr_t *)f->bp_slot;
	}
	q->pc = *(uintptr_t *)(cfa - 8);
	q->sp = cfa;
	return true;
}

/* n fresh frames, and those of spots from s outwards, go to t->chain. */
static COLD struct mmi_spot *
chain_plain(struct mmi_thread *t, const struct mmi_spot *s, unsigned n,
	    unsigned why)
{
	for (unsigned i = 0; i < n; i++)
		t->chain[i] = t->fresh[i].key;
	for (; s && n < t->limit; s = s->parent)
		t->chain[n++] = s->pc | (uint64_t)s->gen << MMI_KEY_SHIFT;
	t->nchain = n;
	t->why = why;
	return NULL;
}

static COLD struct mmi_spot *
unwind_thorough(struct mmi_thread *t, const struct arch_entry *e)
{
	t->nchain = mmi_walk_thorough(t, e, &t->why);
	return NULL;
}

/*
 * Walk from *q to a spot that holds, which is returned, or to the end, and then
 * *end says to which.  *n becomes the number of fresh frames.
 */
static inline struct mmi_spot *
quick_walk(struct mmi_thread *t, struct quick *q, uint64_t state, bool known,
	   unsigned *n, enum ended *end)
{
	struct mmi_fresh *f = t->fresh;
	uintptr_t skip = known ? 0 : UINTPTR_MAX;
	uint64_t epoch = mmi_rules_epoch(state), v;
	struct mmi_spot *s;

	for (*n = 0; q->pc; f++, ++*n) {
		*end = ENDED_CUT;
		if (UNLIKELY(*n == t->limit))
			return NULL;
		*end = ENDED_ASTRAY;
		if (UNLIKELY(q->pc >> ARCH_ADDR_BITS))
			return NULL;
		v = mmi_rules_get(q->pc, state, epoch);
		*end = ENDED_ODD;
		if (UNLIKELY(v & RULE_OWN))
			return NULL;
		f->key = q->pc | (uint64_t)RULE_GEN(v) << MMI_KEY_SHIFT;
		f->sp = q->sp;
		f->bp = q->bp;
		if (UNLIKELY(RULE_KIND(v) == RULE_OUTERMOST ||
			     RULE_KIND(v) == RULE_STOP)) {
			*end = RULE_KIND(v) == RULE_STOP ? ENDED_STOP
							 : ENDED_OUTERMOST;
			if (known &&
			    (s = mmi_spots_find(t, MMI_KEY_ADDR(f->key), f->sp,
						f->bp, 0, &skip)))
				return s;
			++*n;
			return NULL;
		}
		if (UNLIKELY(!quick_step(t, q, v, f)))
			return NULL;
		/* Below skip the spots are known not to hold. */
		*end = ENDED_MET;
		if (LIKELY(q->sp > skip) &&
		    (s = mmi_spots_find(t, MMI_KEY_ADDR(f->key), f->sp, f->bp,
					q->pc, &skip)))
			return s;
	}
	*end = ENDED_ZERO;
	return NULL;
}

/* A chain that isn't known as a whole; `known': t's spots are valid. */
static struct mmi_spot *
unwind_walk(struct mmi_thread *t, const struct arch_entry *e, uint64_t state,
	    bool known)
{
	struct quick q = { e->pc, e->sp, e->bp, mmi_walk_bound(t, e->sp) };
	unsigned n, why = 0;
	struct mmi_spot *s;
	enum ended end;

	known = known && q.hi == t->stack_hi;
	s = quick_walk(t, &q, state, known, &n, &end);
	if (UNLIKELY(end == ENDED_ODD))
		return unwind_thorough(t, e);
	if (s)
		why = s->why;
	else if (end == ENDED_STOP || end == ENDED_ASTRAY)
		why = MONOUT_PC_STOPPED;
	if (UNLIKELY(end == ENDED_CUT || n + (s ? s->depth : 0) > t->limit))
		return chain_plain(t, s, n, MONOUT_PC_CUT);
	/* What was read to end here isn't kept, nor other stacks'. */
	if (UNLIKELY(end == ENDED_ASTRAY || end == ENDED_ZERO ||
		     q.hi != t->stack_hi))
		return chain_plain(t, s, n, why);
	if (UNLIKELY(t->state != state)) {
		mmi_spots_clear(t);
		t->state = state;
		t->epoch = mmi_rules_epoch(state);
	}
	if (UNLIKELY(t->nspots + n > t->spot_room)) {
		mmi_spots_clear(t);
		/* The callers have to be walked over again, once. */
		if (s)
			return unwind_walk(t, e, state, false);
	}
	if (n)
		s = mmi_spots_add(t, s, n, why);
	t->spots[t->last_spot].follow = (uint32_t)(s - t->spots);
	t->last_spot = (uint32_t)(s - t->spots);
	return s;
}

struct mmi_spot *
mmi_unwind_other(struct mmi_thread *t, const struct arch_entry *e,
		 uint64_t state)
{
	uintptr_t skip = 0, cfa;
	struct mmi_spot *s;
	uint64_t v;

	if (UNLIKELY(t->state != state))
		return state & MMI_MODULES_CLOSING
			       ? unwind_thorough(t, e)
			       : unwind_walk(t, e, state, false);
	if (UNLIKELY(e->sp < t->stack_lo || e->sp >= t->stack_hi))
		return unwind_walk(t, e, state, true);
	/* Often the first frame has a spot that holds. */
	v = mmi_rules_get(e->pc, state, t->epoch);
	cfa = (uintptr_t)RULE_CFA(v);
	if (LIKELY(RULE_PLAIN_KIND(v) == RULE_SP))
		cfa += e->sp;
	else if (RULE_PLAIN_KIND(v) == RULE_BP)
		cfa += e->bp;
	else
		cfa = 0;
	if (UNLIKELY(cfa <= e->sp || cfa > t->stack_hi || cfa % 8))
		return unwind_walk(t, e, state, true);
	s = mmi_spots_find(t, e->pc, e->sp, e->bp, *(uintptr_t *)(cfa - 8),
			   &skip);
	if (UNLIKELY(!s))
		return unwind_walk(t, e, state, true);
	mmi_spots_path(t, s);
	t->spots[t->last_spot].follow = (uint32_t)(s - t->spots);
	t->last_spot = (uint32_t)(s - t->spots);
	return s;
}
