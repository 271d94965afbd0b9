/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sort a merged struct mon, so that a sum has the same bytes in any order of
 * its files, and whether or not some of them were merged before.  A node comes
 * after its caller, then by module and address.  All other items are sorted by
 * name, or by their node.
 */
#include "reduce/base/sort.h"
#include "reduce/monout/cells.h"
#include "reduce/monout/changes.h"
#include "reduce/monout/merge.h"
#include "reduce/monout/use_paths.h"

#include <stdlib.h>
#include <string.h>

SORT_BY_POINTER(order_modules_by, struct mon_module,
		SORT_TEXT(path) SORT_UP(idlen)
			c_ = memcmp(x->id, y->id, x->idlen);
		if (c_) return c_;
		SORT_UP(start) SORT_UP(end) SORT_UP(bias) SORT_UP(flags))
SORT_BY_POINTER(order_types_by, struct mon_type, SORT_TEXT(name) SORT_UP(size))
SORT_BY_POINTER(order_bins_by, struct mon_bin, SORT_UP(size))
SORT_BY_POINTER(order_threads_by, struct mon_thread,
		SORT_DOWN(flags) SORT_TEXT(name))

/*
 * order_modules() and so on: sort the items, except those before `first'.
 * Returns the new number of each item, to be freed.
 */
#define ORDER(item, items, first) \
	static uint32_t *order_##items(struct mon *m) \
	{ \
		size_t n = m->n##items > (first) ? m->n##items - (first) : 0; \
		const struct mon_##item **v = heap_array(n + 1, sizeof(*v)); \
		struct mon_##item *to = heap_new((n + 1) * sizeof(*to)); \
		uint32_t *map = heap_array(m->n##items + 1, sizeof(*map)); \
		size_t i; \
\
		for (i = 0; i < n; i++) \
			v[i] = &m->items[(first) + i]; \
		SORT(v, n, order_##items##_by); \
		for (i = 0; i < n; i++) { \
			to[i] = *v[i]; \
			map[v[i] - m->items] = (uint32_t)((first) + i); \
		} \
		if (n) \
			memcpy(m->items + (first), to, n * sizeof(*to)); \
		free((void *)v); \
		free(to); \
		return map; \
	}
ORDER(module, modules, 1u)
ORDER(type, types, 1u)
ORDER(bin, bins, 0u)
ORDER(thread, threads, 0u)

/* ----------------------------------------------------------------- nodes -- */

/* A node with its old parent, and with its new module and address. */
struct order_node {
	uint32_t parent, module, old;
	uint64_t addr;
};

SORT_BY(order_nodes_by, struct order_node,
	SORT_UP(parent) SORT_UP(module) SORT_UP(addr))

/*
 * List all nodes except the root, sorted so that those of one parent are
 * together.
 */
static void
order_nodes_list(const struct mon *m, const uint32_t *modules,
		 const uint32_t *types, struct order_node *v)
{
	const struct mon_node *n;
	size_t i;

	for (i = 1; i < m->nnodes; i++) {
		n = &m->nodes[i];
		v[i - 1] =
			(struct order_node){ n->parent,
					     n->module ? modules[n->module] : 0,
					     (uint32_t)i, n->addr };
		if (mon_type_of(m, (uint32_t)i))
			v[i - 1].addr = MONOUT_PC_TYPE +
					types[n->addr - MONOUT_PC_TYPE];
	}
	SORT(v, m->nnodes - 1, order_nodes_by);
}

/*
 * Number the nodes: each comes before the nodes it calls, and after all that
 * its earlier siblings call.  stack: room for all nodes.
 */
static void
order_nodes_walk(struct mon *m, const struct order_node *v, size_t n,
		 uint32_t *stack, uint32_t *map)
{
	uint32_t number = 1, node = 0;
	size_t depth = 0, i;

	do {
		/* The first one must be on top of the stack. */
		i = SORT_PLACE(k, n, v[k].parent <= node);
		for (; i && v[i - 1].parent == node; i--)
			stack[depth++] = (uint32_t)(i - 1);
		if (!depth)
			break;
		i = stack[--depth];
		node = v[i].old;
		map[node] = number;
		m->nodes[number++] =
			(struct mon_node){ map[v[i].parent], v[i].module,
					   v[i].addr };
	} while (1);
}

static uint32_t *
order_nodes(struct mon *m, const uint32_t *modules, const uint32_t *types)
{
	size_t n = m->nnodes ? m->nnodes - 1 : 0;
	struct order_node *v = heap_new((n + 1) * sizeof(*v));
	uint32_t *stack = heap_new((n + 1) * sizeof(*stack));
	uint32_t *map = heap_array(n + 2, sizeof(*map));

	if (n) {
		order_nodes_list(m, modules, types, v);
		order_nodes_walk(m, v, n, stack, map);
	}
	free(v);
	free(stack);
	return map;
}

/* -------------------------------------------------------- items of sites -- */

SORT_BY_POINTER(order_sites_by, struct mon_site, SORT_UP(node))
ORDER(site, sites, 0u)

SORT_BY(order_groups_by, struct mon_group,
	SORT_UP(site) SORT_UP(first) SORT_UP(last) SORT_UP(end) SORT_UP(blocks)
		SORT_UP(life))
SORT_BY(order_fields_by, struct mon_field, SORT_UP(site) SORT_UP(size))

#define ORDER_MOVE(m, item, items, map) \
	for (size_t i_ = 0; i_ < (m)->n##items; i_++) \
		combine_move_##item(&(m)->items[i_], map);

static void
order_rest(struct mon *m, const struct combine_maps *map)
{
	ORDER_MOVE(m, group, groups, map)
	SORT(m->groups, m->ngroups, order_groups_by);
	ORDER_MOVE(m, field, fields, map)
	SORT(m->fields, m->nfields, order_fields_by);
	ORDER_MOVE(m, cell, cells, map)
	m->ncells = cells_order(m->cells, m->ncells);
	ORDER_MOVE(m, vtable, vtables, map)
	m->nvtables = cells_order_vtables(m->vtables, m->nvtables);
#define S(name, item, items) ORDER_MOVE(m, item, items, map)
	MONREC_TABLES(MONREC_SUMMED)
#undef S
	cells_order_summed(m);
	changes_differ(m->changes, m->nchanges);
	ORDER_MOVE(m, change, changes, map)
	m->nchanges = changes_again(m->changes, m->nchanges);
}

/* Sort sites by the new numbers of their nodes, and then their items. */
static void
order_sites_and(struct mon *m, struct combine_maps *map)
{
	size_t i;

	for (i = 0; i < m->nsites; i++)
		m->sites[i].node = map->nodes[m->sites[i].node];
	map->sites = order_sites(m);
	use_paths_move(m, map->sites);
	for (i = 0; i < m->nsites; i++)
		m->sites[i].number = (uint32_t)i;
	for (i = 0; i < m->nthreads; i++)
		m->threads[i].number = (uint32_t)i;
	order_rest(m, map);
}

void
merge_order(struct merge *g)
{
	struct mon *m = &g->all;
	struct combine_maps map = { .modules = order_modules(m) };
	uint32_t *types = order_types(m), *bins = order_bins(m);

	merge_settle(g);
	map.threads = order_threads(m);
	map.nodes = order_nodes(m, map.modules, types);
	order_sites_and(m, &map);
	free(map.modules);
	free(map.nodes);
	free(map.sites);
	free(map.threads);
	free(types);
	free(bins);
}
