/* SPDX-License-Identifier: MIT */
/* What the loader has mapped, looked at while it can't be unmapped. */
#include "monitor/process/libraries.h"

#ifdef MEMMON_ACCESS
#include "monitor/access/imports.h"
#endif
#include "monitor/base/bound.h"
#include "monitor/base/lookup.h"
#include "monitor/base/process.h"
#include "monitor/base/wait.h"
#include "monitor/chain/modules.h"
#include "monitor/image/signal_mask.h"

/*
 * A child of fork() has the loader's lock as it is at that time, and glibc
 * doesn't make it anew.  So fork() waits while a thread is here, and a thread
 * here while another is in fork(): each for so many ms, since a library's own
 * handlers may fork while the loader calls them.
 */
#define PATIENCE_MS 100
static uint32_t looking, forking; /* atomic: threads */

#ifndef MEMMON_STATIC
static void
look(void)
{
	mmi_bound_look();
	mmi_modules_survey();
#ifdef MEMMON_ACCESS
	mmi_imports_look();
#endif
}

/* False: a fork() doesn't come to its end. */
static bool
look_begin(void)
{
	for (int n = 0; n < PATIENCE_MS; n++) {
		__atomic_fetch_add(&looking, 1, __ATOMIC_SEQ_CST);
		if (!__atomic_load_n(&forking, __ATOMIC_SEQ_CST))
			return true;
		__atomic_fetch_sub(&looking, 1, __ATOMIC_SEQ_CST);
		mmi_wait_ms(1);
	}
	return false;
}

/* No handler may leave from here for good, with the lock taken. */
static bool
look_masked(void)
{
	struct mmi_signal_mask m;
	bool r;

	if (mmi_process.torn || !mmi_signal_mask_block(&m))
		return false;
	r = look_begin();
	if (r) {
		mmi_lookup_locked(look);
		__atomic_fetch_sub(&looking, 1, __ATOMIC_SEQ_CST);
	}
	mmi_signal_mask_unblock(&m);
	return r;
}
#endif

void
mmi_libraries_look(void)
{
#ifndef MEMMON_STATIC
	bool looked = look_masked();

	(void)looked;
#ifdef MEMMON_ACCESS
	if (!looked)
		mmi_imports_unseen();
#endif
#endif
}

void
mmi_libraries_fork_begin(void)
{
	__atomic_fetch_add(&forking, 1, __ATOMIC_SEQ_CST);
	for (int n = 0; n < PATIENCE_MS; n++) {
		if (!__atomic_load_n(&looking, __ATOMIC_SEQ_CST))
			break;
		mmi_wait_ms(1);
	}
}

void
mmi_libraries_fork_end(void)
{
	__atomic_fetch_sub(&forking, 1, __ATOMIC_SEQ_CST);
}

void
mmi_libraries_fork(void)
{
	looking = forking = 0;
}
