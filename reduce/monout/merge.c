/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merge several struct mon into one. */
#include "reduce/monout/merge.h"
#include "reduce/base/err.h"
#include "reduce/base/sort.h"
#include "reduce/base/str.h"
#include "reduce/monout/mon.h"

#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------- modules -- */

static bool
merge_same_module(const struct mon_module *a, const struct mon_module *b)
{
	return a->idlen == b->idlen && !memcmp(a->id, b->id, a->idlen) &&
	       !strcmp(a->path, b->path);
}

static uint64_t
merge_module_key(const struct mon_module *o)
{
	return hash_bytes(hash_bytes(HASH_BYTES, o->path, strlen(o->path)),
			  o->id, o->idlen);
}

/* The path of a module that is missing in its file. */
#define MERGE_LOST "lost module "

SORT_BY(merge_compare_places, struct mon_module,
	SORT_UP(start) SORT_UP(end) SORT_UP(bias))

/*
 * The addresses of a module: the lowest of all runs, in any order of the files.
 */
static void
merge_place(struct mon_module *to, const struct mon_module *o)
{
	if (merge_compare_places(o, to) >= 0)
		return;
	to->start = o->start;
	to->end = o->end;
	to->bias = o->bias;
}

/* Append a module.  Returns its number. */
static uint32_t
merge_new_module(struct mon *all, const struct mon_module *o, size_t number)
{
	struct mon_module copy = *o;

	copy.id = (unsigned char *)arena_copy(&all->arena, o->id, o->idlen);
	copy.path =
		o->path ? arena_copy(&all->arena, o->path, strlen(o->path))
			: arena_print(&all->arena, MERGE_LOST "%zu", number);
	if (!all->nmodules)
		mon_add_module(all, &(struct mon_module){ 0 });
	mon_add_module(all, &copy);
	return (uint32_t)all->nmodules - 1;
}

/* Find or add the module in `all'.  Returns its number. */
static uint32_t
merge_module(struct merge *g, const struct mon_module *o, size_t number)
{
	struct mon *all = &g->all;
	uint32_t fresh, n;
	uint64_t key, turn;

	/* Such a module can't be matched with another. */
	if (!o->path || (!*o->path && !o->idlen) ||
	    str_starts(o->path, MERGE_LOST))
		return merge_new_module(all, o, number);
	key = merge_module_key(o);
	for (turn = 0;; turn++) {
		fresh = all->nmodules ? (uint32_t)all->nmodules : 1;
		n = hash_intern(&g->modules, key, turn, 0, fresh);
		if (n == fresh)
			return merge_new_module(all, o, number);
		if (merge_same_module(&all->modules[n], o)) {
			merge_place(&all->modules[n], o);
			combine_sum_module(&all->modules[n], o);
			return n;
		}
	}
}

static void
merge_modules(struct merge *g, const struct mon *m, uint32_t *map)
{
	size_t i;

	for (i = 1; i < m->nmodules; i++) {
		map[i] = merge_module(g, &m->modules[i], i);
	}
}

/* ---------------------------------------------------------------- nodes -- */

/* Find or add the node in `all'.  Returns its number. */
static uint32_t
merge_node(struct merge *g, uint32_t parent, uint32_t module, uint64_t addr)
{
	struct mon *all = &g->all;
	uint32_t n, fresh;

	ARRAY_ROOM(all->nodes, all->node_room, all->nnodes + 2);
	if (all->nnodes >= MON_NUMBER_MAX)
		heap_out();
	if (!all->nnodes)
		all->nodes[all->nnodes++] =
			(struct mon_node){ .parent = MON_MISSING };
	fresh = (uint32_t)all->nnodes;
	n = hash_intern(&g->nodes, parent, module, addr, fresh);
	if (n == fresh)
		all->nodes[all->nnodes++] =
			(struct mon_node){ parent, module, addr };
	return n;
}

/* The address that the node gets in `all'. */
static uint64_t
merge_addr(struct merge *g, const struct mon *m, size_t node)
{
	const struct mon_type *x = mon_type_of(m, (uint32_t)node);
	int n = x ? merge_type(g, x) : 0;

	return mon_node_is_type(&m->nodes[node]) ? MONOUT_PC_TYPE + (unsigned)n
						 : m->nodes[node].addr;
}

static void
merge_mark_node(void *map, uint32_t node)
{
	((uint32_t *)map)[node] = 1;
}

/* Set map to 1 for the nodes on the call paths that items need. */
static void
merge_mark_nodes(const struct mon *m, uint32_t *map)
{
	size_t i;

	for (i = 0; i < m->nsites; i++)
		merge_mark_node(map, m->sites[i].node);
	mon_each_node(m, merge_mark_node, map);
	/* The parent of a node comes before the node. */
	for (i = m->nnodes; i-- > 1;) {
		if (map[i] && m->nodes[i].parent < i)
			map[m->nodes[i].parent] = 1;
	}
	map[0] = 0;
}

