/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --export=pprof: profile.proto, gzipped.  The numbers of fields are those of
 * github.com/google/pprof/proto/profile.proto.
 */
#include "display/export/export.h"

#include "display/grid/locations.h"
#include "display/text/amount.h"
#include "display/text/intern.h"
#include "display/text/proto.h"

#include <string.h>

enum { MOST = 8 }; /* values of a sample */

/* The metrics as others call them; default_sample_type is the fourth. */
static const struct kind {
	const char *metric, *type, *unit;
} kinds[MOST] = {
	{ "allocs", "alloc_objects", "count" },
	{ "bytes", "alloc_space", "bytes" },
	{ "kept-blocks", "inuse_objects", "count" },
	{ "kept", "inuse_space", "bytes" },
	{ "peak-blocks", "peak_objects", "count" },
	{ "peak", "peak_space", "bytes" },
	{ "reads", "reads", "count" },
	{ "writes", "writes", "count" },
};

enum { DEFAULT = 3, PEAK = 4, USE = 6 };

struct pprof {
	struct export *x;
	const struct profile *p;
	struct gzip *gzip;
	struct locations locations;
	bool *used; /* by location: is it on a chain? */
	const struct export_metric *metric[MOST];
	size_t nmetrics;
	bool peak, use;
	/* Scratch: of the profile, of a message in it, and of one in that. */
	struct proto top, part, inner;
	bool failed;
};

static uint64_t
text(struct pprof *w, const char *s)
{
	uint32_t n = intern_text(&w->x->strings, s);

	if (n != INTERN_FAILED)
		return n;
	w->failed = true;
	return 0;
}

/* The profile's own field is whole. */
static void
done(struct pprof *w, unsigned field)
{
	proto_message(&w->top, field, &w->part);
	gzip_write(w->gzip, &w->top);
}

static void
value_type(struct pprof *w, unsigned field, const char *type, const char *unit)
{
	proto_number(&w->part, 1, text(w, type));
	proto_number(&w->part, 2, text(w, unit));
	done(w, field);
}

/* ------------------------------------------------------------- samples -- */

static void
chain(struct pprof *w, const struct frame *leaf)
{
	/* The last location is that of unknown chains. */
	if (!leaf) {
		w->used[w->locations.n] = true;
		proto_item(&w->inner, w->locations.n + 1);
	}
	for (; leaf; leaf = locations_caller(leaf)) {
		uint32_t n = locations_number(&w->locations, leaf);

		w->used[n] = true;
		proto_item(&w->inner, (uint64_t)n + 1);
	}
	proto_message(&w->part, 1, &w->inner);
}

static void
label(struct pprof *w, const char *key, const char *s, uint64_t n)
{
	proto_number(&w->inner, 1, text(w, key));
	if (s) {
		proto_number(&w->inner, 2, text(w, s));
	} else {
		proto_number(&w->inner, 3, n);
		proto_number(&w->inner, 4, text(w, "bytes"));
	}
	proto_message(&w->part, 3, &w->inner);
}

/* What a sample is of, besides its chain. */
struct sample {
	uint64_t value[MOST];
	const char *type;
	const struct item *item; /* or NULL: size and thread aren't known */
};

static void
sample(struct pprof *w, const struct site *s, const struct sample *a)
{
	uint64_t any = 0;

	for (size_t i = 0; i < w->nmetrics; i++)
		any |= a->value[i];
	if (!any)
		return;
	chain(w, s->leaf);
	for (size_t i = 0; i < w->nmetrics; i++)
		proto_item(&w->inner,
			   a->value[i] < INT64_MAX ? a->value[i] : INT64_MAX);
	proto_message(&w->part, 2, &w->inner);
	if (a->type)
		label(w, "type", a->type, 0);
	if (a->item && !a->item->any)
		label(w, "bytes", NULL, a->item->size);
	if (a->item && a->item->thread && *a->item->thread->name)
		label(w, "thread", a->item->thread->name, 0);
	done(w, 2);
}

