/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Snapshots and changes: sort them and check them.
 *
 * In the file a change is in parts that add up, one part for each struct of the
 * monitor that counted such blocks, and each contains the difference from the
 * change before.  A block that got its type later has moved to another site, so
 * its first site may have had more blocks earlier than at the end.  These are
 * removed.
 */
#include "reduce/monout/changes.h"
#include "reduce/base/sort.h"
#include "reduce/model/counts.h"
#include "reduce/monout/cells.h"

#include <stdlib.h>
#include <string.h>

void
changes_forget(struct mon *m)
{
	m->nsnapshots = m->nchanges = 0;
	m->times_known = m->changes_known = false;
}

bool
changes_check_snapshots(struct mon *m)
{
	const struct mon_snapshot *x =
		m->nsnapshots ? &m->snapshots[m->nsnapshots - 1] : NULL;

	m->times_known = x && TOTALS_SAME(x, &m->sums);
	/* The snapshots of samples contain estimates already. */
	if (x && m->run[MONOUT_R_SAMPLE].set && !mon_is_sum(m))
		m->times_known = true;
	if (!m->times_known)
		changes_forget(m);
	return m->times_known;
}

/* ----------------------------------------------------------------- sort -- */

static unsigned
changes_class(const struct mon_change *c)
{
	struct mon_cell x = { .any = c->any, .size = c->size };

	return cells_class(&x);
}

/* The order of cells_compare(). */
static int
changes_compare(const struct mon_change *a, const struct mon_change *b)
{
	struct mon_cell x = { .site = a->site,
			      .thread = a->thread,
			      .size = a->size,
			      .any = a->any };
	struct mon_cell y = { .site = b->site,
			      .thread = b->thread,
			      .size = b->size,
			      .any = b->any };

	return cells_compare(&x, &y);
}

static int
changes_sort(const void *a, const void *b)
{
	const struct mon_change *x = a, *y = b;
	int order = changes_compare(x, y);

	return order ? order
		     : (x->snapshot > y->snapshot) -
			       (x->snapshot < y->snapshot);
}

SORT_BY(changes_sort_site, struct mon_change, SORT_UP(site))

/* Sort n changes, unless they are sorted. */
static void
changes_order(struct mon_change *c, size_t n,
	      int (*compare)(const void *, const void *))
{
	size_t i;

	for (i = 1; i < n && compare(&c[i - 1], &c[i]) <= 0; i++)
		;
	if (i < n)
		SORT(c, n, compare);
}

/*
 * The number of changes at the start of n that agree with the first, down to
 * that level.
 */
enum changes_level { CHANGES_THREAD, CHANGES_SIZE, CHANGES_CLASS };

static size_t
changes_run(const struct mon_change *c, size_t n, enum changes_level level)
{
	unsigned k = changes_class(c);
	size_t i;

	for (i = 1; i < n; i++) {
		if (c[i].site != c->site || changes_class(&c[i]) != k)
			break;
		if (level < CHANGES_CLASS &&
		    (c[i].size != c->size || c[i].any != c->any))
			break;
		if (level < CHANGES_SIZE && c[i].thread != c->thread)
			break;
	}
	return i;
}

/* ---------------------------------------------------------------- check -- */

/* Can the sum of n changes of one site, size and thread be right? */
static bool
changes_sane(const struct mon_change *c, size_t n)
{
	struct mon_change sum = { 0 };
	uint64_t bytes;
	size_t i;

	for (i = 0; i < n; i++)
		TOTALS_ADD(&sum, &c[i]);
	if (!c->any && __builtin_mul_overflow(sum.allocs, c->size, &bytes))
		return false;
	return TOTALS_SANE(&sum);
}

/* The same for all threads of a size, or for all sizes of a class. */
static bool
changes_all_sane(const struct mon_change *c, size_t n)
{
	size_t i, k;

	for (i = 0; i < n; i += k) {
		k = changes_run(c + i, n - i, CHANGES_THREAD);
		if (!changes_sane(c + i, k))
			return false;
	}
	return true;
}

/*
 * Merge n changes into thread 0, and with CHANGES_CLASS also into their class.
 */
static void
changes_join(struct mon_change *c, size_t n, enum changes_level level)
{
	unsigned k = changes_class(c);
	size_t i;

	for (i = 0; i < n; i++) {
		c[i].thread = 0;
		if (level < CHANGES_CLASS)
			continue;
		c[i].any = true;
		c[i].size = k;
	}
	changes_order(c, n, changes_sort);
}

/* Limit the counts to those of the next change, because counts only grow. */
static void
changes_cut(struct mon_change *c, const struct mon_change *next)
{
	c->allocs = counts_least(c->allocs, next->allocs);
	c->frees = counts_least(c->frees, counts_least(next->frees, c->allocs));
	if (c->any) {
		c->bytes = c->allocs ? counts_least(c->bytes, next->bytes) : 0;
		c->freed = c->frees ? counts_least(c->freed, next->freed) : 0;
		c->freed = counts_least(c->freed, c->bytes);
	} else {
		c->bytes = c->allocs * c->size;
		c->freed = c->frees * c->size;
	}
}

/*
 * Turn n changes of one site, size and thread from differences into counts.
 * Returns how many are left.
 */
