/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The profile's items: the allocations of each thread at each site, by size,
 * with the blocks' types.
 */
#ifndef MEMMON_REDUCE_ITEMIZE_H
#define MEMMON_REDUCE_ITEMIZE_H

#include "reduce/model/stages.h"
#include "reduce/types/sitetypes.h"

/* Sources of items.  Types were joined with the shares before. */
struct itemize_from {
	const struct mon *mon; /* merged, and filtered if there is a filter */
	const struct shares *shares;
	const struct sitetypes *types;
	bool plain; /* types weren't asked for: don't make items for types */
};

/* Set p's items and items_why.  After threads_make() and typerows_join(). */
void itemize_make(struct profile *p, const struct itemize_from *from);

#endif
