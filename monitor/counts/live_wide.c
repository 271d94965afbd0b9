/* SPDX-License-Identifier: MIT */
/* Entries of the live map that take more than a place of a flat array. */
#include "monitor/counts/live_pages.h"

#include "monitor/base/arena.h"

/*
 * Wide entries, by number.  Free ones are linked, with NEXT; `wide_free' is the
 * first's number, and above it a count that tells one state of the list from
 * another.
 */
#define WIDE_MAX (1u << 26)
#define WIDE_SHIFT 10u
#define NEXT (1ull << 63)
static void *wide_dir[WIDE_MAX >> WIDE_SHIFT];
static struct mmi_array wides = {
	.chunk = wide_dir,
	.chunks = WIDE_MAX >> WIDE_SHIFT,
	.shift = WIDE_SHIFT,
	.size = sizeof(uint64_t),
	.used = 1,
};
static uint64_t wide_free;

uint32_t
mmi_live_wide_take(uint64_t entry)
{
	uint64_t head = LOAD_ACQ(&wide_free), next, *w;
	uint32_t i;

	do {
		i = (uint32_t)head;
		w = i ? mmi_array_at(&wides, i) : mmi_array_add(&wides, &i);
		if (!w)
			return 0;
		if (!(uint32_t)head)
			break;
		next = ((head >> 32) + 1) << 32 | (uint32_t)LOAD(w);
	} while (!CAS(&wide_free, &head, next));
	STORE(w, entry);
	return MMI_LIVE_WIDE | i;
}

uint64_t
mmi_live_wide_give(uint32_t v)
{
	uint64_t head = LOAD_ACQ(&wide_free);
	uint64_t *w = mmi_array_at(&wides, v & ~MMI_LIVE_WIDE);
	uint64_t entry = LOAD(w);

	do
		STORE(w, NEXT | (uint32_t)head);
	while (!CAS(&wide_free, &head,
		    ((head >> 32) + 1) << 32 | (v & ~MMI_LIVE_WIDE)));
	return entry;
}

uint64_t
mmi_live_wide(uint32_t v)
{
	uint64_t entry =
		LOAD_ACQ((uint64_t *)mmi_array_at(&wides, v & ~MMI_LIVE_WIDE));

	return entry & NEXT ? 0 : entry;
}
