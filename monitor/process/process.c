/* SPDX-License-Identifier: MIT */
/* The life of the process, and the functions of memmon.h. */
#include "monitor/process/process.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>

#ifdef MEMMON_ACCESS
#include "monitor/access/clock.h"
#include "monitor/access/shadow.h"
#include "monitor/access/use.h"
#endif
#include "monitor/base/arena.h"
#include "monitor/chain/modules.h"
#include "monitor/chain/sites.h"
#include "monitor/file/claim.h"
#include "monitor/file/history.h"
#include "monitor/file/image.h"
#include "monitor/file/log.h"
#include "monitor/file/out.h"
#include "monitor/file/snapshot.h"
#include "monitor/file/tables.h"
#include "monitor/hooks/hooks.h"
#include "monitor/hooks/next.h"
#include "monitor/leak/leak.h"
#include "monitor/memmon.h"
#include "monitor/process/control.h"
#include "monitor/process/marks.h"
#include "monitor/process/renew.h"
#include "monitor/process/signals.h"
#include "monitor/process/thread.h"
#include "monitor/record/bins.h"
#include "monitor/record/cells.h"
#include "monitor/record/event.h"
#include "monitor/record/heap.h"
#include "monitor/record/live.h"
#include "monitor/record/record.h"
#include "monitor/record/sample.h"
#include "monitor/record/times.h"
#include "monitor/record/vtables.h"

#define COMMAND_MAX 16384u

/* Bytes of a log, if it isn't said, and at least. */
#define LOG_USUAL (256ul << 20)
#define LOG_LEAST (1ul << 20)

struct mmi_process mmi_process = {
	.exe = "",
	.cwd = "",
	.pattern = "mon.out",
	.command = "",
};

extern int __cxa_atexit(void (*)(void *), void *, void *);
extern int __cxa_at_quick_exit(void (*)(void *), void *);

static int ended; /* exit() or quick_exit() wrote the file */

static long
process_pid(void)
{
	return ARCH_SYS(SYS_getpid, 0, 0, 0, 0, 0, 0);
}

static uint64_t still; /* ns; not 0: the clock can't be read any more */

void
mmi_process_clock_stop(bool stop)
{
	STORE(&still, stop ? mmi_process_clock(CLOCK_MONOTONIC) : 0);
}

