/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --timeline: who held the memory at each mark, at the peak and at the end. */
#include "display/tables/legend.h"
#include "display/tables/timeline.h"

#include "display/text/amount.h"
#include "display/text/name.h"
#include "display/text/number.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char legend_timeline[] =
	"The memory that was live, over the time of the run from left to "
	"right.  RSS is\n"
	"what the process had of the machine's memory, with its code and "
	"stacks.\n"
	"\n"
	"a b c ...    who had allocated it; first those that held most.  A "
	"column shows\n"
	"             the moment of its time when most was live\n"
	".            all others\n"
	"_            some, but less than half a row\n"
	"most bytes   the most that was live at one of these moments, or the "
	"peak\n"
	"\n"
	"Below it a row for each mark that the program set, the peak and the "
	"end:\n"
	"\n"
	"seconds      after the start\n"
	"live bytes   at that time\n"
	"a b c ... .  their shares of it; where nothing is known of that very "
	"time, those\n"
	"             of the last moment before it\n"
	"\n"
	"Percentages are cut, not rounded: ** is 100, . is more than 0 and "
	"less than 1,\n"
	"and nothing is 0.\n";

/* Marks that get a row without --verbose. */
enum { MARKS = 40 };

/* A row: a time, and what is known of it. */
struct key {
	uint64_t time;
	uint64_t live;	 /* UINT64_MAX: not known */
	size_t moment;	 /* whose shares are shown */
	size_t mark;	 /* its number; 0: it is none */
	const char *name;
	bool exact;	 /* shares of the peak itself */
};

struct widths {
	size_t time, live, rss;
};

bool
timeline_has_peak(const struct profile *p)
{
	return p->peak && (p->peak_known || !profile_is_less(p));
}

size_t
timeline_marks(const struct tables *t)
{
	size_t n = t->p->time.nmarks;

	return n > MARKS && t->o->verbosity != OPTIONS_VERBOSE ? MARKS : n;
}

size_t
timeline_keys(const struct tables *t, size_t *v)
{
	const struct profile_time *time = &t->p->time;
	size_t n = 0;

	for (size_t i = 0; i < timeline_marks(t); i++)
		v[n++] = time->marks[i].moment;
	if (timeline_has_peak(t->p))
		v[n++] = timeline_before(time, t->p->peak_at);
	v[n++] = time->n;
	return n;
}

/* By time; the peak is before a mark of the same time. */
static int
compare(const void *va, const void *vb)
{
	const struct key *a = va, *b = vb;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return (a->mark > b->mark) - (a->mark < b->mark);
}

/* All rows but that of the end, and this. */
static size_t
keys(const struct timeline *x, struct key *k)
{
	const struct profile *p = x->t->p;
	const struct profile_time *time = x->time;
	size_t n = 0;

	for (size_t i = 0; i < timeline_marks(x->t); i++) {
		const struct time_mark *m = &time->marks[i];

		k[n++] = (struct key){ .time = m->time,
				       .live = p->filter.less ? UINT64_MAX
							      : m->live,
				       .moment = m->moment,
				       .mark = i + 1,
				       .name = m->name };
	}
	if (timeline_has_peak(p))
		k[n++] = (struct key){ .time = p->peak_at,
				       .live = p->peak,
				       .moment = timeline_before(time,
								 p->peak_at),
				       .name = "the peak",
				       .exact = x->exact };
	qsort(k, n, sizeof *k, compare);
	k[n++] = (struct key){ .time = time->at[time->n - 1],
			       .live = timeline_live(time, time->n),
			       .moment = time->n,
			       .name = p->moment.other ? "then" : "the end" };
	return n;
}

/* ---------------------------------------------------------------- rows -- */

static void
widen(size_t *width, uint64_t n, bool human)
{
	size_t need = number_bytes_width(n, human) + 1;

	if (*width < need)
		*width = need;
}

static struct widths
measure(const struct timeline *x, const struct key *k, size_t n)
{
	struct widths w = { 10, 13, 13 };
	char buf[NUMBER_SIZE];

	for (size_t i = 0; i < n; i++) {
		size_t time = line_width(number_seconds(buf, k[i].time));

		w.time = time > w.time ? time : w.time;
		if (k[i].live != UINT64_MAX)
			widen(&w.live, k[i].live, x->t->o->human);
	}
	for (size_t i = 0; i < x->time->n && x->time->rss; i++)
		if (x->time->rss[i] != UINT64_MAX)
			widen(&w.rss, x->time->rss[i], x->t->o->human);
	return w;
}

static void
header(struct timeline *x, const struct widths *w)
{
	struct line *l = &x->t->line;
	char letter[2] = "a";

	line_end(l);
	line_right(l, w->time, "seconds");
	line_right(l, w->live, "live bytes");
	if (x->time->rss)
		line_right(l, w->rss, "RSS");
	if (x->nholders)
		line_add(l, " |");
	for (size_t i = 0; i < x->nholders; i++, letter[0]++)
		line_right(l, 4, letter);
	if (x->nholders)
		line_right(l, 4, x->others ? "." : "");
	line_add(l, "   when");
	line_end(l);
	line_end(l);
}

/* What holder h, or one behind them, the others, had in all of it. */
static uint64_t
share(const struct timeline *x, const struct key *k, size_t h, uint64_t all)
{
	size_t at = k->exact ? x->nsamples : timeline_sample(x, k->moment);
	uint64_t rest = all;

	for (size_t i = 0; i < x->nholders; i++) {
		uint64_t n = x->holder[i].live[at];

		if (i == h)
			return n;
		rest = amount_sub(rest, n);
	}
	return rest;
}

static void
row(struct timeline *x, const struct widths *w, const struct key *k)
{
	uint64_t all = k->exact ? x->t->p->total.peak
				: timeline_live(x->time, k->moment);
	uint64_t rss = x->time->rss && k->moment ? x->time->rss[k->moment - 1]
						 : UINT64_MAX;
	struct line *l = &x->t->line;
	char buf[NUMBER_SIZE], *name;

	line_right(l, w->time, number_seconds(buf, k->time));
	line_right(l, w->live,
		   k->live == UINT64_MAX ? "-"
					 : tables_bytes(x->t, buf, k->live));
	if (x->time->rss)
		line_right(l, w->rss,
			   rss == UINT64_MAX ? "-"
					     : tables_bytes(x->t, buf, rss));
	if (x->nholders)
		line_add(l, " |");
	for (size_t i = 0; i <= x->nholders && x->nholders; i++)
		line_right(l, 4,
			   i == x->nholders && !x->others
				   ? ""
				   : number_percent(buf, share(x, k, i, all),
						    all));
	name = name_cut(k->name, x->t->o->name_width);
	if (!name)
		l->failed = true;
	else if (k->mark)
		line_add(l, "   mark %zu: %s", k->mark,
			 *name ? name : "(no name)");
	else
		line_add(l, "   %s", name);
	line_end(l);
	free(name);
}

int
timeline_table(struct timeline *x)
{
	size_t marks = timeline_marks(x->t), n;
	struct key *k = calloc(marks + 2, sizeof *k);
	struct widths w;

	if (!k)
		return -1;
	n = keys(x, k);
	w = measure(x, k, n);
	header(x, &w);
	for (size_t i = 0; i < n; i++)
		row(x, &w, &k[i]);
	free(k);
	n = x->time->nmarks - marks;
	if (n) {
		line_add(&x->t->line, "(%zu later mark%s; --verbose shows all)",
			 n, n == 1 ? "" : "s");
		line_end(&x->t->line);
	}
	return 0;
}
