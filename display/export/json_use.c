/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Uses, types and fields as JSON: see json_use.h. */
#include "display/export/json_use.h"

#include "display/export/json_sample.h"
#include "display/query/schema.h"
#include "display/tables/advice.h"
#include "display/text/amount.h"

void
json_uses(struct writer *w, const struct profile *p)
{
	static const char *const score[] = { "lifetime", "usage", "useful" };

	if (!p->uses_known) {
		writer_null(w, "uses");
		return;
	}
	writer_enter(w, "uses", '{');
	writer_number(w, "reads", p->reads);
	writer_number(w, "writes", p->writes);
	writer_number(w, "unfolded", p->unfolded);
	writer_maybe(w, "unplaced", p->unplaced, p->unplaced_known);
	writer_number(w, "foreign_blocks", p->foreign.blocks);
	writer_number(w, "foreign_bytes", p->foreign.bytes);
	writer_truth(w, "plugin", p->way & 1);
	writer_truth(w, "calls", p->way & 2);
	writer_truth(w, "ticked", p->ticked);
	writer_number(w, "step_ns", p->step);
	writer_number(w, "tau_ns", p->tau);
	writer_number(w, "sites", p->program_sites);
	for (size_t i = 0; i < sizeof score / sizeof *score; i++) {
		if (!p->program_sites) {
			writer_null(w, score[i]);
			continue;
		}
		writer_enter(w, score[i], '{');
		writer_real(w, "mean", p->program[i].mean);
		writer_real(w, "variance", p->program[i].variance);
		writer_leave(w, '}');
	}
	writer_leave(w, '}');
}

static void
scores(struct writer *w, const struct use *u)
{
	struct score s = profile_score(u);

	if (!u->groups || !profile_use_known(u)) {
		writer_null(w, "scores");
		return;
	}
	writer_enter(w, "scores", '{');
	writer_real(w, "lifetime", s.lifetime);
	writer_real(w, "usage", s.usage);
	writer_real(w, "useful", s.useful);
	writer_real(w, "cover", s.cover);
	writer_real(w, "mean", s.severity);
	writer_number(w, "severity", s.step);
	writer_number(w, "save", s.saving);
	writer_leave(w, '}');
}

void
json_use(struct writer *w, const struct profile *p, const struct use *u,
	 bool site)
{
	int flags = site ? PROFILE_NFLAG : PROFILE_TOP_BYTES;

	if (!p->uses_known || !u || !u->blocks) {
		writer_null(w, "use");
		return;
	}
	writer_enter(w, "use", '{');
	writer_number(w, "blocks", u->blocks);
	writer_number(w, "bytes", u->bytes);
	if (u->handed_blocks) {
		writer_number(w, "handed_blocks", u->handed_blocks);
		writer_number(w, "handed_bytes", u->handed_bytes);
	}
	writer_number(w, "reads", u->reads);
	writer_number(w, "writes", u->writes);
	writer_number(w, "span", u->span);
	writer_number(w, "cover", u->cover);
	writer_number(w, "span_used", u->span_used);
	writer_number(w, "cover_used", u->cover_used);
	writer_real(w, "useful", u->useful);
	writer_number(w, "life_ns", u->life);
	writer_number(w, "groups", u->groups);
	writer_real(w, "group_scores", u->group_sum);
	writer_enter(w, "flags", '{');
	for (int i = 0; i < flags; i++) {
		writer_enter(w, advice_name((enum profile_flag)i), '{');
		writer_number(w, "blocks", u->flag_blocks[i]);
		writer_number(w, "bytes", u->flag_bytes[i]);
		writer_leave(w, '}');
	}
	writer_leave(w, '}');
	scores(w, u);
	writer_leave(w, '}');
}

static const char *const rungs[PROFILE_NCONFIDENCE] = {
	"compiler", "program", "allocator", "new",  "variable",
	"return",   "source",  "vtable",    "size",
};

