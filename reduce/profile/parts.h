/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The profile's items: what each thread allocated at each site, of each size,
 * with the type of these blocks.
 */
#ifndef MEMMON_REDUCE_PARTS_H
#define MEMMON_REDUCE_PARTS_H

#include "reduce/model/stages.h"
#include "reduce/types/sitetypes.h"

/* What items are made from; types have been joined with the shares. */
struct parts_from {
	const struct mon *mon; /* merged, and filtered if there is a filter */
	const struct shares *shares;
	const struct sitetypes *types;
	bool plain; /* types aren't asked for: no item is one for its type */
};

/*
 * Set p's items and items_why.  After threads_make() and typerows_join().  0,
 * or -1 when out of memory.
 */
int parts_make(struct profile *p, const struct parts_from *from);

/*
 * Where in p->items those begin that have the place in mon.sites, the thread
 * and the size of a struct mon_cell; several follow each other when they have
 * several types.  p->nitems: there are none.
 */
size_t parts_find(const struct profile *p, uint32_t site, uint32_t thread,
		  uint64_t size, bool any);

#endif
