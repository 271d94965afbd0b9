/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two runs side by side, as tables: see diff.h. */
#include "display/diff/diff.h"
#include "display/grid/grid.h"

#include <stdlib.h>
#include <string.h>

/* Which rows are in a table. */
enum kind { NEW, GONE, GROWN, SHRUNK, CHANGED, COMMON };

struct view {
	struct tables *t;
	const struct diff *d;
	const struct diff_table *table;
	enum diff_figure by;
	enum kind kind;
	bool funcs; /* show what functions' callees allocated */
	struct diff_row all, others;
};

static const char *const figure[DIFF_NFIGURE] = {
#define F(id, name, ...) #name,
	DIFF_FIGURES(F)
#undef F
};

bool
diff_figure_of(const char *text, enum diff_figure *f)
{
	for (int i = 0; i < DIFF_NFIGURE; i++) {
		if (strcmp(text, figure[i]) != 0)
			continue;
		*f = (enum diff_figure)i;
		return true;
	}
	return false;
}

static const struct legend legend = {
	.about = "The differences between two runs.  Libraries are the same if "
		 "they have the same name, without directory and version.  "
		 "Functions are the same if they have the same name, without "
		 "the suffixes of compilers (.constprop.0, .part.1, .cold, "
		 "numbers of lambdas); addresses and lines don't matter.  If "
		 "functions share a name, source files decide.",
	.terms = {
		{ "old, new", "the figure that sorts the rows (--sort), in "
			      "each run" },
		{ "+-bytes", "bytes allocated: more (+) or less (-) in the "
			     "new run" },
		{ "+-allocs", "the same for allocations" },
		{ "+-kept", "for bytes not freed" },
		{ "+-peak", "for bytes live at the peak of the run; -: "
			    "unknown" },
		{ "+-total", "for functions: bytes allocated while the "
			     "function was active; the columns before it are "
			     "what it allocated itself" },
		{ "Functions of the program", "the innermost function on each "
					      "path that isn't of a standard "
					      "library: what these allocate "
					      "for it is its own" },
		{ "<TOTAL>", "the sum of the rows; the four tables of paths "
			     "together, and the tables of functions and of "
			     "types, add up to the difference of the runs" },
	},
	.notes = { "Call paths are compared by the functions that are shown "
		   "(--depth).  If one of them differs, the old path is gone "
		   "and another is new; the table of functions still "
		   "compares them.  Rows below 0.5 percent of the larger run "
		   "share a row (--verbose, --verbose=no, --top)." },
};

/* --------------------------------------------------------------- columns -- */

/* The columns of a figure: old run, new run, difference. */
enum { CHANGE = DIFF_NRUN, NSIDE };

static void
differ(struct grid_cell *c, uint64_t old, uint64_t new)
{
	c->n = old > new ? old - new : new - old;
	c->negative = old > new;
	c->plus = old < new;
}

static void
diff_tables_get(const struct grid *g, const void *row, unsigned at,
		struct grid_cell *c)
{
	const struct diff_row *r = *(const struct diff_row *const *)row;
	unsigned f = at / NSIDE, side = at % NSIDE;
	const struct view *v = g->arg;

	c->unknown = f == DIFF_PEAK && (!v->d->peak_known || r->no_peak);
	if (side == CHANGE)
		differ(c, r->v[DIFF_OLD][f], r->v[DIFF_NEW][f]);
	else
		c->n = r->v[side][f];
}

/*
 * The change in bytes that a function and its callees allocated.  The row of
 * all functions omits it: that sum would count bytes more than once.
 */
static void
get_total(const struct grid *g, const void *row, unsigned at,
	  struct grid_cell *c)
{
	const struct diff_row *r = *(const struct diff_row *const *)row;

	(void)g, (void)at;
	differ(c, r->total[DIFF_OLD], r->total[DIFF_NEW]);
	c->text = r->in[DIFF_OLD] || r->in[DIFF_NEW] ? NULL : "";
}

