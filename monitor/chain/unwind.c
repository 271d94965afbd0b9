/* SPDX-License-Identifier: MIT */
/* Call chains: the quick walk. */
#include "monitor/chain/unwind.h"

#include "monitor/chain/walk.h"

/* How a quick walk ended. */
enum ended {
	ENDED_MET,	 /* at a cached frame */
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

/* Where the CFA is, by a rule of another kind; 0: nowhere. */
static inline uintptr_t
quick_cfa(struct mmi_thread *t, struct quick *q, uint64_t v,
	  struct mmi_fresh *f)
{
	uintptr_t cfa = q->bp + (uintptr_t)RULE_CFA(v);

	f->uses_bp = true;
	if (RULE_KIND(v) == RULE_DEREF) {
		if (cfa < q->sp || cfa % 8 ||
		    (cfa >= q->hi && !mmi_walk_extend(t, cfa, &q->hi)))
			return 0;
		f->cfa_slot = cfa;
		cfa = *(uintptr_t *)cfa;
	}
	/* Frames lie above one another. */
	return cfa > q->sp && cfa % 8 == 0 ? cfa : 0;
}

/* The caller's frame pointer.  False: it can't be read. */
static inline bool
quick_bp(struct mmi_thread *t, struct quick *q, uint64_t v, uintptr_t cfa,
	 struct mmi_fresh *f)
{
	f->bp_slot = cfa + (uintptr_t)RULE_BP_SLOT(v);
	if (UNLIKELY(v & RULE_BP_AT_BP)) {
		f->bp_slot = q->bp;
		f->uses_bp = true;
	}
	if (UNLIKELY(f->bp_slot < q->sp || f->bp_slot >= cfa || f->bp_slot % 8))
		return false;
	/* On a stack that isn't known page by page, one page only. */
	if (UNLIKELY(q->hi != t->stack_hi) &&
	    (v & RULE_BP_AT_BP ||
	     (cfa - 8) / ARCH_PAGE != f->bp_slot / ARCH_PAGE))
		return false;
	q->bp = *(uintptr_t *)f->bp_slot;
	return true;
}

/*
 * Go to the caller; what led there is left in *f.  False: the thorough walk
 * must have a look.  sp is a multiple of 8.
 */
static inline bool
quick_step(struct mmi_thread *t, struct quick *q, uint64_t v,
	   struct mmi_fresh *f)
{
	uintptr_t cfa;

