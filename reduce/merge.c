/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several struct mon made one. */
#include "reduce/merge.h"
#include "reduce/err.h"

#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------- modules -- */

static bool
merge_same_module(const struct mon_module *a, const struct mon_module *b)
{
	return a->idlen == b->idlen && !memcmp(a->id, b->id, a->idlen) &&
	       !strcmp(a->path, b->path);
}

/* FNV-1a of a module's path and build-id. */
static uint64_t
merge_module_key(const struct mon_module *o)
{
	uint64_t h = 0xcbf29ce484222325u;
	const char *s;
	size_t i;

	for (s = o->path; *s; s++)
		h = (h ^ (unsigned char)*s) * 0x100000001b3u;
	for (i = 0; i < o->idlen; i++)
		h = (h ^ o->id[i]) * 0x100000001b3u;
	return h;
}

/* Append a module; returns its number, or 0 when out of memory. */
static uint32_t
merge_new_module(struct mon *all, const struct mon_module *o, size_t number)
{
	struct mon_module *a, copy = *o;

	a = array_grow(all->modules, &all->module_room, all->nmodules + 2,
		       sizeof(*a));
	if (!a)
		return 0;
	all->modules = a;
	if (!all->nmodules)
		a[all->nmodules++] = (struct mon_module){ 0 };
	copy.id = (unsigned char *)arena_copy(&all->arena, o->id, o->idlen);
	copy.path =
		o->path ? arena_copy(&all->arena, o->path, strlen(o->path))
			: arena_print(&all->arena, "lost module %zu", number);
	if (!copy.id || !copy.path)
		return 0;
	a[all->nmodules] = copy;
	return (uint32_t)all->nmodules++;
}

/* The module's number in `all', or 0 when out of memory. */
static uint32_t
merge_module(struct merge *g, const struct mon_module *o, size_t number)
{
	struct mon *all = &g->all;
	uint32_t fresh, n;
	uint64_t key, turn;

	/* Nothing says that two of these are the same. */
	if (!o->path || (!*o->path && !o->idlen))
		return merge_new_module(all, o, number);
	key = merge_module_key(o);
	for (turn = 0;; turn++) {
		fresh = all->nmodules ? (uint32_t)all->nmodules : 1;
		n = hash_intern(&g->modules, key, turn, 0, fresh);
		if (n == HASH_NONE)
			return 0;
		if (n == fresh)
			return merge_new_module(all, o, number);
		if (merge_same_module(&all->modules[n], o)) {
			all->modules[n].flags |= o->flags;
			return n;
		}
	}
}

static int
merge_modules(struct merge *g, const struct mon *m, uint32_t *map)
{
	size_t i;

	for (i = 1; i < m->nmodules; i++) {
		map[i] = merge_module(g, &m->modules[i], i);
		if (!map[i])
			return -1;
	}
	return 0;
}

/* ---------------------------------------------------------------- nodes -- */

/* The number of the node in `all', or HASH_NONE when there is no room. */
static uint32_t
merge_node(struct merge *g, uint32_t parent, uint32_t module, uint64_t addr)
{
	struct mon *all = &g->all;
	struct mon_node *a;
	uint32_t n, fresh;

	a = array_grow(all->nodes, &all->node_room, all->nnodes + 2,
		       sizeof(*a));
	if (!a || all->nnodes >= MON_NUMBER_MAX)
		return HASH_NONE;
	all->nodes = a;
	if (!all->nnodes)
		a[all->nnodes++] = (struct mon_node){ .parent = MON_MISSING };
	fresh = (uint32_t)all->nnodes;
	n = hash_intern(&g->nodes, parent, module, addr, fresh);
	if (n == fresh)
		a[all->nnodes++] = (struct mon_node){ parent, module, addr };
	return n;
}

static int
merge_nodes(struct merge *g, const struct mon *m, const uint32_t *modules,
	    uint32_t *map)
{
	const struct mon_node *n;
	uint32_t parent;
	size_t i;

	for (i = 1; i < m->nnodes; i++) {
		n = &m->nodes[i];
		if (n->parent == MON_MISSING)
			continue;
		/* What was outside of it isn't known any more. */
		if (n->parent == MON_ORPHAN)
			parent = merge_node(g, 0, 0, MONOUT_PC_STOPPED);
		else
			parent = map[n->parent];
		if (parent == HASH_NONE)
			return -1;
		map[i] =
			merge_node(g, parent,
				   n->module ? modules[n->module] : 0, n->addr);
		if (map[i] == HASH_NONE)
			return -1;
	}
	return 0;
}

/* ------------------------------------------------------- sites and bins -- */

static int
merge_sites(struct merge *g, const struct mon *m, const uint32_t *map)
{
	struct mon *all = &g->all;
	const struct mon_site *s;
	struct mon_site *a;
	uint32_t node, n, fresh;
	size_t i;

	for (i = 0; i < m->nsites; i++) {
		s = &m->sites[i];
		node = s->node ? map[s->node] : 0;
		a = array_grow(all->sites, &all->site_room, all->nsites + 1,
			       sizeof(*a));
		if (!a || all->nsites >= MON_NUMBER_MAX)
			return -1;
		all->sites = a;
		fresh = (uint32_t)all->nsites;
		n = hash_intern(&g->sites, node, 0, 0, fresh);
		if (n == HASH_NONE)
			return -1;
		if (n == fresh)
			a[all->nsites++] = (struct mon_site){ .node = node };
		counts_add(&a[n].count, &s->count);
		a[n].reallocs += s->reallocs;
	}
	return 0;
}

