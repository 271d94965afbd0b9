/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What two runs did in all: see diff.h. */
#include "display/diff/diff.h"
#include "display/grid/grid.h"
#include "display/grid/notes.h"
#include "display/text/amount.h"

static void
runs(struct tables *t, const struct profile *p, const char *which)
{
	char buf[NUMBER_SIZE];

	for (size_t i = 0; i < p->nruns; i++) {
		const struct run *r = &p->runs[i];

		line_add(&t->line, "%s: %s", which, r->path);
		if (r->problem) {
			line_add(&t->line, ": left out: %s", r->problem);
		} else {
			line_add(&t->line, ": %s",
				 *r->command ? r->command : r->program);
			if (r->length)
				line_add(&t->line, ", %s s",
					 number_seconds(buf, r->length));
			if (*r->end)
				line_add(&t->line, ", %s", r->end);
		}
		line_end(&t->line);
	}
	/* Notes on all of its figures. */
	t->p = p;
	tables_notes(t);
}

/* A line of the summary.  known: in both runs. */
struct figure {
	const char *what;
	uint64_t v[DIFF_NRUN];
	bool bytes, known;
};

enum { CHANGE = DIFF_NRUN, PERCENT, WHAT };

static void
get(const struct grid *g, const void *row, unsigned at, struct grid_cell *c)
{
	const struct figure *f = row;
	uint64_t old = f->v[DIFF_OLD], new = f->v[DIFF_NEW];
	uint64_t by = new > old ? new - old : old - new;
	bool human = f->bytes && g->t->o->human, sign = by && at >= CHANGE;
	char *buf = c->buf + sign;

	c->text = at == WHAT ? f->what : c->buf;
	c->buf[0] = new > old ? '+' : '-';
	if (at == WHAT)
		return;
	if (!f->known)
		snprintf(c->buf, sizeof c->buf, "%s", at == PERCENT ? "" : "-");
	else if (at != PERCENT)
		number_bytes(buf, at == CHANGE ? by : f->v[at], human);
	else if (by && !old) /* more than nothing */
		snprintf(c->buf, sizeof c->buf, "-");
	else
		snprintf(buf, sizeof c->buf - 1, "%.1f",
			 by ? (double)by * 100 / (double)old : 0.0);
}

static const struct grid_column columns[] = {
	COLUMN(NULL, LEFT, 22, get, WHAT, NULL),
	COLUMN("old", TEXT, 15, get, DIFF_OLD, NULL),
	COLUMN("new", TEXT, 15, get, DIFF_NEW, NULL),
	COLUMN("difference", TEXT, 15, get, CHANGE, NULL),
	COLUMN("percent", TEXT, 10, get, PERCENT, NULL),
};

static uint64_t
length(const struct profile *p)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < p->nruns; i++)
		ns = amount_add(ns, p->runs[i].length);
	return ns / 1000000;
}

static void
totals(struct tables *t, const struct diff *d)
{
	const struct profile *a = d->run[DIFF_OLD], *b = d->run[DIFF_NEW];
	const struct counts *x = &a->total, *y = &b->total;
	bool peak = (!a->incomplete || a->peak) &&
		    (!b->incomplete || b->peak) && !a->filter.less &&
		    !b->filter.less;
	const struct figure v[] = {
		{ "bytes allocated",
		  { amount_bytes(x), amount_bytes(y) },
		  true,
		  true },
		{ "allocations",
		  { amount_allocs(x), amount_allocs(y) },
		  false,
		  true },
		{ "bytes freed",
		  { amount_freed(x), amount_freed(y) },
		  true,
		  true },
		{ "bytes kept",
		  { amount_kept(x), amount_kept(y) },
		  true,
		  true },
		{ "blocks kept",
		  { amount_sub(amount_allocs(x), amount_frees(x)),
		    amount_sub(amount_allocs(y), amount_frees(y)) },
		  false,
		  true },
		{ "bytes at the peak", { a->peak, b->peak }, true, peak },
		{ "reallocs",
		  { a->reallocs, b->reallocs },
		  false,
		  !profile_is_part(a) && !profile_is_part(b) },
		{ "bytes lost",
		  { a->leak.bytes[PROFILE_LOST], b->leak.bytes[PROFILE_LOST] },
		  true,
		  a->leaks_all && b->leaks_all },
		{ "threads",
		  { a->threads, b->threads },
		  false,
		  !profile_is_less(a) && !profile_is_less(b) },
		{ "milliseconds",
		  { length(a), length(b) },
		  false,
		  length(a) && length(b) },
	};
	struct grid g;

	GRID_INIT(&g, t, columns);
	g.dense = true;
	grid_print(&g, &(struct grid_rows){ .v = v,
					    .n = sizeof v / sizeof *v,
					    .size = sizeof *v });
}

/* That the runs did different amounts of work, or that this is allowed for. */
static void
work(struct tables *t, const struct diff *d)
{
	uint64_t old = amount_bytes(&d->run[DIFF_OLD]->total);
	uint64_t new = amount_bytes(&d->run[DIFF_NEW]->total);
	uint64_t large = old > new ? old : new, small = old > new ? new : old;

	if (d->scaled) {
		line_end(&t->line);
		line_say(&t->line,
			 "Below the old run's figures are multiplied by "
			 "%.6g, so that both allocate the",
			 (double)d->whole[DIFF_NEW] /
				 (double)d->whole[DIFF_OLD]);
		tables_say(t, "same number of bytes.");
	} else if (large - small > large / 10) {
		line_end(&t->line);
		tables_say(t, "The runs allocated different amounts: if one "
			      "did more work, --normalize compares");
		tables_say(t, "what is left when both allocate the same.");
	}
}

void
diff_summary(struct tables *t, const struct diff *d)
{
	tables_say(t, "--------- Difference of Two Runs ------------");
	line_end(&t->line);
	runs(t, d->run[DIFF_OLD], "old");
	runs(t, d->run[DIFF_NEW], "new");
	line_end(&t->line);
	totals(t, d);
	work(t, d);
}
