/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cells and vtables: sort them, merge equal ones, and check them.
 *
 * In the file a cell may be written in parts that add up, and some parts are
 * negative.  The blocks that a thread allocated and didn't free are known from
 * the live blocks; all freed blocks are known from counts.  If the two differ,
 * the difference is in a cell of thread 0: the threads of these blocks are
 * unknown.
 */
#include "reduce/monout/cells.h"
#include "reduce/base/sort.h"
#include "reduce/monout/combine.h"

#include <stdlib.h>

unsigned
cells_class(const struct mon_cell *c)
{
	return c->any ? (unsigned)c->size : counts_class(c->size);
}

/* ------------------------------------------------------- sort and merge -- */

/*
 * By site, class, size and thread.  Cells of any size follow those of their
 * class.
 */
int
cells_compare(const void *a, const void *b)
{
	const struct mon_cell *x = a, *y = b;
	int by_class = (int)cells_class(x) - (int)cells_class(y);

	if (x->site == y->site && by_class)
		return by_class;
	SORT_KEYS(SORT_UP(site) SORT_UP(any) SORT_UP(size) SORT_UP(thread))
}

/* Unsigned, so that negative numbers wrap and give the right result. */
static int64_t
cells_plus(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

void
cells_add(struct mon_cell *to, const struct mon_cell *x)
{
	combine_sum_cell(to, x);
	to->made += x->made;
	to->live += x->live;
	to->held += x->held;
}

size_t
cells_order(struct mon_cell *a, size_t n)
{
	SORT_ONCE(a, n, cells_compare, cells_add);
	return n;
}

size_t
cells_order_vtables(struct mon_vtable *a, size_t n)
{
	SORT_ONCE(a, n, combine_compare_vtable, combine_sum_vtable);
	return n;
}

void
cells_order_summed(struct mon *m)
{
#define S(name, item, items) \
	SORT_ONCE(m->items, m->n##items, combine_compare_##item, \
		  combine_sum_##item);
	MONREC_TABLES(MONREC_SUMMED)
#undef S
}

/* ---------------------------------------------------------------- check -- */

/*
 * Set the bytes from the size.  False if there are too many blocks of that
 * size.
 */
static bool
cells_bytes(struct mon_cell *c)
{
	uint64_t peak = (uint64_t)c->peak_blocks;
	bool over;

	if (c->any)
		return true;
	over = __builtin_mul_overflow(c->allocs, c->size, &c->bytes);
	c->freed = c->frees * c->size;
	c->peak_bytes = (int64_t)(peak * c->size);
	return !over;
}

/* Is the cell possible? */
static bool
cells_sane(struct mon_cell *c)
{
	return cells_bytes(c) && TOTALS_SANE(c);
}

/* Merge n cells into the first, as a cell of thread 0.  Returns 1. */
static size_t
cells_join(struct mon_cell *c, size_t n)
{
	size_t i;

	for (i = 1; i < n; i++)
		cells_add(c, &c[i]);
	c->thread = 0;
	return 1;
}

/* The same for cells of a class with different sizes. */
static size_t
cells_join_class(struct mon_cell *c, size_t n)
{
	unsigned k = cells_class(c);
	size_t i;

	for (i = 0; i < n; i++) {
		(void)cells_bytes(&c[i]);
		c[i].any = true;
		c[i].size = k;
	}
	return cells_join(c, n);
}

static bool
cells_all_sane(struct mon_cell *c, size_t n)
{
	bool good = true;
	size_t i;

	for (i = 0; i < n; i++)
		good = cells_sane(&c[i]) && good;
	return good;
}

/*
 * A thread that frees another thread's block counts the free in a cell of any
 * size, because it has no cell of the block's size.  If the differences then
 * add up to 0, no blocks are missing.  Without such a cell the sum is 0 by
 * chance, in a file that was written while threads ran.
 */
static void
cells_cancel(struct mon_cell *c, size_t n)
{
	uint64_t frees = 0, freed = 0;
	bool any = false;
	size_t i;

	for (i = 0; i < n; i++) {
		if (c[i].thread)
			continue;
		if (c[i].allocs || c[i].bytes)
			return;
		any = any || (c[i].any && c[i].frees);
		frees += c[i].frees;
		freed += c[i].any ? c[i].freed : c[i].frees * c[i].size;
	}
	if (!any || frees || freed)
		return;
	for (i = 0; i < n; i++) {
		if (!c[i].thread)
			c[i].frees = c[i].freed = 0;
	}
}

bool
cells_is_empty(const struct mon_cell *c)
{
	return !(c->allocs | c->bytes | c->frees | c->freed |
		 (uint64_t)c->peak_blocks | (uint64_t)c->peak_bytes |
		 c->looked);
}

/* Check n cells of one class of a site.  Returns how many are left. */
static size_t
cells_check_class(struct mon_cell *c, size_t n)
{
	size_t i, end, k = 0, left;

	cells_cancel(c, n);
	for (i = 0; i < n; i = end) {
		for (end = i + 1; end < n && c[end].size == c[i].size &&
				  c[end].any == c[i].any;
		     end++)
			;
		left = end - i;
		if (!cells_all_sane(c + i, left))
			left = cells_join(c + i, left);
		while (left--)
			c[k++] = c[i++];
	}
	if (!cells_all_sane(c, k))
		k = cells_join_class(c, k);
	for (i = 0, n = k, k = 0; i < n; i++) {
		if (!cells_is_empty(&c[i]))
			c[k++] = c[i];
	}
	return k;
}

/* Sums of the counts that the site's counts don't limit. */
struct cells_sums {
	unsigned __int128 blocks, bytes; /* at the peak, without the signs */
	unsigned __int128 looked, slack;
};

static uint64_t
cells_distance(int64_t v)
{
	return v < 0 ? -(uint64_t)v : (uint64_t)v;
}

/*
 * Subtract the cell from what is left of its site.  False if the cell doesn't
 * fit.
 */
static bool
cells_take(struct mon_cell *c, struct counts *left, struct cells_sums *t)
{
	if (!cells_sane(c) || (c->slack && !c->looked) ||
	    !counts_take(left, cells_class(c), &AMOUNTS(c)))
		return false;
	t->blocks += cells_distance(c->peak_blocks);
	t->bytes += cells_distance(c->peak_bytes);
	t->looked += c->looked;
	t->slack += c->slack;
	return true;
}

/*
 * Do the cells of site s, from *i on, add up to the site's counts?  *i moves
 * behind them.
 */
static bool
cells_site_is(struct mon *m, size_t s, size_t *i, struct cells_sums *t)
{
	struct counts left = m->sites[s].count;
	int64_t blocks = (int64_t)m->sites[s].peak_blocks;
	int64_t bytes = (int64_t)left.peak;
	struct mon_cell *c;

	for (; *i < m->ncells && m->cells[*i].site == s; ++*i) {
		c = &m->cells[*i];
		if (!m->peaks_known)
			c->peak_blocks = c->peak_bytes = 0;
		if (!cells_take(c, &left, t))
			return false;
		blocks = cells_plus(blocks, -c->peak_blocks);
		bytes = cells_plus(bytes, -c->peak_bytes);
	}
	return counts_are_taken(&left) &&
	       (!m->peaks_known || (!blocks && !bytes));
}

/* Do the cells of each site add up to its counts, and do all sums fit? */
static bool
cells_are_sites(struct mon *m)
{
	struct cells_sums t = { 0 };
	size_t i = 0, s;

	for (s = 0; s < m->nsites; s++) {
		if (!cells_site_is(m, s, &i, &t))
			return false;
	}
	return t.blocks <= INT64_MAX && t.bytes <= INT64_MAX &&
	       t.looked <= INT64_MAX && t.slack <= INT64_MAX;
}

uint32_t
cells_thread(const struct mon *m, uint32_t number)
{
	size_t at;

	if (!number--)
		return 0;
	at = number;
	if (at >= m->nthreads || m->threads[at].number != number)
		at = SORT_PLACE(i, m->nthreads, m->threads[i].number < number);
	return at < m->nthreads && m->threads[at].number == number
		       ? (uint32_t)at + 1
		       : 0;
}

bool
cells_have_threads(const struct mon *m)
{
	size_t i;

	for (i = 0; i < m->ncells; i++) {
		if (!m->cells[i].thread)
			return false;
	}
	return true;
}

bool
cells_check(struct mon *m)
{
	struct mon_cell *c = m->cells;
	size_t i, k = 0, end, left;

	for (i = 0; i < m->ncells; i++)
		c[i].thread = cells_thread(m, c[i].thread);
	m->ncells = cells_order(c, m->ncells);
	for (i = 0; i < m->ncells; i = end) {
		for (end = i + 1; end < m->ncells && c[end].site == c[i].site &&
				  cells_class(&c[end]) == cells_class(&c[i]);
		     end++)
			;
		left = cells_check_class(c + i, end - i);
		while (left--)
			c[k++] = c[i++];
	}
	m->ncells = k;
	if (!cells_are_sites(m)) {
		m->ncells = 0;
		return false;
	}
	m->cells_threads = cells_have_threads(m);
	return true;
}

uint64_t
cells_check_vtables(struct mon *m)
{
	struct mon_vtable *v = m->vtables;
	uint64_t blocks = 0, bytes = 0, dropped = 0;
	const struct counts *n;
	size_t i, k = 0;

	SORT(v, m->nvtables, combine_compare_vtable);
	for (i = 0; i < m->nvtables; i++) {
		n = &m->sites[v[i].site].count;
		if (!k || v[k - 1].site != v[i].site)
			blocks = bytes = 0;
		if (v[i].blocks > counts_sum(n->allocs) - blocks ||
		    v[i].bytes > counts_sum(n->bytes) - bytes) {
			dropped++;
			continue;
		}
		blocks += v[i].blocks;
		bytes += v[i].bytes;
		v[k++] = v[i];
	}
	m->nvtables = cells_order_vtables(v, k);
	return dropped;
}