static void
merge_nodes(struct merge *g, const struct mon *m, const uint32_t *modules,
	    uint32_t *map)
{
	const struct mon_node *n;
	uint32_t parent;
	uint64_t addr;
	size_t i;

	merge_mark_nodes(m, map);
	for (i = 1; i < m->nnodes; i++) {
		n = &m->nodes[i];
		if (n->parent == MON_MISSING || !map[i])
			continue;
		addr = merge_addr(g, m, i);
		/* The calls outside of this node are unknown now. */
		if (n->parent == MON_ORPHAN)
			parent = merge_node(g, 0, 0, MONOUT_PC_STOPPED);
		else
			parent = map[n->parent];
		map[i] = merge_node(g, parent,
				    n->module ? modules[n->module] : 0, addr);
	}
}

/* ------------------------------------------------------- sites and bins -- */

/* Add the lifetimes of a site of m. */
static void
merge_life(struct mon *all, struct mon_site *to, const struct mon *m,
	   const struct mon_site *s)
{
	struct life x, there;

	if (!s->life)
		return;
	life_get(&m->lives, s->life, &x);
	if (to->life) {
		life_get(&all->lives, to->life, &there);
		life_add(&x, &there);
	}
	to->life = life_put(&all->lives, to->life, &x);
}

/*
 * Clear the amounts at the peak of all sites, because another file's peak is
 * larger.
 */
static void
merge_forget_peak(struct mon *all)
{
	size_t i;

	for (i = 0; i < all->nsites; i++) {
		all->sites[i].peak_blocks = all->sites[i].count.peak = 0;
		all->sites[i].count.var[PROFILE_E_PEAK] = 0;
	}
}

/*
 * Add the sites of m.  peak: m's peak is the largest so far.  map: new numbers
 * of the nodes; to: gets the new numbers of the sites.
 */
static void
merge_sites(struct merge *g, const struct mon *m, const uint32_t *map,
	    bool peak, uint32_t *to)
{
	struct mon *all = &g->all;
	const struct mon_site *s;
	struct counts count;
	uint32_t node, n, fresh;
	size_t i;

	if (peak)
		merge_forget_peak(all);
	for (i = 0; i < m->nsites; i++) {
		s = &m->sites[i];
		node = s->node ? map[s->node] : 0;
		ARRAY_ROOM(all->sites, all->site_room, all->nsites + 1);
		if (all->nsites >= MON_NUMBER_MAX)
			heap_out();
		fresh = (uint32_t)all->nsites;
		n = hash_intern(&g->sites, node, 0, 0, fresh);
		if (n == fresh)
			all->sites[all->nsites++] =
				(struct mon_site){ .node = node, .number = n };
		to[i] = n;
		count = s->count;
		if (!peak)
			count.peak = 0;
		if (!peak)
			count.var[PROFILE_E_PEAK] = 0;
		counts_add(&all->sites[n].count, &count);
		all->sites[n].peak_blocks += peak ? s->peak_blocks : 0;
		all->sites[n].reallocs += s->reallocs;
		merge_life(all, &all->sites[n], m, s);
		merge_leak(all, &all->sites[n], m, s);
	}
}

static void
merge_bins(struct merge *g, const struct mon *m)
{
	struct mon *all = &g->all;
	const struct mon_bin *x;
	uint32_t n, fresh;
	size_t i;

	for (i = 0; i < m->nbins; i++) {
		x = &m->bins[i];
		fresh = (uint32_t)all->nbins;
		n = hash_intern(&g->bins, x->size, 0, 0, fresh);
		if (all->nbins >= MON_NUMBER_MAX)
			heap_out();
		if (n == fresh) {
			mon_add_bin(all, x);
			continue;
		}
		combine_sum_bin(&all->bins[n], x);
		counts_add_errors(all->bins[n].var, x->var);
	}
}

/*
 * Add tables without any other meaning: each item of any file, once.  The
 * tables stay sorted.
 */
