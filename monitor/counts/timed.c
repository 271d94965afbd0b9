/* SPDX-License-Identifier: MIT */
/* Stamps: handed out, taken back. */
#include "monitor/counts/timed.h"

#include "monitor/base/arena.h"

#define SHIFT 9u

static void *dir[MMI_STAMPS_MAX >> SHIFT];

static struct mmi_array stamps = {
	.chunk = dir,
	.chunks = MMI_STAMPS_MAX >> SHIFT,
	.shift = SHIFT,
	.size = sizeof(struct mmi_stamp),
	.used = 1,
};

/*
 * A thread keeps the free ones it has from its own blocks, to a limit; the rest
 * is everybody's.  Free ones are linked by .seq.  `common' is the first's
 * number, and above it a count that tells one state of the list from another.
 */
#define KEEP 256u
static uint64_t common;

struct mmi_stamp *
mmi_stamps_at(uint32_t i)
{
	return mmi_array_at(&stamps, i);
}

static uint32_t
common_take(void)
{
	uint64_t head = LOAD_ACQ(&common), next;

	do {
		if (!(uint32_t)head)
			return 0;
		next = ((head >> 32) + 1) << 32 |
		       LOAD(&mmi_stamps_at((uint32_t)head)->seq);
	} while (!CAS(&common, &head, next));
	return (uint32_t)head;
}

static void
common_give(uint32_t i)
{
	uint64_t head = LOAD_ACQ(&common);

	do
		STORE(&mmi_stamps_at(i)->seq, (uint32_t)head);
	while (!CAS(&common, &head, ((head >> 32) + 1) << 32 | i));
}

uint32_t
mmi_stamps_take(struct mmi_thread *t, bool must)
{
	uint32_t i = t->stamps;

	if (LIKELY(i)) {
		t->stamps = mmi_stamps_at(i)->seq;
		t->nstamps--;
		return i;
	}
	i = common_take();
	if (i)
		return i;
	if (!must && mmi_arena_tight())
		return 0;
	return mmi_array_add(&stamps, &i) ? i : 0;
}

void
mmi_stamps_give(struct mmi_thread *t, uint32_t i)
{
	if (UNLIKELY(t->nstamps >= KEEP)) {
		common_give(i);
		return;
	}
	mmi_stamps_at(i)->seq = t->stamps;
	t->stamps = i;
	t->nstamps++;
}
