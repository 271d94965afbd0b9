/* SPDX-License-Identifier: MIT */
/* Moments: taken, thinned, written. */
#include "monitor/record/times.h"
#include "monitor/record/sample.h"

#include <fcntl.h>
#include <string.h>
#include <sys/auxv.h>

#include "monitor/file/history.h"
#include "monitor/file/image.h"
#include "monitor/process/deeds.h"
#include "monitor/process/process.h"
#include "monitor/record/heap.h"

#define MOMENTS mmi_shared.moments

/* Fewer than so many aren't thinned for want of memory. */
#define FEW 64u

/* Once in so many ns at most: how much memory the process has. */
#define RSS_STEP 4000000u

/* Some hundred times what a note costs, ns. */
#define NOTE 10000u

uint64_t mmi_times_due = UINT64_MAX;

static uint64_t first_step, step; /* ns; 0: none are taken */
static uint64_t rss_due;	  /* monotonic clock */
static uint64_t noted;		  /* of cells, before the last moment */
static uint64_t page;		  /* bytes, as the kernel counts them */
static int taking;		  /* atomic: somebody is at it */

static bool
taking_begins(void)
{
	int none = 0;

	return CAS(&taking, &none, 1);
}

static void
taking_ends(void)
{
	STORE_REL(&taking, 0);
}

