/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs, types, marks, snapshots, source lines as JSON: see json_figures.h. */
#include "display/export/json_figures.h"

#include "display/tables/allocator.h"
#include "display/text/conditions.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* Write one object on its own line. */
static void
object(struct json *j, const char *name, const struct writer_member *m,
       size_t n, const void *of)
{
	writer_line(&j->w, name, '{');
	writer_members(&j->w, m, n, of);
	writer_leave(&j->w, '}');
}

/* ------------------------------------------------------------------ runs -- */

#define OF run
static const struct writer_member run[] = {
	WRITER_OF(TEXT, path),
	WRITER_OF(TEXT, program),
	WRITER_OF(TEXT, command),
	WRITER_OF(TEXT, end),
	WRITER_OF(TEXT, version),
	WRITER_OF(NUMBER, pid),
	WRITER_OF(NUMBER, ppid),
	WRITER_OF(FULL, host),
	WRITER_OF(FULL, job),
	WRITER_KNOWN("rank", rank, rank_known),
	WRITER_AS("start_ns", NUMBER, start),
	WRITER_AS("length_ns", NUMBER, length),
	WRITER_OF(TRUTH, forked),
	WRITER_OF(TRUTH, attached),
	WRITER_OF(TRUTH, cut),
	WRITER_OF(TRUTH, sum),
	WRITER_OF(NUMBER, size),
	WRITER_AS("modules", NUMBER, nmodules),
	WRITER_AS("nodes", NUMBER, nnodes),
	WRITER_AS("sites", NUMBER, nsites),
	WRITER_AS("bins", NUMBER, nbins),
	WRITER_OF(TRUTH, killed),
	WRITER_KNOWN("seen_ns", seen, seen_known),
	WRITER_AS("missing", FULL, cut_why),
	WRITER_OF(TRUTH, off),
	WRITER_AS("off_ns", NUMBER, off_time),
	WRITER_KNOWN("reset_ns", reset, was_reset),
	WRITER_KNOWN("leak_check_ns", leak_check, leaks_all),
	WRITER_OF(FULL, leak_why),
	WRITER_KNOWN("leak_unsearched", leak_limits.unread, leaks_known),
	WRITER_KNOWN("leak_unsearched_places", leak_limits.places, leaks_known),
	WRITER_OF(FULL, problem)
};
/* The figures of each file with --file-info=list. */
static const struct writer_member listed[] = {
	WRITER_OF(NUMBER, allocs), WRITER_OF(NUMBER, bytes),
	WRITER_OF(NUMBER, live), WRITER_KNOWN("peak", peak, peak_known)
};
#undef OF
#define OF profile_snapshot
static const struct writer_member snapshot[] = {
	WRITER_OF(TEXT, note),
	WRITER_AS("at_ns", NUMBER, at),
	WRITER_OF(TRUTH, other),
	WRITER_OF(TRUTH, span),
	WRITER_OF(TRUTH, peak),
	WRITER_KNOWN("kept_most", kept_bytes, span),
	WRITER_KNOWN("kept_blocks_most", kept_blocks, span)
};
#undef OF
#define OF profile_resident
static const struct writer_member resident[] = {
	WRITER_OF(TRUTH, end),
	WRITER_AS("rss", NUMBER, last.rss),
	WRITER_AS("live", NUMBER, last.live),
	WRITER_AS("at_ns", NUMBER, last.at),
	WRITER_AS("most", NUMBER, most.rss),
	WRITER_AS("most_live", NUMBER, most.live),
	WRITER_AS("most_at_ns", NUMBER, most.at)
};
#undef OF
#define OF profile_filtered
static const struct writer_member filter[] = { WRITER_OF(TEXT, options),
					       WRITER_OF(NUMBER, allocs),
					       WRITER_OF(NUMBER, bytes),
					       WRITER_OF(TRUTH, less),
					       WRITER_OF(TRUTH, part),
					       WRITER_OF(TRUTH, missed),
					       WRITER_OF(NUMBER,
							 unsized_allocs),
					       WRITER_OF(NUMBER, unsized_bytes),
					       WRITER_OF(NUMBER, outer_allocs),
					       WRITER_OF(NUMBER, outer_bytes) };
#undef OF
#define OF profile_sample
static const struct writer_member sample[] = {
	WRITER_OF(NUMBER, rate), WRITER_OF(TRUTH, some),
	WRITER_OF(NUMBER, blocks),
	WRITER_KNOWN("all_allocs", all_allocs, all_known),
	WRITER_KNOWN("all_bytes", all_bytes, all_known)
};
#undef OF

