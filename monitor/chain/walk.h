/* SPDX-License-Identifier: MIT */
/* The thorough walk: all registers, any rule; and the ends of stacks. */
#ifndef MEMMON_WALK_H
#define MEMMON_WALK_H

#include "monitor/base/thread.h"
#include "monitor/chain/cfi.h"

/*
 * The end of the stack that sp is on: memory from sp up to it can be read.  If
 * the stack isn't the thread's own (signal stack, coroutine), the end of sp's
 * page.  ctx: hook.
 */
uintptr_t mmi_walk_bound(struct mmi_thread *t, uintptr_t sp);

/*
 * May the 8 bytes at addr, which isn't below *hi, be read?  Then *hi becomes
 * the end of its page.  False on a thread's own stack.  ctx: slow.
 */
bool mmi_walk_extend(struct mmi_thread *t, uintptr_t addr, uintptr_t *hi);

/*
 * Walks the call path at *e, with frames of any kind: keys in t->chain,
 * innermost first.  Returns how many, and sets *why as t->why.  Called by
 * mmi_unwind() only.  ctx: slow.
 */
unsigned mmi_walk_thorough(struct mmi_thread *t, const struct arch_entry *e,
			   unsigned *why);

/* A frame that mmi_walk_frames() visits. */
struct mmi_walk_frame {
	uintptr_t pc, sp; /* pc is in the call, or where a signal came */
	bool signal;	  /* this frame was interrupted by a handler */
	bool own;	  /* the monitor's own code */
	const struct mmi_cfi_row *row; /* its rules; NULL: not known */
};

/* A stopped thread: its registers; `valid' says which are known. */
struct mmi_walk_at {
	uintptr_t reg[ARCH_NREG], pc;
	uint32_t valid;
};

/*
 * Calls f for the frames at *e, from the innermost one outwards, until f
 * returns false or the frames end or aren't known; for at most 64 frames.  ctx:
 * hook.
 */
void mmi_walk_frames(const struct arch_entry *e,
		     bool (*f)(const struct mmi_walk_frame *f, void *arg),
		     void *arg);

/* The same for a stopped thread, and up to `most' frames. */
void mmi_walk_thread(const struct mmi_walk_at *at, unsigned most,
		     bool (*f)(const struct mmi_walk_frame *f, void *arg),
		     void *arg);

/* Does a handler return to the kernel at pc?  ctx: slow. */
#ifdef ARCH_SIGRETURN
bool mmi_walk_sigreturn(uintptr_t pc);
#else
#define mmi_walk_sigreturn(pc) ((void)(pc), false)
#endif

#endif
