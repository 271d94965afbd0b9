/* SPDX-License-Identifier: MIT */
/* Threads, when recording has changed. */
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

/* Where this thread is counted, its epoch + 1. */
static TLS uint32_t counted;

/* t's owner has none of the counts of an epoch that is past. */
static COLD void
epoch_begin(struct mmi_thread *t, uint32_t epoch)
{
	memset(&t->pub->count, 0, sizeof(t->pub->count));
	mmi_ended_clear(t);
	memset(t->cells, 0, sizeof(t->cells));
	t->batch.next = t->batch.end = 0;
	/* They remember cells, too. */
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

	/* Who changes something does so before he asks for attention. */
	STORE(&t->attention, 0);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	epoch = LOAD_ACQ(&mmi_shared.control.epoch);
	if (t->pub->epoch != epoch)
		epoch_begin(t, epoch);
	if (!t->nested && counted != epoch + 1) {
		FETCH_ADD(&mmi_shared.nthreads[epoch & 1], 1);
		counted = epoch + 1;
	}
	/* Which were the last allocations can't be told after a gap. */
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

/* How long to wait for events: who is in one after that must be stopped. */
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

/* For so many ms, who is in an event that doesn't end. */
#define EVENT_MS 100

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
	 * Who enters an event says so and then looks for attention, with no
	 * fence in between: the kernel makes one in each thread that runs, so
	 * what it said is seen here, or else it sees that it is called.  Where
	 * the kernel doesn't, after a while that is nearly sure.
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
