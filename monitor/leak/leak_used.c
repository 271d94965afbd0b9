/* SPDX-License-Identifier: MIT */
/* With recorded accesses: was a block ever read, and when was it used? */
#include "monitor/leak/leak_graph.h"

#ifdef MEMMON_ACCESS

#include "monitor/shadow/clock.h"
#include "monitor/shadow/read_shadow.h"

/* mmi_used_of() answers for the time of the copy. */
bool
mmi_used_begin(void)
{
	return mmi_shadow.blocks && mmi_ranges_hold();
}

bool
mmi_used_of(const struct mmi_leak_block *b, struct mmi_graph_use *u)
{
	uint64_t i = mmi_shadow_granule(b->start), info;
	struct mmi_found f;

	*u = (struct mmi_graph_use){ 0, 0 };
	if (!b->size || !(LOAD(&mmi_shadow.blocks[i]) & MMI_SHADOW_START) ||
	    !(LOAD(&mmi_shadow.blocks[i + 1]) & MMI_SHADOW_INFO))
		return false;
	mmi_ranges_settle(i, mmi_shadow_granules(b->size));
	info = LOAD(&mmi_shadow.blocks[i + 1]);
	mmi_shadow_read(&f, i, b->size, info, NULL, false);
	if (f.handed)
		return false;
	u->unread = f.reads ? 0 : b->size;
	if (f.last)
		u->last = mmi_clock_units(f.last) * MMI_CLOCK_UNIT;
	return true;
}

#else

bool
mmi_used_begin(void)
{
	return false;
}

bool
mmi_used_of(const struct mmi_leak_block *b, struct mmi_graph_use *u)
{
	(void)b;
	(void)u;
	return false;
}

#endif
