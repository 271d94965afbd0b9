/* SPDX-License-Identifier: MIT */
/* What the loader has mapped. */
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
look(bool first)
{
	if (!mmi_peek_begin())
		return false;
	if (!first)
		mmi_modules_survey();
	mmi_bound_look();
#ifdef MEMMON_ACCESS
	if (!first)
		mmi_imports_look();
#endif
	mmi_peek_end();
	return true;
}
#endif

void
mmi_libraries_first(void)
{
#ifndef MEMMON_STATIC
	look(true);
#endif
}

void
mmi_libraries_look(void)
{
#ifndef MEMMON_STATIC
	struct mmi_signal_mask m;
	bool looked = false;

	if (mmi_signal_mask_block(&m)) {
		looked = look(false);
		mmi_signal_mask_unblock(&m);
	}
	(void)looked;
#ifdef MEMMON_ACCESS
	if (!looked)
		mmi_imports_unseen();
#endif
#endif
}
