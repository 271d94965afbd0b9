/* SPDX-License-Identifier: MIT */
/* Writing the data file: the monitor's tables -> records. */
#include "monitor/out.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef MEMMON_ACCESS
#include "monitor/access/report.h"
#include "monitor/access/shadow.h"
#endif
#include "monitor/arena.h"
#include "monitor/claim.h"
#include "monitor/control.h"
#include "monitor/emit.h"
#include "monitor/event.h"
#include "monitor/heap.h"
#include "monitor/image.h"
#include "monitor/leak.h"
#include "monitor/log.h"
#include "monitor/marks.h"
#include "monitor/name.h"
#include "monitor/pool.h"
#include "monitor/process.h"
#include "monitor/record.h"
#include "monitor/sample.h"
#include "monitor/tables.h"
#include "monitor/renew.h"
#include "monitor/thread.h"
#include "monitor/times.h"
#include "monitor/vtables.h"

/* Guarded by `writing'. */
static struct mmi_emit emit;
static char path[PATH_MAX], temporary[PATH_MAX];
static bool special;	    /* path isn't a file that could be replaced */
static char mine[PATH_MAX]; /* the file that this process has written */
static int writing;	    /* atomic: who does, enum monout_end; 0: nobody */
static int wanted;	    /* atomic: a snapshot is to be written */
static unsigned snapshots;  /* number of the last one; guarded by `writing' */

static void
put_string(struct mmi_emit *o, unsigned key, const char *s)
{
	mmi_emit_key_bytes(o, key, s, strlen(s));
}

/* Off times and resets; the file says nothing where there were none. */
static void
put_control(struct mmi_emit *o)
{
	struct mmi_control_times t;

	mmi_control_times(&t);
	if (mmi_control_off())
		mmi_emit_key_number(o, MONOUT_R_OFF, 1);
	if (t.off)
		mmi_emit_key_number(o, MONOUT_R_OFF_TIME, t.off);
	if (t.reset)
		mmi_emit_key_number(o, MONOUT_R_RESET, t.reset);
}

static void
put_run(struct mmi_emit *o, int end, int sig, uint64_t length)
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
	put_control(o);
	mmi_leak_run(o);
	mmi_log_run(o);
	if (mmi_sample_on())
		mmi_emit_key_number(o, MONOUT_R_SAMPLE, mmi_sample_rate);
	if (mmi_sample_why())
		put_string(o, MONOUT_R_SAMPLE_WHY, mmi_sample_why());
#ifdef MEMMON_ACCESS
	mmi_report_run(o);
#endif
	mmi_emit_flush(o);
}

/* When the peak was last held, ns after the start; 0: it still is. */
static uint64_t
peak_time(uint64_t at, uint64_t length)
{
	if (!at)
		return length;
	return at > mmi_process.mono ? at - mmi_process.mono : 0;
}

