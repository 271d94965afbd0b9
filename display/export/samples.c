/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What pprof and OTLP share: see samples.h. */
#include "display/export/samples.h"

#include "display/text/amount.h"

#include <string.h>

/* Accesses must come last, and the peak before them. */
static const struct samples_type types[SAMPLES_TYPES] = {
	{ "allocs", "alloc_objects", "count" },
	{ "bytes", "alloc_space", "bytes" },
	{ "kept-blocks", "inuse_objects", "count" },
	{ "kept", "inuse_space", "bytes" },
	{ "peak-blocks", "peak_objects", "count" },
	{ "peak", "peak_space", "bytes" },
	{ "reads", "reads", "count" },
	{ "writes", "writes", "count" },
};

enum { USUAL = 3, PEAK = 4, USE = 6 };

const struct samples_type *const samples_usual = &types[USUAL];

uint64_t
samples_text(struct samples *s, const char *text)
{
	uint32_t n = intern_text(&s->x->strings, text);

	if (n != INTERN_FAILED)
		return n;
	s->failed = true;
	return 0;
}

/* -------------------------------------------------------------- tables -- */

static bool
table_init(struct export *x, struct samples_table *t, size_t n)
{
	t->number = export_room(x, n, sizeof *t->number);
	t->row = export_room(x, n, sizeof *t->row);
	return t->number && t->row;
}

static uint32_t
table_number(struct samples_table *t, size_t i)
{
	if (!t->number[i]) {
		t->row[t->n] = (uint32_t)i;
		t->number[i] = (uint32_t)++t->n;
	}
	return t->number[i];
}

static void
choose_types(struct samples *s)
{
	for (size_t i = 0; i < SAMPLES_TYPES; i++) {
		const char *metric = types[i].metric;

		if (i >= USE ? !s->p->uses_known
			     : i >= PEAK && !s->p->peaks_known)
			continue;
		s->type[s->ntypes] = &types[i];
		s->metric[s->ntypes++] = export_metric(metric, strlen(metric));
	}
}

int
samples_init(struct samples *s, struct export *x)
{
	const struct profile *p = x->p;
	size_t n = export_wholes(p);

	*s = (struct samples){ .x = x, .p = p };
	if (locations_init(&s->all, p) ||
	    !table_init(x, &s->locations, s->all.n + 1) ||
	    !table_init(x, &s->functions, n + 1) ||
	    !table_init(x, &s->mappings, p->nmodules + 1))
		return -1;
	s->whole = export_room(x, n + 1, sizeof *s->whole);
	if (!s->whole)
		return -1;
	for (size_t i = p->nfuncs; i-- > 0;)
		s->whole[p->funcs[i]->whole] = p->funcs[i];
	for (size_t i = 1; i < p->nmodules; i++)
		if (p->modules[i].program)
			table_number(&s->mappings, i);
	samples_text(s, "");
	choose_types(s);
	return 0;
}

void
samples_fini(struct samples *s)
{
	locations_fini(&s->all);
	proto_fini(&s->line);
}

/* ------------------------------------------------------------- samples -- */

struct pass {
	struct samples *s;
	samples_taker *f;
	void *arg;
};

static void
samples_take(const struct pass *w, struct sample *a)
{
	uint64_t any = 0;

	for (size_t i = 0; i < w->s->ntypes; i++) {
		any |= a->value[i];
		if (a->value[i] > INT64_MAX)
			a->value[i] = INT64_MAX;
	}
	if (any)
		w->f(w->arg, a);
}

/* The values of an item, in the order of the types. */
static void
values_of(const struct samples *s, const struct item *a,
	  uint64_t v[SAMPLES_TYPES])
{
	uint64_t blocks = a->peak_known ? a->peak_blocks : 0;
	uint64_t all[] = { a->allocs,
			   a->bytes,
			   account_kept_blocks(&a->account),
			   account_kept(&a->account),
			   blocks,
			   a->peak_known ? a->peak : 0 };

	memset(v, 0, SAMPLES_TYPES * sizeof *v);
	memcpy(v, all, (s->p->peaks_known ? USE : PEAK) * sizeof *v);
}

static void
take_item(const struct pass *w, const struct site *site, const struct item *a)
{
	struct sample one = { .leaf = site->leaf,
			      .type = a->type,
			      .size = a->size,
			      .sized = !a->any };

	if (a->thread && *a->thread->name)
		one.thread = a->thread->name;
	values_of(w->s, a, one.value);
	samples_take(w, &one);
}

/*
 * Report a site: each item as a sample, and what is left of the site as one
 * more.  If the items exceed the site's figures, report only the whole site.
 */
