/* SPDX-License-Identifier: MIT */
/* Switches recording off and on; resets counts. */
#include "monitor/process/recording.h"

#include <errno.h>
#include <signal.h>
#include <sys/single_threaded.h>
#include <time.h>

#include "monitor/base/mask.h"
#include "monitor/base/pass.h"
#include "monitor/base/process.h"
#include "monitor/counts/bins.h"
#include "monitor/counts/cells.h"
#include "monitor/counts/heap.h"
#include "monitor/counts/history.h"
#include "monitor/file/marks.h"
#include "monitor/file/out.h"
#include "monitor/image/image.h"
#include "monitor/leak/leak.h"
#include "monitor/memmon.h"
#include "monitor/record/event.h"
#include "monitor/record/sample.h"
#include "monitor/record/times.h"
#include "monitor/thread/control.h"
#include "monitor/thread/enter.h"
#include "monitor/thread/resync.h"
#ifdef MEMMON_ACCESS
#include "monitor/use/use.h"
#endif

bool
mmi_recording_stop(void)
{
	uint64_t on = 0;

	if (!CAS(&mmi_shared.control.off, &on,
		 mmi_process_clock(CLOCK_MONOTONIC)))
		return false;
	STORE(&mmi_shared.control.gaps, true);
	FETCH_ADD(&mmi_shared.control.stops, 1);
	mmi_resync_ask();
	mmi_sample_pause(true);
	return true;
}

bool
mmi_recording_start(void)
{
	uint64_t since = LOAD_ACQ(&mmi_shared.control.off);

	do
		if (!since)
			return true;
	while (!CAS(&mmi_shared.control.off, &since, 0));
	FETCH_ADD(&mmi_shared.off_total,
		  mmi_process_clock(CLOCK_MONOTONIC) - since);
	mmi_sample_pause(false);
	return false;
}

/*
 * Events that begin from now on count from 0.  First come the places that they
 * add to, then the epoch, which starts them.  The counts that all threads share
 * come last, when no thread adds to the old ones any more.
 */
static void
reset(void)
{
	uint32_t next = mmi_shared.control.epoch + 1;

	mmi_bins_clear(next);
	mmi_resync_prepare(next);
	STORE(&mmi_shared.control.gaps, true);
	__atomic_store_n(&mmi_shared.control.epoch, next, __ATOMIC_SEQ_CST);
	mmi_cells_reset();
	mmi_resync_ask();
	mmi_resync_wait();
	mmi_heap_reset(next);
	mmi_times_clear();
	mmi_history_reset();
	mmi_event_fork();
	mmi_marks_clear();
	mmi_leak_forget();
	mmi_sample_reset();
#ifdef MEMMON_ACCESS
	mmi_use_reset();
#endif
}

/*
 * False: another thread resets, or writes a file.  Signals are blocked, so that
 * a signal that ends the process finds a file that can be written.
 */
static bool
reset_now(void)
{
	struct mmi_mask mask;
	uint64_t now;
	bool ok;

	mmi_mask_block(&mask, MMI_MASK_MOST);
	ok = mmi_out_hold();
	if (ok) {
		now = mmi_process_clock(CLOCK_MONOTONIC);
		reset();
		STORE(&mmi_shared.reset_at, now);
		mmi_control_times_begin(now);
		mmi_out_release();
	}
	mmi_mask_restore(&mask);
	return ok;
}

COLD void
mmi_control_waiting(void)
{
	if (!SWAP(&mmi_shared.control.waits, 0) || reset_now())
		return;
	STORE(&mmi_shared.control.waits, 1);
	mmi_resync_ask();
}

void
mmi_recording_begin(void)
{
	reset();
	STORE(&mmi_shared.control.gaps, true);
}

void
mmi_recording_begin_off(void)
{
	mmi_recording_begin();
	STORE(&mmi_shared.control.off, mmi_process.mono | 1);
	mmi_resync_ask();
	mmi_sample_pause(true);
}

EXPORT int
memmon_start(void)
{
	int e = errno, was;

	PASS(memmon_start);
	if (mmi_thread_stopped())
		return -1;
	was = mmi_recording_start();
	errno = e;
	return was;
}

EXPORT int
memmon_stop(void)
{
	int e = errno, was;

	PASS(memmon_stop);
	if (mmi_thread_stopped())
		return -1;
	was = mmi_recording_stop();
	errno = e;
	return was;
}

void
mmi_recording_forget(bool blocks)
{
#ifdef MEMMON_ACCESS
	/* The cells also contain how blocks were used. */
	(void)blocks;
#else
	struct mmi_mask mask;

	mmi_mask_block(&mask, MMI_MASK_MOST);
	if (mmi_out_hold()) {
		mmi_cells_forget(blocks);
		mmi_history_forget(mmi_shared.cells_first);
		mmi_image_forget();
		mmi_out_release();
	}
	mmi_mask_restore(&mask);
#endif
}

EXPORT int
memmon_reset(void)
{
	const struct mmi_thread *me = mmi_thread_self();
	int e = errno;
	bool ok = true;

	PASS(memmon_reset);
	if (mmi_thread_stopped())
		return -1;
	/* A signal handler interrupted an event, which must end as it began. */
	if (me && me->busy) {
		STORE(&mmi_shared.control.waits, 1);
		mmi_resync_ask();
	} else {
		ok = reset_now();
		/* With one thread no event can be open. */
		if (ok && __libc_single_threaded && !mmi_process.attached)
			mmi_recording_forget(false);
	}
	errno = e;
	return ok ? 0 : -1;
}
