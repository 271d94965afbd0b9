/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The call paths that freed the timed blocks of each call path. */
#include "reduce/base/sort.h"
#include "reduce/callgraph/chains_parts.h"

#include <stdlib.h>

SORT_BY(endings_order, struct ending, SORT_UP(site) SORT_UP(leaf))

static void
endings_add(struct ending *to, const struct ending *x)
{
	to->blocks += x->blocks;
	to->weight += x->weight;
	if (__builtin_add_overflow(to->bytes, x->bytes, &to->bytes))
		to->bytes = UINT64_MAX;
	if (__builtin_add_overflow(to->life, x->life, &to->life))
		to->life = UINT64_MAX;
}

void
chains_endings(struct chains *c)
{
	struct profile *p = c->p;
	const struct mon *m = c->mon;
	struct arena *a = &p->priv->arena;
	size_t n = m->nendings;
	struct site *by = arena_array(a, n, sizeof(*by));

	p->endings = arena_array(a, n, sizeof(*p->endings));
	for (size_t i = 0; i < m->nendings; i++) {
		const struct mon_ending *x = &m->endings[i];
		uint32_t leaf = chains_skip(c, c->nodes[x->node].leaf);

		if (leaf >= CHAINS_ROOTS)
			by[i].leaf = &p->priv->frames[c->frames[leaf].number];
		p->endings[i] = (struct ending){
			.site = &p->sites[p->priv->site_of[x->site]],
			.by = by[i].leaf ? &by[i] : NULL,
			.leaf = by[i].leaf,
			.blocks = x->blocks,
			.weight = x->weight,
			.bytes = x->bytes,
			.life = x->life,
		};
	}
	SORT_ONCE(p->endings, n, endings_order, endings_add);
	p->nendings = n;
}
