/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of struct counts (figures.h). */
#ifndef MEMMON_REDUCE_COUNTS_H
#define MEMMON_REDUCE_COUNTS_H

#include "monitor/monout.h"
#include "reduce/model/figures.h"

#include <stdbool.h>

_Static_assert((int)PROFILE_NCLASS == (int)MONOUT_NCLASS, "the same classes");

/*
 * For any structs with the members allocs, bytes, frees, freed; arguments are
 * pointers to them.  SET: *to = *x.  ADD: *to += *x.  TAKE: *to -= *x.  SAME:
 * are all four equal?  WITHIN: is each of a's at most b's?
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

/* The four as a struct amounts; and as initializers of another struct. */
#define AMOUNTS(x) ((struct amounts){ TOTALS_INIT(x) })
#define TOTALS_INIT(x) \
	.allocs = (x)->allocs, .bytes = (x)->bytes, .frees = (x)->frees, \
	.freed = (x)->freed

/* No bytes without blocks?  SANE: and no more freed than allocated? */
#define TOTALS_OF_BLOCKS(x) \
	(((x)->allocs || !(x)->bytes) && ((x)->frees || !(x)->freed))
#define TOTALS_SANE(x) \
	((x)->frees <= (x)->allocs && (x)->freed <= (x)->bytes && \
	 TOTALS_OF_BLOCKS(x))

/* Variances of independent figures add up. */
static inline void
counts_add_errors(double to[PROFILE_NERROR], const double x[PROFILE_NERROR])
{
	int i;

	for (i = 0; i < PROFILE_NERROR; i++)
		to[i] += x[i];
}

/*
 * Move up to `blocks' blocks and `bytes' bytes from one to the other: no more
 * than *from has.
 */
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
	for (int k = 0; k < PROFILE_NCLASS; k++) {
#define ADD(how, type, name, dimension) MEASURES_##how(to->name[k], x->name[k]);
		MEASURES_ACCOUNT(ADD)
#undef ADD
	}
	to->peak += x->peak;
	counts_add_errors(to->var, x->var);
}

static inline void
amounts_add(struct amounts *to, const struct amounts *x)
{
	MEASURES_AMOUNTS(MEASURES_ADD)
}

static inline void
account_add(struct account *to, const struct account *x)
{
	MEASURES_ACCOUNT(MEASURES_ADD)
}

static inline void
figures_add(struct figures *to, const struct figures *x)
{
	account_add(&to->account, &x->account);
	MEASURES_PEAK(MEASURES_ADD)
}

/* The sum of one of the arrays over all classes. */
static inline uint64_t
counts_sum(const uint64_t *v)
{
	return v[0] + v[1] + v[2] + v[3];
}

/* The class of blocks of this size in bytes. */
static inline enum monout_class
counts_class(uint64_t size)
{
	return size <= MONOUT_SMALL_MAX	   ? MONOUT_SMALL
	       : size <= MONOUT_MEDIUM_MAX ? MONOUT_MEDIUM
	       : size <= MONOUT_LARGE_MAX  ? MONOUT_LARGE
					   : MONOUT_XLARGE;
}

/* The account of class k; counts_of_all(): the sum of all classes. */
static inline struct account
counts_of_class(const struct counts *n, unsigned k)
{
#define OF(how, type, name, dimension) .name = n->name[k],
	return (struct account){ MEASURES_ACCOUNT(OF) };
#undef OF
}

static inline struct account
counts_of_all(const struct counts *n)
{
	struct account sum = { 0 }, x;

	for (unsigned k = 0; k < PROFILE_NCLASS; k++) {
		x = counts_of_class(n, k);
		account_add(&sum, &x);
	}
	return sum;
}

static inline struct figures
counts_figures(const struct counts *n, uint64_t peak_blocks)
{
	return (struct figures){ .account = counts_of_all(n),
				 .peak = n->peak,
				 .peak_blocks = peak_blocks,
				 .peak_known = true };
}

/*
 * The blocks or bytes "kept", also called "not freed": allocated, neither freed
 * nor hidden by suppressions.  This is the only place that computes it.
 */
static inline uint64_t
account_left(uint64_t made, uint64_t gone, uint64_t hidden)
{
	uint64_t live = made > gone ? made - gone : 0;

	return live > hidden ? live - hidden : 0;
}

/* Live bytes, hidden or not; 0 if damaged data have freed more. */
#define TOTALS_LIVE(x) account_left((x)->bytes, (x)->freed, 0)

static inline uint64_t
account_kept(const struct account *a)
{
	return account_left(a->bytes, a->freed, a->hidden.bytes);
}

static inline uint64_t
account_kept_blocks(const struct account *a)
{
	return account_left(a->allocs, a->frees, a->hidden.blocks);
}

/*
 * `left' blocks and bytes of a site's live ones are suppressed: all of them,
 * unless the site has lost blocks.  Their class isn't known, so the smallest
 * classes are filled first.
 */
static inline void
counts_suppress(struct counts *n, struct suppressed left)
{
	struct account all;
	int i;

	for (i = 0; i < PROFILE_NCLASS; i++)
		suppressed_move(&n->hidden[i], &left,
				n->allocs[i] - n->frees[i],
				n->bytes[i] - n->freed[i]);
	all = counts_of_all(n);
	if (account_kept(&all))
		return;
	n->var[PROFILE_E_KEPT] = 0;
	n->var[PROFILE_E_KEPT_BLOCKS] = 0;
}

/* Set the amounts of class k. */
static inline void
counts_set_class(struct counts *n, unsigned k, const struct amounts *x)
{
#define SET(how, type, name, dimension) n->name[k] = x->name;
	MEASURES_AMOUNTS(SET)
#undef SET
}

/*
 * Subtract some of class k from *left.  *x has no peak.  False, with *left as
 * it was: class k of *left has less than *x.
 */
static inline bool
counts_take(struct counts *left, unsigned k, const struct amounts *x)
{
	struct account there = counts_of_class(left, k);

	if (!TOTALS_WITHIN(x, &there))
		return false;
	TOTALS_TAKE(&there, x);
	counts_set_class(left, k, &AMOUNTS(&there));
	return true;
}

/* Are all four sums 0?  The peak doesn't count. */
static inline bool
counts_are_taken(const struct counts *left)
{
	return !(counts_sum(left->allocs) | counts_sum(left->bytes) |
		 counts_sum(left->frees) | counts_sum(left->freed));
}

/*
 * Sums over sites and classes, without the peak: no site's peak is more than
 * its bytes.
 */
struct sums {
	WITH_AMOUNTS;
	uint64_t reallocs;
};

/*
 * to += x and r reallocations.  Returns false, and leaves *to alone, when a sum
 * doesn't fit 64 bits.  If all calls return true, no partial sum overflows, in
 * any order.
 */
static inline bool
sums_add_amounts(struct sums *to, const struct amounts *x, uint64_t r)
{
	struct sums s = *to;
	bool over = __builtin_add_overflow(s.reallocs, r, &s.reallocs);

#define ADD(how, type, name, dimension) \
	over |= __builtin_add_overflow(s.name, x->name, &s.name);
	MEASURES_AMOUNTS(ADD)
#undef ADD
	if (!over)
		*to = s;
	return !over;
}

static inline bool
sums_add(struct sums *to, const struct counts *x, uint64_t r)
{
	struct sums s = *to;
	struct account a;
	unsigned k;

	for (k = 0; k < PROFILE_NCLASS; k++, r = 0) {
		a = counts_of_class(x, k);
		if (!sums_add_amounts(&s, &AMOUNTS(&a), r))
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
