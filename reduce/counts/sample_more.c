/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts of samples made estimates: lives, bins, threads, totals. */
#include "reduce/counts/sample_more.h"
#include "reduce/counts/sample_error.h"
#include "reduce/file/cells.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* x times a factor, which is finite and not below 0. */
static uint64_t
sample_scaled(uint64_t x, double factor)
{
	double v = (double)x * factor;

	return v < 0x1p63 ? (uint64_t)v : UINT64_MAX;
}

/*
 * Which allocations came between, and what block a block had been, is known of
 * all blocks only.  The histogram's sum is its weight.
 */
int
sample_life(struct mon *m, struct mon_site *s, uint64_t frees, uint64_t to)
{
	double factor = frees ? (double)to / (double)frees : 1, rest = .5, n;
	struct life x;
	int i;

	if (!s->life)
		return 0;
	life_get(&m->lives, s->life, &x);
	x.temps = x.near = x.moved = x.copied = x.longest = 0;
	x.foreign = sample_scaled(x.foreign, factor);
	x.sum = x.sum == UINT64_MAX ? x.sum : sample_scaled(x.sum, factor);
	x.weight = 0;
	for (i = 0; i < PROFILE_NLIFE; i++) {
		if (!x.bin[i])
			continue;
		rest += (double)x.bin[i] * factor;
		n = floor(rest);
		rest -= n;
		x.bin[i] = (uint64_t)n;
		x.weight += x.bin[i];
	}
	life_add(&m->life, &x);
	s->life = life_put(&m->lives, s->life, &x);
	return s->life ? 0 : -1;
}

/* ----------------------------------------------------------------- bins -- */

static int
sample_compare(const void *a, const void *b)
{
	const struct mon_bin *x = a, *y = b;

	return x->size < y->size ? -1 : x->size > y->size;
}

static void
sample_big(struct mon *m, const struct mon_cell *c)
{
	m->total[MONOUT_T_BIG_ALLOCS] += c->allocs;
	m->total[MONOUT_T_BIG_BYTES] += c->bytes;
	m->total[MONOUT_T_BIG_FREES] += c->frees;
	m->total[MONOUT_T_BIG_FREED] += c->freed;
}

int
sample_bins(struct mon *m)
{
	struct mon_bin *b =
		array_grow(m->bins, &m->bin_room, m->ncells + 1, sizeof(*b));
	const struct mon_cell *c;
	size_t i, n = 0;
	int e;

	if (!b)
		return -1;
	m->bins = b;
	m->total[MONOUT_T_BIG_ALLOCS] = m->total[MONOUT_T_BIG_BYTES] = 0;
	m->total[MONOUT_T_BIG_FREES] = m->total[MONOUT_T_BIG_FREED] = 0;
	for (i = 0; i < m->ncells; i++) {
		c = &m->cells[i];
		if (c->any) {
			sample_big(m, c);
			continue;
		}
		b[n] = (struct mon_bin){ c->size, c->allocs, c->frees, { 0 } };
		sample_add_errors(b[n++].var, c);
	}
	if (n)
		qsort(b, n, sizeof(*b), sample_compare);
	for (i = m->nbins = 0; i < n; i++) {
		if (!m->nbins || b[m->nbins - 1].size != b[i].size) {
			b[m->nbins++] = b[i];
			continue;
		}
		b[m->nbins - 1].allocs += b[i].allocs;
		b[m->nbins - 1].frees += b[i].frees;
		for (e = 0; e < PROFILE_NERROR; e++)
			b[m->nbins - 1].var[e] += b[i].var[e];
	}
	m->bin_sums = m->sums;
	m->bin_sums.reallocs = 0;
	return 0;
}

/* -------------------------------------------------------------- threads -- */

/*
 * Divide `whole' among threads by what they have in the field at `at', which
 * the monitor has estimated: see mon.out(5).  Without any, the first has all.
 */
