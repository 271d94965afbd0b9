/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Turn the counts of samples into estimates: cells and sites. */
#include "reduce/estimate/sample.h"
#include "reduce/estimate/recount.h"
#include "reduce/estimate/sample_error.h"
#include "reduce/monout/load_check.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- cells -- */

/*
 * Fractions of blocks that are carried to the next cell: freed blocks, live
 * blocks, blocks live at the peak.
 */
struct sample_rests {
	double frees, live, held;
};

/* n * weight in whole blocks; 0 stays 0. */
static int64_t
sample_blocks(double *rest, int64_t n, double weight)
{
	double whole;

	if (!n)
		return 0;
	*rest += (double)n * weight;
	whole = floor(*rest);
	*rest -= whole;
	return (int64_t)whole;
}

/* Bytes of `to' blocks, estimated from n blocks of `bytes' bytes. */
static uint64_t
sample_bytes(const struct mon_cell *c, int64_t n, int64_t bytes, int64_t to)
{
	if (!c->any)
		return (uint64_t)to * c->size;
	return n ? (uint64_t)(int64_t)((double)bytes / (double)n * (double)to)
		 : 0;
}

static void
sample_cell(struct mon_cell *c, uint64_t rate, struct sample_rests *r)
{
	uint64_t size = (uint64_t)sample_size(c);
	double w = sample_weight(rate, size), more = w * (w - 1);
	int64_t frees = (int64_t)c->frees, live = (int64_t)(c->allocs) - frees;
	int64_t freed = (int64_t)c->freed, kept = (int64_t)c->bytes - freed;
	int64_t held = c->peak_blocks, n;

	/* (1 - p) / p^2 for each block. */
	/*
	 * Rounded, because whole numbers up to 2^53 add up exactly in any
	 * order.
	 */
	c->made = rint((double)c->allocs * more);
	c->live = rint((double)live * more);
	c->held = rint((double)held * more);
	n = sample_blocks(&r->frees, frees, w);
	c->freed = sample_bytes(c, frees, freed, n);
	c->frees = (uint64_t)n;
	n = sample_blocks(&r->live, live, w);
	c->bytes = c->freed + sample_bytes(c, live, kept, n);
	c->allocs = c->frees + (uint64_t)n;
	n = sample_blocks(&r->held, held, w);
	/*
	 * At most as many as were allocated; the rest is carried to another
	 * cell.
	 */
	if (held <= frees + live && n > (int64_t)c->allocs) {
		r->held += (double)(n - (int64_t)c->allocs);
		n = (int64_t)c->allocs;
	}
	c->peak_bytes = (int64_t)sample_bytes(c, held, c->peak_bytes, n);
	if (held <= frees + live && c->peak_bytes > (int64_t)c->bytes)
		c->peak_bytes = (int64_t)c->bytes;
	c->peak_blocks = n;
}

/*
 * A file without cells: each class of a site becomes a cell of any size.  The
 * site's amounts at the peak go to its first cell.
 */
static void
sample_classes(struct mon *m)
{
	const struct counts *n;
	struct account x;
	bool first;
	unsigned k;
	size_t i;

	m->ncells = 0;
	ARRAY_ROOM(m->cells, m->cell_room, m->nsites * PROFILE_NCLASS + 1);
	for (i = 0; i < m->nsites; i++) {
		n = &m->sites[i].count;
		first = true;
		for (k = 0; k < PROFILE_NCLASS; k++) {
			if (!n->allocs[k])
				continue;
			x = counts_of_class(n, k);
			m->cells[m->ncells++] = (struct mon_cell){
				.site = (uint32_t)i,
				.size = k,
				.any = true,
				TOTALS_INIT(&x),
				.peak_blocks =
					(int64_t)(first ? m->sites[i]
								  .peak_blocks
							: 0),
				.peak_bytes = (int64_t)(first ? n->peak : 0),
			};
			first = false;
		}
	}
}

/* ---------------------------------------------------------------- sites -- */

/* x * part / whole; x if whole is 0. */
static uint64_t
sample_part(uint64_t x, uint64_t part, uint64_t whole)
{
	return whole ? (uint64_t)((double)x * ((double)part / (double)whole))
		     : x;
}

