/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sums after a filter. */
#include "reduce/callgraph/filter.h"
#include "reduce/estimate/recount.h"

#include <stdlib.h>
#include <string.h>

/* Sums of sites.  No sum overflows, because the sums of all sites don't. */
static void
filter_sum_sites(struct mon *m)
{
	const struct mon_site *s;
	size_t i;

	recount_sums(m);
	m->use = (struct mon_use){ 0 };
	m->leak = (struct leak){ .holds = { 0, 0 } };
	for (i = 0; i < m->nsites; i++) {
		s = &m->sites[i];
		if (s->use)
			(void)mon_use_add(&m->use, &m->uses[s->use]);
		if (s->leak)
			leak_add(&m->leak, &m->leaks[s->leak].found);
	}
	m->total[MONOUT_T_PEAK] = m->peaks_known ? m->peak_bytes : 0;
}

/* -------------------------------------------------------------- threads -- */

/*
 * The amounts that threads allocated.  The amounts that they freed aren't
 * recorded by site, so they become 0.  Threads that allocated nothing are
 * removed, so the thread numbers in cells change.
 */
static void
filter_sum_threads(struct mon *m)
{
	uint32_t *to = heap_array(m->nthreads + 1, sizeof(*to));
	struct mon_thread *x;
	size_t i, n = 0;

	recount_threads(m, true);
	for (i = 0; i < m->nthreads; i++) {
		x = &m->threads[i];
		x->frees = x->freed = x->of_others = 0;
	}
	for (i = 0; i < m->nthreads; i++) {
		if (!m->threads[i].allocs)
			continue;
		m->threads[n++] = m->threads[i];
		to[i + 1] = (uint32_t)n;
	}
	for (i = 0; i < m->ncells; i++)
		m->cells[i].thread = to[m->cells[i].thread];
	for (i = 0; i < m->nchanges; i++)
		m->changes[i].thread = to[m->changes[i].thread];
	m->nthreads = n;
	free(to);
}

void
filter_sums(struct filter *t)
{
	struct mon *m = t->mon;
	bool cells = m->cells_known;

	filter_sum_sites(m);
	memset(t->p->unsized, 0, sizeof(t->p->unsized));
	/* A mark contains the totals of the whole program. */
	m->nmarks = 0;
	m->marks_dropped = false;
	m->run[MONOUT_R_THREADS].set = false;
	if (!cells)
		recount_classes(m, t->p->unsized);
	else
		recount_bins(m, false, t->p->unsized);
	m->threads_known &= cells;
	if (m->threads_known)
		filter_sum_threads(m);
}
