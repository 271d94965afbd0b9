/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --export=firefox: a processed profile of version 61 for profiler.firefox.com,
 * as its docs-developer/CHANGELOG-formats.md has it.  Each metric is a thread,
 * and each site a sample in it, all of them at time 0.
 */
#include "display/export/export.h"

#include "display/text/intern.h"
#include "display/text/writer.h"
#include "reduce/base/str.h"

#include <inttypes.h>
#include <string.h>

enum { VERSION = 61, GECKO_VERSION = 31 };

struct firefox {
	struct export *x;
	const struct profile *p;
	struct writer w;
	struct intern sources;
	size_t *func; /* by p->funcs: row of its function */
	size_t *of;   /* by row: one of p->funcs that is it */
	size_t n;     /* rows */
	bool failed;
};

/* The number of a text in a table of them. */
static uint64_t
number(struct firefox *f, struct intern *t, const char *s)
{
	uint32_t n = intern_text(t, s);

	if (n != INTERN_FAILED)
		return n;
	f->failed = true;
	return 0;
}

static uint64_t
text(struct firefox *f, const char *s)
{
	return number(f, &f->x->strings, s);
}

/* Columns that have the same in each row. */
enum same { NONE, NO, ZERO, ONE, MINUS };

static void
column(struct firefox *f, const char *name, size_t n, enum same what)
{
	writer_enter(&f->w, name, '[');
	for (size_t i = 0; i < n; i++) {
		if (what == NONE)
			writer_null(&f->w, NULL);
		else if (what == NO)
			writer_truth(&f->w, NULL, false);
		else if (what == MINUS)
			writer_real(&f->w, NULL, -1);
		else
			writer_number(&f->w, NULL, what == ONE);
	}
	writer_leave(&f->w, ']');
}

static void
table(struct firefox *f, const char *name, size_t rows)
{
	writer_line(&f->w, name, '{');
	writer_number(&f->w, "length", rows);
}

/* ------------------------------------------------------- what is shared -- */

/* The caller of a frame by its number. */
static void
prefix(struct firefox *f, size_t i)
{
	const struct frame *up = i < f->p->ntree ? f->p->tree[i].parent : NULL;

	writer_maybe(&f->w, NULL, up ? (uint64_t)(up - f->p->tree) : 0,
		     up != NULL);
}

/* A row for each frame of p->tree, and a last one for unknown chains. */
static void
stacks(struct firefox *f)
{
	const struct profile *p = f->p;

	table(f, "stackTable", p->ntree + 1);
	WRITER_EACH(&f->w, "frame", p->ntree + 1,
		    writer_number(&f->w, NULL,
				  i < p->ntree ? (uint64_t)(p->tree[i].func -
							    p->funcs[0])
					       : p->nfuncs));
	WRITER_EACH(&f->w, "prefix", p->ntree + 1, prefix(f, i));
	writer_leave(&f->w, '}');
}

static void
line(struct firefox *f, unsigned line)
{
	writer_maybe(&f->w, NULL, line, line > 0);
}

/* A row for each of p->funcs, which are lines of functions. */
static void
frames(struct firefox *f)
{
	const struct profile *p = f->p;
	size_t n = p->nfuncs + 1;

	table(f, "frameTable", n);
	column(f, "address", n, MINUS);
	column(f, "inlineDepth", n, ZERO);
	column(f, "category", n, ZERO);
	column(f, "subcategory", n, ZERO);
	column(f, "nativeSymbol", n, NONE);
	column(f, "innerWindowID", n, NONE);
	column(f, "column", n, NONE);
	WRITER_EACH(&f->w, "func", n,
		    writer_number(&f->w, NULL,
				  i < p->nfuncs ? f->func[i] : f->n));
	WRITER_EACH(&f->w, "line", n,
		    line(f, i < p->nfuncs ? p->funcs[i]->call_line : 0));
	writer_leave(&f->w, '}');
}

/* The function of a row; behind the last one, that of unknown chains. */
static const struct func *
func(const struct firefox *f, size_t row)
{
	static const struct func unknown = { .name = "[unknown]", .file = "" };

	return row < f->n ? f->p->funcs[f->of[row]] : &unknown;
}

static void
source(struct firefox *f, const char *file)
{
	writer_maybe(&f->w, NULL, *file ? number(f, &f->sources, file) : 0,
		     *file);
}

