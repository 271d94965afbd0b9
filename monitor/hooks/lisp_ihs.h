/* SPDX-License-Identifier: MIT */
/*
 * ECL's own record of the functions it is in, the invocation history stack: of
 * interpreted ones nothing else tells.  And names of compiled ones.
 */
#ifndef MEMMON_LISP_IHS_H
#define MEMMON_LISP_IHS_H

#include "monitor/chain/origin.h"
#include "monitor/hooks/lisp_object.h"

/* A function of ECL's is found.  ctx: init. */
void mmi_lisp_ihs_init(void *function);

/* A frame of it, which is on the stack. */
struct mmi_ihs {
	const struct mmi_ihs *next;
	uintptr_t function, variables;
	uintptr_t index; /* one more than the next one's */
};

/*
 * What is in place of another has another sum with it, wherever it is: two that
 * change places would have the same sum if it were linear.
 */
static inline uint64_t
mmi_lisp_part(const struct mmi_ihs *p)
{
	uint64_t h = p->function ^ (uintptr_t)p << 16;

	return h * (h ^ 0x9e3779b97f4a7c15ull);
}

/*
 * Where ECL has it: the word of its environment, which it has for each thread.
 * Where that is from the thread's control block on; atomic, set after the word;
 * 0: not known.  And the end of this thread's stack; 0: likewise.
 */
extern HIDDEN unsigned mmi_lisp_ihs_word;
extern HIDDEN size_t mmi_lisp_environment_at;
extern TLS uintptr_t mmi_lisp_stack_end;
const uintptr_t *mmi_lisp_environment(uintptr_t sp); /* ctx: hook */
extern HIDDEN const struct mmi_runner mmi_lisp_interpreter;

/*
 * Of interpreted functions of this thread, whose stack is in use from sp on.
 * ctx: hook.
 */
static inline __attribute__((always_inline)) void
mmi_lisp_ihs(struct mmi_origin *o, uintptr_t sp)
{
	size_t known = LOAD_ACQ(&mmi_lisp_environment_at);
	uintptr_t end = mmi_lisp_stack_end, at;
	uint64_t hash = 1; /* its own frames aren't for the chain */
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
	/* 0: nothing is run. */
	o->from = at > sp && at < end ? at : 0;
	/* Frames lie above one another. */
	while (at > sp && at < end) {
		hash += mmi_lisp_part((const struct mmi_ihs *)at);
		sp = at;
		at = (uintptr_t)((const struct mmi_ihs *)at)->next;
	}
	o->hash = hash;
}

/*
 * The code that begins there is the function of that name, which is called by
 * a function of ECL's own, `by' (0: it isn't).  ctx: hook.
 */
void mmi_lisp_function(uintptr_t code, uintptr_t name, uintptr_t by);

#endif