static void
json_arrays_one_run(struct json *j, const void *row)
{
	const struct run *r = row;

	WRITER_ALL(&j->w, run, r);
	if (j->p->listed && !r->problem)
		WRITER_ALL(&j->w, listed, r);
}

static void
json_snapshot(struct json *j)
{
	struct profile_snapshot x = j->p->snapshot;
	struct arena a = { 0 };

	x.note = conditions_snapshot(&a, j->p);
	object(j, "snapshot", snapshot, COUNT(snapshot), &x);
	arena_fini(&a);
}

void
json_runs(struct json *j)
{
	const struct profile *p = j->p;

	json_array(j, "runs", p->runs, p->nruns, sizeof *p->runs,
		   json_arrays_one_run);
	for (const struct schema_table *t = schema_tables; t->name; t++)
		if (t->json)
			json_table(j, t);
	if (p->resident.known)
		object(j, "resident", resident, COUNT(resident), &p->resident);
	if (p->snapshot.note)
		json_snapshot(j);
	if (p->filter.options)
		object(j, "filter", filter, COUNT(filter), &p->filter);
	if (p->sample.rate)
		object(j, "sample", sample, COUNT(sample), &p->sample);
}

/* ----------------------------------------------------------------- types -- */

static const char *const confidence[PROFILE_NCONFIDENCE] = {
	"compiler", "program", "allocator", "new",
	"variable", "return",  "vtable",    "size",
};

#define OF site
static const struct writer_member type_of[] = {
	WRITER_AS("name", TEXT, type), WRITER_AS("mark", MARK, type_mark)
};
#undef OF
#define OF hole
static const struct writer_member hole[] = { WRITER_OF(NUMBER, offset),
					     WRITER_OF(NUMBER, size),
					     WRITER_OF(NUMBER, times),
					     WRITER_AS("after", TEXT, name) };
#undef OF
#define OF type_row
static const struct writer_member type[] = { WRITER_OF(FULL, name),
					     WRITER_OF(MARK, mark) };
#undef OF

void
json_type(struct json *j, const struct site *s)
{
	if (!s->type) {
		writer_null(&j->w, "type");
		return;
	}
	writer_enter(&j->w, "type", '{');
	WRITER_ALL(&j->w, type_of, s);
	writer_text(&j->w, "confidence", confidence[s->type_confidence]);
	writer_maybe(&j->w, "size", s->type_size, s->type_size);
	writer_leave(&j->w, '}');
}

/* Write an array of n objects within a line. */
static void
within(struct json *j, const char *name, const void *v, size_t n, size_t size,
       const struct writer_member *m, size_t members)
{
	writer_enter(&j->w, name, '[');
	for (size_t i = 0; i < n; i++) {
		writer_enter(&j->w, NULL, '{');
		writer_members(&j->w, m, members, (const char *)v + i * size);
		writer_leave(&j->w, '}');
	}
	writer_leave(&j->w, ']');
}

static void
one_type(struct json *j, const void *row)
{
	const struct type_row *r = row;
	struct writer *w = &j->w;

	WRITER_ALL(w, type, r);
	writer_enter(w, "confidence", '{'); /* by number of allocations */
	for (int i = 0; i < PROFILE_NCONFIDENCE; i++)
		if (r->confidence[i])
			writer_number(w, confidence[i], r->confidence[i]);
	writer_leave(w, '}');
	schema_write(&j->schema, w, schema_table("types"), r, 0, "size",
		     "kept");
	json_errors(j, r->var);
	schema_write(&j->schema, w, schema_table("types"), r, 0, "peak",
		     "sites");
	writer_maybe(w, "elements", r->elements, r->size && r->multiple);
	schema_write(&j->schema, w, schema_table("types"), r, 0, "hole_bytes",
		     "hole_bytes");
	if (r->holes.known)
		within(j, "holes", r->holes.v, r->holes.n, sizeof *r->holes.v,
		       hole, COUNT(hole));
	else
		writer_null(w, "holes");
	schema_write(&j->schema, w, schema_table("types"), r, 0, "rounded",
		     "rounded");
	writer_truth(w, "rounded_exact", r->rounded_known && r->rounded_exact);
	json_use(j, &r->use, false);
}

#define OF member
static const struct writer_member member[] = {
	WRITER_OF(TEXT, name), WRITER_OF(TEXT, type), WRITER_OF(NUMBER, offset),
	WRITER_OF(NUMBER, size), WRITER_OF(UNSIGNED, depth)
};
#undef OF

