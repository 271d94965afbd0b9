/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The profile as JSON: see json.h. */
#include "display/export/json.h"

#include "display/export/json_runs.h"
#include "display/export/json_sample.h"
#include "display/export/json_use.h"
#include "display/query/columns.h"
#include "display/query/schema.h"
#include "display/text/amount.h"
#include "display/text/settings.h"
#include "display/text/sort.h"
#include "display/text/writer.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum { SCHEMA = 1 };

/* place[]: of the node with that number, where it is in its array. */
struct json {
	const struct profile *p;
	struct writer w;
	struct sort sort;
	size_t *place;
};

/* As columns: all of them together, and each. */
static void
columns(struct json *j, const char *name, const uint64_t v[PROFILE_NCLASS])
{
	static const char class[PROFILE_NCLASS] = { 's', 'm', 'l', 'x' };
	char text[32];

	writer_number(&j->w, name, v[0] + v[1] + v[2] + v[3]);
	for (int i = 0; i < PROFILE_NCLASS; i++) {
		snprintf(text, sizeof text, "%s.%c", name, class[i]);
		writer_number(&j->w, text, v[i]);
	}
}

static void
classes(struct json *j, const char *name, const uint64_t v[PROFILE_NCLASS])
{
	if (j->w.sink) {
		columns(j, name, v);
		return;
	}
	writer_enter(&j->w, name, '[');
	for (int i = 0; i < PROFILE_NCLASS; i++)
		writer_number(&j->w, NULL, v[i]);
	writer_leave(&j->w, ']');
}

static void
counts(struct json *j, const char *name, const struct counts *c)
{
	uint64_t kept[PROFILE_NCLASS];

	amount_kept_by_class(c, kept);
	writer_enter(&j->w, name, '{');
	classes(j, "allocs", c->allocs);
	classes(j, "bytes", c->bytes);
	classes(j, "frees", c->frees);
	classes(j, "freed", c->freed);
	classes(j, "kept", kept);
	writer_maybe(&j->w, "peak", c->peak, j->p->peak_known);
	json_errors(&j->w, j->p, c->var);
	writer_leave(&j->w, '}');
}

/* The bins of lifetimes; zeros at the end are left out. */
static void
histogram(struct json *j, const struct life *a)
{
	int n = PROFILE_NLIFE;

	while (n > 0 && !a->bin[n - 1])
		n--;
	writer_enter(&j->w, "histogram", '[');
	for (int i = 0; i < n; i++)
		writer_number(&j->w, NULL, a->bin[i]);
	writer_leave(&j->w, ']');
}

/* What became of blocks; a is NULL when that is nothing. */
static void
life(struct json *j, const struct life *a)
{
	static const struct life nothing;
	bool all = !j->p->sample.rate; /* of samples less is known */
	struct writer *w = &j->w;

	if (!j->p->lives_known) {
		writer_null(w, "life");
		return;
	}
	if (!a)
		a = &nothing;
	writer_enter(w, "life", '{');
	writer_maybe(w, "temps", a->temps, all);
	writer_maybe(w, "near", a->near, all);
	writer_number(w, "foreign", a->foreign);
	writer_maybe(w, "moved", a->moved, all);
	writer_maybe(w, "copied", a->copied, all);
	writer_maybe(w, "longest", a->longest, all);
	writer_number(w, "timed", a->timed);
	writer_number(w, "weight", a->weight);
	writer_maybe(w, "sum_ns", a->sum, a->sum != UINT64_MAX);
	writer_maybe(w, "min_ns", a->min, a->timed);
	writer_maybe(w, "max_ns", a->max, a->timed);
	histogram(j, a);
	writer_leave(w, '}');
}

/* Where a function is in the array of functions. */
static size_t
place(const struct json *j, const struct func *f)
{
	return j->place[sort_number(&j->sort, f)];
}

