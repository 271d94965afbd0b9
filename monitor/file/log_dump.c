/* SPDX-License-Identifier: MIT */
/* The log when the data file is written: live blocks. */
#include "monitor/file/log_dump.h"

#include "monitor/base/arena.h"
#include "monitor/counts/cells.h"
#include "monitor/counts/live.h"
#ifdef MEMMON_ACCESS
#include "monitor/file/vtables.h"
#include "monitor/shadow/shadow.h"
#endif
#include "monitor/log/log.h"
#include "monitor/record/record.h"

/* While the log is written; NULL: no memory. */
static struct mmi_log_block *batch;
static uint32_t n;

#define SIZE (MONLOG_BLOCKS_MAX * sizeof(*batch))

static void
flush(void)
{
	if (n)
		mmi_log_chunk(MONLOG_LIVE, batch, n);
	n = 0;
}

static void
live(uintptr_t a, uint64_t entry, void *arg)
{
	uint32_t i = mmi_live_cell(entry);
	struct mmi_timed s = { 0 };
	struct mmi_gone g;

	(void)arg;
	if (mmi_cells_inherited(i))
		return;
	if (entry & MMI_LIVE_TIMED) {
		s = *mmi_timed_at(mmi_live_tail(entry));
	} else {
		mmi_record_known(entry, &g);
		s.size = g.size;
	}
	mmi_log_fill(&batch[n], mmi_cells_at(i), &s, a);
	batch[n].end = 0;
	if (++n == MONLOG_BLOCKS_MAX)
		flush();
}

#ifdef MEMMON_ACCESS
static void
live_shadow(uint64_t granule, uint64_t entry, void *arg)
{
	uintptr_t a = mmi_vtables_address(granule);

	live(a ? a : granule << MEMMON_GRANULE_SHIFT, entry, arg);
}
#endif

static void
live_blocks(void)
{
	batch = mmi_arena_map(SIZE);
	if (!batch)
		return;
	n = 0;
	mmi_live_walk(live, NULL);
#ifdef MEMMON_ACCESS
	mmi_shadow_walk(live_shadow, NULL);
#endif
	flush();
	MMI_ARENA_DROP(batch, SIZE);
}

void
mmi_log_dump(const char *name)
{
	if (!mmi_log_on)
		return;
	mmi_log_flush(name);
	live_blocks();
}
