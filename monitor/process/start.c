/* SPDX-License-Identifier: MIT */
/* The start of the process and of its children, and functions of memmon.h. */

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/single_threaded.h>
#include <time.h>

#include "monitor/base/arena.h"
#include "monitor/base/entered.h"
#include "monitor/base/bound.h"
#include "monitor/base/lookup.h"
#include "monitor/base/next.h"
#include "monitor/base/pass.h"
#include "monitor/base/peek.h"
#include "monitor/base/process.h"
#include "monitor/base/real.h"
#include "monitor/chain/fold.h"
#include "monitor/chain/generated.h"
#include "monitor/chain/modules.h"
#include "monitor/chain/sites.h"
#include "monitor/chain/traced.h"
#include "monitor/costs/costs.h"
#include "monitor/counts/endings.h"
#include "monitor/counts/bins.h"
#include "monitor/counts/cells.h"
#include "monitor/counts/heap.h"
#include "monitor/counts/history.h"
#include "monitor/counts/live.h"
#include "monitor/file/marks.h"
#include "monitor/file/out.h"
#include "monitor/file/tables.h"
#include "monitor/file/vtables.h"
#include "monitor/hooks/hooks.h"
#include "monitor/image/image.h"
#include "monitor/leak/leak.h"
#include "monitor/log/log.h"
#include "monitor/memmon.h"
#include "monitor/process/attached.h"
#include "monitor/process/end.h"
#include "monitor/process/exec.h"
#include "monitor/process/libraries.h"
#include "monitor/process/recording.h"
#include "monitor/process/signals.h"
#include "monitor/process/dump.h"
#include "monitor/record/event.h"
#include "monitor/record/mapped.h"
#include "monitor/record/record.h"
#include "monitor/record/sample.h"
#include "monitor/record/times.h"
#include "monitor/shadow/apart.h"
#include "monitor/store/store.h"
#ifdef MEMMON_ACCESS
#include "monitor/access/recorded.h"
#include "monitor/events/events.h"
#include "monitor/shadow/clock.h"
#include "monitor/shadow/ranges.h"
#include "monitor/shadow/shadow.h"
#include "monitor/use/use.h"
#endif
#include "monitor/thread/control.h"
#include "monitor/thread/enter.h"
#include "monitor/thread/resync.h"
#include "monitor/thread/within.h"

/* Bytes of a log: the default, and the minimum. */
#define LOG_USUAL (256ul << 20)
#define LOG_LEAST (1ul << 20)

extern int __cxa_atexit(void (*)(void *), void *, void *);
extern int __cxa_at_quick_exit(void (*)(void *), void *);

/* MEMMON_LOG: a number of bytes; 1: the default. */
static void
read_log(void)
{
	unsigned long n;

	if (!mmi_process_number("MEMMON_LOG", &n) || !n || mmi_process.secure ||
	    mmi_thread_stopped()) {
		mmi_log_init(0);
		return;
	}
	mmi_log_init(n == 1 ? LOG_USUAL : n < LOG_LEAST ? LOG_LEAST : n);
	/* Every block has a time then. */
	mmi_record_timing(1);
}

/* How many nodes there are before call paths are folded and shortened. */
static void
read_chains(void)
{
	unsigned long n, limit;
	bool limited = mmi_process_number("MEMMON_CHAIN_LIMIT", &limit);

	if (mmi_process_number("MEMMON_FULL_CHAINS", &n)) {
		mmi_fold_from =
			n == 1 || n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
		if (n)
			mmi_sites_limit = UINT32_MAX;
#ifdef MEMMON_ACCESS
		mmi_paths_whole = n != 0;
#endif
	} else if (limited && limit < MMI_SITES_LIMIT) {
		mmi_fold_from = (uint32_t)limit / 16;
	}
	if (limited)
		mmi_sites_limit = !limit || limit > UINT32_MAX
					  ? UINT32_MAX
					  : (uint32_t)limit;
}

