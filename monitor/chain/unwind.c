/* SPDX-License-Identifier: MIT */
/* Call paths: the quick walk. */
#include "monitor/chain/unwind.h"

#include "monitor/chain/walk.h"

/* How a quick walk ended. */
enum ended {
	ENDED_MET,	 /* at a cached frame */
	ENDED_OUTERMOST, /* at a frame marked as outermost */
	ENDED_ZERO,	 /* at a return address of 0 */
	ENDED_STOP,	 /* at a frame without information */
	ENDED_ASTRAY,	 /* at an impossible return address */
	ENDED_CUT,	 /* at the limit */
	ENDED_ODD	 /* at a frame for the thorough walk */
};

/* State of a quick walk. */
struct quick {
	uintptr_t pc, sp, bp;
	uintptr_t hi;	  /* the stack may be read below this */
	bool uses_bp; /* a frame's bp was needed to find its caller */
};

/* The CFA, by a rule other than RULE_SP; 0: it can't be found. */
static inline uintptr_t
quick_cfa(struct mmi_thread *t, struct quick *q, uint64_t v)
{
	uintptr_t cfa = q->bp + (uintptr_t)RULE_CFA(v);

	if (RULE_KIND(v) == RULE_DEREF) {
		if (cfa < q->sp || cfa % 8 ||
		    (cfa >= q->hi && !mmi_walk_extend(t, cfa, &q->hi)))
			return 0;
		cfa = *(uintptr_t *)cfa;
	}
	/* A caller's frame is above. */
	return cfa > q->sp && cfa % 8 == 0 ? cfa : 0;
}

/* The caller's frame pointer.  False: it can't be read. */
static inline bool
quick_bp(struct mmi_thread *t, struct quick *q, uint64_t v, uintptr_t cfa)
{
	uintptr_t slot = mmi_rules_bp_slot(v, q->bp, cfa);

	if (UNLIKELY(slot < q->sp || slot >= cfa || slot % 8))
		return false;
	/* On a stack whose pages aren't all known: one page only. */
	if (UNLIKELY(q->hi != t->stack_hi) &&
	    (mmi_rules_bp_outside(v) ||
	     (cfa - 8) / ARCH_PAGE != slot / ARCH_PAGE))
		return false;
	q->bp = *(uintptr_t *)slot;
	return true;
}

/* May the return address be read, if it has no fixed place? */
static inline bool
quick_ra(const struct mmi_thread *t, const struct quick *q, uint64_t v,
	 uintptr_t cfa)
{
#ifdef ARCH_RA_AT
	(void)t;
	(void)q;
	(void)v;
	(void)cfa;
	return true;
#else
	uintptr_t slot = mmi_rules_ra_slot(v, cfa);

	return slot >= q->sp && slot < cfa &&
	       (q->hi == t->stack_hi ||
		(cfa - 8) / ARCH_PAGE == slot / ARCH_PAGE);
#endif
}

/*
 * Goes to the caller.  False: the thorough walk is needed.  sp is a multiple of
 * 8.
 */
static __attribute__((noinline)) bool
quick_step(struct mmi_thread *t, struct quick *q, uint64_t v)
{
	uintptr_t cfa;

	q->uses_bp |= mmi_rules_use_bp(v);
	if (LIKELY(RULE_KIND(v) == RULE_SP))
		cfa = q->sp + (uintptr_t)RULE_CFA(v);
	else if (!(cfa = quick_cfa(t, q, v)))
		return false;
	if (UNLIKELY(cfa > q->hi && !mmi_walk_extend(t, cfa - 8, &q->hi)))
		return false;
	if (!quick_ra(t, q, v, cfa) ||
	    (mmi_rules_saves_bp(v) && !quick_bp(t, q, v, cfa)))
		return false;
	q->pc = arch_strip(*(uintptr_t *)mmi_rules_ra_slot(v, cfa));
	q->sp = cfa;
	return true;
}

/*
 * quick_step() for most frames: on the thread's own stack, which ends at `own'
 * (0: another stack), few checks are needed.
 */
