/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Merge several struct mon into one: marks, snapshots and changes.  Only a
 * single file keeps them.
 */
#include "reduce/monout/changes.h"
#include "reduce/monout/merge.h"

#include <stdlib.h>
#include <string.h>

/* Times and totals of different runs don't fit into one table. */
static void
merge_forget_marks(struct mon *all)
{
	all->marks_dropped = true;
	all->nmarks = 0;
}

void
merge_marks(struct merge *g, const struct mon *m)
{
	struct mon *all = &g->all;
	struct mon_mark x;
	size_t i;

	all->marks_dropped |= m->marks_dropped;
	if (g->nfiles) {
		if (all->nmarks || m->nmarks)
			merge_forget_marks(all);
		return;
	}
	for (i = 0; i < m->nmarks; i++) {
		x = m->marks[i];
		combine_copy_mark(&all->arena, &x);
		mon_add_mark(all, &x);
	}
}

/* Times of different runs don't fit into one table. */
static void
merge_forget_times(struct mon *all)
{
	all->times_dropped = true;
	changes_forget(all);
}

static void
merge_changes(struct mon *all, const struct mon *m,
	      const struct combine_maps *map)
{
	struct mon_change *a = heap_new((m->nchanges + 1) * sizeof(*a));
	size_t i;

	if (m->nchanges)
		memcpy(a, m->changes, m->nchanges * sizeof(*a));
	/* Use differences while two rows that become one are still separate. */
	changes_differ(a, m->nchanges);
	for (i = 0; i < m->nchanges; i++)
		combine_move_change(&a[i], map);
	all->changes = a;
	all->change_room = m->nchanges + 1;
	all->nchanges = changes_again(a, m->nchanges);
	all->changes_known = m->changes_known;
}

void
merge_times(struct merge *g, const struct mon *m,
	    const struct combine_maps *map)
{
	struct mon *all = &g->all;
	struct mon_snapshot *a;

	all->times_dropped |= m->times_dropped;
	if (g->nfiles) {
		if (all->times_known || m->times_known)
			merge_forget_times(all);
		return;
	}
	if (!m->times_known)
		return;
	a = mon_snapshots_room(all, m->nsnapshots + 1);
	if (m->nsnapshots)
		memcpy(a, m->snapshots, m->nsnapshots * sizeof(*a));
	all->nsnapshots = m->nsnapshots;
	all->times_known = true;
	merge_changes(all, m, map);
}
