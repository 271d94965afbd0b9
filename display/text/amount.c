/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of counts: see amount.h. */
#include "display/text/amount.h"
#include "reduce/base/sort.h"

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

uint64_t
amount_left(uint64_t made, uint64_t gone, uint64_t hidden)
{
	return amount_sub(amount_sub(made, gone), hidden);
}

uint64_t
amount_live(const struct amounts *a)
{
	return amount_sub(a->bytes, a->freed);
}

uint64_t
amount_live_blocks(const struct amounts *a)
{
	return amount_sub(a->allocs, a->frees);
}

void
amount_add_all(struct amounts *to, const struct amounts *from)
{
	to->allocs = amount_add(to->allocs, from->allocs);
	to->bytes = amount_add(to->bytes, from->bytes);
	to->frees = amount_add(to->frees, from->frees);
	to->freed = amount_add(to->freed, from->freed);
}

struct amounts
amount_before(const struct time_row *r, size_t n)
{
	size_t k = SORT_PLACE(i, r->n, r->change[i].snapshot < n);

	return k ? r->change[k - 1].count : (struct amounts){ 0 };
}

static void
increase(uint64_t *to, uint64_t n)
{
	*to = amount_add(*to, n);
}

void
amount_add_hidden(struct suppressed *to, const struct suppressed *from)
{
	increase(&to->blocks, from->blocks);
	increase(&to->bytes, from->bytes);
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
		kept[i] = amount_left(c->bytes[i], c->freed[i],
				      c->hidden[i].bytes);
}

uint64_t
amount_kept(const struct counts *c)
{
	uint64_t kept[PROFILE_NCLASS];

	amount_kept_by_class(c, kept);
	return sum(kept);
}

uint64_t
amount_kept_blocks(const struct counts *c)
{
	uint64_t n = 0;

	for (int i = 0; i < PROFILE_NCLASS; i++)
		n = amount_add(n, amount_left(c->allocs[i], c->frees[i],
					      c->hidden[i].blocks));
	return n;
}

uint64_t
amount_account(const struct account *a)
{
	return amount_left(a->bytes, a->freed, a->hidden.bytes);
}

void
amount_add_account(struct account *to, const struct account *from)
{
	to->allocs = amount_add(to->allocs, from->allocs);
	to->bytes = amount_add(to->bytes, from->bytes);
	to->frees = amount_add(to->frees, from->frees);
	to->freed = amount_add(to->freed, from->freed);
	amount_add_hidden(&to->hidden, &from->hidden);
}

struct suppressed
amount_hidden(const struct counts *c)
{
	struct suppressed n = { 0, 0 };

	for (int i = 0; i < PROFILE_NCLASS; i++)
		amount_add_hidden(&n, &c->hidden[i]);
	return n;
}

struct amounts
amount_of(const struct counts *c)
{
	return (struct amounts){ .allocs = amount_allocs(c),
				 .bytes = amount_bytes(c),
				 .frees = amount_frees(c),
				 .freed = amount_freed(c) };
}

uint64_t
amount_leaked(const uint64_t v[PROFILE_NLEAK])
{
	return amount_add(v[PROFILE_LOST], v[PROFILE_INDIRECT]);
}

void
amount_add_counts(struct counts *to, const struct counts *from)
{
	for (int i = 0; i < PROFILE_NCLASS; i++) {
		increase(&to->allocs[i], from->allocs[i]);
		increase(&to->bytes[i], from->bytes[i]);
		increase(&to->frees[i], from->frees[i]);
		increase(&to->freed[i], from->freed[i]);
		amount_add_hidden(&to->hidden[i], &from->hidden[i]);
	}
	increase(&to->peak, from->peak);
	for (int i = 0; i < PROFILE_NERROR; i++)
		to->var[i] += from->var[i];
}

void
amount_add_life(struct life *to, const struct life *from)
{
	if (from->timed && (!to->timed || from->min < to->min))
		to->min = from->min;
	if (from->timed && from->max > to->max)
		to->max = from->max;
	if (from->longest > to->longest)
		to->longest = from->longest;
	increase(&to->temps, from->temps);
	increase(&to->near, from->near);
	increase(&to->by_others, from->by_others);
	increase(&to->moved, from->moved);
	increase(&to->copied, from->copied);
	increase(&to->timed, from->timed);
	increase(&to->weight, from->weight);
	increase(&to->sum, from->sum);
	for (int i = 0; i < PROFILE_NLIFE; i++)
		increase(&to->bin[i], from->bin[i]);
}

void
amount_add_use(struct use *to, const struct use *from)
{
	increase(&to->blocks, from->blocks);
	increase(&to->bytes, from->bytes);
	increase(&to->handed_blocks, from->handed_blocks);
	increase(&to->handed_bytes, from->handed_bytes);
	increase(&to->reads, from->reads);
	increase(&to->writes, from->writes);
	increase(&to->span, from->span);
	increase(&to->cover, from->cover);
	increase(&to->span_used, from->span_used);
	increase(&to->cover_used, from->cover_used);
	to->useful += from->useful;
	increase(&to->life, from->life);
	to->sampled |= from->sampled;
	if (to->step < from->step)
		to->step = from->step;
	for (int i = 0; i < PROFILE_NUSE_ERROR; i++)
		to->var[i] += from->var[i];
	for (int i = 0; i < PROFILE_NFLAG; i++) {
		increase(&to->flag_blocks[i], from->flag_blocks[i]);
		increase(&to->flag_bytes[i], from->flag_bytes[i]);
	}
}

void
amount_add_leak(struct leak *to, const struct leak *from)
{
	for (int i = 0; i < PROFILE_NLEAK; i++) {
		increase(&to->blocks[i], from->blocks[i]);
		increase(&to->bytes[i], from->bytes[i]);
	}
	increase(&to->holds.blocks, from->holds.blocks);
	increase(&to->holds.bytes, from->holds.bytes);
}

const struct time_row *
amount_row(const struct profile *p, const struct site *s)
{
	return p->time.known && p->time.sites ? &p->time.sites[s - p->sites]
					      : NULL;
}

struct amount_most
amount_most(const struct profile *p, const struct site *s)
{
	const struct time_row *r = amount_row(p, s);
	struct amounts end = amount_of(&s->count);
	struct amount_most m = { s->count.peak, s->peak_blocks, p->peak_at,
				 r != NULL };

	for (size_t i = 0; r && i < r->n; i++) {
		const struct amounts *c = &r->change[i].count;
		uint64_t live = amount_live(c);
		uint64_t at = p->time.at[r->change[i].snapshot];

		if (live > m.bytes || (live == m.bytes && at < m.at))
			m = (struct amount_most){ live, amount_live_blocks(c),
						  at, true };
	}
	if (m.bytes < amount_live(&end)) {
		m.bytes = amount_live(&end);
		m.blocks = amount_live_blocks(&end);
		m.at = p->runs[0].length;
	}
	return m;
}
