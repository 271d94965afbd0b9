/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sites that share a use. */
#include "reduce/monout/use_paths.h"

#include <stdlib.h>

uint32_t *
use_paths(const struct mon *m)
{
	uint32_t *first = heap_array(m->nsites + 1, sizeof(*first)), path;
	size_t i;

	for (i = 0; i < m->nsites; i++) {
		path = m->sites[i].path;
		first[i] = path ? first[path - 1] : (uint32_t)i;
	}
	return first;
}

/* The first site of the path of i.  Shortens the way to it. */
static uint32_t
path_first(struct mon *m, uint32_t i)
{
	struct mon_site *s = m->sites;

	while (s[i].path) {
		if (s[s[i].path - 1].path)
			s[i].path = s[s[i].path - 1].path;
		i = s[i].path - 1;
	}
	return i;
}

void
use_paths_join(struct mon *m, uint32_t a, uint32_t b)
{
	a = path_first(m, a);
	b = path_first(m, b);
	if (a < b)
		m->sites[b].path = a + 1;
	else if (b < a)
		m->sites[a].path = b + 1;
}

void
use_paths_move(struct mon *m, const uint32_t *map)
{
	uint32_t *to = heap_array(m->nsites + 1, sizeof(*to)), *first;
	size_t i;

	for (i = 0; i < m->nsites; i++) {
		if (m->sites[i].path)
			to[i] = map[m->sites[i].path - 1] + 1;
		m->sites[i].path = 0;
	}
	for (i = 0; i < m->nsites; i++) {
		if (to[i])
			use_paths_join(m, (uint32_t)i, to[i] - 1);
	}
	first = use_paths(m);
	for (i = 0; i < m->nsites; i++)
		m->sites[i].path = first[i] < i ? first[i] + 1 : 0;
	free(first);
	free(to);
}

bool
use_paths_sane(const struct mon *m)
{
	struct amounts *left = heap_array(m->nsites + 1, sizeof(*left)), *a;
	uint32_t *first = use_paths(m);
	bool sane = true;
	const struct mon_use *u;
	size_t i;

	for (i = 0; i < m->nsites; i++) {
		left[first[i]].allocs += counts_sum(m->sites[i].count.allocs);
		left[first[i]].bytes += counts_sum(m->sites[i].count.bytes);
	}
	for (i = 0; i < m->nsites && sane; i++) {
		a = &left[first[i]];
		u = &m->uses[m->sites[i].use];
		if (!m->sites[i].use)
			continue;
		sane = u->blocks <= a->allocs && u->bytes <= a->bytes;
		a->allocs -= u->blocks;
		a->bytes -= u->bytes;
	}
	free(left);
	free(first);
	return sane;
}
