/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Turn the counts of samples into estimates: lives, bins, threads, totals,
 * uses.
 */
#include "reduce/estimate/sample.h"
#include "reduce/estimate/recount.h"
#include "reduce/monout/cells.h"
#include "reduce/monout/use_paths.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* x * factor; factor is finite and not negative. */
static uint64_t
sample_scaled(uint64_t x, double factor)
{
	double v = (double)x * factor;

	return v < 0x1p63 ? (uint64_t)v : UINT64_MAX;
}

/*
 * The counts of other allocations between are known only if all blocks are
 * recorded; those of blocks that were moved are in FIGURES.  The sum of the
 * histogram is its weight.
 */
void
sample_life(struct mon *m, struct mon_site *s, uint64_t frees, uint64_t to)
{
	double factor = frees ? (double)to / (double)frees : 1, rest = .5, n;
	struct life x;
	int i;

	if (!s->life)
		return;
	life_get(&m->lives, s->life, &x);
	x.temps = x.near = x.moved = x.copied = x.longest = 0;
	x.by_others = sample_scaled(x.by_others, factor);
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
}

/* Add a figure to the life *x of s.  No more blocks were moved than made. */
static void
sample_figure(const struct mon_figure *f, struct mon_site *s, struct life *x)
{
	uint64_t most = counts_sum(s->count.allocs);

	if (f->what == MONOUT_FIGURE_COPIED)
		x->copied += x->moved ? f->n : 0;
	if (f->what != MONOUT_FIGURE_MOVED)
		return;
	x->moved = f->n < most ? f->n : most;
	if (s->reallocs < x->moved)
		s->reallocs = x->moved;
}

void
sample_moved(struct mon *m)
{
	struct mon_site *s;
	struct life x, was;
	size_t i, k;

	for (i = 0; i < m->nfigures; i = k) {
		s = &m->sites[m->figures[i].site];
		life_get(&m->lives, s->life, &x);
		was = x;
		for (k = i; k < m->nfigures &&
			    m->figures[k].site == m->figures[i].site;
		     k++)
			sample_figure(&m->figures[k], s, &x);
		if (x.copied > UINT64_MAX - m->life.copied)
			continue;
		m->life.moved += x.moved - was.moved;
		m->life.copied += x.copied - was.copied;
		s->life = life_is_empty(&x) ? 0
					    : life_put(&m->lives, s->life, &x);
	}
}

/* ----------------------------------------------------------------- uses -- */

static void
sample_most(uint64_t *v, uint64_t most)
{
	if (*v > most)
		*v = most;
}

/*
 * Reduce a use from `all' blocks, or bytes, to `most': its other figures are
 * reduced in proportion, except the accesses, which have no limit.
 */
static void
sample_fewer(struct mon_use *u, uint64_t all, uint64_t most)
{
	int i;

	if (all <= most)
		return;
#define FEWER(v) \
	((v) = (uint64_t)((double)(v) / (double)all * (double)most + .5))
	for (i = 0; i < MON_USE_NUMBERS; i++)
		if (&u->n[i] != &u->reads && &u->n[i] != &u->writes &&
		    u->n[i] < UINT64_MAX)
			FEWER(u->n[i]);
	FEWER(u->handed);
	FEWER(u->handed_bytes);
#undef FEWER
}

/*
 * Limit a use to the blocks and bytes that are left, and take its own off
 * these.
 */