/* clang-format off */
#define P(name, item, items) \
	COMBINE_SUM(item, name) \
	COMBINE_COMPARE(item, name) \
	COMBINE_COPY(item, name) \
	static void merge_##items(struct mon *all, const struct mon *m) \
	{ \
		size_t there = all->n##items, i, at; \
		struct mon_##item x; \
\
		for (i = 0; i < m->n##items; i++) { \
			x = m->items[i]; \
			at = SORT_PLACE(k, there, combine_compare_##item( \
					&all->items[k], &x) < 0); \
			if (at < there && !combine_compare_##item( \
					&all->items[at], &x)) { \
				combine_sum_##item(&all->items[at], &x); \
				continue; \
			} \
			combine_copy_##item(&all->arena, &x); \
			mon_add_##item(all, &x); \
		} \
		if (all->n##items > there) \
			SORT_ONCE(all->items, all->n##items, \
				  combine_compare_##item, combine_sum_##item); \
	}
MONREC_TABLES(MONREC_PLAIN)
#undef P
/* clang-format on */

static void
merge_plain(struct mon *all, const struct mon *m)
{
#define P(name, item, items) merge_##items(all, m);
	MONREC_TABLES(MONREC_PLAIN)
#undef P
}

/* Note what the first file says, while its data exist. */
static void
merge_note(struct merge_first *l, const struct mon *m,
	   const struct combine_maps *map)
{
	const struct mon_value *name = &m->run[MONOUT_R_LOG];
	size_t i;

	if (l->files++)
		return;
	l->path = heap_text(m->path);
	l->nnodes = m->nnodes;
	l->nodes = heap_new((m->nnodes + 1) * sizeof(*l->nodes));
	l->nthread = m->nthreads
			     ? (size_t)m->threads[m->nthreads - 1].number + 1
			     : 0;
	/* Numbers may have gaps, and a damaged file may have any numbers. */
	if (l->nthread > 4 * m->nthreads + 65536)
		l->nthread = m->nthreads;
	l->thread = heap_new((l->nthread + 1) * sizeof(*l->thread));
	if (name->text)
		l->name = heap_part(name->text, name->length);
	if (m->nnodes)
		memcpy(l->nodes, map->nodes, m->nnodes * sizeof(*l->nodes));
	for (i = 0; i < l->nthread; i++)
		l->thread[i] = MON_MISSING;
	for (i = 0; i < m->nthreads; i++)
		if (m->threads[i].number < l->nthread)
			l->thread[m->threads[i].number] = map->threads[i];
	memcpy(l->run, m->run, sizeof(l->run));
}

void
merge_first_fini(struct merge_first *l)
{
	free(l->path);
	free(l->name);
	free(l->nodes);
	free(l->thread);
	*l = (struct merge_first){ 0 };
}

/* ------------------------------------------------------------------ all -- */

static void
merge_tables(struct merge *g, const struct mon *m, bool peak)
{
	struct combine_maps map = {
		.modules = heap_array(m->nmodules + 1, sizeof(uint32_t)),
		.nodes = heap_array(m->nnodes + 1, sizeof(uint32_t)),
		.sites = heap_array(m->nsites + 1, sizeof(uint32_t)),
		.threads = heap_array(m->nthreads + 1, sizeof(uint32_t)),
	};

	merge_modules(g, m, map.modules);
	merge_nodes(g, m, map.modules, map.nodes);
	merge_sites(g, m, map.nodes, peak, map.sites);
	merge_bins(g, m);
	merge_threads(g, m, map.threads);
	merge_marks(g, m);
	merge_uses(g, m, &map);
	merge_cells(g, m, peak, &map);
	merge_times(g, m, &map);
	merge_vtables(g, m, &map);
	merge_lists(&g->all, m, &map);
	merge_plain(&g->all, m);
	if (g->first)
		merge_note(g->first, m, &map);
	if (g->keep) {
		free(g->kept);
		g->kept = map.sites;
		map.sites = NULL;
	}
	free(map.modules);
	free(map.nodes);
	free(map.sites);
	free(map.threads);
}

int
merge_add(struct merge *g, const struct mon *m, struct err *e)
{
	struct mon *all = &g->all;
	bool peak = !g->nfiles || merge_peak_more(m, all);
	int status = merge_run(g, m);

	/* Add the sums first: if they fit, those of every item fit. */
	if (status || !merge_sums(&all->sums, &m->sums) ||
	    !merge_sums(&all->bin_sums, &m->bin_sums) ||
	    !merge_sums(&all->thread_sums, &m->thread_sums) ||
	    !life_fits(&all->life, &m->life) || !merge_totals(all, m) ||
	    !mon_use_add(&all->use, &m->use))
		return err_set(e,
			       "%s: the counts are too large to add up, so the "
			       "file is damaged; leave it out",
			       m->path);
	life_add(&all->life, &m->life);
	if (peak)
		merge_peak(all, m);
	merge_known(all, m, !g->nfiles);
	merge_count(g, m);
	merge_sample(g, m);
	merge_tables(g, m, peak);
	all->incomplete |= m->incomplete;
	g->nfiles++;
	return 0;
}

int
merge_join(struct merge *g, const struct merge *x, struct err *e)
{
	uint64_t gap = g->gap > x->gap ? g->gap : x->gap;
	bool sum = g->sum_seen || x->sum_seen;

	if (!x->nfiles)
		return 0;
	if (merge_add(g, &x->all, e))
		return -1;
	g->nfiles += x->nfiles - 1;
	/* The length of a sum isn't that of a run. */
	g->sum_seen = sum;
	g->gap = sum ? 0 : gap;
	return 0;
}

void
merge_fini(struct merge *g)
{
	mon_fini(&g->all);
	hash_fini(&g->modules);
	hash_fini(&g->nodes);
	hash_fini(&g->sites);
	hash_fini(&g->bins);
	hash_fini(&g->threads);
	hash_fini(&g->fields);
	hash_fini(&g->types);
	free(g->kept);
	g->kept = NULL;
	g->cells_settled = g->vtables_settled = 0;
	g->nfiles = 0;
}
