/* SPDX-License-Identifier: MIT */
/*
 * Call chains.
 *
 * The quick walk knows the program counter, the stack pointer and the frame
 * pointer of each frame and takes one remembered rule per frame.  A frame whose
 * rule isn't of that kind (signal frames, lazy binding, realigned stacks of
 * unusual make) sends the whole chain to the thorough walk, which carries all
 * callee-saved registers and interprets .eh_frame at every frame.
 *
 * What the quick walk finds on the thread's own stack is cached: frames
 * with the words of the stack that they were read from.  The next walk ends at
 * the first frame that has the program counter and stack pointer of one of the
 * last chain's, if all words of that one, out to the last, are still what they
 * were: then the rest of the chain is the same.
 *
 * Neither walk takes a lock, calls an allocator, or writes to the program's
 * stack; memory is only read below the end of the stack that the frame is on.
 */
#ifndef MEMMON_UNWIND_H
#define MEMMON_UNWIND_H

#include "monitor/chain/cached_frames.h"
#include "monitor/chain/rules.h"

/*
 * mmi_unwind() for a chain that isn't the one that came after the last; by the
 * stack alone; and where calls are traced, defined in traced_chain.c.
 */
struct mmi_frame *mmi_unwind_other(struct mmi_thread *t,
				   const struct arch_entry *e, uint64_t state);
struct mmi_frame *mmi_unwind_stack(struct mmi_thread *t,
				   const struct arch_entry *e, uint64_t state);
struct mmi_frame *mmi_unwind_traced(struct mmi_thread *t,
				    const struct arch_entry *e, uint64_t state);

/* Is it the chain of s, which has a row in t->paths? */
static inline bool
mmi_unwind_is(const struct mmi_thread *t, const struct mmi_frame *s,
	      const struct arch_entry *e)
{
	return s->pc == e->pc && s->sp == e->sp &&
	       (!s->need_bp || t->odds[s - t->frames].bp == e->bp) &&
	       mmi_frames_holds(t, s);
}

/*
 * The chain that starts at *e, of at most t->limit frames: the cached frame of
 * its innermost frame; or NULL, then it is in t->chain, t->nchain and t->why.
 * New cached frames have no node yet.  Cost: about a ns for each frame that is
 * known, ten for others; a new address some hundred.  ctx: hook.
 *
 * While calls are traced, t->state isn't what modules.h has.
 */
static inline __attribute__((always_inline)) struct mmi_frame *
mmi_unwind(struct mmi_thread *t, const struct arch_entry *e)
{
	uint64_t state = LOAD_ACQ(&mmi_modules_state);
	const struct mmi_frame *last = &t->frames[t->last_frame];
	struct mmi_frame *s;

	/* What mostly is: a chain that came after the last one before. */
	if (LIKELY(t->state == state))
		for (unsigned k = 0; k < 2; k++) {
			s = &t->frames[last->follow[k]];
			if (LIKELY(mmi_unwind_is(t, s, e))) {
				t->last_frame = last->follow[k];
				return s;
			}
		}
	return mmi_unwind_other(t, e, state);
}

#endif
