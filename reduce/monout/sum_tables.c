/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Write the tables of a merged struct mon: choose the items of each. */
#include "reduce/base/sort.h"
#include "reduce/monout/changes.h"
#include "reduce/model/counts.h"
#include "reduce/monout/items.h"
#include "reduce/monout/sum.h"

#include <stdlib.h>
#include <string.h>

/*
 * sum_modules() and so on, for tables whose items are in m as they are in the
 * file.
 */
#define SUM_LIST(item, items, first) \
	static void sum_##items(struct emit *e, const struct mon *m) \
	{ \
		size_t i; \
\
		for (i = (first); i < m->n##items; i++) \
			items_put_##item(e, &m->items[i]); \
	}
SUM_LIST(module, modules, 1)
SUM_LIST(bin, bins, 0)
SUM_LIST(thread, threads, 0)
SUM_LIST(mark, marks, 0)
SUM_LIST(type, types, 1)
SUM_LIST(cell, cells, 0)
SUM_LIST(vtable, vtables, 0)
#define P(name, item, items) SUM_LIST(item, items, 0)
MONREC_TABLES(MONREC_PLAIN)
#undef P
#define S(name, item, items) SUM_LIST(item, items, 0)
MONREC_TABLES(MONREC_SUMMED)
#undef S

static void
sum_nodes(struct emit *e, const struct mon *m)
{
	struct monrec_node x;
	size_t i;

	for (i = 1; i < m->nnodes; i++) {
		x.distance = i - m->nodes[i].parent;
		x.module = m->nodes[i].module;
		x.addr = m->nodes[i].addr;
		items_put_node(e, &x);
	}
}

/* -------------------------------------------------------------- by site -- */

static void
sum_sites(struct emit *e, const struct mon *m)
{
	struct monrec_site x;
	const struct counts *n;
	struct account a;
	unsigned k;
	size_t i;

	for (i = 0; i < m->nsites; i++) {
		n = &m->sites[i].count;
		x.node = m->sites[i].node;
		x.reallocs = m->sites[i].reallocs;
		x.mask = 0;
		for (k = 0; k < PROFILE_NCLASS; k++) {
			x.mask |= (uint64_t)(n->allocs[k] != 0) << k;
			a = counts_of_class(n, k);
			TOTALS_SET(&x.size_class[k], &a);
		}
		items_put_site(e, &x);
	}
}

/*
 * sum_peaks() and so on: write an item for each site s, number i, for which
 * `has' is true.
 */
#define SUM_SITES(items, has, put) \
	static void sum_##items(struct emit *e, const struct mon *m) \
	{ \
		for (size_t i = 0; i < m->nsites; i++) { \
			const struct mon_site *s = &m->sites[i]; \
\
			if (has) \
				put; \
		} \
	}
#define SUM_ITEM(item, ...) \
	items_put_##item(e, &(struct monrec_##item){ i, __VA_ARGS__ })
#define SUM_LEAK (&m->leaks[s->leak].found)
#define SUM_USE (&m->uses[s->use])

static void
sum_life(struct emit *e, const struct mon *m, size_t site)
{
	struct life x;

	life_get(&m->lives, m->sites[site].life, &x);
	items_put_of_life(e, site, &x);
}

static void
sum_leak(struct emit *e, const struct leak *v, size_t site)
{
	struct monrec_leak x = { .site = site };

	for (int k = 0; k < MONOUT_NLEAK; k++) {
		x.mask |= (uint64_t)(v->blocks[k] != 0) << k;
		x.kind[k].blocks = v->blocks[k];
		x.kind[k].bytes = v->bytes[k];
	}
	items_put_leak(e, &x);
}

static void
sum_use(struct emit *e, const struct mon_use *u, size_t site)
{
	struct monrec_use x = { .site = site };

	memcpy(&x.blocks, u->n, sizeof(u->n));
	items_put_use(e, &x);
}

SUM_SITES(peaks, s->peak_blocks, SUM_ITEM(peak, s->peak_blocks, s->count.peak))
SUM_SITES(lives, s->life, sum_life(e, m, i))
SUM_SITES(leaks, s->leak, sum_leak(e, SUM_LEAK, i))
SUM_SITES(holds, s->leak && SUM_LEAK->holds.blocks,
	  SUM_ITEM(hold, SUM_LEAK->holds.blocks, SUM_LEAK->holds.bytes))
SUM_SITES(paths, s->path, SUM_ITEM(path, s->path - 1))
SUM_SITES(uses, s->use, sum_use(e, SUM_USE, i))
SUM_SITES(handed, s->use && SUM_USE->handed,
	  SUM_ITEM(handed, SUM_USE->handed, SUM_USE->handed_bytes))
SUM_SITES(use_errors, s->use && (SUM_USE->errors[0] || SUM_USE->errors[1]),
	  SUM_ITEM(use_error, SUM_USE->errors[0], SUM_USE->errors[1]))

/* ------------------------------------------------------------- accesses -- */

/* An item with more groups might not fit into a record. */
enum { SUM_GROUPS = 1024 };

static void
sum_some_groups(struct emit *e, const struct mon *m, uint64_t site,
		const size_t *order, size_t n)
{
	__typeof__(*((struct monrec_group *)NULL)->groups) list[SUM_GROUPS];
	const struct mon_group *g;
	size_t i;

	for (i = 0; i < n; i++) {
		g = &m->groups[order[i]];
		list[i].first = g->first;
		list[i].last = g->last;
		list[i].end = g->end;
		list[i].blocks = g->blocks;
		list[i].life = g->life;
	}
	items_put_group(e, &(struct monrec_group){ site, 1, n, list });
}

static void
sum_groups(struct emit *e, const struct mon *m)
{
	size_t *start = heap_array(m->nsites + 2, sizeof(*start)), i, k, n;
	size_t *order = heap_array(m->ngroups + 1, sizeof(*order));

	if (!e->failed)
		SORT_NUMBERED(order, i, m->groups[i].site, i, m->ngroups, start,
			      m->nsites);
	for (i = 0; !e->failed && i < m->nsites; i++) {
		for (k = start[i]; k < start[i + 1]; k += n) {
			n = start[i + 1] - k;
			n = n < SUM_GROUPS ? n : SUM_GROUPS;
			sum_some_groups(e, m, i, order + k, n);
		}
	}
	free(order);
	free(start);
}

static void
sum_fields(struct emit *e, const struct mon *m)
{
	__typeof__(*((struct monrec_field *)NULL)->granules)
		list[MONOUT_FIELDS_MAX / MONOUT_GRANULE];
	const struct mon_field *f;
	size_t i, k;

	for (i = 0; i < m->nfields; i++) {
		f = &m->fields[i];
		for (k = 0; k < f->n; k++) {
			list[k].reads = m->counts[f->counts + k];
			list[k].writes = m->counts[f->counts + f->n + k];
		}
		items_put_field(e, &(struct monrec_field){ f->site, f->size,
							   f->blocks, f->n,
							   list });
	}
}

/* ---------------------------------------------------- samples and times -- */

/* The variance as a whole number.  It always is one, except in damaged data. */
static uint64_t
sum_variance(double v)
{
	return v < 0x1p63 ? (uint64_t)v : (uint64_t)1 << 63;
}

/* The variance of a single thread may be negative. */
static uint64_t
sum_zigzag(double v)
{
	int64_t n = v > -0x1p62 && v < 0x1p62 ? (int64_t)v : 0;

	return (uint64_t)n << 1 ^ -((uint64_t)n >> 63);
}

static void
sum_errors(struct emit *e, const struct mon *m)
{
	const struct mon_cell *c;
	size_t i;

	for (i = 0; i < m->ncells && m->cells_known; i++) {
		c = &m->cells[i];
		if (c->made)
			items_put_error(e, &(struct monrec_error){
						   i, sum_variance(c->made),
						   sum_variance(c->live),
						   sum_zigzag(c->held) });
	}
}

static void
sum_changes(struct emit *e, const struct mon *m)
{
	struct monrec_change x = { 0 };
	const struct mon_change *c;
	struct mon_change last;
	size_t i, n, room = 0;

	for (i = 0; i < m->nchanges; i += x.n) {
		c = &m->changes[i];
		x.site = c->site;
		x.thread = c->thread;
		x.size = c->size;
		x.any = c->any;
		x.n = changes_end(m, i) - i;
		ARRAY_ROOM(x.changes, room, x.n);
		last = (struct mon_change){ 0 };
		for (n = 0; n < x.n; last = c[n++]) {
			x.changes[n].snapshot = c[n].snapshot - last.snapshot;
			TOTALS_SET(&x.changes[n], &c[n]);
			TOTALS_TAKE(&x.changes[n], &last);
		}
		items_put_change(e, &x);
	}
	free(x.changes);
}

/* The most snapshots that surely fit into a record. */
#define SUM_SNAPSHOTS 512u

void
sum_put_snapshots(struct emit *e, const struct mon_snapshot *m, size_t n)
{
	struct mon_snapshot last = { 0 }, x;
	size_t i;

	for (i = 0; i < n; i++) {
		if (i % SUM_SNAPSHOTS == 0) {
			emit_next(e);
			last = (struct mon_snapshot){ 0 };
		}
		x = m[i];
		x.at -= last.at;
		TOTALS_TAKE(&x, &last);
		x.rss++;
		items_put_snapshot(e, &x);
		last = m[i];
	}
}

static void
sum_snapshots(struct emit *e, const struct mon *m)
{
	sum_put_snapshots(e, m->snapshots, m->nsnapshots);
}

/* ------------------------------------------------------------------ all -- */

/* Does a sum have the table?  If not, its items are unknown, or none. */
static bool
sum_has(const struct mon *m, enum mon_kind kind)
{
	if ((kind == MON_ERRORS || kind == MON_USE_ERRORS) && !m->sample.rate)
		return false;
#define T(table) kind == MON_##table ||
#define K(type, name, joined, loaded, scope, tables) \
	if (tables false) \
		return m->name;
	KNOWN(K)
#undef K
#undef T
	switch (kind) {
	case MON_MARKS:
		return m->nmarks;
	case MON_TYPES:
		return m->ntypes;
#define P(name, item, items) \
	case MON_##name: \
		return m->n##items;
		MONREC_TABLES(MONREC_PLAIN)
#undef P
#define S(name, item, items) \
	case MON_##name: \
		return m->n##items;
		MONREC_TABLES(MONREC_SUMMED)
#undef S
	default:
		return true;
	}
}

/*
 * Write a table whose first item has the number `first'.  Returns how many
 * items it has.
 */
static uint64_t
sum_table(struct emit *e, const struct mon *m, uint32_t tag, uint64_t first,
	  void (*put)(struct emit *e, const struct mon *m))
{
	emit_open(e, tag, first);
	put(e, m);
	emit_close(e);
	return e->first - first;
}

void
sum_tables(struct emit *e, const struct mon *m, uint64_t items[MON_NKIND])
{
#define R(name, item, items_, form, a, b, c, d, first, ...) \
	items[MON_##name] = \
		sum_has(m, MON_##name) \
			? sum_table(e, m, MONOUT_##name, first, sum_##items_) \
			: SUM_NOT_KNOWN;
	MONREC_TABLES(R)
#undef R
}
