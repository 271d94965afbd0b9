/* SPDX-License-Identifier: MIT */
/* Marks on blocks that unrecorded code got. */
#include "monitor/access/handed.h"

#include <dlfcn.h>

#include "monitor/access/first.h"
#include "monitor/base/sampling.h"
#include "monitor/counts/live.h"
#include "monitor/shadow/shadow.h"
#include "monitor/thread/enter.h"
#include "monitor/use/use.h"

#define REGION_GRANULES \
	((1ull << MMI_SHADOW_REGION_SHIFT) >> MEMMON_GRANULE_SHIFT)
/* At most so many regions back from where a pointer points. */
#define REGIONS_BACK 4096u
/* Granules that are looked at in one go. */
#define SOME 8u
/* Words of what an argument points to that may point further. */
#define WORDS 16u

unsigned mmi_handed_every;

/* Where blocks begin that are often asked for; each is looked at again. */
#define HINTS 256u
static uint64_t hints[HINTS]; /* granules; atomic */

static uint64_t *
hint_of(uint64_t i)
{
	return &hints[i >> 8 & (HINTS - 1)];
}

/* Where the block ends that begins at granule b; 0: none does. */
static uint64_t
block_end(uint64_t b, uint64_t *size)
{
	uint64_t v = LOAD(&mmi_shadow.blocks[b]);

	if (!(v & MMI_SHADOW_START))
		return 0;
	*size = mmi_use_size(v & MMI_SHADOW_ENTRY);
	return b + mmi_shadow_granules(*size);
}

/* The last granule from i downwards to `least' where a block begins, or -1. */
static int64_t
start_from(uint64_t i, uint64_t least)
{
	const uint64_t *b = mmi_shadow.blocks;
	uint64_t any;

	for (; i + 1 >= least + SOME; i -= SOME) {
		any = 0;
		for (unsigned k = 0; k < SOME; k++)
			any |= LOAD(&b[i - k]);
		if (any & MMI_SHADOW_START)
			break;
	}
	for (uint64_t n = i + 1; n > least; n--)
		if (LOAD(&b[n - 1]) & MMI_SHADOW_START)
			return (int64_t)n - 1;
	return -1;
}

/*
 * Where regions have no beginnings of blocks: the region, the first and the
 * last of these granules.  That holds while the region is marked as SEARCHED.
 * Who searches takes the entry away, so that no other one marks it then.
 */
#define GAPS 256u
#define TAKEN (~0ull)
static uint64_t gaps[GAPS]; /* atomic */

/* Where fewer granules are to be looked at, the entry costs more. */
#define FEW 256u

#define GAP(r, first, last)                                            \
	((r) << 32 | (first) % REGION_GRANULES << 16 | (last) % REGION_GRANULES)

/* The granules of an entry that is for region r; false: it is for another. */
static bool
gap_of(uint64_t v, uint64_t r, uint64_t *first, uint64_t *last)
{
	*first = r * REGION_GRANULES + (v >> 16 & 0xffff);
	*last = r * REGION_GRANULES + (v & 0xffff);
	return v >> 32 == r;
}

/* start_from() within region r, and with less to look at the next time. */
static int64_t
start_in(uint64_t r, uint64_t i, uint64_t least)
{
	uint64_t *gap = &gaps[r % GAPS], first = 0, last = 0, was, low;
	uint8_t state, next;
	bool known;
	int64_t b = -1;

	if (i < least + FEW)
		return start_from(i, least);
	state = LOAD_ACQ(&mmi_shadow.regions[r]);
	known = state == MMI_SHADOW_SEARCHED;
	was = LOAD(gap);
	if (known && gap_of(was, r, &first, &last) && first <= i && i <= last) {
		if (first <= least)
			return -1;
		if (LOAD(&mmi_shadow.blocks[first - 1]) & MMI_SHADOW_START)
			return (int64_t)first - 1;
	}
	if (was == TAKEN || !CAS(gap, &was, TAKEN))
		return start_from(i, least);
	/* Before anything is looked at: what begins meanwhile takes it back. */
	next = state == MMI_SHADOW_BEGUN ? MMI_SHADOW_ONCE
					 : MMI_SHADOW_SEARCHED;
	if (!CAS(&mmi_shadow.regions[r], &state, next)) {
		STORE_REL(gap, was);
		return start_from(i, least);
	}
	known = known && gap_of(was, r, &first, &last) && first <= i &&
		last >= least;
	if (!known || i > last)
		b = start_from(i, known ? last + 1 : least);
	if (known && b < 0 && first > least)
		b = start_from(first - 1, least);
	low = b < 0 ? least : (uint64_t)b + 1;
	if (known && low <= last) {
		low = first < low ? first : low;
		i = last > i ? last : i;
	}
	STORE_REL(gap, low <= i ? GAP(r, low, i) : 0);
	return b;
}

