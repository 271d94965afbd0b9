/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions for all users of a struct mon. */
#include "reduce/file/mon.h"

#include <stdlib.h>

uint32_t
mon_new_use(struct mon *m)
{
	const struct mon_use none = { .handed = 0 };

	if ((!m->nuses && mon_add_use(m, &none)) ||
	    m->nuses >= MON_NUMBER_MAX || mon_add_use(m, &none))
		return 0;
	return (uint32_t)m->nuses - 1;
}

uint32_t
mon_new_leak(struct mon *m)
{
	const struct mon_leak none = { .found = { .holds = { 0, 0 } } };

	if ((!m->nleaks && mon_add_leak(m, &none)) ||
	    m->nleaks >= MON_NUMBER_MAX || mon_add_leak(m, &none))
		return 0;
	return (uint32_t)m->nleaks - 1;
}

bool
mon_use_add(struct mon_use *to, const struct mon_use *x)
{
	struct mon_use sum = *to;
	bool over = false;
	int i;

	for (i = 0; i < MON_USE_NUMBERS; i++) {
		if (&sum.n[i] == &sum.life)
			sum.n[i] = counts_capped(sum.n[i], x->n[i]);
		else
			over |= __builtin_add_overflow(sum.n[i], x->n[i],
						       &sum.n[i]);
	}
	if (over)
		return false;
	/* At most the blocks and bytes, which fit. */
	sum.handed += x->handed;
	sum.handed_bytes += x->handed_bytes;
	for (i = 0; i < 2; i++)
		sum.errors[i] = counts_capped(sum.errors[i], x->errors[i]);
	sum.grouped += x->grouped;
	sum.fields.blocks += x->fields.blocks;
	sum.fields.bytes += x->fields.bytes;
	sum.fields.reads += x->fields.reads;
	sum.fields.writes += x->fields.writes;
	*to = sum;
	return true;
}

const struct mon_type *
mon_type_of(const struct mon *m, uint32_t node)
{
	const struct mon_node *n;
	uint64_t i;

	if (!node || node >= m->nnodes)
		return NULL;
	n = &m->nodes[node];
	if (n->parent == MON_MISSING || !mon_node_is_type(n))
		return NULL;
	i = n->addr - MONOUT_PC_TYPE;
	return i && i < m->ntypes && m->types[i].name ? &m->types[i] : NULL;
}

void
mon_fini(struct mon *m)
{
#define L(item, items) free(m->items);
	MONREC_TABLES(MON_LIST)
#undef L
	life_fini(&m->lives);
	free(m->counts);
	arena_fini(&m->arena);
	*m = (struct mon){ 0 };
}
