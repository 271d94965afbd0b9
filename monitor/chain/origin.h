/* SPDX-License-Identifier: MIT */
/*
 * What is known of a block besides what the stack says: its type, and functions
 * that an interpreter runs, which stand in chains in place of its frames.
 */
#ifndef MEMMON_ORIGIN_H
#define MEMMON_ORIGIN_H

#include "monitor/chain/unwind.h"

/* A function that is run by the frame that has the address `at'. */
struct mmi_run {
	uintptr_t at;
	uint64_t key;  /* 0: its own frames tell */
	uint64_t part; /* of the hash */
};

#define MMI_RUNS 128u
struct mmi_origin {
	uint64_t type; /* the key of it (record/types.h); 0: not known */
	uint64_t hash; /* the sum of the parts of all that is run; 0: nothing */
	const void *from; /* for fill() */
	uintptr_t end;	  /* likewise */
	/*
	 * What is run, innermost first, goes to run[], of MMI_RUNS: how many.
	 * And is the frame that returns to pc the interpreter's own?
	 */
	unsigned (*fill)(const struct mmi_origin *o, struct mmi_run *run);
	bool (*is_its)(uintptr_t pc);
};

/*
 * The frame for what mmi_unwind() gave, with all that: NULL as there.  ctx:
 * hook.
 */
struct mmi_frame *mmi_origin_frame(struct mmi_thread *t, struct mmi_frame *s,
				   const struct mmi_origin *o);

#endif