/* What is known of an item, in the order of the kinds. */
static void
values_of(const struct pprof *w, const struct item *a, uint64_t v[MOST])
{
	uint64_t blocks = a->peak_known ? a->peak_blocks : 0;
	uint64_t all[] = { a->allocs,
			   a->bytes,
			   amount_sub(a->allocs, a->frees),
			   amount_sub(a->bytes, a->freed),
			   blocks,
			   a->peak_known ? a->peak : 0 };

	memset(v, 0, MOST * sizeof *v);
	memcpy(v, all, (w->peak ? USE : PEAK) * sizeof *v);
}

/*
 * A site, item by item as long as they don't have more than it; what they don't
 * tell of follows by itself.
 */
static void
site(struct pprof *w, const struct site *s, const struct item *a, size_t n)
{
	struct sample rest = { .type = s->type }, one;
	uint64_t left[MOST] = { 0 };
	bool fits = true;

	for (size_t i = 0; i < w->nmetrics; i++)
		left[i] = rest.value[i] = export_value(w->x, w->metric[i], s);
	for (size_t k = 0; k < n && fits; k++) {
		values_of(w, &a[k], one.value);
		for (size_t i = 0; i < w->nmetrics; i++) {
			fits &= one.value[i] <= left[i];
			left[i] = amount_sub(left[i], one.value[i]);
		}
	}
	for (size_t k = 0; k < n && fits; k++) {
		one = (struct sample){ .type = a[k].type, .item = &a[k] };
		values_of(w, &a[k], one.value);
		sample(w, s, &one);
	}
	if (n && fits)
		memcpy(rest.value, left, sizeof left);
	sample(w, s, &rest);
}

static void
samples(struct pprof *w)
{
	const struct item *next = w->p->items, *a;
	size_t n;

	for (size_t i = 0; i < w->p->nsites; i++) {
		a = export_items(w->p, &w->p->sites[i], &next, &n);
		site(w, &w->p->sites[i], a, n);
	}
}

/* -------------------------------------------------- where the chains go -- */

/* What functions and lines there are is known by now. */
static void
mapping(struct pprof *w, size_t i)
{
	const struct profile_module *m = &w->p->modules[i];

	proto_number(&w->part, 1, i);
	proto_number(&w->part, 2, m->start);
	proto_number(&w->part, 3, m->end);
	proto_number(&w->part, 5, text(w, m->path));
	proto_number(&w->part, 6, text(w, m->build_id));
	for (unsigned field = 7; field <= 10; field++)
		proto_number(&w->part, field, 1);
	done(w, 3);
}

/* The first one is taken for the program. */
static void
mappings(struct pprof *w)
{
	for (size_t i = 1; i < w->p->nmodules; i++)
		if (w->p->modules[i].program)
			mapping(w, i);
	for (size_t i = 1; i < w->p->nmodules; i++)
		if (!w->p->modules[i].program)
			mapping(w, i);
}

static void
line(struct pprof *w, uint64_t func, unsigned number)
{
	proto_number(&w->inner, 1, func);
	proto_number(&w->inner, 2, number);
	proto_message(&w->part, 4, &w->inner);
}

/* Functions have the numbers of their wholes, from 1. */
static void
locations(struct pprof *w)
{
	for (size_t i = 0; i < w->locations.n; i++) {
		const struct frame *f = w->locations.leaf[i];
		unsigned in = f->func->in;
		uint64_t bias = in ? w->p->modules[in].bias : 0;

		if (!w->used[i])
			continue;
		proto_number(&w->part, 1, i + 1);
		proto_number(&w->part, 2, in);
		/* Where the call is, which returns to addr. */
		proto_number(&w->part, 3, f->addr ? f->addr + bias - 1 : 0);
		line(w, (uint64_t)f->func->whole + 1, f->func->call_line);
		for (; f->inlined && f->parent; f = f->parent)
			line(w, (uint64_t)f->parent->func->whole + 1,
			     f->parent->func->call_line);
		done(w, 4);
	}
}

