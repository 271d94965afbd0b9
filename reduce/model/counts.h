/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of struct counts (figures.h). */
#ifndef MEMMON_REDUCE_COUNTS_H
#define MEMMON_REDUCE_COUNTS_H

#include "monitor/monout.h"
#include "reduce/model/figures.h"

#include <stdbool.h>

_Static_assert((int)PROFILE_NCLASS == (int)MONOUT_NCLASS, "the same classes");

/*
 * All four numbers of any structs that have such: allocs, bytes, frees, freed,
 * at pointers to them.  *to = *x; *to += *x; *to -= *x; are they the same; is
 * none of a's more than b's?
 */
#define TOTALS_OP(to, op, x) \
	((to)->allocs op(x)->allocs, (to)->bytes op(x)->bytes, \
	 (to)->frees op(x)->frees, (to)->freed op(x)->freed)
#define TOTALS_SET(to, x) TOTALS_OP(to, =, x)
#define TOTALS_ADD(to, x) TOTALS_OP(to, +=, x)
#define TOTALS_TAKE(to, x) TOTALS_OP(to, -=, x)
#define TOTALS_ALL(a, op, b) \
	((a)->allocs op(b)->allocs && (a)->bytes op(b)->bytes && \
	 (a)->frees op(b)->frees && (a)->freed op(b)->freed)
#define TOTALS_SAME(a, b) TOTALS_ALL(a, ==, b)
#define TOTALS_WITHIN(a, b) TOTALS_ALL(a, <=, b)

/* The four of such a struct; and to initialize the same members of another. */
#define AMOUNTS(x) ((struct amounts){ TOTALS_INIT(x) })
#define TOTALS_INIT(x) \
	.allocs = (x)->allocs, .bytes = (x)->bytes, .frees = (x)->frees, \
	.freed = (x)->freed

/* Has it no bytes without blocks?  And no more freed than allocated? */
#define TOTALS_OF_BLOCKS(x) \
	(((x)->allocs || !(x)->bytes) && ((x)->frees || !(x)->freed))
#define TOTALS_SANE(x) \
	((x)->frees <= (x)->allocs && (x)->freed <= (x)->bytes && \
	 TOTALS_OF_BLOCKS(x))

/* Variances of what is independent add up. */
static inline void
counts_add_errors(double to[PROFILE_NERROR], const double x[PROFILE_NERROR])
{
	int i;

	for (i = 0; i < PROFILE_NERROR; i++)
		to[i] += x[i];
}

/* Move from one to the other what of live blocks is there, and their bytes. */
static inline void
suppressed_move(struct suppressed *to, struct suppressed *from, uint64_t blocks,
		uint64_t bytes)
{
	blocks = blocks < from->blocks ? blocks : from->blocks;
	bytes = bytes < from->bytes ? bytes : from->bytes;
	to->blocks += blocks;
	to->bytes += bytes;
	from->blocks -= blocks;
	from->bytes -= bytes;
}

/* to += x.  The caller knows that nothing overflows: see items_site(). */
static inline void
counts_add(struct counts *to, const struct counts *x)
{
	int i;

	for (i = 0; i < PROFILE_NCLASS; i++) {
		to->allocs[i] += x->allocs[i];
		to->bytes[i] += x->bytes[i];
		to->frees[i] += x->frees[i];
		to->freed[i] += x->freed[i];
	}
	to->peak += x->peak;
	for (i = 0; i < PROFILE_NCLASS; i++) {
		to->hidden[i].blocks += x->hidden[i].blocks;
		to->hidden[i].bytes += x->hidden[i].bytes;
	}
	counts_add_errors(to->var, x->var);
}

/* All classes of one of the arrays together. */
static inline uint64_t
counts_sum(const uint64_t *v)
{
	return v[0] + v[1] + v[2] + v[3];
}

/* The class of blocks of that size. */
static inline enum monout_class
counts_class(uint64_t size)
{
	return size <= MONOUT_SMALL_MAX	   ? MONOUT_SMALL
	       : size <= MONOUT_MEDIUM_MAX ? MONOUT_MEDIUM
	       : size <= MONOUT_LARGE_MAX  ? MONOUT_LARGE
					   : MONOUT_XLARGE;
}

