/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merge several struct mon into one: types, cells and vtables. */
#include "reduce/monout/cells.h"
#include "reduce/monout/merge.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- types -- */

/*
 * Append a type.  Returns its number, 0 if there are too many types.
 */
static int
merge_new_type(struct mon *all, const struct mon_type *x)
{
	struct mon_type copy = { 0 };

	if (!all->ntypes)
		mon_add_type(all, &copy);
	if (all->ntypes > MONOUT_TYPE_MAX)
		return 0;
	copy.size = x->size;
	copy.name = arena_copy(&all->arena, x->name, strlen(x->name));
	mon_add_type(all, &copy);
	return (int)all->ntypes - 1;
}

int
merge_type(struct merge *g, const struct mon_type *x)
{
	struct mon *all = &g->all;
	uint64_t key = hash_bytes(HASH_BYTES, x->name, strlen(x->name)), turn;
	uint32_t fresh = all->ntypes ? (uint32_t)all->ntypes : 1, n;

	/* Types beyond the limit become type 0, the unknown one. */
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

/*
 * Cells and vtables are appended as they come.  Sorting them and adding up
 * equal ones takes time in proportion to their number, so it is done only when
 * the number has doubled, and at the end.  So adding a file doesn't cost more
 * after many other files.
 */
#define MERGE_LEAST 4096u

static bool
merge_is_time(size_t n, size_t settled)
{
	return n > MERGE_LEAST && n / 2 > settled;
}

static void
merge_settle_cells(struct merge *g)
{
	struct mon *all = &g->all;
	size_t n = cells_order(all->cells, all->ncells), i, k = 0;

	/* Cells may be empty after their amounts at the peak were cleared. */
	for (i = 0; i < n; i++)
		if (!cells_is_empty(&all->cells[i]))
			all->cells[k++] = all->cells[i];
	all->ncells = g->cells_settled = k;
}

static void
merge_settle_vtables(struct merge *g)
{
	struct mon *all = &g->all;

	all->nvtables = g->vtables_settled =
		cells_order_vtables(all->vtables, all->nvtables);
	cells_order_summed(all);
}

void
merge_settle(struct merge *g)
{
	merge_settle_cells(g);
	merge_settle_vtables(g);
	g->all.cells_threads =
		g->all.cells_known && cells_have_threads(&g->all);
}

/*
 * Clear the amounts at the peak of all cells, because another file's peak is
 * larger.
 */
static void
merge_forget_peaks(struct mon *all)
{
	size_t i;

	for (i = 0; i < all->ncells; i++) {
		all->cells[i].peak_blocks = all->cells[i].peak_bytes = 0;
		all->cells[i].held = 0;
	}
}

void
merge_cells(struct merge *g, const struct mon *m, bool peak,
	    const struct combine_maps *map)
{
	struct mon *all = &g->all;
	struct mon_cell *x;
	size_t i;

	if (peak)
		merge_forget_peaks(all);
	if (!all->cells_known) {
		all->ncells = g->cells_settled = 0;
		return;
	}
	ARRAY_ROOM(all->cells, all->cell_room, all->ncells + m->ncells + 1);
	for (i = 0; i < m->ncells; i++) {
		x = &all->cells[all->ncells++];
		*x = m->cells[i];
		combine_move_cell(x, map);
		if (peak)
			continue;
		x->peak_blocks = x->peak_bytes = 0;
		x->held = 0;
	}
	if (merge_is_time(all->ncells, g->cells_settled))
		merge_settle_cells(g);
}

/* merge_pins() and so on: append the items of m, with new numbers. */
#define S(name, item, items) \
	static void merge_##items(struct mon *all, const struct mon *m, \
				  const struct combine_maps *map) \
	{ \
		struct mon_##item *a = \
			mon_##items##_room(all, m->n##items + 1); \
\
		for (size_t i = 0; i < m->n##items; i++) { \
			a[i] = m->items[i]; \
			combine_move_##item(&a[i], map); \
		} \
		all->n##items += m->n##items; \
	}
MONREC_TABLES(MONREC_SUMMED)
#undef S

void
merge_lists(struct mon *all, const struct mon *m,
	    const struct combine_maps *map)
{
#define S(name, item, items) merge_##items(all, m, map);
	MONREC_TABLES(MONREC_SUMMED)
#undef S
}

void
merge_vtables(struct merge *g, const struct mon *m,
	      const struct combine_maps *map)
{
	struct mon *all = &g->all;
	struct mon_vtable *a;
	size_t i;

	a = mon_vtables_room(all, m->nvtables + 1);
	for (i = 0; i < m->nvtables; i++) {
		a[i] = m->vtables[i];
		combine_move_vtable(&a[i], map);
	}
	all->nvtables += m->nvtables;
	if (merge_is_time(all->nvtables, g->vtables_settled))
		merge_settle_vtables(g);
}