static void
totals(struct json *j)
{
	const struct profile *p = j->p;

	writer_line(&j->w, "totals", '{');
	writer_number(&j->w, "allocs", amount_allocs(&p->total));
	writer_number(&j->w, "bytes", amount_bytes(&p->total));
	writer_number(&j->w, "frees", amount_frees(&p->total));
	writer_number(&j->w, "freed", amount_freed(&p->total));
	writer_number(&j->w, "kept", amount_kept(&p->total));
	json_errors(&j->w, p, p->total.var);
	writer_maybe(&j->w, "reallocs", p->reallocs, !profile_is_part(p));
	writer_maybe(&j->w, "peak", p->peak,
		     profile_is_less(p) ? p->peak_known
					: p->peak || !p->incomplete);
	writer_maybe(&j->w, "peak_at_ns", p->peak_at,
		     p->peak || !p->incomplete);
	writer_truth(&j->w, "peak_known", p->peak_known);
	writer_maybe(&j->w, "peak_blocks", p->peak_blocks, p->peak_known);
	writer_number(&j->w, "peak_slack", p->peak_slack);
	writer_maybe(&j->w, "threads", p->threads, !profile_is_less(p));
	writer_number(&j->w, "frames", p->frames);
	writer_number(&j->w, "same", p->same);
	writer_maybe(&j->w, "chains", p->chains,
		     p->chains || !amount_allocs(&p->total));
	writer_number(&j->w, "deepest", p->deepest);
	writer_number(&j->w, "cut", p->cut);
	writer_number(&j->w, "stopped", p->stopped);
	writer_number(&j->w, "folded", p->folded);
	writer_number(&j->w, "joined", p->joined);
	writer_number(&j->w, "joined_ends", p->joined_ends);
	writer_number(&j->w, "limited", amount_allocs(&p->limited));
	writer_number(&j->w, "limited_bytes", amount_bytes(&p->limited));
	writer_number(&j->w, "limited_kept", amount_kept(&p->limited));
	writer_number(&j->w, "unrecorded", p->lost);
	writer_number(&j->w, "unrecorded_bytes", p->lost_bytes);
	writer_number(&j->w, "unseen", p->unseen);
	writer_number(&j->w, "inherited", p->inherited);
	writer_number(&j->w, "reused", p->reused);
	writer_number(&j->w, "failed", p->failed);
	writer_number(&j->w, "shortened", p->shortened);
	writer_number(&j->w, "untimed", p->untimed);
	writer_number(&j->w, "timing", p->timing);
	writer_number(&j->w, "maxmem", p->maxmem);
	writer_maybe(&j->w, "monitor", p->own, p->own || !p->incomplete);
	writer_truth(&j->w, "incomplete", p->incomplete);
	counts(j, "classes", &p->total);
	life(j, &p->life);
	json_uses(&j->w, p);
	json_leaks(&j->w, p, &p->leak);
	json_rare(&j->w, p);
	json_log(&j->w, p);
	writer_leave(&j->w, '}');
}

static void
functions(struct json *j)
{
	writer_line(&j->w, "functions", '[');
	for (size_t i = 0; i < j->sort.nnodes; i++) {
		const struct node *node = &j->sort.nodes[i];
		const struct func *f = node->func;

		if (!f)
			continue;
		writer_line(&j->w, NULL, '{');
		writer_text(&j->w, "name", f->name);
		writer_text(&j->w, "module", f->module);
		writer_text(&j->w, "file", f->file);
		writer_number(&j->w, "line", f->line);
		writer_number(&j->w, "address", f->addr);
		if (f->call_line) {
			writer_text(&j->w, "call_file", f->call_file);
			writer_number(&j->w, "call_line", f->call_line);
		}
		writer_truth(&j->w, "ambiguous", f->ambiguous);
		writer_truth(&j->w, "inlined", f->inlined);
		writer_number(&j->w, "graph", i);
		writer_number(&j->w, "cycle", f->cycle);
		counts(j, "self", &f->self);
		counts(j, "total", &f->total);
		writer_number(&j->w, "calls", f->calls);
		writer_number(&j->w, "recursive", f->recursive);
		writer_number(&j->w, "outcalls", f->outcalls);
		writer_maybe(&j->w, "reallocs", f->reallocs,
			     !profile_is_part(j->p));
		life(j, &f->life);
		json_use(&j->w, j->p, &f->use, false);
		writer_leave(&j->w, '}');
	}
	writer_leave(&j->w, ']');
}

static void
links(struct json *j, const char *name, const struct carc *c, size_t n)
{
	writer_enter(&j->w, name, '[');
	for (size_t i = 0; i < n; i++) {
		writer_enter(&j->w, NULL, '{');
		writer_place(&j->w, "function", place(j, c[i].other),
			     c[i].other->name);
		writer_number(&j->w, "calls", c[i].calls);
		counts(j, "count", &c[i].count);
		writer_leave(&j->w, '}');
	}
	writer_leave(&j->w, ']');
}

static void
cycles(struct json *j)
{
	writer_line(&j->w, "cycles", '[');
	for (size_t i = 0; i < j->p->ncycles; i++) {
		const struct cycle *c = &j->p->cycles[i];

		writer_line(&j->w, NULL, '{');
		writer_number(&j->w, "number", c->number);
		writer_number(&j->w, "graph", sort_number(&j->sort, c));
		writer_enter(&j->w, "members", '[');
		for (size_t k = 0; k < c->nmembers; k++)
			writer_place(&j->w, NULL, place(j, c->members[k]),
				     c->members[k]->name);
		writer_leave(&j->w, ']');
		counts(j, "self", &c->self);
		counts(j, "total", &c->total);
		writer_number(&j->w, "calls", c->calls);
		writer_number(&j->w, "internal", c->internal);
		links(j, "callers", c->callers, c->ncallers);
		links(j, "callees", c->callees, c->ncallees);
		writer_leave(&j->w, '}');
	}
	writer_leave(&j->w, ']');
}

