/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several struct mon made one: leaks, marks and settings. */
#include "reduce/file/merge.h"

#include <stdlib.h>
#include <string.h>

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
		x.name = arena_copy(&all->arena, x.name, strlen(x.name));
		if (!x.name || mon_add_mark(all, &x))
			return -1;
	}
	return 0;
}

int
merge_settings(struct mon *all, const struct mon *m)
{
	struct mon_setting x, *a;
	size_t i, n = 0;

	for (i = 0; i < m->nsettings; i++) {
		x = m->settings[i];
		x.name = arena_copy(&all->arena, x.name, strlen(x.name));
		x.value = arena_copy(&all->arena, x.value, strlen(x.value));
		if (!x.name || !x.value || mon_add_setting(all, &x))
			return -1;
	}
	a = all->settings;
	if (all->nsettings)
		qsort(a, all->nsettings, sizeof(*a), rows_compare_setting);
	for (i = 0; i < all->nsettings; i++) {
		if (!n || rows_compare_setting(&a[n - 1], &a[i]))
			a[n++] = a[i];
	}
	all->nsettings = n;
	return 0;
}
