/* SPDX-License-Identifier: MIT */
/* Traced calls: their call paths. */
#include "monitor/chain/traced.h"

#include <string.h>

#include "monitor/chain/rules.h"
#include "monitor/chain/sites.h"
#include "monitor/chain/unwind.h"

/* The key of a return address. */
static uint64_t
key_of(uintptr_t pc)
{
	uint64_t state = LOAD_ACQ(&mmi_modules_state);

	return pc |
	       RULE_KEY_GEN(mmi_rules_get(pc, state, mmi_rules_epoch(state)));
}

/* ---------------------------------------------------- nodes of the calls -- */

/*
 * Copies to c the fields that follow from the call before, which made c or has
 * its frame.  False: no node.
 */
static bool
know_from(struct mmi_thread *t, struct mmi_traced *c)
{
	const struct mmi_traced *p = c - 1;
	bool called = c->how == TRACED_CALLED;
	uint32_t node = p->node;

	if (called && p->depth >= t->depth)
		return false;
	c->depth = p->depth + called;
	c->why = p->why;
	if (called && (c->node_pc != c->pc || c->of != p->node)) {
		node = mmi_sites_step(t, node, key_of(c->pc));
		if (!node)
			return false;
		c->of = p->node;
		c->node_pc = c->pc;
		c->node = node;
	} else if (!called) {
		c->node = node;
		c->node_pc = 0;
	}
	c->known = 1;
	return true;
}

/* Is the node of c known, or does it follow from its callers? */
static bool
know(struct mmi_thread *t, struct mmi_traced *c)
{
	struct mmi_traced *from = c;

	if (LIKELY(c->known))
		return true;
	while (!from->known && from->how != TRACED_OTHER)
		from--;
	if (!from->known)
		return false;
	while (from++ < c)
		if (!know_from(t, from))
			return false;
	return true;
}

/* Appends the frames of c and its callers to the n frames of t->chain. */
static void
chain_go_on(struct mmi_thread *t, const struct mmi_traced_stack *s,
	    const struct mmi_traced *c, unsigned n)
{
	const struct mmi_node *node;
	uint32_t i = 0;

	t->why = MONOUT_PC_STOPPED;
	for (; c > s->calls && c->how != TRACED_OTHER && n <= t->depth; c--)
		if (c->how == TRACED_CALLED)
			t->chain[n++] = key_of(c->pc);
	if (c > s->calls && c->how == TRACED_OTHER && c->known) {
		i = c->node;
		t->why = c->why;
	} else if (c > s->calls && n <= t->depth) {
		t->chain[n++] = key_of(c->pc);
	}
	for (; i && n <= t->depth; i = node->item.parent) {
		node = mmi_sites_node(i);
		if (mmi_key_is_frame(node->item.key))
			t->chain[n++] = node->item.key;
	}
	t->nchain = n;
	t->below = t->nfresh = t->nmet = 0;
}

/* ---------------------------------------------- where a walk can't go on -- */

/* Copies a walked call path to t->chain.  *pc, *sp: its outermost frame. */
static void
chain_whole(struct mmi_thread *t, const struct mmi_frame *f, uintptr_t *pc,
	    uintptr_t *sp)
{
	unsigned n = f ? 0 : t->nchain;

	*sp = t->end_sp;
	for (; f; f = mmi_frames_at(t, f->parent)) {
		t->chain[n++] = f->key;
		*sp = f->sp;
	}
	for (unsigned k = t->below; !f && k && n < t->limit; k--) {
		t->chain[n++] = mmi_frames_last_key(t, k);
		*sp = t->last[k].sp;
	}
	*pc = n ? MMI_KEY_ADDR(t->chain[n - 1]) : 0;
	t->nchain = n;
	t->below = 0;
}

