/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sites, bins and threads from cells. */
#include "reduce/estimate/recount.h"
#include "reduce/base/sort.h"
#include "reduce/model/counts.h"
#include "reduce/estimate/sample_error.h"
#include "reduce/monout/cells.h"
#include "reduce/monout/combine.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- sites -- */

bool
recount_site(struct mon_site *s, const struct mon_cell *c, size_t n, bool peak)
{
	uint64_t was = s->count.peak;
	int64_t blocks = 0, bytes = 0;
	unsigned k;
	bool told;

	s->count = (struct counts){ .peak = was };
	for (; n; n--, c++) {
		k = cells_class(c) % PROFILE_NCLASS;
#define ADD(how, type, name, dimension) s->count.name[k] += c->name;
		MEASURES_AMOUNTS(ADD)
#undef ADD
		blocks += c->peak_blocks;
		bytes += c->peak_bytes;
		sample_add_errors(s->count.var, c);
	}
	if (s->count.var[PROFILE_E_PEAK] < 0)
		s->count.var[PROFILE_E_PEAK] = 0;
	if (!peak)
		return true;
	/*
	 * The sum may be negative if only some of a site's cells are here:
	 * their blocks may be freed in other cells.
	 */
	told = blocks >= 0 && bytes >= 0;
	s->peak_blocks = told ? (uint64_t)blocks : 0;
	s->count.peak = told ? (uint64_t)bytes : 0;
	return told;
}

bool
recount_sites(struct mon *m, bool peak)
{
	size_t i, k = 0, first;
	bool told = true;

	for (i = 0; i < m->nsites; i++) {
		first = k;
		while (k < m->ncells && m->cells[k].site == i)
			k++;
		told &= recount_site(&m->sites[i], m->cells + first, k - first,
				     peak);
	}
	return told;
}

void
recount_sums(struct mon *m)
{
	const struct mon_site *s;
	size_t i;

	m->sums = (struct sums){ 0 };
	m->peak_blocks = m->peak_bytes = 0;
	for (i = 0; i < m->nsites; i++) {
		s = &m->sites[i];
		(void)sums_add(&m->sums, &s->count, s->reallocs);
		m->peak_blocks += s->peak_blocks;
		m->peak_bytes += s->count.peak;
	}
}

/* ----------------------------------------------------------------- bins -- */

SORT_BY(compare, struct mon_bin, SORT_UP(size))

/* Do all blocks of the cell have its size? */
static bool
is_sized(const struct mon_cell *c)
{
	uint64_t bytes, freed;

	return !c->any && !__builtin_mul_overflow(c->size, c->allocs, &bytes) &&
	       !__builtin_mul_overflow(c->size, c->frees, &freed) &&
	       bytes == c->bytes && freed == c->freed;
}

/*
 * No bytes are outside of the bins for now, and the sums of bins are those of
 * all sites.
 */
static void
bins_clear(struct mon *m)
{
	*mon_big(m) = (struct amounts){ 0 };
	m->bin_sums = m->sums;
	m->bin_sums.reallocs = 0;
}

static void
add_unsized(struct mon *m, unsigned k, const struct amounts *x,
	    struct account *unsized)
{
	if (!unsized || k == PROFILE_NCLASS - 1)
		TOTALS_ADD(mon_big(m), x);
	else
		TOTALS_ADD(&unsized[k], x);
}

static void
add_bin(struct mon_bin *to, const struct mon_bin *x)
{
	combine_sum_bin(to, x);
	counts_add_errors(to->var, x->var);
}

void
recount_bins(struct mon *m, bool there, struct account *unsized)
{
	size_t i, was = there ? m->nbins : 0, n = was;
	const struct mon_cell *c;
	struct mon_bin one, *b;

	ARRAY_ROOM(m->bins, m->bin_room, was + m->ncells + 1);
	b = m->bins;
	bins_clear(m);
	for (i = 0; i < was; i++)
		b[i] = (struct mon_bin){ .size = b[i].size };
	SORT(b, was, compare);
	for (i = 0; i < m->ncells; i++) {
		c = &m->cells[i];
		one = (struct mon_bin){ c->size, c->allocs, c->frees, { 0 } };
		sample_add_errors(one.var, c);
		if (is_sized(c) &&
		    (!there ||
		     (was && bsearch(&one, b, was, sizeof(*b), compare))))
			b[n++] = one;
		else
			add_unsized(m, cells_class(c) % PROFILE_NCLASS,
				    &AMOUNTS(c), unsized);
	}
	SORT_ONCE(b, n, compare, add_bin);
	m->nbins = n;
}

void
recount_classes(struct mon *m, struct account *unsized)
{
	struct account a;
	unsigned k;
	size_t i;

	bins_clear(m);
	m->nbins = 0;
	for (i = 0; i < m->nsites; i++) {
		for (k = 0; k < PROFILE_NCLASS; k++) {
			a = counts_of_class(&m->sites[i].count, k);
			add_unsized(m, k, &AMOUNTS(&a), unsized);
		}
	}
}

/* -------------------------------------------------------------- threads -- */

void
recount_threads(struct mon *m, bool counts)
{
	const struct mon_cell *c;
	struct mon_thread *x;
	size_t i;

	for (i = 0; i < m->nthreads; i++) {
		x = &m->threads[i];
		memset(x->var, 0, sizeof(x->var));
		if (counts)
			x->allocs = x->bytes = 0;
	}
	for (i = 0; i < m->ncells; i++) {
		c = &m->cells[i];
		if (!c->thread)
			continue;
		x = &m->threads[c->thread - 1];
		x->allocs += counts ? c->allocs : 0;
		x->bytes += counts ? c->bytes : 0;
		sample_add_errors(x->var, c);
	}
	/* What threads freed isn't known by site. */
	for (i = 0; i < m->nthreads; i++) {
		x = &m->threads[i];
		x->var[PROFILE_E_KEPT] = x->var[PROFILE_E_KEPT_BLOCKS] = 0;
		x->var[PROFILE_E_PEAK] = 0;
	}
}

void
recount_running(struct mon *m)
{
	struct sums *sums = &m->thread_sums;
	size_t i;

	if (m->sample.rate || !m->cells_known || !m->threads_known)
		return;
	for (i = 0; i < m->ncells; i++) {
		if (!m->cells[i].thread && m->cells[i].allocs)
			return;
	}
	recount_threads(m, true);
	/* Each block of the sites was allocated by a known thread. */
	sums->allocs = m->sums.allocs;
	sums->bytes = m->sums.bytes;
}
