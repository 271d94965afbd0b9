/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of a query as cells: see query.h. */
#include "display/query/query.h"

#include "display/text/element.h"
#include "display/text/func_name.h"
#include "display/text/line.h"

#include <stdlib.h>
#include <string.h>

static enum column
query_rows_column_of(enum query_by by)
{
	return (enum column)query_by[by].at;
}

static bool
query_rows_has(const enum column *v, size_t n, enum column c)
{
	for (size_t i = 0; i < n; i++)
		if (v[i] == c)
			return true;
	return false;
}

/* Choose the columns: those requested, and those that rows are grouped by. */
static size_t
choose_columns(const struct query_groups *g, enum column *v)
{
	static const enum column usual[] = { COLUMN_BYTES,  COLUMN_SHARE,
					     COLUMN_ALLOCS, COLUMN_KEPT,
					     COLUMN_PEAK,   COLUMN_SITES };
	const struct query *q = g->q;
	size_t n = q->ncolumns, i;

	memcpy(v, q->column, n * sizeof *v);
	for (i = 0; i < sizeof usual / sizeof *usual && !q->ncolumns; i++) {
		if (usual[i] == COLUMN_PEAK && !g->s->p->peaks_known)
			continue;
		if (usual[i] == COLUMN_SITES && q->by[0] == QUERY_SITE)
			continue;
		v[n++] = usual[i];
	}
	for (i = 0; i < q->nby; i++)
		if (!query_rows_has(v, n, query_rows_column_of(q->by[i])))
			v[n++] = query_rows_column_of(q->by[i]);
	return n;
}

/* ----------------------------------------------------------------- texts -- */

/* The text of an element of a path, from malloc(), or NULL. */
static char *
element(const struct frame *f, size_t width)
{
	char *last = f->site ? line_shorten(f->site, width)
			     : func_name(f->func, FUNC_NAME_USUAL, width);
	char *text = last ? element_text(f, last, width) : NULL;

	free(last);
	return text;
}

