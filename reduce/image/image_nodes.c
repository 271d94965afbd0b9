/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The modules and nodes of an image, and the nodes of the sites. */
#include "reduce/base/arena.h"
#include "reduce/base/sort.h"
#include "reduce/image/image_reader.h"
#include "reduce/model/counts.h"

#include <stdlib.h>
#include <string.h>

/* Paths and build-ids are shorter. */
enum { PATH_MOST = 4096 };

/* -------------------------------------------------------------- modules -- */

/* Add the module at p; all its bytes are in the slot. */
static void
module_take(struct image *g, const unsigned char *p)
{
	struct monimg_module m;
	char path[PATH_MOST + 1];

	memcpy(&m, p, sizeof(m));
	if (m.path_length > m.length - sizeof(m) || m.path_length > PATH_MOST ||
	    m.buildid_length > sizeof(m.buildid)) {
		g->bad_modules++;
		return;
	}
	ARRAY_ADD(g->modules, g->module_room, g->nmodules,
		  (struct image_module){ m.start, m.end, m.bias, m.gen,
					 (uint32_t)++g->t.modules });
	memcpy(path, p + sizeof(m), m.path_length);
	path[m.path_length] = '\0';
	items_put_module(&g->out,
			 &(struct mon_module){ .start = m.start,
					       .end = m.end,
					       .bias = m.bias,
					       .flags = m.flags,
					       .id = (void *)m.buildid,
					       .idlen = m.buildid_length,
					       .path = path });
}

/* Add all modules of one slot. */
static int
modules_take(struct image *g, const void *slot, uint64_t number)
{
	const unsigned char *p = slot;
	uint32_t at = 0, length;

	(void)number;
	while (MONIMG_SLOT - at >= sizeof(struct monimg_module)) {
		memcpy(&length, p + at, sizeof(length));
		if (!length)
			break;
		if (length % 8 || length > MONIMG_SLOT - at ||
		    length < sizeof(struct monimg_module)) {
			g->bad_modules++;
			break;
		}
		module_take(g, p + at);
		at += length;
	}
	return 0;
}

SORT_BY(module_compare, struct image_module,
	SORT_UP(gen) SORT_UP(start) SORT_DOWN(index))

static uint64_t
key_address(uint64_t key)
{
	return key & ((1ull << MONIMG_KEY_BITS) - 1);
}

/* Find the module of a key, or NULL. */
static const struct image_module *
image_nodes_module_of(const struct image *g, uint64_t key)
{
	uint64_t pc = key_address(key) - 1, gen = key >> MONIMG_KEY_BITS;
	const struct image_module *m = g->modules;
	/* The modules of lower generations, and those that start up to pc. */
	size_t n = SORT_PLACE(i, g->nmodules,
			      m[i].gen < gen ||
				      (m[i].gen == gen && m[i].start <= pc));

	return n && m[n - 1].gen == gen && pc < m[n - 1].end ? &m[n - 1] : NULL;
}

/* ---------------------------------------------------------------- nodes -- */

static int
node_take(struct image *g, const void *item, uint64_t number)
{
	struct monimg_node n;

	(void)number;
	memcpy(&n, item, sizeof(n));
	if (!n.key || !n.number)
		return 0;
	ARRAY_ADD(g->nodes, g->node_room, g->nnodes,
		  (struct image_node){ .key = n.key,
				       .number = n.number,
				       .parent = n.parent });
	return 0;
}

SORT_BY(node_compare, struct image_node,
	SORT_UP(number) SORT_UP(parent) SORT_UP(key))

/* Sort by number, and keep each node once. */
static void
nodes_sort(struct image *g)
{
	size_t i, n = 0;

	SORT(g->nodes, g->nnodes, node_compare);
	for (i = 0; i < g->nnodes; i++) {
		if (!n || g->nodes[n - 1].number != g->nodes[i].number)
			g->nodes[n++] = g->nodes[i];
	}
	g->nnodes = n;
}

