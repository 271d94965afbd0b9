/* SPDX-License-Identifier: MIT */
/* Bins: counts by exact size. */
#include "monitor/bins.h"

#include "monitor/sites.h"

/*
 * Open addressing in a window: a size stands within WINDOW places from its hash
 * or nowhere.  Places fill up and are never emptied, so whether a size has a
 * place is decided once and for all.
 */
#define WINDOW 64u

static struct mmi_bin bins[MMI_BINS];

/* The place of a size, or NULL. */
static struct mmi_bin *
bin_intern(uint64_t size)
{
	uint64_t h = size * 0x9e3779b97f4a7c15ull >> 49;

	for (unsigned i = 0; i < WINDOW; i++) {
		struct mmi_bin *b = &bins[(h + i) % MMI_BINS];
		uint64_t seen = LOAD(&b->size);

		if (!seen && CAS(&b->size, &seen, size))
			return b;
		if (seen == size)
			return b;
	}
	return NULL;
}

void
mmi_bins_alloc(struct mmi_thread *t, uint64_t size)
{
	struct mmi_bin *b;

	if (LIKELY(size <= MONOUT_BIN_MAX)) {
		t->allocs[size]++;
		return;
	}
	b = bin_intern(size);
	if (b) {
		mmi_sites_add(&b->allocs, 1);
		return;
	}
	t->count.big_allocs++;
	t->count.big_bytes += size;
}

void
mmi_bins_free(struct mmi_thread *t, uint64_t size)
{
	struct mmi_bin *b;

	if (LIKELY(size <= MONOUT_BIN_MAX)) {
		t->frees[size]++;
		return;
	}
	b = bin_intern(size);
	if (b) {
		mmi_sites_add(&b->frees, 1);
		return;
	}
	t->count.big_frees++;
	t->count.big_freed += size;
}

const struct mmi_bin *
mmi_bins_at(unsigned i)
{
	return &bins[i];
}

void
mmi_bins_fork(void)
{
	for (unsigned i = 0; i < MMI_BINS; i++)
		if (bins[i].size)
			bins[i].allocs = bins[i].frees = 0;
}
