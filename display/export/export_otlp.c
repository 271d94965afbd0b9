/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --export=otlp: a request of OpenTelemetry's ProfilesService, gzipped.  The
 * numbers of fields are those of opentelemetry-proto 1.11, v1development.
 */
#include "display/export/samples.h"

#include "display/text/amount.h"

#include <stdlib.h>
#include <string.h>

/* Tables of the dictionary: their field numbers. */
enum { MAPPINGS = 1, LOCATIONS, FUNCTIONS, LINKS, STRINGS, ATTRIBUTES, STACKS };

/* The attributes of a sample.  With its stack, they identify it. */
enum { TYPE, THREAD, SIZE, KNOWN_BY };

struct row {
	uint32_t stack, attribute[KNOWN_BY]; /* 0: unknown */
	uint64_t value[SAMPLES_TYPES];
};

struct otlp {
	struct samples s;
	uint32_t *stack; /* by frame of p->tree; the last: unknown */
	uint32_t nstacks;
	struct intern attributes; /* (key and kind, value) */
	struct intern texts;	  /* the values that are texts */
	struct intern same;	  /* the keys of rows */
	struct row *rows;
	size_t rows_room;
	/* The messages that are built; part and inner are scratch. */
	struct proto top, dictionary, resource, scope, profile, part, inner;
};

static void
table_item(struct otlp *w, unsigned field)
{
	proto_message(&w->dictionary, field, &w->part);
}

static void
zeros(struct otlp *w, unsigned field, unsigned n)
{
	while (n--)
		proto_item(&w->inner, 0);
	proto_message(&w->part, field, &w->inner);
}

/*
 * Write row 0, which means "none", of each table except the strings.  The
 * identifiers of a link have their full length even there.
 */
static void
start_tables(struct otlp *w)
{
	for (unsigned i = MAPPINGS; i <= STACKS; i++) {
		if (i == STRINGS)
			continue;
		if (i == LINKS) {
			zeros(w, 1, 16);
			zeros(w, 2, 8);
		}
		table_item(w, i);
	}
	if (intern_pair(&w->attributes, 0, 0) == INTERN_FAILED)
		w->s.failed = true;
}

/* --------------------------------------------------- stacks, attributes -- */

static uint32_t
export_otlp_stack(struct otlp *w, const struct frame *leaf)
{
	const struct profile *p = w->s.p;
	uint32_t *n = &w->stack[leaf ? (size_t)(leaf - p->tree) : p->ntree];

	if (*n)
		return *n;
	samples_put_path(&w->s, leaf, &w->inner);
	proto_message(&w->part, 1, &w->inner);
	table_item(w, STACKS);
	return *n = ++w->nstacks;
}

/* The index of an attribute: a text, or a number of bytes if text is NULL. */
static uint32_t
attribute(struct otlp *w, const char *key, const char *text, uint64_t bytes)
{
	uint64_t k = samples_text(&w->s, key);
	uint64_t v = text ? intern_text(&w->texts, text) : bytes;
	size_t before = w->attributes.n;
	uint32_t n = intern_pair(&w->attributes, k << 1 | !text, v);

	if (n == INTERN_FAILED || (text && v == INTERN_FAILED)) {
		w->s.failed = true;
		return 0;
	}
	if (w->attributes.n == before)
		return n;
	proto_number(&w->part, 1, k);
	if (text)
		proto_text(&w->inner, 1, text);
	else
		proto_given(&w->inner, 3, bytes);
	proto_message(&w->part, 2, &w->inner);
	if (!text)
		proto_number(&w->part, 3, samples_text(&w->s, "By"));
	table_item(w, ATTRIBUTES);
	return n;
}

/* ------------------------------------------------------------- samples -- */

/* The row of samples with this stack and attributes, added if it is new. */
static struct row *
export_otlp_row_of(struct otlp *w, const struct row *as)
{
	size_t before = w->same.n;
	uint32_t n =
		intern_pair(&w->same,
			    (uint64_t)as->stack << 32 | as->attribute[TYPE],
			    (uint64_t)as->attribute[THREAD] << 32 |
				    as->attribute[SIZE]);
	struct row *rows = n == INTERN_FAILED
				   ? NULL
				   : array_grow(w->rows, &w->rows_room,
						w->same.n, sizeof *rows);

	if (!rows) {
		w->s.failed = true;
		return NULL;
	}
	w->rows = rows;
	if (w->same.n > before)
		rows[n] = *as;
	return &rows[n];
}

static void
export_otlp_sample(void *arg, const struct sample *a)
{
	struct otlp *w = arg;
	struct row as = { .stack = export_otlp_stack(w, a->leaf) }, *row;

	if (w->s.failed)
		return;
	if (a->type)
		as.attribute[TYPE] =
			attribute(w, "allocation.type", a->type, 0);
	if (a->thread)
		as.attribute[THREAD] =
			attribute(w, "thread.name", a->thread, 0);
	if (a->sized)
		as.attribute[SIZE] =
			attribute(w, "allocation.size", NULL, a->size);
	row = export_otlp_row_of(w, &as);
	for (size_t i = 0; row && i < w->s.ntypes; i++)
		row->value[i] = amount_add(row->value[i], a->value[i]);
}