/* The arcs, by caller, then by bytes. */
static int
arcs(struct json *j)
{
	struct link *link;
	size_t most = 1;

	for (size_t i = 0; i < j->p->nfuncs; i++)
		if (most < j->p->funcs[i]->ncallees)
			most = j->p->funcs[i]->ncallees;
	link = calloc(most, sizeof *link);
	if (!link)
		return -1;
	writer_line(&j->w, "arcs", '[');
	for (size_t i = 0; i < j->sort.nnodes; i++) {
		const struct func *f = j->sort.nodes[i].func;
		size_t n = f ? f->ncallees : 0;

		for (size_t k = 0; k < n; k++) {
			const struct arc *a = f->callees[k];

			link[k] = (struct link){ a->callee, &a->count,
						 amount_bytes(&a->count),
						 a->calls, a->inlined };
		}
		sort_children(link, n);
		for (size_t k = 0; k < n; k++) {
			writer_line(&j->w, NULL, '{');
			writer_place(&j->w, "caller", j->place[i], f->name);
			writer_place(&j->w, "callee", place(j, link[k].other),
				     link[k].other->name);
			writer_number(&j->w, "calls", link[k].calls);
			writer_truth(&j->w, "inlined", link[k].inlined);
			counts(j, "count", link[k].count);
			writer_leave(&j->w, '}');
		}
	}
	writer_leave(&j->w, ']');
	free(link);
	return 0;
}

static const char *
start_of(const struct frame *leaf)
{
	switch (leaf ? leaf->start : ~0u) {
	case PROFILE_START_MAIN:
		return "main";
	case PROFILE_START_OTHER:
		return "other";
	case PROFILE_START_CUT:
		return "cut";
	case PROFILE_START_STOPPED:
		return "stopped";
	default:
		return "unknown";
	}
}

/* A chain as one text. */
static void
path(struct json *j, const struct frame *const *frames, size_t n)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	for (size_t i = 0; f && i < n; i++)
		fprintf(f, "%s%s", i ? " > " : "",
			frames[i]->site ? frames[i]->site
					: frames[i]->func->name);
	if (f && fclose(f) == 0)
		writer_text(&j->w, "path", text);
	free(text);
}

/* A chain, its n frames outermost first: frames[] has room for them. */
static void
chain(struct json *j, const struct frame *leaf, size_t n,
      const struct frame **frames)
{
	const struct frame *f = leaf;
	bool sites = false, inlined = false;

	for (size_t i = n; i-- > 0; f = f->parent) {
		frames[i] = f;
		sites |= f->site != NULL;
		inlined |= f->inlined;
	}
	if (j->w.sink) {
		path(j, frames, n);
		return;
	}
	writer_enter(&j->w, "chain", '[');
	for (size_t i = 0; i < n; i++)
		writer_number(&j->w, NULL, place(j, frames[i]->func));
	writer_leave(&j->w, ']');
	/* Most chains are long, and have none. */
	if (inlined) {
		writer_enter(&j->w, "inlined", '[');
		for (size_t i = 0; i < n; i++)
			if (frames[i]->inlined)
				writer_number(&j->w, NULL, i);
		writer_leave(&j->w, ']');
	}
	if (!sites)
		return;
	writer_enter(&j->w, "sites", '[');
	for (size_t i = 0; i < n; i++)
		writer_text(&j->w, NULL,
			    frames[i]->site ? frames[i]->site : "");
	writer_leave(&j->w, ']');
}

static size_t
length(const struct frame *leaf)
{
	size_t n = 0;

	for (; leaf; leaf = leaf->parent)
		n++;
	return n;
}

static int
sites(struct json *j)
{
	const struct frame **frames;
	size_t most = 1;
	struct schema all;
	struct tally t;

	schema_start(&all, j->p);
	for (size_t i = 0; i < j->p->nsites; i++) {
		size_t n = length(j->p->sites[i].leaf);

		if (most < n)
			most = n;
	}
	frames = calloc(most, sizeof(const struct frame *));
	if (!frames)
		return -1;
	writer_line(&j->w, "sites", '[');
	for (size_t i = 0; i < j->p->nsites; i++) {
		const struct site *s = &j->p->sites[i];

		writer_line(&j->w, NULL, '{');
		chain(j, s->leaf, length(s->leaf), frames);
		writer_text(&j->w, "start", start_of(s->leaf));
		counts(j, "count", &s->count);
		writer_maybe(&j->w, "reallocs", s->reallocs,
			     !profile_is_part(j->p));
		writer_maybe(&j->w, "peak_blocks", s->peak_blocks,
			     j->p->peak_known);
		life(j, s->life);
		json_type(&j->w, s);
		json_use(&j->w, j->p, s->use, true);
		json_leaks(&j->w, j->p, s->leak);
		t = tally_site(&all.base, s);
		columns_write(&all, &t, &j->w);
		writer_leave(&j->w, '}');
	}
	writer_leave(&j->w, ']');
	free(frames);
	return 0;
}

