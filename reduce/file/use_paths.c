/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sites whose innermost frames are the same. */
#include "reduce/file/use_paths.h"
#include "reduce/base/hash.h"

#include <stdlib.h>

/* More frames than that aren't compared: the paths are as many, or fewer. */
enum { FRAMES_MAX = 64 };

/* What tells a site's path from others; HASH_NONE when out of memory. */
static uint32_t
path_of(const struct mon *m, uint32_t node, uint64_t frames, struct hash *h)
{
	uint32_t path = 0, fresh;
	const struct mon_node *n;

	for (; node && node < m->nnodes; node = n->parent) {
		n = &m->nodes[node];
		if ((n->module || MONOUT_IS_PC(n->addr)) && !frames--)
			break;
		fresh = (uint32_t)h->used + 1;
		path = hash_intern(h, path, n->module, n->addr, fresh);
		if (path == HASH_NONE)
			break;
	}
	return path;
}

static int
paths_find(const struct mon *m, uint64_t frames, uint32_t *first)
{
	struct hash nodes = { 0 }, sites = { 0 };
	uint32_t path;
	size_t i;

	for (i = 0; i < m->nsites; i++) {
		path = path_of(m, m->sites[i].node, frames, &nodes);
		first[i] = path == HASH_NONE ? HASH_NONE
					     : hash_intern(&sites, path, 0, 0,
							   (uint32_t)i);
		if (first[i] == HASH_NONE)
			break;
	}
	hash_fini(&nodes);
	hash_fini(&sites);
	return i == m->nsites ? 0 : -1;
}

uint32_t *
use_paths(const struct mon *m)
{
	uint32_t *first = calloc(m->nsites + 1, sizeof(*first));
	uint64_t frames = m->run[MONOUT_R_USE_FRAMES].number;
	size_t i;

	if (!first)
		return NULL;
	if (!m->run[MONOUT_R_USE_FRAMES].set) {
		for (i = 0; i < m->nsites; i++)
			first[i] = (uint32_t)i;
		return first;
	}
	if (frames > FRAMES_MAX)
		frames = FRAMES_MAX;
	if (!paths_find(m, frames, first))
		return first;
	free(first);
	return NULL;
}

int
use_paths_sane(const struct mon *m)
{
	struct amounts *left = calloc(m->nsites + 1, sizeof(*left)), *a;
	uint32_t *first = use_paths(m);
	int sane = left && first ? 1 : -1;
	const struct mon_use *u;
	size_t i;

	for (i = 0; i < m->nsites && sane > 0; i++) {
		left[first[i]].allocs += counts_sum(m->sites[i].count.allocs);
		left[first[i]].bytes += counts_sum(m->sites[i].count.bytes);
	}
	for (i = 0; i < m->nsites && sane > 0; i++) {
		a = &left[first[i]];
		u = &m->uses[m->sites[i].use];
		if (!m->sites[i].use)
			continue;
		if (u->n[MON_U_BLOCKS] > a->allocs ||
		    u->n[MON_U_BYTES] > a->bytes) {
			sane = 0;
			break;
		}
		a->allocs -= u->n[MON_U_BLOCKS];
		a->bytes -= u->n[MON_U_BYTES];
	}
	free(left);
	free(first);
	return sane;
}
