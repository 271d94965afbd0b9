/* SPDX-License-Identifier: MIT */
/* The data file's first and last record: facts about the run, and sums. */
#include "monitor/file/out_run.h"

#include <string.h>
#include <sys/utsname.h>

#include "monitor/base/arena.h"
#include "monitor/base/process.h"
#include "monitor/base/rank.h"
#include "monitor/chain/modules.h"
#include "monitor/chain/sites.h"
#include "monitor/counts/cells.h"
#ifdef MEMMON_ACCESS
#include "monitor/file/accesses.h"
#include "monitor/shadow/shadow.h"
#endif
#include "monitor/hooks/collector.h"
#include "monitor/hooks/lisp.h"
#include "monitor/leak/leak.h"
#include "monitor/log/log.h"
#include "monitor/record/event.h"
#include "monitor/record/pool.h"
#include "monitor/record/record.h"
#include "monitor/record/sample.h"
#include "monitor/thread/control.h"
#include "monitor/thread/enter.h"
#include "monitor/thread/resync.h"

static void
put_string(struct mmi_emit *o, unsigned key, const char *s)
{
	mmi_emit_key_bytes(o, key, s, strlen(s));
}

/*
 * Was the monitor attached; the program's own functions of the allocator; Lisp;
 * off times; the last reset.  Zeros are left out.
 */
static void
put_control(struct mmi_emit *o)
{
	struct mmi_control_times t;

	mmi_control_times(&t);
	if (mmi_process.attached)
		mmi_emit_key_number(o, MONOUT_R_ATTACHED, 1);
	if (mmi_process.own)
		mmi_emit_key_number(o, MONOUT_R_OWN, mmi_process.own);
	if (LOAD(&mmi_lisp_on))
		mmi_emit_key_number(o, MONOUT_R_LISP, 1);
	if (mmi_control_off())
		mmi_emit_key_number(o, MONOUT_R_OFF, 1);
	if (t.off)
		mmi_emit_key_number(o, MONOUT_R_OFF_TIME, t.off);
	if (t.reset)
		mmi_emit_key_number(o, MONOUT_R_RESET, t.reset);
}

/* The machine, and the part of a job. */
static void
put_place(struct mmi_emit *o)
{
	const struct mmi_process *p = &mmi_process;
	struct utsname u;

	if (ARCH_SYS(SYS_uname, &u, 0, 0, 0, 0, 0) == 0)
		put_string(o, MONOUT_R_HOST, u.nodename);
	if (p->rank)
		mmi_emit_key_number(o, MONOUT_R_RANK, mmi_rank_number(p->rank));
	if (p->job)
		put_string(o, MONOUT_R_JOB, p->job);
}

void
mmi_out_run(struct mmi_emit *o, int end, int sig, uint64_t length)
{
	const struct mmi_process *p = &mmi_process;

	mmi_emit_table(o, MONOUT_RUN, 0);
	put_string(o, MONOUT_R_PROGRAM, p->exe);
	mmi_emit_key_bytes(o, MONOUT_R_COMMAND, p->command, p->command_len);
	mmi_emit_key_number(o, MONOUT_R_PID, (uint64_t)p->pid);
	mmi_emit_key_number(o, MONOUT_R_PPID, (uint64_t)p->ppid);
	mmi_emit_key_number(o, MONOUT_R_START, p->start);
	mmi_emit_key_number(o, MONOUT_R_LENGTH, length);
	mmi_emit_key_number(o, MONOUT_R_END, (uint64_t)end);
	if (end == MONOUT_E_SIGNAL)
		mmi_emit_key_number(o, MONOUT_R_SIGNAL, (uint64_t)sig);
	mmi_emit_key_number(o, MONOUT_R_THREADS, mmi_thread_count());
	mmi_emit_key_number(o, MONOUT_R_DEPTH, mmi_thread_depth());
	mmi_emit_key_number(o, MONOUT_R_TIMING, mmi_record_timed());
	if (mmi_arena_limited())
		mmi_emit_key_number(o, MONOUT_R_MAXMEM, mmi_arena_limited());
	put_string(o, MONOUT_R_VERSION, MEMMON_VERSION);
	if (p->forked)
		mmi_emit_key_number(o, MONOUT_R_FORKED, 1);
	put_string(o, MONOUT_R_CWD, p->cwd);
	put_place(o);
	put_control(o);
	mmi_leak_run(o);
	mmi_log_run(o);
	if (mmi_sample_on())
		mmi_emit_key_number(o, MONOUT_R_SAMPLE, mmi_sample_rate);
#ifdef MEMMON_ACCESS
	mmi_accesses_run(o);
#endif
	mmi_emit_flush(o);
}

