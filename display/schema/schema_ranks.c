/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of processes: see schema_rows.h. */
#include "display/schema/schema_rows.h"

#include <stdlib.h>

void
schema_rank_of(struct schema *s, const void *row, size_t number, size_t at,
	       struct value *v)
{
	const struct run *r = row;

	(void)s, (void)number, (void)at;
	value_number(v, r->rank, r->rank_known);
}

void
schema_imbalance_of(struct schema *s, const void *row, size_t number, size_t at,
		    struct value *v)
{
	const struct schema_imbalance *r = row;

	(void)number, (void)at;
	v->known = r->spread.sum > 0;
	v->number = rank_imbalance(&s->p->ranks, &r->spread);
}

void *
schema_imbalances(struct schema *s, size_t *n)
{
	static const char *const of[] = { [RANK_OF_ALL] = "all",
					  [RANK_OF_SITE] = "site",
					  [RANK_OF_FUNC] = "function",
					  [RANK_OF_TYPE] = "type" };
#define R(id, name, ...) #name,
	static const char *const figure[] = { RANKS_FIGURES(R) };
#undef R
	const struct profile_ranks *r = &s->p->ranks;
	struct schema_imbalance *v;

	*n = RANK_NFIGURE * r->nrows;
	v = calloc(*n + 1, sizeof *v);
	for (size_t i = 0; v && i < *n; i++) {
		const struct rank_row *x = &r->rows[i / RANK_NFIGURE];
		const struct rank_spread *y = &x->figure[i % RANK_NFIGURE];

		v[i] = (struct schema_imbalance){
			.of = of[x->of],
			.figure = figure[i % RANK_NFIGURE],
			.site = x->site,
			.name = x->func ? x->func->name : NULL,
			.type = x->type,
			.spread = *y,
			.mean = rank_mean(r, y),
			.most_rank = r->v[y->most_at].name,
			.least_rank = r->v[y->least_at].name,
		};
	}
	return v;
}
