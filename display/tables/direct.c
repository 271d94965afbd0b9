/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The direct allocation table: what each function allocated itself. */
#include "display/grid/entries.h"
#include "display/grid/view.h"

/* A column that is printed only if the blocks at the peak are known. */
enum { AT_PEAK = 1 };

enum { MEM, BYTES, SIZES, KEPT, KEPT_SIZES, PEAK, CALLS };

static void
direct_put(const struct grid *g, const void *row)
{
	const struct entry *r = row;

	line_add(&g->t->line, "%s%s", r->name, r->inlined ? " (inlined)" : "");
}

static const struct grid_column columns[] = {
	[MEM] = FIGURE("% mem", TENTHS, 8, SHARE,
		       "share of all bytes allocated", .before = "  "),
	[BYTES] = FIGURE("bytes", BYTES, 12, BYTES,
			 "bytes that the function allocated", .before = " ",
			 .error = true),
	[SIZES] = FIGURE_OWN(" % mem(size)", LEFT, 12, SIZES,
			     "the same, by size of block", .before = " |",
			     .term = "% mem(size)"),
	[KEPT] = FIGURE("bytes kept", BYTES, 12, KEPT,
			"how many of these bytes were not freed",
			.before = " | ", .error = true),
	[KEPT_SIZES] = FIGURE_OWN("  % all kept", LEFT, 12, KEPT_SIZES,
				  "their share of all bytes not freed, by "
				  "size of block",
				  .before = " |", .term = "% all kept"),
	[PEAK] = FIGURE("at peak", BYTES, 12, PEAK,
			"how many of these bytes were live at the program's "
			"peak, if the data file has them",
			.before = " | ", .with = AT_PEAK, .error = true),
	[CALLS] = FIGURE("calls", COUNT, 12, ALLOCS,
			 "blocks that the function allocated", .before = " | ",
			 .error = true),
	NAME("name", "   ", direct_put,
	     "the compiler put the function into all its callers",
	     .term = "(inlined)"),
};

static const struct legend legend = {
	.about = "How much each function allocated itself, by malloc or a "
		 "similar function.",
	.notes = { legend_classes, legend_percent },
};

/* Print the rule, with the letters above the size classes. */
static void
direct_rule(const struct grid *g)
{
	size_t peak =
		g->with & AT_PEAK ? g->width[PEAK] + 3 + errors_width(g->t) : 0;
	struct line *l = &g->t->line;

	line_dashes(l, g->width[BYTES] + 15 + errors_width(g->t));
	line_left(l, 0, legend_letters(g->t));
	line_dashes(l, g->width[KEPT] + 7 + errors_width(g->t));
	line_left(l, 0, legend_letters(g->t));
	line_dashes(l, peak + g->width[CALLS] + 3 + errors_width(g->t));
	line_end(l);
	line_end(l);
}

/* Print a row with these counts. */
static void
direct_row(const struct grid *g, const char *name, const struct counts *c,
	   bool inlined)
{
	struct entry r = { .name = name, .inlined = inlined };

	entry_set_counts(&r, g->t->p, c, 0);
	grid_row(g, &r, NULL);
}

/* Print a row for blocks without a function, for the sum of the rows. */
static void
unknown_row(const struct grid *g)
{
	const struct profile *p = g->t->p;
	struct counts c = { 0 };

	for (size_t i = 0; i < p->nsites; i++)
		if (!p->sites[i].leaf)
			counts_add(&c, &p->sites[i].count);
	if (counts_sum(c.allocs) && !g->t->o->direct_only.n)
		direct_row(g, "(no chain)", &c, false);
}

int
direct_print(struct tables *t)
{
	struct entries e = { .t = t, .all = entries_total(t->p) };
	const struct nodes *s = &t->nodes;
	struct grid g;

	e.of_bytes = e.all.bytes;
	e.of_kept = e.all.kept;
	GRID_INIT(&g, t, columns);
	g.arg = &e;
	g.with = t->p->peaks_known ? AT_PEAK : 0;
	tables_title(t, " Direct Allocation Table");
	grid_fit(&g, &e.all);
	grid_head(&g);
	direct_rule(&g);
	grid_row(&g, &e.all, NULL);
	line_end(&t->line);
	for (size_t i = 0; i < s->ndirect; i++) {
		const struct node *node = &s->v[s->direct[i]];
		const struct counts *c = &node->func->self;

		if (t->direct_on[s->direct[i]] &&
		    (t->o->zero || t->o->direct_only.n ||
		     counts_sum(c->allocs)))
			direct_row(&g, node->label, c, node->func->inlined);
	}
	unknown_row(&g);
	grid_legend(&g, &legend);
	return 0;
}
