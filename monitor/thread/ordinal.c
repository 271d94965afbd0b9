/* SPDX-License-Identifier: MIT */
/* The numbers of threads. */
#include "monitor/thread/ordinal.h"

#include "monitor/counts/live.h"
#ifdef MEMMON_ACCESS
#include "monitor/shadow/access_state.h"
#endif

TLS uint32_t mmi_ordinal;
static uint64_t ordinals; /* how many were given out */

/* From 1 on; NOBODY after the last number that fits. */
static uint32_t
ordinal_next(void)
{
	uint64_t n = FETCH_ADD(&ordinals, 1) + 1;

	n += n >= MMI_LIVE_NOBODY;
	return n <= UINT32_MAX ? (uint32_t)n : MMI_LIVE_NOBODY;
}

void
mmi_ordinal_here(struct mmi_thread *t)
{
	bool own;

	if (!mmi_ordinal)
		mmi_ordinal = ordinal_next();
	own = !t->nested && mmi_ordinal < MMI_LIVE_NOBODY;
	t->ordinal = mmi_ordinal;
	t->mine = own ? mmi_ordinal : MMI_LIVE_NONE;
	t->given = own ? mmi_ordinal : MMI_LIVE_NOBODY;
	t->mark = mmi_live_mark(t->mine);
	t->marked = t->mark == MMI_LIVE_NO_MARK ? 0 : MMI_LIVE_FIRST_CELLS;
#ifdef MEMMON_ACCESS
	mmi_state_enter(t);
#endif
}

void
mmi_ordinal_new(struct mmi_thread *t)
{
	mmi_ordinal = 0;
	mmi_ordinal_here(t);
}
