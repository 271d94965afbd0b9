/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Weighted sums: blocks by site, size and thread, and by size.
 *
 * Rows of several sizes, those of a class, have their average size.  Which
 * sizes these are is known of all rows of a class together: what the bins have
 * more than the rows of one size.  So their blocks are spread over these sizes,
 * and their bytes made what that comes to.
 */
#include "reduce/base/sort.h"
#include "reduce/counts/recount.h"
#include "reduce/counts/weigh.h"
#include "reduce/file/cells.h"

#include <stdlib.h>
#include <string.h>

/* Blocks are weighed in two parts, which make up those that were allocated. */
enum { KEPT, FREED, NPART };

struct weigh_part {
	uint64_t blocks, bytes;
};

struct weigh_row {
	struct weigh_part part[NPART];
};

/* All rows of several sizes of a class: before, and as they are now. */
struct weigh_class {
	struct weigh_row was, now;
	struct weigh_step bytes[NPART]; /* to what the sizes come to */
};

struct weigh_sizes {
	struct mon *mon;
	struct weigh_step step[NPART];
	struct weigh_class of[PROFILE_NCLASS];
};

static struct weigh_row
row_of(const struct amounts *a)
{
	return (struct weigh_row){ { { a->allocs - a->frees,
				       a->bytes - a->freed },
				     { a->frees, a->freed } } };
}

static struct amounts
amounts_of(const struct weigh_row *r)
{
	const struct weigh_part *kept = &r->part[KEPT];
	const struct weigh_part *freed = &r->part[FREED];

	return (struct amounts){ .allocs = kept->blocks + freed->blocks,
				 .bytes = kept->bytes + freed->bytes,
				 .frees = freed->blocks,
				 .freed = freed->bytes };
}

static void
row_add(struct weigh_row *to, const struct weigh_row *x)
{
	int k;

	for (k = 0; k < NPART; k++) {
		to->part[k].blocks += x->part[k].blocks;
		to->part[k].bytes += x->part[k].bytes;
	}
}

/* False, and *from stays: *x isn't part of it. */
static bool
row_take(struct weigh_row *from, const struct weigh_row *x)
{
	int k;

	for (k = 0; k < NPART; k++) {
		if (x->part[k].blocks > from->part[k].blocks ||
		    x->part[k].bytes > from->part[k].bytes)
			return false;
	}
	for (k = 0; k < NPART; k++) {
		from->part[k].blocks -= x->part[k].blocks;
		from->part[k].bytes -= x->part[k].bytes;
	}
	return true;
}

/* Some blocks of p, with their share of its bytes; it is exact of one size. */
static struct weigh_part
part_of(const struct weigh_part *p, uint64_t blocks)
{
	return (struct weigh_part){
		.blocks = blocks,
		.bytes = p->blocks ? weigh_round(p->bytes, blocks, p->blocks)
				   : 0,
	};
}

/* ------------------------------------------------------------------ rows -- */

/* What is done with a row; `class' NULL: it is of one size. */
typedef void weigh_do(struct weigh_sizes *s, struct amounts *a,
		      struct weigh_class *class);

/* A row's blocks, rounded. */
static void
row_blocks(struct weigh_sizes *s, struct amounts *a, struct weigh_class *class)
{
	struct weigh_row was = row_of(a), now;
	int k;

	for (k = 0; k < NPART; k++)
		now.part[k] =
			part_of(&was.part[k],
				weigh_next(&s->step[k], was.part[k].blocks));
	*a = amounts_of(&now);
	if (class) {
		row_add(&class->was, &was);
		row_add(&class->now, &now);
	}
}

/* A row's bytes, when it is known what those of its class are. */
static void
row_bytes(struct weigh_sizes *s, struct amounts *a, struct weigh_class *class)
{
	struct weigh_row r = row_of(a);
	struct weigh_part *p;
	int k;

	(void)s;
	for (k = 0; k < NPART && class; k++) {
		p = &r.part[k];
		/* All of 0 bytes: by blocks. */
		p->bytes = weigh_next(&class->bytes[k], class->now.part[k].bytes
								? p->bytes
								: p->blocks);
	}
	*a = amounts_of(&r);
}

static void
each_cell(struct weigh_sizes *s, weigh_do *row)
{
	struct mon *m = s->mon;
	struct mon_cell *c;
	struct amounts a;
	size_t i;

	for (i = 0; i < m->ncells; i++) {
		c = &m->cells[i];
		a = AMOUNTS(c);
		row(s, &a,
		    c->any ? &s->of[cells_class(c) % PROFILE_NCLASS] : NULL);
		TOTALS_SET(c, &a);
	}
}

/* Without cells: a site's classes. */
static void
each_class(struct weigh_sizes *s, weigh_do *row)
{
	struct counts *c;
	struct amounts a;
	unsigned k;
	size_t i;

	for (i = 0; i < s->mon->nsites; i++) {
		c = &s->mon->sites[i].count;
		for (k = 0; k < PROFILE_NCLASS; k++) {
			a = counts_of_class(c, k);
			row(s, &a, &s->of[k]);
			counts_set_class(c, k, &a);
		}
	}
}

/* ------------------------------------------------------------------ bins -- */

SORT_BY(compare, struct mon_bin, SORT_UP(size))

