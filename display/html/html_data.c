/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page's data: columns, strings, functions, frames and sites. */
#include "display/html/html_data.h"

#include "display/schema/schema.h"
#include "display/grid/errors.h"
#include "display/text/amount.h"
#include "display/text/element.h"
#include "display/text/number.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* --------------------------------------------------------------- columns -- */

uint64_t
html_string(struct html *h, const char *text)
{
	uint32_t n = intern_text(&h->strings, text);

	if (n != INTERN_FAILED)
		return n;
	h->failed = true;
	return 0;
}

/* An array, unless it is all 0. */
static void
array(struct html *h, const char *name, const uint64_t *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (v[i]) {
			writer_numbers(&h->w, name, v, n);
			return;
		}
}

void
html_columns(struct html *h, const struct html_column *c, size_t n, size_t rows)
{
	uint64_t *v = calloc(rows + 1, sizeof *v);

	h->failed |= !v;
	for (size_t k = 0; v && k < n; k++) {
		for (size_t i = 0; i < rows; i++)
			v[i] = c[k].get(h, i);
		array(h, c[k].name, v, rows);
	}
	free(v);
}

void
html_fields(struct html *h, const char *table, const void *row, size_t rows,
	    const char *from, const char *to)
{
	const struct schema_table *t = schema_table(table);
	const struct schema_field *f = schema_field(t, from, strlen(from));
	const struct schema_field *end = schema_field(t, to, strlen(to));
	uint64_t *v = calloc(rows + 1, sizeof *v);
	struct schema s = { .p = h->p };
	struct value x;

	h->failed |= !v;
	for (; v && f <= end; f++) {
		if (f->kind >= VALUE_SHARE)
			continue; /* the page works them out by itself */
		for (size_t i = 0; i < rows; i++) {
			schema_get(&s, t, f, (const char *)row + i * t->size, i,
				   &x);
			v[i] = x.known ? (uint64_t)x.number : 0;
		}
		array(h, f->name, v, rows);
	}
	free(v);
}

void
html_signed(struct html *h, int n)
{
	if (n >= 0)
		writer_number(&h->w, NULL, (uint64_t)n);
	else
		writer_real(&h->w, NULL, n);
}

int
html_hundredths(double score)
{
	char buf[NUMBER_SIZE], *dot;

	number_score(buf, score);
	if (*buf == '<')
		return -1;
	dot = strchr(buf, '.');
	return dot ? (int)(strtol(buf, NULL, 10) * 100 +
			   strtol(dot + 1, NULL, 10))
		   : 0;
}

/* ------------------------------------------------------------- functions -- */

/* clang-format off */
#define FUNCTIONS(C) \
	C(label, html_string(h, n->label)) \
	C(name, html_string(h, f->name)) \
	C(module, html_string(h, f->module)) \
	C(file, html_string(h, f->file)) \
	C(line, f->line) \
	C(whose, f->whose) \
	C(graph, (uint64_t)(n - h->sort.nodes)) \
	C(cycle, f->cycle) \
	C(inlined, f->inlined) \
	C(outcalls, f->outcalls) \
	C(recursive, f->recursive) \
	C(calls, f->calls)
/* clang-format on */

#define GET(id, value) \
	static uint64_t func_##id(struct html *h, size_t i) \
	{ \
		const struct node *n = h->funcs[i]; \
		const struct func *f = n->func; \
\
		(void)h, (void)f; \
		return value; \
	}
FUNCTIONS(GET)
#undef GET

/* Of what a function allocated itself, by class of sizes. */
static void
by_class(struct html *h, const char *name, bool kept)
{
	writer_enter(&h->w, name, '[');
	for (size_t i = 0; i < h->nfuncs; i++) {
		const struct counts *c = &h->funcs[i]->func->self;

		for (int k = 0; k < PROFILE_NCLASS; k++)
			writer_number(&h->w, NULL,
				      kept ? amount_sub(c->bytes[k],
							c->freed[k])
					   : c->bytes[k]);
	}
	writer_leave(&h->w, ']');
}

