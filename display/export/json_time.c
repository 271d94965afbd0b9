/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The profile as JSON: which moment it is of, and the heap over time. */
#include "display/export/json_runs.h"

static void
figures(struct writer *w, const struct time_counts *c)
{
	writer_number(w, NULL, c->allocs);
	writer_number(w, NULL, c->bytes);
	writer_number(w, NULL, c->frees);
	writer_number(w, NULL, c->freed);
}

/* UINT64_MAX is what isn't known. */
static void
values(struct writer *w, const char *name, const uint64_t *v, size_t n)
{
	if (!v) {
		writer_null(w, name);
		return;
	}
	writer_line(w, name, '[');
	for (size_t i = 0; i < n; i++)
		writer_maybe(w, NULL, v[i], v[i] != UINT64_MAX);
	writer_leave(w, ']');
}

/* Each row as changes: the moment, then four counts. */
static void
rows(struct writer *w, const char *name, const struct time_row *r, size_t n)
{
	if (!r) {
		writer_null(w, name);
		return;
	}
	writer_line(w, name, '[');
	for (size_t i = 0; i < n; i++) {
		writer_line(w, NULL, '[');
		for (size_t k = 0; k < r[i].n; k++) {
			writer_enter(w, NULL, '[');
			writer_number(w, NULL, r[i].change[k].moment);
			figures(w, &r[i].change[k].count);
			writer_leave(w, ']');
		}
		writer_leave(w, ']');
	}
	writer_leave(w, ']');
}

static void
marks(struct writer *w, const struct profile_time *t)
{
	writer_line(w, "marks", '[');
	for (size_t i = 0; i < t->nmarks; i++) {
		const struct time_mark *m = &t->marks[i];

		writer_enter(w, NULL, '{');
		writer_text(w, "name", m->name);
		writer_number(w, "time_ns", m->time);
		writer_maybe(w, "live", m->live, m->live != UINT64_MAX);
		writer_maybe(w, "moment", m->moment - 1u, m->moment);
		writer_leave(w, '}');
	}
	writer_leave(w, ']');
}

void
json_moment(struct writer *w, const struct profile *p)
{
	const struct profile_moment *m = &p->moment;

	if (!m->note)
		return;
	writer_line(w, "moment", '{');
	writer_text(w, "note", m->note);
	writer_number(w, "at_ns", m->at);
	writer_truth(w, "other", m->other);
	writer_truth(w, "span", m->span);
	writer_truth(w, "peak", m->peak);
	writer_maybe(w, "kept_most", m->kept_bytes, m->span);
	writer_maybe(w, "kept_blocks_most", m->kept_blocks, m->span);
	writer_leave(w, '}');
}

void
json_time(struct writer *w, const struct profile *p)
{
	const struct profile_time *t = &p->time;

	if (!t->known)
		return;
	writer_line(w, "timeline", '{');
	writer_number(w, "step_ns", t->step);
	values(w, "at_ns", t->at, t->n);
	writer_line(w, "total", '[');
	for (size_t i = 0; i < t->n; i++) {
		writer_enter(w, NULL, '[');
		figures(w, &t->total[i]);
		writer_leave(w, ']');
	}
	writer_leave(w, ']');
	values(w, "peak", t->peak, t->n);
	values(w, "rss", t->rss, t->n);
	rows(w, "sites", t->sites, p->nsites);
	rows(w, "threads", t->threads, p->nthreads + 1);
	marks(w, t);
	writer_leave(w, '}');
}
