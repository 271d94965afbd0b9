/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interpret items: marks, snapshots and changes. */
#include "reduce/monout/items.h"
#include "reduce/model/counts.h"

/* Could a monitor have added this mark after those read so far? */
static bool
items_mark_sane(const struct items *it, const struct mon_mark *x)
{
	const struct mon *m = it->mon;
	uint64_t reset = m->run[MONOUT_R_RESET].number;

	if (m->nmarks && x->time < m->marks[m->nmarks - 1].time)
		return false;
	if (!TOTALS_OF_BLOCKS(x))
		return false;
	/*
	 * Counts only grow, except at a reset.  Sites may be missing.  In a
	 * file of samples the mark has estimates, but the sums aren't estimates
	 * yet.
	 */
	return x->time <= reset ||
	       (m->run[MONOUT_R_SAMPLE].set && !mon_is_sum(m)) ||
	       it->bad_records || it->left_out || TOTALS_WITHIN(x, &m->sums);
}

enum items_end
items_mark(struct items *it, const struct mon_mark *x)
{
	if (!items_mark_sane(it, x))
		return ITEMS_BAD;
	mon_add_mark(it->mon, x);
	return ITEMS_TAKEN;
}

/* Could a monitor have added this snapshot after those read so far? */
static bool
items_snapshot_sane(const struct mon *m, const struct mon_snapshot *x)
{
	const struct mon_snapshot *last =
		m->nsnapshots ? &m->snapshots[m->nsnapshots - 1] : NULL;

	if (!TOTALS_SANE(x))
		return false;
	return !last || (x->at >= last->at && TOTALS_WITHIN(last, x));
}

enum items_end
items_snapshot(struct items *it, const struct mon_snapshot *x)
{
	struct mon_snapshot *last = &it->snapshot;

	/*
	 * A number that is too large wraps and becomes smaller than the one
	 * before.
	 */
	last->at += x->at;
	TOTALS_ADD(last, x);
	last->peak = x->peak;
	last->rss = x->rss - 1;
	if (!items_snapshot_sane(it->mon, last) ||
	    it->mon->nsnapshots >= MON_NUMBER_MAX)
		return ITEMS_BAD;
	mon_add_snapshot(it->mon, last);
	return ITEMS_TAKEN;
}

/* The changes contain differences for now: see changes_check(). */
enum items_end
items_change(struct items *it, const struct monrec_change *x)
{
	struct mon *m = it->mon;
	struct mon_change *a = mon_changes_room(m, x->n + 1);
	struct mon_change o = { .site = (uint32_t)x->site,
				.thread = (uint32_t)x->thread,
				.any = x->any,
				.size = x->size };
	uint64_t snapshot = 0, i;

	if (!x->n || (o.any && o.size >= MONOUT_NCLASS))
		return ITEMS_BAD;
	for (i = 0; i < x->n; i++) {
		if (x->changes[i].snapshot > MON_NUMBER_MAX - snapshot)
			return ITEMS_BROKEN;
		snapshot += x->changes[i].snapshot;
		o.snapshot = (uint32_t)snapshot;
		o.allocs = x->changes[i].allocs;
		o.frees = x->changes[i].frees;
		o.bytes = o.any ? x->changes[i].bytes : o.allocs * o.size;
		o.freed = o.any ? x->changes[i].freed : o.frees * o.size;
		a[i] = o;
	}
	m->nchanges += x->n;
	return ITEMS_TAKEN;
}
