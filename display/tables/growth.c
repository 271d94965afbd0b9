/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The growth: by call path, the change in live bytes between snapshots. */
#include "display/grid/grid.h"
#include "display/grid/notes.h"
#include "display/grid/paths.h"
#include "display/grid/view.h"
#include "display/text/amount.h"

#include <stdlib.h>

/* A path, or several: counts up to the first snapshot, and up to the second. */
struct row {
	const struct path *path;
	struct amounts at[2];
};

/* All paths; most: the live bytes at the snapshot with more of them. */
struct growth {
	struct paths paths;
	struct row all;
	uint64_t most;
};

enum { GROWN, BLOCKS, BEFORE, AFTER, ALLOCS, FREES };

static uint64_t
growth_live(const struct row *r, int i)
{
	return amount_live(&r->at[i]);
}

static uint64_t
growth_blocks(const struct row *r, int i)
{
	return amount_live_blocks(&r->at[i]);
}

static void
growth_get(const struct grid *g, const void *row, unsigned at,
	   struct grid_cell *c)
{
	const struct row *r = row;
	uint64_t x = at == BLOCKS ? growth_blocks(r, 0) : growth_live(r, 0);
	uint64_t y = at == BLOCKS ? growth_blocks(r, 1) : growth_live(r, 1);

	(void)g;
	if (at == GROWN || at == BLOCKS) {
		c->negative = y < x;
		c->n = y < x ? x - y : y - x;
		return;
	}
	c->n = at == BEFORE   ? x
	       : at == AFTER  ? y
	       : at == ALLOCS ? amount_sub(r->at[1].allocs, r->at[0].allocs)
			      : amount_sub(r->at[1].frees, r->at[0].frees);
}

static void
growth_put(const struct grid *g, const void *row)
{
	const struct growth *x = g->arg;
	const struct row *r = row;

	paths_print_typed(g->t, &x->paths, r->path);
}

static const struct grid_column columns[] = {
	COLUMN("grown", BYTES, 12, growth_get, GROWN,
	       "bytes live at the second snapshot, less those at the first"),
	COLUMN("blocks", COUNT, 11, growth_get, BLOCKS, "the same for blocks"),
	COLUMN("before", BYTES, 13, growth_get, BEFORE,
	       "bytes live at the first and "
	       "at the second snapshot",
	       .term = "before after"),
	COLUMN("after", BYTES, 13, growth_get, AFTER, NULL),
	COLUMN("allocs", COUNT, 11, growth_get, ALLOCS,
	       "blocks allocated between the snapshots"),
	COLUMN("frees", COUNT, 11, growth_get, FREES,
	       "blocks freed between them, whenever they were allocated"),
	NAME(" path", "   ", growth_put, LEGEND_PATH, .term = "path"),
};

static const struct legend legend = {
	.about = "Blocks live at the second snapshot but not at the first, "
		 "by call path.  A path that shrank has a minus.",
	.indent = 13,
};

static void
growth_add(void *to, const void *from)
{
	for (int i = 0; i < 2; i++)
		amounts_add(&((struct row *)to)->at[i],
			    &((const struct row *)from)->at[i]);
}

/* Largest growth first. */
static int
growth_compare(const void *va, const void *vb)
{
	const struct row *a = va, *b = vb;
	__int128 x = (__int128)growth_live(a, 1) - growth_live(a, 0);
	__int128 y = (__int128)growth_live(b, 1) - growth_live(b, 0);

	if (x != y)
		return x < y ? 1 : -1;
	return paths_compare(a->path, b->path);
}

static bool
growth_worth(const void *row, size_t place, void *arg)
{
	const struct grid *g = arg;
	const struct row *r = row;
	uint64_t x = growth_live(r, 0), y = growth_live(r, 1);

	if (g->t->o->top)
		return place < g->t->o->top;
	return tables_worth(g->t, y < x ? x - y : y - x,
			    ((const struct growth *)g->arg)->most);
}

/* Collect the paths whose live bytes differ; returns their number. */
static size_t
growth_collect(const struct profile *p, struct growth *x, struct row *v)
{
	const struct paths *paths = &x->paths;
	size_t n = 0;

	for (size_t i = 0; i < paths->n; i++)
		v[i].path = &paths->path[i];
	for (size_t i = 0; i < p->nsites; i++) {
		struct row r = { .path = NULL };

		for (int k = 0; k < 2; k++)
			r.at[k] = amount_before(&p->time.sites[i],
						p->snapshot.grown[k].n);
		growth_add(&v[paths->of[i]], &r);
		growth_add(&x->all, &r);
	}
	for (size_t i = 0; i < paths->n; i++)
		if (growth_live(&v[i], 0) != growth_live(&v[i], 1) ||
		    growth_blocks(&v[i], 0) != growth_blocks(&v[i], 1))
			v[n++] = v[i];
	if (n)
		qsort(v, n, sizeof *v, growth_compare);
	return n;
}

static int
growth_table(struct tables *t, struct growth *x)
{
	struct row *v = calloc(x->paths.n + 1, sizeof *v), other = { 0 };
	struct grid g;
	size_t n, left;

	if (!v)
		return -1;
	n = growth_collect(t->p, x, v);
	x->most = growth_live(&x->all, growth_live(&x->all, 1) >
					       growth_live(&x->all, 0));
	if (!n)
		tables_say(t, "No call path has grown or shrunk.");
	GRID_INIT(&g, t, columns);
	g.arg = x;
	left = grid_pick(v, n, sizeof *v, t->o->top, growth_worth, growth_add,
			 &other, &g);
	if (n)
		grid_print(&g, &(struct grid_rows){ .v = v,
						    .n = left,
						    .size = sizeof *v,
						    .total = &x->all,
						    .other = &other,
						    .others = n - left });
	if (n)
		grid_legend(&g, &legend);
	free(v);
	return 0;
}

int
growth_print(struct tables *t)
{
	const struct profile *p = t->p;
	struct growth x = { .most = 0 };
	int status;

	tables_title(t, "--------- Growth between two Snapshots ------------");
	if (!p->time.known || !p->time.sites) {
		line_say(&t->line, "The growth is unknown: %s.",
			 !p->time.known ? p->time.why : p->time.sites_why);
		return 0;
	}
	line_say(&t->line, "From %s to %s", p->snapshot.grown[0].name,
		 p->snapshot.grown[1].name);
	line_end(&t->line);
	status =
		paths_init(&x.paths, t, PATHS_PLAIN) ? -1 : growth_table(t, &x);
	paths_fini(&x.paths);
	return status;
}
