/* SPDX-License-Identifier: MIT */
/* Bins: counts by exact size. */
#include "monitor/counts/bins.h"
#include "monitor/image/image.h"
#include "monitor/monimg.h"

#include <string.h>

/* The place of a size; NULL: all places that it may have are taken. */
static struct mmi_bin *
bin_intern(struct mmi_bins *bins, uint64_t size)
{
	uint64_t h = MONIMG_BIN_HASH(size);

	for (unsigned i = 0; i < MONIMG_BIN_WINDOW; i++) {
		struct mmi_bin *b = &bins->other[(h + i) % MMI_BINS];
		uint64_t seen = LOAD(&b->size);

		if (!seen && CAS(&b->size, &seen, size))
			return b;
		if (seen == size)
			return b;
	}
	return NULL;
}

static inline void
add(uint64_t *to, uint64_t n)
{
	if (n)
		mmi_shared_add(to, n);
}

void
mmi_bins_add(struct mmi_bins *bins, uint64_t size, uint64_t allocs,
	     uint64_t frees)
{
	struct mmi_bin *b;

	if (size <= MONOUT_BIN_MAX) {
		add(&bins->allocs[size], allocs);
		add(&bins->frees[size], frees);
		return;
	}
	b = bin_intern(bins, size);
	if (b) {
		add(&b->allocs, allocs);
		add(&b->frees, frees);
		return;
	}
	add(&bins->big_allocs, allocs);
	add(&bins->big_bytes, allocs * size);
	add(&bins->big_frees, frees);
	add(&bins->big_freed, frees * size);
}

/* Reads the frees first: a block that was freed was allocated before. */
static void
bin_sum(const uint64_t *allocs, const uint64_t *frees, uint64_t *to_allocs,
	uint64_t *to_frees)
{
	*to_frees += LOAD_ACQ(frees);
	*to_allocs += LOAD_ACQ(allocs);
}

void
mmi_bins_sum(struct mmi_bins *to)
{
	const struct mmi_bins *b =
		&mmi_shared.bins[LOAD_ACQ(&mmi_shared.control.epoch) & 1];

	if (!mmi_image_bins_used())
		return;
	for (unsigned i = 0; i <= MONOUT_BIN_MAX; i++)
		bin_sum(&b->allocs[i], &b->frees[i], &to->allocs[i],
			&to->frees[i]);
	for (unsigned i = 0; i < MMI_BINS; i++) {
		/* Bins of count 0, too: they had taken places that other sizes
		 * missed. */
		to->other[i].size = LOAD(&b->other[i].size);
		bin_sum(&b->other[i].allocs, &b->other[i].frees,
			&to->other[i].allocs, &to->other[i].frees);
	}
	to->big_freed += LOAD_ACQ(&b->big_freed);
	to->big_frees += LOAD_ACQ(&b->big_frees);
	to->big_bytes += LOAD_ACQ(&b->big_bytes);
	to->big_allocs += LOAD_ACQ(&b->big_allocs);
}

/* Moves all blocks of one size from its bin to the big_* counts. */
static void
bin_big(struct mmi_bins *b, uint64_t size, uint64_t *allocs, uint64_t *frees)
{
	b->big_allocs += *allocs;
	b->big_bytes += *allocs * size;
	b->big_frees += *frees;
	b->big_freed += *frees * size;
	*allocs = *frees = 0;
}

/*
 * Clears the sizes that have more frees than allocations.  Allocations and
 * frees are counted at two places, which are read at different times.
 */
static void
leave_out_halves(struct mmi_bins *b)
{
	for (unsigned i = 0; i <= MONOUT_BIN_MAX; i++)
		if (b->frees[i] > b->allocs[i])
			b->allocs[i] = b->frees[i] = 0;
	for (unsigned i = 0; i < MMI_BINS; i++)
		if (b->other[i].frees > b->other[i].allocs)
			b->other[i].allocs = b->other[i].frees = 0;
}

/* Are the big_* counts possible? */
static bool
big_sane(const struct mmi_bins *b)
{
	return (int64_t)b->big_frees >= 0 && (int64_t)b->big_freed >= 0 &&
	       (int64_t)b->big_allocs >= (int64_t)b->big_frees &&
	       (int64_t)b->big_bytes >= (int64_t)b->big_freed &&
	       (b->big_allocs || !b->big_bytes) &&
	       (b->big_frees || !b->big_freed);
}

void
mmi_bins_complete(struct mmi_bins *b, uint64_t allocs, uint64_t bytes,
		  uint64_t frees, uint64_t freed)
{
	leave_out_halves(b);
	for (unsigned i = 0; i <= MONOUT_BIN_MAX; i++) {
		allocs -= b->allocs[i];
		bytes -= b->allocs[i] * i;
		frees -= b->frees[i];
		freed -= b->frees[i] * i;
	}
	for (unsigned i = 0; i < MMI_BINS; i++) {
		const struct mmi_bin *o = &b->other[i];

		allocs -= o->allocs;
		bytes -= o->allocs * o->size;
		frees -= o->frees;
		freed -= o->frees * o->size;
	}
	b->big_allocs = allocs;
	b->big_bytes = bytes;
	b->big_frees = frees;
	b->big_freed = freed;
	/* Blocks were freed that were allocated before.  Move bins to the big_*
	 * counts until these are possible. */
	for (unsigned i = MMI_BINS; i-- > 0 && !big_sane(b);)
		bin_big(b, b->other[i].size, &b->other[i].allocs,
			&b->other[i].frees);
	for (unsigned i = MONOUT_BIN_MAX + 1; i-- > 0 && !big_sane(b);)
		bin_big(b, i, &b->allocs[i], &b->frees[i]);
}

void
mmi_bins_clear(uint32_t epoch)
{
	struct mmi_bins *b = &mmi_shared.bins[epoch & 1];

	if (!mmi_image_bins_used())
		return;
	memset(b->allocs, 0, sizeof(b->allocs));
	memset(b->frees, 0, sizeof(b->frees));
	for (unsigned i = 0; i < MMI_BINS; i++)
		if (b->other[i].size)
			b->other[i].allocs = b->other[i].frees = 0;
	b->big_allocs = b->big_bytes = b->big_frees = b->big_freed = 0;
}
