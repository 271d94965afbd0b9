/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The threads: what each of them allocated and freed. */
#include "display/tables/grid.h"
#include "display/tables/notes.h"
#include "display/tables/view.h"
#include "display/text/amount.h"
#include "display/text/name.h"

#include <stdlib.h>

enum { SHARE, THREADS, ALLOCS, BYTES, FREES, FOREIGN, FREED };

/* What rows are a part of, and what isn't of any thread. */
struct whole {
	struct thread all, rest;
};

/* How many threads, and how many frees of others' blocks: of some rows. */
static void
get_maybe(const struct grid *g, const struct thread *r, unsigned at,
	  struct grid_cell *c)
{
	const struct whole *x = g->arg;
	bool less = profile_is_less(g->t->p);
	bool known = r == &x->rest ? false : r == &x->all ? !less : true;

	if (at == THREADS) {
		c->n = r->threads;
		c->unknown = !known && !r->threads;
	} else {
		c->n = r->foreign;
		c->unknown = !known || less;
	}
}

static void
get(const struct grid *g, const void *row, unsigned at, struct grid_cell *c)
{
	const struct whole *x = g->arg;
	const struct thread *r = row;

	switch (at) {
	case SHARE:
		c->n = r->bytes;
		c->of = x->all.bytes;
		c->text = r == &x->all ? "-----" : NULL;
		break;
	case ALLOCS:
		c->n = r->allocs;
		c->var = r->var[PROFILE_E_ALLOCS];
		break;
	case BYTES:
		c->n = r->bytes;
		c->var = r->var[PROFILE_E_BYTES];
		break;
	case FREES:
	case FREED:
		/* Who freed what a filter leaves isn't known. */
		c->n = at == FREES ? r->frees : r->freed;
		c->unknown = profile_is_less(g->t->p);
		break;
	default:
		get_maybe(g, r, at, c);
		break;
	}
}

static void
put(const struct grid *g, const void *row)
{
	const struct thread *r = row;
	char *cut = name_cut(r->name, g->t->o->name_width);

	if (cut)
		line_add(&g->t->line, "%s%s", *cut ? cut : "(no name)",
			 r->main ? " (main)" : "");
	else
		g->t->line.failed = true;
	free(cut);
}

static const struct grid_column columns[] = {
	{ "% bytes", GRID_TENTHS, 8, .get = get, .at = SHARE, .before = "  ",
	  .explain = "share of all bytes allocated, rounded" },
	{ "threads", GRID_COUNT, 9, .get = get, .at = THREADS,
	  .explain = "how many threads the row is about" },
	{ "allocs", GRID_COUNT, 11, .get = get, .at = ALLOCS, .error = true,
	  .explain = "how many blocks they allocated" },
	{ "bytes", GRID_BYTES, 12, .get = get, .at = BYTES, .error = true,
	  .explain = "bytes of these blocks" },
	{ "frees", GRID_COUNT, 11, .get = get, .at = FREES,
	  .explain = "how many blocks they freed, whoever had allocated them" },
	{ "of others", GRID_COUNT, 11, .get = get, .at = FOREIGN,
	  .explain = "how many of these frees were of blocks that another "
		     "thread had allocated" },
	{ "freed bytes", GRID_BYTES, 14, .get = get, .at = FREED,
	  .explain = "bytes of the blocks that they freed" },
	{ "name", GRID_NAME, .put = put, .before = "   ",
	  .explain = "the name that the thread had last; (main) is the "
		     "program's first; (not known): what is in the totals and "
		     "of no thread that is known" },
};

static const struct legend legend = {
	.about = "What each thread allocated and freed; those of one name are "
		 "together.",
	.indent = 13,
};

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

/* Why there are no rows. */
static void
nothing(struct tables *t, const struct thread *all)
{
	const struct profile *p = t->p;

	if (all->allocs && p->filter.less)
		tables_say(t, "Which thread allocated what the filter leaves "
			      "is not recorded.");
	else if (all->allocs && p->moment.other)
		tables_say(t, "Which thread allocated what is not known of "
			      "that time.");
	else if (all->allocs || all->frees)
		tables_unknown(t, "Which thread did what");
	else
		tables_nothing(t);
}

int
threads_print(struct tables *t)
{
	const struct profile *p = t->p;
	struct whole x = { .all = total(p) };
	const struct thread *r = &x.rest;
	struct grid g;

	tables_title(t, "--------- Threads ------------");
	if (!p->nthreads) {
		nothing(t, &x.all);
		return 0;
	}
	x.rest = rest(p, &x.all);
	grid_init(&g, t, columns, sizeof columns / sizeof *columns);
	g.arg = &x;
	grid_print(&g, &(struct grid_rows){ .v = p->all_threads,
					    .n = p->nthreads,
					    .size = sizeof *p->all_threads,
					    .total = &x.all,
					    .rest = r->allocs || r->bytes ||
								    r->frees ||
								    r->freed
							    ? r
							    : NULL });
	grid_legend(&g, &legend);
	return 0;
}
