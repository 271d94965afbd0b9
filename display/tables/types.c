/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The types: allocations by the type of the blocks. */
#include "display/grid/entries.h"
#include "display/grid/view.h"

#include <stdio.h>

/* Columns that aren't always printed. */
enum { PEAK = 1, USES = 2 };

/* The bytes of an element of the type; blank for the total. */
static void
types_get_size(const struct grid *g, const void *row, unsigned at,
	       struct grid_cell *c)
{
	const struct entry *r = row;

	(void)g, (void)at;
	c->n = r->type ? r->type->size : 0;
	c->text = r->rest || !r->type ? "" : NULL;
	c->unknown = !c->text && !c->n;
}

/* The mean number of elements in a block: "1", "7", "2.5", "-". */
static void
get_count(const struct grid *g, const void *row, unsigned at,
	  struct grid_cell *c)
{
	const struct entry *e = row;
	const struct type_row *r = e->type;

	(void)g, (void)at;
	if (e->rest || !r) {
		c->text = "";
		return;
	}
	c->unknown = !r->size || !r->multiple || !r->allocs;
	if (c->unknown)
		return;
	c->n = r->elements / r->allocs;
	if (r->elements % r->allocs == 0)
		return;
	snprintf(c->buf, sizeof c->buf, "%.1f",
		 (double)r->elements / (double)r->allocs);
	c->text = c->buf;
}

static const struct grid_column columns[] = {
	COLUMN("size", COUNT, 10, types_get_size, 0,
	       "bytes of the type; -: unknown"),
	COLUMN("count", COUNT, 8, get_count, 0,
	       "how many elements a block has on average; arrays have more "
	       "than 1; -: unknown, or some blocks are not multiples of the "
	       "type"),
	FIGURE("allocs", COUNT, 11, ALLOCS, "blocks of this type",
	       .error = true),
	FIGURE("bytes", BYTES, 11, BYTES,
	       "their bytes, and the share of all bytes allocated", .share = 4,
	       .error = true),
	FIGURE("frees", COUNT, 11, FREES, "how many of the blocks were freed"),
	FIGURE("kept", BYTES, 11, KEPT,
	       "bytes not freed, and their share of all bytes not freed",
	       .share = 4, .error = true),
	FIGURE("at peak", BYTES, 11, PEAK,
	       "bytes of these that were live at the program's peak; -: "
	       "unknown, or counted in another row",
	       .with = PEAK, .error = true),
	FIGURE("sites", COUNT, 7, SITES,
	       "call paths that allocated such blocks"),
	FIGURE("usage", SCORE, 8, USAGE,
	       "heap scores, see --scores; only if accesses were recorded; "
	       "-: unknown",
	       .with = USES, .term = "usage useful"),
	FIGURE("useful", SCORE, 8, USEFUL, NULL, .with = USES),
	NAME("type", "   ", entry_put,
	     "=T: certain, from the compiler, the program or the blocks; ~T: "
	     "derived from the code around the allocation; ?T: the program's "
	     "only type of this size; (not known): the rest"),
};

static const struct legend legend = {
	.about = "Allocations by the type of the blocks.  A type has a row "
		 "for each mark, which says how the type is known.",
	.notes = { legend_percent },
};

/*
 * The rows are sorted already, unless --sort is given.  A row needs many bytes
 * allocated, or many that were not freed.
 */
static const struct entries_view view = {
	ENTRIES_COLUMNS(columns),
	.total = true,
	.rest_counts = true,
	.share = { ENTRY_AT(bytes), ENTRY_AT(kept) },
};

/* Set the total.  For the total it doesn't matter which type a block has. */
static void
types_total(struct entries *e)
{
	const struct profile *p = e->t->p;
	struct entry all = entries_total(p);

	for (size_t i = 0; i < e->n; i++)
		use_add(&e->all_use, &p->types[i].use);
	for (size_t i = 0; i < p->nsites; i++)
		all.sites += counts_sum(p->sites[i].count.allocs) > 0;
	entry_set_use(&all, &e->all_use);
	e->all = all;
	e->of_bytes = all.bytes;
	e->of_kept = all.kept;
}

static void
types_table(struct entries *e)
{
	const struct profile *p = e->t->p;
	struct entries_view by = view;
	struct grid g;

	types_total(e);
	e->other.name = "";
	e->top = e->t->o->top;
	if (e->t->o->sort == OPTIONS_BY_KEPT)
		by.by[0] = ENTRY_AT(kept);
	if (e->t->o->sort == OPTIONS_BY_BLOCKS)
		by.by[0] = ENTRY_AT(allocs);
	entries_arrange(e, &by, &g);
	g.with = (p->peaks_known ? PEAK : 0) | (p->uses_known ? USES : 0);
	entries_print(e, &g, true);
	grid_legend(&g, &legend);
}

int
types_print(struct tables *t)
{
	const struct profile *p = t->p;
	struct entries e;
	size_t named = 0;

	tables_title(t, "Allocations by Type");
	for (size_t i = 0; i < p->ntypes; i++)
		named += *p->types[i].name != '\0';
	if (!counts_sum(p->total.allocs)) {
		tables_nothing(t);
		return 0;
	}
	if (!named) {
		tables_say(t, "No type is known.  Types come from debug "
			      "information and the code at each call:");
		tables_say(t, "compile with -g, or by memmon-cc with gcc; see "
			      "memmon-cc(1).");
		return 0;
	}
	entries_init(&e, t, p->ntypes);
	entries_add_types(&e);
	types_table(&e);
	return 0;
}
