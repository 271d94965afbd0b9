/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two runs side by side, as JSON: see diff.h, mpreduce(1). */
#include "display/diff/diff.h"
#include "display/text/writer.h"

#include <stdlib.h>

void
diff_json_figures(struct writer *w, const uint64_t v[DIFF_NFIGURE],
		  bool peak_known)
{
#define F(id, name, ...) \
	writer_maybe(w, #name, v[DIFF_##id], \
		     DIFF_##id != DIFF_PEAK || peak_known);
	DIFF_FIGURES(F)
#undef F
}

static void
diff_json_run(struct writer *w, const struct diff *d, const struct diff_row *r,
	      int run)
{
	writer_enter(w, run == DIFF_OLD ? "old" : "new", '{');
	diff_json_figures(w, r->v[run], d->peak_known && !r->no_peak);
	writer_leave(w, '}');
}

static const char *
state(const struct diff_row *r)
{
	if (r->in[DIFF_OLD] && r->in[DIFF_NEW])
		return "both";
	return r->in[DIFF_OLD] ? "gone" : "new";
}

/* Write the names of a path, the outermost function first.  0 or -1. */
static int
diff_json_path(struct writer *w, const struct diff *d, size_t at)
{
	size_t n = 0, *name;

	writer_enter(w, "path", '[');
	for (size_t i = at; i; i = d->path[i].next)
		n++;
	name = calloc(n + 1, sizeof *name);
	if (!name)
		return -1;
	for (size_t i = at, k = 0; i; i = d->path[i].next, k++)
		name[d->depth ? k : n - 1 - k] = d->path[i].name;
	for (size_t i = 0; i < n; i++)
		writer_text(w, NULL, d->name[name[i]].text);
	free(name);
	writer_leave(w, ']');
	return 0;
}

static int
diff_json_table(struct writer *w, const struct diff *d,
		const struct diff_table *t, const char *name, const char *what)
{
	writer_line(w, name, '[');
	for (size_t i = 0; i < t->n; i++) {
		const struct diff_row *r = &t->row[i];

		writer_line(w, NULL, '{');
		if (!what && diff_json_path(w, d, r->path))
			return -1;
		if (what)
			writer_text(w, what, r->name);
		writer_text(w, "in", state(r));
		diff_json_run(w, d, r, DIFF_OLD);
		diff_json_run(w, d, r, DIFF_NEW);
		if (t == &d->funcs) {
			writer_number(w, "old_total", r->total[DIFF_OLD]);
			writer_number(w, "new_total", r->total[DIFF_NEW]);
		}
		writer_leave(w, '}');
	}
	writer_leave(w, ']');
	return 0;
}

static void
files(struct writer *w, const struct profile *p, const char *name)
{
	WRITER_EACH(w, name, p->nruns, writer_text(w, NULL, p->runs[i].path));
}

int
diff_json(const struct diff *d, FILE *out)
{
	struct writer w = { .out = out, .first = true };
	int status;

	writer_enter(&w, NULL, '{');
	writer_number(&w, "schema", 1);
	writer_enter(&w, "diff", '{');
	files(&w, d->run[DIFF_OLD], "old");
	files(&w, d->run[DIFF_NEW], "new");
	if (d->scaled)
		writer_real(&w, "scale",
			    (double)d->whole[DIFF_NEW] /
				    (double)d->whole[DIFF_OLD]);
	else
		writer_null(&w, "scale");
	writer_line(&w, "total", '{');
	diff_json_run(&w, d, &d->total, DIFF_OLD);
	diff_json_run(&w, d, &d->total, DIFF_NEW);
	writer_leave(&w, '}');
	status = diff_json_table(&w, d, &d->own, "own_functions", "name");
	if (!status)
		status = diff_json_table(&w, d, &d->sites, "sites", NULL);
	if (!status)
		status = diff_json_table(&w, d, &d->funcs, "functions", "name");
	if (!status)
		status = diff_json_table(&w, d, &d->types, "types", "name");
	if (!status)
		status = diff_json_table(&w, d, &d->bins, "sizes", "size");
	if (!status)
		status = diff_pairs_json(&w, d);
	writer_leave(&w, '}');
	writer_leave(&w, '}');
	putc('\n', out);
	return status;
}
