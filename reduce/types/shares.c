/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The blocks of sites divided by size and type. */
#include "reduce/types/shares.h"
#include "reduce/monout/cells.h"
#include "reduce/model/counts.h"
#include "reduce/model/stages.h"
#include "reduce/estimate/sample_error.h"

#include <stdlib.h>
#include <string.h>

/* --------------------------------------------------------- without cells -- */

/*
 * The least and largest size in each class, for data without cells; 1 and 0
 * where these aren't known.
 */
struct shares_sizes {
	uint64_t least[MONOUT_NCLASS], largest[MONOUT_NCLASS];
};

/* Set the sizes from p's bins. */
static void
shares_sizes(struct shares_sizes *z, const struct profile *p)
{
	size_t i;
	int c;

	*z = (struct shares_sizes){ 0 };
	for (c = 0; c < PROFILE_NCLASS; c++)
		z->least[c] = 1;
	if (p->incomplete)
		return;
	/* The bins are in ascending order. */
	for (i = 0; i < p->nbins; i++) {
		c = (int)counts_class(p->bins[i].size);
		/* From this class on, some sizes have no bin. */
		if (p->big.allocs && c >= (int)counts_class(MONOUT_BIN_MAX))
			break;
		if (z->largest[c] < z->least[c])
			z->least[c] = p->bins[i].size;
		z->largest[c] = p->bins[i].size;
	}
	/* Under a filter, some small sizes have no bin. */
	for (c = 0; c < PROFILE_NCLASS; c++) {
		if (!p->unsized[c].allocs)
			continue;
		z->least[c] = 1;
		z->largest[c] = 0;
	}
}

/*
 * The size of all blocks of class c, if the counts allow only one: there is one
 * block, or the mean is the least or the largest size of the class.  0:
 * unknown.
 */
static uint64_t
shares_only(const struct shares_sizes *z, const struct counts *n, int c)
{
	uint64_t allocs = n->allocs[c], size;

	if (!allocs || n->bytes[c] % allocs)
		return 0;
	size = n->bytes[c] / allocs;
	if (allocs == 1 || (z->least[c] <= z->largest[c] &&
			    (size == z->least[c] || size == z->largest[c])))
		return size;
	return 0;
}

/* Append an empty share of a site. */
static struct share *
shares_new(struct shares *s, uint32_t site)
{
	ARRAY_ROOM(s->v, s->room, s->n + 1);
	s->v[s->n] = (struct share){ .site = site,
				     .type = SHARES_NONE,
				     .confidence = PROFILE_NCONFIDENCE,
				     .mark = '?' };
	return &s->v[s->n++];
}

/* Make shares by class; the first gets the whole peak. */
static void
shares_classes(struct shares *s, const struct mon *m, uint32_t site,
	       const struct shares_sizes *z, const struct suppressed *hidden)
{
	const struct mon_site *o = &m->sites[site];
	struct counts count = o->count;
	struct share *f = NULL;
	size_t before = s->n;
	int c;

	if (hidden)
		counts_suppress(&count, *hidden);
	for (c = 0; c < PROFILE_NCLASS; c++) {
		if (!o->count.allocs[c])
			continue;
		f = shares_new(s, site);
		f->account = counts_of_class(&count, (unsigned)c);
		f->size = shares_only(z, &o->count, c);
		f->any = !f->size;
		f->peak_known = true;
	}
	if (s->n > before) {
		memcpy(s->v[before].var, count.var, sizeof(count.var));
		s->v[before].peak_blocks = o->peak_blocks;
		s->v[before].peak = o->count.peak;
	}
}

/* ------------------------------------------------------------ with cells -- */

/*
 * Join cells of several threads.  One thread's part of the peak may be
 * negative.
 */
static void
shares_add_cell(struct share *f, const struct mon_cell *c,
		const struct suppressed *hidden)
{
	double kept = f->var[PROFILE_E_KEPT];
	double blocks = f->var[PROFILE_E_KEPT_BLOCKS];

	f->size = c->size;
	f->any = c->any;
	f->peak_known = true;
	TOTALS_ADD(f, c);
	f->peak_blocks += (uint64_t)c->peak_blocks;
	f->peak += (uint64_t)c->peak_bytes;
	f->looked += c->looked;
	f->slack += c->slack;
	sample_add_errors(f->var, c);
	if (!hidden || !hidden->bytes)
		return;
	MEASURES_PAIR(f->hidden, *hidden);
	if (hidden->bytes < c->bytes - c->freed)
		return;
	f->var[PROFILE_E_KEPT] = kept;
	f->var[PROFILE_E_KEPT_BLOCKS] = blocks;
}