/* Is that frame, with only pc and sp known, the function of the call? */
static bool
is_of(const struct mmi_traced_stack *s, const struct mmi_traced *c,
      uintptr_t pc, uintptr_t sp, const struct arch_entry *e)
{
	uintptr_t v;

	if (c->sp == sp)
		return true;
	if (pc <= c->function || pc - c->function > 1u << 16)
		return false;
	/* A frame with another frame pointer isn't the function's. */
	return e->pc != pc ||
	       (e->bp == c->bp && mmi_traced_word(s, sp, c->bp + 8, &v) &&
		v == c->pc);
}

/*
 * The walk from *e returned the frame f, or a call path, and had to stop.  If
 * it stopped on a stack of traced calls, continues t->chain with them.
 */
static bool
walk_go_on(struct mmi_thread *t, const struct arch_entry *e,
	   const struct mmi_frame *f)
{
	const struct mmi_traced_stack *s;
	const struct mmi_traced *c;
	uintptr_t pc, sp;

	chain_whole(t, f, &pc, &sp);
	s = mmi_traced_stack(t, mmi_thread_self(), sp, false);
	if (!s || t->nchain > t->depth)
		return false;
	c = mmi_traced_innermost(s, sp);
	if (c == s->calls)
		return false;
	if (!is_of(s, c, pc, sp, e) && t->nchain <= t->depth)
		t->chain[t->nchain++] = key_of(c->function + 1);
	chain_go_on(t, s, c, t->nchain);
	return true;
}

/* -------------------------------------------------------- the callers' -- */

/*
 * The end of a traced function's frame, by the unwind tables; 0: they don't
 * say.  *bp becomes its caller's frame pointer.
 */
static uintptr_t
frame_end(const struct arch_entry *e, uintptr_t *bp)
{
	uint64_t state = LOAD_ACQ(&mmi_modules_state);
	uint64_t v = mmi_rules_get(e->pc, state, mmi_rules_epoch(state));
	uintptr_t cfa;

	if (RULE_KIND(v) != RULE_SP && RULE_KIND(v) != RULE_BP)
		return 0;
	cfa = (RULE_KIND(v) == RULE_SP ? e->sp : e->bp) +
	      (uintptr_t)RULE_CFA(v);
	if (cfa <= e->sp || cfa % 8)
		return 0;
	*bp = e->bp;
	if (mmi_rules_saves_bp(v))
		*bp = *(uintptr_t *)mmi_rules_bp_slot(v, e->bp, cfa);
	return cfa;
}

bool
mmi_traced_inlined(const struct mmi_traced_stack *s, const struct mmi_traced *c,
		   const struct arch_entry *e, uintptr_t pc)
{
	uintptr_t bp;

	if (c == s->calls || c->pc != pc)
		return false;
	return c->sp == e->sp ||
	       (c->slot && c->slot + 1 == (uintptr_t *)frame_end(e, &bp));
}

/* How many words of a frame without unwind tables are searched. */
#define SEARCHED 4096u

/*
 * The end of a frame without tables: searches for its return address.  In a
 * frame with a frame pointer it is next to that.
 */
static uintptr_t
frame_search(const struct mmi_traced_stack *s, const struct arch_entry *e,
	     uintptr_t pc, uintptr_t *bp)
{
	uintptr_t v;

	*bp = e->bp;
	if (mmi_traced_word(s, e->sp, e->bp + 8, &v) && v == pc &&
	    mmi_traced_word(s, e->sp, e->bp, bp))
		return e->bp + 16;
	for (unsigned i = 0; i < SEARCHED; i++) {
		if (!mmi_traced_word(s, e->sp, e->sp + 8 * i, &v))
			break;
		if (v == pc)
			return e->sp + 8 * (i + 1);
	}
	return 0;
}

/*
 * Does the frame of *e, which ends at cfa, save the frame pointer of the call
 * c, which has one?  Then c has made the call.
 */
static bool
saves_bp(const struct mmi_traced_stack *s, const struct mmi_traced *c,
	 const struct arch_entry *e, uintptr_t cfa)
{
	uintptr_t v;

	if (c == s->calls || !mmi_traced_word(s, e->sp, c->bp + 8, &v) ||
	    v != c->pc)
		return false;
	for (uintptr_t at = e->sp; at + 8 < cfa && at < e->sp + 8 * SEARCHED;
	     at += 8)
		if (mmi_traced_word(s, e->sp, at, &v) && v == c->bp)
			return true;
	return false;
}

