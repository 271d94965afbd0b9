/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Quantiles by narrowing.  The range of values is split into parts, and the
 * values in each part are counted.  The part that contains the quantile is
 * split again.  The first parts are only a 1,024th of their values wide, so
 * that a few rounds are enough.
 */
#include "display/blocks/selection.h"
#include "reduce/base/sort.h"

#include <stdlib.h>

/* 2^FINE parts for each power of 2; a range is split into 2^SPLIT parts. */
enum { FINE = 10, SPLIT = 12 };
#define FIRST ((size_t)(65 - FINE) << FINE)

/* Up to this number, values are stored and sorted. */
enum { FEW = 65536 };

int
selection_init(struct selection *s, uint64_t n, const unsigned *percent,
	       size_t many)
{
	*s = (struct selection){ .room = n, .nrange = many };
	/* In the first round, .rank holds the percentage. */
	for (size_t i = 0; i < many; i++)
		s->range[i].rank = percent[i];
	if (n <= FEW)
		s->value = malloc((n + 1) * sizeof(*s->value));
	else
		s->count = calloc(FIRST, sizeof(*s->count));
	return s->value || s->count ? 0 : -1;
}

static size_t
first_part(uint64_t x)
{
	unsigned e;

	if (x >> FINE == 0)
		return x;
	e = 63 - (unsigned)__builtin_clzll(x) - FINE;
	return ((size_t)(e + 1) << FINE) + ((x >> e) & ((1u << FINE) - 1));
}

/* The range of values that belong to a part of the first round. */
static struct selection_range
first_range(size_t part)
{
	uint64_t fine = part & ((1u << FINE) - 1);
	unsigned e = (unsigned)(part >> FINE);

	if (!e)
		return (struct selection_range){ .low = fine };
	e--;
	return (struct selection_range){
		.low = (fine | 1u << FINE) << e,
		.bits = e,
	};
}

/* Each part of the range has 2^part_bits() values. */
static unsigned
part_bits(const struct selection_range *r)
{
	return r->bits > SPLIT ? r->bits - SPLIT : 0;
}

void
selection_add(struct selection *s, uint64_t x)
{
	const struct selection_range *r;
	size_t i;

	if (!s->again) {
		if (s->n == s->room)
			return;
		s->n++;
		if (s->value)
			s->value[s->n - 1] = x;
		else
			s->count[first_part(x)]++;
		return;
	}
	for (i = 0; i < s->nrange; i++) {
		r = &s->range[i];
		if (r->bits && x >= r->low && (x - r->low) >> r->bits == 0) {
			s->count[(r->slot << SPLIT) +
				 ((x - r->low) >> part_bits(r))]++;
			return;
		}
	}
}

/* ----------------------------------------------------------- in between -- */

SORT_NUMBERS(compare, uint64_t)

/*
 * The part, out of n, with the value of rank *rank.  *rank becomes the rank in
 * that part.
 */
static size_t
find_part(const uint64_t *count, size_t n, uint64_t *rank)
{
	size_t i;

	for (i = 0; i + 1 < n && *rank >= count[i]; i++)
		*rank -= count[i];
	return i;
}

static uint64_t
selection_rank_of(uint64_t n, uint64_t percent)
{
	uint64_t rank = (uint64_t)(((unsigned __int128)n * percent + 99) / 100);

	return rank ? rank - 1 : 0;
}

/* Set the ranges after the first round. */
static void
narrow_first(struct selection *s)
{
	struct selection_range x, *r;

	for (r = s->range; r < s->range + s->nrange; r++) {
		uint64_t rank = selection_rank_of(s->n, r->rank);

		if (s->value) {
			x = (struct selection_range){ .low = s->value[rank] };
		} else {
			x = first_range(find_part(s->count, FIRST, &rank));
			x.rank = rank;
		}
		*r = x;
	}
}

static void
narrow(struct selection *s)
{
	struct selection_range *r;
	uint64_t part;

	for (r = s->range; r < s->range + s->nrange; r++) {
		if (!r->bits)
			continue;
		part = find_part(&s->count[r->slot << SPLIT], 1u << SPLIT,
				 &r->rank);
		r->low += part << part_bits(r);
		r->bits = part_bits(r);
	}
}

/* Make room to count the parts of all ranges.  Returns as selection_next(). */
static int
split(struct selection *s)
{
	const struct selection_range *before = NULL;
	struct selection_range *r;

	s->nslot = 0;
	for (r = s->range; r < s->range + s->nrange; r++) {
		if (!r->bits)
			continue;
		if (!before || before->low != r->low)
			s->nslot++;
		r->slot = s->nslot - 1;
		before = r;
	}
	free(s->count);
	s->count = calloc((s->nslot << SPLIT) + 1, sizeof(*s->count));
	if (!s->count)
		return -1;
	return s->nslot > 0;
}

int
selection_next(struct selection *s)
{
	if (!s->n)
		return 0;
	if (s->again) {
		narrow(s);
	} else {
		if (s->value)
			qsort(s->value, s->n, sizeof(*s->value), compare);
		narrow_first(s);
	}
	s->again = true;
	free(s->value);
	s->value = NULL;
	return split(s);
}

uint64_t
selection_value(const struct selection *s, size_t i)
{
	return s->range[i].low;
}

void
selection_fini(struct selection *s)
{
	free(s->count);
	free(s->value);
	*s = (struct selection){ 0 };
}
