/* SPDX-License-Identifier: MIT */
/*
 * What is known about a block beyond the stack: its type, and the functions
 * that an interpreter runs.  On call paths they replace the interpreter's
 * frames.
 */
#ifndef MEMMON_ORIGIN_H
#define MEMMON_ORIGIN_H

#include "monitor/chain/modules.h"
#include "monitor/chain/unwind.h"

/* A function run by the frame that contains the address `at'. */
struct mmi_run {
	uintptr_t at;
	uint64_t key;  /* 0: its own frames are on the stack */
	uint64_t part; /* of the hash */
};

#define MMI_RUNS 128u
struct mmi_origin;

/*
 * fill: writes the functions that are being run, innermost first, to
 * run[MMI_RUNS]; returns how many.  is_its: does the frame that returns to pc
 * belong to the interpreter?
 */
struct mmi_runner {
	unsigned (*fill)(const struct mmi_origin *o, struct mmi_run *run);
	bool (*is_its)(uintptr_t pc);
};

struct mmi_origin {
	uint64_t type; /* its key (record/types.h); 0: not known */
	uint64_t hash; /* sum of the parts of all functions run; 0: none */
	uintptr_t from; /* for fill() */
	const struct mmi_runner *by;
};

/*
 * The frame for s, the result of mmi_unwind(), with its origin *o; NULL as
 * there.  mmi_origin_frame_other(): if the frame isn't cached yet.  ctx: hook.
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