/* Scale the other records of a site in proportion to its counts. */
static void
sample_rest(struct mon *m, struct mon_site *s, const struct counts *was,
	    size_t *vtable)
{
	uint64_t allocs = counts_sum(s->count.allocs);
	uint64_t live = allocs - counts_sum(s->count.frees);
	uint64_t live_was = counts_sum(was->allocs) - counts_sum(was->frees);
	uint64_t blocks;
	struct mon_vtable *v;

	s->reallocs = sample_part(s->reallocs, allocs, counts_sum(was->allocs));
	if (s->reallocs > allocs)
		s->reallocs = allocs;
	for (; *vtable < m->nvtables; ++*vtable) {
		v = &m->vtables[*vtable];
		if (v->site != (size_t)(s - m->sites))
			break;
		blocks = sample_part(v->blocks, live, live_was);
		v->bytes = v->bytes % v->blocks
				   ? sample_part(v->bytes, blocks, v->blocks)
				   : v->bytes / v->blocks * blocks;
		v->blocks = blocks;
	}
	sample_life(m, s, counts_sum(was->frees), counts_sum(s->count.frees));
}

static void
sample_sites(struct mon *m)
{
	const struct mon_cell *c = m->cells, *end = c + m->ncells, *from;
	struct counts was;
	size_t i, v = 0;

	m->life = (struct life){ 0 };
	for (i = 0; i < m->nsites; i++) {
		was = m->sites[i].count;
		for (from = c; c < end && c->site == i; c++)
			;
		(void)recount_site(&m->sites[i], from, (size_t)(c - from),
				   true);
		sample_rest(m, &m->sites[i], &was, &v);
	}
	sample_moved(m);
	recount_sums(m);
}

/* ------------------------------------------------------------------ all -- */

/* Are all estimates together below the largest one allowed? */
static bool
sample_fits(const struct mon *m, uint64_t rate)
{
	double blocks = 0, bytes = 0, held = 0, w;
	const struct mon_cell *c;
	size_t i;

	for (i = 0; i < m->ncells; i++) {
		c = &m->cells[i];
		w = sample_weight(rate, (uint64_t)sample_size(c));
		blocks += (double)c->allocs * w;
		bytes += (double)c->bytes * w;
		held += fabs((double)c->peak_bytes) * w +
			fabs((double)c->peak_blocks) * w;
	}
	return blocks < (double)MON_ESTIMATE_MOST &&
	       bytes < (double)MON_ESTIMATE_MOST &&
	       held < (double)MON_ESTIMATE_MOST;
}

static void
sample_estimate(struct mon *m, uint64_t rate)
{
	struct sample_rests r = { .5, .5, .5 };
	bool cells = m->cells_known;
	struct mon_cell *was;
	size_t i;

	if (!cells)
		sample_classes(m);
	if (!rate || !sample_fits(m, rate)) {
		m->incomplete = true;
		m->uses_known = false;
		m->run[MONOUT_R_SAMPLE].set = false;
		if (!cells)
			m->ncells = 0;
		load_warn(m,
			  "damaged: too many samples for a rate of %" PRIu64
			  " bytes; the figures count only the samples",
			  rate);
		return;
	}
	was = cells ? heap_new((m->ncells + 1) * sizeof(*was)) : NULL;
	if (cells && m->ncells)
		memcpy(was, m->cells, m->ncells * sizeof(*was));
	m->sample.rate = rate;
	m->sample.blocks = m->sums.allocs;
	for (i = 0; i < m->ncells; i++)
		sample_cell(&m->cells[i], rate, &r);
	sample_sites(m);
	recount_bins(m, false, NULL);
	sample_threads(m);
	sample_totals(m);
	sample_times(m, was);
	sample_uses(m);
	free(was);
	if (!cells)
		m->ncells = 0;
}

void
sample_scale(struct mon *m)
{
	const struct mon_value *rate = &m->run[MONOUT_R_SAMPLE];
	const struct mon_value *why = &m->run[MONOUT_R_SAMPLE_WHY];
	uint64_t *t = m->total;

	m->sample.why = why->text;
	m->sample.all_known = m->total_set[MONOUT_T_ALL_ALLOCS] &&
			      m->total_set[MONOUT_T_ALL_BYTES];
	if (rate->set && !mon_is_sum(m))
		sample_estimate(m, rate->number);
	if (m->sample.all_known) {
		m->sample.all_allocs = t[MONOUT_T_ALL_ALLOCS];
		m->sample.all_bytes = t[MONOUT_T_ALL_BYTES];
	} else if (!rate->set) {
		m->sample.all_known = true;
		m->sample.all_allocs = m->sums.allocs;
		m->sample.all_bytes = m->sums.bytes;
	}
	if (!rate->set || !mon_is_sum(m))
		return;
	/* The counts are estimates already. */
	m->sample.rate = rate->number;
	m->sample.blocks = t[MONOUT_T_SAMPLES];
	m->sample.some = m->total[MONOUT_T_SOME];
	if (m->cells_known)
		sample_again(m);
}
