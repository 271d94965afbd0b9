/* SPDX-License-Identifier: MIT */
/* The totals of threads that have ended. */
#include "monitor/thread/ended.h"

#include <string.h>
#include <sys/prctl.h>

#include "monitor/thread/owners.h"

/* Rows below this are for one thread each, while there are free ones. */
#define SINGLE_ROWS (MMI_THREAD_ROWS / 2)

bool
mmi_ended_is(const struct mmi_thread_row *r, const char *name, bool main)
{
	return LOAD_ACQ(&r->state) == 2 && r->main == main &&
	       strcmp(r->name, name) == 0;
}

/* Is the row for threads of this name?  A free row becomes one. */
static bool
row_fits(struct mmi_thread_row *r, const char *name, bool main)
{
	int none = 0;

	if (CAS(&r->state, &none, 1)) {
		memcpy(r->name, name, sizeof(r->name));
		r->main = main;
		STORE_REL(&r->state, 2);
		return true;
	}
	return mmi_ended_is(r, name, main);
}

/*
 * A row for a thread that has ended.  again: the thread already has one;
 * before: the row of the threads whose counter owner it continued, or -1.
 */
static struct mmi_thread_row *
row_find(struct mmi_thread_row *of, const char *name, bool main, bool again,
	 int before)
{
	static const char rest[16] = "(others)";
	struct mmi_thread_row *r = of;

	if (before >= 0 && mmi_ended_is(&of[before], name, main))
		return &of[before];
	for (; r < &of[SINGLE_ROWS]; r++)
		if (again ? mmi_ended_is(r, name, main)
			  : LOAD(&r->state) == 0 && row_fits(r, name, main))
			return r;
	for (; r < &of[MMI_THREAD_ROWS - 1]; r++)
		if (row_fits(r, name, main))
			return r;
	/* The last row is for all threads that fit no other row. */
	row_fits(r, rest, false);
	return r;
}

void
mmi_ended_clear(struct mmi_thread *t)
{
	memset(&t->pub->done, 0, sizeof(t->pub->done));
	memset(&t->pub->handlers, 0, sizeof(t->pub->handlers));
	/* Fractions of blocks: old ones could make a part exceed its whole. */
	memset(t->sample.rest, 0, sizeof(t->sample.rest));
	t->pub->seq_first = t->pub->seq;
}

int mmi_ended_some;

static uint64_t handing, handed; /* how often a move began, and ended */

void
mmi_ended_moving(void)
{
	mmi_thread_internal_begin();
	STORE(&mmi_ended_some, 1);
	FETCH_ADD(&handing, 1);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void
mmi_ended_moved(void)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	FETCH_ADD(&handed, 1);
	mmi_thread_internal_end();
}

void
mmi_ended_fork(void)
{
	handing = handed = 0;
}

static void
sum_frees(struct mmi_done *sum, const struct mmi_done *d)
{
	sum->frees += LOAD(&d->frees);
	sum->freed += LOAD(&d->freed);
}

static void
sum_allocs(struct mmi_done *sum, const struct mmi_done *d)
{
	sum->allocs += LOAD(&d->allocs);
	sum->bytes += LOAD(&d->bytes);
}

/* In rows i to end, the used rows come first. */
static void
sum_rows(struct mmi_done *sum, unsigned i, unsigned end,
	 void (*add)(struct mmi_done *, const struct mmi_done *))
{
	const struct mmi_thread_row *r;

	for (; i < end; i++) {
		r = mmi_ended_row(i);
		if (!LOAD_ACQ(&r->state))
			break;
		add(sum, &r->done);
	}
}

/* Add up all rows of either kind. */
static void
sum_all(struct mmi_done *sum,
	void (*add)(struct mmi_done *, const struct mmi_done *))
{
	const struct mmi_thread *t = NULL;

	sum_rows(sum, 0, SINGLE_ROWS, add);
	sum_rows(sum, SINGLE_ROWS, MMI_THREAD_ROWS, add);
	while ((t = mmi_thread_next_now(t))) {
		add(sum, &t->pub->done);
		add(sum, &t->pub->handlers);
	}
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

bool
mmi_ended_sum(struct mmi_done *sum)
{
	uint64_t done = LOAD_ACQ(&handed);
	const struct mmi_thread *t = NULL;

	memset(sum, 0, sizeof(*sum));
	/*
	 * Frees first: each free follows its allocation, so there are no fewer
	 * of these.
	 */
	sum_all(sum, sum_frees);
	sum_all(sum, sum_allocs);
	while ((t = mmi_thread_next_now(t)))
		sum->allocs += LOAD(&t->pub->seq) - LOAD(&t->pub->seq_first);
	mmi_ended_settle(sum);
	return LOAD(&handing) == done;
}

void
mmi_ended_add(struct mmi_done *to, const struct mmi_done *d, uint64_t allocs)
{
	/* This thread may still run: read parts first. */
	FETCH_ADD(&to->of_others, LOAD_ACQ(&d->of_others));
	FETCH_ADD(&to->allocs, LOAD(&d->allocs) + allocs);
	FETCH_ADD(&to->bytes, LOAD(&d->bytes));
	FETCH_ADD(&to->frees, LOAD(&d->frees));
	FETCH_ADD(&to->freed, LOAD(&d->freed));
}

void
mmi_ended_hand_on(struct mmi_thread *t, uint64_t threads)
{
	char name[16] = "";
	struct mmi_thread_row *r;

	if (t->pub->epoch != LOAD_ACQ(&mmi_shared.control.epoch)) {
		mmi_ended_clear(t);
		return;
	}
	ARCH_SYS(SYS_prctl, PR_GET_NAME, name, 0, 0, 0, 0);
	mmi_thread_rename(name);
	r = row_find(mmi_shared.rows[t->pub->epoch & 1], name,
		     ARCH_SYS(SYS_gettid, 0, 0, 0, 0, 0, 0) ==
			     ARCH_SYS(SYS_getpid, 0, 0, 0, 0, 0, 0),
		     !threads, mmi_owners_row_before(t));
	mmi_ended_moving();
	mmi_owners_row(t, (unsigned)(r - mmi_shared.rows[t->pub->epoch & 1]));
	FETCH_ADD(&r->threads, threads);
	mmi_ended_add(&r->done, &t->pub->done, t->pub->seq - t->pub->seq_first);
	mmi_ended_add(&r->done, &t->pub->handlers, 0);
	mmi_ended_clear(t);
	mmi_ended_moved();
}

const struct mmi_thread_row *
mmi_ended_row(unsigned i)
{
	return &mmi_shared.rows[LOAD_ACQ(&mmi_shared.control.epoch) & 1][i];
}

void
mmi_ended_rows_clear(uint32_t epoch)
{
	memset(mmi_shared.rows[epoch & 1], 0, sizeof(mmi_shared.rows[0]));
}
