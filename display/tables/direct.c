/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The direct allocation table: what each function allocated itself. */
#include "display/tables/errors.h"
#include "display/tables/grid.h"
#include "display/tables/notes.h"
#include "display/tables/view.h"
#include "display/text/amount.h"

/* The column that is only there if it is known what was live at the peak. */
enum { AT_PEAK = 1 };

/* A function, the total, or what no function is known for. */
struct row {
	const char *name;
	const struct counts *count;
	bool inlined, all;
};

enum { MEM, BYTES, SIZES, KEPT, KEPT_SIZES, PEAK, CALLS };

static void
set(struct grid_cell *c, uint64_t n, double var)
{
	c->n = n;
	c->var = var;
}

static void
get(const struct grid *g, const void *row, unsigned at, struct grid_cell *c)
{
	const struct counts *all = &g->t->p->total;
	const struct row *r = row;
	const struct counts *a = r->count;
	uint64_t by_class[PROFILE_NCLASS];

	switch (at) {
	case MEM:
		set(c, amount_bytes(a), 0);
		c->of = amount_bytes(all);
		c->text = r->all ? "-----" : NULL;
		break;
	case BYTES:
		set(c, amount_bytes(a), a->var[PROFILE_E_BYTES]);
		break;
	case SIZES:
		c->text = number_classes(c->buf, a->bytes, amount_bytes(all));
		break;
	case KEPT:
		set(c, amount_kept(a), a->var[PROFILE_E_KEPT]);
		break;
	case KEPT_SIZES:
		amount_kept_by_class(a, by_class);
		c->text = number_classes(c->buf, by_class, amount_kept(all));
		break;
	case PEAK:
		set(c, a->peak, a->var[PROFILE_E_PEAK]);
		break;
	case CALLS:
	default:
		set(c, amount_allocs(a), a->var[PROFILE_E_ALLOCS]);
		break;
	}
}

static void
put(const struct grid *g, const void *row)
{
	const struct row *r = row;

	line_add(&g->t->line, "%s%s", r->name, r->inlined ? " (inlined)" : "");
}

static const struct grid_column columns[] = {
	{ "% mem", GRID_TENTHS, 8, .get = get, .at = MEM, .before = "  ",
	  .explain = "share of all bytes allocated, rounded" },
	{ "bytes", GRID_BYTES, 12, .get = get, .at = BYTES, .before = " ",
	  .error = true, .explain = "bytes that the function allocated" },
	{ " % mem(size)", GRID_LEFT, 12, .get = get, .at = SIZES,
	  .before = " |", .term = "% mem(size)",
	  .explain = "the same as a share of all bytes, by size of block" },
	{ "bytes kept", GRID_BYTES, 12, .get = get, .at = KEPT, .before = " | ",
	  .error = true, .explain = "bytes of these that were not freed" },
	{ "  % all kept", GRID_LEFT, 12, .get = get, .at = KEPT_SIZES,
	  .before = " |", .term = "% all kept",
	  .explain = "the same as a share of all bytes not freed, by size of "
		     "block" },
	{ "at peak", GRID_BYTES, 12, .get = get, .at = PEAK, .before = " | ",
	  .with = AT_PEAK, .error = true,
	  .explain = "bytes of these that were live at the program's peak; not "
		     "there when the data file doesn't say" },
	{ "calls", GRID_COUNT, 12, .get = get, .at = CALLS, .before = " | ",
	  .error = true, .explain = "how many blocks the function allocated" },
	{ "name", GRID_NAME, .put = put, .before = "   ", .term = "(inlined)",
	  .explain = "the compiler put the function into its callers, "
		     "wherever it is" },
};

static const struct legend legend = {
	.about = "What each function allocated itself, by calling malloc or "
		 "its like.",
	.indent = 13,
	.notes = { legend_classes, legend_percent },
};

static void
dashes(struct line *l, size_t n)
{
	while (n-- > 0)
		line_left(l, 0, "-");
}

/* The rule, with the letters above the fields for the size classes. */
static void
rule(const struct grid *g)
{
	static const char letters[] = "s--m--l--x";
	size_t peak =
		g->with & AT_PEAK ? g->width[PEAK] + 3 + errors_width(g->t) : 0;
	struct line *l = &g->t->line;

	dashes(l, g->width[BYTES] + 15 + errors_width(g->t));
	line_left(l, 0, letters);
	dashes(l, g->width[KEPT] + 7 + errors_width(g->t));
	line_left(l, 0, letters);
	dashes(l, peak + g->width[CALLS] + 3 + errors_width(g->t));
	line_end(l);
	line_end(l);
}

/* What no function is known for, so that the rows add up to the total. */
static void
unknown_row(const struct grid *g)
{
	const struct profile *p = g->t->p;
	struct counts c = { 0 };

	for (size_t i = 0; i < p->nsites; i++)
		if (!p->sites[i].tip)
			amount_add_counts(&c, &p->sites[i].count);
	if (amount_allocs(&c) && !g->t->o->direct_only.n)
		grid_row(g, &(struct row){ "(no chain)", &c, false, false },
			 NULL);
}

int
direct_print(struct tables *t)
{
	struct row all = { "<TOTAL>", &t->p->total, false, true };
	const struct sort *s = &t->sort;
	struct grid g;

	grid_init(&g, t, columns, sizeof columns / sizeof *columns);
	g.with = t->p->peak_known ? AT_PEAK : 0;
	tables_title(t, "---------  Direct Allocation Table ------------");
	grid_fit(&g, &all);
	grid_head(&g);
	rule(&g);
	grid_row(&g, &all, NULL);
	line_end(&t->line);
	for (size_t i = 0; i < s->ndirect; i++) {
		const struct node *node = &s->nodes[s->direct[i]];
		const struct counts *c = &node->func->self;

		if (!t->direct_on[s->direct[i]] ||
		    (!t->o->zero && !t->o->direct_only.n && !amount_allocs(c)))
			continue;
		grid_row(&g,
			 &(struct row){ node->label, c, node->func->inlined,
					false },
			 NULL);
	}
	unknown_row(&g);
	grid_legend(&g, &legend);
	return 0;
}