/* Who is at it soon has done; unless it is interrupted by this. */
bool
mmi_times_hold(void)
{
	for (int i = 0; i < 100; i++) {
		if (taking_begins())
			return true;
		ARCH_SYS(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
	}
	return false;
}

void
mmi_times_release(void)
{
	taking_ends();
}

void
mmi_times_init(uint64_t ns)
{
	page = getauxval(AT_PAGESZ);
	first_step = step = ns;
	MOMENTS.known = ns != 0;
	STORE(&mmi_times_due, ns ? 0 : UINT64_MAX);
}

uint64_t
mmi_times_step(void)
{
	return LOAD(&step);
}

/* Bytes of memory that the process has; UINT64_MAX: not known. */
static uint64_t
resident(void)
{
	char text[64], *p = text, *end;
	uint64_t pages = 0;
	long fd, n;

	fd = ARCH_SYS(SYS_open, "/proc/self/statm", O_RDONLY | O_CLOEXEC, 0, 0,
		      0, 0);
	if (fd < 0)
		return UINT64_MAX;
	n = ARCH_SYS(SYS_read, fd, text, sizeof(text), 0, 0, 0);
	ARCH_SYS(SYS_close, fd, 0, 0, 0, 0, 0);
	end = text + (n > 0 ? n : 0);
	/* The second number. */
	while (p < end && *p != ' ')
		p++;
	for (p++; p < end && *p >= '0' && *p <= '9'; p++)
		pages = pages * 10 + (uint64_t)(*p - '0');
	return pages ? pages * page : UINT64_MAX;
}

/* The same, if that isn't asked for too often. */
static uint64_t
resident_now(uint64_t now)
{
	uint64_t rss;

	if (now < rss_due)
		return UINT64_MAX;
	rss = resident();
	/* What can't be had isn't asked for again soon. */
	rss_due = now + (rss == UINT64_MAX ? 64 : 1) * (uint64_t)RSS_STEP;
	return rss;
}

/* Of n moments the first whose number isn't less; n: none. */
static uint64_t
place(const struct mmi_moment *m, uint64_t n, uint64_t of)
{
	uint64_t low = 0, high = n, middle;

	while (low < high) {
		middle = (low + high) / 2;
		if (m[middle].number < of)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Moment i of n stays, of it and its neighbour: the last, or one with more. */
static bool
stays(uint64_t i, uint64_t n)
{
	uint64_t other = (n - 1 - i) & 1 ? i + 1 : i - 1;
	const struct mmi_moment *of = MOMENTS.moment;
	bool knows = of[i].rss != UINT64_MAX;

	if (i == n - 1 || other >= n)
		return true;
	if (other == n - 1)
		return false;
	return knows == (of[other].rss != UINT64_MAX) ? i > other : knows;
}

/* Every second goes.  At each step what is there is good: see shared.h. */
static void
thin(void)
{
	uint64_t n = LOAD(&MOMENTS.n), k = 0, before = 0;
	struct mmi_moment *of = MOMENTS.moment, m;
	static uint64_t keeps[MMI_MOMENTS / 64];

	for (uint64_t i = 0; i < n; i++) {
		keeps[i / 64] &= ~(1ull << i % 64);
		keeps[i / 64] |= (uint64_t)stays(i, n) << i % 64;
	}
	for (uint64_t i = 0; i < n; i++) {
		m = of[i];
		if (m.peak < before)
			m.peak = before;
		before = m.peak;
		if (!(keeps[i / 64] >> i % 64 & 1))
			continue;
		STORE(&of[k].number, 0);
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		memcpy(&of[k].at, &m.at,
		       sizeof(m) - offsetof(struct mmi_moment, at));
		STORE_REL(&of[k].number, m.number);
		before = 0;
		k++;
	}
	STORE_REL(&MOMENTS.n, k);
	STORE(&step, step * 2);
}

/* Room for another one, which can be written. */
static struct mmi_moment *
moment_new(void)
{
	struct mmi_moment *m = &MOMENTS.moment[MOMENTS.n];
	uintptr_t in_page = (uintptr_t)m & (ARCH_PAGE - 1);

	/* In the image it is a page that may not be there yet. */
	if (in_page < sizeof(*m) && !mmi_image_ready(m, sizeof(*m)))
		return NULL;
	return m;
}

/* Of estimates each is cut to whole blocks by itself. */
static void
settle(struct mmi_deeds *d)
{
	if (d->frees > d->allocs)
		d->frees = d->allocs;
	if (d->freed > d->bytes)
		d->freed = d->bytes;
}

/*
 * How long until the next: a step; and long enough that cells don't spend more
 * than about a hundredth of the time on noting what they have.
 */
static uint64_t
until_next(void)
{
	uint64_t all = mmi_history_notes(), more = all - noted;

	noted = all;
	return more * NOTE > step ? more * NOTE : step;
}

static void
take(uint64_t now)
{
	struct mmi_moment *m = moment_new();
	struct mmi_deeds d;
	uint64_t number;

	if (!m) {
		STORE(&mmi_times_due, UINT64_MAX);
		return;
	}
	STORE(&m->number, 0);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	m->rss = resident_now(now);
	/* From here on quick: other threads go on meanwhile. */
	if (!mmi_deeds_sum(&d))
		return;
	number = mmi_heap_moment();
	settle(&d);
	if (MOMENTS.n && now < m[-1].at)
		now = m[-1].at;
	m->at = now;
	m->allocs = d.allocs;
	m->bytes = d.bytes;
	m->frees = d.frees;
	m->freed = d.freed;
	m->peak = mmi_heap_high(d.bytes - d.freed);
	STORE_REL(&m->number, number);
	STORE_REL(&MOMENTS.n, MOMENTS.n + 1);
	if (MOMENTS.n == MMI_MOMENTS)
		thin();
	STORE(&mmi_times_due, now + until_next());
}

COLD void
mmi_times_take(uint64_t now, bool must)
{
	if (!LOAD(&step) || !taking_begins())
		return;
	if (must || now >= LOAD(&mmi_times_due))
		take(now);
	taking_ends();
}

bool
mmi_times_thin(void)
{
	if (MOMENTS.n < FEW)
		return false;
	thin();
	return true;
}

uint64_t
mmi_times_kept(uint64_t of)
{
	uint64_t i = place(MOMENTS.moment, MOMENTS.n, of);

	return i < MOMENTS.n ? MOMENTS.moment[i].number : of;
}

void
mmi_times_clear(void)
{
	STORE(&taking, 0);
	STORE(&MOMENTS.n, 0);
	STORE(&MOMENTS.known, first_step != 0);
	STORE(&step, first_step);
	rss_due = 0;
	STORE(&mmi_times_due, first_step ? 0 : UINT64_MAX);
}

/* ------------------------------------------------------------- the file -- */

/* As they were when the writing began. */
static struct mmi_moment moments[MMI_MOMENTS];
static uint64_t nmoments, high; /* high: the peak since the last of them */

void
mmi_times_begin(void)
{
	uint64_t n, last = 0;
	bool mine = mmi_times_hold();

	n = LOAD_ACQ(&MOMENTS.n);
	high = LOAD(&mmi_shared.heap.high);
	nmoments = 0;
	for (uint64_t i = 0; i < n; i++) {
		moments[nmoments] = MOMENTS.moment[i];
		if (moments[nmoments].number > last)
			last = moments[nmoments++].number;
	}
	if (mine)
		taking_ends();
}

uint64_t
mmi_times_place(uint64_t of)
{
	return place(moments, nmoments, of);
}

/* No more than there is at the end: other threads may have counted less yet. */
static void
cut_moment(struct mmi_moment *m, const struct mmi_moment *end)
{
	if (m->allocs > end->allocs)
		m->allocs = end->allocs;
	if (m->bytes > end->bytes)
		m->bytes = end->bytes;
	if (m->frees > end->frees)
		m->frees = end->frees;
	if (m->freed > end->freed)
		m->freed = end->freed;
}

/* In a record, items tell what they differ by from the one before. */
static void
put_moment(struct mmi_emit *o, const struct mmi_moment *m)
{
	static struct mmi_moment last;

	mmi_emit_item(o, 7 * MMI_EMIT_NUMBER);
	if (!o->used)
		memset(&last, 0, sizeof(last));
	mmi_emit_number(o, m->at - last.at);
	mmi_emit_number(o, m->allocs - last.allocs);
	mmi_emit_number(o, m->bytes - last.bytes);
	mmi_emit_number(o, m->frees - last.frees);
	mmi_emit_number(o, m->freed - last.freed);
	mmi_emit_number(o, m->peak);
	mmi_emit_number(o, m->rss + 1);
	last = *m;
}

uint64_t
mmi_times_put(struct mmi_emit *o, const struct mmi_tables_count *sum,
	      uint64_t length)
{
	struct mmi_moment end = { .at = length };
	struct mmi_deeds d = { .allocs = sum->allocs,
			       .bytes = sum->bytes,
			       .frees = sum->frees,
			       .freed = sum->freed };
	struct mmi_moment *m;

	if (!MOMENTS.known)
		return 0;
	/* Moments are of estimates then. */
	if (mmi_sample_on() && !mmi_deeds_sum(&d))
		return 0;
	settle(&d);
	end.allocs = d.allocs;
	end.bytes = d.bytes;
	end.frees = d.frees;
	end.freed = d.freed;
	end.peak = LOAD(&mmi_shared.heap.high);
	if (end.peak < high)
		end.peak = high;
	if (end.peak < end.bytes - end.freed)
		end.peak = end.bytes - end.freed;
	end.rss = resident();
	mmi_emit_table(o, MONOUT_MOMENTS, 0);
	for (m = moments; m < &moments[nmoments]; m++) {
		m->at -= mmi_process.mono;
		cut_moment(m, &end);
		put_moment(o, m);
	}
	/* One may have been taken since `length' was. */
	if (nmoments && m[-1].at > length)
		end.at = m[-1].at;
	put_moment(o, &end);
	mmi_emit_flush(o);
	return nmoments + 1;
}