/* The location of unknown chains, with a function of its own. */
static void
nowhere(struct pprof *w, uint64_t func)
{
	if (!w->used[w->locations.n])
		return;
	proto_number(&w->part, 1, w->locations.n + 1);
	line(w, func, 0);
	done(w, 4);
	proto_number(&w->part, 1, func);
	proto_number(&w->part, 2, text(w, "[unknown]"));
	proto_number(&w->part, 3, text(w, "[unknown]"));
	done(w, 5);
}

static int
functions(struct pprof *w)
{
	size_t n = export_wholes(w->p);
	bool *seen = export_room(w->x, n, sizeof *seen);

	if (!seen)
		return -1;
	for (size_t i = 0; i < w->p->nfuncs; i++) {
		const struct func *f = w->p->funcs[i];
		const char *file = *f->file ? f->file : f->call_file;

		if (seen[f->whole])
			continue;
		seen[f->whole] = true;
		proto_number(&w->part, 1, (uint64_t)f->whole + 1);
		proto_number(&w->part, 2, text(w, f->name));
		proto_number(&w->part, 3,
			     text(w, f->linkage ? f->linkage : f->name));
		proto_number(&w->part, 4, text(w, file));
		proto_number(&w->part, 5, f->line);
		done(w, 5);
	}
	nowhere(w, (uint64_t)n + 1);
	return 0;
}

/* ------------------------------------------------------------ the whole -- */

static void
types(struct pprof *w)
{
	size_t n = w->use ? MOST : w->peak ? USE : PEAK;

	for (size_t i = 0; i < n; i++) {
		const struct kind *k = &kinds[i];

		/* Accesses may be known, and the peak not. */
		if (!w->peak && i >= PEAK && i < USE)
			continue;
		w->metric[w->nmetrics++] =
			export_metric(k->metric, strlen(k->metric));
		value_type(w, 1, k->type, k->unit);
	}
}

/* When it was, and what is said of it.  Several runs: from the first one's. */
static void
about(struct pprof *w, const char *note)
{
	const struct profile *p = w->p;
	uint64_t start = UINT64_MAX, length = 0, rate = p->sample.rate;
	const char *command = NULL;

	for (size_t i = 0; i < p->nruns; i++) {
		const struct run *r = &p->runs[i];

		if (r->problem)
			continue;
		if (r->start < start)
			start = r->start;
		length = amount_add(length, r->length);
		if (!command && *r->command)
			command = r->command;
	}
	proto_number(&w->top, 9, start == UINT64_MAX ? 0 : start);
	proto_number(&w->top, 10, length);
	value_type(w, 11, "space", "bytes");
	proto_number(&w->top, 12, rate ? rate : 1);
	if (command)
		proto_number(&w->top, 13, text(w, command));
	proto_number(&w->top, 13, text(w, "mpreduce " MEMMON_VERSION));
	if (note)
		proto_number(&w->top, 13, text(w, note));
	proto_number(&w->top, 14, text(w, kinds[DEFAULT].type));
	gzip_write(w->gzip, &w->top);
}

/* All but the strings, and then these. */
static int
whole(struct pprof *w)
{
	char note[EXPORT_NOTE];

	text(w, "");
	types(w);
	samples(w);
	mappings(w);
	locations(w);
	if (functions(w))
		return -1;
	about(w, export_note(w->p, note));
	for (size_t i = 0; i < w->x->strings.n; i++) {
		proto_text(&w->top, 6, w->x->strings.text[i]);
		gzip_write(w->gzip, &w->top);
	}
	return w->failed ? -1 : 0;
}

int
export_pprof(struct export *x)
{
	const struct profile *p = x->p;
	struct pprof w = {
		.x = x, .p = p, .peak = p->peak_known, .use = p->uses_known
	};
	int status = -1;

	w.gzip = gzip_open(x->out);
	if (w.gzip && !locations_init(&w.locations, p) &&
	    (w.used = export_room(x, w.locations.n + 1, sizeof *w.used)))
		status = whole(&w);
	if (w.gzip && gzip_close(w.gzip))
		status = -1;
	locations_fini(&w.locations);
	proto_fini(&w.top);
	proto_fini(&w.part);
	proto_fini(&w.inner);
	return status;
}