static void
take_site(const struct pass *w, const struct site *site, const struct item *a,
	  size_t n)
{
	struct samples *s = w->s;
	struct sample rest = { .leaf = site->leaf, .type = site->type };
	uint64_t left[SAMPLES_TYPES] = { 0 }, v[SAMPLES_TYPES];
	bool fits = true;

	for (size_t i = 0; i < s->ntypes; i++)
		left[i] = rest.value[i] =
			export_value(s->x, s->metric[i], site);
	for (size_t k = 0; k < n && fits; k++) {
		values_of(s, &a[k], v);
		for (size_t i = 0; i < s->ntypes; i++) {
			fits &= v[i] <= left[i];
			left[i] = amount_sub(left[i], v[i]);
		}
	}
	for (size_t k = 0; k < n && fits; k++)
		take_item(w, site, &a[k]);
	if (n && fits)
		memcpy(rest.value, left, sizeof left);
	samples_take(w, &rest);
}

void
samples_each(struct samples *s, samples_taker *f, void *arg)
{
	const struct item *next = s->p->items, *a;
	const struct pass w = { s, f, arg };
	size_t n;

	for (size_t i = 0; i < s->p->nsites; i++) {
		a = export_items(s->p, &s->p->sites[i], &next, &n);
		take_site(&w, &s->p->sites[i], a, n);
	}
}

/* ---------------------------------------------------------------- rows -- */

/* The frame that f is inlined into; NULL if it isn't. */
static const struct frame *
outer(const struct frame *f)
{
	return f->inlined ? f->parent : NULL;
}

/* The number of f's function.  The last function is for unknown paths. */
static uint32_t
function(struct samples *s, const struct frame *f)
{
	return table_number(&s->functions,
			    f ? f->func->whole : export_wholes(s->p));
}

/* The number of f's location.  The last location is for unknown paths. */
static uint32_t
samples_location(struct samples *s, const struct frame *f)
{
	size_t i = f ? locations_number(&s->all, f) : s->all.n;

	if (s->locations.number[i])
		return s->locations.number[i];
	if (f && f->func->in)
		table_number(&s->mappings, f->func->in);
	do
		function(s, f);
	while (f && (f = outer(f)));
	return table_number(&s->locations, i);
}

void
samples_put_path(struct samples *s, const struct frame *leaf, struct proto *to)
{
	do
		proto_item(to, samples_location(s, leaf));
	while (leaf && (leaf = locations_caller(leaf)));
}

void
samples_put_location(struct samples *s, size_t row, unsigned first,
		     struct proto *to)
{
	size_t i = s->locations.row[row];
	const struct frame *f = i < s->all.n ? s->all.leaf[i] : NULL;
	unsigned in = f ? f->func->in : 0;

	if (in)
		proto_number(to, first, s->mappings.number[in]);
	/* The address of the call: addr is its return address. */
	if (f && f->addr)
		proto_number(to, first + 1,
			     f->addr + (in ? s->p->modules[in].bias : 0) - 1);
	do {
		proto_number(&s->line, 1, function(s, f));
		proto_number(&s->line, 2, f ? f->func->call_line : 0);
		proto_message(to, first + 2, &s->line);
	} while (f && (f = outer(f)));
}

void
samples_put_function(struct samples *s, size_t row, unsigned first,
		     struct proto *to)
{
	static const struct func nowhere = { .name = "[unknown]",
					     .file = "",
					     .call_file = "" };
	const struct func *f = s->whole[s->functions.row[row]];

	if (!f)
		f = &nowhere;
	proto_number(to, first, samples_text(s, f->name));
	proto_number(to, first + 1,
		     samples_text(s, f->linkage ? f->linkage : f->name));
	proto_number(to, first + 2,
		     samples_text(s, *f->file ? f->file : f->call_file));
	proto_number(to, first + 3, f->line);
}

const struct profile_module *
samples_module(const struct samples *s, size_t row)
{
	return &s->p->modules[s->mappings.row[row]];
}

void
samples_put_mapping(struct samples *s, size_t row, unsigned first,
		    struct proto *to)
{
	const struct profile_module *m = samples_module(s, row);

	proto_number(to, first, m->start);
	proto_number(to, first + 1, m->end);
	proto_number(to, first + 3, samples_text(s, m->path));
}

struct samples_time
samples_time(const struct profile *p)
{
	struct samples_time t = { .start = UINT64_MAX,
				  .period =
					  p->sample.rate ? p->sample.rate : 1 };

	for (size_t i = 0; i < p->nruns; i++) {
		const struct run *r = &p->runs[i];

		if (r->problem)
			continue;
		if (!t.run)
			t.run = r;
		if (r->start < t.start)
			t.start = r->start;
		t.length = amount_add(t.length, r->length);
	}
	if (t.start == UINT64_MAX)
		t.start = 0;
	return t;
}