void
html_functions(struct html *h)
{
#define ROW(id, value) { #id, func_##id },
	static const struct html_column column[] = { FUNCTIONS(ROW) };
#undef ROW

	writer_line(&h->w, "functions", '{');
	writer_number(&h->w, "n", h->nfuncs);
	html_columns(h, column, COUNT(column), h->nfuncs);
	by_class(h, "classes", false);
	by_class(h, "kept_classes", true);
	writer_leave(&h->w, '}');
}

/* ------------------------------------------------------ frames and sites -- */

/* The frame's number, from 1; 0: it has none, as what is not a frame has. */
static uint32_t *
number(const struct html *h, const struct frame *f)
{
	return &h->frame[f ? f - h->p->tree + 1 : 0];
}

/* A number for each frame of a chain; those of callers come first. */
static int
number_all(struct html *h)
{
	const struct profile *p = h->p;
	const struct frame *f;
	size_t n;

	h->frame = calloc(p->ntree + 1, sizeof *h->frame);
	h->frames = calloc(p->ntree + 1, sizeof(const struct frame *));
	if (!h->frame || !h->frames)
		return -1;
	for (size_t i = 0; i < p->nsites; i++) {
		n = h->nframes;
		for (f = p->sites[i].leaf; f && !*number(h, f); f = f->parent)
			n++;
		h->nframes = n;
		for (f = p->sites[i].leaf; f && !*number(h, f); f = f->parent) {
			*number(h, f) = (uint32_t)n;
			h->frames[--n] = f;
		}
	}
	return 0;
}

/* The place of a function among the page's. */
static size_t
place(const struct html *h, const struct func *f)
{
	return h->place[sort_number(&h->sort, f)];
}

/* The number, from 1, of the cycle that a frame ends; 0: it ends none. */
static uint64_t
cycle(struct html *h, const struct frame *f)
{
	uint32_t n;

	if (!element_is_cycle(f))
		return 0;
	n = intern_pair(&h->cycles, element_hash(f),
			sort_number(&h->sort, element_entry(f)->func));
	if (n != INTERN_FAILED)
		return (uint64_t)n + 1;
	h->failed = true;
	return 0;
}

/* Of a call site "func+0xoff (file:line)" what the function doesn't say. */
static const char *
call_place(const struct frame *f)
{
	size_t n = strlen(f->func->name);

	return strncmp(f->site, f->func->name, n) ? f->site : f->site + n;
}

/*
 * Of a frame: how far before it its caller's is; its function; whether it is
 * inlined; the place of its call, a string's number plus one; of one that ends
 * a cycle, which, and how far before it that begins.
 */
/* clang-format off */
#define FRAMES(C) \
	C(back, i + 1 - *number(h, f->parent)) \
	C(function, place(h, f->func)) \
	C(inlined, f->inlined) \
	C(call, f->site ? html_string(h, call_place(f)) + 1 : 0) \
	C(cycle, cycle(h, f)) \
	C(entry, f->entry ? i + 1 - *number(h, f->entry) : 0)
/* clang-format on */

#define GET(id, value) \
	static uint64_t frame_##id(struct html *h, size_t i) \
	{ \
		const struct frame *f = h->frames[i]; \
\
		return value; \
	}
FRAMES(GET)
#undef GET

static void
frames(struct html *h)
{
#define ROW(id, value) { #id, frame_##id },
	static const struct html_column column[] = { FRAMES(ROW) };
#undef ROW

	writer_line(&h->w, "frames", '{');
	writer_number(&h->w, "n", h->nframes);
	html_columns(h, column, COUNT(column), h->nframes);
	writer_leave(&h->w, '}');
}

/* The functions of each cycle, that by which it is entered first. */
static void
cycles(struct html *h)
{
	size_t done = 0, n;

	writer_enter(&h->w, "on_paths", '[');
	for (size_t i = 0; i < h->nframes; i++) {
		const struct frame *f = h->frames[i];
		const struct func **v, *entry;

		if (cycle(h, f) != done + 1)
			continue;
		v = element_others(f, &n);
		if (!v) {
			h->failed = true;
			break;
		}
		entry = element_entry(f)->func;
		writer_enter(&h->w, NULL, '[');
		writer_number(&h->w, NULL, place(h, entry));
		for (size_t k = 0; k < n; k++)
			writer_number(&h->w, NULL, place(h, v[k]));
		if (f->func->whole != entry->whole)
			writer_number(&h->w, NULL, place(h, f->func));
		writer_leave(&h->w, ']');
		free(v);
		done++;
	}
	writer_leave(&h->w, ']');
}