/* Eight of them at once. */
typedef uint64_t flags __attribute__((may_alias));

/*
 * The last region from r downwards, not far and above `least', in which blocks
 * begin; or -1.
 */
static int64_t
region_from(uint64_t r, uint64_t least)
{
	const uint8_t *f = mmi_shadow.regions;

	if (r > REGIONS_BACK && least < r - REGIONS_BACK)
		least = r - REGIONS_BACK;
	for (; r > least; r--) {
		while (r % 8 == 7 && r >= least + 8 &&
		       !LOAD((const flags *)(const void *)&f[r - 7]))
			r -= 8;
		if (LOAD(&f[r]))
			return (int64_t)r;
	}
	return -1;
}

/*
 * Where the module or own stack begins that a is in, and so any block there; 0:
 * in neither.  Many pointers lead there, and to no block at all.
 */
static uintptr_t
begins_at(uintptr_t a)
{
	const struct mmi_thread *t = mmi_thread_self();
	struct dl_find_object o;

	if (t && a >= t->stack_lo && a < t->stack_hi)
		return t->stack_lo;
	return _dl_find_object((void *)a, &o) == 0 ? (uintptr_t)o.dlfo_map_start
						   : 0;
}

/* The granule at which the block begins that a is in, or -1. */
static int64_t
block_of(uintptr_t a, uint64_t *size)
{
	uint64_t i = mmi_shadow_granule(a), most = LOAD(&mmi_use_largest);
	uint64_t lowest, least, first, end;
	int64_t r = (int64_t)(i / REGION_GRANULES), b;
	uint64_t hint = LOAD(hint_of(i)), from = i;

	if (block_end(i, size))
		return (int64_t)i;
	if (mmi_sample_on()) {
		if (!mmi_access_near(i, &first, &end))
			return -1;
		return block_end(first, size) > i ? (int64_t)first : -1;
	}
	end = hint < i ? block_end(hint, size) : 0;
	if (i < end)
		return (int64_t)hint;
	lowest = mmi_shadow_granule(begins_at(a));
	if (i >= most && lowest < i - most)
		lowest = i - most;
	/* Many pointers are to the end of a block, and none begins in one. */
	if (lowest < end)
		lowest = end;
	least = lowest / REGION_GRANULES;
	least -= least > 0;
	while ((r = region_from((uint64_t)r, least)) >= 0) {
		if (from / REGION_GRANULES != (uint64_t)r)
			from = (uint64_t)(r + 1) * REGION_GRANULES - 1;
		first = (uint64_t)r * REGION_GRANULES;
		b = start_in((uint64_t)r, from,
			     first > lowest ? first : lowest);
		if (b >= 0) {
			STORE(hint_of(i), (uint64_t)b);
			return i < block_end((uint64_t)b, size) ? b : -1;
		}
		r--;
	}
	return -1;
}

bool
mmi_handed_block(const void *p, const void **end)
{
	uintptr_t a = (uintptr_t)p;
	uint64_t size, *info, v;
	int64_t b;

	if (end)
		*end = NULL;
	if (a >> ARCH_ADDR_BITS || a < ARCH_PAGE ||
	    UNLIKELY(!LOAD_ACQ(&mmi_shadow.cells)))
		return false;
	b = block_of(a, &size);
	if (b < 0)
		return false;
	a = (a & ~(uintptr_t)15) -
	    ((mmi_shadow_granule(a) - (uint64_t)b) << MEMMON_GRANULE_SHIFT);
	if ((uintptr_t)p - a >= size)
		return false;
	if (end)
		*end = (const void *)(a + size);
	info = &mmi_shadow.blocks[b + 1];
	v = LOAD(info);
	do {
		if (!(v & MMI_SHADOW_INFO) || v & MMI_SHADOW_HANDED)
			return false;
	} while (!CAS(info, &v, v | MMI_SHADOW_HANDED));
	return true;
}

void
mmi_handed_arguments(const uintptr_t *argument, size_t n)
{
	const uintptr_t *word;
	const void *end;

	for (size_t i = 0; i < n; i++) {
		mmi_handed_block((const void *)argument[i], &end);
		word = (const uintptr_t *)((argument[i] + 7) & ~(uintptr_t)7);
		for (unsigned k = 0;
		     k < WORDS && end && (const void *)(word + k + 1) <= end;
		     k++)
			mmi_handed_block((const void *)word[k], NULL);
	}
}

void
mmi_handed_all(void)
{
	STORE(&mmi_handed_every, 1);
}