static void
read_environment(void)
{
	const char *off;
	unsigned long n;

	if (mmi_process_number("MEMMON_IMAGE", &n) && !n)
		mmi_image_off();
	if (mmi_process_number("MEMMON_MAXMEM", &n))
		mmi_arena_limit(n);
	/* Events recorded before were not samples. */
	if (mmi_sample_begin())
		mmi_recording_begin();
	if (mmi_process_number("MEMMON_TIMING", &n) && !mmi_sample_on())
		mmi_record_timing(n < 65536 ? (unsigned)n : 65536);
	if (!mmi_process_number("MEMMON_TIMELINE", &n) || n == 1)
		mmi_times_init(MMI_TIMES_STEP);
	else
		mmi_times_init(n * 1000);
	read_log();
	if (mmi_process_number("MEMMON_VTABLES", &n))
		mmi_vtables_init(n != 0);
	mmi_leak_init_glibc();
#ifndef MEMMON_STATIC
	mmi_lookup_storage_find();
#endif
	mmi_leak_init();
	if (mmi_process_number("MEMMON_DEPTH", &n) && n)
		mmi_thread_limit(n < MMI_DEPTH_MAX ? (unsigned)n
						   : MMI_DEPTH_MAX);
	read_chains();
	mmi_traced_init(mmi_process_variable("MEMMON_STACKS"));
	if (!mmi_process.secure && !mmi_thread_stopped())
		mmi_dump_init(mmi_process_variable("MEMMON_SIGNAL"));
	mmi_dump_init_every();
	off = mmi_process_variable("MEMMON_OFF");
	if (off && *off && strcmp(off, "0") != 0)
		mmi_recording_begin_off();
}

extern void at_exit(void *) HIDDEN;
extern void at_quick_exit_begins(void *) HIDDEN;
HIDDEN void mmi_start_exits(void *arg, const uintptr_t *sp);
HIDDEN void mmi_start_quick(void *arg, const uintptr_t *sp);
ARCH_ENTERED(at_exit, ".local", mmi_start_exits);
ARCH_ENTERED(at_quick_exit_begins, ".local", mmi_start_quick);

void
mmi_start_exits(void *arg, const uintptr_t *sp)
{
	(void)arg;
	mmi_end_exits();
	mmi_leak_entered(sp);
	mmi_end(MONOUT_E_EXIT, 0);
}

void
mmi_start_quick(void *arg, const uintptr_t *sp)
{
	(void)arg;
	mmi_end_exits();
	mmi_leak_entered(sp);
	mmi_end(MONOUT_E_QUICK, 0);
}

static bool wiped; /* mmi_memory was cleared, in a child */

/* The child leaves its parent's image; maybe it isn't recorded at all. */
static void
fork_begin(void)
{
	mmi_image_fork();
	mmi_process.child = true;
	if (!mmi_process_followed())
		mmi_thread_stop();
}

static void
fork_bins(void)
{
	mmi_bins_clear(mmi_shared.control.epoch);
}

static void
fork_process(void)
{
	mmi_process.forked = true;
	mmi_process_begin();
}

#ifdef MEMMON_ACCESS
static void
fork_ranges(void)
{
	mmi_ranges_fork(!mmi_shadow.shared);
}
#endif

/*
 * The actions in a forked child, in this order.  Each lock that one thread can
 * hold is released by one of these, because that thread may not exist in the
 * child: tests/t/holds.t looks for them.
 */
static void (*const on_fork[])(void) = {
	mmi_live_fork,	  mmi_sites_fork,     mmi_cells_fork,
	mmi_thread_fork,  mmi_event_fork,     mmi_heap_fork,
	mmi_times_clear,  mmi_history_fork,   fork_bins,
	mmi_peek_fork,	  mmi_modules_fork, mmi_generated_fork,
	mmi_out_fork,	    mmi_dump_fork,    mmi_leak_fork,
	mmi_log_fork,	    mmi_end_fork,     fork_process,
	mmi_control_fork,   mmi_sample_fork,  mmi_marks_clear,
	mmi_attached_fork,  mmi_costs_fork,   mmi_mapped_fork,
	mmi_endings_fork,
#ifdef MEMMON_ACCESS
	mmi_use_fork,	  fork_ranges,	      mmi_shadow_fork,
	mmi_clock_fork,	  mmi_events_fork,
#endif
};

/*
 * Until all of this is done, no handler in the child may record anything: it
 * would find its parent's cells.
 */
static void
fork_child(void)
{
	unsigned i = 0;

	mmi_thread_internal_begin();
	/* The child's first event may have done this already. */
	if (!wiped || !mmi_memory.mine)
		for (fork_begin(); i < sizeof(on_fork) / sizeof(*on_fork); i++)
			if (!mmi_thread_stopped())
				on_fork[i]();
	mmi_thread_internal_end();
}

void
mmi_process_forked(void)
{
	if (wiped)
		fork_child();
}