/* The inner end of a call path: "|| > main > f", or "... > f". */
static char *
query_rows_path(const struct site *s, const struct options *o)
{
	const struct frame *f = s->leaf, **v;
	size_t n = 0, most = o->depth ? o->depth : SIZE_MAX, room;
	char *text = NULL;
	bool whole;
	FILE *out;

	for (; f && n < most; f = element_caller(f))
		n++;
	whole = s->leaf && !f && s->leaf->start <= PROFILE_START_OTHER;
	v = malloc((n + 1) * sizeof(const struct frame *));
	out = v ? open_memstream(&text, &room) : NULL;
	if (!out) {
		free(v);
		return NULL;
	}
	n = 0;
	for (f = s->leaf; f && n < most; f = element_caller(f))
		v[n++] = f;
	fputs(whole ? "||" : "...", out);
	if (!n)
		fputs("> (no chain)", out);
	while (n--) {
		char *name = element(v[n], o->name_width);

		fprintf(out, " > %s", name ? name : "");
		free(name);
	}
	free(v);
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

/* The form of a text for tables, or NULL: unchanged. */
static char *
query_rows_shown(const struct tally *t, enum column c, const char *text,
		 const struct options *o)
{
	const struct func *f = tally_func(t->item);
	char *more = NULL, *cut;

	switch (c) {
	case COLUMN_SITE:
		return query_rows_path(t->item->site, o);
	case COLUMN_FUNCTION:
		if (f->call_line)
			return func_name_call(f, f->ambiguous, false);
		return func_name(f, FUNC_NAME_USUAL, o->name_width);
	case COLUMN_TYPE:
		cut = line_shorten(text, o->name_width);
		if (!cut || asprintf(&more, "%c%s", t->mark, cut) < 0)
			more = NULL;
		free(cut);
		return more;
	case COLUMN_THREAD:
		if (t->item->thread->main &&
		    asprintf(&more, "%s (main)", text) < 0)
			return NULL;
		return more ? more : strdup(text);
	default:
		return strdup(text);
	}
}

/* ----------------------------------------------------------------- cells -- */

/*
 * Does another thread have the name of the main thread?  All other threads of
 * one name are one struct thread.
 */
static bool
is_named_twice(const struct profile *p, const struct thread *main)
{
	for (size_t i = 0; main->main && i < p->nthreads; i++)
		if (&p->all_threads[i] != main &&
		    !strcmp(p->all_threads[i].name, main->name))
			return true;
	return false;
}

/* Fill a cell; r owns its texts.  0 or -1. */
static int
query_rows_cell(struct result *r, struct result_cell *x,
		const struct query_groups *g, const struct tally *t,
		enum column c, const struct options *o)
{
	*x = (struct result_cell){ .v = columns_value(g->s, t, c) };
	x->estimate = x->v.known && columns_estimate(t, c);
	if (!x->v.known || columns_field[c].kind != VALUE_TEXT)
		return 0;
	/* JSON and CSV have whole paths, but distinguish threads, too. */
	x->shown = result_own(r, query_rows_shown(t, c, x->v.text, o));
	x->v.text =
		c == COLUMN_THREAD && is_named_twice(g->s->p, t->item->thread)
			? x->shown
			: result_own(r, strdup(x->v.text));
	return x->v.text && x->shown ? 0 : -1;
}

/* In columns that rows are grouped by, write "(not known)" instead of "-". */
static void
name_unknown(const struct query_groups *g, enum column c, struct result_cell *x)
{
	if (x->v.known)
		return;
	for (size_t i = 0; i < g->q->nby; i++)
		if (query_rows_column_of(g->q->by[i]) == c)
			x->shown = c == COLUMN_SIZE ? NULL : "(not known)";
}

static int
query_rows_row(struct query_rows *r, const struct query_groups *g, size_t i,
	       const struct options *o)
{
	struct result_cell *x = result_add(&r->rows);
	struct tally_room room;
	struct tally t = query_tally(g, i, &room);

	if (!x)
		return -1;
	for (size_t k = 0; k < r->rows.ncolumns; k++) {
		if (query_rows_cell(&r->rows, &x[k], g, &t, r->which[k], o))
			return -1;
		name_unknown(g, r->which[k], &x[k]);
	}
	return g->s->failed ? -1 : 0;
}

/* Fill the cells of a row for all rows from `from' on.  *t refers to *room. */
static int
query_rows_together(const struct query_rows *r, const struct query_groups *g,
		    size_t from, struct result_cell *x, struct tally *t,
		    struct tally_room *room)
{
	size_t *item, n = 0;

	item = malloc((g->s->p->nitems + 1) * sizeof *item);
	if (!item)
		return -1;
	for (size_t i = from; i < g->n; i++) {
		const struct sql_group *v = &g->sql->group[g->group[i]];

		memcpy(item + n, g->sql->item + v->first, v->n * sizeof *item);
		n += v->n;
	}
	tally_sort(item, n);
	*t = tally_items(&g->s->base, item, n, room);
	free(item);
	for (size_t k = 0; k < r->rows.ncolumns; k++) {
		enum column c = r->which[k];
		x[k] = (struct result_cell){ .v.known = false };
		if (columns_field[c].kind != VALUE_TEXT)
			x[k].v = columns_value(g->s, t, c);
		x[k].estimate = x[k].v.known && columns_estimate(t, c);
	}
	return 0;
}

int
query_rows_make(struct query_rows *r, const struct query_groups *g,
		const struct options *o)
{
	size_t most = g->q->top && g->q->top < g->n ? g->q->top : g->n;
	size_t n = choose_columns(g, r->which);
	struct tally_room room;
	struct tally t;

	for (size_t k = 0; k < n; k++)
		r->column[k] = (struct result_column){
			columns_field[r->which[k]].name,
			columns_field[r->which[k]].kind
		};
	result_init(&r->rows, r->column, n);
	for (size_t i = 0; i < most; i++)
		if (query_rows_row(r, g, i, o))
			return -1;
	if (most < g->n) {
		r->rows.others = r->others;
		r->rows.nothers = g->n - most;
		if (query_rows_together(r, g, most, r->others, &t, &room))
			return -1;
	}
	r->rows.total = r->total;
	if (query_rows_together(r, g, 0, r->total, &t, &room))
		return -1;
	r->bytes = t.bytes;
	r->allocs = t.allocs;
	return 0;
}
