/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page's data: types, fields, bins, threads, marks. */
#include "display/html/html_data.h"
#include "display/grid/errors.h"
#include "display/text/amount.h"
#include "display/text/layout.h"
#include "display/text/number.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* Of fields: so many layouts, each of so many cells at most. */
enum { MOST_FIELDS = 400, MOST_CELLS = 256 };

/* ----------------------------------------------------------------- types -- */

#define OF_TYPE(id, value) \
	static uint64_t type_##id(struct html *h, size_t i) \
	{ \
		const struct type_row *r = &h->p->types[i]; \
\
		(void)h; \
		return value; \
	}
OF_TYPE(name, html_string(h, r->name))
OF_TYPE(mark, (unsigned char)r->mark)
OF_TYPE(peak_known, r->peak_known)
OF_TYPE(elements, r->size && r->multiple ? r->elements : 0)
OF_TYPE(holes, r->holes.known ? r->holes.bytes + 1 : 0)
OF_TYPE(rounded, r->rounded_known ? amount_add(r->rounded, 1) : 0)
OF_TYPE(rounded_exact, r->rounded_known && r->rounded_exact)
OF_TYPE(reads, r->use.reads)
OF_TYPE(writes, r->use.writes)
OF_TYPE(handed, r->use.handed_blocks)
OF_TYPE(handed_bytes, r->use.handed_bytes)
OF_TYPE(e_allocs, errors_thousandths(r->var[PROFILE_E_ALLOCS]))
OF_TYPE(e_bytes, errors_thousandths(r->var[PROFILE_E_BYTES]))
OF_TYPE(e_kept, errors_thousandths(r->var[PROFILE_E_KEPT]))
OF_TYPE(e_peak, errors_thousandths(r->var[PROFILE_E_PEAK]))
OF_TYPE(used, h->p->uses_known ? profile_use_known(&r->use) : 0)

static void
types(struct html *h)
{
	static const struct html_column name[] = { { "name", type_name },
						   { "mark", type_mark } };
	static const struct html_column column[] = {
		{ "peak_known", type_peak_known },
		{ "elements", type_elements },
		{ "holes_1", type_holes },
		{ "rounded_1", type_rounded },
		{ "rounded_exact", type_rounded_exact },
		{ "reads", type_reads },
		{ "writes", type_writes },
		{ "handed", type_handed },
		{ "handed_bytes", type_handed_bytes },
		{ "used", type_used },
		{ "e_allocs", type_e_allocs },
		{ "e_bytes", type_e_bytes },
		{ "e_kept", type_e_kept },
		{ "e_peak", type_e_peak },
	};
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

#define OF_BIN(id, value) \
	static uint64_t bin_##id(struct html *h, size_t i) \
	{ \
		const struct bin *b = &h->p->bins[i]; \
\
		return value; \
	}
OF_BIN(type, b->ntypes ? html_string(h, b->types[0].name) + 1 : 0)
OF_BIN(mark, b->ntypes ? (unsigned char)b->types[0].mark : 0)
OF_BIN(types, b->ntypes)
OF_BIN(e_allocs, errors_thousandths(b->var[PROFILE_E_ALLOCS]))
OF_BIN(e_bytes, errors_thousandths(b->var[PROFILE_E_BYTES]))
OF_BIN(e_kept, errors_thousandths(b->var[PROFILE_E_KEPT]))

static void
four(struct html *h, const char *name, uint64_t allocs, uint64_t bytes,
     uint64_t frees, uint64_t freed)
{
	writer_enter(&h->w, name, '[');
	writer_number(&h->w, NULL, allocs);
	writer_number(&h->w, NULL, bytes);
	writer_number(&h->w, NULL, frees);
	writer_number(&h->w, NULL, freed);
	writer_leave(&h->w, ']');
}

static void
bins(struct html *h)
{
	static const struct html_column column[] = {
		{ "type", bin_type },	      { "mark", bin_mark },
		{ "types", bin_types },	      { "e_allocs", bin_e_allocs },
		{ "e_bytes", bin_e_bytes },   { "e_kept", bin_e_kept }
	};
	const struct profile *p = h->p;

	writer_line(&h->w, "bins", '{');
	writer_number(&h->w, "n", p->nbins);
	html_fields(h, "bins", p->bins, p->nbins, "size", "allocs");
	html_fields(h, "bins", p->bins, p->nbins, "frees", "frees");
	html_columns(h, column, COUNT(column), p->nbins);
	four(h, "big", p->big.allocs, p->big.bytes, p->big.frees, p->big.freed);
	writer_leave(&h->w, '}');
}

#define OF_THREAD(id, value) \
	static uint64_t thread_##id(struct html *h, size_t i) \
	{ \
		const struct thread *t = &h->p->all_threads[i]; \
\
		(void)h; \
		return value; \
	}
OF_THREAD(name, html_string(h, t->name))
OF_THREAD(main, t->main)
OF_THREAD(e_allocs, errors_thousandths(t->var[PROFILE_E_ALLOCS]))
OF_THREAD(e_bytes, errors_thousandths(t->var[PROFILE_E_BYTES]))

static void
threads(struct html *h)
{
	static const struct html_column name[] = { { "name", thread_name },
						   { "main", thread_main } };
	static const struct html_column error[] = {
		{ "e_allocs", thread_e_allocs }, { "e_bytes", thread_e_bytes }
	};
	const struct profile *p = h->p;

	writer_line(&h->w, "threads", '{');
	writer_number(&h->w, "n", p->nthreads);
	writer_truth(&h->w, "freed_known", !profile_is_less(p));
	html_columns(h, name, COUNT(name), p->nthreads);
	html_fields(h, "threads", p->all_threads, p->nthreads, "threads",
		    "foreign");
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

void
html_rows(struct html *h)
{
	types(h);
	fields(h);
	bins(h);
	threads(h);
	marks(h);
}