static inline __attribute__((always_inline)) bool
quick_step_own(struct mmi_thread *t, struct quick *q, uint64_t v, uintptr_t own)
{
	uintptr_t cfa = q->sp + (uintptr_t)RULE_CFA(v);
	struct quick other;
	bool ok;

	if (UNLIKELY(!RULE_IS_SP(v)) || UNLIKELY(cfa > own)) {
		/* A copy, so that *q can stay in registers. */
		other = *q;
		ok = quick_step(t, &other, v);
		*q = other;
		return ok;
	}
	/* The slots of RULE_SP are in the frame. */
	if (mmi_rules_sp_saves_bp(v))
		q->bp = *(uintptr_t *)mmi_rules_sp_bp_slot(v, cfa);
	q->pc = arch_strip(*(uintptr_t *)mmi_rules_ra_slot(v, cfa));
	q->sp = cfa;
	return true;
}

/*
 * Writes n fresh frames and the k outermost frames of the last call path to
 * t->chain.
 */
static COLD struct mmi_frame *
chain_plain(struct mmi_thread *t, unsigned k, unsigned n, unsigned why)
{
	for (unsigned i = 0; i < n; i++)
		t->chain[i] = t->fresh[i].key;
	t->nfresh = n;
	t->nmet = k;
	t->end_sp = k ? t->last[1].sp : n ? t->fresh[n - 1].sp : 0;
	for (; k && n < t->limit; k--)
		t->chain[n++] = mmi_frames_last_key(t, k);
	t->nchain = n;
	t->below = 0;
	t->why = why;
	return NULL;
}

/* How many walks aren't cached for each walk that is cached. */
#define UNCACHED 15u

/*
 * The cache of frames is full.  If most call paths had to be walked, caching
 * costs more than it saves.
 */
static COLD void
frames_full(struct mmi_thread *t)
{
	uint64_t seq = t->pub->seq;

	if (2ull * t->walks > seq - t->walks_from)
		t->uncached = UNCACHED * t->walks;
	mmi_frames_clear(t);
	t->walks = 0;
	t->walks_from = seq;
}

/* How many walks are limited after one that was too long for the cache. */
#define CUTTING 64u

/* A walk of n frames has not come to an end. */
static COLD struct mmi_frame *
chain_cut(struct mmi_thread *t, unsigned k, unsigned n)
{
	if (t->cutting)
		t->cutting--;
	else if (t->limit > t->depth)
		t->cutting = CUTTING;
	return chain_plain(t, k, n, MONOUT_PC_CUT);
}

/*
 * Notes the depth of a call path of the n keys of t->chain and k frames, see
 * chain_below().
 */
static COLD void
below_deepest(struct mmi_thread *t, unsigned k, unsigned n)
{
	unsigned depth = k + n;

	for (; k && !mmi_frames_last_number(&t->last[k]); k--)
		depth -= MMI_KEY_GEN(mmi_frames_last_key(t, k)) == MMI_GEN_OWN;
	mmi_frames_deepest(t, k ? mmi_frames_last_number(&t->last[k]) : 0,
			   depth, t->chain, n);
}

/*
 * n fresh frames that aren't cached, below frame k of the last call path, which
 * has its node.  Once they have their nodes they belong to the last call path,
 * if they depend on return addresses alone (plain).
 */
static struct mmi_frame *
chain_below(struct mmi_thread *t, unsigned k, unsigned n, unsigned why,
	    bool plain)
{
	struct mmi_last *l = &t->last[k];
	uint32_t odds = l->is & MMI_LAST_ODDS;
	uint64_t *to = t->chain + n, key;

	plain = plain && !t->frames[mmi_frames_last_number(l)].need_bp;
	for (const struct mmi_fresh *f = t->fresh + n; f-- > t->fresh;) {
		*--to = key = f->key;
		l++;
		l->sp = f->sp;
		l->is = mmi_frames_last_gen(key) | odds;
		l->pc = MMI_KEY_ADDR(key);
#ifndef ARCH_RA_AT
		l->ra_slot = mmi_rules_ra_slot(f->rule, l[-1].sp);
#endif
	}
	t->nchain = t->nfresh = n;
	t->below = t->nlast = t->nmet = k;
	t->nbelow = plain ? k + n : k;
	t->last_frame = 0;
	t->why = why;
	t->uncached--;
	if (k + n > t->pub->count.deepest)
		below_deepest(t, k, n);
	return NULL;
}