static void
put_thread_totals(struct mmi_emit *o)
{
	struct mmi_counters c = { 0 };
	uint64_t backing, all, bytes;
	const struct mmi_thread *t = NULL;

	mmi_event_read(&c.lost, &c.lost_bytes);
	while ((t = mmi_thread_next_now(t))) {
		const struct mmi_counters *n = &t->pub->count;

		c.chains += LOAD(&n->chains);
		c.frames += LOAD(&n->frames);
		c.same += LOAD(&n->same);
		if (LOAD(&n->deepest) > c.deepest)
			c.deepest = LOAD(&n->deepest);
		c.cut += LOAD(&n->cut);
		c.stopped += LOAD(&n->stopped);
		c.lost += LOAD(&n->lost);
		c.lost_bytes += LOAD(&n->lost_bytes);
		c.unseen += LOAD(&n->unseen);
		c.inherited += LOAD(&n->inherited);
		c.reused += LOAD(&n->reused);
		c.failed += LOAD(&n->failed);
		c.shortened += LOAD(&n->shortened);
		c.untimed += LOAD(&n->untimed);
		c.off_frees += LOAD(&n->off_frees);
		c.off_freed += LOAD(&n->off_freed);
		c.off_unseen += LOAD(&n->off_unseen);
		c.pool_allocs += LOAD(&n->pool_allocs);
		c.pool_bytes += LOAD(&n->pool_bytes);
	}
	if (mmi_sample_on()) {
		mmi_sample_totals(&all, &bytes);
		mmi_emit_key_number(o, MONOUT_T_ALL_ALLOCS, all);
		mmi_emit_key_number(o, MONOUT_T_ALL_BYTES, bytes);
	}
	mmi_emit_key_number(o, MONOUT_T_CHAINS, c.chains);
	mmi_emit_key_number(o, MONOUT_T_FRAMES, c.frames);
	mmi_emit_key_number(o, MONOUT_T_SAME, c.same);
	mmi_emit_key_number(o, MONOUT_T_DEEPEST, c.deepest);
	mmi_emit_key_number(o, MONOUT_T_CUT, c.cut);
	mmi_emit_key_number(o, MONOUT_T_STOPPED, c.stopped);
	mmi_emit_key_number(o, MONOUT_T_LOST, c.lost);
	mmi_emit_key_number(o, MONOUT_T_LOST_BYTES, c.lost_bytes);
	mmi_emit_key_number(o, MONOUT_T_UNSEEN, c.unseen);
	mmi_emit_key_number(o, MONOUT_T_INHERITED, c.inherited);
	mmi_emit_key_number(o, MONOUT_T_REUSED, c.reused);
	mmi_emit_key_number(o, MONOUT_T_FAILED, c.failed);
	mmi_emit_key_number(o, MONOUT_T_SHORT, c.shortened);
	mmi_emit_key_number(o, MONOUT_T_UNTIMED, c.untimed);
	if (mmi_shared.control.gaps) {
		mmi_emit_key_number(o, MONOUT_T_OFF_FREES, c.off_frees);
		mmi_emit_key_number(o, MONOUT_T_OFF_FREED, c.off_freed);
		mmi_emit_key_number(o, MONOUT_T_OFF_UNSEEN, c.off_unseen);
	}
	backing = mmi_pool_backing();
	if (c.pool_allocs || backing) {
		mmi_emit_key_number(o, MONOUT_T_POOL_ALLOCS, c.pool_allocs);
		mmi_emit_key_number(o, MONOUT_T_POOL_BYTES, c.pool_bytes);
		mmi_emit_key_number(o, MONOUT_T_POOL_BACKING, backing);
	}
}

/* By how much the peak and who held it may differ from what was. */
static uint64_t
peak_slack(const struct mmi_heap_state *e, uint64_t held)
{
	uint64_t d = e->peak > held ? e->peak - held : held - e->peak;

	return d > e->slack ? d : e->slack;
}

