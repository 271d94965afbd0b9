/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of counts: see amount.h. */
#include "display/text/amount.h"
#include "display/text/number.h"
#include "reduce/base/sort.h"

#include <string.h>

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
amount_live(const struct amounts *a)
{
	return TOTALS_LIVE(a);
}

uint64_t
amount_live_blocks(const struct amounts *a)
{
	return amount_sub(a->allocs, a->frees);
}

void
amount_hidden_why(const struct profile *p, char to[AMOUNT_WHY_SIZE])
{
	const char *rule = p->nsuppressions ? p->suppressions->pattern : NULL;
	size_t others = p->nsuppressions ? p->nsuppressions - 1 : 0;
	int n;

	*to = '\0';
	if (p->nsuppressions && !rule)
		sprintf(to, " that %s", AMOUNT_BUILT_IN);
	if (!rule)
		return;
	if (strlen(rule) > AMOUNT_WHY_SIZE / 2)
		rule = "...";
	n = sprintf(to, " matching leak:%s", rule);
	if (others)
		sprintf(to + n, " or %zu more rule%s", others,
			others == 1 ? "" : "s");
}

struct amounts
amount_before(const struct time_row *r, size_t n)
{
	size_t k = SORT_PLACE(i, r->n, r->change[i].snapshot < n);

	return k ? r->change[k - 1].count : (struct amounts){ 0 };
}

void
amount_kept_by_class(const struct counts *c, uint64_t kept[PROFILE_NCLASS])
{
	for (unsigned i = 0; i < PROFILE_NCLASS; i++) {
		struct account a = counts_of_class(c, i);

		kept[i] = account_kept(&a);
	}
}

uint64_t
amount_kept(const struct counts *c)
{
	struct account a = counts_of_all(c);

	return account_kept(&a);
}

uint64_t
amount_kept_blocks(const struct counts *c)
{
	struct account a = counts_of_all(c);

	return account_kept_blocks(&a);
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
	struct account all = counts_of_all(&s->count);
	struct amounts end = AMOUNTS(&all);
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

const char *
amount_leak_note(struct arena *a, const struct profile *p, size_t i, bool human)
{
	const struct leak_note *x = &p->leak_notes[i];
	char n[NUMBER_SIZE];

	return x->after
		       ? arena_print(a, "%s%s bytes%s", x->before,
				     number_bytes(n, x->bytes, human), x->after)
		       : x->before;
}
