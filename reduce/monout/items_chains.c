/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interpret items: modules, nodes, sites, and counts of each site. */
#include "reduce/monout/items.h"

#include <string.h>

/* The fewest bytes that an item of the table takes in the file. */
enum { ITEMS_MODULE = 6, ITEMS_NODE = 3 };

void
items_module_room(struct mon *m, size_t n)
{
	struct mon_module *a;

	if (n < m->nmodules)
		return;
	a = mon_modules_room(m, n + 1 - m->nmodules);
	memset(a, 0, (n + 1 - m->nmodules) * sizeof(*a));
	m->nmodules = n + 1;
}

enum items_end
items_module(struct items *it, const struct mon_module *x)
{
	struct mon *m = it->mon;

	/* A file of this size can't have more modules. */
	if (it->number == 0 || it->number > it->plain / ITEMS_MODULE)
		return ITEMS_BROKEN;
	items_module_room(m, it->number);
	if (m->modules[it->number].path)
		return ITEMS_BROKEN;
	m->modules[it->number] = *x;
	return ITEMS_TAKEN;
}

/* Make room for nodes up to n.  New ones get parent MON_MISSING. */
static void
items_node_room(struct mon *m, size_t n)
{
	struct mon_node *a;

	if (n < m->nnodes)
		return;
	a = mon_nodes_room(m, n + 1 - m->nnodes);
	for (; m->nnodes <= n; m->nnodes++)
		*a++ = (struct mon_node){ .parent = MON_MISSING };
}

enum items_end
items_node(struct items *it, const struct monrec_node *x)
{
	struct mon *m = it->mon;
	uint64_t number = it->number;

	if (number == 0 || number > it->plain / ITEMS_NODE ||
	    number > MON_NUMBER_MAX)
		return ITEMS_BROKEN;
	items_node_room(m, number);
	if (x->distance == 0 || x->distance > number ||
	    x->module > it->plain / ITEMS_MODULE ||
	    m->nodes[number].parent != MON_MISSING)
		return ITEMS_BAD;
	m->nodes[number] = (struct mon_node){
		.parent = (uint32_t)(number - x->distance),
		.module = (uint32_t)x->module,
		.addr = x->addr,
	};
	return ITEMS_TAKEN;
}

/* Could a monitor have counted these blocks? */
static bool
items_sane(const struct counts *n)
{
	struct account a;
	unsigned k;

	for (k = 0; k < PROFILE_NCLASS; k++) {
		a = counts_of_class(n, k);
		if (!TOTALS_SANE(&a))
			return false;
	}
	return true;
}

enum items_end
items_site(struct items *it, const struct monrec_site *x)
{
	/* MON_MISSING: items_finish() finds that the node is missing. */
	struct mon_site o = { .node = items_small(x->node),
			      .number = items_small(it->number),
			      .reallocs = x->reallocs };
	unsigned k;

	for (k = 0; k < PROFILE_NCLASS; k++)
		counts_set_class(&o.count, k, &AMOUNTS(&x->size_class[k]));
	if (!items_sane(&o.count) ||
	    !sums_add(&it->mon->sums, &o.count, o.reallocs))
		return ITEMS_BAD;
	mon_add_site(it->mon, &o);
	return ITEMS_TAKEN;
}

enum items_end
items_bin(struct items *it, const struct mon_bin *x)
{
	struct amounts n = { .allocs = x->allocs,
			     .frees = x->frees,
			     .freed = x->size * x->frees };

	if (__builtin_mul_overflow(x->size, x->allocs, &n.bytes) ||
	    x->frees > x->allocs ||
	    !sums_add_amounts(&it->mon->bin_sums, &n, 0))
		return ITEMS_BAD;
	mon_add_bin(it->mon, x);
	return ITEMS_TAKEN;
}

enum items_end
items_peak(struct items *it, const struct monrec_peak *x)
{
	struct mon *m = it->mon;
	struct mon_site *s = &m->sites[x->site];

	if (s->peak_blocks || (x->bytes && !x->blocks) ||
	    x->blocks > counts_sum(s->count.allocs) ||
	    x->bytes > counts_sum(s->count.bytes))
		return ITEMS_BAD;
	s->peak_blocks = x->blocks;
	s->count.peak = x->bytes;
	/* These are at most the sites' sums, so they fit. */
	m->peak_blocks += x->blocks;
	m->peak_bytes += x->bytes;
	return ITEMS_TAKEN;
}

/*
 * Read the histogram.  False if it has bins beyond the last one, or its sum is
 * wrong.
 */
static bool
items_histogram(const struct monrec_life *x, struct life *to)
{
	uint64_t sum = 0, i;

	if (x->first >= PROFILE_NLIFE || x->n > PROFILE_NLIFE - x->first)
		return false;
	for (i = 0; i < x->n; i++) {
		to->bin[x->first + i] = x->bins[i].blocks;
		if (__builtin_add_overflow(sum, x->bins[i].blocks, &sum))
			return false;
	}
	return sum == x->weight;
}

