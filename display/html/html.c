/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page: HTML around styles, scripts and data. */
#include "display/html/html.h"
#include "display/html/html_data.h"
#include "display/html/html_page.h"
#include "display/grid/table.h"
#include "display/grid/view.h"
#include "display/tables/memory.h"
#include "display/text/amount.h"
#include "display/text/output.h"
#include "reduce/base/clean.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The largest range in which scripts have every whole number. */
#define EXACT (UINT64_C(1) << 53)

static void
each_line(struct html *h, const char *name, const char *text)
{
	char *copy = strdup(text), *line, *rest = copy;

	if (!copy) {
		h->failed = true;
		return;
	}
	writer_line(&h->w, name, '[');
	while ((line = strsep(&rest, "\n")))
		if (*line || rest)
			writer_text(&h->w, NULL, line);
	writer_leave(&h->w, ']');
	free(copy);
}

/* Write the conditions of all figures. */
static void
html_conditions(struct html *h)
{
	struct conditions c;

	if (conditions_init(&c, h->p, h->o->human))
		h->failed = true;
	writer_line(&h->w, "conditions", '[');
	for (size_t i = 0; i < c.n; i++) {
		writer_enter(&h->w, NULL, '{');
		writer_text(&h->w, "name", c.v[i].name);
		writer_text(&h->w, "text", c.v[i].text);
		writer_leave(&h->w, '}');
	}
	writer_leave(&h->w, ']');
	conditions_fini(&c);
}

static void
html_totals(struct html *h)
{
	const struct profile *p = h->p;
	struct writer *w = &h->w;
	const struct account all = counts_of_all(&p->total), *a = &all;
	char why[AMOUNT_WHY_SIZE];

	writer_line(w, "total", '{');
#define T(id, name, value) writer_number(w, #name, value);
	MEASURES_TOLD(T)
#undef T
	writer_maybe(w, "peak", p->total.peak, p->peaks_known);
	writer_number(w, "peak_slack", p->peak_slack);
	writer_number(w, "peak_at", p->peak_at);
	writer_maybe(w, "reads", p->reads, p->uses_known);
	writer_maybe(w, "writes", p->writes, p->uses_known);
	writer_truth(w, "used",
		     p->uses_known && !profile_is_part(p) && p->program_sites);
	if (p->leaks_known)
		writer_number(w, "leaked", leak_leaked(p->leak.bytes));
	else
		writer_null(w, "leaked");
	writer_number(w, "hidden", all.hidden.bytes);
	amount_hidden_why(p, why);
	writer_text(w, "hidden_why", why);
	writer_truth(w, "lives", p->lives_known);
	writer_maybe(w, "temps", p->life.temps,
		     p->lives_known && p->life.temps && !profile_is_part(p) &&
			     !p->sample.rate);
	writer_maybe(w, "pinned", memory_bytes(p, "parts"),
		     memory_pins_known(p));
	writer_truth(w, "exact",
		     all.bytes < EXACT && p->reads < EXACT &&
			     p->writes < EXACT);
	writer_leave(w, '}');
}

static void
html_head(struct html *h)
{
	const struct profile *p = h->p;
	struct writer *w = &h->w;

	writer_number(w, "version", 1);
	writer_text(w, "generator", "mpreduce " MEMMON_VERSION);
	writer_text(w, "program", p->nruns ? p->runs[0].program : "");
	writer_truth(w, "human", h->o->say_human != OPTIONS_NO);
	writer_number(w, "depth", h->o->depth);
	writer_number(w, "length", p->nruns == 1 ? p->runs[0].length : 0);
	writer_number(w, "sampled", p->sample.rate);
	writer_number(w, "sampled_blocks", p->sample.blocks);
	each_line(h, "prolog", h->prolog);
	html_conditions(h);
	WRITER_LINES(w, "warnings", p->nwarnings,
		     writer_text(w, NULL, p->warnings[i]));
	html_totals(h);
}

static void
strings(struct html *h)
{
	WRITER_LINES(&h->w, "strings", h->strings.n,
		     writer_text(&h->w, NULL, h->strings.text[i]));
}

