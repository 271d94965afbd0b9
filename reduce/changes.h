/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of mon.changes: all of one site, size and thread, by moment. */
#ifndef MEMMON_REDUCE_CHANGES_H
#define MEMMON_REDUCE_CHANGES_H

#include "reduce/load.h"

/* Behind the last change of the row that begins at i. */
static inline size_t
changes_end(const struct mon *m, size_t i)
{
	const struct mon_change *a = &m->changes[i], *b;

	while (++i < m->nchanges) {
		b = &m->changes[i];
		if (b->site != a->site || b->thread != a->thread ||
		    b->size != a->size || b->any != a->any)
			break;
	}
	return i;
}

/* A change as a cell; what was live at the peak isn't in it. */
static inline struct mon_cell
changes_cell(const struct mon_change *x)
{
	return (struct mon_cell){
		.site = x->site,
		.thread = x->thread,
		.size = x->size,
		.any = x->any,
		.allocs = x->allocs,
		.bytes = x->bytes,
		.frees = x->frees,
		.freed = x->freed,
	};
}

/*
 * The last change before moment n of those from i to end - 1; NULL: nothing had
 * been counted before it.
 */
static inline const struct mon_change *
changes_before(const struct mon *m, size_t i, size_t end, size_t n)
{
	while (end > i && m->changes[end - 1].moment >= n)
		end--;
	return end > i ? &m->changes[end - 1] : NULL;
}

#endif
