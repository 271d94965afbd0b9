/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page's data: types, fields, bins, threads, marks, the allocator. */
#include "display/html/html_data.h"
#include "display/grid/errors.h"
#include "display/schema/schema.h"
#include "display/tables/allocator.h"
#include "display/text/amount.h"
#include "display/text/layout.h"
#include "display/text/number.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* Of fields: so many layouts, each of so many cells at most. */
enum { MOST_FIELDS = 400, MOST_CELLS = 256 };

/* ----------------------------------------------------------------- types -- */

/* clang-format off */
#define TYPE_NAMES(C) \
	C(name, html_string(h, r->name)) \
	C(mark, (unsigned char)r->mark)

#define TYPE_FIGURES(C) \
	C(peak_known, r->peak_known) \
	C(elements, r->size && r->multiple ? r->elements : 0) \
	C(holes_1, r->holes.known ? r->holes.bytes + 1 : 0) \
	C(rounded_1, r->rounded_known ? amount_add(r->rounded, 1) : 0) \
	C(rounded_exact, r->rounded_known && r->rounded_exact) \
	C(reads, r->use.reads) \
	C(writes, r->use.writes) \
	C(handed, r->use.handed_blocks) \
	C(handed_bytes, r->use.handed_bytes) \
	C(used, h->p->uses_known ? profile_use_known(&r->use) : 0) \
	C(e_allocs, errors_thousandths(r->var[PROFILE_E_ALLOCS])) \
	C(e_bytes, errors_thousandths(r->var[PROFILE_E_BYTES])) \
	C(e_kept, errors_thousandths(r->var[PROFILE_E_KEPT])) \
	C(e_peak, errors_thousandths(r->var[PROFILE_E_PEAK]))
/* clang-format on */

#define GET(id, value) \
	static uint64_t type_##id(struct html *h, size_t i) \
	{ \
		const struct type_row *r = &h->p->types[i]; \
\
		(void)h; \
		return value; \
	}
TYPE_NAMES(GET)
TYPE_FIGURES(GET)
#undef GET

static void
types(struct html *h)
{
#define ROW(id, value) { #id, type_##id },
	static const struct html_column name[] = { TYPE_NAMES(ROW) };
	static const struct html_column column[] = { TYPE_FIGURES(ROW) };
#undef ROW
	const struct profile *p = h->p;

	writer_line(&h->w, "types", '{');
	writer_number(&h->w, "n", p->ntypes);
	html_columns(h, name, COUNT(name), p->ntypes);
	html_fields(h, "types", p->types, p->ntypes, "size", "freed");
	html_fields(h, "types", p->types, p->ntypes, "peak", "sites");
	html_columns(h, column, COUNT(column), p->ntypes);
	writer_enter(&h->w, "scores", '[');
	for (size_t i = 0; i < h->p->ntypes; i++) {
		struct score s;

		if (!type_used(h, i))
			continue;
		s = profile_score(&h->p->types[i].use);
		html_signed(h, html_hundredths(s.usage));
		html_signed(h, html_hundredths(s.useful));
	}
	writer_leave(&h->w, ']');
	writer_leave(&h->w, '}');
}

/* ---------------------------------------------------------------- fields -- */

/* Granules, `unit' of them in a cell. */
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

