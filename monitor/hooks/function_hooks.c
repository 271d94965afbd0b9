/* SPDX-License-Identifier: MIT */
/*
 * The functions that code compiled with -finstrument-functions calls where each
 * of its functions begins and ends.  The libc has both, too; its versions do
 * nothing.  Compiled with frame pointers, which ARCH_ENTRY() needs.
 */
#include "monitor/base/hook.h"

#include "monitor/base/next.h"
#include "monitor/chain/traced.h"
#include "monitor/hooks/hooks.h"
#include "monitor/thread/enter.h"

void HOOK(__cyg_profile_func_enter)(void *function, void *site);
void HOOK(__cyg_profile_func_exit)(void *function, void *site);

/*
 * The functions of libmemmon-access, if that is loaded and does all this; else
 * NULL.
 */
static void (*next_enter)(void *function, void *site);
static void (*next_exit)(void *function, void *site);

void
mmi_function_hooks_pass(void)
{
#ifndef MEMMON_STATIC
	next_enter = mmi_next_symbol("__cyg_profile_func_enter");
	next_exit = mmi_next_symbol("__cyg_profile_func_exit");
	mmi_next_forget();
#endif
}

static COLD ARCH_REALIGN void
begins_slow(uintptr_t function, uintptr_t pc, const struct arch_entry *e)
{
	struct mmi_thread *t;

	if (mmi_traced_off || mmi_thread_internal() || mmi_thread_stopped())
		return;
	t = mmi_thread_enter();
	if (!t)
		return;
	mmi_traced_begins(t, mmi_thread_self(), e, function, pc);
	mmi_thread_leave(t);
}

/* The return address of a function that the call c calls. */
static inline uintptr_t
called_from(const struct mmi_traced *c)
{
	return *(const uintptr_t *)(c->sp - 8);
}

static __attribute__((noinline)) void
begins(void *function, void *site)
{
	struct arch_entry e = ARCH_ENTRY();
	struct mmi_traced new;
	struct mmi_traced_stack *s = mmi_traced_me;
	struct mmi_traced *c;

	new.sp = e.sp;
	new.bp = e.bp;
	new.pc = (uintptr_t)site;
	new.function = (uintptr_t)function;
	new.how = TRACED_CALLED;
	if (UNLIKELY(!s) || UNLIKELY(!mmi_traced_on(s, e.sp)) ||
	    UNLIKELY(s->other))
		goto slow;
	c = mmi_traced_left(s, e.sp);
	if (UNLIKELY(called_from(c) != new.pc)) {
		c = mmi_traced_inner(c, e.sp, new.function);
		if (c->sp == e.sp && c->pc == new.pc)
			goto inlined;
		if (called_from(c) != new.pc)
			goto slow;
	}
	new.slot = (const uintptr_t *)(c->sp - 8);
push:
	if (UNLIKELY(c + 1 == s->end))
		goto slow;
	mmi_traced_push(s, c + 1, &new);
	return;
inlined:
	new.how = TRACED_INLINE;
	new.slot = c->slot;
	goto push;
slow:
	begins_slow(new.function, new.pc, &e);
}

static __attribute__((noinline)) void
ends(void *function, void *site)
{
	struct arch_entry e = ARCH_ENTRY();
	struct mmi_traced_stack *s = mmi_traced_me;
	struct mmi_traced *c;

	if (UNLIKELY(!s) || UNLIKELY(!mmi_traced_on(s, e.sp)))
		return;
	c = mmi_traced_left(s, e.sp);
	if (LIKELY(c->function == (uintptr_t)function) &&
	    (LIKELY(c->sp == e.sp) || c->pc == (uintptr_t)site))
		c--;
	s->top = c;
}

/* No frame: the functions that they jump to must look called by the program. */
EXPORT void
HOOK(__cyg_profile_func_enter)(void *function, void *site)
{
	if (UNLIKELY(next_enter != NULL))
		next_enter(function, site);
	else
		begins(function, site);
}

EXPORT void
HOOK(__cyg_profile_func_exit)(void *function, void *site)
{
	if (UNLIKELY(next_exit != NULL))
		next_exit(function, site);
	else
		ends(function, site);
}
