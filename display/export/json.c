/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The profile as JSON: see export.h. */

#include "display/export/export.h"
#include "display/export/json_figures.h"
#include "display/settings/settings.h"
#include "display/text/amount.h"

#include <math.h>
#include <stdlib.h>

enum { SCHEMA = 1 };

/* ---------------------------------------------------------------- totals -- */

#define OF profile
static const struct writer_member peak[] = {
	WRITER_AS("peak_known", TRUTH, peaks_known),
	WRITER_KNOWN("peak_blocks", peak_blocks, peaks_known),
	WRITER_OF(NUMBER, peak_slack)
};
static const struct writer_member recorded[] = {
	WRITER_OF(NUMBER, deepest),
	WRITER_OF(NUMBER, cut),
	WRITER_OF(NUMBER, stopped),
	WRITER_OF(NUMBER, folded),
	WRITER_OF(NUMBER, joined),
	WRITER_OF(NUMBER, joined_ends),
	WRITER_OF(NUMBER, untyped),
	WRITER_OF(NUMBER, unnamed),
	WRITER_OF(NUMBER, unmarked),
	WRITER_OF(NUMBER, collections),
	WRITER_OF(NUMBER, collected),
	WRITER_AS("unrecorded", NUMBER, lost),
	WRITER_AS("unrecorded_bytes", NUMBER, lost_bytes),
	WRITER_OF(NUMBER, unseen),
	WRITER_OF(NUMBER, inherited),
	WRITER_OF(NUMBER, reused),
	WRITER_OF(NUMBER, failed),
	WRITER_OF(NUMBER, shortened),
	WRITER_OF(NUMBER, untimed),
	WRITER_OF(NUMBER, timing),
	WRITER_OF(NUMBER, maxmem)
};
static const struct writer_member rare[] = {
	WRITER_OF(TRUTH, leaks_all),	WRITER_OF(NUMBER, off_frees),
	WRITER_OF(NUMBER, off_freed),	WRITER_OF(NUMBER, off_unseen),
	WRITER_OF(NUMBER, pool_allocs), WRITER_OF(NUMBER, pool_bytes),
	WRITER_OF(NUMBER, pool_backing)
};
static const struct writer_member uses_left[] = {
	WRITER_OF(NUMBER, reads),
	WRITER_OF(NUMBER, writes),
	WRITER_OF(NUMBER, unfolded),
	WRITER_KNOWN("unplaced", unplaced, unplaced_known),
	WRITER_AS("unobserved_blocks", NUMBER, unobserved.blocks),
	WRITER_AS("unobserved_bytes", NUMBER, unobserved.bytes)
};
static const struct writer_member clock_of[] = {
	WRITER_OF(TRUTH, ticked), WRITER_AS("step_ns", NUMBER, step),
	WRITER_AS("tau_ns", NUMBER, tau),
	WRITER_AS("sites", NUMBER, program_sites),
	WRITER_AS("joined_paths", NUMBER, uses_joined)
};
#undef OF
#define OF profile_log
static const struct writer_member logged[] = { WRITER_OF(NUMBER, blocks),
					       WRITER_OF(NUMBER, folded),
					       WRITER_OF(NUMBER, missed),
					       WRITER_OF(NUMBER, damaged),
					       WRITER_AS("whole_from_ns",
							 NUMBER, whole_from),
					       WRITER_OF(TRUTH, live),
					       WRITER_OF(TRUTH, accesses) };
#undef OF

/* The accesses of the whole run. */
static void
json_uses(struct json *j)
{
	const struct profile *p = j->p;
	struct writer *w = &j->w;

	if (!p->uses_known) {
		writer_null(w, "uses");
		return;
	}
	writer_enter(w, "uses", '{');
	WRITER_ALL(w, uses_left, p);
	if (p->sample.rate) {
		writer_enter(w, "errors", '{');
		json_error(j, "reads", p->access_var[0],
			   !isinf(p->access_var[0]));
		json_error(j, "writes", p->access_var[1],
			   !isinf(p->access_var[1]));
		writer_leave(w, '}');
	}
	writer_truth(w, "plugin", p->way & 1);
	writer_truth(w, "calls", p->way & 2);
	WRITER_ALL(w, clock_of, p);
	for (enum column i = COLUMN_LIFETIME; i <= COLUMN_USEFUL; i++) {
		const char *name = columns_field[i].name;
		size_t k = i - COLUMN_LIFETIME;

		if (!p->program[k].sites) {
			writer_null(w, name);
			continue;
		}
		writer_enter(w, name, '{');
		writer_real(w, "mean", p->program[k].mean);
		writer_real(w, "variance", p->program[k].variance);
		writer_number(w, "sites", p->program[k].sites);
		writer_leave(w, '}');
	}
	writer_leave(w, '}');
}

