/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Turn the counts of samples into estimates: the heap over time. */
#include "reduce/estimate/sample.h"
#include "reduce/base/sort.h"
#include "reduce/model/counts.h"
#include "reduce/monout/cells.h"
#include "reduce/monout/changes.h"

#include <stdlib.h>
#include <string.h>

/* x * to / whole.  If x equals whole, the result is `to'; 0 if whole is 0. */
static uint64_t
times_part(uint64_t x, uint64_t whole, uint64_t to)
{
	unsigned __int128 n = (unsigned __int128)x * to;

	return whole ? (uint64_t)(n / whole) : 0;
}

/*
 * Scale a row so that it ends with the counts of its cell.  No count falls,
 * because none fell before.
 */
static void
sample_times_row(struct mon_change *x, size_t n, const struct mon_cell *to)
{
	struct mon_change was = x[n - 1];
	size_t i;

	for (i = 0; i < n; i++) {
		x[i].allocs = times_part(x[i].allocs, was.allocs, to->allocs);
		x[i].frees = times_part(x[i].frees, was.frees, to->frees);
		x[i].frees = counts_least(x[i].frees, x[i].allocs);
		if (to->any) {
			x[i].bytes =
				times_part(x[i].bytes, was.bytes, to->bytes);
			x[i].freed =
				times_part(x[i].freed, was.freed, to->freed);
			x[i].freed = counts_least(x[i].freed, x[i].bytes);
		} else {
			x[i].bytes = x[i].allocs * to->size;
			x[i].freed = x[i].frees * to->size;
		}
	}
}

/*
 * The share of `now' that a row gets.  far: the sum of the rows so far, with
 * this one; whole: the sum of all rows; had: what the earlier rows got.  Freed
 * and live blocks are divided separately, so that no row frees more than it
 * allocates.
 */
static struct mon_cell
times_share(const struct mon_cell *far, const struct mon_cell *whole,
	    const struct mon_cell *now, struct mon_cell *had)
{
	struct mon_cell c = *now;

	c.frees = times_part(far->frees, whole->frees, now->frees);
	c.freed = times_part(far->freed, whole->freed, now->freed);
	c.allocs = c.frees + times_part(far->allocs - far->frees,
					whole->allocs - whole->frees,
					now->allocs - now->frees);
	c.bytes = c.freed + times_part(far->bytes - far->freed,
				       whole->bytes - whole->freed,
				       now->bytes - now->freed);
	TOTALS_TAKE(&c, had);
	TOTALS_ADD(had, &c);
	return c;
}

/*
 * Scale the rows from i to `end', whose cells differ only in the thread.  A row
 * may have another thread than its cell, if another thread freed the block.
 */
static bool
times_group(struct mon *m, const struct mon_cell *was, size_t i, size_t end)
{
	struct mon_cell key = changes_cell(&m->changes[i]), c;
	struct mon_cell whole = { 0 }, now, far = { 0 }, had = { 0 };
	size_t k, last;

	key.thread = 0;
	now = (struct mon_cell){ .size = key.size, .any = key.any };
	k = SORT_PLACE(j, m->ncells, cells_compare(&was[j], &key) < 0);
	for (; k < m->ncells && CELLS_ALIKE(&was[k], &key); k++) {
		TOTALS_ADD(&whole, &was[k]);
		TOTALS_ADD(&now, &m->cells[k]);
	}
	for (; i < end; i = last) {
		last = changes_end(m, i);
		c = changes_cell(&m->changes[last - 1]);
		if (c.frees > c.allocs || c.freed > c.bytes)
			return false;
		TOTALS_ADD(&far, &c);
		c = times_share(&far, &whole, &now, &had);
		sample_times_row(&m->changes[i], last - i, &c);
	}
	return far.allocs == whole.allocs && far.frees == whole.frees &&
	       had.allocs == now.allocs && had.frees == now.frees;
}

/* Scale all rows.  False if a row belongs to no cell. */
static bool
sample_times_rows(struct mon *m, const struct mon_cell *was)
{
	size_t i, end;

	for (i = 0; i < m->nchanges; i = end) {
		struct mon_cell key = changes_cell(&m->changes[i]), next = key;

		for (end = i; end < m->nchanges && CELLS_ALIKE(&key, &next);) {
			end = changes_end(m, end);
			if (end < m->nchanges)
				next = changes_cell(&m->changes[end]);
		}
		if (!times_group(m, was, i, end))
			return false;
	}
	return true;
}

/* Set the counts of the whole heap to the sums of the rows. */
static void
times_totals(struct mon *m)
{
	struct mon_snapshot *x = m->snapshots;
	const struct mon_change *c, *before;
	size_t i, end;

	for (i = 0; i < m->nsnapshots; i++)
		x[i].allocs = x[i].bytes = x[i].frees = x[i].freed = 0;
	for (i = 0; i < m->nchanges; i = end) {
		end = changes_end(m, i);
		for (before = NULL; i < end; i++, before = c) {
			c = &m->changes[i];
			TOTALS_ADD(&x[c->snapshot], c);
			if (before)
				TOTALS_TAKE(&x[c->snapshot], before);
		}
	}
	for (i = 1; i < m->nsnapshots; i++) {
		TOTALS_ADD(&x[i], &x[i - 1]);
	}
}

/*
 * The snapshots are the monitor's estimates; scale them so that the last one
 * equals the sums.
 */
static void
times_adjust(struct mon *m)
{
	struct mon_snapshot last = m->snapshots[m->nsnapshots - 1], *x;
	size_t i;

	for (i = 0; i < m->nsnapshots; i++) {
		x = &m->snapshots[i];
		x->allocs = times_part(x->allocs, last.allocs, m->sums.allocs);
		x->bytes = times_part(x->bytes, last.bytes, m->sums.bytes);
		x->frees = times_part(x->frees, last.frees, m->sums.frees);
		x->freed = times_part(x->freed, last.freed, m->sums.freed);
		x->frees = counts_least(x->frees, x->allocs);
		x->freed = counts_least(x->freed, x->bytes);
	}
}

void
sample_times(struct mon *m, const struct mon_cell *was)
{
	const struct mon_snapshot *last;
	size_t i;

	if (!m->times_known)
		return;
	m->changes_known = m->changes_known && was && sample_times_rows(m, was);
	if (m->changes_known)
		times_totals(m);
	else
		times_adjust(m);
	last = &m->snapshots[m->nsnapshots - 1];
	if (!TOTALS_SAME(last, &m->sums)) {
		changes_forget(m);
		return;
	}
	for (i = 0; i < m->nsnapshots; i++) {
		struct mon_snapshot *x = &m->snapshots[i];

		if (x->peak < x->bytes - x->freed)
			x->peak = x->bytes - x->freed;
	}
}