static void
export_otlp_value_type(struct otlp *w, unsigned field, const char *type,
		       const char *unit)
{
	proto_number(&w->part, 1, samples_text(&w->s, type));
	proto_number(&w->part, 2, samples_text(&w->s, unit));
	proto_message(&w->profile, field, &w->part);
}

static void
profile_sample(struct otlp *w, const struct row *row, uint64_t v)
{
	if (!v)
		return;
	proto_number(&w->part, 1, row->stack);
	for (size_t i = 0; i < KNOWN_BY; i++)
		if (row->attribute[i])
			proto_item(&w->inner, row->attribute[i]);
	if (w->inner.n)
		proto_message(&w->part, 2, &w->inner);
	proto_item(&w->inner, v < INT64_MAX ? v : INT64_MAX);
	proto_message(&w->part, 4, &w->inner);
	proto_message(&w->profile, 2, &w->part);
}

/* A profile has values of one type. */
static void
profile(struct otlp *w, size_t i)
{
	const struct samples_time t = samples_time(w->s.p);
	const char *note = w->s.x->note;

	export_otlp_value_type(w, 1, w->s.type[i]->type, w->s.type[i]->unit);
	for (size_t k = 0; k < w->same.n; k++)
		profile_sample(w, &w->rows[k], w->rows[k].value[i]);
	proto_fixed(&w->profile, 3, t.start);
	proto_number(&w->profile, 4, t.length);
	export_otlp_value_type(w, 5, "space", "bytes");
	proto_number(&w->profile, 6, t.period);
	if (note) {
		proto_item(&w->inner, attribute(w, "memmon.note", note, 0));
		proto_message(&w->profile, 11, &w->inner);
	}
	proto_message(&w->scope, 2, &w->profile);
}

/* ----------------------------------------------------------- the whole -- */

/* The tables that samples refer to. */
static void
export_otlp_tables(struct otlp *w)
{
	struct samples *s = &w->s;

	for (size_t i = 0; i < s->mappings.n; i++) {
		const char *id = samples_module(s, i)->build_id;
		const char *key = "process.executable.build_id.gnu";
		uint32_t n = *id ? attribute(w, key, id, 0) : 0;

		samples_put_mapping(s, i, 1, &w->part);
		if (n) {
			proto_item(&w->inner, n);
			proto_message(&w->part, 5, &w->inner);
		}
		table_item(w, MAPPINGS);
	}
	for (size_t i = 0; i < s->locations.n; i++) {
		samples_put_location(s, i, 1, &w->part);
		table_item(w, LOCATIONS);
	}
	for (size_t i = 0; i < s->functions.n; i++) {
		samples_put_function(s, i, 1, &w->part);
		table_item(w, FUNCTIONS);
	}
	for (size_t i = 0; i < s->x->strings.n; i++)
		proto_text(&w->dictionary, STRINGS, s->x->strings.text[i]);
}

static void
resource_item(struct otlp *w, const char *key, const char *text)
{
	if (!*text)
		return;
	proto_text(&w->part, 1, key);
	proto_text(&w->inner, 1, text);
	proto_message(&w->part, 2, &w->inner);
	proto_message(&w->profile, 1, &w->part);
}

/* The program and host of the profiles; of several runs, of the first. */
static void
resource(struct otlp *w)
{
	const struct run *r = samples_time(w->s.p).run;
	const char *slash = r ? strrchr(r->program, '/') : NULL;

	if (r) {
		resource_item(w, "service.name",
			      slash ? slash + 1 : r->program);
		resource_item(w, "process.executable.path", r->program);
		resource_item(w, "process.command_line", r->command);
		resource_item(w, "host.name", r->host);
	}
	proto_message(&w->resource, 1, &w->profile);
}

static void
export_otlp_whole(struct otlp *w)
{
	start_tables(w);
	samples_each(&w->s, export_otlp_sample, w);
	resource(w);
	proto_text(&w->part, 1, "memmon");
	proto_text(&w->part, 2, MEMMON_VERSION);
	proto_message(&w->scope, 1, &w->part);
	/* Viewers show the first profile first. */
	for (size_t i = 0; i < w->s.ntypes; i++)
		if (w->s.type[i] == samples_usual)
			profile(w, i);
	for (size_t i = 0; i < w->s.ntypes; i++)
		if (w->s.type[i] != samples_usual)
			profile(w, i);
	export_otlp_tables(w);
	proto_message(&w->resource, 2, &w->scope);
	proto_message(&w->top, 1, &w->resource);
	proto_message(&w->top, 2, &w->dictionary);
}

int
export_otlp(struct export *x)
{
	struct gzip *gzip = gzip_open(x->out);
	struct otlp w = { .nstacks = 0 };
	int status = samples_init(&w.s, x);

	w.stack = export_room(x, x->p->ntree + 1, sizeof *w.stack);
	if (gzip && w.stack && !status) {
		export_otlp_whole(&w);
		gzip_write(gzip, &w.top);
	}
	if (!gzip || gzip_close(gzip) || !w.stack || w.s.failed)
		status = -1;
	samples_fini(&w.s);
	intern_fini(&w.attributes);
	intern_fini(&w.texts);
	intern_fini(&w.same);
	free(w.rows);
	proto_fini(&w.top);
	proto_fini(&w.dictionary);
	proto_fini(&w.resource);
	proto_fini(&w.scope);
	proto_fini(&w.profile);
	proto_fini(&w.part);
	proto_fini(&w.inner);
	return status;
}