/* Write the way of recording call paths, and the recorder. */
static void
recording(struct json *j)
{
	const struct profile *p = j->p;
	struct writer *w = &j->w;

	writer_maybe(w, "threads", p->threads, !profile_is_less(p));
	writer_number(w, "frames", p->frames);
	writer_number(w, "same", p->same);
	writer_maybe(w, "chains", p->chains,
		     p->chains || !counts_sum(p->total.allocs));
	WRITER_ALL(w, recorded, p);
	writer_number(w, "limited", counts_sum(p->limited.allocs));
	writer_number(w, "limited_bytes", counts_sum(p->limited.bytes));
	writer_number(w, "limited_kept", amount_kept(&p->limited));
	writer_number(w, "classed", p->classed);
	writer_maybe(w, "monitor", p->own, p->own || !p->incomplete);
	writer_truth(w, "incomplete", p->incomplete);
}

static void
json_totals(struct json *j)
{
	const struct profile *p = j->p;
	struct tally t = { .allocs = counts_sum(p->total.allocs),
			   .bytes = counts_sum(p->total.bytes),
			   .frees = counts_sum(p->total.frees),
			   .freed = counts_sum(p->total.freed),
			   .hidden = counts_of_all(&p->total).hidden };
	struct writer *w = &j->w;

	writer_line(w, "totals", '{');
	columns_write(&j->schema, &t, w, COLUMN_ALLOCS, COLUMN_KEPT);
	json_errors(j, p->total.var);
	writer_maybe(w, "reallocs", p->reallocs, !profile_is_part(p));
	writer_maybe(w, "peak", p->peak,
		     profile_is_less(p) ? p->peaks_known
					: p->peak || !p->incomplete);
	writer_maybe(w, "peak_at_ns", p->peak_at, p->peak || !p->incomplete);
	WRITER_ALL(w, peak, p);
	recording(j);
	json_counts(j, "classes", &p->total);
	json_life(j, &p->life);
	json_uses(j);
	json_leaks(j, &p->leak, &p->total);
	WRITER_ALL(w, rare, p);
	if (p->log.known) {
		writer_line(w, "log", '{');
		WRITER_ALL(w, logged, &p->log);
		writer_leave(w, '}');
	}
	writer_leave(w, '}');
}

/* ----------------------------------------------------------------- graph -- */

#define OF func
static const struct writer_member func[] = {
	WRITER_OF(TEXT, name), WRITER_OF(TEXT, module), WRITER_OF(TEXT, file),
	WRITER_OF(UNSIGNED, line), WRITER_AS("address", NUMBER, addr)
};
static const struct writer_member call[] = { WRITER_OF(TEXT, call_file),
					     WRITER_OF(UNSIGNED, call_line) };
static const struct writer_member marks[] = { WRITER_OF(TRUTH, ambiguous),
					      WRITER_OF(TRUTH, inlined) };
static const struct writer_member calls[] = { WRITER_OF(NUMBER, calls),
					      WRITER_OF(NUMBER, recursive),
					      WRITER_OF(NUMBER, outcalls) };
#undef OF

static void
json_functions(struct json *j)
{
	writer_line(&j->w, "functions", '[');
	for (size_t i = 0; i < j->nodes.n; i++) {
		const struct func *f = j->nodes.v[i].func;

		if (!f)
			continue;
		writer_line(&j->w, NULL, '{');
		WRITER_ALL(&j->w, func, f);
		if (f->call_line)
			WRITER_ALL(&j->w, call, f);
		WRITER_ALL(&j->w, marks, f);
		writer_number(&j->w, "graph", i);
		writer_number(&j->w, "cycle", f->cycle);
		json_counts(j, "self", &f->self);
		json_counts(j, "total", &f->total);
		WRITER_ALL(&j->w, calls, f);
		writer_maybe(&j->w, "reallocs", f->reallocs,
			     !profile_is_part(j->p));
		json_life(j, &f->life);
		json_use(j, &f->use, false);
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
		writer_place(&j->w, "function",
			     nodes_place(&j->nodes, c[i].other),
			     c[i].other->name);
		writer_number(&j->w, "calls", c[i].calls);
		json_counts(j, "count", &c[i].count);
		writer_leave(&j->w, '}');
	}
	writer_leave(&j->w, ']');
}

