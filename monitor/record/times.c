/* SPDX-License-Identifier: MIT */
/* The heap over time: takes snapshots. */
#include "monitor/record/times.h"

#include <fcntl.h>
#include <string.h>
#include <sys/auxv.h>

#include "monitor/base/process.h"
#include "monitor/base/real.h"
#include "monitor/counts/heap.h"
#include "monitor/counts/history.h"
#include "monitor/counts/snapshots.h"
#include "monitor/image/image.h"
#include "monitor/thread/ended.h"

#define SNAPSHOTS mmi_shared.snapshots

/* The shortest time between two reads of the process's RSS, ns. */
#define RSS_STEP 4000000u

/*
 * Moments of the memory are STEP ns apart at first.  Whenever every second
 * moment was left out, the step doubles.  Moments use at most 1/32 of the time,
 * or 1/500 if one takes longer than LONG ns.  If the memory has grown by a
 * quarter since, it is 1/32 up to HASTY ns.  Before each, memmon estimates its
 * time: 1 ns for BYTES bytes of RSS, and PAGE ns for each page of data, in
 * memory or not.  If it would take more than MOST ns, memmon takes none.
 */
#define MOMENT_STEP 20000000u
#define MOMENT_LONG 20000000u
#define MOMENT_HASTY 100000000u
#define MOMENT_LEAST 16000000u /* of growth, bytes */
#define MOMENT_MOST 500000000u
#define MOMENT_BYTES 20u
#define MOMENT_PAGE 6u

/* Some hundred times the cost of a note, ns. */
#define NOTE 10000u

uint64_t mmi_times_due = UINT64_MAX;

static uint64_t every, every_due; /* ns; monotonic clock; every 0: never */
static uint64_t snapshot_due = UINT64_MAX; /* a snapshot or a data file */
static uint64_t moment_due = UINT64_MAX, moment_last; /* monotonic clock */
static uint64_t moment_step; /* ns */
static uint64_t moment_took; /* ns; or as the next one was estimated */
/*
 * What moments have seen: the largest RSS, and the most of it that wasn't live
 * blocks; and the same at the last snapshot.  Bytes.
 */
static uint64_t moment_rss[2], last_rss[2];
static uint64_t rss_due;			      /* monotonic clock */
static uint64_t noted; /* notes of cells before the last snapshot */
static uint64_t page;  /* bytes, as the kernel counts them */

/* Sets the time of the next snapshot, data file or moment: the first one. */
static void
due_first(void)
{
	uint64_t at = LOAD(&snapshot_due), moment = LOAD(&moment_due);

	STORE(&mmi_times_due, at < moment ? at : moment);
}

/* The next snapshot is at that time, or earlier with a data file. */
static void
due(uint64_t at)
{
	uint64_t dump = every ? LOAD(&every_due) : UINT64_MAX;

	STORE(&snapshot_due, at < dump ? at : dump);
	due_first();
}

/* Does the last snapshot have a quarter more than all moments? */
static bool
grown(void)
{
	for (int i = 0; i < 2; i++) {
		uint64_t seen = LOAD(&moment_rss[i]);

		if (LOAD(&last_rss[i]) > seen + seen / 4 + MOMENT_LEAST)
			return true;
	}
	return false;
}

/* How long there are no moments after one that takes `took' ns. */
static uint64_t
moment_pause(uint64_t took)
{
	bool rare = took > (grown() ? MOMENT_HASTY : MOMENT_LONG);
	uint64_t n = took * (rare ? 500 : 32);

	return n > moment_step ? n : moment_step;
}

/*
 * Moments begin now, if there are snapshots.  In the child of a fork the first
 * one is expected to take as long as in the parent.
 */
static void
moments_begin(void)
{
	mmi_shared.moments.n = 0;
	memset(moment_rss, 0, sizeof(moment_rss));
	memset(last_rss, 0, sizeof(last_rss));
	moment_last = mmi_process_clock(CLOCK_MONOTONIC);
	moment_step = MOMENT_STEP;
	STORE(&moment_due, mmi_snapshots_step()
				   ? moment_last + moment_pause(moment_took)
				   : UINT64_MAX);
}

void
mmi_times_init(uint64_t ns)
{
	page = mmi_real_auxval(AT_PAGESZ);
	mmi_snapshots_init(ns);
	moments_begin();
	due(ns ? 0 : UINT64_MAX);
}

/* The numbers of /proc/self/statm: total size, resident, and so on. */
enum { STATM_RESIDENT = 1, STATM_DATA = 5, STATM_N };

