/* SPDX-License-Identifier: MIT */
/*
 * Call paths.
 *
 * The quick walk knows the program counter, the stack pointer and the frame
 * pointer of each frame and needs one stored rule per frame.  If a frame has
 * another kind of rule (signal frames, lazy binding, unusual realigned stacks),
 * the thorough walk handles the whole call path: it knows all callee-saved
 * registers and interprets .eh_frame at every frame.
 *
 * Frames that the quick walk finds on the thread's own stack are cached, with
 * the words of the stack that they were read from.  The next walk ends at the
 * first frame that has the program counter and stack pointer of a frame of the
 * last call path, if all words from that frame outwards are unchanged: then the
 * rest of the call path is the same.
 *
 * Neither walk takes a lock, calls an allocator, or writes to the program's
 * stack.  Both read memory only below the end of the frame's stack.
 */
#ifndef MEMMON_UNWIND_H
#define MEMMON_UNWIND_H

#include "monitor/chain/cached_frames.h"
#include "monitor/chain/rules.h"

/*
 * mmi_unwind() for a call path that didn't follow the last one before; by the
 * stack alone; and while calls are traced, defined in traced_chain.c.
 */
struct mmi_frame *mmi_unwind_other(struct mmi_thread *t,
				   const struct arch_entry *e, uint64_t state);
struct mmi_frame *mmi_unwind_stack(struct mmi_thread *t,
				   const struct arch_entry *e, uint64_t state);
struct mmi_frame *mmi_unwind_traced(struct mmi_thread *t,
				    const struct arch_entry *e, uint64_t state);

/* Is this the call path of s, which has a row in t->paths? */
static inline bool
mmi_unwind_is(const struct mmi_thread *t, const struct mmi_frame *s,
	      const struct arch_entry *e)
{
	return s->pc == e->pc && s->sp == e->sp &&
	       (!s->need_bp || t->odds[s - t->frames].bp == e->bp) &&
	       mmi_frames_holds(t, s);
}

/*
 * The call path that starts at *e, of at most t->limit frames: the cached frame
 * of its innermost frame; or NULL: it is in t->chain, t->nchain and t->why.
 * New cached frames have no node yet.  Cost: about a ns for each known frame,
 * ten for other frames; some hundred for a new address.  ctx: hook.
 *
 * While calls are traced, t->state differs from the state in modules.h.
 */
static inline __attribute__((always_inline)) struct mmi_frame *
mmi_unwind(struct mmi_thread *t, const struct arch_entry *e)
{
	uint64_t state = LOAD_ACQ(&mmi_modules_state);
	const struct mmi_frame *last = &t->frames[t->last_frame];
	struct mmi_frame *s;

	/* The usual case: the call path that followed the last one before. */
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