/* A row for each function. */
static void
functions(struct firefox *f)
{
	struct writer *w = &f->w;
	size_t n = f->n + 1;

	table(f, "funcTable", n);
	column(f, "isJS", n, NO);
	column(f, "relevantForJS", n, NO);
	column(f, "columnNumber", n, NONE);
	WRITER_EACH(w, "name", n,
		    writer_number(w, NULL, text(f, func(f, i)->name)));
	WRITER_EACH(w, "resource", n,
		    writer_real(w, NULL, (double)func(f, i)->in - 1));
	WRITER_EACH(w, "source", n, source(f, func(f, i)->file));
	WRITER_EACH(w, "lineNumber", n, line(f, func(f, i)->line));
	writer_leave(&f->w, '}');
}

/* Of each module one. */
static void
resources(struct firefox *f)
{
	const struct profile *p = f->p;
	size_t n = p->nmodules ? p->nmodules - 1 : 0;

	table(f, "resourceTable", n);
	WRITER_EACH(&f->w, "lib", n, writer_number(&f->w, NULL, i));
	WRITER_EACH(&f->w, "name", n,
		    writer_number(&f->w, NULL,
				  text(f,
				       str_basename(p->modules[i + 1].path))));
	column(f, "host", n, NONE);
	column(f, "type", n, ONE);
	writer_leave(&f->w, '}');
}

/* After all that refers to them. */
static void
names(struct firefox *f)
{
	size_t n = f->sources.n;

	table(f, "sources", n);
	column(f, "id", n, NONE);
	column(f, "startLine", n, ONE);
	column(f, "startColumn", n, ONE);
	column(f, "sourceMapURL", n, NONE);
	WRITER_EACH(&f->w, "filename", n,
		    writer_number(&f->w, NULL, text(f, f->sources.text[i])));
	writer_leave(&f->w, '}');
	writer_line(&f->w, "stringArray", '[');
	for (size_t i = 0; i < f->x->strings.n; i++)
		writer_text(&f->w, NULL, f->x->strings.text[i]);
	writer_leave(&f->w, ']');
}

static void
shared(struct firefox *f)
{
	writer_line(&f->w, "shared", '{');
	stacks(f);
	frames(f);
	functions(f);
	resources(f);
	table(f, "nativeSymbols", 0);
	column(f, "libIndex", 0, NONE);
	column(f, "address", 0, NONE);
	column(f, "name", 0, NONE);
	column(f, "functionSize", 0, NONE);
	writer_leave(&f->w, '}');
	names(f);
	writer_leave(&f->w, '}');
}

static void
libraries(struct firefox *f)
{
	writer_line(&f->w, "libs", '[');
	for (size_t i = 1; i < f->p->nmodules; i++) {
		const struct profile_module *m = &f->p->modules[i];

		writer_line(&f->w, NULL, '{');
		writer_text(&f->w, "arch", "");
		writer_text(&f->w, "name", str_basename(m->path));
		writer_text(&f->w, "path", m->path);
		writer_text(&f->w, "debugName", str_basename(m->path));
		writer_text(&f->w, "debugPath", m->path);
		writer_text(&f->w, "breakpadId", "");
		if (*m->build_id)
			writer_text(&f->w, "codeId", m->build_id);
		else
			writer_null(&f->w, "codeId");
		writer_leave(&f->w, '}');
	}
	writer_leave(&f->w, ']');
}

/* -------------------------------------------------------------- samples -- */

static void
samples(struct firefox *f, const struct export_metric *m)
{
	const struct profile *p = f->p;
	size_t n = 0;

	for (size_t i = 0; i < p->nsites; i++)
		n += export_value(f->x, m, &p->sites[i]) > 0;
	table(f, "samples", n);
	writer_text(&f->w, "weightType",
		    !strcmp(m->unit, "bytes") ? "bytes" : "samples");
	column(f, "time", n, ZERO);
	writer_enter(&f->w, "stack", '[');
	for (size_t i = 0; i < p->nsites; i++) {
		const struct frame *leaf = p->sites[i].leaf;

		if (export_value(f->x, m, &p->sites[i]))
			writer_number(&f->w, NULL,
				      leaf ? (uint64_t)(leaf - p->tree)
					   : p->ntree);
	}
	writer_leave(&f->w, ']');
	writer_enter(&f->w, "weight", '[');
	for (size_t i = 0; i < p->nsites; i++)
		if (export_value(f->x, m, &p->sites[i]))
			writer_number(&f->w, NULL,
				      export_value(f->x, m, &p->sites[i]));
	writer_leave(&f->w, ']');
	writer_leave(&f->w, '}');
}

