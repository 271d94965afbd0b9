/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The profile's items: what each thread allocated at each site, of each size,
 * with the type of these blocks.
 */
#ifndef MEMMON_REDUCE_ITEMIZE_H
#define MEMMON_REDUCE_ITEMIZE_H

#include "reduce/model/stages.h"
#include "reduce/types/sitetypes.h"

/* What items are made from; types have been joined with the shares. */
struct itemize_from {
	const struct mon *mon; /* merged, and filtered if there is a filter */
	const struct shares *shares;
	const struct sitetypes *types;
	bool plain; /* types aren't asked for: no item is one for its type */
};

/*
 * Set p's items and items_why.  After threads_make() and typerows_join().  0,
 * or -1 when out of memory.
 */
int itemize_make(struct profile *p, const struct itemize_from *from);

#endif
