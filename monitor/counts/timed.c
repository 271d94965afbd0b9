/* SPDX-License-Identifier: MIT */
/* Timed-block records: given out and taken back. */
#include "monitor/counts/timed.h"

#include "monitor/base/arena.h"
#include "monitor/base/table.h"

#define SHIFT 9u

static MMI_TABLE void *dir[MMI_TIMED_MAX >> SHIFT];

static struct mmi_array records = {
	.chunk = dir,
	.chunks = MMI_TIMED_MAX >> SHIFT,
	.shift = SHIFT,
	.size = sizeof(struct mmi_timed),
	.used = 1,
};

/*
 * A thread keeps some free records of its own blocks; the rest is in a list of
 * all threads.  Free records are linked by .seq.  `common' is the number of the
 * first, and above it a count that tells one state of the list from another.
 */
#define KEEP 256u
static uint64_t common;

struct mmi_timed *
mmi_timed_at(uint32_t i)
{
	return mmi_array_at(&records, i);
}

static uint32_t
common_take(void)
{
	uint64_t head = LOAD_ACQ(&common), next;

	do {
		if (!(uint32_t)head)
			return 0;
		next = ((head >> 32) + 1) << 32 |
		       LOAD(&mmi_timed_at((uint32_t)head)->seq);
	} while (!CAS(&common, &head, next));
	return (uint32_t)head;
}

static void
common_give(uint32_t i)
{
	uint64_t head = LOAD_ACQ(&common);

	do
		STORE(&mmi_timed_at(i)->seq, (uint32_t)head);
	while (!CAS(&common, &head, ((head >> 32) + 1) << 32 | i));
}

uint32_t
mmi_timed_take(struct mmi_thread *t, bool must)
{
	uint32_t i = t->timed;

	if (LIKELY(i)) {
		t->timed = mmi_timed_at(i)->seq;
		t->ntimed--;
		return i;
	}
	i = common_take();
	if (i)
		return i;
	if (!must && mmi_arena_tight())
		return 0;
	return mmi_array_add(&records, &i) ? i : 0;
}

void
mmi_timed_give(struct mmi_thread *t, uint32_t i)
{
	if (UNLIKELY(t->ntimed >= KEEP)) {
		common_give(i);
		return;
	}
	mmi_timed_at(i)->seq = t->timed;
	t->timed = i;
	t->ntimed++;
}
