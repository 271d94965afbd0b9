/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several struct mon made one: types, cells and vtables. */
#include "reduce/file/cells.h"
#include "reduce/file/merge.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- types -- */

/* Append a type; its number, 0 when there are too many, -1: no memory. */
static int
merge_new_type(struct mon *all, const struct mon_type *x)
{
	struct mon_type copy = { 0 };

	if (!all->ntypes && mon_add_type(all, &copy))
		return -1;
	if (all->ntypes > MONOUT_TYPE_MAX)
		return 0;
	copy.size = x->size;
	copy.name = arena_copy(&all->arena, x->name, strlen(x->name));
	if (!copy.name || mon_add_type(all, &copy))
		return -1;
	return (int)all->ntypes - 1;
}

int
merge_type(struct merge *g, const struct mon_type *x)
{
	struct mon *all = &g->all;
	uint64_t key = hash_bytes(HASH_BYTES, x->name, strlen(x->name)), turn;
	uint32_t fresh = all->ntypes ? (uint32_t)all->ntypes : 1, n;

	/* Those that there is no room for are the one that isn't known. */
	for (turn = 0;; turn++) {
		if (fresh > MONOUT_TYPE_MAX)
			n = hash_find(&g->types, key, x->size, turn);
		else
			n = hash_intern(&g->types, key, x->size, turn, fresh);
		if (n == HASH_NONE)
			return fresh > MONOUT_TYPE_MAX ? 0 : -1;
		if (n == fresh)
			return merge_new_type(all, x);
		if (!strcmp(all->types[n].name, x->name))
			return (int)n;
	}
}

/* ---------------------------------------------------------------- cells -- */

/* Two lists in order to one, m's behind those of the same rank.  0 or -1. */
static int
merge_lists(struct mon *all, const struct mon_cell *x, size_t n)
{
	const struct mon_cell *a = all->cells;
	struct mon_cell *to = malloc((all->ncells + n + 1) * sizeof(*to));
	size_t i = 0, j = 0, k = 0;

	if (!to)
		return -1;
	while (i < all->ncells || j < n) {
		if (j == n ||
		    (i < all->ncells && cells_compare(&a[i], &x[j]) <= 0))
			to[k] = a[i++];
		else
			to[k] = x[j++];
		/* As of a peak that isn't the largest. */
		if (cells_is_empty(&to[k]))
			continue;
		if (k && !cells_compare(&to[k - 1], &to[k]))
			cells_add(&to[k - 1], &to[k]);
		else
			k++;
	}
	all->cell_room = all->ncells + n + 1;
	all->ncells = k;
	free(all->cells);
	all->cells = to;
	return 0;
}

/* No cell held anything at the peak: another file's is larger. */
static void
merge_forget_peaks(struct mon *all)
{
	size_t i;

	for (i = 0; i < all->ncells; i++) {
		all->cells[i].peak_blocks = all->cells[i].peak_bytes = 0;
		all->cells[i].held = 0;
	}
}

int
merge_cells(struct merge *g, const struct mon *m, bool peak,
	    const struct combine_maps *map)
{
	struct mon *all = &g->all;
	struct mon_cell *a;
	size_t i, n;
	int status;

	if (peak)
		merge_forget_peaks(all);
	if (!all->cells_known) {
		all->ncells = 0;
		all->cells_threads = false;
		return 0;
	}
	a = malloc((m->ncells + 1) * sizeof(*a));
	if (!a)
		return -1;
	for (i = 0; i < m->ncells; i++) {
		a[i] = m->cells[i];
		combine_move_cell(&a[i], map);
		if (peak)
			continue;
		a[i].peak_blocks = a[i].peak_bytes = 0;
		a[i].held = 0;
	}
	n = cells_order(a, m->ncells);
	status = merge_lists(all, a, n);
	free(a);
	all->cells_threads = cells_have_threads(all);
	return status;
}

int
merge_vtables(struct merge *g, const struct mon *m,
	      const struct combine_maps *map)
{
	struct mon *all = &g->all;
	struct mon_vtable *a;
	size_t i;

	a = mon_vtables_room(all, m->nvtables + 1);
	if (!a)
		return -1;
	for (i = 0; i < m->nvtables; i++) {
		a[i] = m->vtables[i];
		combine_move_vtable(&a[i], map);
	}
	if (m->nvtables)
		all->nvtables =
			cells_order_vtables(all->vtables,
					    all->nvtables + m->nvtables);
	return 0;
}
