/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two runs side by side, as tables: see diff.h. */
#define _GNU_SOURCE
#include "display/diff/diff.h"
#include "display/tables/legend.h"
#include "display/tables/table.h"
#include "display/text/amount.h"
#include "display/text/name.h"
#include "display/text/number.h"

#include <stdlib.h>
#include <string.h>

/* Which rows a table has. */
enum kind { NEW, GONE, GROWN, SHRUNK, CHANGED, COMMON };

/* Most columns of figures; a cell holds a sign, a number and a NUL. */
enum { COLUMNS = 2 * DIFF_NFIGURE, CELL = DIFF_CELL };

struct view {
	struct tables *t;
	const struct diff *d;
	const struct diff_table *table;
	enum diff_figure by;
	enum kind kind;
	bool funcs; /* with what their callees got */
	size_t *pick; /* rows, npick */
	size_t npick, nshown;
	struct diff_row all, others;
	size_t width[COLUMNS];
};

static const char *const figure[DIFF_NFIGURE] = { "bytes", "allocs", "kept",
						  "peak" };

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

/* ----------------------------------------------------------------- cells -- */

static void
number(const struct view *v, char *buf, enum diff_figure f, uint64_t n)
{
	diff_number(buf, n, f != DIFF_ALLOCS, v->t->o->human);
}

static void
signed_number(const struct view *v, char *buf, enum diff_figure f, uint64_t old,
	      uint64_t new)
{
	diff_change(buf, old, new, f != DIFF_ALLOCS, v->t->o->human);
}

/* The figure of a column; *run DIFF_NRUN: it is the difference. */
static enum diff_figure
column(const struct view *v, size_t c, int *run)
{
	if (v->kind == COMMON) {
		*run = c % 2 ? DIFF_NEW : DIFF_OLD;
		return (enum diff_figure)(c / 2);
	}
	*run = c < 2 ? (int)c : DIFF_NRUN;
	return c < 2 ? v->by : (enum diff_figure)(c - 2);
}

static size_t
columns(const struct view *v)
{
	return v->kind == COMMON ? COLUMNS : 2 + DIFF_NFIGURE + v->funcs;
}

static void
cell(const struct view *v, const struct diff_row *r, size_t c, char buf[CELL])
{
	enum diff_figure f;
	int run;

	if (v->kind != COMMON && c == 2 + DIFF_NFIGURE) {
		if (r->in[DIFF_OLD] || r->in[DIFF_NEW])
			signed_number(v, buf, DIFF_BYTES, r->total[DIFF_OLD],
				      r->total[DIFF_NEW]);
		else
			*buf = '\0';
		return;
	}
	f = column(v, c, &run);
	if (f == DIFF_PEAK && (!v->d->peak_known || r->no_peak))
		snprintf(buf, CELL, "-");
	else if (run == DIFF_NRUN)
		signed_number(v, buf, f, r->v[DIFF_OLD][f], r->v[DIFF_NEW][f]);
	else
		number(v, buf, f, r->v[run][f]);
}

static void
head(const struct view *v, size_t c, char buf[CELL])
{
	enum diff_figure f;
	int run;

	if (v->kind != COMMON && c == 2 + DIFF_NFIGURE) {
		snprintf(buf, CELL, "+-total");
		return;
	}
	f = column(v, c, &run);
	snprintf(buf, CELL, "%s%s",
		 run == DIFF_OLD   ? "old "
		 : run == DIFF_NEW ? "new "
				   : "+-",
		 figure[f]);
}

/* ------------------------------------------------------------------ rows -- */

static bool
same(const struct diff_row *r)
{
	return !memcmp(r->v[DIFF_OLD], r->v[DIFF_NEW], sizeof r->v[DIFF_OLD]) &&
	       r->total[DIFF_OLD] == r->total[DIFF_NEW];
}

static bool
wanted(const struct view *v, const struct diff_row *r)
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
		return !same(r);
	}
}

/* What rows are sorted by and shown for. */
static uint64_t
weight(const struct view *v, const struct diff_row *r)
{
	uint64_t by, old = r->v[DIFF_OLD][v->by], new = r->v[DIFF_NEW][v->by];

	if (v->kind == COMMON)
		return old > new ? old : new;
	diff_sign(r, v->by, &by);
	return by;
}