static void
put_totals(struct mmi_emit *o, const struct mmi_tables_sums *s,
	   const struct mmi_heap_state *e, uint64_t length)
{
	mmi_emit_table(o, MONOUT_TOTALS, 0);
	mmi_emit_key_number(o, MONOUT_T_ALLOCS, s->count.allocs);
	mmi_emit_key_number(o, MONOUT_T_BYTES, s->count.bytes);
	mmi_emit_key_number(o, MONOUT_T_FREES, s->count.frees);
	mmi_emit_key_number(o, MONOUT_T_FREED, s->count.freed);
	mmi_emit_key_number(o, MONOUT_T_REALLOCS, s->reallocs);
	mmi_emit_key_number(o, MONOUT_T_MODULES, s->modules);
	mmi_emit_key_number(o, MONOUT_T_NODES, s->nodes);
	mmi_emit_key_number(o, MONOUT_T_SITES, s->sites);
	mmi_emit_key_number(o, MONOUT_T_BINS, s->bins);
	mmi_emit_key_number(o, MONOUT_T_PEAKS, s->peaks);
	mmi_emit_key_number(o, MONOUT_T_LIVES, s->lives);
	mmi_emit_key_number(o, MONOUT_T_THREADS, s->threads);
	if (s->marks)
		mmi_emit_key_number(o, MONOUT_T_MARKS, s->marks);
	mmi_emit_key_number(o, MONOUT_T_BIG_ALLOCS, s->big_allocs);
	mmi_emit_key_number(o, MONOUT_T_BIG_BYTES, s->big_bytes);
	mmi_emit_key_number(o, MONOUT_T_BIG_FREES, s->big_frees);
	mmi_emit_key_number(o, MONOUT_T_BIG_FREED, s->big_freed);
	mmi_emit_key_number(o, MONOUT_T_PEAK, e->peak);
	mmi_emit_key_number(o, MONOUT_T_PEAK_AT, peak_time(e->peak_at, length));
	mmi_emit_key_number(o, MONOUT_T_PEAK_BLOCKS, s->peak_blocks);
	mmi_emit_key_number(o, MONOUT_T_PEAK_BYTES, s->peak_bytes);
	mmi_emit_key_number(o, MONOUT_T_PEAK_SLACK,
			    peak_slack(e, s->peak_bytes));
	put_thread_totals(o);
	mmi_emit_key_number(o, MONOUT_T_CELLS, s->rows);
	if (s->vtables_known) {
		mmi_emit_key_number(o, MONOUT_T_VTABLES, s->vtables);
		mmi_emit_key_number(o, MONOUT_T_VTABLES_MORE, s->vtables_more);
	}
	if (s->moments)
		mmi_emit_key_number(o, MONOUT_T_MOMENTS, s->moments);
	if (s->moments && s->changes != UINT64_MAX)
		mmi_emit_key_number(o, MONOUT_T_CHANGES, s->changes);
	if (s->types)
		mmi_emit_key_number(o, MONOUT_T_TYPES, s->types);
	mmi_emit_key_number(o, MONOUT_T_LEAKS, mmi_leak_items());
#ifdef MEMMON_ACCESS
	mmi_report_totals(o, s);
	mmi_emit_key_number(o, MONOUT_T_OWN,
			    mmi_arena_used() + mmi_shadow_used());
#else
	mmi_emit_key_number(o, MONOUT_T_OWN, mmi_arena_used());
#endif
	mmi_emit_flush(o);
}

/* log: the data file's name, which the log is to get; NULL: none. */
static void
write_file(int fd, int end, int sig, const char *log)
{
	uint64_t length = mmi_process_clock(CLOCK_MONOTONIC) - mmi_process.mono;
	static struct mmi_tables_sums s;
	struct mmi_heap_state e;

	mmi_log_dump(log, length + mmi_process.mono);
	mmi_heap_read(&e);
	mmi_emit_begin(&emit, fd);
	put_run(&emit, end, sig, length);
	mmi_vtables_want(end == MONOUT_E_EXIT || end == MONOUT_E__EXIT ||
			 end == MONOUT_E_QUICK);
	mmi_tables_put(&emit, e.peaks, &s);
	mmi_log_owners();
	s.marks = mmi_marks_put(&emit);
	s.moments = mmi_times_put(&emit, &s.count, length);
	put_totals(&emit, &s, &e, length);
}

static int
open_new(const char *name)
{
	int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW;
	long fd = ARCH_SYS(SYS_open, name, flags, 0666, 0, 0, 0);

	if (fd == -EEXIST) {
		/* Left by a process of this pid that was killed meanwhile. */
		ARCH_SYS(SYS_unlink, name, 0, 0, 0, 0, 0);
		fd = ARCH_SYS(SYS_open, name, flags, 0666, 0, 0, 0);
	}
	return (int)fd;
}

