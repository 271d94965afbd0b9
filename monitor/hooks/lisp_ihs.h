/* SPDX-License-Identifier: MIT */
/*
 * ECL's own list of the functions that are running, the invocation history
 * stack: only this shows interpreted functions.  And names of compiled
 * functions.
 */
#ifndef MEMMON_LISP_IHS_H
#define MEMMON_LISP_IHS_H

#include "monitor/chain/origin.h"
#include "monitor/hooks/lisp_object.h"

/* A function of ECL was found.  ctx: init. */
void mmi_lisp_ihs_init(void *function);

/* A frame of that list, which is on the stack. */
struct mmi_ihs {
	const struct mmi_ihs *next;
	uintptr_t function, variables;
	uintptr_t index; /* one more than the next one's */
};

/*
 * A part of the sum of all frames.  If one frame replaces another, the sum
 * changes.  The function isn't linear: otherwise the sum would stay the same if
 * two frames changed places.
 */
static inline uint64_t
mmi_lisp_part(const struct mmi_ihs *p)
{
	uint64_t h = p->function ^ (uintptr_t)p << 16;

	return h * (h ^ 0x9e3779b97f4a7c15ull);
}

/*
 * Where ECL stores the list: the number of a word in a thread's environment;
 * and the environment's offset from the thread's control block, atomic, set
 * after the word.  And the end of this thread's stack.  0: not known.
 */
extern HIDDEN unsigned mmi_lisp_ihs_word;
extern HIDDEN size_t mmi_lisp_environment_at;
extern TLS uintptr_t mmi_lisp_stack_end;
const uintptr_t *mmi_lisp_environment(uintptr_t sp); /* ctx: hook */
extern HIDDEN const struct mmi_runner mmi_lisp_interpreter;

/*
 * Sets *o for the interpreted functions of this thread, whose stack is in use
 * from sp on.  ctx: hook.
 */
static inline __attribute__((always_inline)) void
mmi_lisp_ihs(struct mmi_origin *o, uintptr_t sp)
{
	size_t known = LOAD_ACQ(&mmi_lisp_environment_at);
	uintptr_t end = mmi_lisp_stack_end, at;
	uint64_t hash = 1; /* its own frames aren't on the call path */
	const uintptr_t *env;

	o->hash = 0;
	env = LIKELY(known) && LIKELY(end)
		      ? *(const uintptr_t *const *)(arch_tcb() + known)
		      : mmi_lisp_environment(sp);
	if (UNLIKELY(!env))
		return;
	end = mmi_lisp_stack_end - sizeof(struct mmi_ihs);
	o->by = &mmi_lisp_interpreter;
	at = env[mmi_lisp_ihs_word];
	/* 0: no function is interpreted. */
	o->from = at > sp && at < end ? at : 0;
	/* A caller's frame is above. */
	while (at > sp && at < end) {
		hash += mmi_lisp_part((const struct mmi_ihs *)at);
		sp = at;
		at = (uintptr_t)((const struct mmi_ihs *)at)->next;
	}
	o->hash = hash;
}

/*
 * The code that begins at `code' is the function called `name'; ECL's function
 * `by' calls it (0: none).  ctx: hook.
 */
void mmi_lisp_function(uintptr_t code, uintptr_t name, uintptr_t by);

#endif