/* Make the shares of a site from cell *k on; *k moves behind them. */
static void
shares_cells(struct shares *s, const struct mon *m, uint32_t site, size_t *k,
	     const struct suppressed *hidden)
{
	struct share *f = NULL;

	for (; *k < m->ncells && m->cells[*k].site == site; ++*k) {
		const struct mon_cell *c = &m->cells[*k];

		if (!f || !CELLS_ALIKE(f, c))
			f = shares_new(s, site);
		shares_add_cell(f, c, hidden ? &hidden[*k] : NULL);
	}
}

void
shares_make(struct shares *s, const struct mon *m, const struct profile *p)
{
	/* These are NULL before call paths are made. */
	const struct suppressed *sites = p->priv->hidden;
	const struct suppressed *cells = p->priv->cell_hidden;
	struct shares_sizes z;
	size_t i, k = 0;

	*s = (struct shares){ 0 };
	s->first = heap_array(m->nsites + 1, sizeof(*s->first));
	shares_sizes(&z, p);
	s->classes = !m->cells_known;
	for (i = 0; i < m->nsites; i++) {
		s->first[i] = s->n;
		if (m->cells_known)
			shares_cells(s, m, (uint32_t)i, &k, cells);
		else
			shares_classes(s, m, (uint32_t)i, &z,
				       sites ? &sites[i] : NULL);
	}
	s->first[m->nsites] = s->n;
	/* A peak above the allocations must be wrong. */
	for (i = 0; i < s->n && !s->classes; i++) {
		if (s->v[i].peak_blocks <= s->v[i].allocs &&
		    s->v[i].peak <= s->v[i].bytes)
			continue;
		s->v[i].peak_blocks = s->v[i].peak = 0;
		s->v[i].peak_known = false;
	}
}

void
shares_fini(struct shares *s)
{
	free(s->v);
	free(s->first);
	*s = (struct shares){ 0 };
}

void
shares_range(const struct shares *s, uint32_t site, uint64_t *least,
	     uint64_t *largest)
{
	size_t i;

	*least = *largest = 0;
	for (i = s->first[site]; i < s->first[site + 1]; i++) {
		if (s->v[i].any) {
			*least = *largest = 0;
			return;
		}
		if (i == s->first[site] || *least > s->v[i].size)
			*least = s->v[i].size;
		if (*largest < s->v[i].size)
			*largest = s->v[i].size;
	}
}

/* ----------------------------------------------------------------- types -- */

static char
shares_mark(enum profile_confidence confidence)
{
	return confidence <= PROFILE_PROGRAM ? '='
	       : confidence < PROFILE_SIZE   ? '~'
					     : '?';
}

void
shares_set(struct shares *s, uint32_t site, uint32_t type,
	   enum profile_confidence confidence)
{
	size_t i;

	for (i = s->first[site]; i < s->first[site + 1]; i++) {
		s->v[i].type = type;
		s->v[i].confidence = confidence;
		s->v[i].mark = shares_mark(confidence);
	}
}

/* Sum up the live blocks and bytes of a site's shares. */
static void
shares_live(const struct shares *s, uint32_t site, uint64_t *blocks,
	    uint64_t *bytes, size_t *n, size_t *last)
{
	const struct share *f;
	size_t i;

	*blocks = *bytes = *n = *last = 0;
	for (i = s->first[site]; i < s->first[site + 1]; i++) {
		f = &s->v[i];
		if (f->allocs <= f->frees)
			continue;
		*blocks += f->allocs - f->frees;
		*bytes += f->bytes - f->freed;
		*last = i;
		++*n;
	}
}

/* Join all shares of a site in its first one. */
static void
shares_collapse(struct shares *s, uint32_t site)
{
	struct share *to = &s->v[s->first[site]], *f;
	size_t i;

	for (i = s->first[site] + 1; i < s->first[site + 1]; i++) {
		f = &s->v[i];
		figures_add(&to->figures, &f->figures);
		to->looked += f->looked;
		to->slack += f->slack;
		counts_add_errors(to->var, f->var);
		*f = (struct share){ .site = site,
				     .type = f->type,
				     .confidence = f->confidence,
				     .mark = f->mark,
				     .any = f->any,
				     .peak_known = true,
				     .size = f->size };
	}
	to->any = true;
	to->size = 0;
}