static struct image_node *
node_find(const struct image *g, uint32_t number)
{
	size_t at = SORT_PLACE(i, g->nnodes, g->nodes[i].number < number);

	return at < g->nnodes && g->nodes[at].number == number ? &g->nodes[at]
							       : NULL;
}

/*
 * Write a node below the node with the number `parent' in the file.  Returns
 * its number in the file.
 */
static uint32_t
node_put(struct image *g, uint64_t key, uint32_t parent)
{
	const struct image_module *m =
		MONOUT_IS_PC(key) ? image_nodes_module_of(g, key) : NULL;
	uint32_t i = (uint32_t)++g->t.nodes;

	if (key < MONOUT_PC_TYPE)
		key = key_address(key) - (m ? m->bias : 0);
	items_put_node(&g->out, &(struct monrec_node){ i - parent,
						       m ? m->index : 0, key });
	return i;
}

/* The node for the unknown part of call paths. */
static uint32_t
node_none(struct image *g)
{
	if (!g->none)
		g->none = node_put(g, MONOUT_PC_NONE, 0);
	return g->none;
}

/* The node is on the way to the root that is being written. */
#define ON_WAY UINT32_MAX

/*
 * Write node n, which isn't written yet, after those of its callers that aren't
 * written.  `way' has room for all nodes.
 */
static void
node_put_way(struct image *g, struct image_node *n, struct image_node **way)
{
	size_t length = 0;
	bool lost, cut;
	uint32_t at;

	while (n && !n->new) {
		n->new = ON_WAY;
		way[length++] = n;
		if (!n->parent)
			break;
		n = node_find(g, n->parent);
	}
	if (!way[length - 1]->parent) {
		lost = false;
		cut = way[length - 1]->key == MONOUT_PC_CUT;
		at = 0;
	} else {
		cut = n && n->new != ON_WAY && n->cut;
		lost = !n || n->new == ON_WAY || n->lost;
		at = !n || n->new == ON_WAY ? node_none(g) : n->new;
	}
	while (length--) {
		n = way[length];
		n->new = at = node_put(g, n->key, at);
		n->lost = lost;
		n->cut = cut;
	}
}

/* Write all nodes, in the order of their numbers if possible. */
static void
nodes_put(struct image *g)
{
	struct image_node **way = heap_new((g->nnodes + 1) * sizeof(*way));
	size_t i;

	for (i = 0; i < g->nnodes; i++) {
		if (!g->nodes[i].new)
			node_put_way(g, &g->nodes[i], way);
	}
	free(way);
}

/* ---------------------------------------------------------------- sites -- */

SORT_BY(site_compare, struct image_site, SORT_UP(node))

/* Give the sites the node numbers of the file, and sort the sites. */
static void
sites_finish(struct image *g)
{
	const struct image_node *n;
	struct image_site *s;
	size_t i;

	for (i = 0; i < g->nsites; i++) {
		s = &g->sites[i];
		n = node_find(g, s->node);
		s->node = n ? n->new : node_none(g);
		if (!n || n->lost)
			image_add(&g->lost_chains, counts_sum(s->count.allocs));
		if (n && n->cut)
			image_add(&g->cut_chains, counts_sum(s->count.allocs));
	}
	SORT(g->sites, g->nsites, site_compare);
}

void
image_nodes(struct image *g)
{
	/* Records refer only to records before them. */
	image_each(g, MONIMG_NODES, sizeof(struct monimg_node), node_take);
	emit_open(&g->out, MONOUT_MODULES, 1);
	image_each(g, MONIMG_MODULES, MONIMG_SLOT, modules_take);
	emit_close(&g->out);
	SORT(g->modules, g->nmodules, module_compare);
	nodes_sort(g);
	emit_open(&g->out, MONOUT_NODES, 1);
	nodes_put(g);
	sites_finish(g);
	emit_close(&g->out);
}