static void
data(struct html *h)
{
	writer_enter(&h->w, NULL, '{');
	html_head(h);
	writer_truth(&h->w, "folded", h->p->folded);
	html_functions(h);
	html_sites(h);
	html_scores(h);
	html_rows(h);
	html_ranks(h);
	html_time(h);
	html_diff(h);
	html_log(h);
	strings(h);
	writer_leave(&h->w, '}');
}

/* Write lines of text between tags. */
static void
escaped(FILE *out, const char *s)
{
	unsigned n;

	for (; *s; s += n) {
		if (clean_next(s, &n) != CLEAN_FINE && *s != '\n')
			putc('?', out);
		else if (*s == '&')
			fputs("&amp;", out);
		else if (*s == '<')
			fputs("&lt;", out);
		else if (*s == '>')
			fputs("&gt;", out);
		else
			fwrite(s, 1, n, out);
	}
}

/* Write what replaces the mark <!--NAME-->. */
static void
html_mark(struct html *h, const char *name, size_t len)
{
	FILE *out = h->w.out;

#define IS(text) (len == sizeof text - 1 && !memcmp(name, text, len))
	if (IS("style"))
		fwrite(html_style, 1, html_style_size, out);
	else if (IS("script"))
		fwrite(html_script, 1, html_script_size, out);
	else if (IS("data"))
		data(h);
	else if (IS("prolog"))
		escaped(out, h->prolog);
	else if (IS("program"))
		escaped(out, h->p->nruns ? h->p->runs[0].program : "");
#undef IS
}

static void
html_print(struct html *h)
{
	const char *s = (const char *)html_page, *end = s + html_page_size;
	const char *at, *to;

	while ((at = memmem(s, (size_t)(end - s), "<!--", 4)) &&
	       (to = memmem(at, (size_t)(end - at), "-->", 3))) {
		fwrite(s, 1, (size_t)(at - s), h->w.out);
		html_mark(h, at + 4, (size_t)(to - at) - 4);
		s = to + 3;
	}
	fwrite(s, 1, (size_t)(end - s), h->w.out);
}

/* The table of the prolog as a text, from malloc(); NULL: out of memory. */
static char *
prolog(const struct profile *p, const struct options *o)
{
	struct tables t = { .p = p, .o = o };
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	int failed;

	if (!f)
		return NULL;
	line_init(&t.line, f);
	failed = prolog_print(&t) || t.line.failed;
	line_fini(&t.line);
	if (fclose(f) || failed) {
		free(text);
		return NULL;
	}
	return text;
}

static int
prepare(struct html *h)
{
	if (nodes_init(&h->nodes, h->p, 0))
		return -1;
	h->funcs = calloc(h->nodes.n + 1, sizeof(const struct node *));
	if (!h->funcs)
		return -1;
	for (size_t i = 0; i < h->nodes.n; i++)
		if (h->nodes.v[i].func)
			h->funcs[h->nfuncs++] = &h->nodes.v[i];
	return 0;
}

static void
html_finish(struct html *h)
{
	free(h->funcs);
	intern_fini(&h->strings);
	arena_fini(&h->texts);
	intern_fini(&h->cycles);
	free(h->frames);
	free(h->frame);
	nodes_fini(&h->nodes);
	schema_fini(&h->schema);
}

int
html_write(const struct profile *p, const struct profile *old,
	   const struct options *o, FILE *out, struct err *e)
{
	struct html h = { .p = p,
			  .o = o,
			  .w = { .out = out, .first = true, .page = true } };
	char *text = prolog(p, o);
	struct diff d;

	h.prolog = text;
	schema_start(&h.schema, p);
	h.failed = !text || prepare(&h);
	if (!h.failed && old) {
		h.failed = diff_init(&d, old, p, 0, false, o->normalize);
		h.diff = &d;
	}
	if (!h.failed)
		html_print(&h);
	if (h.diff)
		diff_fini(&d);
	free(text);
	html_finish(&h);
	return h.failed ? err_memory(e) : 0;
}

int
html_file(const struct profile *p, const struct profile *old,
	  const struct options *o, struct err *e)
{
	struct output out;
	int r;

	if (output_open(&out, o->html, e))
		return -1;
	r = html_write(p, old, o, out.f, e);
	return output_close(&out, r == 0, e) ? -1 : r;
}