static void
sample_use(struct mon_use *u, struct amounts *left)
{
	uint64_t blocks, bytes;
	int i;

	sample_fewer(u, u->blocks, left->allocs);
	sample_fewer(u, u->bytes, left->bytes);
	sample_most(&u->bytes, left->bytes);
	sample_most(&u->blocks, left->allocs);
	sample_most(&u->blocks, u->bytes);
	left->allocs -= u->blocks;
	left->bytes -= u->bytes;
	sample_most(&u->handed_bytes, u->bytes);
	sample_most(&u->handed, u->blocks);
	sample_most(&u->handed, u->handed_bytes);
	blocks = u->blocks - u->handed;
	bytes = u->bytes - u->handed_bytes;
	sample_most(&u->span, bytes);
	sample_most(&u->cover, u->span);
	sample_most(&u->span_used, u->span);
	sample_most(&u->cover_used, u->cover);
	sample_most(&u->cover_used, u->span_used);
	if (!(blocks >> (64 - MONOUT_USEFUL_BITS)))
		sample_most(&u->useful, blocks << MONOUT_USEFUL_BITS);
	for (i = 0; i < MONOUT_NFLAG; i++) {
		uint64_t *of = &u->flag[i].blocks, *all = &u->flag[i].bytes;
		bool sure = i == MONOUT_BRIEF || i == MONOUT_SHARED;

		sample_most(all, sure ? u->bytes : bytes);
		sample_most(of, sure ? u->blocks : blocks);
		sample_most(of, *all);
		*all = *of ? *all : 0;
	}
	memset(&u->fields, 0, sizeof(u->fields));
}

/* Limit a field to the blocks of its use. */
static void
sample_field(struct mon *m, struct mon_field *f)
{
	struct mon_use *u = &m->uses[m->sites[f->site].use];

	sample_most(&f->blocks, u->blocks - u->fields.blocks);
	sample_most(&f->blocks, (u->bytes - u->fields.bytes) / f->size);
	u->fields.blocks += f->blocks;
	u->fields.bytes += f->blocks * f->size;
}

void
sample_uses(struct mon *m)
{
	struct amounts *left = heap_array(m->nsites + 1, sizeof(*left));
	uint32_t *first = use_paths(m);
	size_t i, n = 0;

	m->use = (struct mon_use){ .handed = 0 };
	for (i = 0; i < m->nsites; i++) {
		left[first[i]].allocs += counts_sum(m->sites[i].count.allocs);
		left[first[i]].bytes += counts_sum(m->sites[i].count.bytes);
	}
	for (i = 0; i < m->nsites; i++) {
		if (!m->sites[i].use)
			continue;
		sample_use(&m->uses[m->sites[i].use], &left[first[i]]);
		(void)mon_use_add(&m->use, &m->uses[m->sites[i].use]);
	}
	for (i = 0; i < m->nfields; i++) {
		sample_field(m, &m->fields[i]);
		if (m->fields[i].blocks)
			m->fields[n++] = m->fields[i];
	}
	m->nfields = n;
	free(left);
	free(first);
}

/* -------------------------------------------------------------- threads -- */

/*
 * Divide `whole' among threads in proportion to their values in the field at
 * offset `at', which the monitor has estimated: see mon.out(5).  If all values
 * are 0, the first thread gets all.
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

void
sample_again(struct mon *m)
{
	(void)recount_sites(m, false);
	recount_threads(m, false);
	recount_bins(m, false, NULL);
}

void
sample_threads(struct mon *m)
{
	uint64_t threads = m->thread_sums.reallocs, frees;
	struct mon_thread *x;
	size_t i;

	if (!m->threads_known || !m->nthreads)
		return;
	recount_threads(m, m->cells_known && cells_have_threads(m));
	if (!m->cells_known || !cells_have_threads(m)) {
		sample_divide(m, offsetof(struct mon_thread, allocs),
			      m->sums.allocs);
		sample_divide(m, offsetof(struct mon_thread, bytes),
			      m->sums.bytes);
	}
	for (i = 0; i < m->nthreads; i++) {
		x = &m->threads[i];
		frees = x->frees;
		/* For now a share of the frees, in units of 1 / UINT32_MAX. */
		x->of_others =
			frees ? sample_scaled(UINT32_MAX, (double)x->of_others /
								  (double)frees)
			      : 0;
	}
	sample_divide(m, offsetof(struct mon_thread, frees), m->sums.frees);
	sample_divide(m, offsetof(struct mon_thread, freed), m->sums.freed);
	for (i = 0; i < m->nthreads; i++) {
		x = &m->threads[i];
		x->of_others = sample_scaled(x->frees,
					     (double)x->of_others / UINT32_MAX);
		if (x->of_others > x->frees)
			x->of_others = x->frees;
	}
	m->thread_sums = m->sums;
	m->thread_sums.reallocs = threads;
}

/* --------------------------------------------------------------- totals -- */

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