/* to = path + what + pid. */
static bool
name_with_pid(char *to, size_t n, const char *what)
{
	size_t len = strlen(path), wlen = strlen(what), digits = 1;
	unsigned long pid = (unsigned long)mmi_process.pid;

	for (unsigned long p = pid; p /= 10;)
		digits++;
	if (len + wlen + digits + 6 >= n)
		return false;
	memcpy(to, path, len);
	memcpy(to + len, what, wlen);
	len += wlen + digits;
	to[len] = '\0';
	do
		to[--len] = (char)('0' + pid % 10);
	while (pid /= 10);
	return true;
}

/*
 * Both names, in static memory: a signal stack may be small.  Once the process
 * has a file, or an image, it keeps the name.
 */
static bool
file_names(bool exec)
{
	const char *image = mmi_image_path();

	special = false;
	if (exec) {
		if (!mmi_claim_name(path, sizeof(path), true, &special))
			return false;
	} else if (mine[0]) {
		memcpy(path, mine, sizeof(path));
	} else if (image[0]) {
		memcpy(path, image, strlen(image) + 1);
	} else if (!mmi_claim_name(path, sizeof(path), false, &special)) {
		return false;
	}
	return name_with_pid(temporary, sizeof(temporary), ".part");
}

/*
 * The image makes room for a file of its name, and stays beside it as long as
 * it is needed.  (To replace it would make some file systems write to the disk
 * at once, which takes milliseconds.)
 */
static bool
image_aside(void)
{
	static char aside[PATH_MAX];
	const char *image = mmi_image_path();

	if (!image[0] || strcmp(image, path) != 0 ||
	    !name_with_pid(aside, sizeof(aside), "."))
		return false;
	memcpy(aside + strlen(aside), ".live", 6);
	mmi_image_move(aside);
	return true;
}

/* Linux 3.15; it is in <stdio.h> under other names. */
#define NOREPLACE 1

/* The temporary file gets its name, which was our image's. */
static bool
take_place(void)
{
	long r = ARCH_SYS(SYS_renameat2, AT_FDCWD, temporary, AT_FDCWD, path,
			  NOREPLACE, 0);

	/* Somebody was quicker: it is another process's now. */
	if (r == -EEXIST &&
	    !mmi_claim_name(path, sizeof(path), false, &special))
		return false;
	return r == 0 || ARCH_SYS(SYS_rename, temporary, path, 0, 0, 0, 0) == 0;
}

/* Which name a file gets: the run's own; that of a run before exec(3); or the
 * one that stands in path[] already. */
enum what { LAST, EXEC, SNAPSHOT };

/* The file is there: the image has done its duty, unless the run goes on. */
static void
written(enum what what, int end)
{
	const char *image = mmi_image_path();

	if (what == LAST)
		memcpy(mine, path, sizeof(mine));
	if (end != MONOUT_E_DUMP && image[0] && strcmp(image, path) != 0)
		mmi_image_remove();
}

static int
write_special(int end, int sig)
{
	long fd = ARCH_SYS(SYS_open, path,
			   O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0, 0,
			   0, 0);

	if (fd < 0)
		return -1;
	write_file((int)fd, end, sig, NULL);
	ARCH_SYS(SYS_close, fd, 0, 0, 0, 0, 0);
	return emit.failed ? -1 : 0;
}

static int
write_whole(enum what what, int end, int sig)
{
	int fd = special ? -1 : open_new(temporary);

	if (special)
		return write_special(end, sig);
	if (fd < 0)
		return -1;
	write_file(fd, end, sig, what == SNAPSHOT ? NULL : path);
	/* If the image broke meanwhile, what was read from it isn't so. */
	if (ARCH_SYS(SYS_close, fd, 0, 0, 0, 0, 0) == 0 && !emit.failed &&
	    !mmi_image_broken()) {
		if (image_aside() ? take_place()
				  : ARCH_SYS(SYS_rename, temporary, path, 0, 0,
					     0, 0) == 0) {
			written(what, end);
			return 0;
		}
	}
	ARCH_SYS(SYS_unlink, temporary, 0, 0, 0, 0, 0);
	return -1;
}

/*
 * With all signals blocked: one that ends the process must not strike before
 * the file is whole.
 */
