/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Blocks of a site by when they are live: at the peak, at the end, at both, at
 * neither.  A log of events would have that for each block.  Here only sums are
 * known; the four parts add up to these sums.
 */
#ifndef MEMMON_EXPORT_LIVE_H
#define MEMMON_EXPORT_LIVE_H

#include "reduce/profile/profile.h"

#include <stdbool.h>
#include <stdint.h>

enum live_when { LIVE_NEITHER, LIVE_PEAK, LIVE_END, LIVE_BOTH };

/* A number of blocks, and their bytes. */
struct live_sum {
	uint64_t blocks, bytes;
};

/* Sums over some blocks: all, those live at the peak, those live at the end. */
struct live_known {
	struct live_sum all, peak, end;
};

/* The sums of a site, and of an item, whose peak must be known. */
struct live_known live_of_site(const struct site *s);
struct live_known live_of_item(const struct item *a);

/* Do the n items add up to site s, so that they can replace it? */
bool live_is_site(const struct site *s, const struct item *a, size_t n);

/*
 * Divide the blocks into part[], by enum live_when.  false: the figures
 * contradict each other.  Then no block is live at the peak, and the parts
 * still add up to .all and .end.
 */
bool live_divide(const struct live_known *known, struct live_sum part[4]);

#endif
