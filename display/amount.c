/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums over size classes: see amount.h. */
#include "display/amount.h"

uint64_t
amount_add(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

uint64_t
amount_sub(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

uint64_t
amount_mul(uint64_t a, uint64_t b)
{
	uint64_t product;

	return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static uint64_t
sum(const uint64_t v[PROFILE_NCLASS])
{
	uint64_t n = 0;

	for (int i = 0; i < PROFILE_NCLASS; i++)
		n = amount_add(n, v[i]);
	return n;
}

uint64_t
amount_allocs(const struct counts *c)
{
	return sum(c->allocs);
}

uint64_t
amount_bytes(const struct counts *c)
{
	return sum(c->bytes);
}

uint64_t
amount_frees(const struct counts *c)
{
	return sum(c->frees);
}

uint64_t
amount_freed(const struct counts *c)
{
	return sum(c->freed);
}

void
amount_kept_by_class(const struct counts *c, uint64_t kept[PROFILE_NCLASS])
{
	for (int i = 0; i < PROFILE_NCLASS; i++)
		kept[i] = amount_sub(c->bytes[i], c->freed[i]);
}

uint64_t
amount_kept(const struct counts *c)
{
	uint64_t kept[PROFILE_NCLASS];

	amount_kept_by_class(c, kept);
	return sum(kept);
}