static int
compare(const void *va, const void *vb, void *arg)
{
	const struct view *v = arg;
	size_t i = *(const size_t *)va, j = *(const size_t *)vb;
	const struct diff_row *a = &v->table->row[i], *b = &v->table->row[j];
	uint64_t x = weight(v, a), y = weight(v, b);

	if (x == y) {
		diff_sign(a, DIFF_BYTES, &x);
		diff_sign(b, DIFF_BYTES, &y);
	}
	if (x == y && v->funcs) {
		x = a->total[0] > a->total[1] ? a->total[0] - a->total[1]
					      : a->total[1] - a->total[0];
		y = b->total[0] > b->total[1] ? b->total[0] - b->total[1]
					      : b->total[1] - b->total[0];
	}
	if (x != y)
		return x < y ? 1 : -1;
	return (i > j) - (i < j);
}

static void
sum(struct diff_row *to, const struct diff_row *r)
{
	diff_add(to, DIFF_OLD, r->v[DIFF_OLD]);
	diff_add(to, DIFF_NEW, r->v[DIFF_NEW]);
	to->no_peak |= r->no_peak;
	/* A sum of totals would count things twice. */
	to->in[DIFF_OLD] = to->in[DIFF_NEW] = false;
}

/* Is the row number n of those picked worth to be shown? */
static bool
worth(const struct view *v, const struct diff_row *r, size_t n)
{
	const struct diff_row *all = &v->d->total;
	uint64_t old = all->v[DIFF_OLD][v->by], new = all->v[DIFF_NEW][v->by];
	uint64_t whole = old > new ? old : new, total = 0;

	if (v->t->o->see.top)
		return n < v->t->o->see.top;
	if (v->t->o->verbosity == OPTIONS_VERBOSE)
		return true;
	if (v->funcs)
		total = r->total[0] > r->total[1] ? r->total[0] - r->total[1]
						  : r->total[1] - r->total[0];
	return (weight(v, r) && tables_worth(v->t, weight(v, r), whole)) ||
	       (total && tables_worth(v->t, total, whole));
}

/* Which rows there are, sorted; those that aren't worth it come last. */
static int
pick(struct view *v)
{
	const struct diff_table *a = v->table;
	size_t n = 0;

	v->pick = calloc(2 * a->n + 1, sizeof *v->pick);
	if (!v->pick)
		return -1;
	for (size_t i = 0; i < a->n; i++)
		if (wanted(v, &a->row[i]))
			v->pick[v->npick++] = i;
	if (v->npick)
		qsort_r(v->pick, v->npick, sizeof *v->pick, compare, v);
	for (size_t i = 0; i < v->npick; i++) {
		const struct diff_row *r = &a->row[v->pick[i]];

		sum(&v->all, r);
		if (worth(v, r, i))
			v->pick[v->nshown++] = v->pick[i];
		else
			v->pick[a->n + n++] = v->pick[i];
	}
	/* A row for a single one is no longer than the one in its place. */
	if (n == 1 && !v->t->o->see.top)
		v->pick[v->nshown++] = v->pick[a->n];
	else
		for (size_t i = 0; i < n; i++)
			sum(&v->others, &a->row[v->pick[a->n + i]]);
	return 0;
}

static void
measure(struct view *v)
{
	char buf[CELL];

	for (size_t c = 0; c < columns(v); c++) {
		size_t *w = &v->width[c], n;

		head(v, c, buf);
		*w = strlen(buf) < 9 ? 9 : strlen(buf);
		cell(v, &v->all, c, buf);
		n = strlen(buf);
		*w = *w < n ? n : *w;
		for (size_t i = 0; i < v->nshown; i++) {
			cell(v, &v->table->row[v->pick[i]], c, buf);
			n = strlen(buf);
			*w = *w < n ? n : *w;
		}
	}
}

static void
put_name(struct view *v, const char *text)
{
	char *name = name_cut(text, v->t->o->name_width);

	if (name)
		line_add(&v->t->line, "%s", name);
	else
		v->t->line.failed = true;
	free(name);
}

