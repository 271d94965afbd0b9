/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Blocks of a site in groups, as events of a log would have them: those live at
 * the peak, at the end, at both, at neither.  What is known of each block is
 * less than that, but the groups add up to what is.
 */
#ifndef MEMMON_EXPORT_GROUPS_H
#define MEMMON_EXPORT_GROUPS_H

#include "reduce/profile/profile.h"

#include <stdbool.h>
#include <stdint.h>

enum groups_kind { GROUPS_NEITHER, GROUPS_PEAK, GROUPS_END, GROUPS_BOTH };

/* So many blocks, bytes in all. */
struct group {
	uint64_t blocks, bytes;
};

/* What is known of some blocks: all, those at the peak, those at the end. */
struct groups_of {
	struct group all, peak, end;
};

/* What is known of a site; of an item, whose peak must be known. */
struct groups_of groups_site(const struct site *s);
struct groups_of groups_item(const struct item *a);

/*
 * Are the n items all of site s, so that they can stand for it?
 */
bool groups_whole(const struct site *s, const struct item *a, size_t n);

/*
 * Set group[] by enum groups_kind.  false: the figures contradict each other;
 * then group[] has all and the end right, but none at the peak.
 */
bool groups_part(const struct groups_of *known, struct group group[4]);

#endif
