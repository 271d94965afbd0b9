/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several struct mon made one: leaks and marks. */
#include "reduce/file/merge.h"

#include <string.h>

int
merge_leak(struct mon *all, struct mon_site *to, const struct mon *m,
	   const struct mon_site *s)
{
	struct mon_leak *a;

	if (!s->leak)
		return 0;
	a = array_grow(all->leaks, &all->leak_room, all->nleaks + 2,
		       sizeof(*a));
	if (!a)
		return -1;
	all->leaks = a;
	if (!all->nleaks)
		a[all->nleaks++] = (struct mon_leak){ { 0 }, { 0 } };
	if (!to->leak) {
		to->leak = (uint32_t)all->nleaks;
		a[all->nleaks++] = (struct mon_leak){ { 0 }, { 0 } };
	}
	/* No more than the sites have allocated, so it fits. */
	mon_leak_add(&a[to->leak], &m->leaks[s->leak]);
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
	struct mon_mark *a;
	size_t i;

	all->marks_dropped |= m->marks_dropped;
	if (g->nfiles)
		return all->nmarks || m->nmarks ? merge_forget_marks(all) : 0;
	a = array_grow(all->marks, &all->mark_room, m->nmarks + 1, sizeof(*a));
	if (!a)
		return -1;
	all->marks = a;
	for (i = 0; i < m->nmarks; i++) {
		a[i] = m->marks[i];
		a[i].name = arena_copy(&all->arena, m->marks[i].name,
				       strlen(m->marks[i].name));
		if (!a[i].name)
			return -1;
		all->nmarks++;
	}
	return 0;
}