static void
sample_divide(struct mon *m, size_t at, uint64_t whole)
{
	long double sum = 0, so_far = 0;
	uint64_t *v, done = 0, to;
	size_t i;

#define FIELD(i) ((uint64_t *)((char *)&m->threads[i] + at))
	for (i = 0; i < m->nthreads; i++)
		sum += (long double)*FIELD(i);
	for (i = 0; i < m->nthreads; i++) {
		v = FIELD(i);
		so_far += (long double)*v;
		to = sum > 0 ? (uint64_t)(so_far / sum * (long double)whole)
			     : whole;
		if (to > whole || i + 1 == m->nthreads)
			to = whole;
		*v = to > done ? to - done : 0;
		done = to > done ? to : done;
	}
#undef FIELD
}

/* Of allocations, as far as cells say whose they are. */
static void
sample_thread_errors(struct mon *m)
{
	const struct mon_cell *c;
	struct mon_thread *x;
	size_t i;

	for (i = 0; i < m->ncells; i++) {
		c = &m->cells[i];
		if (!c->thread)
			continue;
		x = &m->threads[c->thread - 1];
		sample_add_errors(x->var, c);
		x->var[PROFILE_E_KEPT] = x->var[PROFILE_E_KEPT_BLOCKS] = 0;
		x->var[PROFILE_E_PEAK] = 0;
	}
}

/* What they allocated is in the cells, if these say whose they are. */
static void
sample_allocated(struct mon *m)
{
	const struct mon_cell *c;
	struct mon_thread *x;
	size_t i;

	for (i = 0; i < m->nthreads; i++)
		m->threads[i].allocs = m->threads[i].bytes = 0;
	for (i = 0; i < m->ncells; i++) {
		c = &m->cells[i];
		x = &m->threads[c->thread - 1];
		x->allocs += c->allocs;
		x->bytes += c->bytes;
	}
}

int
sample_again(struct mon *m)
{
	struct mon_site *s;
	size_t i;

	for (i = 0; i < m->ncells; i++) {
		s = &m->sites[m->cells[i].site];
		sample_add_errors(s->count.var, &m->cells[i]);
	}
	for (i = 0; i < m->nsites; i++) {
		if (m->sites[i].count.var[PROFILE_E_PEAK] < 0)
			m->sites[i].count.var[PROFILE_E_PEAK] = 0;
	}
	sample_thread_errors(m);
	return sample_bins(m);
}

void
sample_threads(struct mon *m)
{
	uint64_t threads = m->thread_sums.reallocs, frees;
	struct mon_thread *x;
	size_t i;

	if (!m->threads_known || !m->nthreads)
		return;
	if (m->cells_known && cells_have_threads(m)) {
		sample_allocated(m);
	} else {
		sample_divide(m, offsetof(struct mon_thread, allocs),
			      m->sums.allocs);
		sample_divide(m, offsetof(struct mon_thread, bytes),
			      m->sums.bytes);
	}
	for (i = 0; i < m->nthreads; i++) {
		x = &m->threads[i];
		frees = x->frees;
		/* A share of the frees for now. */
		x->foreign =
			frees ? sample_scaled(UINT32_MAX, (double)x->foreign /
								  (double)frees)
			      : 0;
	}
	sample_divide(m, offsetof(struct mon_thread, frees), m->sums.frees);
	sample_divide(m, offsetof(struct mon_thread, freed), m->sums.freed);
	for (i = 0; i < m->nthreads; i++) {
		x = &m->threads[i];
		x->foreign = sample_scaled(x->frees,
					   (double)x->foreign / UINT32_MAX);
		if (x->foreign > x->frees)
			x->foreign = x->frees;
	}
	sample_thread_errors(m);
	m->thread_sums = m->sums;
	m->thread_sums.reallocs = threads;
}

/* --------------------------------------------------------------- totals -- */

static void
sample_most(uint64_t *v, uint64_t most)
{
	if (*v > most)
		*v = most;
}

void
sample_totals(struct mon *m)
{
	uint64_t *t = m->total;

	if (m->peaks_known)
		t[MONOUT_T_PEAK] = m->peak_bytes;
	t[MONOUT_T_PEAK_SLACK] = 0;
	sample_most(&t[MONOUT_T_OFF_FREES], m->sums.frees);
	sample_most(&t[MONOUT_T_OFF_FREED], m->sums.freed);
	sample_most(&t[MONOUT_T_POOL_ALLOCS], m->sums.allocs);
	sample_most(&t[MONOUT_T_POOL_BYTES], m->sums.bytes);
}