/* Add cells of one size to their bins, or take them off. */
static void
bins_cells(struct mon *m, bool add)
{
	const struct mon_cell *c;
	struct mon_bin one, *b;
	uint64_t by = add ? 1 : -UINT64_C(1);
	size_t i;

	for (i = 0; i < m->ncells; i++) {
		c = &m->cells[i];
		if (c->any)
			continue;
		one.size = c->size;
		b = m->nbins ? bsearch(&one, m->bins, m->nbins, sizeof(one),
				       compare)
			     : NULL;
		if (b) {
			b->allocs += by * c->allocs;
			b->frees += by * c->frees;
		} else if (add) {
			TOTALS_ADD(mon_big(m), c);
		} else {
			TOTALS_TAKE(mon_big(m), c);
		}
	}
}

/* False: it can't be. */
static bool
bin_row(const struct mon_bin *b, struct weigh_row *r)
{
	struct amounts a = { .allocs = b->allocs, .frees = b->frees };

	if (a.frees > a.allocs ||
	    __builtin_mul_overflow(b->size, a.allocs, &a.bytes))
		return false;
	a.freed = b->size * a.frees;
	*r = row_of(&a);
	return true;
}

/*
 * What is left of *rest after the n bins of a class: of sizes without a bin.
 * False, with no bin having any: they don't fit, as of a damaged file.
 */
static bool
bins_rest(struct mon_bin *b, size_t n, struct weigh_row *rest)
{
	struct weigh_row left = *rest, r;
	size_t i;

	for (i = 0; i < n; i++) {
		if (!bin_row(&b[i], &r) || !row_take(&left, &r))
			break;
	}
	if (i == n && (left.part[KEPT].blocks || !left.part[KEPT].bytes) &&
	    (left.part[FREED].blocks || !left.part[FREED].bytes)) {
		*rest = left;
		return true;
	}
	for (i = 0; i < n; i++)
		b[i].allocs = b[i].frees = 0;
	return false;
}

/* Blocks of a class over its n bins, and over what has none. */
static void
bins_spread(struct mon *m, struct weigh_class *c, struct mon_bin *b, size_t n)
{
	struct weigh_row rest = c->was, sum = { 0 }, r;
	struct weigh_step step[NPART];
	struct amounts a;
	size_t i;
	int k;

	(void)bins_rest(b, n, &rest);
	for (k = 0; k < NPART; k++)
		step[k] = weigh_share(c->now.part[k].blocks,
				      c->was.part[k].blocks);
	for (i = 0; i < n; i++) {
		a.frees = weigh_next(&step[FREED], b[i].frees);
		a.allocs = weigh_next(&step[KEPT], b[i].allocs - b[i].frees) +
			   a.frees;
		b[i].allocs = a.allocs;
		b[i].frees = a.frees;
		if (bin_row(&b[i], &r))
			row_add(&sum, &r);
	}
	for (k = 0; k < NPART; k++)
		rest.part[k] =
			part_of(&rest.part[k],
				weigh_next(&step[k], rest.part[k].blocks));
	row_add(&sum, &rest);
	a = amounts_of(&rest);
	TOTALS_ADD(mon_big(m), &a);
	for (k = 0; k < NPART; k++)
		c->bytes[k] = weigh_share(sum.part[k].bytes,
					  c->now.part[k].bytes
						  ? c->now.part[k].bytes
						  : c->now.part[k].blocks);
}

/* ------------------------------------------------------------------- all -- */

static void
cells_looked(struct mon *m, uint64_t num, uint64_t den)
{
	struct weigh_step looked = { .num = num, .den = den }, slack = looked;
	struct mon_cell *c;
	size_t i;

	for (i = 0; i < m->ncells; i++) {
		c = &m->cells[i];
		c->looked = weigh_next(&looked, c->looked);
		c->slack = weigh_next(&slack, c->slack);
		if (c->looked > c->allocs)
			c->looked = c->allocs;
		if (!c->looked)
			c->slack = 0;
	}
}

uint64_t
weigh_sizes(struct mon *m, uint64_t num, uint64_t den)
{
	const struct weigh_step step = { .num = num, .den = den };
	struct weigh_sizes s = { .mon = m, .step = { step, step } };
	void (*each)(struct weigh_sizes *, weigh_do *) =
		m->cells_known ? each_cell : each_class;
	uint64_t several = 0;
	size_t i, n = 0;
	unsigned k;

	SORT(m->bins, m->nbins, compare);
	bins_cells(m, false);
	each(&s, row_blocks);
	*mon_big(m) = (struct amounts){ 0 };
	for (i = 0, k = 0; k < PROFILE_NCLASS; k++, i += n) {
		for (n = 0; i + n < m->nbins &&
			    counts_class(m->bins[i + n].size) == k;)
			n++;
		bins_spread(m, &s.of[k], m->bins + i, n);
		several += s.of[k].now.part[KEPT].blocks +
			   s.of[k].now.part[FREED].blocks;
	}
	each(&s, row_bytes);
	bins_cells(m, true);
	cells_looked(m, num, den);
	if (m->cells_known)
		(void)recount_sites(m, true);
	recount_sums(m);
	m->bin_sums = m->sums;
	m->bin_sums.reallocs = 0;
	return several;
}
