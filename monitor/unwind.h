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
 * Neither takes a lock, allocates, or writes to the program's stack; memory is
 * only read below the end of the stack that the frame is on.
 */
#ifndef MEMMON_UNWIND_H
#define MEMMON_UNWIND_H

#include "monitor/internal.h"

/* How a walk ended. */
enum mmi_unwind_end {
	UNWIND_WHOLE,  /* at the outermost frame */
	UNWIND_CUT,    /* after `limit' frames */
	UNWIND_STOPPED /* at a frame without usable information */
};

/*
 * Fill t->chain with the keys of the chain that starts at *e, innermost first,
 * at most t->limit of them.  Returns how many and sets *end.  Cost: a few ns a
 * frame; a new address some hundred.  ctx: hook.
 */
unsigned mmi_unwind(struct mmi_thread *t, const struct arch_entry *e,
		    enum mmi_unwind_end *end);

#endif
