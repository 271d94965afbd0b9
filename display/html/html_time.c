/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The page's data: the heap over time.  Counts only grow, so each is written as
 * its difference to the one before.  If sites change so often that the page
 * would be too large to send, it has only every second, fourth ... snapshot;
 * the figures at these snapshots stay exact.
 */
#include "display/html/html_data.h"
#include "display/text/amount.h"

/* The most changes of sites in the page, in all and per site. */
enum { CHANGES = 20000, CHANGES_A_SITE = 10 };

static const char *const counts[] = { "allocs", "bytes", "frees", "freed" };

static uint64_t
html_time_count_of(const struct amounts *c, int which)
{
	const uint64_t v[] = { c->allocs, c->bytes, c->frees, c->freed };

	return v[which];
}

/*
 * Snapshots are merged from the end backwards, so that the last one is the end
 * of the run.  The first one may combine fewer snapshots than the others.
 */
struct thin {
	struct html *h;
	const struct profile_time *t;
	size_t step, n; /* n: snapshots that remain */
};

static struct thin
thinned(struct html *h, size_t step)
{
	const struct profile_time *t = &h->p->time;

	return (struct thin){ h, t, step, (t->n - 1) / step + 1 };
}

/* The index in the profile of remaining snapshot i. */
static size_t
html_time_snapshot(const struct thin *x, size_t i)
{
	return x->t->n - 1 - (x->n - 1 - i) * x->step;
}

/* The first remaining snapshot that includes the change. */
static size_t
html_time_place(const struct thin *x, const struct time_change *c)
{
	size_t last = x->t->n - 1;
	size_t before = c->snapshot < last ? last - c->snapshot : 0;

	return x->n - 1 - before / x->step;
}

/* Is change k of the row the last change before a remaining snapshot? */
static bool
stays(const struct thin *x, const struct time_row *r, size_t k)
{
	return k + 1 == r->n || html_time_place(x, &r->change[k]) !=
					html_time_place(x, &r->change[k + 1]);
}

static size_t
html_time_changes(const struct thin *x, const struct time_row *r)
{
	size_t n = 0;

	for (size_t k = 0; k < r->n; k++)
		n += stays(x, r, k);
	return n;
}

static size_t
all_changes(const struct thin *x, const struct time_row *row, size_t rows)
{
	size_t n = 0;

	for (size_t i = 0; row && i < rows; i++)
		n += html_time_changes(x, &row[i]);
	return n;
}

/* Threads have one more row, for unknown threads. */
static bool
too_many(const struct thin *x)
{
	size_t sites = x->h->p->nsites, threads = x->h->p->nthreads + 1;

	return all_changes(x, x->t->sites, sites) >
		       CHANGES + CHANGES_A_SITE * sites ||
	       all_changes(x, x->t->threads, threads) > CHANGES;
}

static void
html_time_totals(const struct thin *x)
{
	struct writer *w = &x->h->w;

	WRITER_EACH(
		w, "at", x->n,
		writer_number(
			w, NULL,
			amount_sub(x->t->at[html_time_snapshot(x, i)],
				   i ? x->t->at[html_time_snapshot(x, i - 1)]
				     : 0)));
	for (int k = 0; k < 4; k++) {
		uint64_t before = 0;

		writer_enter(w, counts[k], '[');
		for (size_t i = 0; i < x->n; i++) {
			uint64_t now = html_time_count_of(
				&x->t->total[html_time_snapshot(x, i)], k);

			writer_number(w, NULL, amount_sub(now, before));
			before = now;
		}
		writer_leave(w, ']');
	}
}

/* Write the largest peak between each two remaining snapshots. */
static void
peaks(const struct thin *x)
{
	const uint64_t *v = x->t->peak;
	struct writer *w = &x->h->w;
	size_t k = 0;

	if (!v)
		return;
	writer_enter(w, "peak", '[');
	for (size_t i = 0; i < x->n; i++) {
		uint64_t max = 0;
		bool known = false;

		for (; k <= html_time_snapshot(x, i); k++) {
			if (v[k] == UINT64_MAX)
				continue;
			known = true;
			max = max < v[k] ? v[k] : max;
		}
		writer_maybe(w, NULL, max, known);
	}
	writer_leave(w, ']');
}

static void
rss(const struct thin *x)
{
	struct writer *w = &x->h->w;

	if (!x->t->rss)
		return;
	writer_enter(w, "rss", '[');
	for (size_t i = 0; i < x->n; i++) {
		uint64_t v = x->t->rss[html_time_snapshot(x, i)];

		writer_maybe(w, NULL, v, v != UINT64_MAX);
	}
	writer_leave(w, ']');
}

/* Write one count for all changes of all rows, as differences. */
static void
of_rows(const struct thin *x, const struct time_row *row, size_t n, int which)
{
	struct writer *w = &x->h->w;

	writer_enter(w, counts[which], '[');
	for (size_t i = 0; i < n; i++) {
		const struct time_row *r = &row[i];
		uint64_t before = 0;

		for (size_t k = 0; k < r->n; k++) {
			uint64_t now =
				html_time_count_of(&r->change[k].count, which);

			if (!stays(x, r, k))
				continue;
			writer_number(w, NULL, amount_sub(now, before));
			before = now;
		}
	}
	writer_leave(w, ']');
}

/* Write the number of changes of each row, and when, as differences. */
static void
rows(const struct thin *x, const char *name, const struct time_row *row,
     size_t n)
{
	struct writer *w = &x->h->w;

	if (!row)
		return;
	writer_line(w, name, '{');
	WRITER_EACH(w, "n", n,
		    writer_number(w, NULL, html_time_changes(x, &row[i])));
	writer_enter(w, "snapshot", '[');
	for (size_t i = 0; i < n; i++) {
		const struct time_row *r = &row[i];
		size_t before = 0;

		for (size_t k = 0; k < r->n; k++) {
			if (!stays(x, r, k))
				continue;
			writer_number(w, NULL,
				      html_time_place(x, &r->change[k]) -
					      before);
			before = html_time_place(x, &r->change[k]);
		}
	}
	writer_leave(w, ']');
	for (int k = 0; k < 4; k++)
		of_rows(x, row, n, k);
	writer_leave(w, '}');
}

void
html_time(struct html *h)
{
	const struct profile_time *t = &h->p->time;
	struct thin x;
	size_t step = 1;

	writer_line(&h->w, "time", '{');
	if (!t->known || !t->n) {
		writer_text(&h->w, "why", t->why && *t->why ? t->why : "");
		writer_leave(&h->w, '}');
		return;
	}
	x = thinned(h, step);
	while (step < t->n && too_many(&x)) {
		step *= 2;
		x = thinned(h, step);
	}
	writer_number(&h->w, "step", amount_mul(t->step, step));
	writer_number(&h->w, "every", step);
	html_time_totals(&x);
	peaks(&x);
	rss(&x);
	rows(&x, "sites", t->sites, h->p->nsites);
	rows(&x, "threads", t->threads, h->p->nthreads + 1);
	writer_leave(&h->w, '}');
}
