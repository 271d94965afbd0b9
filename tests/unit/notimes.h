/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests of parts of the monitor: no heap over time. */
#ifndef MEMMON_TESTS_UNIT_NOTIMES_H
#define MEMMON_TESTS_UNIT_NOTIMES_H

#include "monitor/counts/history.h"
#include "monitor/counts/snapshots.h"
#include "monitor/file/history_put.h"
#include "monitor/file/snapshots_put.h"
#include "monitor/record/times.h"

uint64_t mmi_times_due = UINT64_MAX;

void
mmi_times_take(uint64_t now, bool must)
{
	(void)now;
	(void)must;
}

void
mmi_snapshots_put_begin(void)
{
}

void
mmi_history_note(struct mmi_thread *t, struct mmi_cell *c)
{
	(void)t;
	(void)c;
}

uint64_t
mmi_snapshots_step(void)
{
	return 0;
}

void
mmi_history_forget(uint32_t first)
{
	(void)first;
}

void
mmi_history_drop(struct mmi_thread *t)
{
	(void)t;
}

void
mmi_history_put_begin(struct mmi_emit *o)
{
	(void)o;
}

void
mmi_history_put_cell(const struct mmi_cell *c, uint64_t site, uint64_t thread,
		     uint64_t size, const struct mmi_cell_counts *r)
{
	(void)c;
	(void)site;
	(void)thread;
	(void)size;
	(void)r;
}

void
mmi_history_put_new(uint64_t site, uint64_t size,
		    const struct mmi_cell_counts *r)
{
	(void)site;
	(void)size;
	(void)r;
}

void
mmi_history_put_lost(void)
{
}

uint64_t
mmi_history_put_end(void)
{
	return 0;
}

void
mmi_times_before(struct mmi_thread *t, uint64_t now)
{
	(void)t;
	(void)now;
}

#endif
