/* SPDX-License-Identifier: MIT */
/* Entries of the live map that don't fit into a place of a flat array. */
#include "monitor/counts/live_pages.h"

#include "monitor/base/arena.h"
#include "monitor/base/table.h"

/*
 * Wide entries, by number.  Free ones are linked, with NEXT, in one of several
 * lists, so threads seldom use the same list: a thread gives to its own list
 * and takes from it, or from another list if its own is empty.  Each list has
 * the number of its first entry, and above it a count that tells one state from
 * another.
 */
#define WIDE_MAX (1u << 26)
#define WIDE_SHIFT 10u
#define NEXT (1ull << 63)
static MMI_TABLE void *wide_dir[WIDE_MAX >> WIDE_SHIFT];
static struct mmi_array wides = {
	.chunk = wide_dir,
	.chunks = WIDE_MAX >> WIDE_SHIFT,
	.shift = WIDE_SHIFT,
	.size = sizeof(uint64_t),
	.used = 1,
};

#define LISTS 16u
static struct {
	uint64_t first __attribute__((aligned(64)));
} wide_free[LISTS];

/* The calling thread's list, chosen by the address of its variables. */
static inline unsigned
list_mine(void)
{
	static TLS char here;

	return (uint32_t)((uintptr_t)&here >> 6) * 0x9e3779b1u >> 28;
}

_Static_assert(LISTS == 16, "4 bits of hash");

/* Take the first entry off a list; 0: the list is empty. */
static uint32_t
list_take(uint64_t *list)
{
	uint64_t head = LOAD_ACQ(list), next;
	uint32_t i;

	do {
		i = (uint32_t)head;
		if (!i)
			return 0;
		next = ((head >> 32) + 1) << 32 |
		       (uint32_t)LOAD((uint64_t *)mmi_array_at(&wides, i));
	} while (!CAS(list, &head, next));
	return i;
}

uint32_t
mmi_live_wide_take(uint64_t entry)
{
	unsigned mine = list_mine();
	uint32_t i = 0;
	uint64_t *w;

	for (unsigned k = 0; !i && k < LISTS; k++)
		i = list_take(&wide_free[(mine + k) % LISTS].first);
	w = i ? mmi_array_at(&wides, i) : mmi_array_add(&wides, &i);
	if (!w)
		return 0;
	STORE(w, entry);
	return MMI_LIVE_WIDE | i;
}

uint64_t
mmi_live_wide_give(uint32_t v)
{
	uint64_t *list = &wide_free[list_mine()].first, head = LOAD_ACQ(list);
	uint64_t *w = mmi_array_at(&wides, v & ~MMI_LIVE_WIDE);
	uint64_t entry = LOAD(w);

	do
		STORE(w, NEXT | (uint32_t)head);
	while (!CAS(list, &head,
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
