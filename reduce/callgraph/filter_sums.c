/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sums of what a filter has left. */
#include "reduce/callgraph/filter.h"
#include "reduce/counts/sample_error.h"
#include "reduce/types/shares.h"

#include <stdlib.h>
#include <string.h>

/* Sums of sites; none of them overflows, as those of all sites haven't. */
static void
filter_sum_sites(struct mon *m)
{
	const struct mon_site *s;
	size_t i;

	m->sums = (struct sums){ 0 };
	m->peak_blocks = m->peak_bytes = 0;
	m->use = (struct mon_use){ 0 };
	m->leak = (struct mon_leak){ 0 };
	for (i = 0; i < m->nsites; i++) {
		s = &m->sites[i];
		(void)sums_add(&m->sums, &s->count, s->reallocs);
		m->peak_blocks += s->peak_blocks;
		m->peak_bytes += s->count.peak;
		if (s->use)
			(void)mon_use_add(&m->use, &m->uses[s->use]);
		if (s->leak)
			mon_leak_add(&m->leak, &m->leaks[s->leak]);
	}
	m->total[MONOUT_T_PEAK] = m->peaks_known ? m->peak_bytes : 0;
}

/* ----------------------------------------------------------------- bins -- */

/* Blocks of which the class is all that is known. */
static void
filter_unsized(struct filter *t, unsigned c, uint64_t allocs, uint64_t bytes,
	       uint64_t frees, uint64_t freed)
{
	struct profile *p = t->p;
	uint64_t *total = t->mon->total;

	if (c == PROFILE_NCLASS - 1) {
		total[MONOUT_T_BIG_ALLOCS] += allocs;
		total[MONOUT_T_BIG_BYTES] += bytes;
		total[MONOUT_T_BIG_FREES] += frees;
		total[MONOUT_T_BIG_FREED] += freed;
		return;
	}
	p->unsized[c].allocs += allocs;
	p->unsized[c].bytes += bytes;
	p->unsized[c].frees += frees;
	p->unsized[c].freed += freed;
}

/* Are all blocks of a cell of its size? */
static bool
filter_sized(const struct mon_cell *x)
{
	uint64_t bytes, freed;

	return !x->any && !__builtin_mul_overflow(x->size, x->allocs, &bytes) &&
	       !__builtin_mul_overflow(x->size, x->frees, &freed) &&
	       bytes == x->bytes && freed == x->freed;
}

static int
filter_compare_bins(const void *a, const void *b)
{
	const struct mon_bin *x = a, *y = b;

	return x->size < y->size ? -1 : x->size > y->size;
}

/* Of cells: a bin of each size. */
static int
filter_bins(struct filter *t)
{
	struct mon *m = t->mon;
	struct mon_bin *b =
		array_grow(m->bins, &m->bin_room, m->ncells + 1, sizeof(*b));
	const struct mon_cell *x;
	size_t i, n = 0;
	int e;

	if (!b)
		return -1;
	m->bins = b;
	for (i = 0; i < m->ncells; i++) {
		x = &m->cells[i];
		if (filter_sized(x)) {
			b[n] = (struct mon_bin){
				x->size, x->allocs, x->frees, { 0 }
			};
			sample_add_errors(b[n++].var, x);
		} else
			filter_unsized(t,
				       x->any ? (unsigned)x->size %
							PROFILE_NCLASS
					      : (unsigned)shares_class(x->size),
				       x->allocs, x->bytes, x->frees, x->freed);
	}
	qsort(b, n, sizeof(*b), filter_compare_bins);
	for (i = m->nbins = 0; i < n; i++) {
		if (m->nbins && b[m->nbins - 1].size == b[i].size) {
			b[m->nbins - 1].allocs += b[i].allocs;
			b[m->nbins - 1].frees += b[i].frees;
			for (e = 0; e < PROFILE_NERROR; e++)
				b[m->nbins - 1].var[e] += b[i].var[e];
		} else {
			b[m->nbins++] = b[i];
		}
	}
	return 0;
}

/* Of sites: no more is known than the class. */
static void
filter_classes(struct filter *t)
{
	const struct mon *m = t->mon;
	const struct counts *n;
	unsigned c;
	size_t i;

	for (i = 0; i < m->nsites; i++) {
		n = &m->sites[i].count;
		for (c = 0; c < PROFILE_NCLASS; c++)
			filter_unsized(t, c, n->allocs[c], n->bytes[c],
				       n->frees[c], n->freed[c]);
	}
}

/* -------------------------------------------------------------- threads -- */

/*
 * What threads allocated.  What they freed isn't said by site.  Numbers of
 * threads in cells change as those that allocated nothing go.
 */
static int
filter_sum_threads(struct mon *m)
{
	uint32_t *to = calloc(m->nthreads + 1, sizeof(*to));
	struct mon_thread *x;
	size_t i, n = 0;

	if (!to)
		return -1;
	for (i = 0; i < m->nthreads; i++) {
		x = &m->threads[i];
		x->allocs = x->bytes = x->frees = x->freed = x->foreign = 0;
		memset(x->var, 0, sizeof(x->var));
	}
	for (i = 0; i < m->ncells; i++) {
		if (!m->cells[i].thread)
			continue;
		x = &m->threads[m->cells[i].thread - 1];
		x->allocs += m->cells[i].allocs;
		x->bytes += m->cells[i].bytes;
		sample_add_errors(x->var, &m->cells[i]);
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
	return 0;
}

int
filter_sums(struct filter *t)
{
	struct mon *m = t->mon;
	bool cells = m->cells_known;
	uint64_t *total = m->total;

	filter_sum_sites(m);
	total[MONOUT_T_BIG_ALLOCS] = total[MONOUT_T_BIG_BYTES] = 0;
	total[MONOUT_T_BIG_FREES] = total[MONOUT_T_BIG_FREED] = 0;
	m->nbins = 0;
	memset(t->p->unsized, 0, sizeof(t->p->unsized));
	/* A mark has the totals of the whole program. */
	m->nmarks = 0;
	m->marks_dropped = false;
	m->run[MONOUT_R_THREADS].set = false;
	if (!cells)
		filter_classes(t);
	else if (filter_bins(t))
		return -1;
	m->threads_known &= cells;
	return m->threads_known ? filter_sum_threads(m) : 0;
}
