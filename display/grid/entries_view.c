/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of entries: sort them, choose those with a row, add up all others. */
#include "display/grid/entries.h"

#include "display/text/amount.h"

#include <stdlib.h>

void
entries_sum(struct entry *to, const struct entry *from)
{
	figures_add(&to->figures, &from->figures);
	to->kept = account_kept(&to->account);
	to->reallocs = amount_add(to->reallocs, from->reallocs);
	to->save = amount_add(to->save, from->save);
	to->use_bytes = amount_add(to->use_bytes, from->use_bytes);
	to->part = amount_add(to->part, from->part);
	to->bits |= from->bits;
	for (int i = 0; i < ENTRY_OWN; i++)
		to->own[i] = amount_add(to->own[i], from->own[i]);
	counts_add_errors(to->var, from->var);
}

/* Add an entry without a row to `other' in struct entries. */
static void
add_other(void *other, const void *row)
{
	const struct entry *r = row;
	struct entry *to = other;
	struct entries *e = (struct entries *)((char *)other -
					       offsetof(struct entries, other));

	entries_sum(to, r);
	if (r->life)
		life_add(&e->other_life, r->life);
	if (r->use)
		use_add(&e->other_use, r->use);
}

/* --------------------------------------------------------------- a view -- */

static uint64_t
entries_view_figure(const struct entry *r, size_t at)
{
	return *(const uint64_t *)(const void *)((const char *)r + at);
}

static bool
entries_view_wanted(const struct entries_view *v, const struct entry *r)
{
	if (v->any[0] && !entries_view_figure(r, v->any[0]) &&
	    !(v->any[1] && entries_view_figure(r, v->any[1])))
		return false;
	return !v->wanted || v->wanted(r);
}

static int
entries_view_compare(const void *va, const void *vb, void *view)
{
	const struct entries_view *v = view;
	const struct entry *a = va, *b = vb;

	if (a->rest != b->rest)
		return a->rest - b->rest;
	if (a->rank != b->rank)
		return a->rank > b->rank ? 1 : -1;
	for (size_t i = 0; i < 4 && v->by[i]; i++) {
		uint64_t x = entries_view_figure(a, v->by[i]),
			 y = entries_view_figure(b, v->by[i]);

		if (x != y)
			return x < y ? 1 : -1;
	}
	if (a->path && b->path)
		return paths_compare(a->path, b->path);
	return (a->place > b->place) - (a->place < b->place);
}

/* The argument of entries_view_worth(). */
struct worth {
	const struct entries *e;
	const struct entries_view *v;
};

/* Is the row large enough?  A second figure of 0 doesn't count. */
static bool
entries_view_worth(const void *row, size_t place, void *arg)
{
	const struct worth *w = arg;
	const struct entry *r = row, *all = &w->e->all;
	const size_t *share = w->v->share;

	if (w->e->top && !(r->rest && !w->v->rest_counts))
		return place < w->e->top;
	return r->rest ||
	       tables_worth(w->e->t, entries_view_figure(r, share[0]),
			    entries_view_figure(all, share[0])) ||
	       (share[1] && entries_view_figure(r, share[1]) &&
		tables_worth(w->e->t, entries_view_figure(r, share[1]),
			     entries_view_figure(all, share[1])));
}

static void
entries_view_leave(struct entries *e, const struct entries_view *v)
{
	struct worth w = { e, v };
	size_t n = e->n;

	e->n = grid_pick(e->v, n, sizeof *e->v, e->top || e->omitted,
			 entries_view_worth, add_other, &e->other, &w);
	e->hidden = n - e->n;
	for (size_t i = 1; i < e->n; i++)
		e->v[i].before =
			amount_add(e->v[i - 1].before, e->v[i - 1].peak);
	/* Compute scores for several types, but not for several paths. */
	if (e->other.name)
		entry_set_use(&e->other, &e->other_use);
	if (e->n)
		e->other.before =
			amount_add(e->v[e->n - 1].before, e->v[e->n - 1].peak);
}

void
entries_arrange(struct entries *e, const struct entries_view *v, struct grid *g)
{
	size_t n = 0;

	if (!e->top)
		e->top = e->t->o->top;
	if (!e->typed)
		e->typed = v->typed ? v->typed : origins_bytes;
	for (size_t i = 0; i < e->n; i++)
		if (entries_view_wanted(v, &e->v[i]))
			e->v[n++] = e->v[i];
	e->n = n;
	if (n && v->by[0])
		qsort_r(e->v, n, sizeof *e->v, entries_view_compare, (void *)v);
	for (size_t i = 0; i < n && !v->total; i++)
		entries_sum(&e->all, &e->v[i]);
	entries_view_leave(e, v);
	grid_init(g, e->t, v->column, v->n);
	g->arg = e;
	if (!v->with)
		return;
	for (size_t i = 0; i < e->n; i++)
		g->with |= v->with(&e->v[i]);
	if (v->total)
		g->with |= v->with(&e->all);
	if (e->hidden && !e->omitted)
		g->with |= v->with(&e->other);
}

/* Print the line about entries without a row. */
static void
omitted(struct entries *e)
{
	struct tables *t = e->t;
	char buf[NUMBER_SIZE], of[NUMBER_SIZE + 40];

	if (!e->hidden)
		return;
	line_end(&t->line);
	snprintf(of, sizeof of, ", with %s bytes %s",
		 tables_bytes(t, buf, e->other.part), e->omitted);
	if (!e->top) {
		tables_left_out(t, e->hidden, "path", "under", of);
		return;
	}
	line_add(&t->line, "left out: ");
	line_several(&t->line, e->hidden, "path");
	line_say(&t->line, "%s (--top)", of);
}

const char *
entries_noun(const struct grid *g, size_t column)
{
	const struct entries *e = g->arg;

	(void)column;
	return e->paths ? "path" : e->n && e->v[0].type ? "type" : "function";
}

void
entries_print(struct entries *e, struct grid *g, bool total)
{
	bool rest = e->n && e->v[e->n - 1].rest;

	g->arg = e;
	grid_print(g, &(struct grid_rows){ GRID_ROWS(e->v, e->n - rest),
					   .total = total ? &e->all : NULL,
					   .other = &e->other,
					   .others = e->omitted ? 0 : e->hidden,
					   .rest = rest ? &e->v[e->n - 1]
							: NULL });
	if (e->omitted)
		omitted(e);
}

int
entries_table(struct tables *t, const struct entries_view *v,
	      enum paths_with with, const struct legend *legend,
	      const char *none, void (*below)(const struct entries *e))
{
	struct entries e;
	struct grid g;

	entries_of_paths(&e, t, with);
	if (v->total)
		e.all = entries_total(t->p);
	if (v->fill)
		v->fill(&e);
	entries_arrange(&e, v, &g);
	if (e.n || !none) {
		entries_print(&e, &g, true);
		if (below)
			below(&e);
		grid_legend(&g, legend);
	} else {
		tables_say(t, none);
	}
	return 0;
}
