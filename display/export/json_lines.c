/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON: what source lines did: see json_runs.h. */
#include "display/export/json_runs.h"
#include "display/text/amount.h"

static void
count(struct writer *w, const char *name, const struct source_count *c)
{
	writer_enter(w, name, '{');
	writer_number(w, "allocs", c->allocs);
	writer_number(w, "bytes", c->bytes);
	writer_number(w, "frees", c->frees);
	writer_number(w, "freed", c->freed);
	writer_number(w, "kept", amount_sub(c->bytes, c->freed));
	writer_leave(w, '}');
}

static void
line(struct writer *w, const struct source_line *l)
{
	writer_enter(w, NULL, '{');
	writer_number(w, "line", l->line);
	writer_enter(w, "functions", '[');
	for (size_t i = 0; i < l->nfuncs; i++)
		writer_text(w, NULL, l->funcs[i].name);
	writer_leave(w, ']');
	count(w, "self", &l->self);
	count(w, "total", &l->total);
	writer_leave(w, '}');
}

void
json_lines(struct writer *w, const struct profile *p)
{
	if (!p->sources)
		return;
	writer_line(w, "sources", '[');
	for (size_t i = 0; i < p->nsources; i++) {
		const struct source *s = &p->sources[i];

		writer_line(w, NULL, '{');
		writer_text(w, "file", s->path);
		count(w, "self", &s->self);
		count(w, "total", &s->total);
		writer_enter(w, "lines", '[');
		for (size_t k = 0; k < s->nlines; k++)
			line(w, &s->lines[k]);
		writer_leave(w, ']');
		writer_leave(w, '}');
	}
	writer_leave(w, ']');
}
