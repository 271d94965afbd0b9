/* SPDX-License-Identifier: MIT */
/* The numbers of threads. */
#include "monitor/thread/ordinal.h"

#include "monitor/counts/live.h"
#ifdef MEMMON_ACCESS
#include "monitor/shadow/access_state.h"
#endif

TLS uint32_t mmi_ordinal;
static uint64_t ordinals; /* handed out */

uint32_t
mmi_ordinal_next(void)
{
	return (uint32_t)(FETCH_ADD(&ordinals, 1) % (MMI_LIVE_NOBODY - 1)) + 1;
}

void
mmi_ordinal_set(struct mmi_thread *t, uint32_t ordinal, uint32_t mine)
{
	t->ordinal = ordinal;
	t->mine = mine;
	t->mark = mmi_live_mark(mine);
	t->marked = t->mark == MMI_LIVE_NO_MARK ? 0 : MMI_LIVE_FIRST_CELLS;
}

void
mmi_ordinal_here(struct mmi_thread *t)
{
#ifdef MEMMON_ACCESS
	mmi_state_enter(t);
#else
	(void)t;
#endif
}

void
mmi_ordinal_new(struct mmi_thread *t)
{
	mmi_ordinal = mmi_ordinal_next();
	mmi_ordinal_set(t, mmi_ordinal, mmi_ordinal);
	mmi_ordinal_here(t);
}