/* Name, type, offset, size, depth of each member, one after the other. */
static void
members(struct html *h, const struct fields *f)
{
	writer_enter(&h->w, "members", '[');
	for (size_t i = 0; i < f->nmembers; i++) {
		const struct member *m = &f->members[i];

		writer_number(&h->w, NULL, html_string(h, m->name));
		writer_number(&h->w, NULL, html_string(h, m->type));
		writer_number(&h->w, NULL, m->offset);
		writer_number(&h->w, NULL, m->size);
		writer_number(&h->w, NULL, m->depth);
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
		members(h, f);
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
	writer_line(&h->w, "fields", '[');
	for (size_t i = 0; i < n; i++)
		layout(h, &h->p->fields[i]);
	writer_leave(&h->w, ']');
}

/* ------------------------------------------------------ bins and threads -- */

/* clang-format off */
#define BIN_FIGURES(C) \
	C(type, b->ntypes ? html_string(h, b->types[0].name) + 1 : 0) \
	C(mark, b->ntypes ? (unsigned char)b->types[0].mark : 0) \
	C(types, b->ntypes) \
	C(e_allocs, errors_thousandths(b->var[PROFILE_E_ALLOCS])) \
	C(e_bytes, errors_thousandths(b->var[PROFILE_E_BYTES])) \
	C(e_kept, errors_thousandths(b->var[PROFILE_E_KEPT]))
/* clang-format on */

#define GET(id, value) \
	static uint64_t bin_##id(struct html *h, size_t i) \
	{ \
		const struct bin *b = &h->p->bins[i]; \
\
		return value; \
	}
BIN_FIGURES(GET)
#undef GET

static void
bins(struct html *h)
{
#define ROW(id, value) { #id, bin_##id },
	static const struct html_column column[] = { BIN_FIGURES(ROW) };
#undef ROW
	const struct profile *p = h->p;
	const uint64_t big[] = { p->big.allocs, p->big.bytes, p->big.frees,
				 p->big.freed };

	writer_line(&h->w, "bins", '{');
	writer_number(&h->w, "n", p->nbins);
	html_fields(h, "bins", p->bins, p->nbins, "size", "allocs");
	html_fields(h, "bins", p->bins, p->nbins, "frees", "frees");
	html_columns(h, column, COUNT(column), p->nbins);
	writer_numbers(&h->w, "big", big, COUNT(big));
	writer_leave(&h->w, '}');
}

/* clang-format off */
#define THREAD_NAMES(C) \
	C(name, html_string(h, t->name)) \
	C(main, t->main) \
	C(kept_known, t->kept_known) \
	C(peak_known, t->peak_known)

#define THREAD_FIGURES(C) \
	C(e_allocs, errors_thousandths(t->var[PROFILE_E_ALLOCS])) \
	C(e_bytes, errors_thousandths(t->var[PROFILE_E_BYTES]))
/* clang-format on */

#define GET(id, value) \
	static uint64_t thread_##id(struct html *h, size_t i) \
	{ \
		const struct thread *t = &h->p->all_threads[i]; \
\
		(void)h; \
		return value; \
	}
THREAD_NAMES(GET)
THREAD_FIGURES(GET)
#undef GET

static void
threads(struct html *h)
{
#define ROW(id, value) { #id, thread_##id },
	static const struct html_column name[] = { THREAD_NAMES(ROW) };
	static const struct html_column error[] = { THREAD_FIGURES(ROW) };
#undef ROW
	const struct profile *p = h->p;

	writer_line(&h->w, "threads", '{');
	writer_number(&h->w, "n", p->nthreads);
	writer_truth(&h->w, "freed_known", !profile_is_less(p));
	html_columns(h, name, COUNT(name), p->nthreads);
	html_fields(h, "threads", p->all_threads, p->nthreads, "threads",
		    "peak");
	html_columns(h, error, COUNT(error), p->nthreads);
	writer_leave(&h->w, '}');
}

/* Name, time and what was live at each of them. */
static void
marks(struct html *h)
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
cell(struct html *h, enum value_kind kind, const struct value *v)
{
	if (!v->known)
		writer_null(&h->w, NULL);
	else if (kind <= VALUE_NUMBER)
		writer_number(&h->w, NULL, html_string(h, v->text));
	else
		writer_number(&h->w, NULL, value_whole(v));
}

/* A table of the schema as the page can draw it without knowing it. */
static void
whole_table(struct html *h, const struct schema_table *t)
{
	struct writer *w = &h->w;
	struct schema s;
	const char *row;
	const void *rows;
	struct value v;
	size_t n;

	schema_start(&s, h->p);
	if (schema_rows(&s, t, &rows, &n) == 0) {
		writer_enter(w, NULL, '{');
		writer_text(w, "title", t->meaning);
		writer_enter(w, "fields", '[');
		for (size_t k = 0; k < t->nfields; k++) {
			writer_text(w, NULL, t->field[k].name);
			writer_number(w, NULL, t->field[k].kind);
			writer_text(w, NULL, t->field[k].meaning);
		}
		writer_leave(w, ']');
		writer_enter(w, "rows", '[');
		for (row = rows; n-- > 0; row += t->size)
			for (size_t k = 0; k < t->nfields; k++) {
				schema_get(&s, t, &t->field[k], row, 0, &v);
				cell(h, t->field[k].kind, &v);
			}
		writer_leave(w, ']');
		writer_leave(w, '}');
	}
	schema_fini(&s);
}

static void
of_allocator(struct html *h)
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
			whole_table(h, t);
	writer_leave(w, ']');
	writer_leave(w, '}');
}

void
html_rows(struct html *h)
{
	types(h);
	fields(h);
	bins(h);
	threads(h);
	marks(h);
	of_allocator(h);
}
