/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Merge several struct mon into one: choose the peak.  Ranks of a parallel
 * program often have equally large peaks, and the sum must be the same in any
 * order of the files.  So the blocks that were live at the peak decide then.
 */
#include "reduce/base/hash.h"
#include "reduce/monout/merge.h"

#include <stdlib.h>
#include <string.h>

#define MERGE_HASH(h, x) hash_bytes(h, &(x), sizeof(x))

static uint64_t
merge_hash_text(uint64_t h, const char *s)
{
	return s ? hash_bytes(h, s, strlen(s) + 1) : h;
}

/* A hash of each module's identity. */
static uint64_t *
merge_hash_modules(const struct mon *m)
{
	uint64_t *h = heap_array(m->nmodules + 1, sizeof(*h));
	const struct mon_module *o;
	size_t i;

	for (i = 1; i < m->nmodules; i++) {
		o = &m->modules[i];
		h[i] = hash_bytes(merge_hash_text(HASH_BYTES, o->path), o->id,
				  o->idlen);
	}
	return h;
}

/* A hash of each node with all its callers. */
static uint64_t *
merge_hash_nodes(const struct mon *m)
{
	uint64_t *module = merge_hash_modules(m);
	uint64_t *h = heap_new((m->nnodes + 1) * sizeof(*h));
	const struct mon_type *type;
	const struct mon_node *n;
	size_t i;

	h[0] = HASH_BYTES;
	for (i = 1; i < m->nnodes; i++) {
		n = &m->nodes[i];
		h[i] = n->parent < i ? h[n->parent] : HASH_BYTES;
		type = mon_type_of(m, (uint32_t)i);
		if (type)
			h[i] = merge_hash_text(MERGE_HASH(h[i], type->size),
					       type->name);
		else
			h[i] = MERGE_HASH(h[i], n->addr);
		if (n->module && n->module < m->nmodules)
			h[i] = MERGE_HASH(h[i], module[n->module]);
	}
	free(module);
	return h;
}

/* A hash of a cell's amounts at the peak; h: the hash of its site. */
static uint64_t
merge_hash_cell(const struct mon *m, uint64_t h, const struct mon_cell *c)
{
	const char *thread = c->thread ? m->threads[c->thread - 1].name : NULL;

	h = MERGE_HASH(h, c->size);
	h = merge_hash_text(MERGE_HASH(h, c->any), thread);
	h = MERGE_HASH(h, c->peak_blocks);
	return MERGE_HASH(h, c->peak_bytes);
}

/*
 * Hashes of the blocks live at the peak: by site, and by thread and size.  They
 * don't depend on the order, so equal data have equal hashes.
 */
struct merge_held {
	uint64_t sites, cells;
};

static struct merge_held
merge_held(const struct mon *m)
{
	uint64_t *nodes = merge_hash_nodes(m), h;
	struct merge_held sum = { 0 };
	const struct mon_cell *c;
	const struct mon_site *s;
	size_t i;

	for (i = 0; i < m->nsites; i++) {
		s = &m->sites[i];
		h = MERGE_HASH(nodes[s->node], s->peak_blocks);
		if (s->peak_blocks)
			sum.sites += MERGE_HASH(h, s->count.peak);
	}
	for (i = 0; i < m->ncells; i++) {
		c = &m->cells[i];
		if (c->peak_blocks || c->peak_bytes)
			sum.cells +=
				merge_hash_cell(m,
						nodes[m->sites[c->site].node],
						c);
	}
	free(nodes);
	return sum;
}

static bool
merge_held_more(const struct mon *m, const struct mon *all)
{
	struct merge_held x = merge_held(m), y = merge_held(all);

	if (x.sites != y.sites)
		return x.sites > y.sites;
	/* Compare cells only if both files have cells. */
	return m->cells_known && all->cells_known && x.cells > y.cells;
}

bool
merge_peak_more(const struct mon *m, const struct mon *all)
{
	const uint64_t *x = m->total, *y = all->total;
	const struct {
		uint64_t x, y;
	} by[] = {
		{ x[MONOUT_T_PEAK], y[MONOUT_T_PEAK] },
		{ m->peak_bytes, all->peak_bytes },
		{ m->peak_blocks, all->peak_blocks },
		{ m->peaks_known, all->peaks_known },
		/* The earlier peak, then the more exact one. */
		{ y[MONOUT_T_PEAK_AT], x[MONOUT_T_PEAK_AT] },
		{ y[MONOUT_T_PEAK_SLACK], x[MONOUT_T_PEAK_SLACK] },
	};
	size_t i;

	for (i = 0; i < sizeof(by) / sizeof(by[0]); i++)
		if (by[i].x != by[i].y)
			return by[i].x > by[i].y;
	return merge_held_more(m, all);
}