static COLD struct mmi_frame *
unwind_thorough(struct mmi_thread *t, const struct arch_entry *e)
{
	t->nchain = mmi_walk_thorough(t, e, &t->why);
	t->below = 0;
	return NULL;
}

/* Why the walk ended at a rule that doesn't go on. */
static enum ended
ended_by(uint64_t v)
{
	if (RULE_GEN(v) == MMI_GEN_OWN)
		return ENDED_ODD;
	/* In no library: not to be stored, see mmi_rules_slow(). */
	if (RULE_GEN(v) > MMI_GEN_MAX && RULE_KIND(v) != RULE_THOROUGH)
		return ENDED_ASTRAY;
	return RULE_KIND(v) == RULE_STOP	? ENDED_STOP
	       : RULE_KIND(v) == RULE_OUTERMOST ? ENDED_OUTERMOST
						: ENDED_ODD;
}

/*
 * Is the outermost of n fresh frames the monitor's?  No call path begins there.
 */
static inline bool
ends_own(const struct mmi_thread *t, unsigned n)
{
	return n && MMI_KEY_GEN(t->fresh[n - 1].key) == MMI_GEN_OWN;
}

/*
 * Moves *l outwards to the first frame of the last call path that isn't below
 * q; is it the frame of q?
 */
static inline __attribute__((always_inline)) bool
quick_meets(const struct mmi_thread *t, const struct quick *q,
	    const struct mmi_last **l)
{
	uint32_t i;

	while ((*l)->sp < q->sp)
		--*l;
	if (LIKELY((*l)->sp != q->sp || (*l)->pc != q->pc))
		return false;
	i = mmi_frames_last_number(*l);
	return LIKELY(!t->frames[i].need_bp) || t->odds[i].bp == q->bp;
}

/*
 * Walks from *from to the end, or to a frame of the last call path, whose
 * outermost `valid' frames are unchanged: then *met is that frame's depth,
 * otherwise 0.  *n: the number of fresh frames.
 */
static enum ended
quick_walk(struct mmi_thread *t, struct quick *from, unsigned valid,
	   uint64_t state, unsigned *n, unsigned *met)
{
	struct mmi_fresh *f = t->fresh;
	const struct mmi_fresh *most =
		f + (UNLIKELY(t->cutting) ? t->depth : t->limit);
	const struct mmi_last *l = &t->last[valid];
	uintptr_t own = from->hi == t->stack_hi ? from->hi : 0;
	uint64_t epoch = mmi_rules_epoch(state), v;
	enum ended end = ENDED_ZERO;
	struct quick q = *from;

	*met = 0;
	while (LIKELY(q.pc)) {
		end = ENDED_MET;
		if (quick_meets(t, &q, &l)) {
			*met = (unsigned)(l - t->last);
			break;
		}
		end = ENDED_CUT;
		if (UNLIKELY(f == most))
			break;
		end = ENDED_ASTRAY;
		if (UNLIKELY(q.pc >> ARCH_ADDR_BITS))
			break;
		v = mmi_rules_get(q.pc, state, epoch);
		f->key = q.pc | RULE_KEY_GEN(v);
		f->sp = q.sp;
		f->bp = q.bp;
		f++->rule = v;
		if (UNLIKELY(!RULE_IS_SP(v)) && !RULE_IS_STEP(v)) {
			end = ended_by(v);
			break;
		}
		end = ENDED_ODD;
		if (UNLIKELY(!quick_step_own(t, &q, v, own)))
			break;
		end = ENDED_ZERO;
	}
	from->hi = q.hi;
	from->uses_bp = q.uses_bp;
	*n = (unsigned)(f - t->fresh);
	return end;
}

/*
 * Notes s as the successor of the last call path, and as a recent call path of
 * its innermost frame.
 */
