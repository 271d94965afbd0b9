/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The marks: live blocks at each mark, and changes since the mark before. */
#include "display/grid/grid.h"
#include "display/grid/view.h"
#include "display/text/amount.h"

/* Live blocks at a mark, and changes since the mark before. */
struct row {
	const char *name;
	uint64_t time;
	uint64_t live, blocks;
	struct amounts since;
};

static void
marks_put(const struct grid *g, const void *row)
{
	const struct row *a = row;

	tables_name(g->t, *a->name ? a->name : "(no name)");
}

static const struct grid_column columns[] = {
	MEMBER("seconds", SECONDS, 10, row, time, "after the start"),
	MEMBER("live bytes", BYTES, 13, row, live,
	       "bytes and blocks that were live then"),
	MEMBER("blocks", COUNT, 11, row, blocks, NULL, .after = " |"),
	MEMBER("allocs", COUNT, 11, row, since.allocs,
	       "blocks and bytes allocated since the mark before, the start, "
	       "or a reset of the counts"),
	MEMBER("bytes", BYTES, 13, row, since.bytes, NULL),
	MEMBER("frees", COUNT, 11, row, since.frees,
	       "blocks and bytes freed since then"),
	MEMBER("freed bytes", BYTES, 13, row, since.freed, NULL),
	NAME("mark", "   ", marks_put, "its name"),
};

static const struct legend legend = {
	.about = "The times that the program gave names, and the end of the "
		 "run.",
};

/* Row i: a mark, or, after the last mark, the end. */
static struct row
marks_row_of(const struct profile *p, size_t i)
{
	const struct mark *m = i < p->nmarks ? &p->marks[i] : NULL;
	const struct mark *before = i > 0 ? &p->marks[i - 1] : NULL;
	uint64_t allocs = m ? m->allocs : counts_sum(p->total.allocs);
	uint64_t bytes = m ? m->bytes : counts_sum(p->total.bytes);
	uint64_t frees = m ? m->frees : counts_sum(p->total.frees);
	uint64_t freed = m ? m->freed : counts_sum(p->total.freed);
	struct row a = { .name = p->snapshot.other ? "(then)" : "(end)",
			 .time = p->snapshot.other ? p->snapshot.at
						   : p->runs[0].length };

	if (m) {
		a.name = m->name;
		a.time = m->time;
	}
	a.live = amount_sub(bytes, freed);
	a.blocks = amount_sub(allocs, frees);
	/* After a reset, the counts are those since the reset. */
	if (before &&
	    (m ? m->restart
	       : p->runs[0].was_reset && before->time < p->runs[0].reset))
		before = NULL;
	a.since = (struct amounts){ allocs, bytes, frees, freed };
	if (before) {
		a.since.allocs = amount_sub(allocs, before->allocs);
		a.since.bytes = amount_sub(bytes, before->bytes);
		a.since.frees = amount_sub(frees, before->frees);
		a.since.freed = amount_sub(freed, before->freed);
	}
	return a;
}

int
marks_print(struct tables *t)
{
	const struct profile *p = t->p;
	struct row *v;
	struct grid g;

	tables_title(t, "Marks");
	if (!p->nmarks && !p->filter.less && !p->snapshot.other &&
	    conditions_unwritten(p)) {
		tables_unknown(t, "Which marks the program set");
		return 0;
	}
	if (!p->nmarks) {
		tables_say(t, p->filter.less
				      ? "Marks have the figures of the whole "
					"program: filters don't change them."
			      : p->snapshot.span || p->snapshot.peak
				      ? "Marks have the totals since the "
					"start, not those of this part."
			      : p->snapshot.other
				      ? "The program had set no mark by then."
			      : p->marks_dropped
				      ? "The files have marks of several "
					"runs; print each file by itself."
				      : "The program set no marks.");
		return 0;
	}
	v = tables_room(t, p->nmarks + 1, sizeof *v);
	for (size_t i = 0; i <= p->nmarks; i++)
		v[i] = marks_row_of(p, i);
	GRID_INIT(&g, t, columns);
	/* In a truncated file, the counts at the end may be too low. */
	grid_print(&g, &(struct grid_rows){
			       GRID_ROWS(v, p->nmarks + !p->incomplete) });
	grid_legend(&g, &legend);
	return 0;
}
