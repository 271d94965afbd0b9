/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts by thread. */
#include "reduce/profile/parts.h"
#include "reduce/base/sort.h"
#include "reduce/base/clean.h"
#include "reduce/estimate/sample_error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* First threads first, then by bytes, then by name, then in their order. */
static int
threads_compare(const void *a, const void *b)
{
	const struct mon_thread *x = *(const struct mon_thread *const *)a;
	const struct mon_thread *y = *(const struct mon_thread *const *)b;
	bool main_x = x->flags & MONOUT_TH_MAIN;
	bool main_y = y->flags & MONOUT_TH_MAIN;

	if (main_x != main_y)
		return main_x ? -1 : 1;
	SORT_KEYS(SORT_DOWN(bytes) SORT_TEXT(name) c_ = (x > y) - (x < y);)
}

static void
threads_fill(struct profile *p, const struct mon_thread *all,
	     const struct mon_thread **sorted, size_t n)
{
	const struct mon_thread *x;
	size_t i;

	p->all_threads =
		arena_array(&p->priv->arena, n, sizeof(*p->all_threads));
	p->priv->thread_of =
		arena_array(&p->priv->arena, n, sizeof(*p->priv->thread_of));
	for (i = 0; i < n; i++) {
		x = sorted[i];
		p->priv->thread_of[x - all] = (uint32_t)i;
		p->all_threads[i] = (struct thread){
			.name = clean_name(&p->priv->arena, x->name),
			.main = x->flags & MONOUT_TH_MAIN,
			.threads = x->threads,
			TOTALS_INIT(x),
			.of_others = x->of_others,
		};
		memcpy(p->all_threads[i].var, x->var, sizeof(x->var));
	}
	p->nthreads = n;
}

/* The sum over all cells of a thread. */
struct held {
	WITH_ACCOUNT;
	int64_t peak;
	double var[PROFILE_NERROR];
};

static void
threads_add_errors(struct held *h, const struct mon_cell *c,
		   const struct suppressed *hidden)
{
	double var[PROFILE_NERROR] = { 0 };

	sample_add_errors(var, c);
	if (hidden && hidden->blocks)
		var[PROFILE_E_KEPT] = var[PROFILE_E_KEPT_BLOCKS] = 0;
	counts_add_errors(h->var, var);
}

/* Set the thread's errors of kept bytes and of the peak. */
static void
threads_errors(struct thread *t, const struct held *h)
{
	double peak = h->var[PROFILE_E_PEAK];

	t->var[PROFILE_E_KEPT] =
		t->kept_known ? h->var[PROFILE_E_KEPT] : INFINITY;
	t->var[PROFILE_E_KEPT_BLOCKS] =
		t->kept_known ? h->var[PROFILE_E_KEPT_BLOCKS] : INFINITY;
	t->var[PROFILE_E_PEAK] = !t->peak_known ? INFINITY
				 : peak > 0	? peak
						: 0;
}

/*
 * Set the bytes of each thread's blocks that weren't freed.  They are known if
 * the thread's cells contain all of its allocations.
 */
static void
threads_hold(struct profile *p, const struct mon *m)
{
	struct held *sum = heap_array(p->nthreads + 1, sizeof(*sum)), *h;
	const struct suppressed *hidden = p->priv->cell_hidden;
	const struct mon_cell *c;
	struct thread *t;
	size_t i;

	for (i = 0; i < m->ncells; i++) {
		c = &m->cells[i];
		if (!c->thread)
			continue;
		h = &sum[p->priv->thread_of[c->thread - 1]];
		TOTALS_ADD(h, c);
		if (hidden)
			MEASURES_PAIR(h->hidden, hidden[i]);
		threads_add_errors(h, c, hidden ? &hidden[i] : NULL);
		/* The sums of its cells are below 2^63 (cells.c). */
		h->peak =
			(int64_t)((uint64_t)h->peak + (uint64_t)c->peak_bytes);
	}
	for (i = 0; i < p->nthreads; i++) {
		h = &sum[i];
		t = &p->all_threads[i];
		t->kept_known = m->cells_known && h->allocs == t->allocs &&
				h->bytes == t->bytes && h->freed <= h->bytes &&
				h->hidden.bytes <= h->bytes - h->freed;
		t->peak_known = t->kept_known && p->peaks_known &&
				h->peak >= 0 && (uint64_t)h->peak <= h->bytes;
		t->kept = t->kept_known ? account_kept(&h->account) : 0;
		t->peak = t->peak_known ? (uint64_t)h->peak : 0;
		threads_errors(t, h);
	}
	free(sum);
}

void
threads_make(struct profile *p, const struct mon *m)
{
	const struct mon_thread **sorted;
	size_t i, n = m->threads_known ? m->nthreads : 0;

	sorted = heap_new((n + 1) * sizeof(const struct mon_thread *));
	for (i = 0; i < n; i++)
		sorted[i] = &m->threads[i];
	SORT(sorted, n, threads_compare);
	threads_fill(p, m->threads, sorted, n);
	free(sorted);
	if (n)
		threads_hold(p, m);
}
