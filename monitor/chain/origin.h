/* SPDX-License-Identifier: MIT */
/*
 * What is known of a block besides what the stack says: its type, and functions
 * that an interpreter runs, which stand in chains in place of its frames.
 */
#ifndef MEMMON_ORIGIN_H
#define MEMMON_ORIGIN_H

#include "monitor/chain/modules.h"
#include "monitor/chain/unwind.h"

/* A function that is run by the frame that has the address `at'. */
struct mmi_run {
	uintptr_t at;
	uint64_t key;  /* 0: its own frames tell */
	uint64_t part; /* of the hash */
};

#define MMI_RUNS 128u
struct mmi_origin;

/*
 * What is run, innermost first, goes to run[], of MMI_RUNS: how many.  And is
 * the frame that returns to pc the interpreter's own?
 */
struct mmi_runner {
	unsigned (*fill)(const struct mmi_origin *o, struct mmi_run *run);
	bool (*is_its)(uintptr_t pc);
};

struct mmi_origin {
	uint64_t type; /* the key of it (record/types.h); 0: not known */
	uint64_t hash; /* the sum of the parts of all that is run; 0: nothing */
	uintptr_t from; /* for fill() */
	const struct mmi_runner *by;
};

/*
 * The frame for what mmi_unwind() gave, with all that: NULL as there; and where
 * it isn't known yet.  ctx: hook.
 */
struct mmi_frame *mmi_origin_frame_other(struct mmi_thread *t,
					 struct mmi_frame *s,
					 const struct mmi_origin *o);

static inline __attribute__((always_inline)) struct mmi_frame *
mmi_origin_frame(struct mmi_thread *t, struct mmi_frame *s,
		 const struct mmi_origin *o)
{
	const struct mmi_with_runs *known;
	struct mmi_frame *f;

	if (LIKELY(s) && LIKELY(s->path) && LIKELY(o->hash) &&
	    LIKELY(!(LOAD_ACQ(&mmi_modules_state) & MMI_MODULES_CLOSING))) {
		known = &t->runs[s - t->frames];
		f = &t->made[known->made];
		if (LIKELY(known->node) && LIKELY(known->hash == o->hash) &&
		    LIKELY(f->pc == o->type) && LIKELY(f->sp == known->node))
			return f;
	}
	return mmi_origin_frame_other(t, s, o);
}

#endif
