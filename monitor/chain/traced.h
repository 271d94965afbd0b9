/* SPDX-License-Identifier: MIT */
/*
 * Traced calls: those of functions whose code tells when they begin and end, as
 * compilers make it for -finstrument-functions.
 *
 * A thread has, for each stack it is on, the calls that haven't returned.  One
 * that was left otherwise (longjmp, an exception, a coroutine that is done) is
 * told by the stack: what is below the stack pointer has gone, and what is
 * above it stands only while its return address does.
 *
 * The chain of what a traced function allocates is known without a walk.
 * Others are walked, as is what lies between a traced function and the next one
 * further out if that hasn't called it; where the walk can't go on, the traced
 * calls do.
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
	uintptr_t bp;	      /* likewise */
	uintptr_t pc;	      /* its return address, which stands */
	const uintptr_t *slot; /* here; NULL: that isn't known */
	uintptr_t function;
	uint32_t how;	/* enum mmi_traced_how */
	uint32_t known; /* is the node? */
	/*
	 * Of the chain that begins with pc.  They stay when the call ends: one
	 * of the same pc, in the same place, of the same chain `of' has them.
	 */
	uint32_t node;
	uint32_t depth, why; /* its frames, and MONOUT_PC_* outside, or 0 */
	uint32_t of;	     /* the node outside of it */
	uintptr_t node_pc;   /* the pc that they are of; 0: none */
};

/* The calls on one stack, after calls[0], whose sp is above all. */
struct mmi_traced_stack {
	uintptr_t lo, hi; /* the stack as far as it is known */
	struct mmi_traced *top, *calls, *end;
	bool other; /* not the thread's own: its memory may be given back */
	uint64_t state; /* of modules.h, that the calls' nodes are of */
};

/* The stack that the calling thread was on last; NULL: none yet. */
extern TLS struct mmi_traced_stack *mmi_traced_me;

/* Is it on that one? */
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
 * The same, c, without what is in the frame at sp out to a call of `function':
 * that was left, as it can't begin in one frame twice.
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
 * There is room for c, which is the innermost call now. A handler may strike in
 * the midst of it, and its calls come and go where c is to be.
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

/* Are calls not traced at all?  Set by mmi_traced_init(). */
extern HIDDEN bool mmi_traced_off;

/*
 * The function at *e, with that return address, begins, and it isn't as usual:
 * `self' is the thread's own struct, t the one for this event.  ctx: hook.
 */
void mmi_traced_begins(struct mmi_thread *t, struct mmi_thread *self,
		       const struct arch_entry *e, uintptr_t function,
		       uintptr_t pc);

/* The thread ends.  MEMMON_STACKS was read.  ctx: hook; init. */
void mmi_traced_ends(void);
void mmi_traced_init(const char *stacks);

/* ------------------------------- what traced.c and traced_chain.c share -- */

/*
 * The stack that sp is on, NULL: none that is known; make: known from now on.
 */
struct mmi_traced_stack *mmi_traced_stack(struct mmi_thread *t,
					  struct mmi_thread *self, uintptr_t sp,
					  bool make);

/* *v is the word at `at', with sp on that stack.  False: it can't be read. */
bool mmi_traced_word(const struct mmi_traced_stack *s, uintptr_t sp,
		     uintptr_t at, uintptr_t *v);

/* Does the call's return address stand where it did, as far as is known? */
bool mmi_traced_stands(const struct mmi_traced_stack *s,
		       const struct mmi_traced *c, uintptr_t sp);

/* The innermost call that stands and isn't below sp; or calls[0]. */
struct mmi_traced *mmi_traced_innermost(const struct mmi_traced_stack *s,
					uintptr_t sp);

/*
 * A function at *e that returns to pc: is it in the frame of the call c?
 */
bool mmi_traced_inlined(const struct mmi_traced_stack *s,
			const struct mmi_traced *c, const struct arch_entry *e,
			uintptr_t pc);

/*
 * The call *n, of the function at *e, which the call c hasn't made: what its
 * chain is, and where its return address stands, as far as can be found out.
 */
void mmi_traced_caller(struct mmi_thread *t, const struct mmi_traced_stack *s,
		       struct mmi_traced *c, const struct arch_entry *e,
		       struct mmi_traced *n);

#endif
