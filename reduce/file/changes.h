/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Snapshots and changes of a struct mon: in order, and true. */
#ifndef MEMMON_REDUCE_CHANGES_H
#define MEMMON_REDUCE_CHANGES_H

#include "reduce/file/mon.h"

/*
 * After the last record of a file: are the snapshots those of this run, the
 * last with its totals?  If not, they and the changes are dropped.  Sums must
 * be there.
 */
bool changes_check_snapshots(struct mon *m);

/*
 * The same: find the changes' threads, add up those that are to be one, and see
 * whether the last ones of each site are its counts.  Where a thread's can't
 * be, they go to thread 0; where that can't, a class's sizes go together.
 * False: they weren't, and are dropped.
 */
bool changes_check(struct mon *m);

/* n changes, from what there was to what they differ by, as in the file. */
void changes_differ(struct mon_change *c, size_t n);

/*
 * n such, whose sites or threads have other numbers since: put them in order,
 * and back; what is of the same site, size and thread adds up.  Returns how
 * many are left.
 */
size_t changes_again(struct mon_change *c, size_t n);

/*
 * Where only one thread has allocated blocks of a site and size, changes of
 * thread 0 are that thread's.  m is merged, or a whole file.
 */
void changes_find_threads(struct mon *m);

/* None of either is known. */
void changes_forget(struct mon *m);

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
		TOTALS_INIT(x),
	};
}

/*
 * The last change before snapshot n of those from i to end - 1; NULL: nothing
 * had been counted before it.
 */
static inline const struct mon_change *
changes_before(const struct mon *m, size_t i, size_t end, size_t n)
{
	while (end > i && m->changes[end - 1].snapshot >= n)
		end--;
	return end > i ? &m->changes[end - 1] : NULL;
}

#endif
