/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The heap over time, by site, thread and item. */
#include "reduce/profile/parts.h"
#include "reduce/base/hash.h"
#include "reduce/base/sort.h"
#include "reduce/base/clean.h"
#include "reduce/model/counts.h"
#include "reduce/monout/changes.h"
#include "reduce/model/stages.h"
#include "reduce/profile/when.h"

#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------- steps and rows -- */

/*
 * A step: the growth of a row since the previous snapshot.  Rows are made from
 * steps sorted by row, then by snapshot.
 */
struct times_step {
	uint32_t row, snapshot;
	struct amounts count;
};

/* Make rows of running sums from sorted steps. */
static const struct time_row *
times_sum(struct profile *p, const struct times_step *s, size_t n, size_t nrows)
{
	struct arena *a = &p->priv->arena;
	struct time_row *row = arena_array(a, nrows, sizeof(*row));
	struct time_change *c = arena_array(a, n, sizeof(*c));
	struct amounts sum = { 0 };
	struct time_row *r;
	size_t i, k = 0;

	for (i = 0; i < n; i++) {
		r = &row[s[i].row];
		if (!r->n) {
			sum = (struct amounts){ 0 };
			r->change = &c[k];
		}
		/* After a reset the step is negative; it wraps to the right
		 * sum. */
		TOTALS_ADD(&sum, &s[i].count);
		if (r->n && c[k - 1].snapshot == s[i].snapshot) {
			c[k - 1].count = sum;
			continue;
		}
		c[k++] = (struct time_change){ s[i].snapshot, sum };
		r->n++;
	}
	return row;
}

/*
 * Make nrows rows from n steps, which can be in any order.  The rows live in
 * p's arena.  step[] is overwritten; the caller frees it.
 */
static const struct time_row *
times_rows(struct profile *p, struct times_step *step, size_t n, size_t nrows,
	   size_t nsnapshots)
{
	struct times_step *other = heap_array(n + 1, sizeof(*other));
	size_t *by_time = heap_array(nsnapshots + 2, sizeof(*by_time));
	size_t *by_row = heap_array(nrows + 2, sizeof(*by_row)), i;
	const struct time_row *row = NULL;

	SORT_NUMBERED(other, step[i], step[i].snapshot, i, n, by_time,
		      nsnapshots);
	SORT_NUMBERED(step, other[i], other[i].row, i, n, by_row, nrows);
	row = times_sum(p, step, n, nrows);
	free(other);
	free(by_time);
	free(by_row);
	return row;
}

/* ------------------------------------------------------------------ rows -- */

/* The kinds of rows. */
enum times_of { TIMES_ALL, TIMES_SITES, TIMES_THREADS, TIMES_ITEMS };

struct times {
	struct profile *p;
	const struct mon *m;
	struct hash items; /* by site, size, thread */
};

static uint32_t
times_thread(const struct times *t, uint32_t thread)
{
	return thread && thread <= t->p->nthreads
		       ? t->p->priv->thread_of[thread - 1]
		       : (uint32_t)t->p->nthreads;
}

/* The size in a key.  All items of any size have the same key. */
static uint64_t
times_size(uint64_t size, bool any)
{
	return any ? UINT64_MAX : size;
}

/* The number of the change's row; STAGES_NONE: it has no row. */
static uint32_t
times_row(const struct times *t, const struct mon_change *x, enum times_of of)
{
	uint32_t site = t->p->priv->site_of[x->site], n;
	uint32_t thread = times_thread(t, x->thread);

	if (of == TIMES_ALL)
		return 0;
	if (of == TIMES_SITES)
		return site;
	if (of == TIMES_THREADS)
		return thread;
	n = hash_find(&t->items, site, times_size(x->size, x->any), thread);
	return n == HASH_NONE ? STAGES_NONE : n;
}

/* Turn all changes into steps; returns their number. */
static size_t
times_steps(const struct times *t, struct times_step *to, enum times_of of)
{
	const struct mon_change *c = t->m->changes, *x;
	struct amounts was = { 0 };
	size_t i, end, k, n = 0;
	uint32_t row;

	for (i = 0; i < t->m->nchanges; i = end) {
		end = changes_end(t->m, i);
		row = times_row(t, &c[i], of);
		was = (struct amounts){ 0 };
		for (k = i; k < end && row != STAGES_NONE; k++) {
			x = &c[k];
			to[n] = (struct times_step){ row, x->snapshot,
						     AMOUNTS(x) };
			TOTALS_TAKE(&to[n].count, &was);
			was = AMOUNTS(x);
			n++;
		}
	}
	return n;
}

static const struct time_row *
times_of(const struct times *t, enum times_of of, size_t nrows)
{
	struct times_step *s = heap_new((t->m->nchanges + 1) * sizeof(*s));
	const struct time_row *row = NULL;
	size_t n;

	n = times_steps(t, s, of);
	row = times_rows(t->p, s, n, nrows, t->m->nsnapshots);
	free(s);
	return row;
}

static void
times_items(struct times *t)
{
	const struct profile *p = t->p;
	const struct item *x;
	size_t i;
	uint32_t thread;

	for (i = 0; i < p->nitems; i++) {
		x = &p->items[i];
		thread = x->thread ? (uint32_t)(x->thread - p->all_threads)
				   : (uint32_t)p->nthreads;
		hash_intern(&t->items, (uint64_t)(x->site - p->sites),
			    times_size(x->size, x->any), thread, (uint32_t)i);
	}
}

