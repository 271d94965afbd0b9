/* SPDX-License-Identifier: MIT */
/* Traced calls: what their chains are.  All ctx: hook. */
#ifndef MEMMON_TRACED_CHAIN_H
#define MEMMON_TRACED_CHAIN_H

#include "monitor/chain/traced.h"

/*
 * The stack that sp is on, NULL: none that is known; make: known from now on.
 * Defined in traced.c, as the next three.
 */
struct mmi_traced_stack *mmi_traced_stack(struct mmi_thread *t,
					  struct mmi_thread *self, uintptr_t sp,
					  bool make);

/* *v is the word at `at', with sp on that stack.  False: it can't be read. */
bool mmi_traced_word(const struct mmi_traced_stack *s, uintptr_t sp,
		     uintptr_t at, uintptr_t *v);

/* Does the call's return address stand where it did, as far as is known? */
bool mmi_traced_stands(const struct mmi_traced_stack *s,
		       const struct mmi_traced *c, uintptr_t sp);

/* The innermost call that stands and isn't below sp; or calls[0]. */
struct mmi_traced *mmi_traced_innermost(const struct mmi_traced_stack *s,
					uintptr_t sp);

/*
 * A function at *e that returns to pc: is it in the frame of the call c?
 */
bool mmi_traced_inlined(const struct mmi_traced_stack *s,
			const struct mmi_traced *c, const struct arch_entry *e,
			uintptr_t pc);

/*
 * The call *n, of the function at *e, which the call c hasn't made: what its
 * chain is, and where its return address stands, as far as can be found out.
 */
void mmi_traced_caller(struct mmi_thread *t, const struct mmi_traced_stack *s,
		       struct mmi_traced *c, const struct arch_entry *e,
		       struct mmi_traced *n);

#endif