static void
one_layout(struct json *j, const void *row)
{
	const struct fields *f = row;
	struct writer *w = &j->w;

	writer_text(w, "type", f->type);
	writer_text(w, "mark",
		    f->type ? (char[2]){ f->type_mark, '\0' } : NULL);
	writer_maybe(w, "type_size", f->type_size, f->type_size);
	writer_maybe(w, "site", f->site ? (uint64_t)(f->site - j->p->sites) : 0,
		     f->site != NULL);
	writer_number(w, "size", f->size);
	writer_number(w, "blocks", f->blocks);
	writer_numbers(w, "reads", f->reads, f->n);
	writer_numbers(w, "writes", f->writes, f->n);
	within(j, "members", f->members, f->nmembers, sizeof *f->members,
	       member, COUNT(member));
}

/* ------------------------------------------------------------------ time -- */

#define OF mark
static const struct writer_member mark[] = {
	WRITER_OF(TEXT, name),	   WRITER_AS("time_ns", NUMBER, time),
	WRITER_OF(NUMBER, allocs), WRITER_OF(NUMBER, bytes),
	WRITER_OF(NUMBER, frees),  WRITER_OF(NUMBER, freed),
	WRITER_OF(TRUTH, restart)
};
#undef OF

static void
one_mark(struct json *j, const void *row)
{
	WRITER_ALL(&j->w, mark, row);
}

static void
json_arrays_total(struct writer *w, const struct amounts *c)
{
	writer_enter(w, NULL, '[');
	WRITER_ITEMS(w, c->allocs, c->bytes, c->frees, c->freed);
	writer_leave(w, ']');
}

/* Write values; UINT64_MAX is unknown. */
static void
json_arrays_values(struct writer *w, const char *name, const uint64_t *v,
		   size_t n)
{
	if (!v) {
		writer_null(w, name);
		return;
	}
	WRITER_LINES(w, name, n,
		     writer_maybe(w, NULL, v[i], v[i] != UINT64_MAX));
}

/* Write each row as its changes: a snapshot, then four counts. */
static void
json_arrays_changes(struct writer *w, const char *name,
		    const struct time_row *r, size_t n)
{
	if (!r) {
		writer_null(w, name);
		return;
	}
	writer_line(w, name, '[');
	for (size_t i = 0; i < n; i++) {
		writer_line(w, NULL, '[');
		for (size_t k = 0; k < r[i].n; k++) {
			const struct amounts *c = &r[i].change[k].count;

			writer_enter(w, NULL, '[');
			WRITER_ITEMS(w, r[i].change[k].snapshot, c->allocs,
				     c->bytes, c->frees, c->freed);
			writer_leave(w, ']');
		}
		writer_leave(w, ']');
	}
	writer_leave(w, ']');
}

static void
timeline(struct json *j)
{
	const struct profile_time *t = &j->p->time;
	struct writer *w = &j->w;

	writer_line(w, "timeline", '{');
	writer_number(w, "step_ns", t->step);
	json_arrays_values(w, "at_ns", t->at, t->n);
	WRITER_LINES(w, "total", t->n, json_arrays_total(w, &t->total[i]));
	json_arrays_values(w, "peak", t->peak, t->n);
	json_arrays_values(w, "rss", t->rss, t->n);
	json_arrays_changes(w, "sites", t->sites, j->p->nsites);
	json_arrays_changes(w, "threads", t->threads, j->p->nthreads + 1);
	writer_line(w, "marks", '[');
	for (size_t i = 0; i < t->nmarks; i++) {
		const struct time_mark *m = &t->marks[i];

		writer_enter(w, NULL, '{');
		writer_text(w, "name", m->name);
		writer_number(w, "time_ns", m->time);
		writer_maybe(w, "live", m->live, m->live != UINT64_MAX);
		writer_maybe(w, "snapshot", m->snapshot - 1u, m->snapshot);
		writer_leave(w, '}');
	}
	writer_leave(w, ']');
	writer_leave(w, '}');
}

/* ------------------------------------------------- suppressions, sources -- */

#define OF suppression
static const struct writer_member suppressed[] = { WRITER_OF(NUMBER, blocks),
						   WRITER_OF(NUMBER, bytes) };
static const struct writer_member leaked[] = {
	WRITER_AS("blocks", NUMBER, leaked_blocks),
	WRITER_AS("bytes", NUMBER, leaked_bytes)
};
#undef OF

