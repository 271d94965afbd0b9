/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page's data: columns, strings, functions, frames and sites. */
#include "display/html/html_data.h"

#include "display/query/schema.h"
#include "display/grid/errors.h"
#include "display/text/amount.h"
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

void
html_columns(struct html *h, const struct html_column *c, size_t n, size_t rows)
{
	for (size_t k = 0; k < n; k++) {
		bool any = false;

		for (size_t i = 0; i < rows && !any; i++)
			any = c[k].get(h, i) != 0;
		if (!any)
			continue;
		writer_enter(&h->w, c[k].name, '[');
		for (size_t i = 0; i < rows; i++)
			writer_number(&h->w, NULL, c[k].get(h, i));
		writer_leave(&h->w, ']');
	}
}

/* A value of a field; 0 not known. */
static uint64_t
value(const struct html *h, const struct schema_table *t,
      const struct schema_field *f, const void *row, size_t i)
{
	struct schema s = { .p = h->p };
	struct schema_value v;

	schema_get(&s, t, f, (const char *)row + i * t->size, i, &v);
	return v.known ? (uint64_t)v.number : 0;
}

void
html_fields(struct html *h, const char *table, const void *row, size_t rows,
	    const char *from, const char *to)
{
	const struct schema_table *t = schema_table(table);
	const struct schema_field *f = schema_field(t, from, strlen(from));
	const struct schema_field *end = schema_field(t, to, strlen(to));

	for (; f <= end; f++) {
		bool any = false;

		/* The page works shares out by itself. */
		for (size_t i = 0; i < rows && f->kind < ROWS_SHARE && !any;
		     i++)
			any = value(h, t, f, row, i) != 0;
		if (!any)
			continue;
		writer_enter(&h->w, f->name, '[');
		for (size_t i = 0; i < rows; i++)
			writer_number(&h->w, NULL, value(h, t, f, row, i));
		writer_leave(&h->w, ']');
	}
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

#define OF_FUNC(id, value) \
	static uint64_t func_##id(struct html *h, size_t i) \
	{ \
		const struct node *n = h->funcs[i]; \
		const struct func *f = n->func; \
\
		(void)h, (void)f; \
		return value; \
	}
OF_FUNC(label, html_string(h, n->label))
OF_FUNC(name, html_string(h, f->name))
OF_FUNC(module, html_string(h, f->module))
OF_FUNC(file, html_string(h, f->file))
OF_FUNC(line, f->line)
OF_FUNC(whose, f->whose)
OF_FUNC(graph, (uint64_t)(n - h->sort.nodes))
OF_FUNC(cycle, f->cycle)
OF_FUNC(inlined, f->inlined)
OF_FUNC(outcalls, f->outcalls)
OF_FUNC(recursive, f->recursive)
OF_FUNC(calls, f->calls)

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
	static const struct html_column column[] = {
		{ "label", func_label },       { "name", func_name },
		{ "module", func_module },     { "file", func_file },
		{ "line", func_line },	       { "whose", func_whose },
		{ "graph", func_graph },	 { "cycle", func_cycle },
		{ "inlined", func_inlined },	 { "outcalls", func_outcalls },
		{ "recursive", func_recursive }, { "calls", func_calls }
	};

	writer_line(&h->w, "functions", '{');
	writer_number(&h->w, "n", h->nfuncs);
	html_columns(h, column, COUNT(column), h->nfuncs);
	by_class(h, "classes", false);
	by_class(h, "kept_classes", true);
	writer_leave(&h->w, '}');
}

/* ------------------------------------------------------ frames and sites -- */

/* The frame's number, from 1; 0: it has none, as what is no frame has. */
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

/* How far before the frame its caller's is; frames count from 1 here. */
static uint64_t
frame_back(struct html *h, size_t i)
{
	return i + 1 - *number(h, h->frames[i]->parent);
}

static uint64_t
frame_function(struct html *h, size_t i)
{
	return h->place[sort_number(&h->sort, h->frames[i]->func)];
}

static uint64_t
frame_inlined(struct html *h, size_t i)
{
	return h->frames[i]->inlined;
}

/* The place of its call: a string's number plus one. */
static uint64_t
frame_call(struct html *h, size_t i)
{
	const char *site = h->frames[i]->site;

	return site ? html_string(h, site) + 1 : 0;
}