/*
 * When the live bytes were at the peak for the last time, ns after the start;
 * at: ns on the monotonic clock, 0: they still are.
 */
static uint64_t
peak_time(uint64_t at, uint64_t length)
{
	if (!at)
		return length;
	return at > mmi_process.mono ? at - mmi_process.mono : 0;
}

/* Allocations whose call paths have only the innermost frames. */
static uint64_t
cut_allocs(void)
{
	const struct mmi_cell *c;
	uint64_t n = 0;

	for (uint32_t i = 1; i <= mmi_sites_nodes(); i++)
		for (c = mmi_sites_node(i)->cut ? mmi_cells_of(i) : NULL; c;
		     c = mmi_cells_next(c))
			n += LOAD(&c->allocs) - mmi_cell_away(c->extra);
	return n;
}

/* The sum of all threads' counts. */
static struct mmi_counters
thread_totals(void)
{
	struct mmi_counters c = { 0 };
	const struct mmi_thread *t = NULL;

	mmi_event_read(&c.lost, &c.lost_bytes);
	c.cut = cut_allocs();
	while ((t = mmi_thread_next_now(t))) {
		const struct mmi_counters *n = &t->pub->count;

#define SUM(to, n) ((to) += (n))
#define MOST(to, n) ((to) = (n) > (to) ? (n) : (to))
#define X(total, field, how) how(c.field, LOAD(&n->field));
		MONOUT_COUNTERS(X)
#undef X
	}
	return c;
}

static void
put_thread_totals(struct mmi_emit *o)
{
	struct mmi_counters c = thread_totals();
	uint64_t backing, all, bytes;

	if (mmi_sample_on()) {
		mmi_sample_totals(&all, &bytes);
		mmi_emit_key_number(o, MONOUT_T_ALL_ALLOCS, all);
		mmi_emit_key_number(o, MONOUT_T_ALL_BYTES, bytes);
	}
#define X(total, field, how) \
	if (c.field || !MONOUT_IS_RARE(total)) \
		mmi_emit_key_number(o, total, c.field);
	MONOUT_COUNTERS(X)
#undef X
	backing = mmi_pool_backing();
	if (c.pool_allocs || backing)
		mmi_emit_key_number(o, MONOUT_T_POOL_BACKING, backing);
}

/* How much the peak and the sum of its blocks may be wrong. */
static uint64_t
peak_slack(const struct mmi_heap_state *e, uint64_t held)
{
	uint64_t d = e->peak > held ? e->peak - held : held - e->peak;

	return d > e->slack ? d : e->slack;
}

/* A 0 is left out. */
static void
leave_out(uint64_t *n)
{
	if (!*n)
		*n = MONREC_NOT_KNOWN;
}

void
mmi_out_totals(struct mmi_emit *o, struct mmi_tables_sums *s,
	       const struct mmi_heap_state *e, uint64_t length)
{
	mmi_emit_table(o, MONOUT_TOTALS, 0);
#ifdef MEMMON_ACCESS
	mmi_accesses_totals(o, s);
	s->own = mmi_arena_used() + mmi_shadow_used();
#else
	s->own = mmi_arena_used();
#endif
	s->peak = e->peak;
	s->peak_at = peak_time(e->peak_at, length);
	s->peak_slack = peak_slack(e, s->peak_bytes);
	if (!s->vtables_known)
		s->vtables = s->vtables_more = MONREC_NOT_KNOWN;
	if (!s->snapshots)
		s->changes = MONREC_NOT_KNOWN;
	leave_out(&s->marks);
	leave_out(&s->snapshots);
	leave_out(&s->types);
#define X(name, n) \
	if (s->n != MONREC_NOT_KNOWN) \
		mmi_emit_key_number(o, MONOUT_T_##name, s->n);
	MONREC_SUMS(X)
#define S(name, item, items) X(name, items)
	MONREC_TABLES(MONREC_SUMMED)
#undef S
#undef X
#define P(name, item, items) \
	if (s->items) \
		mmi_emit_key_number(o, MONOUT_T_##name, s->items);
	MONREC_TABLES(MONREC_PLAIN)
#undef P
	if (mmi_collector.collections) {
		mmi_emit_key_number(o, MONOUT_T_COLLECTIONS,
				    mmi_collector.collections);
		mmi_emit_key_number(o, MONOUT_T_COLLECTED,
				    mmi_collector.blocks);
	}
	put_thread_totals(o);
	mmi_emit_flush(o);
}