static void
bins(struct json *j)
{
	const struct profile *p = j->p;

	writer_line(&j->w, "bins", '[');
	for (size_t i = 0; i < p->nbins; i++) {
		const struct bin *b = &p->bins[i];

		writer_line(&j->w, NULL, '{');
		schema_write(p, &j->w, "bins", b, "size", "kept");
		json_errors(&j->w, p, b->var);
		writer_enter(&j->w, "types", '[');
		for (size_t k = 0; k < b->ntypes; k++) {
			char mark[2] = { b->types[k].mark, '\0' };

			writer_enter(&j->w, NULL, '{');
			writer_text(&j->w, "name", b->types[k].name);
			writer_text(&j->w, "mark", mark);
			writer_leave(&j->w, '}');
		}
		writer_leave(&j->w, ']');
		writer_leave(&j->w, '}');
	}
	writer_leave(&j->w, ']');
	writer_line(&j->w, "big", '{');
	writer_number(&j->w, "allocs", p->big.allocs);
	writer_number(&j->w, "bytes", p->big.bytes);
	writer_number(&j->w, "frees", p->big.frees);
	writer_number(&j->w, "freed", p->big.freed);
	writer_number(&j->w, "kept", amount_sub(p->big.bytes, p->big.freed));
	writer_leave(&j->w, '}');
}

static void
threads(struct json *j)
{
	writer_line(&j->w, "threads", '[');
	for (size_t i = 0; i < j->p->nthreads; i++) {
		const struct thread *t = &j->p->all_threads[i];

		writer_line(&j->w, NULL, '{');
		writer_text(&j->w, "name", t->name);
		writer_truth(&j->w, "main", t->main);
		schema_write(j->p, &j->w, "threads", t, "threads", "bytes");
		json_errors(&j->w, j->p, t->var);
		schema_write(j->p, &j->w, "threads", t, "frees", "foreign");
		writer_leave(&j->w, '}');
	}
	writer_leave(&j->w, ']');
}

static int
everything(struct json *j)
{
	writer_enter(&j->w, NULL, '{');
	writer_number(&j->w, "schema", SCHEMA);
	writer_text(&j->w, "generator", "mpreduce " MEMMON_VERSION);
	json_runs(&j->w, j->p);
	json_moment(&j->w, j->p);
	json_filter(&j->w, j->p);
	json_sample(&j->w, j->p);
	totals(j);
	functions(j);
	if (arcs(j))
		return -1;
	cycles(j);
	if (sites(j))
		return -1;
	bins(j);
	json_unsized(&j->w, j->p);
	threads(j);
	json_types(&j->w, j->p);
	json_fields(&j->w, j->p);
	json_marks(&j->w, j->p);
	json_time(&j->w, j->p);
	json_suppressions(&j->w, j->p);
	json_lines(&j->w, j->p);
	writer_line(&j->w, "warnings", '[');
	for (size_t i = 0; i < j->p->nwarnings; i++)
		writer_text(&j->w, NULL, j->p->warnings[i]);
	writer_leave(&j->w, ']');
	writer_leave(&j->w, '}');
	if (!j->w.sink)
		putc('\n', j->w.out);
	return 0;
}

static int
print(const struct profile *p, struct writer w)
{
	struct json j = { .p = p, .w = w };
	size_t functions = 0;
	int status = -1;

	if (sort_init(&j.sort, p, 0) == 0 &&
	    (j.place = calloc(j.sort.nnodes + 1, sizeof *j.place))) {
		for (size_t i = 0; i < j.sort.nnodes; i++)
			if (j.sort.nodes[i].func)
				j.place[i] = functions++;
		status = everything(&j);
	}
	free(j.place);
	sort_fini(&j.sort);
	return status;
}

int
json_print(const struct profile *p, FILE *out)
{
	return print(p, (struct writer){ .out = out, .first = true });
}

int
json_tables(const struct profile *p, const struct writer_sink *sink, void *arg)
{
	return print(p, (struct writer){
				.sink = sink, .arg = arg, .first = true });
}