void
json_type(struct writer *w, const struct site *s)
{
	char mark[2] = { s->type_mark, '\0' };

	if (!s->type) {
		writer_null(w, "type");
		return;
	}
	writer_enter(w, "type", '{');
	writer_text(w, "name", s->type);
	writer_text(w, "mark", mark);
	writer_text(w, "rung", rungs[s->type_confidence]);
	writer_maybe(w, "size", s->type_size, s->type_size);
	writer_leave(w, '}');
}

/* How a type came to be known, by allocations. */
static void
known_by(struct writer *w, const struct type_row *r)
{
	writer_enter(w, "rungs", '{');
	for (int i = 0; i < PROFILE_NCONFIDENCE; i++)
		if (r->confidence[i])
			writer_number(w, rungs[i], r->confidence[i]);
	writer_leave(w, '}');
}

static void
holes(struct writer *w, const struct holes *h)
{
	if (!h->known) {
		writer_null(w, "holes");
		return;
	}
	writer_enter(w, "holes", '[');
	for (size_t i = 0; i < h->n; i++) {
		const struct hole *v = &h->v[i];

		writer_enter(w, NULL, '{');
		writer_number(w, "offset", v->offset);
		writer_number(w, "size", v->size);
		writer_number(w, "times", v->times);
		writer_text(w, "after", v->name);
		writer_leave(w, '}');
	}
	writer_leave(w, ']');
}

void
json_types(struct writer *w, const struct profile *p)
{
	writer_line(w, "types", '[');
	for (size_t i = 0; i < p->ntypes; i++) {
		const struct type_row *r = &p->types[i];

		writer_line(w, NULL, '{');
		writer_text(w, "name", *r->name ? r->name : NULL);
		writer_text(w, "mark", (char[2]){ r->mark, '\0' });
		known_by(w, r);
		schema_write(p, w, "types", r, "size", "kept");
		json_errors(w, p, r->var);
		schema_write(p, w, "types", r, "peak", "sites");
		writer_maybe(w, "elements", r->elements,
			     r->size && r->multiple);
		writer_maybe(w, "hole_bytes", r->holes.bytes, r->holes.known);
		holes(w, &r->holes);
		writer_maybe(w, "rounded", r->rounded, r->rounded_known);
		writer_truth(w, "rounded_exact",
			     r->rounded_known && r->rounded_exact);
		json_use(w, p, &r->use, false);
		writer_leave(w, '}');
	}
	writer_leave(w, ']');
}

static void
granules(struct writer *w, const char *name, const uint64_t *v, size_t n)
{
	writer_enter(w, name, '[');
	for (size_t i = 0; i < n; i++)
		writer_number(w, NULL, v[i]);
	writer_leave(w, ']');
}

static void
members(struct writer *w, const struct fields *f)
{
	writer_enter(w, "members", '[');
	for (size_t i = 0; i < f->nmembers; i++) {
		const struct member *m = &f->members[i];

		writer_enter(w, NULL, '{');
		writer_text(w, "name", m->name);
		writer_text(w, "type", m->type);
		writer_number(w, "offset", m->offset);
		writer_number(w, "size", m->size);
		writer_number(w, "depth", m->depth);
		writer_leave(w, '}');
	}
	writer_leave(w, ']');
}

void
json_fields(struct writer *w, const struct profile *p)
{
	writer_line(w, "fields", '[');
	for (size_t i = 0; i < p->nfields; i++) {
		const struct fields *f = &p->fields[i];

		writer_line(w, NULL, '{');
		writer_text(w, "type", f->type);
		writer_text(w, "mark",
			    f->type ? (char[2]){ f->type_mark, '\0' } : NULL);
		writer_maybe(w, "type_size", f->type_size, f->type_size);
		writer_maybe(w, "site",
			     f->site ? (uint64_t)(f->site - p->sites) : 0,
			     f->site != NULL);
		writer_number(w, "size", f->size);
		writer_number(w, "blocks", f->blocks);
		granules(w, "reads", f->reads, f->n);
		granules(w, "writes", f->writes, f->n);
		members(w, f);
		writer_leave(w, '}');
	}
	writer_leave(w, ']');
}