static int
merge_bins(struct merge *g, const struct mon *m)
{
	struct mon *all = &g->all;
	struct mon_bin *a;
	uint32_t n, fresh;
	size_t i;

	for (i = 0; i < m->nbins; i++) {
		a = array_grow(all->bins, &all->bin_room, all->nbins + 1,
			       sizeof(*a));
		if (!a || all->nbins >= MON_NUMBER_MAX)
			return -1;
		all->bins = a;
		fresh = (uint32_t)all->nbins;
		n = hash_intern(&g->bins, m->bins[i].size, 0, 0, fresh);
		if (n == HASH_NONE)
			return -1;
		if (n == fresh)
			a[all->nbins++] =
				(struct mon_bin){ .size = m->bins[i].size };
		a[n].allocs += m->bins[i].allocs;
		a[n].frees += m->bins[i].frees;
	}
	return 0;
}

/* --------------------------------------------------- what isn't a table -- */

/* Returns false when a sum overflows. */
static bool
merge_totals(struct mon *all, const struct mon *m)
{
	const uint64_t *n = m->total;
	uint64_t *t = all->total;
	bool over = false;
	int i;

	if (n[MONOUT_T_PEAK] > t[MONOUT_T_PEAK]) {
		t[MONOUT_T_PEAK] = n[MONOUT_T_PEAK];
		t[MONOUT_T_PEAK_AT] = n[MONOUT_T_PEAK_AT];
	}
	if (n[MONOUT_T_DEEPEST] > t[MONOUT_T_DEEPEST])
		t[MONOUT_T_DEEPEST] = n[MONOUT_T_DEEPEST];
	for (i = MONOUT_T_PEAK; i < MONOUT_T_MAX; i++) {
		all->total_set[i] |= m->total_set[i];
		if (i == MONOUT_T_PEAK || i == MONOUT_T_PEAK_AT ||
		    i == MONOUT_T_DEEPEST)
			continue;
		over |= __builtin_add_overflow(t[i], n[i], &t[i]);
	}
	return !over;
}

static bool
merge_sums(struct sums *to, const struct sums *x)
{
	const struct counts c = {
		.allocs = { x->allocs },
		.bytes = { x->bytes },
		.frees = { x->frees },
		.freed = { x->freed },
	};

	return sums_add(to, &c, x->reallocs);
}

/* Leave in `to' what is true of both; times and threads add up. */
static bool
merge_value(int key, struct mon_value *to, const struct mon_value *x)
{
	bool add = key == MONOUT_R_LENGTH || key == MONOUT_R_THREADS;

	if (!to->set || !x->set) {
		to->set = false;
	} else if (add) {
		return !__builtin_add_overflow(to->number, x->number,
					       &to->number);
	} else if (key == MONOUT_R_START) {
		if (x->number < to->number)
			to->number = x->number;
	} else if (to->text) {
		to->set = to->length == x->length &&
			  !memcmp(to->text, x->text, to->length);
	} else {
		to->set = to->number == x->number;
	}
	return true;
}

/* 0, -1 out of memory, -2 overflow. */
static int
merge_run(struct merge *g, const struct mon *m)
{
	struct mon *all = &g->all;
	struct mon_value *v;
	int i;

	for (i = 1; i < MONOUT_R_MAX; i++) {
		v = &all->run[i];
		if (g->nfiles) {
			if (!merge_value(i, v, &m->run[i]))
				return -2;
			continue;
		}
		*v = m->run[i];
		if (v->text)
			v->text = arena_copy(&all->arena, v->text, v->length);
		if (m->run[i].text && !v->text)
			return -1;
	}
	return 0;
}

/* ------------------------------------------------------------------ all -- */

static int
merge_tables(struct merge *g, const struct mon *m)
{
	uint32_t *modules = calloc(m->nmodules + 1, sizeof(*modules));
	uint32_t *nodes = calloc(m->nnodes + 1, sizeof(*nodes));
	int status = -1;

	if (modules && nodes && !merge_modules(g, m, modules) &&
	    !merge_nodes(g, m, modules, nodes) && !merge_sites(g, m, nodes))
		status = merge_bins(g, m);
	free(modules);
	free(nodes);
	return status;
}

int
merge_add(struct merge *g, const struct mon *m, struct err *e)
{
	int status = merge_run(g, m);

	if (status == -1)
		return err_memory(e);
	/* First the sums: when they fit, those of every item fit. */
	if (status || !merge_sums(&g->all.sums, &m->sums) ||
	    !merge_sums(&g->all.bin_sums, &m->bin_sums) ||
	    !merge_totals(&g->all, m))
		return err_set(e,
			       "%s: its counts are too large to be added "
			       "up, so it must be damaged; leave it out",
			       m->path);
	if (merge_tables(g, m))
		return err_memory(e);
	g->all.incomplete |= m->incomplete;
	g->nfiles++;
	return 0;
}

void
merge_fini(struct merge *g)
{
	load_fini(&g->all);
	hash_fini(&g->modules);
	hash_fini(&g->nodes);
	hash_fini(&g->sites);
	hash_fini(&g->bins);
	g->nfiles = 0;
}
