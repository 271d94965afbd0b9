/* SPDX-License-Identifier: MIT */
/* Traced calls: the stacks that they are on. */
#include "monitor/chain/traced.h"

#include <string.h>

#include "monitor/base/arena.h"
#include "monitor/base/peek.h"
#include "monitor/chain/modules.h"
#include "monitor/chain/walk.h"
#include "monitor/image/signal_mask.h"

TLS struct mmi_traced_stack *mmi_traced_me;
bool mmi_traced_off;

/*
 * A thread's stacks: its own and up to OTHERS others; new ones replace the
 * oldest.
 */
#define OTHERS 64u
struct mmi_traced_thread {
	struct mmi_traced_stack own, other[OTHERS];
	unsigned nothers, next;
};

/* How many calls a stack has room for at first; it grows. */
#define CALLS_OWN 1020u
#define CALLS_OTHER 100u
/* The most bytes from another stack's known part to a new stack pointer. */
#define NEAR (256 * (uintptr_t)ARCH_PAGE)

static uintptr_t
page_of(uintptr_t a)
{
	return a & ~(uintptr_t)(ARCH_PAGE - 1);
}

/* Makes room for twice as many calls, or for the first n.  False: no memory. */
static COLD bool
stack_grow(struct mmi_traced_stack *s, size_t n)
{
	size_t used = s->calls ? (size_t)(s->top - s->calls) + 1 : 1;
	struct mmi_traced *was = s->calls, *calls;
	size_t room = (size_t)(s->end - s->calls);
	struct mmi_signal_mask m;

	if (was)
		n = 2 * room;
	calls = mmi_arena_map(n * sizeof(*calls));
	if (!calls)
		return false;
	if (!mmi_signal_mask_block(&m)) {
		mmi_arena_unmap(calls, n * sizeof(*calls));
		return false;
	}
	if (was)
		memcpy(calls, was, used * sizeof(*calls));
	s->calls = calls;
	s->top = calls + used - 1;
	s->end = calls + n;
	mmi_signal_mask_unblock(&m);
	if (was)
		mmi_arena_empty(was, room * sizeof(*was));
	return true;
}

/* Begins a stack, which ends at hi, without calls. */
static bool
stack_begin(struct mmi_traced_stack *s, uintptr_t sp, uintptr_t hi, bool other)
{
	if (!s->calls && !stack_grow(s, other ? CALLS_OTHER : CALLS_OWN))
		return false;
	s->other = other;
	s->lo = page_of(sp);
	s->hi = hi;
	s->top = s->calls;
	s->calls[0] = (struct mmi_traced){ .sp = other ? UINTPTR_MAX : hi };
	return true;
}

/* Are all pages between sp and the known part of the stack readable? */
static bool
stack_reaches(const struct mmi_traced_stack *s, uintptr_t sp)
{
	if (sp >= s->lo || s->lo - sp > NEAR)
		return false;
	for (uintptr_t p = page_of(sp); p < s->lo; p += ARCH_PAGE)
		if (!mmi_peek_word(p))
			return false;
	return true;
}

/* One of the other stacks; NULL: an unknown one. */
static struct mmi_traced_stack *
other_find(struct mmi_traced_thread *of, uintptr_t sp)
{
	struct mmi_traced_stack *s, *best = NULL;

	for (unsigned i = 0; i < of->nothers; i++) {
		s = &of->other[i];
		if (mmi_traced_on(s, sp))
			return s;
		if (s->lo > sp && (!best || s->lo < best->lo))
			best = s;
	}
	if (!best || !stack_reaches(best, sp))
		return NULL;
	best->lo = page_of(sp);
	return best;
}

static COLD struct mmi_traced_stack *
other_new(struct mmi_traced_thread *of, uintptr_t sp)
{
	struct mmi_traced_stack *s = &of->other[of->next];

	if (!stack_begin(s, sp, page_of(sp) + ARCH_PAGE, true))
		return NULL;
	of->next = (of->next + 1) % OTHERS;
	if (of->nothers < OTHERS)
		of->nothers++;
	return s;
}

