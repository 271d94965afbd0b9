/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks in groups: see export_groups.h. */
#include "display/export/export_groups.h"

#include "display/text/amount.h"

#include <string.h>

struct groups_of
groups_site(const struct site *s)
{
	uint64_t allocs = amount_allocs(&s->count);

	return (struct groups_of){
		.all = { allocs, amount_bytes(&s->count) },
		.peak = { s->peak_blocks, s->count.peak },
		.end = { amount_sub(allocs, amount_frees(&s->count)),
			 amount_kept(&s->count) },
	};
}

struct groups_of
groups_item(const struct item *a)
{
	return (struct groups_of){
		.all = { a->allocs, a->bytes },
		.peak = { a->peak_blocks, a->peak },
		.end = { amount_sub(a->allocs, a->frees),
			 amount_sub(a->bytes, a->freed) },
	};
}

static void
add(struct group *to, const struct group *from)
{
	to->blocks = amount_add(to->blocks, from->blocks);
	to->bytes = amount_add(to->bytes, from->bytes);
}

bool
groups_whole(const struct site *s, const struct item *a, size_t n)
{
	struct groups_of site = groups_site(s), sum = { { 0 }, { 0 }, { 0 } };

	for (size_t i = 0; i < n; i++) {
		struct groups_of one = groups_item(&a[i]);

		if (!a[i].peak_known)
			return false;
		add(&sum.all, &one.all);
		add(&sum.peak, &one.peak);
		add(&sum.end, &one.end);
	}
	return n && !memcmp(&sum, &site, sizeof sum);
}

/*
 * With `both' blocks live at the peak and at the end: how many bytes they may
 * have.  A group without blocks has no bytes, and of the others none less than
 * 0.  false: that can't be.
 */
static bool
bytes_of(const struct groups_of *k, uint64_t both, uint64_t *bytes)
{
	uint64_t ends = k->peak.bytes + k->end.bytes;
	uint64_t least = ends > k->all.bytes ? ends - k->all.bytes : 0;
	uint64_t most =
		k->peak.bytes < k->end.bytes ? k->peak.bytes : k->end.bytes;

	if (!both)
		most = 0;
	if (k->peak.blocks == both && least < k->peak.bytes)
		least = k->peak.bytes;
	if (k->end.blocks == both && least < k->end.bytes)
		least = k->end.bytes;
	if (k->all.blocks - k->peak.blocks == k->end.blocks - both &&
	    (ends < k->all.bytes || most > ends - k->all.bytes))
		most = ends < k->all.bytes ? 0 : ends - k->all.bytes;
	/* Where none are left, the bytes must be theirs exactly. */
	if (k->all.blocks - k->peak.blocks == k->end.blocks - both &&
	    ends - most != k->all.bytes)
		return false;
	*bytes = most;
	return least <= most;
}

static void
fill(const struct groups_of *k, uint64_t both, uint64_t bytes,
     struct group group[4])
{
	group[GROUPS_BOTH] = (struct group){ both, bytes };
	group[GROUPS_PEAK] =
		(struct group){ k->peak.blocks - both, k->peak.bytes - bytes };
	group[GROUPS_END] =
		(struct group){ k->end.blocks - both, k->end.bytes - bytes };
	group[GROUPS_NEITHER] = (struct group){
		k->all.blocks - k->peak.blocks - (k->end.blocks - both),
		k->all.bytes - k->peak.bytes - (k->end.bytes - bytes)
	};
}

/* Estimates may pass each other: no more than there is. */
static void
hold(struct group *a, const struct group *all)
{
	if (a->blocks > all->blocks)
		a->blocks = all->blocks;
	if (a->bytes > all->bytes)
		a->bytes = all->bytes;
}

bool
groups_part(const struct groups_of *known, struct group group[4])
{
	struct groups_of k = *known;
	uint64_t low, high, bytes, tries[3];
	bool fits = k.all.bytes <= UINT64_MAX / 2;

	hold(&k.peak, &k.all);
	hold(&k.end, &k.all);
	low = amount_sub(amount_add(k.peak.blocks, k.end.blocks), k.all.blocks);
	high = k.peak.blocks < k.end.blocks ? k.peak.blocks : k.end.blocks;
	/* If it isn't one of the ends it may be any between them. */
	tries[0] = high;
	tries[1] = low;
	tries[2] = low + 1 < high ? low + 1 : high;
	for (size_t i = 0; fits && i < sizeof tries / sizeof *tries; i++) {
		if (!bytes_of(&k, tries[i], &bytes))
			continue;
		fill(&k, tries[i], bytes, group);
		return true;
	}
	k.peak = (struct group){ 0, 0 };
	fill(&k, 0, 0, group);
	return false;
}
