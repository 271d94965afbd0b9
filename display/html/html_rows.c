/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The page's data: types, fields, bins, threads, marks, the allocator, tables
 * of modules.
 */
#include "display/html/html_data.h"
#include "display/tables/allocator.h"
#include "display/text/amount.h"
#include "display/text/layout.h"

#include <stdlib.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* The most layouts of --fields, and the most cells of each. */
enum { MOST_FIELDS = 400, MOST_CELLS = 256 };

/* ----------------------------------------------------------------- types -- */

static void
type_scores(struct html *h)
{
	writer_enter(&h->w, "scores", '[');
	for (size_t i = 0; i < h->p->ntypes; i++) {
		const struct use *u = &h->p->types[i].use;
		struct score s;

		if (!h->p->uses_known || !profile_use_known(u))
			continue;
		s = profile_score(u);
		html_score(h, s.usage, true);
		html_score(h, s.useful, s.timed);
	}
	writer_leave(&h->w, ']');
}

static void
html_rows_types(struct html *h)
{
	const struct type_row *v = h->p->types;
	struct html_table t = html_table(h, "types", h->p->ntypes);

#define ROW const struct type_row *r = &v[i]
#define COLUMN(name, value) HTML_COLUMN(&t, name, value)
	COLUMN(name, html_string(h, r->name));
	COLUMN(mark, (unsigned char)r->mark);
	html_fields(&t, "types", v, "size", "sites");
	COLUMN(peak_known, r->peak_known);
	COLUMN(elements, r->size && r->multiple ? r->elements : 0);
	COLUMN(holes_1, r->holes.known ? r->holes.bytes + 1 : 0);
	COLUMN(in_holes_1,
	       r->holes.known
		       ? amount_add(amount_mul(r->holes.bytes, r->elements), 1)
		       : 0);
	COLUMN(rounded_1, r->rounded_known ? amount_add(r->rounded, 1) : 0);
	COLUMN(rounded_exact, r->rounded_known && r->rounded_exact);
	COLUMN(reads, r->use.reads);
	COLUMN(writes, r->use.writes);
	COLUMN(handed, r->use.handed_blocks);
	COLUMN(handed_bytes, r->use.handed_bytes);
	COLUMN(used, h->p->uses_known ? profile_use_known(&r->use) : 0);
	html_errors(&t, v, sizeof *v, offsetof(struct type_row, var), 4);
#undef ROW
	type_scores(h);
	html_table_end(&t);
}

/* ---------------------------------------------------------------- fields -- */

/* Write figures of granules, `unit' granules in a cell. */
static void
cells(struct html *h, const char *name, const uint64_t *v, size_t n,
      size_t unit)
{
	writer_enter(&h->w, name, '[');
	for (size_t i = 0; i < n; i += unit) {
		uint64_t sum = 0;

		for (size_t k = i; k < n && k - i < unit; k++)
			sum = amount_add(sum, v[k]);
		writer_number(&h->w, NULL, sum);
	}
	writer_leave(&h->w, ']');
}

/* Write name, type, offset, size and depth of each member. */
static void
html_rows_members(struct html *h, const struct fields *f)
{
	writer_enter(&h->w, "members", '[');
	for (size_t i = 0; i < f->nmembers; i++) {
		const struct member *m = &f->members[i];

		writer_number(&h->w, NULL, html_string(h, m->name));
		writer_number(&h->w, NULL, html_string(h, m->type));
		WRITER_ITEMS(&h->w, m->offset, m->size, m->depth);
	}
	writer_leave(&h->w, ']');
}

static void
layout(struct html *h, const struct fields *f)
{
	struct writer *w = &h->w;
	size_t unit = 1;

	while (f->n > MOST_CELLS * unit)
		unit *= 2;
	writer_enter(w, NULL, '{');
	if (f->type) {
		writer_number(w, "type", html_string(h, f->type));
		writer_number(w, "mark", (unsigned char)f->type_mark);
		writer_number(w, "type_size", f->type_size);
	}
	if (f->site)
		writer_number(w, "site", (uint64_t)(f->site - h->p->sites));
	writer_number(w, "size", f->size);
	writer_number(w, "blocks", f->blocks);
	writer_number(w, "cell", unit * LAYOUT_GRANULE);
	cells(h, "reads", f->reads, f->n, unit);
	cells(h, "writes", f->writes, f->n, unit);
	if (f->nmembers && f->size == f->type_size)
		html_rows_members(h, f);
	writer_leave(w, '}');
}

