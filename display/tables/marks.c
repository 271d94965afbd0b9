/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The marks: what was live at each, and what happened since the one before. */
#include "display/grid/grid.h"
#include "display/grid/notes.h"
#include "display/grid/view.h"
#include "display/text/amount.h"

#include <stdlib.h>

/* A row: totals at a mark, and what there was since the one before. */
struct totals {
	const char *name;
	uint64_t time;
	uint64_t allocs, bytes, frees, freed;
	uint64_t since[4]; /* allocs, bytes, frees, freed */
};

enum { TIME, LIVE, BLOCKS, SINCE };

static void
get(const struct grid *g, const void *row, unsigned at, struct grid_cell *c)
{
	const struct totals *a = row;

	(void)g;
	c->n = at == TIME   ? a->time
	       : at == LIVE ? amount_sub(a->bytes, a->freed)
	       : at == BLOCKS ? amount_sub(a->allocs, a->frees)
			      : a->since[at - SINCE];
}

static void
put(const struct grid *g, const void *row)
{
	const struct totals *a = row;

	tables_name(g->t, *a->name ? a->name : "(no name)");
}

static const struct grid_column columns[] = {
	COLUMN("seconds", SECONDS, 10, get, TIME, "after the start"),
	COLUMN("live bytes", BYTES, 13, get, LIVE,
	       "bytes and blocks allocated and not freed then"),
	COLUMN("blocks", COUNT, 11, get, BLOCKS, NULL, .after = " |"),
	COLUMN("allocs", COUNT, 11, get, SINCE,
	       "blocks allocated since the mark before, or since the start "
	       "or a reset of the counts when there was one, and their "
	       "bytes"),
	COLUMN("bytes", BYTES, 13, get, SINCE + 1, NULL),
	COLUMN("frees", COUNT, 11, get, SINCE + 2,
	       "blocks freed since then, and their bytes"),
	COLUMN("freed bytes", BYTES, 13, get, SINCE + 3, NULL),
	NAME("mark", "   ", put, "its name"),
};

static const struct legend legend = {
	.about = "The times that the program gave names, and the end of the "
		 "run.",
	.indent = 13,
};

/* The figures of row i: that of a mark, or after the last of the end. */
static struct totals
totals(const struct profile *p, size_t i)
{
	const struct mark *m = i < p->nmarks ? &p->marks[i] : NULL;
	const struct mark *before = i > 0 ? &p->marks[i - 1] : NULL;
	struct totals a = { .name = p->snapshot.other ? "(then)" : "(end)",
			    .time = p->snapshot.other ? p->snapshot.at
						      : p->runs[0].length };

	if (m) {
		a.name = m->name;
		a.time = m->time;
	}
	a.allocs = m ? m->allocs : amount_allocs(&p->total);
	a.bytes = m ? m->bytes : amount_bytes(&p->total);
	a.frees = m ? m->frees : amount_frees(&p->total);
	a.freed = m ? m->freed : amount_freed(&p->total);
	/* Counts that were reset are all since then. */
	if (before &&
	    (m ? m->restart
	       : p->runs[0].was_reset && before->time < p->runs[0].reset))
		before = NULL;
	a.since[0] = amount_sub(a.allocs, before ? before->allocs : 0);
	a.since[1] = amount_sub(a.bytes, before ? before->bytes : 0);
	a.since[2] = amount_sub(a.frees, before ? before->frees : 0);
	a.since[3] = amount_sub(a.freed, before ? before->freed : 0);
	return a;
}

int
marks_print(struct tables *t)
{
	const struct profile *p = t->p;
	struct totals *v;
	struct grid g;

	tables_title(t, "--------- Marks ------------");
	if (!p->nmarks) {
		tables_say(t, p->filter.less
				      ? "Marks are of the whole program, and "
					"not of what a filter leaves."
			      : p->snapshot.span || p->snapshot.peak
				      ? "Marks have the totals since the "
					"start, and not those of this part."
			      : p->snapshot.other
				      ? "The program had set no mark by then."
			      : p->marks_dropped
				      ? "The files have marks of several runs; "
					"each file by itself shows its own."
				      : "The program set no marks.");
		return 0;
	}
	v = calloc(p->nmarks + 1, sizeof *v);
	if (!v)
		return -1;
	for (size_t i = 0; i <= p->nmarks; i++)
		v[i] = totals(p, i);
	GRID_INIT(&g, t, columns);
	/* What is known of the end may be less than all. */
	grid_print(&g, &(struct grid_rows){ .v = v,
					    .n = p->nmarks + !p->incomplete,
					    .size = sizeof *v });
	grid_legend(&g, &legend);
	free(v);
	return 0;
}
