/* SPDX-License-Identifier: MIT */
/* Snapshots: the table, and how it is thinned out. */
#include "monitor/counts/snapshots.h"

#include <string.h>

#include "monitor/base/thread.h"
#include "monitor/base/wait.h"

#define SNAPSHOTS mmi_shared.snapshots

/* When memory is short, only this many snapshots or more are thinned. */
#define FEW 64u

static uint64_t first_step, step; /* ns; 0: none are taken */
static int taking;		  /* atomic: a thread holds the table */

bool
mmi_snapshots_begin(void)
{
	return mmi_thread_hold(&taking);
}

/* The holder needs little time. */
bool
mmi_snapshots_hold(void)
{
	struct mmi_wait wait = { 0, 0 };

	do
		if (mmi_snapshots_begin())
			return true;
	while (mmi_wait_more(&wait, 20 * MMI_WAIT_MS));
	return false;
}

void
mmi_snapshots_release(void)
{
	mmi_thread_release(&taking);
}

void
mmi_snapshots_init(uint64_t ns)
{
	first_step = step = ns;
	SNAPSHOTS.known = ns != 0;
}

uint64_t
mmi_snapshots_step(void)
{
	return LOAD(&step);
}

uint64_t
mmi_snapshots_place(const struct mmi_snapshot *m, uint64_t n, uint64_t of)
{
	uint64_t low = 0, high = n, middle;

	while (low < high) {
		middle = (low + high) / 2;
		if (m[middle].number < of)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * Does snapshot i of n stay?  The last snapshot of all stays.  In a pair of
 * neighbours the snapshot with a known RSS stays; if both are known, or none,
 * the later one.
 */
static bool
stays(uint64_t i, uint64_t n)
{
	uint64_t other = (n - 1 - i) & 1 ? i + 1 : i - 1;
	const struct mmi_snapshot *of = SNAPSHOTS.snapshot;
	bool knows = of[i].rss != UINT64_MAX;

	if (i == n - 1 || other >= n)
		return true;
	if (other == n - 1)
		return false;
	return knows == (of[other].rss != UINT64_MAX) ? i > other : knows;
}

/* A reader may read the table at any time meanwhile: see shared.h. */
void
mmi_snapshots_thin(void)
{
	uint64_t n = LOAD(&SNAPSHOTS.n), k = 0, before = 0;
	struct mmi_snapshot *of = SNAPSHOTS.snapshot, m;
	static uint64_t keeps[MMI_SNAPSHOTS / 64];

	for (uint64_t i = 0; i < n; i++) {
		keeps[i / 64] &= ~(1ull << i % 64);
		keeps[i / 64] |= (uint64_t)stays(i, n) << i % 64;
	}
	for (uint64_t i = 0; i < n; i++) {
		m = of[i];
		if (m.peak < before)
			m.peak = before;
		before = m.peak;
		if (!(keeps[i / 64] >> i % 64 & 1))
			continue;
		STORE(&of[k].number, 0);
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		memcpy(&of[k].at, &m.at,
		       sizeof(m) - offsetof(struct mmi_snapshot, at));
		STORE_REL(&of[k].number, m.number);
		before = 0;
		k++;
	}
	STORE_REL(&SNAPSHOTS.n, k);
	STORE(&step, step * 2);
}

bool
mmi_snapshots_thin_all(void)
{
	if (SNAPSHOTS.n < FEW)
		return false;
	mmi_snapshots_thin();
	return true;
}

uint64_t
mmi_snapshots_kept(uint64_t of)
{
	uint64_t i = mmi_snapshots_place(SNAPSHOTS.snapshot, SNAPSHOTS.n, of);

	return i < SNAPSHOTS.n ? SNAPSHOTS.snapshot[i].number : of;
}

void
mmi_snapshots_clear(void)
{
	STORE(&taking, 0);
	STORE(&SNAPSHOTS.n, 0);
	STORE(&SNAPSHOTS.known, first_step != 0);
	STORE(&step, first_step);
}
