/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Snapshots and changes of a struct mon: sort them and check them. */
#ifndef MEMMON_REDUCE_CHANGES_H
#define MEMMON_REDUCE_CHANGES_H

#include "reduce/monout/mon.h"

/*
 * Call this after the last record of a file.  Does the last snapshot have the
 * totals of the run?  If not, snapshots and changes are dropped.  m's sums must
 * be set.
 */
bool changes_check_snapshots(struct mon *m);

/*
 * The same for changes: find their threads, add up equal ones, and check that
 * the last changes of each site add up to its counts.  If the threads' changes
 * can't be right, they are merged into thread 0; if that fails, the sizes of a
 * class are merged.  False if the sums are still wrong; all changes are dropped
 * then.
 */
bool changes_check(struct mon *m);

/* Turn n changes from counts into differences, as in the file. */
void changes_differ(struct mon_change *c, size_t n);

/*
 * For n such differences whose sites or threads were renumbered: sort them, add
 * up those of the same site, size and thread, and turn them back into counts.
 * Returns how many are left.
 */
size_t changes_again(struct mon_change *c, size_t n);

/*
 * If only one thread allocated blocks of a site and size, give it the changes
 * of thread 0.  m is merged, or a whole file.
 */
void changes_find_threads(struct mon *m);

/* Drop all snapshots and changes. */
void changes_forget(struct mon *m);

/* The end of the row of changes that begins at i. */
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

/* A change as a cell.  The cell has no amounts at the peak. */
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
 * The last change before snapshot n among those from i to end - 1.  NULL if
 * nothing had been counted before.
 */
static inline const struct mon_change *
changes_before(const struct mon *m, size_t i, size_t end, size_t n)
{
	while (end > i && m->changes[end - 1].snapshot >= n)
		end--;
	return end > i ? &m->changes[end - 1] : NULL;
}

#endif
