/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The call paths that freed blocks: see tables.h. */
#include "display/tables/tables.h"

#include "display/grid/grid.h"
#include "display/grid/paths.h"
#include "display/text/number.h"
#include "reduce/base/sort.h"

#include <stdlib.h>

/* The blocks of a call path that another one freed. */
struct row {
	const struct ending *of;
	uint64_t blocks; /* blocks of the allocating path, freed by any path */
	size_t order;
};

SORT_BY(compare, struct row,
	SORT_DOWN(blocks) SORT_UP(of->site) SORT_DOWN(of->weight)
		SORT_UP(order))

static void
get_blocks(const struct grid *g, const void *row, unsigned at,
	   struct grid_cell *c)
{
	const struct row *r = row;

	(void)g;
	(void)at;
	c->n = r->of->weight;
	c->of = r->blocks;
	c->estimate = r->of->weight != r->of->blocks;
}

static void
freed_by_get_life(const struct grid *g, const void *row, unsigned at,
		  struct grid_cell *c)
{
	const struct row *r = row;

	(void)g;
	(void)at;
	c->n = r->of->life / r->of->weight;
}

static void
freed_by_put(const struct grid *g, const void *row)
{
	const struct row *r = row;

	paths_print_chain(g->t, r->of->site->leaf);
	line_add(&g->t->line, "   freed by  ");
	if (r->of->leaf)
		paths_print_chain(g->t, r->of->leaf);
	else
		line_add(&g->t->line, "(unknown)");
}

static const struct grid_column columns[] = {
	COLUMN("freed", COUNT, 12, get_blocks, 0,
	       "blocks that the second call path freed by free or realloc, and "
	       "their share of all freed blocks of the first call path",
	       .share = 5, .term = "freed (%)"),
	COLUMN("mean", TIME, 10, freed_by_get_life, 0,
	       "mean time from allocation to free of these blocks"),
	NAME("path", "   ", freed_by_put,
	     "the call path that allocated the blocks, and the call path that "
	     "freed them"),
};

static const struct legend legend = {
	.about = "By which call paths blocks were freed.  The blocks are those "
		 "whose lifetimes are known.",
	.indent = 11,
	.notes = { legend_percent },
};

/* Set the freed blocks of each allocating path.  Rows are sorted by site. */
static void
freed_by_sum(struct row *row, size_t n)
{
	for (size_t i = 0, end; i < n; i = end) {
		uint64_t all = 0;

		for (end = i; end < n && row[end].of->site == row[i].of->site;)
			all += row[end++].of->weight;
		for (size_t k = i; k < end; k++)
			row[k].blocks = all;
	}
}

void
freed_by_print(struct tables *t)
{
	const struct profile *p = t->p;
	size_t n = p->nendings, most = t->o->lifetimes_rows;
	struct row *row;
	char buf[NUMBER_SIZE];

	if (!p->endings_known || !n)
		return;
	row = tables_room(t, n, sizeof *row);
	for (size_t i = 0; i < n; i++)
		row[i] = (struct row){ .of = &p->endings[i], .order = i };
	freed_by_sum(row, n);
	qsort(row, n, sizeof *row, compare);
	line_end(&t->line);
	line_end(&t->line);
	tables_rule(t, "Freed By");
	line_end(&t->line);
	GRID_TABLE(t, columns, row, most && most < n ? most : n, NULL);
	if (p->endings_lost)
		line_say(&t->line,
			 "%s freed blocks are missing: there were too many "
			 "pairs of call paths.",
			 number_grouped(buf, p->endings_lost));
	GRID_LEGEND(t, columns, &legend);
}
