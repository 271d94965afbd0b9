/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The marks: what was live at each, and what happened since the one before. */
#include "display/tables/legend.h"
#include "display/tables/notes.h"
#include "display/tables/table.h"
#include "display/tables/view.h"
#include "display/text/amount.h"
#include "display/text/name.h"
#include "display/text/number.h"

#include <stdlib.h>

/* A row: totals at a moment, and what they were at the one before. */
struct moment {
	const char *name;
	uint64_t time;
	uint64_t allocs, bytes, frees, freed;
	uint64_t since[4]; /* allocs, bytes, frees, freed */
};

struct widths {
	size_t time, blocks, live, since[4];
};

/* The figures of row i: that of a mark, or after the last of the end. */
static struct moment
moment(const struct profile *p, size_t i)
{
	const struct mark *m = i < p->nmarks ? &p->marks[i] : NULL;
	const struct mark *before = i > 0 ? &p->marks[i - 1] : NULL;
	struct moment a = { .name = p->moment.other ? "(then)" : "(end)",
			    .time = p->moment.other ? p->moment.at
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

/* Make a column wide enough for n, and a blank before it. */
static void
widen(size_t *width, uint64_t n, bool human)
{
	size_t need = number_bytes_width(n, human) + 1;

	if (*width < need)
		*width = need;
}

static struct widths
measure(const struct tables *t)
{
	struct widths w = { 10, 11, 13, { 11, 13, 11, 13 } };
	char buf[NUMBER_SIZE];

	for (size_t i = 0; i <= t->p->nmarks; i++) {
		struct moment a = moment(t->p, i);
		size_t n = line_width(number_seconds(buf, a.time));

		w.time = n > w.time ? n : w.time;
		widen(&w.blocks, amount_sub(a.allocs, a.frees), false);
		widen(&w.live, amount_sub(a.bytes, a.freed), t->o->human);
		for (int k = 0; k < 4; k++)
			widen(&w.since[k], a.since[k], k % 2 && t->o->human);
	}
	return w;
}

static void
header(struct tables *t, const struct widths *w)
{
	static const char *const since[] = { "allocs", "bytes", "frees",
					     "freed bytes" };
	struct line *l = &t->line;

	line_right(l, w->time, "seconds");
	line_right(l, w->live, "live bytes");
	line_right(l, w->blocks, "blocks");
	line_add(l, " |");
	for (int k = 0; k < 4; k++)
		line_right(l, w->since[k], since[k]);
	line_add(l, "   mark");
	line_end(l);
	line_end(l);
}

static void
row(struct tables *t, const struct widths *w, const struct moment *a)
{
	char buf[NUMBER_SIZE], *name;
	struct line *l = &t->line;

	line_right(l, w->time, number_seconds(buf, a->time));
	line_right(l, w->live,
		   tables_bytes(t, buf, amount_sub(a->bytes, a->freed)));
	line_right(l, w->blocks,
		   number_count(buf, amount_sub(a->allocs, a->frees)));
	line_add(l, " |");
	for (int k = 0; k < 4; k++)
		line_right(l, w->since[k],
			   k % 2 ? tables_bytes(t, buf, a->since[k])
				 : number_count(buf, a->since[k]));
	name = name_cut(a->name, t->o->name_width);
	if (name)
		line_add(l, "   %s", *name ? name : "(no name)");
	else
		l->failed = true;
	line_end(l);
	free(name);
}

int
marks_print(struct tables *t)
{
	const struct profile *p = t->p;
	struct widths w;

	tables_title(t, "--------- Marks ------------");
	if (!p->nmarks) {
		tables_say(t, p->filter.less
				      ? "Marks are of the whole program, and "
					"not of what a filter leaves."
			      : p->moment.span || p->moment.peak
				      ? "Marks have the totals since the "
					"start, and not those of this part."
			      : p->moment.other
				      ? "The program had set no mark by then."
			      : p->marks_dropped
				      ? "The files have marks of several runs; "
					"each file by itself shows its own."
				      : "The program set no marks.");
		return 0;
	}
	w = measure(t);
	header(t, &w);
	/* What is known of the end may be less than all. */
	for (size_t i = 0; i < p->nmarks + !p->incomplete; i++) {
		struct moment a = moment(p, i);

		row(t, &w, &a);
	}
	legend_print(t, legend_marks);
	return 0;
}
