/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The leaks: what was not freed, by the innermost part of the call chains. */
#include "display/tables/leaks.h"

#include "display/tables/errors.h"
#include "display/tables/legend.h"
#include "display/tables/notes.h"
#include "display/tables/paths.h"
#include "display/tables/view.h"
#include "display/text/amount.h"
#include "display/text/number.h"

#include <stdlib.h>

struct widths {
	size_t kept, allocs, bytes, frees, freed;
};

static uint64_t
kept(const struct path *a)
{
	return amount_sub(amount_sub(a->bytes, a->freed),
			  a->leak ? a->leak->hidden.bytes : 0);
}

static bool
unbalanced(const struct path *a)
{
	uint64_t hidden = a->leak ? a->leak->hidden.blocks : 0;

	return amount_sub(a->allocs, a->frees) > hidden || kept(a);
}

static int
compare(const void *va, const void *vb)
{
	const struct path *a = va, *b = vb;
	uint64_t ka = kept(a), kb = kept(b);

	if (ka != kb)
		return ka < kb ? 1 : -1;
	if (a->bytes != b->bytes)
		return a->bytes < b->bytes ? 1 : -1;
	if (a->allocs != b->allocs)
		return a->allocs < b->allocs ? 1 : -1;
	return paths_compare(a, b);
}

/* Leave the paths that aren't balanced, sorted. */
static void
collect(struct paths *all)
{
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++)
		if (unbalanced(&all->path[i]))
			all->path[n++] = all->path[i];
	all->n = n;
	qsort(all->path, n, sizeof *all->path, compare);
}

/*
 * Leave the paths that are worth a row, and add up in *hidden what the others
 * kept; gives their number.  Worth a row is what has its share of the bytes, as
 * in mprof 3.0, or its share of what was kept: a path with much traffic and one
 * small leak must not hide the others.
 */
static size_t
select_paths(struct tables *t, struct paths *all, uint64_t *hidden)
{
	uint64_t bytes = 0, lost = 0;
	size_t n = 0, left;

	for (size_t i = 0; i < all->n; i++) {
		bytes = amount_add(bytes, all->path[i].bytes);
		lost = amount_add(lost, kept(&all->path[i]));
	}
	for (size_t i = 0; i < all->n; i++) {
		const struct path *a = &all->path[i];

		if (tables_worth(t, a->bytes, bytes) ||
		    tables_worth(t, kept(a), lost)) {
			all->path[n++] = *a;
		} else {
			*hidden = amount_add(*hidden, kept(a));
		}
	}
	left = all->n - n;
	all->n = n;
	return left;
}

static void
widen(size_t *width, size_t n)
{
	if (*width < n)
		*width = n;
}

static struct widths
measure(const struct tables *t, const struct paths *all)
{
	struct widths w = { 10, 10, 10, 0, 10 };
	bool human = t->o->human;

	for (size_t i = 0; i < all->n; i++) {
		const struct path *a = &all->path[i];

		widen(&w.kept, number_bytes_width(kept(a), human));
		widen(&w.allocs, number_bytes_width(a->allocs, false) + 1);
		widen(&w.bytes, number_bytes_width(a->bytes, human) + 1);
		widen(&w.freed, number_bytes_width(a->freed, human) + 1);
		if (a->frees)
			widen(&w.frees, 10);
		if (a->frees)
			widen(&w.frees,
			      number_bytes_width(a->frees, false) + 1);
	}
	return w;
}

static void
header(struct tables *t, const struct widths *w)
{
	struct line *l = &t->line;

	line_right(l, w->kept, "kept bytes");
	line_add(l, " %-4s", "(%)");
	errors_head(t);
	line_right(l, w->allocs, "allocs");
	errors_head(t);
	line_right(l, w->bytes, "bytes");
	line_add(l, " %-4s", "(%)");
	errors_head(t);
	if (w->frees) {
		line_right(l, w->frees, "frees");
		line_right(l, w->freed, "bytes");
		line_add(l, " %-4s", "(%)");
	}
	line_add(l, "    path");
	line_end(l);
	line_end(l);
}

static void
row(struct tables *t, const struct widths *w, const struct paths *all,
    const struct path *a)
{
	uint64_t bytes = amount_bytes(&t->p->total);
	struct line *l = &t->line;
	char buf[NUMBER_SIZE];

	line_right(l, w->kept, tables_bytes(t, buf, kept(a)));
	line_add(l, " %-4s", number_cell(buf, kept(a), bytes));
	errors_add(t, kept(a), a->var[PROFILE_E_KEPT]);
	line_right(l, w->allocs, number_count(buf, a->allocs));
	errors_add(t, a->allocs, a->var[PROFILE_E_ALLOCS]);
	line_right(l, w->bytes, tables_bytes(t, buf, a->bytes));
	line_add(l, " %-4s", number_cell(buf, a->bytes, bytes));
	errors_add(t, a->bytes, a->var[PROFILE_E_BYTES]);
	if (w->frees) {
		line_right(l, w->frees, number_count(buf, a->frees));
		line_right(l, w->freed, tables_bytes(t, buf, a->freed));
		line_add(l, " %-4s", number_cell(buf, a->freed, bytes));
	}
	line_add(l, "   ");
	paths_print_typed(t, all, a);
	line_end(l);
}

