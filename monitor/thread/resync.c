/* SPDX-License-Identifier: MIT */
/* What threads do when recording has changed. */
#include "monitor/thread/resync.h"

#include <linux/membarrier.h>
#include <string.h>
#include <time.h>

#include "monitor/base/wait.h"
#include "monitor/chain/cached_frames.h"
#include "monitor/counts/history.h"
#include "monitor/thread/control.h"
#include "monitor/thread/ended.h"
#include "monitor/thread/ordinal.h"
#include "monitor/thread/owners.h"

/* The epoch + 1 in which this thread is counted. */
static TLS uint32_t counted;

/* Forget the counts of t's owner from an earlier epoch. */
static COLD void
epoch_begin(struct mmi_thread *t, uint32_t epoch)
{
	memset(&t->pub->count, 0, sizeof(t->pub->count));
	mmi_ended_clear(t);
	memset(t->cells, 0, sizeof(t->cells));
	t->batch.next = t->batch.end = 0;
	/* The cached frames remember cells, too. */
	mmi_frames_clear(t);
	t->pub->delta = 0;
	mmi_history_drop(t);
	if (!t->nested)
		mmi_ordinal_new(t);
	STORE_REL(&t->pub->epoch, epoch);
}

COLD void
mmi_resync(struct mmi_thread *t)
{
	uint32_t epoch, stops;

	/* A thread makes its changes before it asks for attention. */
	STORE(&t->attention, 0);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	epoch = LOAD_ACQ(&mmi_shared.control.epoch);
	if (t->pub->epoch != epoch)
		epoch_begin(t, epoch);
	if (!t->nested && counted != epoch + 1) {
		FETCH_ADD(&mmi_shared.nthreads[epoch & 1], 1);
		counted = epoch + 1;
	}
	/* After a gap the last allocations are unknown. */
	stops = LOAD_ACQ(&mmi_shared.control.stops);
	if (t->stops != stops) {
		memset(t->ring, 0, sizeof(t->ring));
		t->stops = stops;
	}
	if (mmi_control_off() || mmi_thread_frozen())
		STORE(&t->attention, 1);
}

void
mmi_resync_reset(struct mmi_thread *t)
{
	if (UNLIKELY(t->pub->epoch != LOAD_ACQ(&mmi_shared.control.epoch)))
		mmi_resync(t);
}

void
mmi_resync_ask(void)
{
	const struct mmi_thread *t = NULL;

	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	while ((t = mmi_thread_next(t)))
		STORE_REL((int *)&t->attention, 1);
}

void
mmi_resync_prepare(uint32_t next)
{
	mmi_ended_rows_clear(next);
	mmi_owners_clear();
	STORE(&mmi_shared.nthreads[next & 1], 0);
}

/*
 * How long to wait for events; a thread still in one after that must be
 * stopped.
 */
#define EVENTS_MS 100u

void
mmi_resync_wait(void)
{
	const struct mmi_thread *t = NULL;
	uint32_t epoch = LOAD_ACQ(&mmi_shared.control.epoch);
	struct mmi_wait wait = { 0, 0 };

	while ((t = mmi_thread_next(t)))
		while (LOAD_ACQ(&t->busy) &&
		       LOAD_ACQ(&t->pub->epoch) != epoch &&
		       mmi_wait_more(&wait, EVENTS_MS * MMI_WAIT_MS))
			continue;
}

/* How long, in ms, to wait for a thread whose event doesn't end. */
#define EVENT_MS 500

bool
mmi_thread_freeze(void)
{
	const struct mmi_thread *t = NULL, *me = mmi_thread_self();
	const int *none = NULL;
	bool others = false, ended = true;

	if (!CAS(&mmi_thread_alone, &none, &mmi_thread_own_doing))
		return false;
	mmi_resync_ask();
	/*
	 * A thread that enters an event sets `busy' and then checks
	 * `attention', without a fence in between.  The kernel makes a fence in
	 * each running thread: so either this thread sees `busy', or the other
	 * thread sees `attention'.  If the kernel can't, this is nearly certain
	 * after a while.
	 */
	while ((t = mmi_thread_next(t)))
		others |= t != me;
	if (others &&
	    (ARCH_SYS(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED,
		      0, 0, 0, 0, 0) != 0 ||
	     ARCH_SYS(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0, 0,
		      0, 0) != 0))
		mmi_wait_ms(1);
	for (int n = 0; (t = mmi_thread_next(t));) {
		while (t != me && LOAD_ACQ(&t->busy) && n++ < EVENT_MS)
			mmi_wait_ms(1);
		ended &= t == me || !LOAD_ACQ(&t->busy);
	}
	return ended;
}

void
mmi_thread_thaw(void)
{
	const int *me = &mmi_thread_own_doing;

	CAS(&mmi_thread_alone, &me, NULL);
}

uint64_t
mmi_thread_count(void)
{
	return LOAD(
		&mmi_shared.nthreads[LOAD_ACQ(&mmi_shared.control.epoch) & 1]);
}

void
mmi_thread_counted(uint64_t n)
{
	mmi_shared.nthreads[mmi_shared.control.epoch & 1] = n;
	counted = (uint32_t)n * (mmi_shared.control.epoch + 1);
}