static void
one_cycle(struct json *j, const void *row)
{
	const struct cycle *c = row;

	writer_number(&j->w, "number", c->number);
	writer_number(&j->w, "graph", nodes_number(&j->nodes, c));
	writer_enter(&j->w, "members", '[');
	for (size_t k = 0; k < c->nmembers; k++)
		writer_place(&j->w, NULL, nodes_place(&j->nodes, c->members[k]),
			     c->members[k]->name);
	writer_leave(&j->w, ']');
	json_counts(j, "self", &c->self);
	json_counts(j, "total", &c->total);
	writer_number(&j->w, "calls", c->calls);
	writer_number(&j->w, "internal", c->internal);
	links(j, "callers", c->callers, c->ncallers);
	links(j, "callees", c->callees, c->ncallees);
}

/* Write the arcs, by caller, then by bytes. */
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
	for (size_t i = 0; i < j->nodes.n; i++) {
		const struct func *f = j->nodes.v[i].func;
		size_t n = f ? f->ncallees : 0;

		for (size_t k = 0; k < n; k++) {
			const struct arc *a = f->callees[k];

			link[k] = (struct link){ a->callee, &a->count,
						 counts_sum(a->count.bytes),
						 a->calls, a->inlined };
		}
		nodes_sort_children(link, n);
		for (size_t k = 0; k < n; k++) {
			writer_line(&j->w, NULL, '{');
			writer_place(&j->w, "caller", j->nodes.v[i].place,
				     f->name);
			writer_place(&j->w, "callee",
				     nodes_place(&j->nodes, link[k].other),
				     link[k].other->name);
			writer_number(&j->w, "calls", link[k].calls);
			writer_truth(&j->w, "inlined", link[k].inlined);
			json_counts(j, "count", link[k].count);
			writer_leave(&j->w, '}');
		}
	}
	writer_leave(&j->w, ']');
	free(link);
	return 0;
}

/* ----------------------------------------------------------------- sites -- */

static const char *
start_of(const struct frame *leaf)
{
	static const char *const start[] = {
		[PROFILE_START_MAIN] = "main",
		[PROFILE_START_OTHER] = "other",
		[PROFILE_START_CUT] = "cut",
		[PROFILE_START_STOPPED] = "stopped",
	};

	return leaf ? start[leaf->start] : "unknown";
}

/* Write a call path as one text. */
static void
json_path(struct json *j, const struct frame *const *frames, size_t n)
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

/* Write a call path, its n frames outermost first; frames[] has room. */
static void
json_chain(struct json *j, const struct frame *leaf, size_t n,
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
		json_path(j, frames, n);
		return;
	}
	WRITER_EACH(&j->w, "chain", n,
		    writer_number(&j->w, NULL,
				  nodes_place(&j->nodes, frames[i]->func)));
	/* Most paths are long and without inlined frames. */
	if (inlined) {
		writer_enter(&j->w, "inlined", '[');
		for (size_t i = 0; i < n; i++)
			if (frames[i]->inlined)
				writer_number(&j->w, NULL, i);
		writer_leave(&j->w, ']');
	}
	if (!sites)
		return;
	WRITER_EACH(&j->w, "sites", n,
		    writer_text(&j->w, NULL,
				frames[i]->site ? frames[i]->site : ""));
}

static int
json_sites(struct json *j)
{
	const struct frame **frames =
		calloc(export_deepest(j->p), sizeof(const struct frame *));

	if (!frames)
		return -1;
	writer_line(&j->w, "sites", '[');
	for (size_t i = 0; i < j->p->nsites; i++) {
		const struct site *s = &j->p->sites[i];
		struct tally t = tally_site(&j->schema.base, s);

		writer_line(&j->w, NULL, '{');
		json_chain(j, s->leaf, s->leaf ? s->leaf->depth : 0, frames);
		writer_text(&j->w, "start", start_of(s->leaf));
		json_counts(j, "count", &s->count);
		columns_write(&j->schema, &t, &j->w, COLUMN_REALLOCS,
			      COLUMN_REALLOCS);
		columns_write(&j->schema, &t, &j->w, COLUMN_PEAK_BLOCKS,
			      COLUMN_PEAK_BLOCKS);
		json_life(j, s->life);
		json_type(j, s);
		json_use(j, s->use, true);
		json_leaks(j, s->leak, &s->count);
		for (enum column k = 0; k < COLUMN_N; k++)
			if (columns_field[k].derived)
				columns_write(&j->schema, &t, &j->w, k, k);
		writer_leave(&j->w, '}');
	}
	writer_leave(&j->w, ']');
	free(frames);
	return 0;
}

