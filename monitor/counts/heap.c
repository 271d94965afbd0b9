/* SPDX-License-Identifier: MIT */
/* Live bytes and their peak. */
#include "monitor/counts/heap.h"

#include <string.h>
#include <time.h>

#include "monitor/base/process.h"

static uint32_t heap_epoch; /* whose threads may add to the counts */

void
mmi_heap_peak(uint64_t now)
{
	mmi_heap_peak_here(now);
}

COLD void
mmi_heap_peak_ends(void)
{
	STORE(&mmi_shared.heap.fresh, 0);
	STORE(&mmi_shared.heap.timed, LOAD(&mmi_shared.heap.peak));
	STORE(&mmi_shared.heap.peak_at, mmi_process_clock(CLOCK_MONOTONIC));
}

COLD void
mmi_heap_spread(void)
{
	STORE(&mmi_shared.heap.spread, 1);
}

void
mmi_heap_flush(struct mmi_thread *t)
{
	int64_t d = t->pub->delta;

	if (!d)
		return;
	if (UNLIKELY(t->pub->epoch != LOAD_ACQ(&heap_epoch))) {
		/* The thread's epoch is from before the reset, or begins only
		 * now. */
		if (t->pub->epoch != LOAD_ACQ(&mmi_shared.control.epoch))
			t->pub->delta = 0;
		return;
	}
	t->pub->delta = 0;
	if (d < 0)
		mmi_heap_top();
	mmi_heap_peak(FETCH_ADD(&mmi_shared.heap.live, (uint64_t)d) +
		      (uint64_t)d);
}

void
mmi_heap_read(struct mmi_heap_state *s)
{
	const struct mmi_thread *t = NULL;
	uint64_t threads = 0, live = LOAD(&mmi_shared.heap.live);

	while ((t = mmi_thread_next_now(t))) {
		live += (uint64_t)LOAD(&t->pub->delta);
		threads++;
	}
	s->peak = LOAD(&mmi_shared.heap.peak);
	s->peaks = LOAD(&mmi_shared.heap.peaks) & MMI_HEAP_PEAKS;
	s->peak_at = LOAD(&mmi_shared.heap.fresh)
			     ? 0
			     : LOAD(&mmi_shared.heap.peak_at);
	/* Threads have not reported it yet: this is the peak. */
	if ((int64_t)live > (int64_t)s->peak) {
		s->peak = live;
		s->peaks++;
		s->peak_at = 0;
	}
	s->slack = LOAD(&mmi_shared.heap.spread)
			   ? threads * (uint64_t)MMI_HEAP_SPREAD
			   : 0;
}

uint64_t
mmi_heap_high(uint64_t live)
{
	uint64_t now, high;

	mmi_heap_top();
	now = LOAD(&mmi_shared.heap.live);
	/* The threads' differences may make the live bytes more or less. */
	high = SWAP(&mmi_shared.heap.high, (int64_t)now > 0 ? now : 0);
	return (int64_t)high > (int64_t)live ? high : live;
}

uint64_t
mmi_heap_snapshot(void)
{
	uint64_t one = 1ull << MMI_HEAP_SNAPSHOT;

	return (FETCH_ADD(&mmi_shared.heap.peaks, one) + one) >>
	       MMI_HEAP_SNAPSHOT;
}

void
mmi_heap_fork(void)
{
	memset(&mmi_shared.heap, 0, sizeof(mmi_shared.heap));
	heap_epoch = mmi_shared.control.epoch;
}

void
mmi_heap_reset(uint32_t epoch)
{
	STORE(&mmi_shared.heap.live, 0);
	STORE(&mmi_shared.heap.peak, 0);
	STORE(&mmi_shared.heap.high, 0);
	STORE(&mmi_shared.heap.timed, 0);
	STORE(&mmi_shared.heap.peak_at, 0);
	STORE(&mmi_shared.heap.fresh, 0);
	/* No earlier cell is right about the peak now. */
	FETCH_ADD(&mmi_shared.heap.peaks, 1);
	STORE_REL(&heap_epoch, epoch);
}