void
mmi_traced_caller(struct mmi_thread *t, const struct mmi_traced_stack *s,
		  struct mmi_traced *c, const struct arch_entry *e,
		  struct mmi_traced *n)
{
	uint64_t state = LOAD_ACQ(&mmi_modules_state);
	struct arch_entry caller = { .pc = n->pc };
	struct mmi_frame *f;

	caller.sp = frame_end(e, &caller.bp);
	if (!caller.sp)
		caller.sp = frame_search(s, e, n->pc, &caller.bp);
	if (!caller.sp)
		return;
	n->slot = (const uintptr_t *)(caller.sp - 8);
	if (saves_bp(s, c, e, caller.sp))
		caller.bp = c->bp;
	t->apart = true;
	f = mmi_unwind_stack(t, &caller, state);
	t->apart = false;
	if ((f ? f->why : t->why) == MONOUT_PC_STOPPED &&
	    walk_go_on(t, &caller, f))
		f = NULL;
	n->depth = f ? f->depth : t->nchain + t->below;
	n->why = f ? f->why : t->why;
	n->node = mmi_sites_node_of(t, f);
	n->known = n->node && !t->shortened && n->depth <= t->depth;
}

/* ---------------------------------------------------------------- events -- */

/*
 * The frame of an allocation at pc in the function of c; NULL: there is no
 * room, and the call path is in t->chain.
 */
static struct mmi_frame *
frame_of(struct mmi_thread *t, const struct mmi_traced_stack *s,
	 struct mmi_traced *c, uintptr_t pc, uint64_t state)
{
	struct mmi_frame *f = mmi_frames_made(t, state, pc, c->node);

	if (LIKELY(f->pc == pc && f->sp == c->node))
		return f;
	*f = (struct mmi_frame){ .pc = pc,
				 .key = key_of(pc),
				 .depth = c->depth + 1,
				 .why = c->why & 63 };
	if (f->depth <= t->depth)
		f->node = mmi_sites_step(t, c->node, f->key);
	if (f->node) {
		f->sp = c->node;
		if (f->depth > t->pub->count.deepest)
			t->pub->count.deepest = f->depth;
		return f;
	}
	f->pc = 0;
	t->chain[0] = f->key;
	chain_go_on(t, s, c, 1);
	return NULL;
}

/* Other code may be at the same addresses now: deletes the nodes. */
static COLD void
forget(struct mmi_traced_stack *s, uint64_t state)
{
	for (struct mmi_traced *c = s->calls; c < s->end; c++)
		c->node_pc = 0;
	s->state = state;
}

/* See unwind.h. */
struct mmi_frame *
mmi_unwind_traced(struct mmi_thread *t, const struct arch_entry *e,
		  uint64_t state)
{
	struct mmi_traced_stack *s = mmi_traced_me;
	struct mmi_traced *c;
	struct mmi_frame *f;

	if (UNLIKELY(s && !mmi_traced_on(s, e->sp)))
		s = mmi_traced_stack(t, mmi_thread_self(), e->sp, false);
	if (LIKELY(s) && LIKELY(!(state & MMI_MODULES_CLOSING))) {
		s->top = c = mmi_traced_left(s, e->sp);
		if (UNLIKELY(s->state != state))
			forget(s, state);
		if (LIKELY(c->sp == e->sp) &&
		    LIKELY(mmi_traced_stands(s, c, e->sp)) &&
		    LIKELY(know(t, c)))
			return frame_of(t, s, c, e->pc, state);
	}
	f = mmi_unwind_stack(t, e, state);
	if ((f ? f->why : t->why) == MONOUT_PC_STOPPED && mmi_traced_me &&
	    walk_go_on(t, e, f))
		return NULL;
	return f;
}
