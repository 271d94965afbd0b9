/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The summary: the totals, and of what matters most the lines of the program
 * that caused it, on one screen.
 */
#include "display/tables/summary.h"
#include "display/grid/errors.h"
#include "display/grid/notes.h"
#include "display/grid/view.h"
#include "display/text/amount.h"
#include "display/text/number.h"

#include <stdlib.h>

/* Lines in all. */
enum { LINES = 40 };

/* Which run it was, or how many. */
static void
runs(struct summary *s)
{
	const struct profile *p = s->t->p;
	const struct run *r = p->runs;
	struct line *l = &s->t->line;
	char buf[NUMBER_SIZE], tail[200];

	if (p->nruns != 1 || p->weighted || r->sum) {
		summary_title(s, p->nruns ? r->program : "");
		line_add(l, ": %zu files, summed%s", p->nruns - p->nunread,
			 p->weighted ? " by weights" : "");
		summary_end(s);
		return;
	}
	snprintf(tail, sizeof tail, ": %s, %s%s%s",
		 summary_time(s, buf, r->length),
		 !r->killed			    ? "ended by "
		 : r->running_known && r->running ? "still running"
		 : r->running_known		    ? "killed"
						  : "killed or still running",
		 r->killed ? "" : r->end, r->cut ? ", file cut short" : "");
	line_look(l, LINE_TITLE);
	tables_fit(s->t, *r->command ? r->command : r->program,
		   line_width(tail));
	line_look(l, LINE_PLAIN);
	line_add(l, "%s", tail);
	summary_end(s);
}

static void
totals(struct summary *s)
{
	const struct profile *p = s->t->p;
	struct line *l = &s->t->line;
	bool human = s->t->o->human;
	char buf[NUMBER_SIZE];

	runs(s);
	if (p->incomplete)
		line_add(l, "at least ");
	summary_blocks(s, amount_bytes(&p->total), amount_allocs(&p->total));
	errors_lone(s->t, amount_bytes(&p->total),
		    p->total.var[PROFILE_E_BYTES]);
	line_add(l, " allocated, ");
	line_add(l, "%s", number_units(buf, amount_kept(&p->total), human));
	errors_lone(s->t, amount_kept(&p->total), p->total.var[PROFILE_E_KEPT]);
	line_add(l, " %s",
		 p->snapshot.other && !p->snapshot.span ? "live then"
							: "not freed");
	/* With standard errors it doesn't fit a line. */
	if (p->sample.rate)
		summary_end(s);
	if (!profile_is_less(p) || p->peak_known) {
		line_add(l, "%speak ", p->sample.rate ? "" : ", ");
		line_add(l, "%s", number_units(buf, p->peak, human));
		errors_lone(s->t, p->peak, p->total.var[PROFILE_E_PEAK]);
	}
	if (!profile_is_less(p) && p->threads > 1)
		line_add(l, ", %s threads", number_grouped(buf, p->threads));
	summary_end(s);
	if (p->leak.hidden.blocks) {
		summary_blocks(s, p->leak.hidden.bytes, p->leak.hidden.blocks);
		line_add(l, " of what isn't freed %s suppressed (-L)",
			 p->leak.hidden.blocks == 1 ? "is" : "are");
		summary_end(s);
	}
}

/* What else there is. */
static void
more(struct summary *s)
{
	summary_end(s);
	line_add(&s->t->line, "More: --full, all tables; -L, leaks; -q, the "
			      "call graph; --html=FILE, a page");
	summary_end(s);
}

static int
uses(struct summary *s)
{
	const struct profile *p = s->t->p;

	if (!p->uses_known || profile_is_part(p))
		return 0;
	s->use = calloc(s->all.n + 1, sizeof *s->use);
	if (!s->use)
		return -1;
	for (size_t i = 0; i < p->nsites; i++)
		if (p->sites[i].use)
			amount_add_use(&s->use[s->all.of[i]], p->sites[i].use);
	return profile_gather_all(p, s->all.of, s->use, s->all.n);
}

static int
print(struct summary *s)
{
	const struct profile *p = s->t->p;
	size_t left = 0, room;

	for (size_t i = 0; i < summary_nsections; i++)
		left += summary_sections[i].wanted(p);
	totals(s);
	if (!left) {
		summary_end(s);
		tables_nothing(s->t);
	}
	for (size_t i = 0; left && i < summary_nsections; i++) {
		if (!summary_sections[i].wanted(p))
			continue;
		/* Less a blank line and a title each, and what comes last. */
		room = (LINES - 2 - s->lines) / left--;
		if (summary_section(s, &summary_sections[i],
				    room > 4 ? room - 2 : 2))
			return -1;
	}
	more(s);
	return 0;
}

int
summary_print(struct tables *t)
{
	struct summary s = { .t = t };
	size_t width = t->line.width;
	int status = -1;

	/* In a pipe, too, no line is longer than what it is made for. */
	t->line.width = t->o->screen_width;
	tables_notes(t);
	if (!origins_init(&s.all, t->p) && !uses(&s)) {
		s.row = summary_rows_new(s.all.n);
		if (s.row)
			status = print(&s);
	}
	free(s.row);
	free(s.use);
	origins_fini(&s.all);
	t->line.width = width;
	return status;
}
