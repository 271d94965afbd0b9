/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Divide blocks by when they were live: see export.h. */
#include "display/export/export.h"

#include "display/text/amount.h"

#include <string.h>

struct live_known
live_of_site(const struct site *s)
{
	uint64_t allocs = counts_sum(s->count.allocs);

	return (struct live_known){
		.all = { allocs, counts_sum(s->count.bytes) },
		.peak = { s->peak_blocks, s->count.peak },
		.end = { amount_sub(allocs, counts_sum(s->count.frees)),
			 amount_sub(counts_sum(s->count.bytes),
				    counts_sum(s->count.freed)) },
	};
}

struct live_known
live_of_item(const struct item *a)
{
	return (struct live_known){
		.all = { a->allocs, a->bytes },
		.peak = { a->peak_blocks, a->peak },
		.end = { amount_sub(a->allocs, a->frees),
			 amount_sub(a->bytes, a->freed) },
	};
}

static void
export_live_add(struct live_sum *to, const struct live_sum *from)
{
	to->blocks = amount_add(to->blocks, from->blocks);
	to->bytes = amount_add(to->bytes, from->bytes);
}

bool
live_is_site(const struct site *s, const struct item *a, size_t n)
{
	struct live_known site = live_of_site(s), sum = { { 0 }, { 0 }, { 0 } };

	for (size_t i = 0; i < n; i++) {
		struct live_known one = live_of_item(&a[i]);

		if (!a[i].peak_known)
			return false;
		export_live_add(&sum.all, &one.all);
		export_live_add(&sum.peak, &one.peak);
		export_live_add(&sum.end, &one.end);
	}
	return n && !memcmp(&sum, &site, sizeof sum);
}

/*
 * If `both' blocks were live at the peak and at the end: the most bytes they
 * can have.  A part without blocks has no bytes, and no part has fewer than 0.
 * false: `both' is impossible.
 */
static bool
bytes_of(const struct live_known *k, uint64_t both, uint64_t *bytes)
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
	/* If every block is live at one of the times, the bytes must fit. */
	if (k->all.blocks - k->peak.blocks == k->end.blocks - both &&
	    ends - most != k->all.bytes)
		return false;
	*bytes = most;
	return least <= most;
}

static void
export_live_fill(const struct live_known *k, uint64_t both, uint64_t bytes,
		 struct live_sum part[4])
{
	part[LIVE_BOTH] = (struct live_sum){ both, bytes };
	part[LIVE_PEAK] = (struct live_sum){ k->peak.blocks - both,
					     k->peak.bytes - bytes };
	part[LIVE_END] =
		(struct live_sum){ k->end.blocks - both, k->end.bytes - bytes };
	part[LIVE_NEITHER] = (struct live_sum){
		k->all.blocks - k->peak.blocks - (k->end.blocks - both),
		k->all.bytes - k->peak.bytes - (k->end.bytes - bytes)
	};
}

/* Estimates may exceed the total: limit them to it. */
static void
hold(struct live_sum *a, const struct live_sum *all)
{
	if (a->blocks > all->blocks)
		a->blocks = all->blocks;
	if (a->bytes > all->bytes)
		a->bytes = all->bytes;
}

bool
live_divide(const struct live_known *known, struct live_sum part[4])
{
	struct live_known k = *known;
	uint64_t low, high, bytes, tries[3];
	bool fits = k.all.bytes <= UINT64_MAX / 2;

	hold(&k.peak, &k.all);
	hold(&k.end, &k.all);
	low = amount_sub(amount_add(k.peak.blocks, k.end.blocks), k.all.blocks);
	high = k.peak.blocks < k.end.blocks ? k.peak.blocks : k.end.blocks;
	/* Try both limits first; if neither fits, a value between them may. */
	tries[0] = high;
	tries[1] = low;
	tries[2] = low + 1 < high ? low + 1 : high;
	for (size_t i = 0; fits && i < sizeof tries / sizeof *tries; i++) {
		if (!bytes_of(&k, tries[i], &bytes))
			continue;
		export_live_fill(&k, tries[i], bytes, part);
		return true;
	}
	k.peak = (struct live_sum){ 0, 0 };
	export_live_fill(&k, 0, 0, part);
	return false;
}
