/* SPDX-License-Identifier: MIT */
/*
 * Traced calls: those of functions whose code announces when they begin and
 * end, as compilers make it for -finstrument-functions.
 *
 * A thread has a list of the calls that haven't returned, for each stack it is
 * on.  The stack shows which calls ended otherwise (longjmp, an exception, a
 * coroutine that is done): a call below the stack pointer has ended, and a call
 * above it is active only while its return address is unchanged.
 *
 * An allocation in a traced function has a call path that needs no walk.  Other
 * call paths are walked.  The part between a traced function and the next one
 * outwards is walked, too, if that one hasn't called it.  If the walk can't go
 * on, the call path goes on with the traced calls.
 */
#ifndef MEMMON_TRACED_H
#define MEMMON_TRACED_H

#include "monitor/base/thread.h"

enum mmi_traced_how {
	TRACED_CALLED, /* by the function of the call before */
	TRACED_INLINE, /* in the frame of the call before */
	TRACED_OTHER   /* by code that isn't traced */
};

/* A call. */
struct mmi_traced {
	uintptr_t sp;	      /* in the function, when it began */
	uintptr_t bp;	      /* in the function, when it began */
	uintptr_t pc;	      /* its return address, which is */
	const uintptr_t *slot; /* here; NULL: not known where */
	uintptr_t function;
	uint32_t how;	/* enum mmi_traced_how */
	uint32_t known; /* is the node known? */
	/*
	 * Of the call path that begins with pc.  They stay when the call ends:
	 * a later call with the same pc, place and outer node `of' reuses them.
	 */
	uint32_t node;
	uint32_t depth, why; /* its frames, and MONOUT_PC_* outside, or 0 */
	uint32_t of;	     /* the node outside it */
	uintptr_t node_pc;   /* the pc that they belong to; 0: none */
};

/* The calls on one stack, after calls[0], whose sp is above all of them. */
struct mmi_traced_stack {
	uintptr_t lo, hi; /* the known part of the stack */
	struct mmi_traced *top, *calls, *end;
	bool other; /* not the thread's own: its memory may be given back */
	uint64_t state; /* of modules.h, for the calls' nodes */
};

/* The stack that the calling thread used last; NULL: none yet. */
extern TLS struct mmi_traced_stack *mmi_traced_me;

/* Is sp on that stack? */
static inline bool
mmi_traced_on(const struct mmi_traced_stack *s, uintptr_t sp)
{
	return sp - s->lo < s->hi - s->lo;
}

/* The innermost call that isn't below the stack pointer; or calls[0]. */
static inline struct mmi_traced *
mmi_traced_left(const struct mmi_traced_stack *s, uintptr_t sp)
{
	struct mmi_traced *c = s->top;

	while (UNLIKELY(c->sp < sp))
		c--;
	return c;
}

/*
 * The innermost call from c on, without the calls in the frame at sp up to a
 * call of `function': they have ended, because a function can't begin in one
 * frame twice.
 */
static inline struct mmi_traced *
mmi_traced_inner(struct mmi_traced *c, uintptr_t sp, uintptr_t function)
{
	for (struct mmi_traced *k = c; k->sp == sp; k--)
		if (k->function == function)
			return k - 1;
	return c;
}

/*
 * c becomes the innermost call; there is room.  A signal handler may interrupt
 * this, and its calls come and go at the place of c.
 */
static inline __attribute__((always_inline)) void
mmi_traced_push(struct mmi_traced_stack *s, struct mmi_traced *at,
		const struct mmi_traced *c)
{
	do {
		at->sp = c->sp;
		at->bp = c->bp;
		at->pc = c->pc;
		at->slot = c->slot;
		at->function = c->function;
		at->how = c->how;
		at->known = 0;
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		s->top = at;
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
	} while (UNLIKELY(LOAD(&at->sp) != c->sp) ||
		 UNLIKELY(LOAD(&at->slot) != c->slot));
}

/* Is tracing switched off?  Set by mmi_traced_init(). */
extern HIDDEN bool mmi_traced_off;

/*
 * The function at *e, with that return address, begins, and it isn't the usual
 * case: `self' is the thread's own struct, t the one for this event.  ctx:
 * hook.
 */
void mmi_traced_begins(struct mmi_thread *t, struct mmi_thread *self,
		       const struct arch_entry *e, uintptr_t function,
		       uintptr_t pc);

/* ends: the thread ends.  init: MEMMON_STACKS was read.  ctx: hook; init. */
void mmi_traced_ends(void);
void mmi_traced_init(const char *stacks);

/* -------------------------------- shared by traced.c and traced_chain.c -- */

/*
 * The stack that sp is on, NULL: an unknown one; make: adds it if it isn't
 * known.
 */
struct mmi_traced_stack *mmi_traced_stack(struct mmi_thread *t,
					  struct mmi_thread *self, uintptr_t sp,
					  bool make);

/* *v is the word at `at'; sp is on that stack.  False: it can't be read. */
bool mmi_traced_word(const struct mmi_traced_stack *s, uintptr_t sp,
		     uintptr_t at, uintptr_t *v);

/* Is the call's return address still in its place, as far as is known? */
bool mmi_traced_stands(const struct mmi_traced_stack *s,
		       const struct mmi_traced *c, uintptr_t sp);

/* The innermost active call that isn't below sp; or calls[0]. */
struct mmi_traced *mmi_traced_innermost(const struct mmi_traced_stack *s,
					uintptr_t sp);

/* Is the function at *e, which returns to pc, in the frame of the call c? */
bool mmi_traced_inlined(const struct mmi_traced_stack *s,
			const struct mmi_traced *c, const struct arch_entry *e,
			uintptr_t pc);

/*
 * Fills in *n, the call of the function at *e that wasn't called from c: its
 * call path, and the place of its return address, as far as they can be found.
 */
void mmi_traced_caller(struct mmi_thread *t, const struct mmi_traced_stack *s,
		       struct mmi_traced *c, const struct arch_entry *e,
		       struct mmi_traced *n);

#endif