/* Of the life, the uses and the leaks of a site; all 0 if there are none. */
/* clang-format off */
#define SITES(C) \
	C(leaf, *number(h, s->leaf)) \
	C(start, s->leaf ? s->leaf->start : 0) \
	C(allocs, amount_allocs(&s->count)) \
	C(bytes, amount_bytes(&s->count)) \
	C(frees, amount_frees(&s->count)) \
	C(freed, amount_freed(&s->count)) \
	C(peak, s->count.peak) \
	C(peak_blocks, s->peak_blocks) \
	C(reallocs, s->reallocs) \
	C(type, s->type ? html_string(h, s->type) + 1 : 0) \
	C(mark, s->type ? (unsigned char)s->type_mark : 0) \
	C(temps, a->temps) \
	C(by_others, a->by_others) \
	C(mean, a->sum == UINT64_MAX ? 0 : number_mean(a->sum, a->weight)) \
	C(timed, a->timed) \
	C(reads, u->reads) \
	C(writes, u->writes) \
	C(handed, u->handed_blocks) \
	C(handed_bytes, u->handed_bytes) \
	C(severity, \
	  u->groups && profile_use_known(u) ? profile_score(u).step : 0) \
	C(leaked, \
	  amount_add(l->bytes[PROFILE_LOST], l->bytes[PROFILE_INDIRECT])) \
	C(leaked_blocks, \
	  amount_add(l->blocks[PROFILE_LOST], \
		     l->blocks[PROFILE_INDIRECT])) \
	C(hidden, l->hidden.bytes) \
	C(e_allocs, errors_thousandths(s->count.var[PROFILE_E_ALLOCS])) \
	C(e_bytes, errors_thousandths(s->count.var[PROFILE_E_BYTES])) \
	C(e_kept, errors_thousandths(s->count.var[PROFILE_E_KEPT])) \
	C(e_peak, errors_thousandths(s->count.var[PROFILE_E_PEAK]))
/* clang-format on */

#define GET(id, value) \
	static uint64_t site_##id(struct html *h, size_t i) \
	{ \
		static const struct life no_life; \
		static const struct use no_use; \
		static const struct leak no_leak; \
		const struct site *s = &h->p->sites[i]; \
		const struct life *a = s->life ? s->life : &no_life; \
		const struct use *u = \
			s->use && h->p->uses_known ? s->use : &no_use; \
		const struct leak *l = s->leak ? s->leak : &no_leak; \
\
		(void)a, (void)u, (void)l; \
		return value; \
	}
SITES(GET)
#undef GET

/* The four scores, in hundredths, of each site that has a severity. */
static void
scores(struct html *h)
{
	writer_enter(&h->w, "scores", '[');
	for (size_t i = 0; i < h->p->nsites; i++) {
		struct score s;

		if (!site_severity(h, i))
			continue;
		s = profile_score(h->p->sites[i].use);
		html_signed(h, html_hundredths(s.lifetime));
		html_signed(h, html_hundredths(s.usage));
		html_signed(h, html_hundredths(s.useful));
		html_signed(h, html_hundredths(s.cover));
	}
	writer_leave(&h->w, ']');
}

void
html_sites(struct html *h)
{
#define ROW(id, value) { #id, site_##id },
	static const struct html_column column[] = { SITES(ROW) };
#undef ROW

	if (number_all(h)) {
		h->failed = true;
		return;
	}
	frames(h);
	cycles(h);
	writer_line(&h->w, "sites", '{');
	writer_number(&h->w, "n", h->p->nsites);
	html_columns(h, column, COUNT(column), h->p->nsites);
	scores(h);
	writer_leave(&h->w, '}');
}