/* The stack that sp is on; make: adds it if it isn't known. */
struct mmi_traced_stack *
mmi_traced_stack(struct mmi_thread *t, struct mmi_thread *self, uintptr_t sp,
		 bool make)
{
	struct mmi_traced_thread *of = self ? self->traced : NULL;
	struct mmi_traced_stack *s;

	if (!of && make && self)
		of = self->traced = mmi_arena_map(sizeof(*of));
	if (!of)
		return NULL;
	if (mmi_walk_bound(t, sp) != t->stack_hi) {
		s = other_find(of, sp);
		return s || !make ? s : other_new(of, sp);
	}
	s = &of->own;
	/* A struct that another thread had still has that thread's calls. */
	if (s->hi != t->stack_hi || !mmi_traced_me) {
		of->nothers = of->next = 0;
		if (!stack_begin(s, sp, t->stack_hi, false))
			return NULL;
	}
	if (sp < s->lo)
		s->lo = page_of(sp);
	return s;
}

bool
mmi_traced_word(const struct mmi_traced_stack *s, uintptr_t sp, uintptr_t at,
		uintptr_t *v)
{
	if (at < sp || at >= s->hi || at % 8 ||
	    (s->other && page_of(at) != page_of(sp) && !mmi_peek_word(at)))
		return false;
	*v = *(const uintptr_t *)at;
	return true;
}

bool
mmi_traced_stands(const struct mmi_traced_stack *s, const struct mmi_traced *c,
		  uintptr_t sp)
{
	uintptr_t v;

	return !c->slot ||
	       (mmi_traced_word(s, sp, (uintptr_t)c->slot, &v) && v == c->pc);
}

struct mmi_traced *
mmi_traced_innermost(const struct mmi_traced_stack *s, uintptr_t sp)
{
	struct mmi_traced *c = mmi_traced_left(s, sp);

	while (c > s->calls && !mmi_traced_stands(s, c, sp))
		c--;
	return c;
}

COLD void
mmi_traced_begins(struct mmi_thread *t, struct mmi_thread *self,
		  const struct arch_entry *e, uintptr_t function, uintptr_t pc)
{
	struct mmi_traced_stack *s = mmi_traced_stack(t, self, e->sp, true);
	struct mmi_traced new = { .sp = e->sp,
				  .bp = e->bp,
				  .pc = pc,
				  .function = function,
				  .how = TRACED_OTHER };
	struct mmi_traced *c;
	uintptr_t v;

	if (!s)
		return;
	if (!mmi_traced_me)
		__atomic_fetch_or(&mmi_modules_state, MMI_MODULES_TRACED,
				  __ATOMIC_SEQ_CST);
	mmi_traced_me = s;
	s->top = c = mmi_traced_inner(mmi_traced_innermost(s, e->sp), e->sp,
				      function);
	if (c + 1 == s->end) {
		if (!stack_grow(s, 0))
			return;
		c = s->top;
	}
	if (c > s->calls && mmi_traced_word(s, e->sp, c->sp - 8, &v) &&
	    v == pc) {
		new.how = TRACED_CALLED;
		new.slot = (const uintptr_t *)(c->sp - 8);
	} else if (mmi_traced_inlined(s, c, e, pc)) {
		new.how = TRACED_INLINE;
		new.slot = c->slot;
	} else {
		mmi_traced_caller(t, s, c, e, &new);
	}
	if (s->other && (uintptr_t) new.slot >= s->hi)
		s->hi = (uintptr_t) new.slot + 8;
	mmi_traced_push(s, ++c, &new);
	if (!new.known)
		return;
	c->node = new.node;
	c->depth = new.depth;
	c->why = new.why;
	c->node_pc = 0;
	c->known = 1;
}

void
mmi_traced_ends(void)
{
	mmi_traced_me = NULL;
}

void
mmi_traced_init(const char *stacks)
{
	if (!stacks || strcmp(stacks, "unwind") != 0)
		return;
	mmi_traced_off = true;
	mmi_traced_me = NULL;
	__atomic_fetch_and(&mmi_modules_state, ~MMI_MODULES_TRACED,
			   __ATOMIC_SEQ_CST);
}
