/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON: runs, marks and leaks: see json_runs.h. */
#include "display/export/json_runs.h"

#include "display/query/schema.h"

/* A text, or null when there is none. */
static void
maybe_text(struct writer *w, const char *name, const char *value)
{
	writer_text(w, name, value && *value ? value : NULL);
}

/* What few runs have. */
static void
rare(struct writer *w, const struct run *r)
{
	writer_truth(w, "killed", r->killed);
	writer_maybe(w, "seen_ns", r->seen, r->seen_known);
	maybe_text(w, "missing", r->cut_why);
	writer_truth(w, "off", r->off);
	writer_number(w, "off_ns", r->off_time);
	writer_maybe(w, "reset_ns", r->reset, r->was_reset);
	writer_maybe(w, "leak_check_ns", r->leak_check, r->leaks_all);
	maybe_text(w, "leak_why", r->leak_why);
	maybe_text(w, "problem", r->problem);
}

void
json_runs(struct writer *w, const struct profile *p)
{
	writer_line(w, "runs", '[');
	for (size_t i = 0; i < p->nruns; i++) {
		const struct run *r = &p->runs[i];

		writer_line(w, NULL, '{');
		writer_text(w, "path", r->path);
		writer_text(w, "program", r->program);
		writer_text(w, "command", r->command);
		writer_text(w, "end", r->end);
		writer_text(w, "version", r->version);
		writer_number(w, "pid", r->pid);
		writer_number(w, "ppid", r->ppid);
		writer_number(w, "start_ns", r->start);
		writer_number(w, "length_ns", r->length);
		writer_truth(w, "forked", r->forked);
		writer_truth(w, "cut", r->cut);
		writer_truth(w, "sum", r->sum);
		writer_number(w, "size", r->size);
		writer_number(w, "modules", r->nmodules);
		writer_number(w, "nodes", r->nnodes);
		writer_number(w, "sites", r->nsites);
		writer_number(w, "bins", r->nbins);
		rare(w, r);
		writer_leave(w, '}');
	}
	writer_leave(w, ']');
}

static void
amount(struct writer *w, const char *name, uint64_t blocks, uint64_t bytes)
{
	writer_enter(w, name, '{');
	writer_number(w, "blocks", blocks);
	writer_number(w, "bytes", bytes);
	writer_leave(w, '}');
}

void
json_leaks(struct writer *w, const struct profile *p, const struct leak *a)
{
	static const char *const kind[] = { "lost", "indirect", "interior",
					    "reachable" };
	static const struct leak nothing;

	if (!a)
		a = &nothing;
	if (!p->leaks_known) {
		writer_null(w, "leaks");
	} else {
		writer_enter(w, "leaks", '{');
		for (int i = 0; i < PROFILE_NLEAK; i++)
			amount(w, kind[i], a->blocks[i], a->bytes[i]);
		writer_leave(w, '}');
	}
	amount(w, "suppressed", a->hidden.blocks, a->hidden.bytes);
}

void
json_filter(struct writer *w, const struct profile *p)
{
	const struct profile_filtered *f = &p->filter;

	if (!f->options)
		return;
	writer_line(w, "filter", '{');
	writer_text(w, "options", f->options);
	writer_number(w, "allocs", f->allocs);
	writer_number(w, "bytes", f->bytes);
	writer_truth(w, "less", f->less);
	writer_truth(w, "part", f->part);
	writer_truth(w, "missed", f->missed);
	writer_number(w, "unsized_allocs", f->unsized_allocs);
	writer_number(w, "unsized_bytes", f->unsized_bytes);
	writer_leave(w, '}');
}

void
json_unsized(struct writer *w, const struct profile *p)
{
	if (!p->filter.options && !p->moment.other)
		return;
	writer_line(w, "unsized", '[');
	for (int i = 0; i < PROFILE_NCLASS; i++) {
		writer_enter(w, NULL, '{');
		writer_number(w, "allocs", p->unsized[i].allocs);
		writer_number(w, "bytes", p->unsized[i].bytes);
		writer_number(w, "frees", p->unsized[i].frees);
		writer_number(w, "freed", p->unsized[i].freed);
		writer_leave(w, '}');
	}
	writer_leave(w, ']');
}

void
json_rare(struct writer *w, const struct profile *p)
{
	writer_truth(w, "leaks_all", p->leaks_all);
	writer_number(w, "off_frees", p->off_frees);
	writer_number(w, "off_freed", p->off_freed);
	writer_number(w, "off_unseen", p->off_unseen);
	writer_number(w, "pool_allocs", p->pool_allocs);
	writer_number(w, "pool_bytes", p->pool_bytes);
	writer_number(w, "pool_backing", p->pool_backing);
}

void
json_log(struct writer *w, const struct profile *p)
{
	const struct profile_log *g = &p->log;

	if (!g->known)
		return;
	writer_line(w, "log", '{');
	writer_number(w, "blocks", g->blocks);
	writer_number(w, "folded", g->folded);
	writer_number(w, "missed", g->missed);
	writer_number(w, "damaged", g->damaged);
	writer_number(w, "whole_from_ns", g->whole_from);
	writer_truth(w, "live", g->live);
	writer_truth(w, "accesses", g->accesses);
	writer_leave(w, '}');
}

void
json_marks(struct writer *w, const struct profile *p)
{
	writer_line(w, "marks", '[');
	for (size_t i = 0; i < p->nmarks; i++) {
		const struct mark *m = &p->marks[i];

		writer_line(w, NULL, '{');
		writer_text(w, "name", m->name);
		writer_number(w, "time_ns", m->time);
		schema_write(p, w, "marks", m, "allocs", "freed");
		writer_truth(w, "restart", m->restart);
		writer_leave(w, '}');
	}
	writer_leave(w, ']');
}

void
json_suppressions(struct writer *w, const struct profile *p)
{
	writer_line(w, "suppressions", '[');
	for (size_t i = 0; i < p->nsuppressions; i++) {
		const struct suppression *s = &p->suppressions[i];

		writer_line(w, NULL, '{');
		writer_text(w, "pattern", s->pattern);
		amount(w, "kept", s->blocks, s->bytes);
		if (p->leaks_known)
			amount(w, "leaked", s->leaked_blocks, s->leaked_bytes);
		else
			writer_null(w, "leaked");
		writer_leave(w, '}');
	}
	writer_leave(w, ']');
}
