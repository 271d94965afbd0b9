/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page's data: the old run that *p is compared with. */
#include "display/grid/origins.h"
#include "display/html/html_data.h"
#include "display/text/amount.h"

#include <stdlib.h>

/* The most frames of a path that only the old run has, as in diff.js. */
enum { FRAMES = 24 };

/* The most roots of the old run's graph; those that retain most. */
enum { ROOTS = 2000 };

/*
 * Write a row that only the old run has: its number; names, innermost first:
 * twice the string, plus 1 for functions of the program itself.
 */
static void
gone(struct html *h, size_t i)
{
	const struct diff *d = h->diff;
	size_t at = d->sites.row[i].path;

	writer_enter(&h->w, NULL, '[');
	writer_number(&h->w, NULL, i);
	for (size_t n = 0; at && n < FRAMES; n++) {
		const struct diff_name *x = &d->name[d->path[at].name];

		writer_number(&h->w, NULL,
			      2 * html_string(h, x->text) + x->own);
		at = d->path[at].next;
	}
	writer_leave(&h->w, ']');
}

/* For each site of such rows: the row, and the program's line, as a call. */
static void
gone_lines(struct html *h)
{
	const struct diff *d = h->diff;
	const struct profile *p = d->run[DIFF_OLD];
	bool std;

	writer_enter(&h->w, "gone_lines", '[');
	for (size_t i = 0; i < p->nsites; i++) {
		size_t row = d->row_of[DIFF_OLD][i];
		const struct frame *f =
			origins_first(p->sites[i].leaf, true, &std);

		if (row != DIFF_NONE && !d->sites.row[row].in[DIFF_NEW] && f &&
		    f->site)
			WRITER_ITEMS(&h->w, row, html_string(h, f->site));
	}
	writer_leave(&h->w, ']');
}

static void
html_diff_total(struct html *h)
{
	const struct diff *d = h->diff;
	struct writer *w = &h->w;

	writer_enter(w, "total", '{');
	diff_json_figures(w, d->total.v[DIFF_OLD], d->peak_known);
	writer_maybe(w, "leaked", leak_leaked(d->run[DIFF_OLD]->leak.bytes),
		     d->run[DIFF_OLD]->leaks_known);
	writer_leave(w, '}');
}

/* Write a column of the old run: value() of its sites, summed up by row. */
static void
html_diff_by_row(struct html *h, struct html_table *t, const char *name,
		 uint64_t (*value)(struct html *h, const struct profile *p,
				   size_t site))
{
	const struct diff *d = h->diff;
	const struct profile *p = d->run[DIFF_OLD];

	for (size_t i = 0; t->v && i < t->n; i++)
		t->v[i] = 0;
	for (size_t i = 0; t->v && i < p->nsites; i++) {
		size_t row = d->row_of[DIFF_OLD][i];

		if (row != DIFF_NONE)
			t->v[row] = amount_add(t->v[row], value(h, p, i));
	}
	html_column(t, name);
}

static uint64_t
leaked(struct html *h, const struct profile *p, size_t site)
{
	const struct leak *leak = p->sites[site].leak;

	(void)h;
	return leak ? leak_leaked(leak->bytes) : 0;
}

static uint64_t
retained(struct html *h, const struct profile *p, size_t site)
{
	(void)h;
	return site < p->links.nretained ? p->links.retained[site].bytes : 0;
}

static uint64_t
retained_blocks(struct html *h, const struct profile *p, size_t site)
{
	(void)h;
	return site < p->links.nretained ? p->links.retained[site].blocks : 0;
}

/* Write the type of each row's blocks. */
static void
html_diff_types(struct html *h, struct html_table *t)
{
	const struct diff *d = h->diff;
	const struct profile *p = d->run[DIFF_OLD];

	for (size_t i = 0; t->v && i < t->n; i++)
		t->v[i] = 0;
	for (size_t i = 0; t->v && i < p->nsites; i++) {
		size_t row = d->row_of[DIFF_OLD][i];

		if (row != DIFF_NONE && p->sites[i].type)
			t->v[row] = html_string(h, p->sites[i].type) + 1;
	}
	html_column(t, "type");
}

/* Write the old run's graph: name, kind, bytes and blocks of each root. */
static void
html_diff_held(struct html *h, struct html_table *t)
{
	const struct links *l = &h->diff->run[DIFF_OLD]->links;

	if (!l->retained)
		return;
	html_diff_by_row(h, t, "retained", retained);
	html_diff_by_row(h, t, "retained_blocks", retained_blocks);
	html_diff_types(h, t);
	writer_enter(&h->w, "roots", '[');
	for (size_t i = 0; i < l->nroots && i < ROOTS; i++) {
		const struct root *r = &l->roots[i];

		if (!r->blocks)
			continue;
		writer_number(&h->w, NULL, html_string(h, r->name));
		writer_number(&h->w, NULL, html_string(h, r->kind_name));
		WRITER_ITEMS(&h->w, r->bytes, r->blocks);
	}
	writer_leave(&h->w, ']');
}

/* The types of the old run, one row for each name. */
static void
old_types(struct html *h)
{
	const struct diff *d = h->diff;
	struct html_table t = html_room(h, d->types.n);

	writer_line(&h->w, "types", '{');
	writer_number(&h->w, "n", d->types.n);
#define ROW const struct diff_row *r = &d->types.row[i]
	HTML_COLUMN(&t, name, html_string(h, r->name));
	HTML_COLUMN(&t, was, r->in[DIFF_OLD]);
#define F(id, name, ...) HTML_COLUMN(&t, name, r->v[DIFF_OLD][DIFF_##id]);
	DIFF_FIGURES(F)
#undef F
	HTML_COLUMN(&t, no_peak, r->no_peak);
#undef ROW
	writer_leave(&h->w, '}');
	free(t.v);
}

void
html_diff(struct html *h)
{
	const struct diff *d = h->diff;
	struct html_table old, new;

	if (!d)
		return;
	old = html_room(h, d->sites.n);
	new = html_room(h, h->p->nsites);
	writer_line(&h->w, "old", '{');
	writer_text(&h->w, "path",
		    d->run[DIFF_OLD]->nruns ? d->run[DIFF_OLD]->runs[0].path
					    : "");
	writer_truth(&h->w, "scaled", d->scaled);
	html_diff_total(h);
	writer_number(&h->w, "n", d->sites.n);
#define ROW const struct diff_row *r = &d->sites.row[i]
#define F(id, name, ...) HTML_COLUMN(&old, name, r->v[DIFF_OLD][DIFF_##id]);
	DIFF_FIGURES(F)
#undef F
	HTML_COLUMN(&old, was, r->in[DIFF_OLD]);
#undef ROW
	html_diff_by_row(h, &old, "leaked", leaked);
	html_diff_held(h, &old);
#define ROW const size_t row = d->row_of[DIFF_NEW][i]
	HTML_COLUMN(&new, of, row == DIFF_NONE ? 0 : row + 1);
#undef ROW
	old_types(h);
	writer_enter(&h->w, "gone", '[');
	for (size_t i = 0; i < d->sites.n; i++)
		if (!d->sites.row[i].in[DIFF_NEW])
			gone(h, i);
	writer_leave(&h->w, ']');
	gone_lines(h);
	writer_leave(&h->w, '}');
	free(old.v);
	free(new.v);
}
