/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --export=speedscope: JSON for www.speedscope.app.  The schema is that of
 * www.speedscope.app/file-format-schema.json: a "sampled" profile for each
 * metric; what they share are frames, one for each function.
 */
#include "display/export/export.h"

#include "display/text/amount.h"
#include "display/text/writer.h"

#include <string.h>

/* The last frame is that of chains that aren't known. */
static void
frames(struct writer *w, const struct profile *p, char **names)
{
	writer_enter(w, "shared", '{');
	writer_enter(w, "frames", '[');
	for (size_t i = 0; i < p->nfuncs; i++) {
		const struct func *f = p->funcs[i];
		const char *file = export_file(f);
		unsigned line = export_line(f);

		writer_line(w, NULL, '{');
		writer_text(w, "name", names[i]);
		if (*file)
			writer_text(w, "file", file);
		if (*file && line)
			writer_number(w, "line", line);
		writer_leave(w, '}');
	}
	writer_line(w, NULL, '{');
	writer_text(w, "name", "[unknown]");
	writer_leave(w, '}');
	writer_leave(w, ']');
	writer_leave(w, '}');
}

/* A chain, the outermost frame first. */
static void
chain(struct writer *w, const struct profile *p, const struct frame *leaf,
      size_t *func)
{
	size_t n = 0;

	if (!leaf)
		func[n++] = p->nfuncs;
	for (; leaf; leaf = leaf->parent)
		func[n++] = (size_t)(leaf->func - p->funcs[0]);
	writer_line(w, NULL, '[');
	while (n--)
		writer_number(w, NULL, func[n]);
	writer_leave(w, ']');
}

static void
metric(struct writer *w, struct export *x, const struct export_metric *m,
       size_t *func)
{
	const struct profile *p = x->p;
	bool bytes = !strcmp(m->unit, "bytes");
	uint64_t sum = 0;

	writer_line(w, NULL, '{');
	writer_text(w, "type", "sampled");
	writer_text(w, "name", m->what);
	writer_text(w, "unit", bytes ? "bytes" : "none");
	writer_number(w, "startValue", 0);
	writer_enter(w, "samples", '[');
	for (size_t i = 0; i < p->nsites; i++)
		if (export_value(x, m, &p->sites[i]))
			chain(w, p, p->sites[i].leaf, func);
	writer_leave(w, ']');
	writer_enter(w, "weights", '[');
	for (size_t i = 0; i < p->nsites; i++) {
		uint64_t n = export_value(x, m, &p->sites[i]);

		sum = amount_add(sum, n);
		if (n)
			writer_number(w, NULL, n);
	}
	writer_leave(w, ']');
	writer_number(w, "endValue", sum);
	writer_leave(w, '}');
}

/* The command, and the conditions of the run; NULL: out of memory. */
static const char *
title(struct export *x)
{
	const struct profile *p = x->p;
	const char *command = p->nruns ? p->runs[0].command : "";

	return x->note ? arena_print(&x->conditions.arena, "%s%s%s", command,
				     *command ? "; " : "", x->note)
		       : command;
}

int
export_speedscope(struct export *x)
{
	const struct profile *p = x->p;
	struct writer w = { .out = x->out, .first = true };
	size_t *func = export_room(x, export_deepest(p), sizeof *func);
	char **names = export_names(x);

	if (!func || !names)
		return -1;
	writer_enter(&w, NULL, '{');
	writer_text(&w, "$schema",
		    "https://www.speedscope.app/file-format-schema.json");
	writer_text(&w, "exporter", "mpreduce@" MEMMON_VERSION);
	writer_text(&w, "name", title(x));
	writer_number(&w, "activeProfileIndex", 0);
	frames(&w, p, names);
	writer_enter(&w, "profiles", '[');
	for (const struct export_metric *m = export_metrics; m->name; m++)
		if (!export_unknown(p, m))
			metric(&w, x, m, func);
	writer_leave(&w, ']');
	writer_leave(&w, '}');
	putc('\n', x->out);
	return 0;
}