static void
fields(struct html *h)
{
	size_t n = h->p->nfields, left = 0;

	if (n > MOST_FIELDS) {
		left = n - MOST_FIELDS;
		n = MOST_FIELDS;
	}
	writer_number(&h->w, "fields_left", left);
	WRITER_LINES(&h->w, "fields", n, layout(h, &h->p->fields[i]));
}

/* ------------------------------------------------------ bins and threads -- */

static void
html_rows_bins(struct html *h)
{
	const struct profile *p = h->p;
	const uint64_t big[] = { p->big.allocs, p->big.bytes, p->big.frees,
				 account_kept(&p->big) };
	struct html_table t = html_table(h, "bins", p->nbins);

#define ROW const struct bin *b = &p->bins[i]
	html_fields(&t, "bins", p->bins, "size", "allocs");
	html_fields(&t, "bins", p->bins, "frees", "kept");
	COLUMN(type, b->ntypes ? html_string(h, b->types[0].name) + 1 : 0);
	COLUMN(mark, b->ntypes ? (unsigned char)b->types[0].mark : 0);
	COLUMN(types, b->ntypes);
	html_errors(&t, p->bins, sizeof *p->bins, offsetof(struct bin, var), 3);
#undef ROW
	writer_numbers(&h->w, "big", big, COUNT(big));
	html_table_end(&t);
}

static void
threads(struct html *h)
{
	const struct profile *p = h->p;
	struct html_table t = html_table(h, "threads", p->nthreads);

#define ROW const struct thread *x = &p->all_threads[i]
	writer_truth(&h->w, "freed_known", !profile_is_less(p));
	COLUMN(name, html_string(h, x->name));
	COLUMN(main, x->main);
	COLUMN(kept_known, x->kept_known);
	COLUMN(peak_known, x->peak_known);
	html_fields(&t, "threads", p->all_threads, "threads", "peak");
	html_errors(&t, p->all_threads, sizeof *p->all_threads,
		    offsetof(struct thread, var), 2);
#undef ROW
	html_table_end(&t);
}

/* Blocks that a thread allocated with a call path, of all sizes. */
struct by_thread {
	uint64_t site, thread;
	struct figures sum;
};

/* Merge a site's items by thread.  Returns the number of rows. */
static size_t
by_threads(const struct profile *p, struct by_thread *v)
{
	size_t n = 0, first = 0;

	for (size_t i = 0, k; i < p->nitems; i++) {
		const struct item *x = &p->items[i];
		uint64_t site = (uint64_t)(x->site - p->sites);
		uint64_t thread;

		if (!x->thread)
			continue;
		thread = (uint64_t)(x->thread - p->all_threads);
		if (first < n && v[first].site != site)
			first = n;
		for (k = first; k < n && v[k].thread != thread; k++)
			;
		if (k == n)
			v[n++] = (struct by_thread){ site, thread, x->figures };
		else
			figures_add(&v[k].sum, &x->figures);
	}
	return n;
}

/* With several threads, write what each allocated, by call path. */
static void
thread_sites(struct html *h)
{
	const struct profile *p = h->p;
	struct by_thread *v;
	struct html_table t;

	if (p->nthreads < 2 || p->items_why || !p->nitems)
		return;
	v = calloc(p->nitems, sizeof *v);
	if (!v) {
		h->failed = true;
		return;
	}
	t = html_table(h, "thread_sites", by_threads(p, v));
#define ROW const struct by_thread *x = &v[i]
	COLUMN(site, x->site - (i ? x[-1].site : 0));
	COLUMN(thread, x->thread);
	COLUMN(allocs, x->sum.allocs);
	COLUMN(bytes, x->sum.bytes);
	COLUMN(frees, x->sum.frees);
	COLUMN(freed, x->sum.freed);
	COLUMN(kept, account_kept(&x->sum.account));
	COLUMN(peak, x->sum.peak);
#undef ROW
	html_table_end(&t);
	free(v);
}

/* Write each mark: name, time and live bytes. */
static void
html_rows_marks(struct html *h)
{
	writer_line(&h->w, "marks", '[');
	for (size_t i = 0; i < h->p->nmarks; i++) {
		const struct mark *m = &h->p->marks[i];

		writer_enter(&h->w, NULL, '[');
		writer_text(&h->w, NULL, m->name);
		writer_number(&h->w, NULL, m->time);
		writer_number(&h->w, NULL, amount_sub(m->bytes, m->freed));
		writer_leave(&h->w, ']');
	}
	writer_leave(&h->w, ']');
}

