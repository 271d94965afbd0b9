/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several struct mon made one: leaks and marks. */
#include "reduce/file/merge.h"

int
merge_leak(struct mon *all, struct mon_site *to, const struct mon *m,
	   const struct mon_site *s)
{
	if (!s->leak)
		return 0;
	if (!to->leak)
		to->leak = mon_new_leak(all);
	if (!to->leak)
		return -1;
	/* No more than the sites have allocated, so it fits. */
	mon_leak_add(&all->leaks[to->leak], &m->leaks[s->leak]);
	mon_leak_add(&all->leak, &m->leaks[s->leak]);
	return 0;
}

/* Times and totals of different runs don't make one table. */
static int
merge_forget_marks(struct mon *all)
{
	all->marks_dropped = true;
	all->nmarks = 0;
	return 0;
}

int
merge_marks(struct merge *g, const struct mon *m)
{
	struct mon *all = &g->all;
	struct mon_mark x;
	size_t i;

	all->marks_dropped |= m->marks_dropped;
	if (g->nfiles)
		return all->nmarks || m->nmarks ? merge_forget_marks(all) : 0;
	for (i = 0; i < m->nmarks; i++) {
		x = m->marks[i];
		if (rows_copy_mark(&all->arena, &x) || mon_add_mark(all, &x))
			return -1;
	}
	return 0;
}