	f->bp_slot = f->cfa_slot = 0;
	f->uses_bp = false;
	if (LIKELY(RULE_KIND(v) == RULE_SP))
		cfa = q->sp + (uintptr_t)RULE_CFA(v);
	else if (!(cfa = quick_cfa(t, q, v, f)))
		return false;
	if (UNLIKELY(cfa > q->hi && !mmi_walk_extend(t, cfa - 8, &q->hi)))
		return false;
	if (v & (RULE_BP_AT_BP | RULE_BP_MASK) && !quick_bp(t, q, v, cfa, f))
		return false;
	q->pc = *(uintptr_t *)(cfa - 8);
	q->sp = cfa;
	return true;
}

/*
 * n fresh frames, and those of cached frames from s outwards, go to t->chain.
 */
static COLD struct mmi_frame *
chain_plain(struct mmi_thread *t, const struct mmi_frame *s, unsigned n,
	    unsigned why)
{
	for (unsigned i = 0; i < n; i++)
		t->chain[i] = t->fresh[i].key;
	for (; s && n < t->limit; s = mmi_frames_at(t, s->parent))
		t->chain[n++] = s->key;
	t->nchain = n;
	t->below = NULL;
	t->why = why;
	return NULL;
}

/* As many walks aren't cached, for one that is. */
#define UNCACHED 15u

/*
 * Frames have no room left.  When walks had to go over more frames than they
 * found to be the last chain's, caching them costs more than it saves.
 */
static COLD void
frames_full(struct mmi_thread *t)
{
	if (2 * t->walked > t->depths)
		t->uncached = UNCACHED * t->walks;
	mmi_frames_clear(t);
	t->walks = 0;
	t->walked = t->depths = 0;
}

/* So many walks are cut short after one that was too long for the cache. */
#define CUTTING 64u

/* A walk of n frames has come to no end. */
static COLD struct mmi_frame *
chain_cut(struct mmi_thread *t, const struct mmi_frame *s, unsigned n)
{
	if (t->cutting)
		t->cutting--;
	else if (t->limit > t->depth)
		t->cutting = CUTTING;
	return chain_plain(t, s, n, MONOUT_PC_CUT);
}

/* n fresh frames that aren't cached, below s, which has its node. */
static struct mmi_frame *
chain_below(struct mmi_thread *t, struct mmi_frame *s, unsigned n, unsigned why)
{
	unsigned depth = n + s->depth;

	for (unsigned i = 0; i < n; i++)
		t->chain[i] = t->fresh[i].key;
	t->nchain = n;
	t->below = s;
	t->why = why;
	t->uncached--;
	if (depth > t->pub->count.deepest)
		t->pub->count.deepest = depth;
	return NULL;
}

static COLD struct mmi_frame *
unwind_thorough(struct mmi_thread *t, const struct arch_entry *e)
{
	t->nchain = mmi_walk_thorough(t, e, &t->why);
	t->below = NULL;
	return NULL;
}

/*
 * The cached frame of the last chain that the walk is at, one of the *k
 * outermost that still hold; NULL: it isn't at any.  Those that are further in
 * are left out of *k.
 */
static inline struct mmi_frame *
last_meets(struct mmi_thread *t, const struct quick *q, unsigned *k)
{
	const struct mmi_last *l = &t->last[*k];

	for (; *k && l->sp < q->sp; l--)
		--*k;
	if (!*k || l->sp != q->sp || l->pc != q->pc ||
	    (l->need_bp && t->odds[l->frame].bp != q->bp))
		return NULL;
	return &t->frames[l->frame];
}

/* What the walk ended at that came to a rule which doesn't go on. */
static enum ended
ended_by(uint64_t v)
{
	if (v & RULE_OWN)
		return ENDED_ODD;
	/* In no module: not to be kept, see mmi_rules_slow(). */
	if (RULE_GEN(v) == MMI_GEN_NONE)
		return ENDED_ASTRAY;
	return RULE_KIND(v) == RULE_STOP	? ENDED_STOP
	       : RULE_KIND(v) == RULE_OUTERMOST ? ENDED_OUTERMOST
						: ENDED_ODD;
}

/*
 * Walk from *q to where the last chain is met, of which `valid' frames hold;
 * the cached frame is returned; or to the end, and then *end says to which.  *n
 * becomes the number of fresh frames.
 */
static struct mmi_frame *
quick_walk(struct mmi_thread *t, struct quick *q, unsigned valid,
	   uint64_t state, unsigned *n, enum ended *end)
{
	unsigned most = UNLIKELY(t->cutting) ? t->depth : t->limit;
	uint64_t epoch = mmi_rules_epoch(state), v;
	struct mmi_fresh *f = t->fresh;
	struct mmi_frame *s;

	for (*n = 0; q->pc; f++) {
		*end = ENDED_MET;
		if ((s = last_meets(t, q, &valid)))
			return s;
		*end = ENDED_CUT;
		if (UNLIKELY(*n == most))
			return NULL;
		*end = ENDED_ASTRAY;
		if (UNLIKELY(q->pc >> ARCH_ADDR_BITS))
			return NULL;
		v = mmi_rules_get(q->pc, state, epoch);
		f->key = q->pc | RULE_KEY_GEN(v);
		f->sp = q->sp;
		f->bp = q->bp;
		++*n;
		if (UNLIKELY(!RULE_IS_STEP(v))) {
			*end = ended_by(v);
			return NULL;
		}
		*end = ENDED_ODD;
		if (UNLIKELY(!quick_step(t, q, v, f)))
			return NULL;
	}
	*end = ENDED_ZERO;
	return NULL;
}

/* The cached frame of the chain after this one, the next time. */
static inline struct mmi_frame *
follow(struct mmi_thread *t, struct mmi_frame *s)
{
	struct mmi_frame *last = &t->frames[t->last_frame];
	uint32_t i = mmi_frames_number(t, s);

	if (last->follow[0] != i) {
		last->follow[1] = last->follow[0];
		last->follow[0] = i;
	}
	t->last_frame = i;
	return s;
}

/* Where the cached innermost frames are that are like the one of a chain. */
static inline uint32_t *
leaves_of(struct mmi_thread *t, const struct arch_entry *e)
{
	return t->leaves[(e->pc ^ e->sp << 7) * 0x9e3779b97f4a7c15ull >> 54];
}

_Static_assert(MMI_LEAF_CACHE == 1024, "10 bits of hash");

/* It is the newest of these. */
static inline void
leaf_newest(struct mmi_thread *t, const struct arch_entry *e,
	    const struct mmi_frame *s)
{
	uint32_t *leaf = leaves_of(t, e), i = mmi_frames_number(t, s);

	if (leaf[0] != i) {
		leaf[1] = leaf[0];
		leaf[0] = i;
	}
}

/* The chain is of one of these, and still holds; NULL: of none. */
static inline struct mmi_frame *
leaf_find(struct mmi_thread *t, const struct arch_entry *e)
{
	const uint32_t *leaf = leaves_of(t, e);
	struct mmi_frame *s;

	for (unsigned k = 0; k < 2; k++) {
		s = &t->frames[leaf[k]];
		if (leaf[k] < t->nframes && mmi_unwind_is(t, s, e))
			return s;
	}
	return NULL;
}

/*
 * mmi_unwind() without the thorough walk; `known': t's cached frames are valid.
 */
static struct mmi_frame *
unwind_walk(struct mmi_thread *t, const struct arch_entry *e, uint64_t state,
	    bool known)
{
	struct quick q = { e->pc, e->sp, e->bp, mmi_walk_bound(t, e->sp) };
	unsigned n, why = 0, valid = 0;
	struct mmi_frame *s;
	enum ended end;

	if (UNLIKELY(e->sp % 8))
		return unwind_thorough(t, e);
	if (known && t->last_frame && q.hi == t->stack_hi) {
		mmi_frames_last(t, &t->frames[t->last_frame]);
		valid = mmi_frames_valid(t, q.sp);
	}
	s = quick_walk(t, &q, valid, state, &n, &end);
	if (UNLIKELY(end == ENDED_ODD))
		return unwind_thorough(t, e);
	if (s)
		why = s->why;
	else if (end == ENDED_STOP || end == ENDED_ASTRAY)
		why = MONOUT_PC_STOPPED;
	if (UNLIKELY(end == ENDED_CUT || n + (s ? s->depth : 0) > t->limit))
		return chain_cut(t, s, n);
	/* What was read to end here isn't kept, nor other stacks'. */
	if (UNLIKELY(end == ENDED_ASTRAY || end == ENDED_ZERO ||
		     q.hi != t->stack_hi))
		return chain_plain(t, s, n, why);
	if (UNLIKELY(t->state != state)) {
		mmi_frames_clear(t);
		t->state = state;
	}
	if (n && s && UNLIKELY(t->uncached && s->node) &&
	    s->depth + n <= t->depth)
		return chain_below(t, s, n, why);
	if (UNLIKELY(t->nframes + n > t->frame_room)) {
		frames_full(t);
		/* The callers have to be walked over again, once. */
		if (s)
			return unwind_walk(t, e, state, false);
	}
	if (n) {
		s = mmi_frames_add(t, s, n, why);
		t->walks++;
		t->walked += n;
		t->depths += s->depth;
	}
	mmi_frames_path(t, s);
	leaf_newest(t, e, s);
	return follow(t, s);
}

struct mmi_frame *
mmi_unwind_other(struct mmi_thread *t, const struct arch_entry *e,
		 uint64_t state)
{
	struct mmi_frame *s = NULL;

	if (UNLIKELY(state & MMI_MODULES_CLOSING))
		return unwind_thorough(t, e);
	if (t->state == state && (s = leaf_find(t, e))) {
		leaf_newest(t, e, s);
		return follow(t, s);
	}
	return unwind_walk(t, e, state, t->state == state);
}
