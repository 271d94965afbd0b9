/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions for all users of a struct mon. */
#include "reduce/monout/mon.h"

#include <stdlib.h>

uint32_t
mon_new_use(struct mon *m)
{
	const struct mon_use none = { .handed = 0 };

	if (!m->nuses)
		mon_add_use(m, &none);
	if (m->nuses >= MON_NUMBER_MAX)
		heap_out();
	mon_add_use(m, &none);
	return (uint32_t)m->nuses - 1;
}

uint32_t
mon_new_leak(struct mon *m)
{
	const struct mon_leak none = { .found = { .holds = { 0, 0 } } };

	if (!m->nleaks)
		mon_add_leak(m, &none);
	if (m->nleaks >= MON_NUMBER_MAX)
		heap_out();
	mon_add_leak(m, &none);
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

/* 1 if an item refers to a site only, more if it refers to other things. */
#define REFERS_FIELD(kind, how, name) REFERS_##kind
#define REFERS_NUMBER
#define REFERS_SITE +1
#define REFERS_NODE +2
#define REFERS_MODULE +2
#define REFERS_IF(name, ...) __VA_ARGS__

#define SEE_FIELD(kind, how, name) SEE_##kind(name)
#define SEE_NUMBER(name)
#define SEE_SITE(name)
#define SEE_NODE(name) see(arg, x->name);
#define SEE_MODULE(name)
#define SEE_IF(name, ...) __VA_ARGS__

void
mon_each_node(const struct mon *m, void (*see)(void *arg, uint32_t node),
	      void *arg)
{
#define S(name, item, items) \
	for (size_t i = 0; i < m->n##items; i++) { \
		const struct mon_##item *x = &m->items[i]; \
\
		(void)x; \
		MONREC_##name(SEE) \
	}
	MONREC_TABLES(MONREC_SUMMED)
#undef S
}

#define KEEP_FIELD(kind, how, name) KEEP_##kind(name)
#define KEEP_NUMBER(name)
#define KEEP_SITE(name) x.name = to[x.name];
#define KEEP_NODE(name)
#define KEEP_MODULE(name)
#define KEEP_IF(name, ...)
#define LACKS_FIELD(kind, how, name) LACKS_##kind(name)
#define LACKS_NUMBER(name)
#define LACKS_SITE(name) || x.name == MON_MISSING
#define LACKS_NODE(name)
#define LACKS_MODULE(name)
#define LACKS_IF(name, ...)

void
mon_keep_sites(struct mon *m, const uint32_t *to)
{
	size_t n;

#define S(name, item, items) \
	n = 0; \
	for (size_t i = 0; (0 MONREC_##name(REFERS)) == 1 && i < m->n##items; \
	     i++) { \
		struct mon_##item x = m->items[i]; \
\
		MONREC_##name(KEEP) if (false MONREC_##name(LACKS)) continue; \
		m->items[n++] = x; \
	} \
	m->n##items = n;
	MONREC_TABLES(MONREC_SUMMED)
#undef S
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