static int
write_masked(enum what what, int end, int sig)
{
	struct mmi_claim_mask m;
	int r = -1;

	/* Unmasked, the signal would be the program's. */
	if (!mmi_claim_block(&m))
		return -1;
	if (what == SNAPSHOT || file_names(what == EXEC))
		r = write_whole(what, end, sig);
	mmi_claim_unblock(&m);
	return r;
}

/* The names of the next snapshot: of one that isn't there. */
static bool
snapshot_names(void)
{
	do
		if (!mmi_name_snapshot(path, sizeof(path), ++snapshots))
			return false;
	while (ARCH_SYS(SYS_access, path, F_OK, 0, 0, 0, 0) == 0);
	special = false;
	return name_with_pid(temporary, sizeof(temporary), ".part");
}

/*
 * Who wants a snapshot says so first and then writes it, unless somebody is
 * writing; and who has written looks whether one was wanted meanwhile.
 */
static int
write_wanted(void)
{
	int none, r = 1;

	while (__atomic_load_n(&wanted, __ATOMIC_SEQ_CST)) {
		none = 0;
		if (!CAS(&writing, &none, MONOUT_E_DUMP))
			return r;
		if (SWAP(&wanted, 0))
			r = snapshot_names()
				    ? write_masked(SNAPSHOT, MONOUT_E_DUMP, 0)
				    : -1;
		__atomic_store_n(&writing, 0, __ATOMIC_SEQ_CST);
	}
	return r;
}

static void
writing_ends(int end)
{
	__atomic_store_n(&writing, 0, __ATOMIC_SEQ_CST);
	if (end != MONOUT_E_SIGNAL && end != MONOUT_E_EXEC)
		write_wanted();
}

/*
 * To write what is asked for in between is tried, and never waited for.  At the
 * end of the process somebody may be about just that: two seconds at most.
 */
static bool
writing_begins(int end)
{
	struct timespec t = { 0, 10000000 };
	int by = 0;

	for (int i = 0; i < 200; i++, by = 0) {
		if (CAS(&writing, &by, end))
			return true;
		if (by != MONOUT_E_DUMP || end == MONOUT_E_DUMP)
			return false;
		ARCH_SYS(SYS_nanosleep, &t, 0, 0, 0, 0, 0);
	}
	return false;
}

int
mmi_out_write(bool exec, int end, int sig)
{
	int r;

	if (!writing_begins(end))
		return -1;
	r = write_masked(exec ? EXEC : LAST, end, sig);
	writing_ends(end);
	return r;
}

int
mmi_out_snapshot(const char *name)
{
	size_t n = name ? strlen(name) : 0;
	int r = -1;

	if (!name) {
		__atomic_store_n(&wanted, 1, __ATOMIC_SEQ_CST);
		return write_wanted();
	}
	if (n >= sizeof(path) || !writing_begins(MONOUT_E_DUMP))
		return -1;
	memcpy(path, name, n + 1);
	special = false;
	if (name_with_pid(temporary, sizeof(temporary), ".part"))
		r = write_masked(SNAPSHOT, MONOUT_E_DUMP, 0);
	writing_ends(MONOUT_E_DUMP);
	return r;
}

bool
mmi_out_hold(void)
{
	return writing_begins(MONOUT_E_DUMP);
}

void
mmi_out_release(void)
{
	writing_ends(MONOUT_E_DUMP);
}

bool
mmi_out_busy(void)
{
	return LOAD_ACQ(&writing) != 0;
}

void
mmi_out_remove(void)
{
	int none = 0;

	if (!CAS(&writing, &none, MONOUT_E_DUMP))
		return;
	ARCH_SYS(SYS_unlink, path, 0, 0, 0, 0, 0);
	STORE_REL(&writing, 0);
}

void
mmi_out_fork(void)
{
	STORE(&writing, 0);
	mine[0] = '\0';
	STORE(&wanted, 0);
	snapshots = 0;
}
