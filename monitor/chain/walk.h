/* SPDX-License-Identifier: MIT */
/* The thorough walk: all registers, any rule; and the bounds of stacks. */
#ifndef MEMMON_WALK_H
#define MEMMON_WALK_H

#include "monitor/base/thread.h"
#include "monitor/chain/cfi.h"

/*
 * The end of the stack that sp is on: memory from sp up to it can be read.  For
 * a stack that isn't the thread's own (signal stack, coroutine) the end of sp's
 * page.  ctx: hook.
 */
uintptr_t mmi_walk_bound(struct mmi_thread *t, uintptr_t sp);

/* May the 8 bytes at addr be read?  ctx: slow. */
bool mmi_walk_readable(uintptr_t addr);

/*
 * addr is not below *hi: may its 8 bytes be read all the same?  Then *hi
 * becomes the end of its page.  Never on a thread's own stack.  ctx: slow.
 */
bool mmi_walk_extend(struct mmi_thread *t, uintptr_t addr, uintptr_t *hi);

/*
 * The chain at *e, of any frames: keys in t->chain, innermost first.  Returns
 * how many, and sets *why as t->why.  Called by mmi_unwind() only.  ctx: slow.
 */
unsigned mmi_walk_thorough(struct mmi_thread *t, const struct arch_entry *e,
			   unsigned *why);

/* A frame of those that mmi_walk_frames() goes through. */
struct mmi_walk_frame {
	uintptr_t pc, sp; /* pc is in the call, or where a signal struck */
	bool signal;	  /* a handler was called by this one */
	bool own;	  /* of the monitor's own code */
	const struct mmi_cfi_row *row; /* its rules; NULL: not known */
};

/* A thread that stands still: its registers as far as they are in `valid'. */
struct mmi_walk_at {
	uintptr_t reg[ARCH_NREG], pc;
	uint32_t valid;
};

/*
 * Call f for the frames at *e, from the innermost one outwards, until it
 * returns false, they end, or it is known no further; at most for 64.  ctx:
 * hook.
 */
void mmi_walk_frames(const struct arch_entry *e,
		     bool (*f)(const struct mmi_walk_frame *f, void *arg),
		     void *arg);

/* The same for such a thread, and up to `most' frames. */
void mmi_walk_thread(const struct mmi_walk_at *at, unsigned most,
		     bool (*f)(const struct mmi_walk_frame *f, void *arg),
		     void *arg);

/* Is it at pc that a handler returns to the kernel?  ctx: slow. */
#ifdef ARCH_SIGRETURN
bool mmi_walk_sigreturn(uintptr_t pc);
#else
#define mmi_walk_sigreturn(pc) ((void)(pc), false)
#endif

#endif
