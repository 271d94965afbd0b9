/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --timeline: holders of memory at each mark, at the peak and at the end. */
#include "display/grid/grid.h"
#include "display/timeline/timeline.h"

#include "display/text/amount.h"
#include "reduce/base/sort.h"

#include <stdlib.h>

/* Marks that get a row without --verbose. */
enum { MARKS = 40 };

/* A row: a time and its figures. */
struct point {
	uint64_t time;
	uint64_t live;	 /* UINT64_MAX: unknown */
	size_t snapshot; /* the row shows the shares at this snapshot */
	size_t mark;	 /* the mark's number; 0: not a mark */
	const char *name;
	bool exact; /* the shares are those of the peak itself */
};

bool
timeline_has_peak(const struct timeline *x)
{
	const struct profile *p = x->t->p;

	return !x->memory && p->peak && (p->peaks_known || !profile_is_less(p));
}

size_t
timeline_marks(const struct timeline *x)
{
	size_t n = x->time->nmarks;

	return n > MARKS && x->t->o->verbosity != OPTIONS_VERBOSE ? MARKS : n;
}

size_t
timeline_points(const struct timeline *x, size_t *v)
{
	const struct profile_time *time = x->time;
	size_t n = 0;

	for (size_t i = 0; i < timeline_marks(x); i++)
		v[n++] = time->marks[i].snapshot;
	if (x->memory)
		v[n++] = timeline_memory_most(x);
	if (timeline_has_peak(x))
		v[n++] = timeline_before(time, x->t->p->peak_at);
	v[n++] = time->n;
	return n;
}

/* By time; the peak precedes a mark of the same time. */
SORT_BY(compare, struct point, SORT_UP(time) SORT_UP(mark))

/* Make all rows.  The row of the end comes last. */
static size_t
points(const struct timeline *x, struct point *k)
{
	const struct profile *p = x->t->p;
	const struct profile_time *time = x->time;
	size_t n = 0;

	for (size_t i = 0; i < timeline_marks(x); i++) {
		const struct time_mark *m = &time->marks[i];

		k[n++] = (struct point){ .time = m->time,
					 .live = p->filter.less ? UINT64_MAX
								: m->live,
					 .snapshot = m->snapshot,
					 .mark = i + 1,
					 .name = m->name };
	}
	if (x->memory) {
		size_t most = timeline_memory_most(x);

		k[n++] = (struct point){ .time = time->at[most - 1],
					 .live = timeline_live(time, most),
					 .snapshot = most,
					 .name = "the most seen" };
	}
	if (timeline_has_peak(x))
		k[n++] =
			(struct point){ .time = p->peak_at,
					.live = p->peak,
					.snapshot = timeline_before(time,
								    p->peak_at),
					.name = "the peak",
					.exact = x->exact };
	qsort(k, n, sizeof *k, compare);
	k[n++] = (struct point){ .time = time->at[time->n - 1],
				 .live = timeline_live(time, time->n),
				 .snapshot = time->n,
				 .name = x->memory	     ? "the last"
					 : p->snapshot.other ? "then"
							     : "the end" };
	return n;
}

/* ---------------------------------------------------------------- rows -- */

/* The bytes of holder h, out of all; past the last holder: of all others. */
static uint64_t
share(const struct timeline *x, const struct point *k, size_t h, uint64_t all)
{
	size_t at = k->exact ? x->nsamples : timeline_sample(x, k->snapshot);
	uint64_t rest = all;

	for (size_t i = 0; i < x->nholders; i++) {
		uint64_t n = x->holder[i].live[at];

		if (i == h)
			return n;
		rest = amount_sub(rest, n);
	}
	return rest;
}

/* From LETTER on: the share of each holder, then of all others. */
enum { TIME, LIVE, RSS, LETTER };

static void
timeline_table_get(const struct grid *g, const void *row, unsigned at,
		   struct grid_cell *c)
{
	const struct timeline *x = g->arg;
	const struct point *k = row;
	bool others = at == LETTER + x->nholders;

	if (at == TIME) {
		c->n = k->time;
	} else if (at == LIVE) {
		c->n = k->live;
		c->unknown = k->live == UINT64_MAX;
	} else if (at == RSS) {
		c->n = k->snapshot ? x->time->rss[k->snapshot - 1] : UINT64_MAX;
		c->unknown = c->n == UINT64_MAX;
	} else if (others && !x->others) {
		c->text = "";
	} else {
		c->of = k->exact ? g->t->p->total.peak
				 : timeline_live(x->time, k->snapshot);
		c->n = share(x, k, at - LETTER, c->of);
	}
}

static void
timeline_table_put(const struct grid *g, const void *row)
{
	const struct point *k = row;

	if (k->mark)
		line_add(&g->t->line, "mark %zu: ", k->mark);
	tables_name(g->t, *k->name || !k->mark ? k->name : "(no name)");
}

/* Set the columns for the holders; returns their number. */
static size_t
timeline_table_columns(const struct timeline *x, struct grid_column *c)
{
	static const char *const letter[TIMELINE_LETTERS] = { "a", "b", "c",
							      "d", "e", "f",
							      "g", "h" };
	size_t n = 0;

	c[n++] = (struct grid_column){ "seconds", GRID_SECONDS, 10,
				       .get = timeline_table_get, .at = TIME };
	c[n++] = (struct grid_column){ x->memory ? "RSS" : "live bytes",
				       GRID_BYTES, 13,
				       .get = timeline_table_get, .at = LIVE };
	if (x->time->rss)
		c[n++] = (struct grid_column){ "RSS", GRID_BYTES, 13,
					       .get = timeline_table_get,
					       .at = RSS };
	if (x->nholders)
		c[n - 1].after = " |";
	for (unsigned i = 0; i < x->nholders; i++)
		c[n++] = (struct grid_column){ letter[i], GRID_PERCENT, 4,
					       .get = timeline_table_get,
					       .at = LETTER + i };
	if (x->nholders)
		c[n++] = (struct grid_column){ x->others ? "." : "",
					       GRID_PERCENT, 4,
					       .get = timeline_table_get,
					       .at = LETTER +
						     (unsigned)x->nholders };
	c[n++] = (struct grid_column){ "when", GRID_NAME,
				       .put = timeline_table_put,
				       .before = "   " };
	return n;
}

int
timeline_table(struct timeline *x)
{
	size_t marks = timeline_marks(x), n;
	struct point *k = tables_room(x->t, marks + 3, sizeof *k);
	struct grid_column column[TIMELINE_LETTERS + 5];
	struct grid g;

	n = points(x, k);
	grid_init(&g, x->t, column, timeline_table_columns(x, column));
	g.arg = x;
	line_end(&x->t->line);
	grid_print(&g, &(struct grid_rows){ GRID_ROWS(k, n) });
	n = x->time->nmarks - marks;
	if (n)
		line_say(&x->t->line, "(%zu later mark%s; --verbose shows all)",
			 n, n == 1 ? "" : "s");
	return 0;
}