static void
thread(struct firefox *f, const struct export_metric *m, size_t number)
{
	const struct profile *p = f->p;
	char pid[24];

	snprintf(pid, sizeof pid, "%" PRIu64, p->nruns ? p->runs[0].pid : 0);
	writer_line(&f->w, NULL, '{');
	writer_text(&f->w, "processType", "default");
	writer_number(&f->w, "processStartupTime", 0);
	writer_null(&f->w, "processShutdownTime");
	writer_number(&f->w, "registerTime", 0);
	writer_null(&f->w, "unregisterTime");
	column(f, "pausedRanges", 0, NONE);
	writer_text(&f->w, "name", m->what);
	writer_truth(&f->w, "isMainThread", number == 0);
	writer_text(&f->w, "pid", pid);
	writer_number(&f->w, "tid", number);
	samples(f, m);
	table(f, "markers", 0);
	column(f, "data", 0, NONE);
	column(f, "name", 0, NONE);
	column(f, "startTime", 0, NONE);
	column(f, "endTime", 0, NONE);
	column(f, "phase", 0, NONE);
	column(f, "category", 0, NONE);
	writer_leave(&f->w, '}');
	writer_leave(&f->w, '}');
}

/* ------------------------------------------------------------ the whole -- */

static void
meta(struct firefox *f, size_t threads)
{
	const struct profile *p = f->p;
	struct writer *w = &f->w;
	const char *said = f->x->note;

	writer_line(w, "meta", '{');
	writer_number(w, "interval", 1);
	writer_real(w, "startTime",
		    p->nruns ? (double)p->runs[0].start / 1e6 : 0);
	writer_number(w, "processType", 0);
	writer_enter(w, "categories", '[');
	writer_enter(w, NULL, '{');
	writer_text(w, "name", "Other");
	writer_text(w, "color", "grey");
	writer_enter(w, "subcategories", '[');
	writer_text(w, NULL, "Other");
	writer_leave(w, ']');
	writer_leave(w, '}');
	writer_leave(w, ']');
	writer_text(w, "product",
		    p->nruns && *p->runs[0].command ? p->runs[0].command
						    : "memmon");
	writer_text(w, "importedFrom", "mpreduce " MEMMON_VERSION);
	writer_text(w, "misc", said ? said : "");
	writer_number(w, "stackwalk", 1);
	writer_number(w, "version", GECKO_VERSION);
	writer_number(w, "preprocessedProfileVersion", VERSION);
	writer_truth(w, "symbolicated", true);
	writer_truth(w, "sourceCodeIsNotOnSearchfox", true);
	writer_truth(w, "usesOnlyOneStackType", true);
	column(f, "markerSchema", 0, NONE);
	WRITER_EACH(w, "initialVisibleThreads", threads,
		    writer_number(w, NULL, i));
	column(f, "initialSelectedThreads", 1, ZERO);
	writer_leave(w, '}');
}

/* Functions by the numbers of their wholes.  0, or -1: out of memory. */
static int
rows(struct firefox *f)
{
	const struct profile *p = f->p;
	struct intern wholes = { 0 };

	f->func = export_room(f->x, p->nfuncs + 1, sizeof *f->func);
	f->of = export_room(f->x, p->nfuncs + 1, sizeof *f->of);
	for (size_t i = 0; f->func && f->of && i < p->nfuncs; i++) {
		uint32_t n = intern_pair(&wholes, p->funcs[i]->whole, 0);

		f->failed |= n == INTERN_FAILED;
		if (f->failed)
			break;
		f->func[i] = n;
		f->of[n] = i;
	}
	f->n = wholes.n;
	intern_fini(&wholes);
	return f->func && f->of && !f->failed ? 0 : -1;
}

static void
whole(struct firefox *f)
{
	size_t n = 0;

	for (const struct export_metric *m = export_metrics; m->name; m++)
		n += !export_unknown(f->p, m);
	writer_enter(&f->w, NULL, '{');
	meta(f, n);
	libraries(f);
	shared(f);
	writer_line(&f->w, "threads", '[');
	n = 0;
	for (const struct export_metric *m = export_metrics; m->name; m++)
		if (!export_unknown(f->p, m))
			thread(f, m, n++);
	writer_leave(&f->w, ']');
	writer_leave(&f->w, '}');
	putc('\n', f->w.out);
}

int
export_firefox(struct export *x)
{
	struct firefox f = { .x = x,
			     .p = x->p,
			     .w = { .out = x->out, .first = true } };

	if (rows(&f))
		return -1;
	whole(&f);
	intern_fini(&f.sources);
	return f.failed ? -1 : 0;
}
