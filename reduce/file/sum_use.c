/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing a merged struct mon: uses, groups, fields, handed. */
#include "reduce/file/sum.h"

#include <stdlib.h>

/* An item of more groups might be longer than a record can be. */
enum { SUM_GROUPS = 1024 };

/* Returns how many there are. */
static uint64_t
sum_use(struct emit *e, const struct mon *m)
{
	const struct mon_use *u;
	uint64_t n = 0;
	size_t i;
	int k;

	emit_open(e, MONOUT_USES, 0);
	for (i = 0; i < m->nsites; i++) {
		if (!m->sites[i].use)
			continue;
		u = &m->uses[m->sites[i].use];
		emit_number(e, i);
		for (k = 0; k < MON_U_N; k++)
			emit_number(e, u->n[k]);
		emit_item(e);
		n++;
	}
	emit_close(e);
	return n;
}

/*
 * The places of the groups in order of site, those of a site as they stand;
 * start[site] gets where its begin.  Both are to be freed.  NULL: no memory.
 */
static size_t *
sum_order(const struct mon *m, size_t **start)
{
	size_t *at = calloc(m->nsites + 2, sizeof(*at)), i;
	size_t *order = calloc(m->ngroups + 1, sizeof(*order));

	*start = at;
	if (!at || !order) {
		free(order);
		return NULL;
	}
	for (i = 0; i < m->ngroups; i++)
		at[m->groups[i].site + 2]++;
	for (i = 2; i < m->nsites + 2; i++)
		at[i] += at[i - 1];
	/* Behind this each has moved to where the next one's begin. */
	for (i = 0; i < m->ngroups; i++)
		order[at[m->groups[i].site + 1]++] = i;
	return order;
}

static void
sum_item(struct emit *e, const struct mon *m, uint64_t site,
	 const size_t *order, size_t n)
{
	const struct mon_group *g;
	size_t i;

	emit_number(e, site);
	emit_number(e, 1);
	emit_number(e, n);
	for (i = 0; i < n; i++) {
		g = &m->groups[order[i]];
		emit_number(e, g->first);
		emit_number(e, g->last);
		emit_number(e, g->end);
		emit_number(e, g->blocks);
		emit_number(e, g->life);
	}
	emit_item(e);
}

/* Returns how many items there are. */
static uint64_t
sum_groups(struct emit *e, const struct mon *m)
{
	size_t *start, *order = sum_order(m, &start), i, k, n;
	uint64_t items = 0;

	e->failed |= !order;
	emit_open(e, MONOUT_GROUPS, 0);
	for (i = 0; order && i < m->nsites; i++) {
		for (k = start[i]; k < start[i + 1]; k += n) {
			n = start[i + 1] - k;
			n = n < SUM_GROUPS ? n : SUM_GROUPS;
			sum_item(e, m, i, order + k, n);
			items++;
		}
	}
	emit_close(e);
	free(order);
	free(start);
	return items;
}

static void
sum_fields(struct emit *e, const struct mon *m)
{
	const struct mon_field *f;
	const uint64_t *counts;
	size_t i, k;

	emit_open(e, MONOUT_FIELDS, 0);
	for (i = 0; i < m->nfields; i++) {
		f = &m->fields[i];
		counts = m->counts + f->counts;
		emit_number(e, f->site);
		emit_number(e, f->size);
		emit_number(e, f->blocks);
		emit_number(e, f->n);
		for (k = 0; k < f->n; k++) {
			emit_number(e, counts[k]);
			emit_number(e, counts[f->n + k]);
		}
		emit_item(e);
	}
	emit_close(e);
}

/* Returns how many there are. */
static uint64_t
sum_handed(struct emit *e, const struct mon *m)
{
	const struct mon_use *u;
	uint64_t n = 0;
	size_t i;

	emit_open(e, MONOUT_HANDED, 0);
	for (i = 0; i < m->nsites; i++) {
		u = m->sites[i].use ? &m->uses[m->sites[i].use] : NULL;
		if (!u || !u->handed)
			continue;
		emit_number(e, i);
		emit_number(e, u->handed);
		emit_number(e, u->handed_bytes);
		emit_item(e);
		n++;
	}
	emit_close(e);
	return n;
}

void
sum_uses(struct emit *e, const struct mon *m, uint64_t *uses, uint64_t *groups,
	 uint64_t *handed)
{
	*uses = sum_use(e, m);
	*groups = sum_groups(e, m);
	sum_fields(e, m);
	*handed = sum_handed(e, m);
}