static size_t
changes_sum(struct mon_change *c, size_t n)
{
	struct mon_change last = { 0 };
	size_t i, k = 0;

	for (i = 0; i < n; i++) {
		if (k && c[k - 1].snapshot == c[i].snapshot)
			TOTALS_ADD(&c[k - 1], &c[i]);
		else
			c[k++] = c[i];
	}
	for (i = 1; i < k; i++)
		TOTALS_ADD(&c[i], &c[i - 1]);
	for (i = k - 1; i-- > 0;)
		changes_cut(&c[i], &c[i + 1]);
	for (i = 0, n = k, k = 0; i < n; i++) {
		if (TOTALS_SAME(&c[i], &last))
			continue;
		last = c[i];
		c[k++] = c[i];
	}
	return k;
}

/*
 * Call f() for each group of changes that agree down to that level.  f()
 * returns how many changes of the group it keeps.  Returns how many are left.
 */
static size_t
changes_each(struct mon_change *c, size_t n, enum changes_level level,
	     size_t (*f)(struct mon_change *c, size_t n))
{
	size_t i, k, left, to = 0;

	for (i = 0; i < n; i += k) {
		k = changes_run(c + i, n - i, level);
		left = f(c + i, k);
		memmove(c + to, c + i, left * sizeof(*c));
		to += left;
	}
	return to;
}

/* Check n changes of one class of a site.  Returns how many are left. */
static size_t
changes_check_class(struct mon_change *c, size_t n)
{
	bool good = true;
	size_t i, k;

	for (i = 0; i < n; i += k) {
		k = changes_run(c + i, n - i, CHANGES_SIZE);
		if (!changes_all_sane(c + i, k))
			changes_join(c + i, k, CHANGES_SIZE);
		good = good && changes_all_sane(c + i, k);
	}
	if (!good)
		changes_join(c, n, CHANGES_CLASS);
	return changes_each(c, n, CHANGES_THREAD, changes_sum);
}

/* Do the last changes of a site add up to its counts? */
static bool
changes_site_is(const struct mon *m, const struct mon_change *c, size_t n,
		size_t site)
{
	struct counts left = m->sites[site].count;
	size_t i;

	for (i = 0; i < n; i++) {
		/* Only the last change of each row counts. */
		if (i + 1 < n && !changes_compare(&c[i], &c[i + 1]))
			continue;
		if (!counts_take(&left, changes_class(&c[i]), &AMOUNTS(&c[i])))
			return false;
	}
	return counts_are_taken(&left);
}

/* Check all n changes of a site.  Returns how many are left. */
static size_t
changes_site(struct mon_change *c, size_t n)
{
	changes_order(c, n, changes_sort);
	return changes_each(c, n, CHANGES_CLASS, changes_check_class);
}

/* Find the threads of all changes.  False if a snapshot doesn't exist. */
static bool
changes_find(struct mon *m)
{
	size_t i;

	for (i = 0; i < m->nchanges; i++) {
		if (m->changes[i].snapshot >= m->nsnapshots)
			return false;
		m->changes[i].thread = cells_thread(m, m->changes[i].thread);
	}
	return true;
}

bool
changes_check(struct mon *m)
{
	struct mon_change *c = m->changes;
	size_t i = 0, end, left, to = 0, site;
	bool good = changes_find(m);

	if (good)
		changes_order(c, m->nchanges, changes_sort_site);
	for (site = 0; site < m->nsites && good; site++) {
		for (end = i; end < m->nchanges && c[end].site == site; end++)
			;
		left = end > i ? changes_site(c + i, end - i) : 0;
		good = changes_site_is(m, c + i, left, site);
		if (left)
			memmove(c + to, c + i, left * sizeof(*c));
		to += left;
		i = end;
	}
	m->nchanges = good ? to : 0;
	m->changes_known = good;
	return good;
}

void
changes_differ(struct mon_change *c, size_t n)
{
	size_t i;

	for (i = n; i-- > 1;) {
		if (changes_compare(&c[i - 1], &c[i]))
			continue;
		TOTALS_TAKE(&c[i], &c[i - 1]);
	}
}

size_t
changes_again(struct mon_change *c, size_t n)
{
	changes_order(c, n, changes_sort);
	return changes_each(c, n, CHANGES_THREAD, changes_sum);
}

/* -------------------------------------------------------------- threads -- */

/*
 * Find the thread of changes of thread 0.  The cells at the end say which
 * threads allocated blocks of a size at a site.  If it was only one thread, all
 * these changes belong to that thread, whoever freed the blocks.
 */

/* The only thread with cells like *x, from place *k on, or 0. */
static uint32_t
changes_lone(const struct mon *m, const struct mon_cell *x, size_t *k)
{
	struct mon_cell first = *x;
	uint32_t thread = 0;
	size_t n = 0;

	first.thread = 0;
	while (*k < m->ncells && cells_compare(&m->cells[*k], &first) < 0)
		++*k;
	for (; *k < m->ncells && CELLS_ALIKE(&m->cells[*k], x); ++*k) {
		if (!m->cells[*k].allocs)
			continue;
		thread = m->cells[*k].thread;
		n++;
	}
	return n == 1 ? thread : 0;
}

void
changes_find_threads(struct mon *m)
{
	struct mon_cell x, next;
	size_t i, end, k = 0;
	uint32_t thread;

	if (!m->cells_known)
		return;
	for (i = 0; i < m->nchanges; i = end) {
		end = changes_end(m, i);
		x = changes_cell(&m->changes[i]);
		if (x.thread)
			continue;
		thread = changes_lone(m, &x, &k);
		/* Other threads have changes of these blocks, too. */
		if (end < m->nchanges) {
			next = changes_cell(&m->changes[end]);
			if (CELLS_ALIKE(&next, &x))
				continue;
		}
		for (; i < end && thread; i++)
			m->changes[i].thread = thread;
	}
}
