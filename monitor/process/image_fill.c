/* SPDX-License-Identifier: MIT */
/* The initial contents of a new image. */
#include "monitor/base/sampling.h"
#include "monitor/chain/modules.h"
#include "monitor/chain/sites.h"
#include "monitor/counts/cells.h"
#include "monitor/counts/history.h"
#include "monitor/image/image_file.h"
#include "monitor/leak/leak.h"
#include "monitor/record/record.h"
#include "monitor/record/types.h"
#include "monitor/thread/enter.h"

void
mmi_image_describe(struct monimg_header *h)
{
	h->cell_size = sizeof(struct mmi_cell);
	h->extra_size = sizeof(struct mmi_extra);
	h->fate_size = sizeof(struct mmi_fate);
	h->figures = MONOUT_NFIGURE;
	h->lives_size = sizeof(struct mmi_lives);
	h->depth = mmi_thread_depth();
	h->leaks = mmi_leak_wanted();
	h->timing = mmi_record_timed();
	h->sample = mmi_sample_rate;
	/* Notes from before the image stay outside. */
	h->outside_notes = mmi_history_any();
}

void
mmi_image_fill(bool again)
{
	if (again)
		mmi_sites_unlog();
	mmi_modules_share();
	mmi_types_share();
	mmi_thread_share(mmi_cells_share(mmi_thread_self()));
}
