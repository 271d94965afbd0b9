/* SPDX-License-Identifier: MIT */
/* Bins: counts by exact size. */
#include "monitor/bins.h"

#include <string.h>

#include "monitor/control.h"

/*
 * Open addressing in a window: a size stands within WINDOW places from its hash
 * or nowhere.  Places fill up and are never emptied, so whether a size has a
 * place is decided once and for all.
 */
#define WINDOW 64u

/* The place of a size, or NULL. */
static struct mmi_bin *
bin_intern(struct mmi_bins *bins, uint64_t size)
{
	uint64_t h = size * 0x9e3779b97f4a7c15ull >> 49;

	for (unsigned i = 0; i < WINDOW; i++) {
		struct mmi_bin *b = &bins->other[(h + i) % MMI_BINS];
		uint64_t seen = LOAD(&b->size);

		if (!seen && CAS(&b->size, &seen, size))
			return b;
		if (seen == size)
			return b;
	}
	return NULL;
}

void
mmi_bins_add(struct mmi_bins *bins, uint64_t size, uint64_t allocs,
	     uint64_t frees)
{
	struct mmi_bin *b;

	if (size <= MONOUT_BIN_MAX) {
		FETCH_ADD(&bins->allocs[size], allocs);
		FETCH_ADD(&bins->frees[size], frees);
		return;
	}
	b = bin_intern(bins, size);
	if (b) {
		FETCH_ADD(&b->allocs, allocs);
		FETCH_ADD(&b->frees, frees);
		return;
	}
	FETCH_ADD(&bins->big_allocs, allocs);
	FETCH_ADD(&bins->big_bytes, allocs * size);
	FETCH_ADD(&bins->big_frees, frees);
	FETCH_ADD(&bins->big_freed, frees * size);
}

void
mmi_bins_sum(struct mmi_bins *to)
{
	const struct mmi_bins *b =
		&mmi_shared.bins[LOAD_ACQ(&mmi_shared.control.epoch) & 1];

	for (unsigned i = 0; i <= MONOUT_BIN_MAX; i++)
		if (LOAD(&b->allocs[i]) | LOAD(&b->frees[i]))
			mmi_bins_add(to, i, LOAD(&b->allocs[i]),
				     LOAD(&b->frees[i]));
	for (unsigned i = 0; i < MMI_BINS; i++)
		if (LOAD(&b->other[i].allocs) | LOAD(&b->other[i].frees))
			mmi_bins_add(to, b->other[i].size,
				     LOAD(&b->other[i].allocs),
				     LOAD(&b->other[i].frees));
	to->big_allocs += LOAD(&b->big_allocs);
	to->big_bytes += LOAD(&b->big_bytes);
	to->big_frees += LOAD(&b->big_frees);
	to->big_freed += LOAD(&b->big_freed);
}

void
mmi_bins_clear(uint32_t epoch)
{
	struct mmi_bins *b = &mmi_shared.bins[epoch & 1];

	memset(b->allocs, 0, sizeof(b->allocs));
	memset(b->frees, 0, sizeof(b->frees));
	for (unsigned i = 0; i < MMI_BINS; i++)
		if (b->other[i].size)
			b->other[i].allocs = b->other[i].frees = 0;
	b->big_allocs = b->big_bytes = b->big_frees = b->big_freed = 0;
}
