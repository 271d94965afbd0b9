/* SPDX-License-Identifier: GPL-3.0-or-later */
/* After the annotated source: the lines that allocated most, and totals. */
#include "display/annotate/annotate.h"
#include "display/grid/grid.h"
#include "display/text/amount.h"
#include "reduce/base/sort.h"

#include <stdlib.h>

/* The number of lines to show, unless the user wants all. */
enum { TOP = 10 };

struct top {
	const struct annotate_file *file;
	const struct source_line *line;
	size_t place; /* index of the file in annotate.file */
};

SORT_BY(compare, struct top,
	SORT_DOWN(line->self.bytes) SORT_DOWN(line->self.allocs) SORT_UP(place)
		SORT_UP(line->line))

/* Collect the lines that are shown and allocated memory themselves, sorted. */
static size_t
annotate_top_collect(const struct annotate *a, struct top *top)
{
	size_t n = 0;

	for (size_t i = 0; i < a->n; i++) {
		const struct annotate_file *f = &a->file[i];

		for (size_t k = 0; k < f->source->nlines; k++)
			if (f->on[k] && f->source->lines[k].self.allocs)
				top[n++] =
					(struct top){ f, &f->source->lines[k],
						      i };
	}
	qsort(top, n, sizeof *top, compare);
	return n;
}

enum { BYTES, ALLOCS, KEPT };

static void
annotate_top_get(const struct grid *g, const void *row, unsigned at,
		 struct grid_cell *c)
{
	const struct account *a = &((const struct top *)row)->line->self;

	c->n = at == BYTES    ? a->bytes
	       : at == ALLOCS ? a->allocs
			      : account_kept(a);
	c->of = counts_sum(g->t->p->total.bytes);
}

static void
annotate_top_put(const struct grid *g, const void *row)
{
	const struct top *top = row;
	const struct source_line *s = top->line;
	struct line *l = &g->t->line;

	line_add(l, "%s:%u (", top->file->name, s->line);
	tables_name(g->t, s->funcs[0].name);
	line_left(l, 0, s->nfuncs > 1 ? ", ...)" : ")");
}

static const struct grid_column columns[] = {
	COLUMN("bytes", BYTES, 12, annotate_top_get, BYTES, NULL, .share = 5),
	COLUMN("allocs", COUNT, 11, annotate_top_get, ALLOCS, NULL),
	COLUMN("kept", BYTES, 13, annotate_top_get, KEPT, NULL),
	NAME("line", "   ", annotate_top_put, NULL),
};

static void
annotate_top_rows(struct tables *t, const struct top *top, size_t n)
{
	struct line *l = &t->line;

	line_say(l, "Top %zu Line%s:", n, n == 1 ? "" : "s");
	line_end(l);
	GRID_TABLE(t, columns, top, n, NULL);
	line_end(l);
}

static void
annotate_top_sum(struct tables *t, const char *figure, const char *what)
{
	line_right(&t->line, 15, figure);
	line_say(&t->line, "   %s", what);
}

/* The summary of gprof, for allocations. */
static void
annotate_top_summary(const struct annotate *a, size_t allocating)
{
	struct tables *t = a->t;
	uint64_t bytes = 0, all = counts_sum(t->p->total.bytes);
	char n[NUMBER_SIZE];
	size_t lines = 0;

	for (size_t i = 0; i < a->n; i++) {
		bytes = amount_add(bytes, a->file[i].shown.bytes);
		for (size_t k = 0; k < a->file[i].source->nlines; k++)
			lines += a->file[i].on[k];
	}
	tables_say(t, "Execution Summary:");
	line_end(&t->line);
	annotate_top_sum(t, number_count(n, a->n),
			 a->n == 1 ? "source file" : "source files");
	annotate_top_sum(t, number_count(n, lines),
			 "lines with calls that led to allocations");
	annotate_top_sum(t, number_count(n, allocating),
			 "of these lines allocated "
			 "themselves");
	annotate_top_sum(t, tables_bytes(t, n, bytes),
			 "bytes were allocated by these "
			 "lines");
	annotate_top_sum(t, tables_bytes(t, n, number_mean(bytes, allocating)),
			 "bytes by each line on average");
	annotate_top_sum(
		t, tables_bytes(t, n, amount_sub(all, bytes)),
		t->o->annotate_only.n
			? "bytes by all other lines, and by unknown lines"
			: "bytes by unknown lines");
}

void
annotate_summary(const struct annotate *a)
{
	size_t n = 0;
	struct top *top;

	for (size_t i = 0; i < a->n; i++)
		n += a->file[i].source->nlines;
	top = tables_room(a->t, n, sizeof *top);
	n = annotate_top_collect(a, top);
	if (n)
		annotate_top_rows(a->t, top,
				  n < TOP || a->t->o->verbosity ==
							  OPTIONS_VERBOSE
					  ? n
					  : TOP);
	annotate_top_summary(a, n);
}
