/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two runs: their totals.  See diff.h. */
#include "display/diff/diff.h"
#include "display/grid/grid.h"
#include "display/text/amount.h"
#include "display/text/conditions.h"

static void
diff_summary_runs(struct tables *t, const struct profile *p, const char *which)
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
				line_add(&t->line, ", %s%s s",
					 conditions_at_least(r),
					 number_seconds(buf, r->length));
			if (*r->end)
				line_add(&t->line, ", %s", r->end);
		}
		line_end(&t->line);
	}
	/* Notes on all figures of the run. */
	t->p = p;
	tables_notes(t, CONDITION_HEADED);
}

/* A line of the summary.  known: the figure is known for both runs. */
struct figure {
	const char *what;
	uint64_t v[DIFF_NRUN];
	bool bytes, known;
};

enum { CHANGE = DIFF_NRUN, PERCENT, WHAT };

static void
diff_summary_get(const struct grid *g, const void *row, unsigned at,
		 struct grid_cell *c)
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
	COLUMN(NULL, LEFT, 22, diff_summary_get, WHAT, NULL),
	COLUMN("old", TEXT, 15, diff_summary_get, DIFF_OLD, NULL),
	COLUMN("new", TEXT, 15, diff_summary_get, DIFF_NEW, NULL),
	COLUMN("difference", TEXT, 15, diff_summary_get, CHANGE, NULL),
	COLUMN("percent", TEXT, 10, diff_summary_get, PERCENT, NULL),
};

static uint64_t
length(const struct profile *p)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < p->nruns; i++)
		ns = amount_add(ns, p->runs[i].length);
	return ns / 1000000;
}

/* A row each: name, is it in bytes, the value of a run, and is it known? */
#define FIGURES(F) \
	F("bytes allocated", true, counts_sum(c->bytes), true) \
	F("allocations", false, counts_sum(c->allocs), true) \
	F("bytes freed", true, counts_sum(c->freed), true) \
	F("bytes kept", true, amount_kept(c), true) \
	F("blocks kept", false, amount_kept_blocks(c), true) \
	F("bytes suppressed", true, counts_of_all(c).hidden.bytes, true) \
	F("bytes at the peak", true, p->peak, \
	  (!p->incomplete || p->peak) && !p->filter.less) \
	F("reallocs", false, p->reallocs, !profile_is_part(p)) \
	F("bytes lost", true, p->leak.bytes[PROFILE_LOST], p->leaks_all) \
	F("threads", false, p->threads, !profile_is_less(p)) \
	F("milliseconds", false, length(p), length(p) > 0)

static void
add_run(struct figure *v, const struct profile *p, int run)
{
	const struct counts *c = &p->total;

#define F(text, is_bytes, value, is_known) \
	v->what = text; \
	v->bytes = is_bytes; \
	v->v[run] = value; \
	v->known = (is_known) && (run == DIFF_OLD || v->known); \
	v++;
	FIGURES(F)
#undef F
}

static void
diff_summary_totals(struct tables *t, const struct diff *d)
{
#define F(...) { 0 },
	struct figure v[] = { FIGURES(F) };
#undef F
	struct grid g;

	add_run(v, d->run[DIFF_OLD], DIFF_OLD);
	add_run(v, d->run[DIFF_NEW], DIFF_NEW);
	GRID_INIT(&g, t, columns);
	g.dense = true;
	grid_print(&g,
		   &(struct grid_rows){ GRID_ROWS(v, sizeof v / sizeof *v) });
}

/* Print the scale, or a warning if the runs did different amounts of work. */
static void
work(struct tables *t, const struct diff *d)
{
	uint64_t old = counts_sum(d->run[DIFF_OLD]->total.bytes);
	uint64_t new = counts_sum(d->run[DIFF_NEW]->total.bytes);
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
			      "did more work, --diff=normalize compares");
		tables_say(t, "what is left when both allocate the same.");
	}
}

void
diff_summary(struct tables *t, const struct diff *d)
{
	tables_rule(t, "Difference of Two Runs");
	line_end(&t->line);
	diff_summary_runs(t, d->run[DIFF_OLD], "old");
	diff_summary_runs(t, d->run[DIFF_NEW], "new");
	line_end(&t->line);
	diff_summary_totals(t, d);
	work(t, d);
}
