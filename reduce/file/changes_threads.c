/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whose the changes of thread 0 are.  At the end it is known which threads have
 * allocated blocks of a size at a site: if it was one alone, all that is known
 * of these blocks is that thread's, whoever freed them.
 */
#include "reduce/file/cells.h"
#include "reduce/file/changes.h"

/* Is it of the same site and size? */
static bool
changes_same_size(const struct mon_cell *a, const struct mon_cell *b)
{
	return a->site == b->site && a->any == b->any && a->size == b->size;
}

/* The only thread with cells like *x, from place *k on; 0: there is none. */
static uint32_t
changes_lone(const struct mon *m, const struct mon_cell *x, size_t *k)
{
	struct mon_cell first = *x;
	uint32_t thread = 0;
	size_t n = 0;

	first.thread = 0;
	while (*k < m->ncells && cells_compare(&m->cells[*k], &first) < 0)
		++*k;
	for (; *k < m->ncells && changes_same_size(&m->cells[*k], x); ++*k) {
		if (!m->cells[*k].allocs)
			continue;
		thread = m->cells[*k].thread;
		n++;
	}
	return n == 1 ? thread : 0;
}

void
changes_find_threads(struct mon *m)
{
	struct mon_cell x, next;
	size_t i, end, k = 0;
	uint32_t thread;

	if (!m->cells_known)
		return;
	for (i = 0; i < m->nchanges; i = end) {
		end = changes_end(m, i);
		x = changes_cell(&m->changes[i]);
		if (x.thread)
			continue;
		thread = changes_lone(m, &x, &k);
		/* Others have a part of it. */
		if (end < m->nchanges) {
			next = changes_cell(&m->changes[end]);
			if (changes_same_size(&next, &x))
				continue;
		}
		for (; i < end && thread; i++)
			m->changes[i].thread = thread;
	}
}
