/* SPDX-License-Identifier: MIT */
/* Marks: kept as a list, newest first, until the file is written. */
#include "monitor/file/marks.h"

#include <errno.h>
#include <string.h>

#include "monitor/base/arena.h"
#include "monitor/base/pass.h"
#include "monitor/base/process.h"
#include "monitor/base/put.h"
#include "monitor/file/tables.h"
#include "monitor/memmon.h"
#include "monitor/record/times.h"
#include "monitor/thread/enter.h"

struct mark {
	uint64_t time; /* monotonic clock, ns; not below that of `older' */
	struct mmi_tables_count sum;
	uint32_t older; /* 0: this is the first */
	uint32_t newer; /* only while the file is written */
	char name[MMI_MARK_NAME];
};

#define SHIFT 6u

static void *dir[MMI_MARKS_MAX >> SHIFT];

static struct mmi_array marks = {
	.chunk = dir,
	.chunks = MMI_MARKS_MAX >> SHIFT,
	.shift = SHIFT,
	.size = sizeof(struct mark),
	.used = 1,
};
static uint32_t newest; /* atomic */

static COLD void
mark_refused(void)
{
	struct mmi_thread *t = mmi_thread_enter();

	if (!t)
		return;
	t->pub->count.unmarked++;
	mmi_thread_leave(t);
}

EXPORT int
memmon_mark(const char *name)
{
	struct mmi_tables_sums sum;
	struct mark *m;
	uint32_t i, head;
	size_t n = 0;
	int e = errno;

	PASS(memmon_mark, name);
	if (!name || mmi_thread_stopped())
		return -1;
	m = mmi_array_add(&marks, &i);
	if (!m) {
		mark_refused();
		errno = e;
		return -1;
	}
	while (n < MMI_MARK_NAME - 1 && name[n])
		n++;
	memcpy(m->name, name, n);
	mmi_tables_sum(&sum);
	m->sum = sum.count;
	head = LOAD_ACQ(&newest);
	do {
		m->older = head;
		m->time = mmi_process_clock(CLOCK_MONOTONIC);
	} while (!CAS(&newest, &head, i));
	mmi_times_take(m->time, true);
	errno = e;
	return 0;
}

void
mmi_marks_clear(void)
{
	STORE_REL(&newest, 0);
}

static void
put_mark(struct mmi_emit *o, const struct mark *m)
{
	uint64_t start = mmi_process.mono;

	mmi_put_mark(o, &(struct monrec_mark){
				.time = m->time > start ? m->time - start : 0,
				.allocs = m->sum.allocs,
				.bytes = m->sum.bytes,
				.frees = m->sum.frees,
				.freed = m->sum.freed,
				.name = m->name,
				.namelen = strlen(m->name) });
}

uint64_t
mmi_marks_put(struct mmi_emit *o)
{
	uint32_t newer = 0, i = LOAD_ACQ(&newest);
	struct mark *m;
	uint64_t n = 0;

	if (!i)
		return 0;
	for (; i; i = m->older) {
		m = mmi_array_at(&marks, i);
		m->newer = newer;
		newer = i;
	}
	mmi_emit_table(o, MONOUT_MARKS, 0);
	for (i = newer; i; i = m->newer, n++) {
		m = mmi_array_at(&marks, i);
		put_mark(o, m);
	}
	mmi_emit_flush(o);
	return n;
}