/* In pages; all 0 if they can't be read. */
static void
statm_read(uint64_t pages[STATM_N])
{
	char text[160], *p = text, *end;
	long fd, n;

	memset(pages, 0, STATM_N * sizeof(*pages));

	fd = ARCH_SYS(SYS_openat, AT_FDCWD, "/proc/self/statm",
		      O_RDONLY | O_CLOEXEC, 0, 0, 0);
	if (fd < 0)
		return;
	n = ARCH_SYS(SYS_read, fd, text, sizeof(text), 0, 0, 0);
	ARCH_SYS(SYS_close, fd, 0, 0, 0, 0, 0);
	end = text + (n > 0 ? n : 0);
	for (int i = 0; i < STATM_N; i++) {
		for (; p < end && *p >= '0' && *p <= '9'; p++)
			pages[i] = pages[i] * 10 + (uint64_t)(*p - '0');
		while (p < end && *p == ' ')
			p++;
	}
}

uint64_t
mmi_times_resident(void)
{
	uint64_t pages[STATM_N];

	statm_read(pages);
	return pages[STATM_RESIDENT] ? pages[STATM_RESIDENT] * page
				     : UINT64_MAX;
}

/* mmi_times_resident(), but not too often; UINT64_MAX: not read. */
static uint64_t
resident_now(uint64_t now)
{
	uint64_t rss;

	if (now < rss_due)
		return UINT64_MAX;
	rss = mmi_times_resident();
	/* If it can't be read, don't try again soon. */
	rss_due = now + (rss == UINT64_MAX ? 64 : 1) * (uint64_t)RSS_STEP;
	return rss;
}

/* The place of the next snapshot; NULL: it can't be written. */
static struct mmi_snapshot *
snapshot_new(void)
{
	struct mmi_snapshot *m = &SNAPSHOTS.snapshot[SNAPSHOTS.n];
	uintptr_t in_page = (uintptr_t)m & (ARCH_PAGE - 1);

	/* In the image the page may not have memory yet. */
	if (in_page < sizeof(*m) && !mmi_image_ready(m, sizeof(*m)))
		return NULL;
	return m;
}

void
mmi_times_clamp(struct mmi_done *d)
{
	if (d->frees > d->allocs)
		d->frees = d->allocs;
	if (d->freed > d->bytes)
		d->freed = d->bytes;
}

/*
 * How long until the next snapshot: a step, or longer, so that cells spend at
 * most about a hundredth of the time on notes.
 */
static uint64_t
until_next(void)
{
	uint64_t all = mmi_history_notes(), more = all - noted;
	uint64_t step = mmi_snapshots_step();

	noted = all;
	return more * NOTE > step ? more * NOTE : step;
}

/*
 * Take a snapshot of the present counts, with the time `at'.  False: no memory,
 * or counts are being moved.
 */
static bool
put(uint64_t at, uint64_t rss)
{
	struct mmi_snapshot *m = snapshot_new();
	struct mmi_done d;
	uint64_t number;

	if (!m) {
		due(UINT64_MAX);
		return false;
	}
	STORE(&m->number, 0);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	m->rss = rss;
	/* Be quick from here on: other threads continue meanwhile. */
	if (!mmi_ended_sum(&d))
		return false;
	number = mmi_heap_snapshot();
	mmi_times_clamp(&d);
	if (SNAPSHOTS.n && at < m[-1].at)
		at = m[-1].at;
	m->at = at;
	m->allocs = d.allocs;
	m->bytes = d.bytes;
	m->frees = d.frees;
	m->freed = d.freed;
	m->peak = mmi_heap_high(d.bytes - d.freed);
	STORE_REL(&m->number, number);
	STORE_REL(&SNAPSHOTS.n, SNAPSHOTS.n + 1);
	if (SNAPSHOTS.n == MMI_SNAPSHOTS)
		mmi_snapshots_thin();
	return true;
}

/* The time of the last event of all threads; 0: not known. */
static uint64_t
quiet_since(void)
{
	const struct mmi_thread *t = NULL;
	uint64_t since = 0, at;

	if (LOAD(&mmi_ended_some))
		return 0;
	while ((t = mmi_thread_next_now(t))) {
		const struct mmi_pub *p = t->pub;

		if (LOAD(&t->look_allocs) !=
			    LOAD(&p->seq) + LOAD(&p->handlers.allocs) ||
		    LOAD(&t->look_frees) !=
			    LOAD(&p->done.frees) + LOAD(&p->handlers.frees))
			return 0;
		at = LOAD(&t->look_at);
		since = at > since ? at : since;
	}
	return since;
}

/*
 * If nothing has happened for more than a step, take a snapshot with the time
 * when the quiet began.  The last snapshot may have the same time: it was taken
 * before the last event.
 */