static void
frames(struct html *h)
{
	static const struct html_column column[] = {
		{ "back", frame_back },
		{ "function", frame_function },
		{ "inlined", frame_inlined },
		{ "call", frame_call }
	};

	writer_line(&h->w, "frames", '{');
	writer_number(&h->w, "n", h->nframes);
	html_columns(h, column, COUNT(column), h->nframes);
	writer_leave(&h->w, '}');
}

#define OF_SITE(id, value) \
	static uint64_t site_##id(struct html *h, size_t i) \
	{ \
		const struct site *s = &h->p->sites[i]; \
\
		(void)h; \
		return value; \
	}
#define OF_LIFE(id, value) \
	static uint64_t site_##id(struct html *h, size_t i) \
	{ \
		const struct life *a = h->p->sites[i].life; \
\
		return a ? (value) : 0; \
	}
#define OF_USE(id, value) \
	static uint64_t site_##id(struct html *h, size_t i) \
	{ \
		const struct use *u = h->p->sites[i].use; \
\
		return h->p->uses_known && u ? (value) : 0; \
	}
#define OF_LEAK(id, value) \
	static uint64_t site_##id(struct html *h, size_t i) \
	{ \
		const struct leak *a = h->p->sites[i].leak; \
\
		return a ? (value) : 0; \
	}
OF_SITE(leaf, *number(h, s->leaf))
OF_SITE(start, s->leaf ? s->leaf->start : 0)
OF_SITE(allocs, amount_allocs(&s->count))
OF_SITE(bytes, amount_bytes(&s->count))
OF_SITE(frees, amount_frees(&s->count))
OF_SITE(freed, amount_freed(&s->count))
OF_SITE(peak, s->count.peak)
OF_SITE(peak_blocks, s->peak_blocks)
OF_SITE(reallocs, s->reallocs)
OF_SITE(type, s->type ? html_string(h, s->type) + 1 : 0)
OF_SITE(mark, s->type ? (unsigned char)s->type_mark : 0)
OF_SITE(e_allocs, errors_thousandths(s->count.var[PROFILE_E_ALLOCS]))
OF_SITE(e_bytes, errors_thousandths(s->count.var[PROFILE_E_BYTES]))
OF_SITE(e_kept, errors_thousandths(s->count.var[PROFILE_E_KEPT]))
OF_SITE(e_peak, errors_thousandths(s->count.var[PROFILE_E_PEAK]))
OF_LIFE(temps, a->temps)
OF_LIFE(foreign, a->foreign)
OF_LIFE(mean, a->sum == UINT64_MAX ? 0 : number_mean(a->sum, a->weight))
OF_LIFE(timed, a->timed)
OF_USE(reads, u->reads)
OF_USE(writes, u->writes)
OF_USE(handed, u->handed_blocks)
OF_USE(handed_bytes, u->handed_bytes)
OF_USE(severity, u->groups &&profile_use_known(u) ? profile_score(u).step : 0)
OF_LEAK(leaked, amount_add(a->bytes[PROFILE_LOST], a->bytes[PROFILE_INDIRECT]))
OF_LEAK(leaked_blocks,
	amount_add(a->blocks[PROFILE_LOST], a->blocks[PROFILE_INDIRECT]))

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
	static const struct html_column column[] = {
		{ "leaf", site_leaf },
		{ "start", site_start },
		{ "allocs", site_allocs },
		{ "bytes", site_bytes },
		{ "frees", site_frees },
		{ "freed", site_freed },
		{ "peak", site_peak },
		{ "peak_blocks", site_peak_blocks },
		{ "reallocs", site_reallocs },
		{ "type", site_type },
		{ "mark", site_mark },
		{ "temps", site_temps },
		{ "foreign", site_foreign },
		{ "mean", site_mean },
		{ "timed", site_timed },
		{ "reads", site_reads },
		{ "writes", site_writes },
		{ "handed", site_handed },
		{ "handed_bytes", site_handed_bytes },
		{ "severity", site_severity },
		{ "leaked", site_leaked },
		{ "leaked_blocks", site_leaked_blocks },
		{ "e_allocs", site_e_allocs },
		{ "e_bytes", site_e_bytes },
		{ "e_kept", site_e_kept },
		{ "e_peak", site_e_peak },
	};

	if (number_all(h)) {
		h->failed = true;
		return;
	}
	frames(h);
	writer_line(&h->w, "sites", '{');
	writer_number(&h->w, "n", h->p->nsites);
	html_columns(h, column, COUNT(column), h->p->nsites);
	scores(h);
	writer_leave(&h->w, '}');
}