/* Sites, threads and items. */
static void
times_by(struct times *t)
{
	struct profile *p = t->p;
	struct profile_time *to = &p->time;

	to->sites = times_of(t, TIMES_SITES, p->nsites);
	to->threads = times_of(t, TIMES_THREADS, p->nthreads + 1);
	if (!p->nitems)
		return;
	times_items(t);
	to->items = times_of(t, TIMES_ITEMS, p->nitems);
	hash_fini(&t->items);
}

/* ---------------------------------------------------------------- totals -- */

/* Compute the totals from the rows, so that rows add up to them. */
static void
times_total(struct times *t, struct amounts *total)
{
	const struct time_row *row = times_of(t, TIMES_ALL, 1);
	size_t i, k = 0;

	for (i = 0; i < t->m->nsnapshots; i++) {
		total[i] = i ? total[i - 1] : (struct amounts){ 0 };
		if (k < row->n && row->change[k].snapshot == i)
			total[i] = row->change[k++].count;
	}
}

/*
 * Are the last totals those of all sites?  Not with a filter by thread or size:
 * only counts of the run's end have the frees by thread and size.
 */
static bool
times_are_whole(const struct times *t, const struct amounts *last)
{
	const struct profile *p = t->p;
	struct amounts sum = { 0 };
	struct account site;
	size_t i;

	for (i = 0; i < p->nsites; i++) {
		site = counts_of_all(&p->sites[i].count);
		TOTALS_ADD(&sum, &site);
	}
	return TOTALS_SAME(&sum, last);
}

static const char times_parted[] =
	"frees by thread and size are recorded only for the end; leave out "
	"--only=thread and --only=size";

static void
times_fill(struct times *t)
{
	const struct mon_snapshot *x = t->m->snapshots;
	struct profile *p = t->p;
	struct arena *a = &p->priv->arena;
	struct profile_time *to = &p->time;
	size_t n = t->m->nsnapshots, i;
	uint64_t *at = arena_array(a, n, sizeof(*at));
	uint64_t *peak = arena_array(a, n, sizeof(*peak));
	uint64_t *rss = arena_array(a, n, sizeof(*rss));
	struct amounts *total = arena_array(a, n, sizeof(*total));
	bool known = false;

	for (i = 0; i < n; i++) {
		at[i] = x[i].at;
		peak[i] = x[i].peak;
		rss[i] = x[i].rss;
		known |= rss[i] != UINT64_MAX;
		total[i] = AMOUNTS(&x[i]);
	}
	to->n = n;
	to->at = at;
	to->total = total;
	to->peak = p->filter.less ? NULL : peak;
	to->rss = known ? rss : NULL;
	to->step = n > 1 ? (at[n - 1] - at[0]) / (n - 1) : 0;
	to->known = true;
	if (!t->m->changes_known) {
		to->sites_why = when_whose(p);
		return;
	}
	times_total(t, total);
	times_by(t);
	if (!times_are_whole(t, &total[n - 1]))
		*to = (struct profile_time){ .why = times_parted,
					     .marks = to->marks,
					     .nmarks = to->nmarks };
}

/* ----------------------------------------------------------------- marks -- */

void
times_begin(struct profile *p, const struct mon *m)
{
	struct time_mark *a =
		arena_array(&p->priv->arena, m->nmarks, sizeof(*a));
	const struct mon_mark *x;
	size_t i, k = 0;

	for (i = 0; i < m->nmarks; i++) {
		x = &m->marks[i];
		while (k < m->nsnapshots && m->snapshots[k].at <= x->time)
			k++;
		a[i] = (struct time_mark){
			.name = clean_name(&p->priv->arena, x->name),
			.time = x->time,
			.live = x->freed <= x->bytes ? x->bytes - x->freed
						     : UINT64_MAX,
			.snapshot = (uint32_t)k,
		};
	}
	p->time.marks = a;
	p->time.nmarks = m->nmarks;
}

void
times_make(struct profile *p, const struct mon *m)
{
	struct times t = { .p = p, .m = m };
	const char *why = NULL;

	if (p->snapshot.span || p->snapshot.peak)
		why = "--between and --at=peak keep only a part of the run; "
		      "leave them out";
	else if (p->snapshot.other && !m->nsnapshots)
		why = "no snapshot is that early; give --at a later time";
	else
		why = when_missing(p, m);
	if (!why && p->filter.less && !m->changes_known)
		why = "the data file has no snapshots by call path; leave out "
		      "the filter";
	p->time.why = why ? why : "";
	if (!(why))
		times_fill(&t);
}

/* -------------------------------------------------------------- resident -- */

void
times_resident(struct profile *p, const struct mon *m)
{
	struct profile_resident *r = &p->resident;
	const struct mon_snapshot *x;
	struct profile_rss now;
	size_t i;

	*r = (struct profile_resident){ .known = false };
	/* Memory at the peak isn't known. */
	if (!m->times_known || p->snapshot.peak)
		return;
	for (i = 0; i < m->nsnapshots; i++) {
		x = &m->snapshots[i];
		if (x->rss == UINT64_MAX)
			continue;
		now = (struct profile_rss){
			.rss = x->rss,
			.live = TOTALS_LIVE(x),
			.at = x->at,
		};
		r->last = now;
		if (!r->known || now.rss > r->most.rss)
			r->most = now;
		r->known = true;
		r->end = i + 1 == m->nsnapshots && !p->snapshot.other;
	}
}