static void
put_quiet(uint64_t now)
{
	uint64_t since = quiet_since(), last;

	/* Before the first snapshot there is nothing to show. */
	if (!SNAPSHOTS.n)
		return;
	last = SNAPSHOTS.snapshot[SNAPSHOTS.n - 1].at;
	if (since >= last && now > since && now - since > mmi_snapshots_step())
		put(since + (since == last), UINT64_MAX);
}

/* If the memory has grown much, the next moment may come earlier. */
static void
moment_hasten(void)
{
	const struct mmi_snapshot *m = &SNAPSHOTS.snapshot[SNAPSHOTS.n - 1];
	uint64_t at = LOAD(&moment_due), live = m->bytes - m->freed, early;

	if (m->rss == UINT64_MAX)
		return;
	STORE(&last_rss[0], m->rss);
	STORE(&last_rss[1], m->rss > live ? m->rss - live : 0);
	early = moment_last + moment_pause(moment_took);
	/* UINT64_MAX: a thread takes one, or there are none. */
	if (at != UINT64_MAX && early < at && CAS(&moment_due, &at, early))
		due_first();
}

static void
take(uint64_t now)
{
	put_quiet(now);
	STORE(&mmi_ended_some, 0);
	if (put(now, resident_now(now))) {
		due(now + until_next());
		moment_hasten();
	}
}

/* The program runs for as long as a file takes, even if `every' is less. */
static void
dump_if_due(uint64_t now)
{
	uint64_t at = LOAD(&every_due), end;

	if (!every || now < at || !CAS(&every_due, &at, now + every))
		return;
	mmi_times_dump();
	end = mmi_process_clock(CLOCK_MONOTONIC);
	if (end - now > every / 2)
		STORE(&every_due, 2 * end - now);
	if (!mmi_snapshots_step())
		due(UINT64_MAX);
}

/*
 * CPU time of the thread, ns.  Doesn't use the vdso, which would call the
 * kernel even if the program has forbidden it.
 */
static uint64_t
cpu_now(void)
{
	struct timespec t = { 0 };

	ARCH_SYS(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &t, 0, 0, 0, 0);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/*
 * One thread takes the moment.  If the sizes can't be read, no thread tries
 * again.
 */
static void
moment_if_due(uint64_t now)
{
	uint64_t at = LOAD(&moment_due), pages[STATM_N], next, cpu, will;
	uint64_t n = mmi_shared.moments.n;

	if (!mmi_snapshots_step() || now < at ||
	    !CAS(&moment_due, &at, UINT64_MAX))
		return;
	due_first();
	cpu = cpu_now();
	statm_read(pages);
	will = pages[STATM_RESIDENT] * page / MOMENT_BYTES +
	       pages[STATM_DATA] * MOMENT_PAGE;
	next = will > MOMENT_MOST ? now + MOMENT_MOST
				  : moment_last + moment_pause(will);
	if (!will)
		return;
	if (now < next) {
		moment_took = will;
		STORE(&moment_due, next);
	} else if (mmi_times_moment(now)) {
		moment_took = cpu_now() - cpu;
		for (int i = 0; i < 2; i++)
			if (LOAD(&last_rss[i]) > moment_rss[i])
				STORE(&moment_rss[i], LOAD(&last_rss[i]));
		moment_last = mmi_process_clock(CLOCK_MONOTONIC);
		moment_step <<= mmi_shared.moments.n < n;
		STORE(&moment_due, moment_last + moment_pause(moment_took));
	}
}

COLD void
mmi_times_take(uint64_t now, bool must)
{
	if (mmi_snapshots_step() && mmi_snapshots_begin()) {
		if (must || now >= LOAD(&snapshot_due))
			take(now);
		mmi_snapshots_release();
	}
	moment_if_due(now);
	dump_if_due(now);
	due_first();
}

COLD void
mmi_times_before(struct mmi_thread *t, uint64_t now)
{
	if (UNLIKELY(now >= LOAD(&mmi_times_due)) && mmi_snapshots_step() &&
	    mmi_snapshots_begin()) {
		if (now >= LOAD(&snapshot_due))
			take(now);
		mmi_snapshots_release();
	}
	STORE(&t->look_at, now);
	t->looked = true;
}

void
mmi_times_end(uint64_t now)
{
	if (!mmi_snapshots_step() || !mmi_snapshots_begin())
		return;
	put_quiet(now);
	mmi_snapshots_release();
}

void
mmi_times_every(uint64_t ns, uint64_t now)
{
	every = ns;
	every_due = now + ns;
	if (ns && !mmi_snapshots_step())
		due(UINT64_MAX);
}

void
mmi_times_clear(void)
{
	mmi_snapshots_clear();
	moments_begin();
	rss_due = 0;
	due(mmi_snapshots_step() ? 0 : UINT64_MAX);
}
