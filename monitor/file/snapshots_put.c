/* SPDX-License-Identifier: MIT */
/* Snapshots, put into the file. */
#include "monitor/file/snapshots_put.h"

#include <string.h>

#include "monitor/base/process.h"
#include "monitor/base/put.h"
#include "monitor/base/sampling.h"
#include "monitor/counts/snapshots.h"
#include "monitor/record/times.h"
#include "monitor/thread/ended.h"

#define SNAPSHOTS mmi_shared.snapshots

/* The snapshots when writing began. */
static struct mmi_snapshot snapshots[MMI_SNAPSHOTS];
static uint64_t nsnapshots, high; /* high: the peak since the last snapshot */

void
mmi_snapshots_put_begin(void)
{
	uint64_t n, last = 0;
	bool mine = mmi_snapshots_hold();

	n = LOAD_ACQ(&SNAPSHOTS.n);
	high = LOAD(&mmi_shared.heap.high);
	nsnapshots = 0;
	for (uint64_t i = 0; i < n; i++) {
		snapshots[nsnapshots] = SNAPSHOTS.snapshot[i];
		if (snapshots[nsnapshots].number > last)
			last = snapshots[nsnapshots++].number;
	}
	if (mine)
		mmi_snapshots_release();
}

uint64_t
mmi_snapshots_put_place(uint64_t of)
{
	return mmi_snapshots_place(snapshots, nsnapshots, of);
}

/* Not more than at the end: other threads may not have counted all yet. */
static void
cut_snapshot(struct mmi_snapshot *m, const struct mmi_snapshot *end)
{
	if (m->allocs > end->allocs)
		m->allocs = end->allocs;
	if (m->bytes > end->bytes)
		m->bytes = end->bytes;
	if (m->frees > end->frees)
		m->frees = end->frees;
	if (m->freed > end->freed)
		m->freed = end->freed;
}

/* Items of a record contain differences to the item before. */
static void
put_snapshot(struct mmi_emit *o, const struct mmi_snapshot *m)
{
	static struct mmi_snapshot last;

	if (!mmi_emit_room(o, 7 * MMI_EMIT_NUMBER))
		memset(&last, 0, sizeof(last));
	mmi_put_snapshot(o,
			 &(struct monrec_snapshot){
				 m->at - last.at, m->allocs - last.allocs,
				 m->bytes - last.bytes, m->frees - last.frees,
				 m->freed - last.freed, m->peak, m->rss + 1 });
	last = *m;
}

uint64_t
mmi_snapshots_put(struct mmi_emit *o, const struct mmi_tables_count *sum,
		  uint64_t length)
{
	struct mmi_snapshot end = { .at = length };
	struct mmi_done d = { .allocs = sum->allocs,
			      .bytes = sum->bytes,
			      .frees = sum->frees,
			      .freed = sum->freed };
	struct mmi_snapshot *m;

	if (!SNAPSHOTS.known)
		return 0;
	/* With sampling, snapshots are estimates. */
	if (mmi_sample_on() && !mmi_ended_sum(&d))
		return 0;
	mmi_times_clamp(&d);
	end.allocs = d.allocs;
	end.bytes = d.bytes;
	end.frees = d.frees;
	end.freed = d.freed;
	end.peak = LOAD(&mmi_shared.heap.high);
	if (end.peak < high)
		end.peak = high;
	if (end.peak < end.bytes - end.freed)
		end.peak = end.bytes - end.freed;
	end.rss = mmi_times_resident();
	mmi_emit_table(o, MONOUT_SNAPSHOTS, 0);
	for (m = snapshots; m < &snapshots[nsnapshots]; m++) {
		m->at -= mmi_process.mono;
		cut_snapshot(m, &end);
		put_snapshot(o, m);
	}
	/* A snapshot may have been taken after `length' was. */
	if (nsnapshots && m[-1].at > length)
		end.at = m[-1].at;
	put_snapshot(o, &end);
	mmi_emit_flush(o);
	return nsnapshots + 1;
}