static inline struct mmi_frame *
follow(struct mmi_thread *t, struct mmi_frame *s, uint32_t *recent)
{
	struct mmi_frame *last = &t->frames[t->last_frame];
	uint32_t i = mmi_frames_number(t, s);

	if (last->follow[0] != i) {
		last->follow[1] = last->follow[0];
		last->follow[0] = i;
	}
	if (recent[0] != i) {
		recent[1] = recent[0];
		recent[0] = i;
	}
	t->last_frame = i;
	return s;
}

/*
 * mmi_unwind() without the thorough walk; `known': t's cached frames are valid.
 */
static struct mmi_frame *
unwind_walk(struct mmi_thread *t, const struct arch_entry *e, uint64_t state,
	    bool known)
{
	struct quick q = { e->pc, e->sp, e->bp, mmi_walk_bound(t, e->sp),
			   false };
	unsigned n, k, why = 0, valid = 0;
	struct mmi_frame *s;
	enum ended end;

	if (UNLIKELY(e->sp % 8))
		return unwind_thorough(t, e);
	if (known && q.hi == t->stack_hi) {
		if (LIKELY(t->last_frame))
			mmi_frames_last(t, &t->frames[t->last_frame]);
		valid = mmi_frames_valid(t, q.sp);
	}
	end = quick_walk(t, &q, valid, state, &n, &k);
	if (UNLIKELY(end == ENDED_ODD) || UNLIKELY(!k && ends_own(t, n)))
		return unwind_thorough(t, e);
	if (end == ENDED_MET)
		why = t->frames[mmi_frames_last_number(&t->last[1])].why;
	else if (end == ENDED_STOP || end == ENDED_ASTRAY)
		why = MONOUT_PC_STOPPED;
	if (UNLIKELY(end == ENDED_CUT || n + k > t->limit))
		return chain_cut(t, k, n);
	/* Words that were read to end here aren't stored; nor other stacks. */
	if (UNLIKELY(end == ENDED_ASTRAY || end == ENDED_ZERO ||
		     q.hi != t->stack_hi))
		return chain_plain(t, k, n, why);
	if (UNLIKELY(t->state != (state & ~MMI_MODULES_TRACED))) {
		mmi_frames_clear(t);
		t->state = state & ~MMI_MODULES_TRACED;
	}
	s = mmi_frames_at(t, k ? mmi_frames_last_number(&t->last[k]) : 0);
	if (UNLIKELY(t->uncached) && k && n + k <= t->depth &&
	    (s ? n && s->node : true))
		return chain_below(t, k, n, why, !q.uses_bp);
	if (UNLIKELY(t->nframes + n > t->frame_room))
		frames_full(t);
	/* The callers must be walked over again, once. */
	if (k && UNLIKELY(!s || t->nframes == 1))
		return unwind_walk(t, e, state, false);
	if (n) {
		s = mmi_frames_add(t, s, n, why);
		t->walks++;
	}
	if (s->node)
		mmi_frames_path(t, s);
	return follow(t, s, mmi_frames_recent(t, e->pc, e->sp));
}

struct mmi_frame *
mmi_unwind_stack(struct mmi_thread *t, const struct arch_entry *e,
		 uint64_t state)
{
	uint32_t *recent = mmi_frames_recent(t, e->pc, e->sp);
	bool known = t->state == (state & ~MMI_MODULES_TRACED);

	if (UNLIKELY(state & MMI_MODULES_CLOSING))
		return unwind_thorough(t, e);
	for (unsigned k = 0; k < 2 && known; k++)
		if (mmi_unwind_is(t, &t->frames[recent[k]], e))
			return follow(t, &t->frames[recent[k]], recent);
	return unwind_walk(t, e, state, known);
}

struct mmi_frame *
mmi_unwind_other(struct mmi_thread *t, const struct arch_entry *e,
		 uint64_t state)
{
	return UNLIKELY(state & MMI_MODULES_TRACED)
		       ? mmi_unwind_traced(t, e, state)
		       : mmi_unwind_stack(t, e, state);
}
