/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The threads: what each of them allocated and freed. */
#include "display/tables/errors.h"
#include "display/tables/legend.h"
#include "display/tables/notes.h"
#include "display/tables/view.h"
#include "display/text/amount.h"
#include "display/text/name.h"
#include "display/text/number.h"

#include <stdlib.h>

struct widths {
	size_t threads, allocs, bytes, frees, foreign, freed;
};

/* Make a column wide enough for n, and a blank before it. */
static void
widen(size_t *width, uint64_t n, bool human)
{
	size_t need = number_bytes_width(n, human) + 1;

	if (*width < need)
		*width = need;
}

static void
fit(struct widths *w, const struct thread *r, bool human)
{
	widen(&w->threads, r->threads, false);
	widen(&w->allocs, r->allocs, false);
	widen(&w->bytes, r->bytes, human);
	widen(&w->frees, r->frees, false);
	widen(&w->foreign, r->foreign, false);
	widen(&w->freed, r->freed, human);
}

static struct widths
measure(const struct tables *t, const struct thread *all)
{
	struct widths w = { 9, 11, 12, 11, 11, 14 };

	fit(&w, all, t->o->human);
	for (size_t i = 0; i < t->p->nthreads; i++)
		fit(&w, &t->p->all_threads[i], t->o->human);
	return w;
}

static void
header(struct tables *t, const struct widths *w)
{
	struct line *l = &t->line;

	line_add(l, "  %8s", "% bytes");
	line_right(l, w->threads, "threads");
	line_right(l, w->allocs, "allocs");
	errors_head(t);
	line_right(l, w->bytes, "bytes");
	errors_head(t);
	line_right(l, w->frees, "frees");
	line_right(l, w->foreign, "of others");
	line_right(l, w->freed, "freed bytes");
	line_add(l, "   name");
	line_end(l);
	line_end(l);
}

/* A row without its name; a 0 in `threads' and `foreign' may be unknown. */
static void
row(struct tables *t, const struct widths *w, const char *percent,
    const struct thread *r, bool known)
{
	struct line *l = &t->line;
	char buf[NUMBER_SIZE];
	/* Who freed what a filter leaves isn't known. */
	bool freed = !profile_is_less(t->p);

	line_add(l, "  %8s", percent);
	line_right(l, w->threads,
		   known || r->threads ? number_count(buf, r->threads) : "-");
	line_right(l, w->allocs, number_count(buf, r->allocs));
	errors_add(t, r->allocs, r->var[PROFILE_E_ALLOCS]);
	line_right(l, w->bytes, tables_bytes(t, buf, r->bytes));
	errors_add(t, r->bytes, r->var[PROFILE_E_BYTES]);
	line_right(l, w->frees, freed ? number_count(buf, r->frees) : "-");
	line_right(l, w->foreign,
		   known && freed ? number_count(buf, r->foreign) : "-");
	line_right(l, w->freed, freed ? tables_bytes(t, buf, r->freed) : "-");
	line_add(l, "   ");
}

static void
name(struct tables *t, const struct thread *r)
{
	char *cut = name_cut(r->name, t->o->name_width);

	if (!cut) {
		t->line.failed = true;
		return;
	}
	line_add(&t->line, "%s%s", *cut ? cut : "(no name)",
		 r->main ? " (main)" : "");
	line_end(&t->line);
	free(cut);
}

/* The program's totals; foreign: of the threads that are known. */
static struct thread
total(const struct profile *p)
{
	struct thread all = { .threads = p->threads,
			      .allocs = amount_allocs(&p->total),
			      .bytes = amount_bytes(&p->total),
			      .frees = amount_frees(&p->total),
			      .freed = amount_freed(&p->total) };

	for (int e = 0; e < PROFILE_NERROR; e++)
		all.var[e] = p->total.var[e];
	for (size_t i = 0; i < p->nthreads; i++)
		all.foreign =
			amount_add(all.foreign, p->all_threads[i].foreign);
	return all;
}

/* What no thread is known for, so that the rows add up to the total. */
static void
unknown_row(struct tables *t, const struct widths *w, const struct thread *all)
{
	const struct profile *p = t->p;
	struct thread r = *all;
	char percent[NUMBER_SIZE];

	if (profile_is_less(p))
		r.frees = r.freed = 0;
	for (size_t i = 0; i < p->nthreads; i++) {
		const struct thread *a = &p->all_threads[i];

		r.threads = amount_sub(r.threads, a->threads);
		r.allocs = amount_sub(r.allocs, a->allocs);
		r.bytes = amount_sub(r.bytes, a->bytes);
		for (int e = 0; e < PROFILE_NERROR; e++)
			r.var[e] -= a->var[e];
		r.frees = amount_sub(r.frees, a->frees);
		r.freed = amount_sub(r.freed, a->freed);
	}
	if (!r.allocs && !r.bytes && !r.frees && !r.freed)
		return;
	row(t, w, number_tenths(percent, r.bytes, all->bytes), &r, false);
	line_add(&t->line, "(not known)");
	line_end(&t->line);
}

int
threads_print(struct tables *t)
{
	const struct profile *p = t->p;
	struct thread all = total(p);
	struct widths w = measure(t, &all);
	char percent[NUMBER_SIZE];

	tables_title(t, "--------- Threads ------------");
	if (!p->nthreads) {
		if (all.allocs && p->filter.less)
			tables_say(t, "Which thread allocated what the filter "
				      "leaves is not recorded.");
		else if (all.allocs && p->moment.other)
			tables_say(t, "Which thread allocated what is not "
				      "known of that time.");
		else if (all.allocs || all.frees)
			tables_unknown(t, "Which thread did what");
		else
			tables_nothing(t);
		return 0;
	}
	header(t, &w);
	row(t, &w, "-----", &all, !profile_is_less(p));
	line_add(&t->line, "<TOTAL>");
	line_end(&t->line);
	line_end(&t->line);
	for (size_t i = 0; i < p->nthreads; i++) {
		const struct thread *r = &p->all_threads[i];

		row(t, &w, number_tenths(percent, r->bytes, all.bytes), r,
		    true);
		name(t, r);
	}
	unknown_row(t, &w, &all);
	legend_print(t, legend_threads);
	return 0;
}
