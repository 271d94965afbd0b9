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
 * What the quick walk finds on the thread's own stack is kept as spots: frames
 * with the words of the stack that they were read from.  The next walk ends at
 * the first frame that has the program counter and stack pointer of a spot all
 * of whose words, out to the last, are still what they were: then the rest of
 * the chain is the same.
 *
 * Neither walk takes a lock, allocates, or writes to the program's stack;
 * memory is only read below the end of the stack that the frame is on.
 */
#ifndef MEMMON_UNWIND_H
#define MEMMON_UNWIND_H

#include "monitor/rules.h"
#include "monitor/spots.h"

/*
 * mmi_unwind() for a chain that isn't known as a whole; `known': t's spots are
 * valid.  And for a chain that only the thorough walk can make.
 */
struct mmi_spot *mmi_unwind_walk(struct mmi_thread *t,
				 const struct arch_entry *e, uint64_t state,
				 bool known);
struct mmi_spot *mmi_unwind_thorough(struct mmi_thread *t,
				     const struct arch_entry *e);

/*
 * The chain that starts at *e, of at most t->limit frames: the spot of its
 * innermost frame; or NULL, then it is in t->chain, t->nchain and t->why.  New
 * spots have no node yet.  Cost: about a ns for each frame that is known, ten
 * for others; a new address some hundred.  ctx: hook.
 */
static inline struct mmi_spot *
mmi_unwind(struct mmi_thread *t, const struct arch_entry *e)
{
	uint64_t state = LOAD_ACQ(&mmi_modules_state), v;
	struct mmi_spot *last = &t->spots[t->last_spot], *s;
	uintptr_t skip = 0, cfa;

	if (UNLIKELY(t->state != state))
		return state & MMI_MODULES_CLOSING
			       ? mmi_unwind_thorough(t, e)
			       : mmi_unwind_walk(t, e, state, false);
	/* What mostly is: the chain that came after the last one last time. */
	s = &t->spots[last->follow];
	if (LIKELY(s->pc == e->pc && s->sp == e->sp) &&
	    (!s->need_bp || mmi_spots_odd(t, s)->bp == e->bp) &&
	    LIKELY(!mmi_spots_differ(t, s))) {
		t->last_spot = last->follow;
		return s;
	}
	/* Or at least its first frame has a spot that holds. */
	if (LIKELY(e->sp >= t->stack_lo && e->sp < t->stack_hi)) {
		v = mmi_rules_get(e->pc, state, t->epoch);
		cfa = (uintptr_t)RULE_CFA(v);
		if (LIKELY(RULE_PLAIN_KIND(v) == RULE_SP))
			cfa += e->sp;
		else if (RULE_PLAIN_KIND(v) == RULE_BP)
			cfa += e->bp;
		else
			cfa = 0;
		if (LIKELY(cfa > e->sp && cfa <= t->stack_hi && cfa % 8 == 0 &&
			   (s = mmi_spots_find(t, e->pc, e->sp, e->bp,
					       *(uintptr_t *)(cfa - 8),
					       &skip)))) {
			t->last_spot = last->follow = (uint32_t)(s - t->spots);
			return s;
		}
	}
	return mmi_unwind_walk(t, e, state, true);
}

#endif
