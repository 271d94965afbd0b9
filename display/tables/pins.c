/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pins: live blocks that keep the allocator from returning pages. */
#include "display/grid/grid.h"
#include "display/grid/notes.h"
#include "display/grid/paths.h"
#include "display/grid/view.h"
#include "display/tables/memory.h"
#include "display/text/amount.h"

#include <stdlib.h>

struct row {
	const struct path *path;
	struct pins n;
};

/* The state of the table. */
struct view {
	struct paths paths;
	struct row all;
};

static void
pins_get(const struct grid *g, const void *row, unsigned at,
	 struct grid_cell *c)
{
	const struct view *v = g->arg;

	c->n = *(const uint64_t *)((const char *)row + at);
	c->of = at == offsetof(struct row, n.pinned) ? v->all.n.pinned : 0;
}

static void
pins_put(const struct grid *g, const void *row)
{
	const struct view *v = g->arg;

	paths_print_typed(g->t, &v->paths, ((const struct row *)row)->path);
}

static const struct grid_column columns[] = {
	COLUMN("pinned", BYTES, 12, pins_get, offsetof(struct row, n.pinned),
	       "free bytes on pages with these blocks, and their share of all "
	       "such bytes; a page with several blocks counts in equal parts "
	       "for each",
	       .share = 4, .term = "pinned (%)"),
	COLUMN("live", BYTES, 13, pins_get, offsetof(struct row, n.resident),
	       "bytes of these blocks that are in memory"),
	COLUMN("blocks", COUNT, 11, pins_get, offsetof(struct row, n.blocks),
	       "how many blocks they are"),
	COLUMN("alone", COUNT, 11, pins_get, offsetof(struct row, n.alone),
	       "of these, blocks with a page on which no other block is"),
	NAME(" path", "   ", pins_put, LEGEND_PATH, .term = "path"),
};

static const struct legend legend = {
	.about = "Free memory that the allocator can't return, because live "
		 "blocks are on its pages, by the call path of these blocks.  "
		 "It becomes free if they are freed at the same time, or "
		 "allocated from a pool of their own.",
	.indent = 13,
};

static void
pins_add(void *to, const void *from)
{
	struct pins *a = &((struct row *)to)->n;
	const struct pins *b = &((const struct row *)from)->n;

	a->pinned = amount_add(a->pinned, b->pinned);
	a->resident = amount_add(a->resident, b->resident);
	a->blocks = amount_add(a->blocks, b->blocks);
	a->alone = amount_add(a->alone, b->alone);
}

static int
pins_compare(const void *va, const void *vb)
{
	const struct row *a = va, *b = vb;

	if (a->n.pinned != b->n.pinned)
		return a->n.pinned < b->n.pinned ? 1 : -1;
	return paths_compare(a->path, b->path);
}

static bool
pins_worth(const void *row, size_t place, void *arg)
{
	const struct grid *g = arg;

	return g->t->o->top
		       ? place < g->t->o->top
		       : tables_worth(
				 g->t, ((const struct row *)row)->n.pinned,
				 ((const struct view *)g->arg)->all.n.pinned);
}

/*
 * Print advice for a path whose blocks pin 4 MiB and a quarter of all pinned
 * bytes, if 90 percent of the blocks are alone on a page.
 */
enum { ADVICE_SHARE = 4, ADVICE_ALONE = 90 };
#define ADVICE_LEAST ((uint64_t)4 << 20)

static bool
is_clear(const struct row *r, const struct row *all)
{
	return r->n.pinned >= ADVICE_LEAST &&
	       r->n.pinned >= all->n.pinned / ADVICE_SHARE &&
	       r->n.alone >= r->n.blocks / 100 * ADVICE_ALONE;
}

/* Print advice on the blocks of a row, and the reason. */
static void
pins_advise(struct tables *t, const struct row *r)
{
	struct line *l = &t->line;
	char n[NUMBER_SIZE];

	line_add(l, "%s", number_grouped(n, r->n.blocks));
	if (r->path->type)
		line_add(l, " %c%s", r->path->type_mark, r->path->type);
	line_add(l, " blocks (%s bytes each, on average)",
		 tables_bytes(t, n, r->n.resident / r->n.blocks));
	if (r->path->leaf)
		line_add(l, ", allocated in %s,", r->path->leaf->func->name);
	line_add(l, " pin %s bytes: nearly all are alone on a page.",
		 tables_bytes(t, n, r->n.pinned));
	line_end(l);
	tables_say(t, "Allocate them from a pool, or free them together.");
}

/* Make rows for paths with blocks in memory; returns their number. */
static size_t
pins_collect(const struct profile *p, struct view *v, struct row *row)
{
	size_t n = 0;

	for (size_t i = 0; i < v->paths.n; i++)
		row[i].path = &v->paths.path[i];
	for (size_t i = 0; i < p->nsites; i++) {
		const struct row r = { .n = p->pins[i] };

		pins_add(&row[v->paths.of[i]], &r);
		pins_add(&v->all, &r);
	}
	for (size_t i = 0; i < v->paths.n; i++)
		if (row[i].n.blocks)
			row[n++] = row[i];
	qsort(row, n, sizeof *row, pins_compare);
	return n;
}

static int
pins_table(struct tables *t, struct view *v)
{
	struct row *row = calloc(v->paths.n + 1, sizeof *row);
	struct row other = { .path = NULL };
	struct grid g;
	size_t n, left;

	if (!row)
		return -1;
	n = pins_collect(t->p, v, row);
	GRID_INIT(&g, t, columns);
	g.arg = v;
	left = grid_pick(row, n, sizeof *row, t->o->top, pins_worth, pins_add,
			 &other, &g);
	grid_print(&g, &(struct grid_rows){ .v = row,
					    .n = left,
					    .size = sizeof *row,
					    .total = &v->all,
					    .other = &other,
					    .others = n - left });
	if (n && is_clear(&row[0], &v->all)) {
		line_end(&t->line);
		pins_advise(t, &row[0]);
	}
	grid_legend(&g, &legend);
	free(row);
	return 0;
}

int
pins_print(struct tables *t)
{
	const struct profile *p = t->p;
	const char *partial = memory_partial(p);
	struct view v = { .all = { .path = NULL } };
	char n[NUMBER_SIZE];
	int status;

	tables_title(t, "--------- Blocks that Pin Free Memory ------------");
	if (!p->nmemory) {
		tables_unknown(t, "What pins memory");
		return 0;
	}
	if (partial) {
		line_say(&t->line, "What pins memory is not known: %s.",
			 partial);
		return 0;
	}
	if (!p->pins) {
		line_say(&t->line,
			 "No more than %s bytes are free on pages with live "
			 "blocks; so little isn't recorded by call path.",
			 tables_bytes(t, n, memory_bytes(p, "parts")));
		return 0;
	}
	status = paths_init(&v.paths, t, PATHS_PLAIN) ? -1 : pins_table(t, &v);
	paths_fini(&v.paths);
	return status;
}