static void
rows(struct tables *t, const struct paths *all)
{
	struct widths w = measure(t, all);

	header(t, &w);
	for (size_t i = 0; i < all->n; i++)
		row(t, &w, all, &all->path[i]);
}

void
leaks_print_hidden(struct tables *t, size_t n, uint64_t bytes, const char *what)
{
	char buf[NUMBER_SIZE];

	if (!n)
		return;
	line_end(&t->line);
	line_add(&t->line,
		 "left out: %zu path%s under %s %%, with %s bytes %s "
		 "(--verbose shows all)",
		 n, n == 1 ? "" : "s",
		 t->o->verbosity == OPTIONS_TERSE ? "1" : "0.5",
		 tables_bytes(t, buf, bytes), what);
	line_end(&t->line);
}

/* Why the table is empty. */
static const char *
nothing(const struct profile *p)
{
	if (p->incomplete)
		return "No block that wasn't freed is in what could be read.";
	if (!amount_allocs(&p->total))
		return p->filter.less
			       ? "Nothing leaked: nothing passes the filter."
		       : p->moment.other
			       ? "Nothing was live: nothing was allocated then."
			       : "Nothing leaked: nothing was allocated.";
	if (p->moment.span && p->moment.kept_blocks)
		return "Of none of it it is known to be live at the run's end.";
	if (p->moment.other && !p->moment.span)
		return "Nothing was live then: all of it had been freed.";
	if (p->leak.hidden.blocks)
		return "Nothing leaked but what is suppressed.";
	return "Nothing leaked: all that was allocated was freed.";
}

/* What wasn't freed, whatever a leak check says. */
static int
print_kept(struct tables *t)
{
	struct paths all = { 0 };
	char buf[NUMBER_SIZE];
	uint64_t hidden = 0;
	size_t nhidden;

	if (paths_init(&all, t,
		       t->p->leak.hidden.blocks ? PATHS_LEAKS : PATHS_PLAIN)) {
		paths_fini(&all);
		return -1;
	}
	collect(&all);
	if (!all.n) {
		tables_say(t, nothing(t->p));
	} else {
		line_add(&t->line, "Total bytes not freed: %s",
			 tables_bytes(t, buf,
				      amount_sub(amount_kept(&t->p->total),
						 t->p->leak.hidden.bytes)));
		errors_lone(t,
			    amount_sub(amount_kept(&t->p->total),
				       t->p->leak.hidden.bytes),
			    t->p->total.var[PROFILE_E_KEPT]);
		line_end(&t->line);
		line_end(&t->line);
		nhidden = select_paths(t, &all, &hidden);
		rows(t, &all);
		leaks_print_hidden(t, nhidden, hidden, "not freed");
	}
	leaks_suppressed(t);
	if (all.n)
		legend_print(t, legend_leaks);
	paths_fini(&all);
	return 0;
}

/* Why it isn't known which blocks are lost, if that matters. */
static void
no_check(struct tables *t)
{
	const struct profile *p = t->p;
	const char *why = NULL;

	for (size_t i = 0; i < p->nruns && !why; i++)
		why = p->runs[i].leak_why;
	if (profile_is_part(p) && t->o->kinds_chosen) {
		tables_unknown(t, "Which blocks are lost");
		line_end(&t->line);
	}
	if (profile_is_part(p) || (!why && !t->o->kinds_chosen))
		return;
	line_add(&t->line,
		 "Which blocks are lost is not known: there was no leak "
		 "check%s%s.",
		 why ? ": " : "", why ? why : "");
	line_end(&t->line);
	line_end(&t->line);
}

int
leaks_print(struct tables *t)
{
	unsigned kinds = t->o->kinds & (OPTIONS_KEPT - 1u);
	bool some = t->o->kinds & OPTIONS_KEPT;

	tables_title(t, "--------- Partial Dynamic Call Paths for Memory Leaks "
			"------------");
	if (!t->p->leaks_known && kinds)
		no_check(t);
	if (!t->p->leaks_known || !kinds)
		return print_kept(t);
	if (leaks_kinds(t, kinds))
		return -1;
	if (!some)
		return 0;
	line_end(&t->line);
	return print_kept(t);
}