/* --------------------------------------------------------- the allocator -- */

static void
html_rows_cell(struct html *h, enum value_kind kind, const struct value *v)
{
	if (!v->known)
		writer_null(&h->w, NULL);
	else if (kind <= VALUE_NUMBER)
		writer_number(&h->w, NULL, html_copied(h, v->text));
	else if (kind >= VALUE_SHARE)
		writer_real(&h->w, NULL, (double)v->number);
	else
		writer_number(&h->w, NULL, value_whole(v));
}

/* Write a table of the schema with a description of its fields. */
static void
whole_table(struct html *h, const char *name, const struct schema_table *t,
	    size_t most)
{
	struct writer *w = &h->w;
	const char *row;
	const void *rows;
	struct value v;
	size_t n;

	if (schema_rows(&h->schema, t, &rows, &n))
		return;
	writer_enter(w, name, '{');
	writer_text(w, "title", t->meaning);
	if (n > most)
		writer_number(w, "left_out", n - most);
	writer_enter(w, "fields", '[');
	for (size_t k = 0; k < t->nfields; k++) {
		writer_text(w, NULL, t->field[k].name);
		writer_number(w, NULL, t->field[k].kind);
		writer_text(w, NULL, t->field[k].meaning);
	}
	writer_leave(w, ']');
	writer_enter(w, "rows", '[');
	row = rows;
	for (size_t i = 0; i < n && i < most; i++, row += t->size)
		for (size_t k = 0; k < t->nfields; k++) {
			schema_get(&h->schema, t, &t->field[k], row, i, &v);
			html_rows_cell(h, t->field[k].kind, &v);
		}
	writer_leave(w, ']');
	writer_leave(w, '}');
}

static void
html_rows_of_allocator(struct html *h)
{
	const struct allocator *a = h->p->allocator;
	const struct schema_table *t;
	struct writer *w = &h->w;

	if (!a)
		return;
	writer_line(w, "allocator", '{');
	writer_text(w, "probe", a->probe);
	writer_number(w, "threshold", a->threshold);
	writer_number(w, "one_in", a->one_in);
	writer_number(w, "operations", a->all.calls.n);
	writer_maybe(w, "time", a->all.ns.all, a->all.time.n);
	allocator_verdicts(h->p, w);
	writer_enter(w, "tables", '[');
	for (t = schema_tables; t->name; t++)
		if (t->plain)
			whole_table(h, NULL, t, SIZE_MAX);
	writer_leave(w, ']');
	writer_leave(w, '}');
}

/* Write the tables of profiling modules. */
static void
of_modules(struct html *h)
{
	struct writer *w = &h->w;

	if (!h->p->nfindings)
		return;
	writer_line(w, "modules", '[');
	for (const struct schema_table *t = schema_tables; t->name; t++)
		if (t->findings)
			whole_table(h, NULL, t, SIZE_MAX);
	writer_leave(w, ']');
}

/* Write the largest rows of the heap as a graph. */
static void
of_graph(struct html *h)
{
	static const struct {
		const char *table;
		size_t most;
	} rows[] = { { "roots", 2000 },
		     { "retained", SIZE_MAX },
		     { "edges", 4000 },
		     { "steps", 20000 },
		     { "holdings", 20000 } };

	if (!h->p->links.nholdings)
		return;
	writer_line(&h->w, "graph", '{');
	writer_number(&h->w, "at", h->p->links.at);
	writer_number(&h->w, "bytes", h->p->links.bytes);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		whole_table(h, rows[i].table, schema_table(rows[i].table),
			    rows[i].most);
	writer_leave(&h->w, '}');
}

/* Write the parts of the process's memory, and the largest mappings. */
static void
of_memory(struct html *h)
{
	enum { MAPPED = 100 };

	if (!h->p->nmemory)
		return;
	writer_line(&h->w, "memory", '{');
	whole_table(h, "lines", schema_table("memory"), SIZE_MAX);
	if (h->p->nmemory_snapshots > 1)
		whole_table(h, "snapshots", schema_table("memory_snapshots"),
			    SIZE_MAX);
	if (h->p->mappings_known)
		whole_table(h, "mapped", schema_table("mappings"), MAPPED);
	writer_leave(&h->w, '}');
}

void
html_rows(struct html *h)
{
	html_rows_types(h);
	fields(h);
	html_rows_bins(h);
	threads(h);
	thread_sites(h);
	html_rows_marks(h);
	html_rows_of_allocator(h);
	of_modules(h);
	of_graph(h);
	of_memory(h);
}
