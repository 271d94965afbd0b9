/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interpret items: threads, types, cells and vtables. */
#include "reduce/monout/items.h"

enum items_end
items_thread(struct items *it, const struct mon_thread *x)
{
	struct mon_thread o = *x;

	/* A thread may free more blocks than it allocates. */
	if (!x->threads || x->of_others > x->frees || !TOTALS_OF_BLOCKS(x) ||
	    !sums_add_amounts(&it->mon->thread_sums, &AMOUNTS(x), x->threads))
		return ITEMS_BAD;
	o.number = items_small(it->number);
	mon_add_thread(it->mon, &o);
	return ITEMS_TAKEN;
}

/* Make room for types up to n.  New ones get name NULL. */
static void
items_type_room(struct mon *m, size_t n)
{
	struct mon_type none = { 0 };

	while (m->ntypes <= n) {
		mon_add_type(m, &none);
	}
}

enum items_end
items_type(struct items *it, const struct mon_type *x)
{
	struct mon *m = it->mon;

	if (!it->number || it->number > MONOUT_TYPE_MAX ||
	    it->length > MONOUT_TYPE_NAME_MAX ||
	    (it->number < m->ntypes && m->types[it->number].name))
		return ITEMS_BAD;
	items_type_room(m, it->number);
	m->types[it->number] = *x;
	return ITEMS_TAKEN;
}

/* cells_check() checks the sums once all cells are read. */
enum items_end
items_cell(struct items *it, const struct mon_cell *x)
{
	if (x->any && x->size >= MONOUT_NCLASS)
		return ITEMS_BAD;
	mon_add_cell(it->mon, x);
	return ITEMS_TAKEN;
}

/*
 * The variance of a number of blocks.  Before the minor version
 * MONOUT_VARIANCES the file has the error instead.
 */
static double
items_squared(uint64_t error)
{
	double v = (double)error / (1u << MONOUT_ERROR_BITS);

	return v < 0x1p60 ? v * v : 0x1p120;
}

/* If cells are missing, the errors can't be matched to them by number. */
enum items_end
items_error(struct items *it, const struct monrec_error *x)
{
	struct mon *m = it->mon;
	bool old = m->minor < MONOUT_VARIANCES;
	struct mon_cell *c;

	if (x->cell >= m->ncells || m->ncells != m->tally[MON_CELLS].items)
		return ITEMS_LOST;
	c = &m->cells[x->cell];
	c->made = old ? items_squared(x->made) : (double)x->made;
	c->live = old ? items_squared(x->live) : (double)x->live;
	c->held = old ? items_squared(x->held)
		      : (double)(int64_t)(x->held >> 1 ^ -(x->held & 1));
	return ITEMS_TAKEN;
}

enum items_end
items_pin(struct items *it, const struct mon_pin *x)
{
	struct mon *m = it->mon;
	const struct mon_site *s = &m->sites[x->site];

	if (!x->blocks || x->alone > x->blocks ||
	    x->blocks > counts_sum(s->count.allocs) ||
	    x->resident > counts_sum(s->count.bytes))
		return ITEMS_BAD;
	mon_add_pin(m, x);
	return ITEMS_TAKEN;
}

enum items_end
items_mapping(struct items *it, const struct mon_mapping *x)
{
	struct mon *m = it->mon;

	if (!x->node || !x->maps || x->ended > x->maps || x->live > x->bytes ||
	    x->live > x->most || x->most > x->bytes)
		return ITEMS_BAD;
	if (x->node >= m->nnodes || m->nodes[x->node].parent == MON_MISSING)
		return ITEMS_LOST;
	mon_add_mapping(m, x);
	return ITEMS_TAKEN;
}

enum items_end
items_ending(struct items *it, const struct mon_ending *x)
{
	struct mon *m = it->mon;

	if (!x->blocks || x->weight < x->blocks ||
	    x->blocks > counts_sum(m->sites[x->site].count.frees))
		return ITEMS_BAD;
	if (x->node &&
	    (x->node >= m->nnodes || m->nodes[x->node].parent == MON_MISSING))
		return ITEMS_LOST;
	mon_add_ending(m, x);
	return ITEMS_TAKEN;
}

/* A later version may have other figures. */
enum items_end
items_figure(struct items *it, const struct mon_figure *x)
{
	struct mon *m = it->mon;

	if (!x->n || (x->variance && !m->run[MONOUT_R_SAMPLE].set))
		return ITEMS_BAD;
	if (x->what >= MONOUT_NFIGURE)
		return ITEMS_TAKEN;
	mon_add_figure(m, x);
	return ITEMS_TAKEN;
}

enum items_end
items_link(struct items *it, const struct mon_link *x)
{
	struct mon *m = it->mon;
	struct mon_link known = *x;

	if (x->what >= MONOUT_NLINK || x->root > MONOUT_NROOT ||
	    x->module >= m->nmodules)
		return ITEMS_BAD;
	/* The library was unloaded before its name could be written. */
	if (x->module && !m->modules[x->module].path)
		known.module = 0;
	mon_add_link(m, &known);
	return ITEMS_TAKEN;
}

enum items_end
items_vtable(struct items *it, const struct mon_vtable *x)
{
	struct mon *m = it->mon;
	const struct mon_site *s = &m->sites[x->site];

	if (!x->module || x->module >= m->nmodules ||
	    !m->modules[x->module].path || !x->blocks || x->blocks > x->bytes ||
	    x->blocks > counts_sum(s->count.allocs) ||
	    x->bytes > counts_sum(s->count.bytes))
		return ITEMS_BAD;
	mon_add_vtable(m, x);
	return ITEMS_TAKEN;
}