static void
one_suppression(struct json *j, const void *row)
{
	writer_text(&j->w, "pattern",
		    ((const struct suppression *)row)->pattern);
	WRITER_OBJECT(&j->w, "kept", suppressed, row);
	if (!j->p->leaks_known) {
		writer_null(&j->w, "leaked");
		return;
	}
	WRITER_OBJECT(&j->w, "leaked", leaked, row);
}

static void
json_arrays_count(struct writer *w, const char *name, const struct account *c)
{
	writer_enter(w, name, '{');
	WRITER_ALL(w, json_amounts, c);
	writer_number(w, "kept", account_kept(c));
	writer_leave(w, '}');
}

static void
one_source(struct json *j, const void *row)
{
	const struct source *s = row;
	struct writer *w = &j->w;

	writer_text(w, "file", s->path);
	json_arrays_count(w, "self", &s->self);
	json_arrays_count(w, "total", &s->total);
	writer_enter(w, "lines", '[');
	for (size_t k = 0; k < s->nlines; k++) {
		const struct source_line *l = &s->lines[k];

		writer_enter(w, NULL, '{');
		writer_number(w, "line", l->line);
		WRITER_EACH(w, "functions", l->nfuncs,
			    writer_text(w, NULL, l->funcs[i].name));
		json_arrays_count(w, "self", &l->self);
		json_arrays_count(w, "total", &l->total);
		writer_leave(w, '}');
	}
	writer_leave(w, ']');
}

/* ------------------------------------------------------------- allocator -- */

#define OF allocator
static const struct writer_member allocator[] = {
	WRITER_OF(TEXT, probe),
	WRITER_AS("object", TEXT, path),
	WRITER_AS("cpu_ns", NUMBER, cpu),
	WRITER_OF(NUMBER, hz),
	WRITER_AS("timer_cycles", NUMBER, timer),
	WRITER_OF(NUMBER, threshold),
	WRITER_OF(NUMBER, one_in),
	WRITER_OF(NUMBER, uncounted),
	WRITER_AS("operations", NUMBER, all.calls.n),
	WRITER_AS("timed", NUMBER, all.time.n),
	WRITER_AS("watched", NUMBER, all.watched)
};
static const struct writer_member look[] = {
	WRITER_AS("at_ns", NUMBER, look_at),
	WRITER_AS("bytes", NUMBER, look_bytes),
	WRITER_OF(NUMBER, guessed),
	WRITER_OF(NUMBER, lines),
	WRITER_OF(NUMBER, pages),
	WRITER_AS("shared_active", NUMBER, active),
	WRITER_AS("shared_passive", NUMBER, passive)
};
#undef OF

static void
json_arrays_of_allocator(struct json *j)
{
	const struct allocator *a = j->p->allocator;
	const struct schema_table *t;
	struct writer *w = &j->w;

	if (!a)
		return;
	writer_line(w, "allocator", '{');
	WRITER_ALL(w, allocator, a);
	writer_maybe(w, "time_ns", a->all.ns.all, a->all.time.n);
	if (a->look_at == UINT64_MAX) {
		writer_null(w, "near_peak");
	} else {
		WRITER_OBJECT(w, "near_peak", look, a);
	}
	writer_maybe(w, "peak", a->peak, a->nsamples);
	writer_maybe(w, "most_held", a->largest, a->nsamples);
	allocator_verdicts(j->p, w);
	writer_leave(w, '}');
	for (t = schema_tables; t->name; t++)
		if (t->plain)
			json_table(j, t);
}

void
json_arrays(struct json *j)
{
	const struct profile *p = j->p;

	json_array(j, "types", p->types, p->ntypes, sizeof *p->types, one_type);
	json_array(j, "fields", p->fields, p->nfields, sizeof *p->fields,
		   one_layout);
	if (!p->nmarks && conditions_unwritten(p))
		writer_null(&j->w, "marks");
	else
		json_array(j, "marks", p->marks, p->nmarks, sizeof *p->marks,
			   one_mark);
	if (j->timeline && p->time.known)
		timeline(j);
	json_array(j, "suppressions", p->suppressions, p->nsuppressions,
		   sizeof *p->suppressions, one_suppression);
	if (p->sources)
		json_array(j, "sources", p->sources, p->nsources,
			   sizeof *p->sources, one_source);
	json_arrays_of_allocator(j);
	/* Only for a parallel job. */
	if (p->ranks.known && p->ranks.v->known) {
		json_table(j, schema_table("ranks"));
		json_table(j, schema_table("hosts"));
		json_table(j, schema_table("imbalance"));
	}
	for (const struct schema_table *t = schema_tables; t->name; t++)
		if (t->findings)
			json_table(j, t);
}
