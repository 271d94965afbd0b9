/* SPDX-License-Identifier: MIT */
/*
 * When exit() begins, the monitor finds out which variables hold which blocks,
 * before destructors take the program's variables apart.  Functions that are
 * registered last run first, so the monitor registers one of its own after each
 * of the program's.
 */
#ifndef MEMMON_STATIC

#include "monitor/base/entered.h"
#include "monitor/base/hook.h"

#include "monitor/base/next.h"
#include "monitor/base/process.h"
#include "monitor/leak/leak.h"
#include "monitor/process/libraries.h"
#include "monitor/thread/enter.h"

/* Programs that load and unload libraries may register again and again. */
#define MOST 65536u

static int (*next_atexit)(void (*)(void *), void *, void *);
static uint32_t registered; /* atomic */

/*
 * Only the first call has an effect.  The stack below its caller belongs to
 * functions that have returned.
 */
HIDDEN long mmi_exits_begin(uintptr_t unused, const uintptr_t *sp);
ARCH_ENTERED(exit_begins, ".local", mmi_exits_begin);
extern void exit_begins(void *unused);

long
mmi_exits_begin(uintptr_t unused, const uintptr_t *sp)
{
	(void)unused;
	if (!mmi_leak_graph_due() || !mmi_process_writes())
		return 0;
	mmi_libraries_look();
	mmi_leak_entered(sp);
	mmi_thread_internal_begin();
	mmi_leak_graph_exits();
	mmi_thread_internal_end();
	return 0;
}

extern int __cxa_atexit(void (*f)(void *), void *arg, void *object);

EXPORT int
__cxa_atexit(void (*f)(void *), void *arg, void *object)
{
	int r;

	if (!next_atexit)
		next_atexit = mmi_next_symbol("__cxa_atexit");
	if (!next_atexit)
		return -1;
	r = next_atexit(f, arg, object);
	if (mmi_leak_graph_due() &&
	    __atomic_fetch_add(&registered, 1, __ATOMIC_RELAXED) < MOST)
		next_atexit(exit_begins, NULL, NULL);
	return r;
}

#endif
