/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks by size, with the types of this size. */
#include "reduce/profile/bins.h"
#include "reduce/base/sort.h"
#include "reduce/binaries/modules.h"
#include "reduce/types/types.h"
#include "reduce/estimate/sample_error.h"

#include <stdlib.h>
#include <string.h>

SORT_BY(bins_compare, struct bin, SORT_UP(size))

/* The bin of a size, or NULL. */
static struct bin *
bins_of(const struct profile *p, uint64_t size)
{
	size_t k = SORT_PLACE(i, p->nbins, p->bins[i].size < size);

	return k < p->nbins && p->bins[k].size == size ? &p->bins[k] : NULL;
}

/* Hide blocks of a cell in its bin.  False: the bin isn't known. */
static bool
bins_hide(struct bin *b, const struct mon_cell *c, const struct suppressed *n)
{
	double var[PROFILE_NERROR] = { 0 };
	int e;

	if (!b || b->allocs - b->frees - b->hidden.blocks < n->blocks ||
	    (c->size && n->bytes / c->size < n->blocks))
		return false;
	b->hidden.blocks += n->blocks;
	b->hidden.bytes += n->blocks * b->size;
	if (n->blocks < c->allocs - c->frees)
		return true;
	sample_add_errors(var, c);
	for (e = PROFILE_E_KEPT; e <= PROFILE_E_KEPT_BLOCKS; e++)
		b->var[e] = b->var[e] > var[e] ? b->var[e] - var[e] : 0;
	return true;
}

/* Hide suppressed blocks by size; those without a bin in `big'. */
static void
bins_suppress(struct profile *p, const struct mon *m)
{
	const struct suppressed *hidden = p->priv->cell_hidden;
	const struct mon_cell *c;
	struct suppressed left = { 0, 0 };
	struct account all;
	size_t i;

	for (i = 0; i < p->nsites; i++) {
		all = counts_of_all(&p->sites[i].count);
		MEASURES_PAIR(left, all.hidden);
	}
	for (i = 0; hidden && i < m->ncells; i++) {
		c = &m->cells[i];
		if (!hidden[i].blocks || c->any ||
		    !bins_hide(bins_of(p, c->size), c, &hidden[i]))
			continue;
		left.blocks -= hidden[i].blocks;
		left.bytes -= hidden[i].blocks * c->size;
	}
	suppressed_move(&p->big.hidden, &left, p->big.allocs - p->big.frees,
			p->big.bytes - p->big.freed);
	p->hidden_unsized = left;
}

void
bins_make(struct profile *p, const struct mon *m)
{
	struct bin *b = arena_array(&p->priv->arena, m->nbins, sizeof(*b));
	size_t i;

	for (i = 0; i < m->nbins; i++) {
		if (!m->bins[i].allocs)
			continue;
		b[p->nbins++] = (struct bin){
			.size = m->bins[i].size,
			.allocs = m->bins[i].allocs,
			.bytes = m->bins[i].allocs * m->bins[i].size,
			.frees = m->bins[i].frees,
			.freed = m->bins[i].frees * m->bins[i].size,
		};
		memcpy(b[p->nbins - 1].var, m->bins[i].var, sizeof(b->var));
	}
	SORT(b, p->nbins, bins_compare);
	p->bins = b;
	for (i = 0; i < m->ncells; i++)
		if (m->cells[i].any)
			p->classed += m->cells[i].allocs;
	p->big = (struct account){ TOTALS_INIT(mon_big(m)) };
	bins_suppress(p, m);
}

void
bins_index(struct profile *p, const struct mon *m, const bool *used,
	   const char *const *paths, const uint64_t *sizes, size_t n,
	   const bool **typed)
{
	const struct mon_module *o;
	bool *has;
	size_t i;
	int turn;

	p->priv->types = types_new(&p->priv->progress);
	*typed = has = arena_alloc(&p->priv->arena, m->nmodules + 1);
	types_want(p->priv->types, sizes, n);
	for (turn = 0; turn < 2; turn++) {
		for (i = 1; i < m->nmodules; i++) {
			o = &m->modules[i];
			if (turn == !!(o->flags & MONOUT_M_EXE) || !used[i] ||
			    modules_is_system(paths[i]))
				continue;
			/* -1 means no types; that isn't an error. */
			has[i] = !types_add(p->priv->types, p->priv->symbols,
					    i - 1);
		}
	}
}