/* Divide the errors in the ratio of blocks and of live bytes. */
static void
shares_split_errors(struct share *to, struct share *from, uint64_t blocks,
		    uint64_t bytes)
{
	double all = from->allocs ? (double)blocks / (double)from->allocs : 0;
	uint64_t kept = from->bytes - from->freed;
	double live = kept ? (double)bytes / (double)kept : 0, part;
	int e;

	for (e = 0; e < PROFILE_NERROR; e++) {
		part = e == PROFILE_E_KEPT || e == PROFILE_E_KEPT_BLOCKS ? live
									 : all;
		to->var[e] = from->var[e] * part;
		from->var[e] -= to->var[e];
	}
}

/* Move live blocks of share i to a new share. */
static void
shares_split(struct shares *s, size_t i, uint64_t blocks, uint64_t bytes,
	     const struct share *as)
{
	struct share *to = shares_new(s, s->v[i].site), *from = &s->v[i];
	struct share *first; /* the share with the peak */
	bool all = from->allocs == blocks;

	first = &s->v[s->first[to->site]];
	all &= !s->classes || s->first[to->site + 1] - s->first[to->site] == 1;
	to->type = as->type;
	to->confidence = as->confidence;
	to->mark = as->mark;
	to->size = from->size;
	to->any = from->any;
	to->allocs = blocks;
	to->bytes = bytes;
	to->peak_known = true;
	if (all) {
		to->peak_blocks = from->peak_blocks;
		to->peak = from->peak;
		to->peak_known = from->peak_known;
		to->looked = from->looked;
		to->slack = from->slack;
		from->peak_blocks = from->peak = 0;
		from->looked = from->slack = 0;
		from->peak_known = true;
	} else if (from->peak_blocks || !from->peak_known || s->classes) {
		/* It isn't known which blocks made up the peak.  If all are of
		 * one type, the peak stays with `first', unless it exceeds the
		 * blocks left there. */
		to->peak_known = false;
		first = s->classes ? first : from;
		first->peak_known &= first->type == to->type;
	}
	shares_split_errors(to, from, blocks, bytes);
	suppressed_move(&to->hidden, &from->hidden, blocks, bytes);
	from->allocs -= blocks;
	from->bytes -= bytes;
	first->peak_known &= first->peak <= first->bytes;
}

/* The share that the blocks are from, by their size; s->n: unknown. */
static size_t
shares_of_size(const struct shares *s, uint32_t site, uint64_t blocks,
	       uint64_t bytes, uint64_t size)
{
	const struct share *f;
	size_t i;

	if (!size || bytes % blocks || bytes / blocks != size)
		return s->n;
	for (i = s->first[site]; i < s->first[site + 1]; i++) {
		f = &s->v[i];
		if (!f->any && f->size == size && f->allocs >= f->frees &&
		    f->allocs - f->frees >= blocks)
			return i;
	}
	return s->n;
}

void
shares_take(struct shares *s, uint64_t blocks, uint64_t bytes, uint64_t size,
	    const struct share *as)
{
	uint64_t live, live_bytes;
	size_t n, i, last, end = s->first[as->site + 1];

	shares_live(s, as->site, &live, &live_bytes, &n, &last);
	if (!blocks || blocks > live || bytes > live_bytes ||
	    (blocks == live && bytes != live_bytes))
		return;
	if (blocks == live) {
		for (i = s->first[as->site]; i < end; i++) {
			const struct share *f = &s->v[i];

			if (f->allocs > f->frees)
				shares_split(s, i, f->allocs - f->frees,
					     f->bytes - f->freed, as);
		}
		return;
	}
	i = n == 1 ? last : shares_of_size(s, as->site, blocks, bytes, size);
	if (i == s->n) {
		shares_collapse(s, as->site);
		i = s->first[as->site];
	}
	if (!s->v[i].any && (bytes % blocks || bytes / blocks != s->v[i].size))
		return;
	shares_split(s, i, blocks, bytes, as);
}
