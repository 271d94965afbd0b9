/* SPDX-License-Identifier: MIT */
/* The table of threads of the data file. */
#include "monitor/file/thread_totals.h"

#include <string.h>
#include <sys/prctl.h>

#include "monitor/base/process.h"
#include "monitor/base/put.h"
#include "monitor/thread/ended.h"
#include "monitor/thread/owners.h"
#include "monitor/thread/resync.h"

static void
put_thread(struct mmi_emit *o, struct mmi_tables_sums *s, bool main,
	   uint64_t threads, const char *name, struct mmi_done *d)
{
	size_t n = 0;

	mmi_ended_settle(d);
	while (n < 16 && name[n])
		n++;
	/* A thread that borrowed a struct for its events also counts as one. */
	mmi_put_thread(o, &(struct monrec_thread){
				  .flags = main ? MONOUT_TH_MAIN : 0,
				  .threads = threads ? threads : 1,
				  .name = name,
				  .namelen = n,
				  .allocs = d->allocs,
				  .bytes = d->bytes,
				  .frees = d->frees,
				  .freed = d->freed,
				  .of_others = d->of_others });
	s->threads++;
}

/* The name of a thread of this process; "" if it is unknown. */
static void
thread_name(long tid, char name[16])
{
	long len;

	name[0] = '\0';
	if (tid == ARCH_SYS(SYS_gettid, 0, 0, 0, 0, 0, 0)) {
		ARCH_SYS(SYS_prctl, PR_GET_NAME, name, 0, 0, 0, 0);
		mmi_thread_rename(name);
		return;
	}
	len = mmi_process_file("/proc/self/task/", tid, "/comm", name, 16);
	if (len > 0 && name[len - 1] == '\n')
		name[len - 1] = '\0';
	mmi_thread_rename(name);
}

/* The totals of t's owner. */
static void
running_done(const struct mmi_thread *t, struct mmi_done *d)
{
	const struct mmi_pub *p = t->pub;

	memset(d, 0, sizeof(*d));
	mmi_ended_add(d, &p->done, LOAD(&p->seq) - LOAD(&p->seq_first));
	mmi_ended_add(d, &p->handlers, 0);
}

/*
 * The rows, with the totals of running threads that continue a row's counter
 * owner; `joined': which threads these are, by their structs.
 */
static struct mmi_thread_row ended_rows[MMI_THREAD_ROWS];
static uint64_t joined[(1u << 16) / 64];

static inline uint64_t
joined_bit(const struct mmi_thread *t)
{
	return 1ull << t->index % 64;
}

/* A thread that ends meanwhile is in no row, or in one row once. */
static void
rows_read(void)
{
	const struct mmi_thread *t = NULL;
	long pid = ARCH_SYS(SYS_getpid, 0, 0, 0, 0, 0, 0), tid;
	struct mmi_done d;
	char name[16];
	int row;

	for (unsigned i = 0; i < MMI_THREAD_ROWS; i++)
		ended_rows[i] = *mmi_ended_row(i);
	memset(joined, 0, sizeof(joined));
	while ((t = mmi_thread_next_now(t))) {
		tid = LOAD(&t->pub->tid);
		row = mmi_owners_row_before(t);
		if (!tid || row < 0)
			continue;
		thread_name(tid, name);
		if (!mmi_ended_is(&ended_rows[row], name, tid == pid))
			continue;
		running_done(t, &d);
		mmi_ended_add(&ended_rows[row].done, &d, 0);
		ended_rows[row].threads++;
		joined[t->index / 64] |= joined_bit(t);
	}
}

static void
put_running(struct mmi_emit *o, struct mmi_tables_sums *s, bool main)
{
	const struct mmi_thread *t = NULL;
	long pid = ARCH_SYS(SYS_getpid, 0, 0, 0, 0, 0, 0), tid;
	struct mmi_done d;
	char name[16];

	while ((t = mmi_thread_next_now(t))) {
		tid = LOAD(&t->pub->tid);
		if (!tid || (tid == pid) != main ||
		    joined[t->index / 64] & joined_bit(t))
			continue;
		thread_name(tid, name);
		running_done(t, &d);
		mmi_owners_item(t, s->threads);
		put_thread(o, s, main, 1, name, &d);
	}
}

void
mmi_thread_totals_put(struct mmi_emit *o, struct mmi_tables_sums *s)
{
	struct mmi_thread_row *r;

	mmi_owners_items_begin();
	mmi_emit_table(o, MONOUT_THREADS, 0);
	rows_read();
	put_running(o, s, true);
	for (r = ended_rows; r < &ended_rows[MMI_THREAD_ROWS]; r++) {
		if (r->state != 2)
			continue;
		mmi_owners_item_row((unsigned)(r - ended_rows), s->threads);
		put_thread(o, s, r->main, r->threads, r->name, &r->done);
	}
	put_running(o, s, false);
	mmi_emit_flush(o);
	mmi_owners_items_end();
}