/* See base/next.h. */
int
mmi_next_found(void)
{
	bool sampled;

#ifdef MEMMON_ACCESS
	if (mmi_recorded_not_at_all())
		mmi_shadow_put_off();
	else
		mmi_shadow_init();
#endif
	sampled = mmi_sample_init();
	if (!sampled)
		mmi_costs_init();
	mmi_within_init();
#ifdef MEMMON_ACCESS
	mmi_apart_init();
#endif
	return sampled ? MMI_NEXT_SAMPLED : MMI_NEXT_PLAIN;
}

static void
process_start(int argc, char **argv)
{
	mmi_thread_internal_begin();
	mmi_next_find();
	mmi_process_begin();
#ifndef MEMMON_STATIC
	mmi_process.own = mmi_lookup_program() |
			  (mmi_process_replaced() ? MONOUT_OWN_TOOL : 0);
	mmi_libraries_first();
	/* Code that calls another free() may get any block. */
	if (mmi_process.own & ~MONOUT_OWN_NEW)
		mmi_apart_close();
#endif
	mmi_process.secure = mmi_real_auxval(AT_SECURE) != 0;
	if (mmi_next_monitored()) {
		mmi_thread_stop();
		mmi_function_hooks_pass();
		mmi_pass_find();
	}
	if (mmi_thread_stopped())
		mmi_sample_end();
	mmi_process_look(argc, argv);
	if (!mmi_process_followed()) {
		mmi_thread_stop();
		mmi_sample_end();
	}
	read_environment();
	mmi_modules_init(mmi_process.exe);
	mmi_thread_init();
	pthread_atfork(NULL, NULL, fork_child);
#ifndef MEMMON_STATIC
	__cxa_atexit(at_exit, NULL, NULL);
#endif
	__cxa_at_quick_exit(at_quick_exit_begins, NULL);
	mmi_cxx_init();
	mmi_map_hooks_init();
	mmi_exec_init();
#if !defined(MEMMON_STATIC) && !defined(MEMMON_ACCESS)
	mmi_spawn_init();
#endif
#ifndef MEMMON_STATIC
	mmi_rights_init();
#endif
	/* Signal handlers of a program that already runs stay as they are. */
	if (!mmi_process.attached)
		mmi_signals_init();
	wiped = mmi_image_own();
	if (!mmi_image_start() && mmi_process_writes())
		mmi_store_clear();
	mmi_log_start();
	mmi_costs_start();
	mmi_thread_internal_end();
}

/*
 * Runs early among the constructors.  Exit handlers that are registered first
 * run last.  Without an object, they run after this library's destructors, and
 * so see all libraries' frees.
 */
__attribute__((constructor(101))) static void
process_init(int argc, char **argv, char **envp)
{
	int e = errno;

	(void)envp;
	mmi_attached_loaded();
	if (mmi_process.pid)
		return;
#ifdef MEMMON_MUSL
	mmi_musl_arguments(&argc, &argv);
#endif
	if (mmi_attached_loading())
		mmi_attached_arguments(argc, argv);
	else
		process_start(argc, argv);
	errno = e;
}

#ifdef MMI_ATTACHES
void
mmi_start_attached(int argc, char **argv)
{
	process_start(argc, argv);
}
#endif

#ifdef MEMMON_STATIC
/* A static program's destructors run after all of its exit handlers. */
__attribute__((destructor(101))) static void
process_fini(void)
{
	at_exit(NULL);
}
#endif

EXPORT const char *
memmon_version(void)
{
	return MEMMON_VERSION;
}

EXPORT int
memmon_dump(void)
{
	int e = errno, r;

	PASS(memmon_dump);
	r = mmi_end(MONOUT_E_DUMP, 0);
	errno = r < 0 ? -r : e;
	return r < 0 ? -1 : r;
}

EXPORT int
memmon_totals(struct memmon_totals *t)
{
	struct mmi_tables_sums sum;
	struct mmi_heap_state s;
	const struct mmi_thread *th = NULL;
	uint64_t bytes;

	PASS(memmon_totals, t);
	if (!t)
		return -1;
	memset(t, 0, sizeof(*t));
	mmi_tables_sum(&sum);
	mmi_heap_read(&s);
	mmi_event_read(&t->unrecorded, &bytes);
	t->allocs = sum.count.allocs;
	t->bytes = sum.count.bytes;
	t->frees = sum.count.frees;
	t->freed = sum.count.freed;
	t->live = sum.count.bytes - sum.count.freed;
	t->reallocs = sum.reallocs;
	t->peak = s.peak;
	while ((th = mmi_thread_next_now(th)))
		t->unrecorded += LOAD(&th->pub->count.lost);
	return 0;
}
