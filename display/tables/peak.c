/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The peak: by call path, who held the memory when there was most of it. */
#include "display/tables/errors.h"
#include "display/tables/legend.h"
#include "display/tables/notes.h"
#include "display/tables/paths.h"
#include "display/tables/view.h"
#include "display/text/amount.h"
#include "display/text/number.h"

#include <inttypes.h>
#include <stdlib.h>

struct widths {
	size_t bytes, blocks;
};

/* What is in a row beside its path. */
struct share {
	uint64_t bytes, blocks;
	uint64_t before; /* bytes of the rows above */
	double var; /* of bytes */
};

static bool
held(const struct path *a)
{
	return a->peak || a->peak_blocks;
}

static int
compare(const void *va, const void *vb)
{
	const struct path *a = va, *b = vb;

	if (a->peak != b->peak)
		return a->peak < b->peak ? 1 : -1;
	if (a->peak_blocks != b->peak_blocks)
		return a->peak_blocks < b->peak_blocks ? 1 : -1;
	if (a->bytes != b->bytes)
		return a->bytes < b->bytes ? 1 : -1;
	return paths_compare(a, b);
}

/* Leave the paths that held something, sorted. */
static void
collect(struct paths *all)
{
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++)
		if (held(&all->path[i]))
			all->path[n++] = all->path[i];
	all->n = n;
	qsort(all->path, n, sizeof *all->path, compare);
}

/* How many of the paths get a row: the first ones, as they are sorted. */
static size_t
shown(const struct tables *t, const struct paths *all)
{
	uint64_t peak = t->p->total.peak;
	size_t n = 0;

	if (t->o->peak_rows)
		return t->o->peak_rows < all->n ? t->o->peak_rows : all->n;
	while (n < all->n && tables_worth(t, all->path[n].peak, peak))
		n++;
	/* A single one takes no more room by itself. */
	return n + 1 == all->n ? all->n : n;
}

/* The line above the table: how much, when, and how sure that is. */
static void
head(struct tables *t)
{
	const struct profile *p = t->p;
	struct line *l = &t->line;
	char n[NUMBER_SIZE];

	line_add(l, "%s: %s bytes",
		 p->filter.less ? "At the peak of the whole program" : "Peak",
		 tables_lone(t, n, p->peak));
	errors_lone(t, p->peak, p->total.var[PROFILE_E_PEAK]);
	if (p->peak_known)
		line_add(l, " in %" PRIu64 " block%s", p->peak_blocks,
			 p->peak_blocks == 1 ? "" : "s");
	if (p->peak) {
		line_add(l, ", which ended %s s after the start%s",
			 number_seconds(n, p->peak_at), tables_whose(p));
	}
	if (p->peak_slack)
		line_add(l, ", exact to within %s bytes",
			 tables_bytes(t, n, p->peak_slack));
	line_end(l);
	/* It was cut off, what held it wasn't. */
	if (p->peak_known && p->total.peak != p->peak) {
		line_add(l, "The rows add up to %s bytes.",
			 tables_bytes(t, n, p->total.peak));
		line_end(l);
	}
}

static void
header(struct tables *t, const struct widths *w)
{
	struct line *l = &t->line;

	line_end(l);
	line_add(l, "  %8s  %8s ", "% peak", "% sum");
	line_right(l, w->bytes, "bytes");
	errors_head(t);
	line_right(l, w->blocks, "blocks");
	line_add(l, "   path");
	line_end(l);
	line_end(l);
}

/* A row without its path and the end of the line. */
static void
row(struct tables *t, const struct widths *w, const struct share *s)
{
	uint64_t peak = t->p->total.peak;
	char buf[NUMBER_SIZE], sum[NUMBER_SIZE];
	struct line *l = &t->line;

	line_add(l, "  %8s  %8s ", number_tenths(buf, s->bytes, peak),
		 number_tenths(sum, amount_add(s->before, s->bytes), peak));
	line_right(l, w->bytes, tables_bytes(t, buf, s->bytes));
	errors_add(t, s->bytes, s->var);
	line_right(l, w->blocks, number_count(buf, s->blocks));
	line_add(l, "   ");
}

static void
total_row(struct tables *t, const struct widths *w)
{
	const struct profile *p = t->p;
	struct line *l = &t->line;
	char buf[NUMBER_SIZE];

	line_add(l, "  %8s  %8s ", "-----", "-----");
	line_right(l, w->bytes, tables_bytes(t, buf, p->total.peak));
	errors_add(t, p->total.peak, p->total.var[PROFILE_E_PEAK]);
	line_right(l, w->blocks, number_count(buf, p->peak_blocks));
	line_add(l, "   <TOTAL>");
	line_end(l);
	line_end(l);
}

static void
rows(struct tables *t, const struct paths *all)
{
	const struct profile *p = t->p;
	size_t n = shown(t, all), width;
	struct widths w = { 12, 11 };
	struct share s = { 0 };

	width = number_bytes_width(p->total.peak, t->o->human);
	w.bytes = width > w.bytes ? width : w.bytes;
	width = number_bytes_width(p->peak_blocks, false) + 1;
	w.blocks = width > w.blocks ? width : w.blocks;
	header(t, &w);
	total_row(t, &w);
	for (size_t i = 0; i < n; i++) {
		s.before = amount_add(s.before, s.bytes);
		s.bytes = all->path[i].peak;
		s.blocks = all->path[i].peak_blocks;
		s.var = all->path[i].var[PROFILE_E_PEAK];
		row(t, &w, &s);
		paths_print_typed(t, all, &all->path[i]);
		line_end(&t->line);
	}
	if (n == all->n)
		return;
	s = (struct share){ .before = amount_add(s.before, s.bytes) };
	for (size_t i = n; i < all->n; i++) {
		s.bytes = amount_add(s.bytes, all->path[i].peak);
		s.blocks = amount_add(s.blocks, all->path[i].peak_blocks);
		s.var += all->path[i].var[PROFILE_E_PEAK];
	}
	row(t, &w, &s);
	tables_others(t, all->n - n);
}

int
peak_print(struct tables *t)
{
	const struct profile *p = t->p;
	struct paths all = { 0 };
	int status;

	tables_title(t, "--------- Who Held the Memory at the Peak "
			"------------");
	if (profile_is_less(p) && p->peak_known && !p->peak_blocks) {
		tables_say(t, "None of it was live at the peak.");
		return 0;
	}
	if (!profile_is_less(p) && !p->peak && !p->incomplete &&
	    !(p->peak_known && p->peak_blocks)) {
		tables_say(t, "No memory was held at any time.");
		return 0;
	}
	if (!profile_is_less(p) || p->peak_known)
		head(t);
	if (!p->peak_known) {
		tables_unknown(t, "Who held it");
		return 0;
	}
	status = paths_init(&all, t, PATHS_PLAIN);
	if (!status) {
		collect(&all);
		rows(t, &all);
		legend_print(t, legend_peak);
	}
	paths_fini(&all);
	return status;
}