/* A path: its frames are in the order of the line, or the other way round. */
static void
put_path(struct view *v, size_t at)
{
	const struct diff *d = v->d;
	size_t n = 0, *frames;

	if (!at) {
		line_add(&v->t->line, "> (no chain)");
		return;
	}
	for (size_t i = at; i; i = d->path[i].next)
		n++;
	frames = calloc(n, sizeof *frames);
	if (!frames) {
		v->t->line.failed = true;
		return;
	}
	line_add(&v->t->line, d->depth && n >= d->depth ? "..." : "|| ");
	for (size_t i = at, k = 0; i; i = d->path[i].next, k++)
		frames[d->depth ? k : n - 1 - k] = d->path[i].name;
	for (size_t k = 0; k < n; k++) {
		line_add(&v->t->line, "> ");
		put_name(v, d->name[frames[k]].text);
		line_add(&v->t->line, " ");
	}
	free(frames);
}

static void
row(struct view *v, const struct diff_row *r, const char *text)
{
	char buf[CELL];

	for (size_t c = 0; c < columns(v); c++) {
		cell(v, r, c, buf);
		line_right(&v->t->line, v->width[c] + (c > 0), buf);
	}
	line_add(&v->t->line, "   ");
	if (text)
		line_add(&v->t->line, "%s", text);
	else if (r->name)
		put_name(v, r->name);
	else
		put_path(v, r->path);
	line_end(&v->t->line);
}

static void
rows(struct view *v)
{
	char buf[CELL];
	size_t n = v->npick - v->nshown;

	measure(v);
	for (size_t c = 0; c < columns(v); c++) {
		head(v, c, buf);
		line_right(&v->t->line, v->width[c] + (c > 0), buf);
	}
	line_end(&v->t->line);
	line_end(&v->t->line);
	row(v, &v->all, "<TOTAL>");
	for (size_t i = 0; i < v->nshown; i++)
		row(v, &v->table->row[v->pick[i]], NULL);
	if (!n)
		return;
	snprintf(buf, sizeof buf, "(%zu other%s)", n, n == 1 ? "" : "s");
	row(v, &v->others, buf);
}

/* One table, or part of one, under a heading.  0, or -1 when out of memory. */
static int
section(struct tables *t, const struct diff *d, const struct diff_table *a,
	enum kind kind, enum diff_figure by, const char *title)
{
	struct view v = { .t = t, .d = d, .table = a, .kind = kind, .by = by };
	int status;

	v.funcs = a == &d->funcs && kind == CHANGED;
	line_end(&t->line);
	tables_say(t, title);
	line_end(&t->line);
	status = pick(&v);
	if (!status && !v.npick)
		tables_say(t, "None.");
	else if (!status)
		rows(&v);
	free(v.pick);
	return status;
}

/* ------------------------------------------------------------------- all -- */

static int
changes(struct tables *t, const struct diff *d, enum diff_figure by)
{
	return section(t, d, &d->sites, NEW, by, "New call paths") ||
			       section(t, d, &d->sites, GONE, by,
				       "Call paths that are gone") ||
			       section(t, d, &d->sites, GROWN, by,
				       "Call paths that have grown") ||
			       section(t, d, &d->sites, SHRUNK, by,
				       "Call paths that have shrunk") ||
			       section(t, d, &d->funcs, CHANGED, by,
				       "Functions that differ") ||
			       section(t, d, &d->types, CHANGED, by,
				       "Types that differ") ||
			       section(t, d, &d->bins, CHANGED,
				       by == DIFF_PEAK ? DIFF_BYTES : by,
				       "Sizes that differ")
		       ? -1
		       : 0;
}

static int
common(struct tables *t, const struct diff *d, enum diff_figure by)
{
	return section(t, d, &d->sites, COMMON, by,
		       "Call paths of both runs") ||
			       section(t, d, &d->funcs, COMMON, by,
				       "Functions of both runs") ||
			       section(t, d, &d->types, COMMON, by,
				       "Types of both runs") ||
			       section(t, d, &d->bins, COMMON,
				       by == DIFF_PEAK ? DIFF_BYTES : by,
				       "Sizes of both runs")
		       ? -1
		       : 0;
}

int
diff_print(const struct diff *d, const struct options *o, FILE *out)
{
	struct tables t = { .p = d->run[DIFF_NEW], .o = o };
	enum diff_figure by = DIFF_BYTES;
	int status;

	if (o->see.order)
		diff_figure_of(o->see.order, &by);
	line_init(&t.line, out);
	diff_summary(&t, d);
	status = o->see.common ? common(&t, d, by) : changes(&t, d, by);
	legend_print(&t, legend_diff);
	if (t.line.failed)
		status = -1;
	line_fini(&t.line);
	return status;
}
