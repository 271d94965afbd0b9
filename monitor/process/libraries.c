/* SPDX-License-Identifier: MIT */
/* The libraries that the loader has mapped. */
#include "monitor/process/libraries.h"

#ifdef MEMMON_ACCESS
#include "monitor/access/imports.h"
#endif
#include "monitor/base/bound.h"
#include "monitor/base/peek.h"
#include "monitor/chain/modules.h"
#include "monitor/image/signal_mask.h"

#ifndef MEMMON_STATIC
static bool
look(bool all)
{
	if (!mmi_peek_begin())
		return false;
	if (all)
		mmi_modules_survey();
	mmi_bound_look();
#ifdef MEMMON_ACCESS
	mmi_imports_look();
#endif
	mmi_peek_end();
	return true;
}

static void
look_masked(bool all)
{
	struct mmi_signal_mask m;
	bool looked = false;

	if (mmi_signal_mask_block(&m)) {
		looked = look(all);
		mmi_signal_mask_unblock(&m);
	}
	(void)looked;
#ifdef MEMMON_ACCESS
	if (!looked)
		mmi_imports_unseen();
#endif
}
#endif

void
mmi_libraries_first(void)
{
#ifndef MEMMON_STATIC
	if (!mmi_peek_begin())
		return;
	mmi_bound_look();
	mmi_peek_end();
#endif
}

void
mmi_libraries_look(void)
{
#ifndef MEMMON_STATIC
	look_masked(true);
#endif
}

void
mmi_libraries_closing(void)
{
#ifndef MEMMON_STATIC
	look_masked(false);
#endif
}