static struct grid_column
diff_tables_column(enum diff_figure f, unsigned side)
{
#define F(id, name, kind, ...) \
	{ { "old " #name, "new " #name, "+-" #name }, GRID_##kind },
	static const struct {
		const char *head[NSIDE];
		enum grid_kind kind;
	} of[DIFF_NFIGURE] = { DIFF_FIGURES(F) };
#undef F

	return (struct grid_column){ .head = of[f].head[side],
				     .kind = of[f].kind,
				     .width = 10,
				     .get = diff_tables_get,
				     .at = f * NSIDE + side };
}

/* Print the program's own functions, innermost first; false: there are none. */
static bool
put_own(struct tables *t, const struct diff *d, const size_t *frames, size_t n)
{
	bool std = false, any = false;
	size_t own = 0;

	for (size_t k = n; k-- > 0;) {
		const struct diff_name *x = &d->name[frames[k]];

		std |= !any && !x->own;
		if (!x->own)
			continue;
		if (any)
			line_add(&t->line, " < ");
		tables_name(t, x->text);
		if (!any && std)
			line_add(&t->line, " > [std]");
		any = true;
		own++;
	}
	if (any && d->depth && own >= d->depth)
		line_add(&t->line, " < ...");
	return any;
}

/* Print a path.  For the order of its list see struct diff_path. */
static void
put_path(struct tables *t, const struct diff *d, size_t at)
{
	size_t n = 0, *frames;

	if (!at) {
		line_add(&t->line, "> (no chain)");
		return;
	}
	for (size_t i = at; i; i = d->path[i].next)
		n++;
	frames = calloc(n, sizeof *frames);
	if (!frames) {
		t->line.failed = true;
		return;
	}
	for (size_t i = at, k = 0; i; i = d->path[i].next, k++)
		frames[d->depth ? k : n - 1 - k] = d->path[i].name;
	if (d->by_own && put_own(t, d, frames, n))
		n = 0;
	else
		line_add(&t->line, d->depth && n >= d->depth ? "..." : "|| ");
	for (size_t k = 0; k < n; k++) {
		line_add(&t->line, "> ");
		tables_name(t, d->name[frames[k]].text);
		line_add(&t->line, " ");
	}
	free(frames);
}

static void
diff_tables_put(const struct grid *g, const void *row)
{
	const struct diff_row *r = *(const struct diff_row *const *)row;
	const struct view *v = g->arg;

	if (r == &v->all)
		line_add(&g->t->line, "<TOTAL>");
	else if (r->name)
		tables_name(g->t, r->name);
	else
		put_path(g->t, v->d, r->path);
}

enum { COLUMNS = 2 * DIFF_NFIGURE + 1 };

/* Set c to the columns of a view; returns how many. */
static size_t
diff_tables_columns(const struct view *v, struct grid_column *c)
{
	size_t n = 0;

	for (unsigned i = 0; i < DIFF_NRUN && v->kind != COMMON; i++)
		c[n++] = diff_tables_column(v->by, i);
	for (int f = 0; f < DIFF_NFIGURE; f++) {
		if (v->kind == COMMON) {
			c[n++] = diff_tables_column((enum diff_figure)f,
						    DIFF_OLD);
			c[n++] = diff_tables_column((enum diff_figure)f,
						    DIFF_NEW);
		} else {
			c[n++] =
				diff_tables_column((enum diff_figure)f, CHANGE);
		}
	}
	if (v->funcs)
		c[n++] = (struct grid_column)COLUMN("+-total", BYTES, 10,
						    get_total, 0, NULL);
	c[n++] = (struct grid_column)NAME(NULL, "   ", diff_tables_put, NULL);
	/* The first column has no blank before it. */
	c[0].width--;
	return n;
}

/* ------------------------------------------------------------------ rows -- */

static bool
diff_tables_same(const struct diff_row *r)
{
	return !memcmp(r->v[DIFF_OLD], r->v[DIFF_NEW], sizeof r->v[DIFF_OLD]) &&
	       r->total[DIFF_OLD] == r->total[DIFF_NEW];
}

static bool
diff_tables_wanted(const struct view *v, const struct diff_row *r)
{
	bool both = r->in[DIFF_OLD] && r->in[DIFF_NEW];
	uint64_t by;
	int sign = diff_sign(r, v->by, &by);

	switch (v->kind) {
	case NEW:
		return !r->in[DIFF_OLD];
	case GONE:
		return !r->in[DIFF_NEW];
	case GROWN:
		return both && sign > 0;
	case SHRUNK:
		return both && sign < 0;
	case COMMON:
		return both;
	case CHANGED:
	default:
		return !diff_tables_same(r);
	}
}

/* The figure that decides which rows are shown, and their order. */
static uint64_t
diff_tables_weight(const struct view *v, const struct diff_row *r)
{
	uint64_t by, old = r->v[DIFF_OLD][v->by], new = r->v[DIFF_NEW][v->by];

	if (v->kind == COMMON)
		return old > new ? old : new;
	diff_sign(r, v->by, &by);
	return by;
}

/* The change in bytes that a function and its callees allocated. */
static uint64_t
diff_tables_total(const struct view *v, const struct diff_row *r)
{
	uint64_t old = r->total[DIFF_OLD], new = r->total[DIFF_NEW];

	return !v->funcs ? 0 : old > new ? old - new : new - old;
}

static int
diff_tables_compare(const void *va, const void *vb, void *arg)
{
	const struct view *v = arg;
	const struct diff_row *a = *(const struct diff_row *const *)va;
	const struct diff_row *b = *(const struct diff_row *const *)vb;
	uint64_t x = diff_tables_weight(v, a), y = diff_tables_weight(v, b);

	if (x == y) {
		diff_sign(a, DIFF_BYTES, &x);
		diff_sign(b, DIFF_BYTES, &y);
	}
	if (x == y) {
		x = diff_tables_total(v, a);
		y = diff_tables_total(v, b);
	}
	if (x != y)
		return x < y ? 1 : -1;
	return (a > b) - (a < b);
}

static void
diff_tables_sum(void *other, const void *row)
{
	const struct diff_row *r = *(const struct diff_row *const *)row;
	struct diff_row *to = other;

	diff_add(to, DIFF_OLD, r->v[DIFF_OLD]);
	diff_add(to, DIFF_NEW, r->v[DIFF_NEW]);
	to->no_peak |= r->no_peak;
	/* A sum of totals would count bytes more than once. */
	to->in[DIFF_OLD] = to->in[DIFF_NEW] = false;
}

static bool
diff_tables_worth(const void *row, size_t place, void *arg)
{
	const struct view *v = arg;
	const struct diff_row *r = *(const struct diff_row *const *)row;
	const struct diff_row *all = &v->d->total;
	uint64_t old = all->v[DIFF_OLD][v->by], new = all->v[DIFF_NEW][v->by];
	uint64_t whole = old > new ? old : new;

	if (v->t->o->top)
		return place < v->t->o->top;
	if (v->t->o->verbosity == OPTIONS_VERBOSE)
		return true;
	return (diff_tables_weight(v, r) &&
		tables_worth(v->t, diff_tables_weight(v, r), whole)) ||
	       (diff_tables_total(v, r) &&
		tables_worth(v->t, diff_tables_total(v, r), whole));
}

/* Print the n rows of v.  row[-1] must be free, for the sum. */
static void
diff_tables_rows(struct view *v, const struct diff_row **row, size_t n)
{
	const struct diff_row *others = &v->others;
	struct grid_column column[COLUMNS + 1];
	struct grid g;
	size_t left;

	qsort_r(row, n, sizeof *row, diff_tables_compare, v);
	for (size_t i = 0; i < n; i++)
		diff_tables_sum(&v->all, &row[i]);
	left = grid_pick(row, n, sizeof *row, v->t->o->top, diff_tables_worth,
			 diff_tables_sum, &v->others, v);
	grid_init(&g, v->t, column, diff_tables_columns(v, column));
	g.arg = v;
	row[-1] = &v->all;
	grid_print(&g, &(struct grid_rows){ .v = row - 1,
					    .n = left + 1,
					    .size = sizeof *row,
					    .other = &others,
					    .others = n - left });
}

/* The tables and their titles. */
static const struct section {
	const char *title;
	enum kind kind;
	size_t table; /* its offset in struct diff */
} sections[] = {
	{ "Functions of the program that differ", CHANGED,
	  offsetof(struct diff, own) },
	{ "New call paths", NEW, offsetof(struct diff, sites) },
	{ "Call paths that are gone", GONE, offsetof(struct diff, sites) },
	{ "Call paths that have grown", GROWN, offsetof(struct diff, sites) },
	{ "Call paths that have shrunk", SHRUNK, offsetof(struct diff, sites) },
	{ "Functions that differ", CHANGED, offsetof(struct diff, funcs) },
	{ "Types that differ", CHANGED, offsetof(struct diff, types) },
	{ "Sizes that differ", CHANGED, offsetof(struct diff, bins) },
	{ "Call paths of both runs", COMMON, offsetof(struct diff, sites) },
	{ "Functions of both runs", COMMON, offsetof(struct diff, funcs) },
	{ "Types of both runs", COMMON, offsetof(struct diff, types) },
	{ "Sizes of both runs", COMMON, offsetof(struct diff, bins) },
};

/* Print a table.  0, or -1 when out of memory. */
static int
diff_tables_section(struct tables *t, const struct diff *d,
		    const struct section *s, enum diff_figure by)
{
	const void *table = (const char *)d + s->table;
	struct view v = { .t = t, .d = d, .table = table, .kind = s->kind };
	const struct diff_row **row = calloc(v.table->n + 1, sizeof *row);
	size_t n = 0;

	if (!row)
		return -1;
	/* The peak by size is unknown. */
	v.by = by == DIFF_PEAK && v.table == &d->bins ? DIFF_BYTES : by;
	v.funcs = v.table == &d->funcs && s->kind == CHANGED;
	line_end(&t->line);
	tables_say(t, s->title);
	line_end(&t->line);
	for (size_t i = 0; i < v.table->n; i++)
		if (diff_tables_wanted(&v, &v.table->row[i]))
			row[++n] = &v.table->row[i];
	if (n)
		diff_tables_rows(&v, row + 1, n);
	else
		tables_say(t, "None.");
	free(row);
	return 0;
}

/* Does the figure of any call path differ? */
static bool
differs(const struct diff *d, enum diff_figure f)
{
	const struct diff_table *x = &d->sites;
	uint64_t by;

	for (size_t i = 0; i < x->n; i++)
		if (diff_sign(&x->row[i], f, &by))
			return true;
	return false;
}

/* The figure to sort by: that of --sort, or the first figure that differs. */
static enum diff_figure
chosen(struct tables *t, const struct diff *d)
{
	enum diff_figure by = DIFF_BYTES;
	const char *what = NULL, *key = NULL;

	if (t->o->order) {
		diff_figure_of(t->o->order, &by);
	} else if (!t->o->common && !t->o->normalize &&
		   !differs(d, DIFF_BYTES)) {
		if (differs(d, DIFF_KEPT)) {
			by = DIFF_KEPT;
			what = "not freed";
			key = "kept";
		} else if (differs(d, DIFF_PEAK)) {
			by = DIFF_PEAK;
			what = "live at the peak";
			key = "peak";
		}
	}
	if (what) {
		line_end(&t->line);
		line_say(&t->line,
			 "All call paths allocated as many bytes in both runs; "
			 "rows are of bytes %s (--sort=%s).",
			 what, key);
	}
	return by;
}

int
diff_print(const struct diff *d, const struct options *o, FILE *out)
{
	struct tables t = { .p = d->run[DIFF_NEW], .o = o };
	enum diff_figure by;
	int status = 0;

	tables_line(&t, out);
	diff_summary(&t, d);
	by = chosen(&t, d);
	for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
		if (o->common == (sections[i].kind == COMMON) && !status)
			status = diff_tables_section(&t, d, &sections[i], by);
	if (!status && !o->common)
		status = diff_pairs_print(&t, d);
	legend_explain(&t, &legend, NULL, NULL);
	if (t.line.failed)
		status = -1;
	line_fini(&t.line);
	return status;
}