uint64_t
mmi_process_clock(clockid_t id)
{
	struct timespec ts = { 0, 0 };
	int e = errno;

	if (UNLIKELY(LOAD(&still)))
		return LOAD(&still);
	/* With accesses it may be our own, which isn't ready at first. */
	if (UNLIKELY(clock_gettime(id, &ts) != 0)) {
		errno = e;
		ARCH_SYS(SYS_clock_gettime, id, &ts, 0, 0, 0, 0);
	}
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

static void
process_begin(void)
{
	mmi_process.pid = process_pid();
	mmi_process.ppid = ARCH_SYS(SYS_getppid, 0, 0, 0, 0, 0, 0);
	mmi_process.start = mmi_process_clock(CLOCK_REALTIME);
	mmi_process.mono = mmi_process_clock(CLOCK_MONOTONIC);
}

/* The arguments as they are now: the program may overwrite them. */
static void
command_copy(int argc, char **argv)
{
	char *to = mmi_arena_map(COMMAND_MAX);
	size_t used = 0, n;

	if (!to)
		return;
	for (int i = 0; i < argc && argv[i]; i++) {
		n = strlen(argv[i]) + 1;
		if (n > COMMAND_MAX - used)
			break;
		memcpy(to + used, argv[i], n);
		used += n;
	}
	mmi_process.command = to;
	mmi_process.command_len = used;
}

/* A copy of an environment variable, which the program may change. */
static const char *
env_copy(const char *name, const char *otherwise)
{
	const char *v = getenv(name);
	size_t n;
	char *to;

	if (!v || !*v)
		return otherwise;
	n = strlen(v) + 1;
	to = mmi_arena_map(n);
	if (!to)
		return otherwise;
	memcpy(to, v, n);
	return to;
}

/* A path that a system call gives without ending it: "" when it can't. */
static const char *
path_copy(bool exe)
{
	char *to = mmi_arena_map(PATH_MAX);
	long n;

	if (!to)
		return "";
	if (exe)
		n = ARCH_SYS(SYS_readlink, "/proc/self/exe", to, PATH_MAX - 1,
			     0, 0, 0);
	else
		n = ARCH_SYS(SYS_getcwd, to, PATH_MAX, 0, 0, 0, 0);
	if (n < 0)
		to[0] = '\0';
	return to;
}

bool
mmi_process_number(const char *name, unsigned long *n)
{
	const char *v = getenv(name);
	char *end;

	if (!v || *v < '0' || *v > '9')
		return false;
	*n = strtoul(v, &end, 10);
	switch (*end) {
	case 'k':
	case 'K':
		*n <<= 10;
		end++;
		break;
	case 'm':
	case 'M':
		*n <<= 20;
		end++;
		break;
	case 'g':
	case 'G':
		*n <<= 30;
		end++;
		break;
	}
	return !*end;
}

/* MEMMON_LOG: a number of bytes, 1 for the usual ones. */
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

static void
read_environment(void)
{
	const char *root = getenv("MEMMON_ROOT"), *off;
	unsigned long n;

	mmi_process.pattern = env_copy("MEMMON_OUT", mmi_process.pattern);
	mmi_process.child =
		root && *root && strtol(root, NULL, 10) != mmi_process.pid;
	if (mmi_process_number("MEMMON_IMAGE", &n) && !n)
		mmi_image_off();
	if (mmi_process_number("MEMMON_MAXMEM", &n))
		mmi_arena_limit(n);
	mmi_sample_begin();
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
	if (mmi_process_number("MEMMON_LEAKCHECK", &n) && n)
		mmi_leak_init(n == 1 ? 0 : n < 86400 ? (unsigned)n : 86400);
	if (mmi_process_number("MEMMON_DEPTH", &n) && n)
		mmi_thread_limit(n < MMI_DEPTH_MAX ? (unsigned)n
						   : MMI_DEPTH_MAX);
	if (!mmi_process.secure && !mmi_thread_stopped())
		mmi_snapshot_init(getenv("MEMMON_SIGNAL"));
	off = getenv("MEMMON_OFF");
	if (off && *off && strcmp(off, "0") != 0)
		mmi_control_begin_off();
}

static void
at_exit(void *arg)
{
	(void)arg;
	STORE(&ended, 1);
	mmi_process_end(MONOUT_E_EXIT, 0);
}

static void
at_quick_exit_begins(void *arg)
{
	(void)arg;
	STORE(&ended, 1);
	mmi_process_end(MONOUT_E_QUICK, 0);
}

static bool wiped; /* mmi_owner is, in a child */

static void
fork_child(void)
{
	/* The first event in the child may have been quicker. */
	if (wiped && mmi_owner.mine)
		return;
	mmi_image_fork();
	if (mmi_thread_stopped())
		return;
	mmi_live_fork();
	mmi_sites_fork();
	mmi_cells_fork();
	mmi_thread_fork();
	mmi_event_fork();
	mmi_heap_fork();
	mmi_times_clear();
	mmi_history_fork();
	mmi_bins_clear(mmi_shared.control.epoch);
	mmi_modules_fork();
	mmi_out_fork();
	mmi_leak_fork();
	mmi_log_fork();
	ended = 0;
	mmi_process.child = true;
	mmi_process.forked = true;
	process_begin();
	mmi_control_fork();
	mmi_sample_fork();
	mmi_marks_clear();
#ifdef MEMMON_ACCESS
	mmi_use_fork();
	mmi_shadow_fork();
	mmi_clock_fork();
#endif
}

void
mmi_process_forked(void)
{
	if (wiped)
		fork_child();
}

/*
 * Early among the constructors.  Handlers that are registered first run last:
 * without an object of ours named they outlive our own destructors, and so see
 * the frees of everybody's.
 */
__attribute__((constructor(101))) static void
process_init(int argc, char **argv, char **envp)
{
	int e = errno;

	(void)envp;
	if (mmi_process.pid)
		return;
	mmi_thread_internal_begin();
	mmi_next_find();
	process_begin();
	mmi_process.secure = getauxval(AT_SECURE) != 0;
#ifndef MEMMON_ACCESS
	/* The program has a monitor that does all of this and more. */
	if (mmi_next_has("__memmon_touch"))
		mmi_thread_stop();
	if (mmi_thread_stopped())
		mmi_sample_end();
#endif
	mmi_process.exe = path_copy(true);
	mmi_process.cwd = path_copy(false);
	command_copy(argc, argv);
	read_environment();
	mmi_modules_init(mmi_process.exe);
	mmi_thread_init();
	pthread_atfork(NULL, NULL, fork_child);
#ifndef MEMMON_STATIC
	__cxa_atexit(at_exit, NULL, NULL);
#endif
	__cxa_at_quick_exit(at_quick_exit_begins, NULL);
	mmi_cxx_init();
	mmi_exec_init();
	mmi_signals_init();
	wiped = mmi_image_own();
	if (!mmi_image_start() && mmi_process_writes())
		mmi_claim_clear();
	mmi_log_start();
	mmi_thread_internal_end();
	errno = e;
}

#ifdef MEMMON_STATIC
/* A static program's destructors run after all of its exit handlers. */
__attribute__((destructor(101))) static void
process_fini(void)
{
	at_exit(NULL);
}
#endif

bool
mmi_process_writes(void)
{
	/* A child of vfork runs on its parent's memory. */
	if (process_pid() != mmi_process.pid || mmi_thread_stopped())
		return false;
	/* Who calls a set-user-ID program mustn't make it write files. */
	return !mmi_process.secure;
}

int
mmi_process_end(int end, int sig)
{
	int r;

	if (!mmi_process_writes())
		return -EPERM;
	if (end == MONOUT_E_EXEC && mmi_process.forked) {
		mmi_image_remove();
		mmi_log_remove();
		return -1;
	}
	if (end == MONOUT_E__EXIT && LOAD(&ended))
		return -1;
	/* What it would say isn't so. */
	if (mmi_image_broken())
		return -EIO;
	mmi_control_pending(mmi_thread_self());
	mmi_leak_end(end);
	mmi_thread_internal_begin();
	if (end != MONOUT_E_DUMP)
		mmi_image_end(end, sig);
	r = mmi_out_write(end == MONOUT_E_EXEC, end, sig);
	mmi_thread_internal_end();
	return r;
}

EXPORT const char *
memmon_version(void)
{
	return MEMMON_VERSION;
}

EXPORT int
memmon_dump(void)
{
	int e = errno, r = mmi_process_end(MONOUT_E_DUMP, 0);

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

	if (!t)
		return -1;
	memset(t, 0, sizeof(*t));
	mmi_tables_sum(&sum);
	mmi_heap_read(&s);
	mmi_event_read(&t->lost, &bytes);
	t->allocs = sum.count.allocs;
	t->bytes = sum.count.bytes;
	t->frees = sum.count.frees;
	t->freed = sum.count.freed;
	t->live = sum.count.bytes - sum.count.freed;
	t->reallocs = sum.reallocs;
	t->peak = s.peak;
	while ((th = mmi_thread_next_now(th)))
		t->lost += LOAD(&th->pub->count.lost);
	return 0;
}