/*
 * Are the figures of the timed blocks consistent?  There is at least one such
 * block.
 */
static bool
items_times_sane(const struct life *x)
{
	unsigned low = life_bin(x->min), high = life_bin(x->max), i;
	unsigned __int128 weight = x->weight;

	if (x->min > x->max || x->weight < x->timed || !x->bin[low] ||
	    !x->bin[high])
		return false;
	for (i = 0; i < PROFILE_NLIFE; i++) {
		if ((i < low || i > high) && x->bin[i])
			return false;
	}
	return x->sum == UINT64_MAX ||
	       (x->sum >= weight * x->min && x->sum <= weight * x->max);
}

/* Could a monitor have counted this for the blocks of the site? */
static bool
items_life_sane(const struct life *x, const struct mon_site *s)
{
	uint64_t frees = counts_sum(s->count.frees);

	return x->temps <= x->near && x->near <= frees &&
	       x->by_others <= frees && x->timed <= frees &&
	       x->moved <= s->reallocs && (x->moved || !x->copied) &&
	       (!x->timed || items_times_sane(x));
}

enum items_end
items_life(struct items *it, const struct monrec_life *x)
{
	struct mon *m = it->mon;
	struct mon_site *s = &m->sites[x->site];
	struct life o = { MONREC_LIVES(LIFE_INIT) };

	if ((o.timed && !items_histogram(x, &o)) || s->life ||
	    !items_life_sane(&o, s) || !life_fits(&m->life, &o))
		return ITEMS_BAD;
	if (life_is_empty(&o))
		return ITEMS_TAKEN;
	life_add(&m->life, &o);
	s->life = life_put(&m->lives, 0, &o);
	return ITEMS_TAKEN;
}

/* Was the leak check the last action of the run?  False for a sum of files. */
static bool
items_checked_last(const struct mon *m)
{
	const struct mon_value *check = &m->run[MONOUT_R_LEAKCHECK];
	const struct mon_value *length = &m->run[MONOUT_R_LENGTH];

	return !mon_is_sum(m) && check->set && length->set &&
	       check->number >= length->number;
}

/*
 * Could a leak check have found this at the site?  The blocks must have been
 * allocated, and, if the leak check came last, not freed.
 */
static bool
items_leak_sane(const struct mon *m, const struct monrec_leak *x,
		const struct mon_site *s)
{
	uint64_t blocks = counts_sum(s->count.allocs), n = 0;
	uint64_t bytes = counts_sum(s->count.bytes), sum = 0;
	bool over = false;
	int i;

	if (items_checked_last(m)) {
		blocks -= counts_sum(s->count.frees);
		bytes -= counts_sum(s->count.freed);
	}
	for (i = 0; i < MONOUT_NLEAK; i++) {
		over |= __builtin_add_overflow(n, x->kind[i].blocks, &n);
		over |= __builtin_add_overflow(sum, x->kind[i].bytes, &sum);
		if (!x->kind[i].blocks && x->kind[i].bytes)
			return false;
	}
	return !over && n && n <= blocks && sum <= bytes;
}

enum items_end
items_leak(struct items *it, const struct monrec_leak *x)
{
	struct mon *m = it->mon;
	struct mon_site *s = &m->sites[x->site];
	struct leak o = { .holds = { 0, 0 } };
	int i;

	if (s->leak || !items_leak_sane(m, x, s))
		return ITEMS_BAD;
	for (i = 0; i < MONOUT_NLEAK; i++) {
		o.blocks[i] = x->kind[i].blocks;
		o.bytes[i] = x->kind[i].bytes;
	}
	s->leak = mon_new_leak(m);
	/* These are at most the sites' sums, so they fit. */
	m->leaks[s->leak].found = o;
	leak_add(&m->leak, &o);
	return ITEMS_TAKEN;
}

enum items_end
items_hold(struct items *it, const struct monrec_hold *x)
{
	struct leak *all = &it->mon->leak;
	const struct mon_site *s = &it->mon->sites[x->site];
	struct leak *o = &it->mon->leaks[s->leak].found;
	uint64_t blocks, bytes;

	if (!s->leak || !o->blocks[MONOUT_LOST] || o->holds.blocks ||
	    !x->blocks ||
	    __builtin_add_overflow(all->holds.blocks, x->blocks, &blocks) ||
	    __builtin_add_overflow(all->holds.bytes, x->bytes, &bytes))
		return ITEMS_BAD;
	o->holds = (struct suppressed){ x->blocks, x->bytes };
	all->holds = (struct suppressed){ blocks, bytes };
	return ITEMS_TAKEN;
}
