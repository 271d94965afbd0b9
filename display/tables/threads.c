/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The threads: blocks that each of them allocated and freed. */
#include "display/grid/entries.h"
#include "display/grid/view.h"
#include "display/text/amount.h"

#include <string.h>

enum { THREADS, FREES, OF_OTHERS, FREED };

/* Set the cell to numbers of threads or frees, unknown with a filter. */
static void
threads_get(const struct grid *g, const void *row, unsigned at,
	    struct grid_cell *c)
{
	const struct entry *r = row;
	bool less = profile_is_less(g->t->p);

	c->n = at == THREADS ? r->thread->threads
	       : at == FREES ? r->frees
	       : at == FREED ? r->freed
			     : r->thread->of_others;
	/* Both are unknown in the row of unknown threads. */
	c->unknown = at == THREADS     ? !c->n && (r->rest || less)
		     : at == OF_OTHERS ? r->rest || less
				       : less;
}

static void
threads_put(const struct grid *g, const void *row)
{
	const struct thread *r = ((const struct entry *)row)->thread;

	tables_name(g->t, *r->name ? r->name : "(no name)");
	line_left(&g->t->line, 0, r->main ? " (main)" : "");
}

static const struct grid_column columns[] = {
	FIGURE("% bytes", TENTHS, 8, SHARE, "share of all bytes allocated",
	       .before = "  "),
	COLUMN("threads", COUNT, 9, threads_get, THREADS,
	       "how many threads have this name"),
	FIGURE("allocs", COUNT, 11, ALLOCS, "blocks that they allocated",
	       .error = true),
	FIGURE("bytes", BYTES, 12, BYTES, "bytes of these blocks",
	       .error = true),
	COLUMN("frees", COUNT, 11, threads_get, FREES,
	       "blocks that they freed, whichever thread allocated them"),
	COLUMN("of others", COUNT, 11, threads_get, OF_OTHERS,
	       "how many of these blocks another thread had allocated"),
	COLUMN("freed bytes", BYTES, 14, threads_get, FREED,
	       "bytes of the blocks that they freed"),
	NAME("name", "   ", threads_put,
	     "the last name of the thread; (main): the program's first "
	     "thread; (not known): the rest of the totals"),
};

static const struct legend legend = {
	.about = "How much each thread allocated and freed.  Threads with the "
		 "same name share a row.",
};

/* The totals of the program; of_others: only of the known threads. */
static struct thread
threads_total(const struct profile *p)
{
	struct thread all = { .threads = p->threads,
			      .allocs = counts_sum(p->total.allocs),
			      .bytes = counts_sum(p->total.bytes),
			      .frees = counts_sum(p->total.frees),
			      .freed = counts_sum(p->total.freed) };

	for (int e = 0; e < PROFILE_NERROR; e++)
		all.var[e] = p->total.var[e];
	for (size_t i = 0; i < p->nthreads; i++)
		all.of_others =
			amount_add(all.of_others, p->all_threads[i].of_others);
	return all;
}

/* The blocks of unknown threads, so that the rows add up to the total. */
static struct thread
rest(const struct profile *p, const struct thread *all)
{
	struct thread r = *all;

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
	return r;
}

/* Print why there are no rows. */
static void
threads_nothing(struct tables *t, const struct thread *all)
{
	const struct profile *p = t->p;

	if (all->allocs && p->filter.less)
		tables_say(t, "The data don't say which threads allocated "
			      "what the filter keeps.");
	else if (all->allocs && p->snapshot.other)
		tables_say(t, "Which thread allocated what is unknown for "
			      "that time.");
	else if (all->allocs || all->frees)
		tables_unknown(t, "Which thread did what");
	else
		tables_nothing(t);
}

static struct entry
threads_row_of(const struct thread *a)
{
	struct entry r = { .thread = a,
			   .allocs = a->allocs,
			   .bytes = a->bytes,
			   .frees = a->frees,
			   .freed = a->freed };

	memcpy(r.var, a->var, sizeof r.var);
	return r;
}

static void
threads_table(struct entries *e, const struct thread *all)
{
	const struct profile *p = e->t->p;
	struct thread last = rest(p, all);
	struct grid g;

	for (size_t i = 0; i < p->nthreads; i++)
		e->v[e->n++] = threads_row_of(&p->all_threads[i]);
	if (last.allocs || last.bytes || last.frees || last.freed) {
		e->v[e->n] = threads_row_of(&last);
		e->v[e->n++].rest = true;
	}
	e->all = threads_row_of(all);
	e->of_bytes = all->bytes;
	GRID_INIT(&g, e->t, columns);
	entries_print(e, &g, true);
	grid_legend(&g, &legend);
}

int
threads_print(struct tables *t)
{
	struct thread all = threads_total(t->p);
	struct entries e;

	tables_title(t, "Threads");
	if (!t->p->nthreads) {
		threads_nothing(t, &all);
		return 0;
	}
	entries_init(&e, t, t->p->nthreads + 1);
	threads_table(&e, &all);
	return 0;
}
