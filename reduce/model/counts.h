/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of struct counts (figures.h). */
#ifndef MEMMON_REDUCE_COUNTS_H
#define MEMMON_REDUCE_COUNTS_H

#include "monitor/monout.h"
#include "reduce/model/figures.h"

#include <stdbool.h>

_Static_assert((int)PROFILE_NCLASS == (int)MONOUT_NCLASS, "the same classes");

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
	for (i = 0; i < PROFILE_NERROR; i++)
		to->var[i] += x->var[i];
}

/* All classes of one of the arrays together. */
static inline uint64_t
counts_sum(const uint64_t *v)
{
	return v[0] + v[1] + v[2] + v[3];
}

/*
 * Take some of class k, whose own peak doesn't count, off those that are left.
 * False, and *left stays: they aren't among these.
 */
static inline bool
counts_take(struct counts *left, unsigned k, uint64_t allocs, uint64_t bytes,
	    uint64_t frees, uint64_t freed)
{
	if (allocs > left->allocs[k] || bytes > left->bytes[k] ||
	    frees > left->frees[k] || freed > left->freed[k])
		return false;
	left->allocs[k] -= allocs;
	left->bytes[k] -= bytes;
	left->frees[k] -= frees;
	left->freed[k] -= freed;
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
sums_add(struct sums *to, const struct counts *x, uint64_t r)
{
	struct sums s = *to;
	bool over = false;
	int i;

	for (i = 0; i < PROFILE_NCLASS; i++) {
		over |= __builtin_add_overflow(s.allocs, x->allocs[i],
					       &s.allocs);
		over |= __builtin_add_overflow(s.bytes, x->bytes[i], &s.bytes);
		over |= __builtin_add_overflow(s.frees, x->frees[i], &s.frees);
		over |= __builtin_add_overflow(s.freed, x->freed[i], &s.freed);
	}
	over |= __builtin_add_overflow(s.reallocs, r, &s.reallocs);
	if (!over)
		*to = s;
	return !over;
}

/*
 * All four numbers of any structs that have such: allocs, bytes, frees, freed,
 * at pointers to them.  *to += *x; *to -= *x; are they the same; is none of a's
 * more than b's?
 */
#define TOTALS_OP(to, op, x) \
	((to)->allocs op(x)->allocs, (to)->bytes op(x)->bytes, \
	 (to)->frees op(x)->frees, (to)->freed op(x)->freed)
#define TOTALS_ADD(to, x) TOTALS_OP(to, +=, x)
#define TOTALS_TAKE(to, x) TOTALS_OP(to, -=, x)
#define TOTALS_ALL(a, op, b) \
	((a)->allocs op(b)->allocs && (a)->bytes op(b)->bytes && \
	 (a)->frees op(b)->frees && (a)->freed op(b)->freed)
#define TOTALS_SAME(a, b) TOTALS_ALL(a, ==, b)
#define TOTALS_WITHIN(a, b) TOTALS_ALL(a, <=, b)

/* a + b, or UINT64_MAX when that is too large: for sums of lifetimes. */
static inline uint64_t
counts_capped(uint64_t a, uint64_t b)
{
	return __builtin_add_overflow(a, b, &a) ? UINT64_MAX : a;
}

#endif