/* What is in class k, and in all classes. */
static inline struct amounts
counts_of_class(const struct counts *n, unsigned k)
{
	return (struct amounts){ n->allocs[k], n->bytes[k], n->frees[k],
				 n->freed[k] };
}

static inline struct suppressed
counts_hidden(const struct counts *n)
{
	struct suppressed sum = { 0, 0 };
	int i;

	for (i = 0; i < PROFILE_NCLASS; i++) {
		sum.blocks += n->hidden[i].blocks;
		sum.bytes += n->hidden[i].bytes;
	}
	return sum;
}

static inline struct amounts
counts_of_all(const struct counts *n)
{
	return (struct amounts){ counts_sum(n->allocs), counts_sum(n->bytes),
				 counts_sum(n->frees), counts_sum(n->freed) };
}

/*
 * So much of what is live of a site is suppressed: all of it, unless the site
 * has lost blocks.  Of which class these are isn't known: they are taken for
 * the largest.
 */
static inline void
counts_suppress(struct counts *n, struct suppressed left)
{
	int i;

	for (i = 0; i < PROFILE_NCLASS; i++)
		suppressed_move(&n->hidden[i], &left,
				n->allocs[i] - n->frees[i],
				n->bytes[i] - n->freed[i]);
	if (counts_sum(n->bytes) - counts_sum(n->freed) >
	    counts_hidden(n).bytes)
		return;
	n->var[PROFILE_E_KEPT] = 0;
	n->var[PROFILE_E_KEPT_BLOCKS] = 0;
}

/* Class k is this from now on. */
static inline void
counts_set_class(struct counts *n, unsigned k, const struct amounts *x)
{
	n->allocs[k] = x->allocs;
	n->bytes[k] = x->bytes;
	n->frees[k] = x->frees;
	n->freed[k] = x->freed;
}

/*
 * Take some of class k, whose own peak doesn't count, off those that are left.
 * False, and *left stays: they aren't among these.
 */
static inline bool
counts_take(struct counts *left, unsigned k, const struct amounts *x)
{
	struct amounts there = counts_of_class(left, k);

	if (!TOTALS_WITHIN(x, &there))
		return false;
	TOTALS_TAKE(&there, x);
	counts_set_class(left, k, &there);
	return true;
}

/* Is nothing left, the peak aside? */
static inline bool
counts_are_taken(const struct counts *left)
{
	return !(counts_sum(left->allocs) | counts_sum(left->bytes) |
		 counts_sum(left->frees) | counts_sum(left->freed));
}

/*
 * Sums over sites and classes; frees <= allocs and freed <= bytes.  The peak
 * isn't in them: no site's is more than its bytes.
 */
struct sums {
	uint64_t allocs, bytes, frees, freed, reallocs;
};

/*
 * to += x and r reallocations.  Returns false, and leaves *to alone, when a sum
 * doesn't fit 64 bits.  What passed here never overflows in part either,
 * however it is summed.
 */
static inline bool
sums_add_amounts(struct sums *to, const struct amounts *x, uint64_t r)
{
	struct sums s = *to;
	bool over = __builtin_add_overflow(s.allocs, x->allocs, &s.allocs);

	over |= __builtin_add_overflow(s.bytes, x->bytes, &s.bytes);
	over |= __builtin_add_overflow(s.frees, x->frees, &s.frees);
	over |= __builtin_add_overflow(s.freed, x->freed, &s.freed);
	over |= __builtin_add_overflow(s.reallocs, r, &s.reallocs);
	if (!over)
		*to = s;
	return !over;
}

static inline bool
sums_add(struct sums *to, const struct counts *x, uint64_t r)
{
	struct sums s = *to;
	struct amounts a;
	unsigned k;

	for (k = 0; k < PROFILE_NCLASS; k++, r = 0) {
		a = counts_of_class(x, k);
		if (!sums_add_amounts(&s, &a, r))
			return false;
	}
	*to = s;
	return true;
}
/* a + b, or UINT64_MAX when that is too large: for sums of lifetimes. */
static inline uint64_t
counts_capped(uint64_t a, uint64_t b)
{
	return __builtin_add_overflow(a, b, &a) ? UINT64_MAX : a;
}

static inline uint64_t
counts_least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

#endif