/* ------------------------------------------------- sizes and threads -- */

#define OF bin_type
static const struct writer_member bin_type[] = { WRITER_OF(TEXT, name),
						 WRITER_OF(MARK, mark) };
#undef OF
#define OF thread
static const struct writer_member thread[] = { WRITER_OF(TEXT, name),
					       WRITER_OF(TRUTH, main) };
#undef OF

static void
one_bin(struct json *j, const void *row)
{
	const struct bin *b = row;

	schema_write(&j->schema, &j->w, schema_table("bins"), b, 0, "size",
		     "kept");
	json_errors(j, b->var);
	WRITER_EACH(&j->w, "types", b->ntypes,
		    WRITER_OBJECT(&j->w, NULL, bin_type, &b->types[i]));
}

#define OF suppressed
static const struct writer_member hidden[] = { WRITER_OF(NUMBER, blocks),
					       WRITER_OF(NUMBER, bytes) };
#undef OF

static void
json_bins(struct json *j)
{
	const struct profile *p = j->p;

	json_array(j, "bins", p->bins, p->nbins, sizeof *p->bins, one_bin);
	writer_line(&j->w, "big", '{');
	WRITER_ALL(&j->w, json_amounts, &p->big);
	writer_number(&j->w, "kept", account_kept(&p->big));
	writer_leave(&j->w, '}');
	if (p->hidden_unsized.bytes) {
		writer_line(&j->w, "suppressed_unsized", '{');
		WRITER_ALL(&j->w, hidden, &p->hidden_unsized);
		writer_leave(&j->w, '}');
	}
	if (!p->filter.options && !p->snapshot.other)
		return;
	WRITER_LINES(&j->w, "unsized", PROFILE_NCLASS,
		     WRITER_OBJECT(&j->w, NULL, json_amounts, &p->unsized[i]));
}

static void
one_thread(struct json *j, const void *row)
{
	const struct thread *t = row;

	WRITER_ALL(&j->w, thread, t);
	schema_write(&j->schema, &j->w, schema_table("threads"), t, 0,
		     "threads", "bytes");
	json_errors(j, t->var);
	schema_write(&j->schema, &j->w, schema_table("threads"), t, 0, "frees",
		     "peak");
}

/* Write all that follows the runs.  0, or -1 when out of memory. */
static int
json_all(struct json *j)
{
	const struct profile *p = j->p;

	json_totals(j);
	json_functions(j);
	if (arcs(j))
		return -1;
	json_array(j, "cycles", p->cycles, p->ncycles, sizeof *p->cycles,
		   one_cycle);
	if (json_sites(j))
		return -1;
	json_bins(j);
	json_array(j, "threads", p->all_threads, p->nthreads,
		   sizeof *p->all_threads, one_thread);
	json_arrays(j);
	return 0;
}

/* Write the whole object.  A list of data files has only the runs. */
static int
everything(struct json *j)
{
	const struct profile *p = j->p;

	writer_enter(&j->w, NULL, '{');
	writer_number(&j->w, "schema", SCHEMA);
	writer_text(&j->w, "generator", "mpreduce " MEMMON_VERSION);
	json_runs(j);
	if (!p->listed && json_all(j))
		return -1;
	WRITER_LINES(&j->w, "warnings", p->nwarnings,
		     writer_text(&j->w, NULL, p->warnings[i]));
	writer_leave(&j->w, '}');
	if (!j->w.sink)
		putc('\n', j->w.out);
	return 0;
}

static int
json_whole(const struct profile *p, bool timeline, struct writer w)
{
	struct json j = { .p = p, .timeline = timeline, .w = w };
	int status;

	schema_start(&j.schema, p);
	status = nodes_init(&j.nodes, p, 0) ? -1 : everything(&j);
	nodes_fini(&j.nodes);
	schema_fini(&j.schema);
	return status;
}

int
export_json(struct export *x)
{
	return json_print(x->p, false, x->out);
}

int
json_print(const struct profile *p, bool timeline, FILE *out)
{
	return json_whole(p, timeline,
			  (struct writer){ .out = out, .first = true });
}

int
json_to_sink(const struct profile *p, const struct writer_sink *sink, void *arg)
{
	return json_whole(p, false,
			  (struct writer){
				  .sink = sink, .arg = arg, .first = true });
}
