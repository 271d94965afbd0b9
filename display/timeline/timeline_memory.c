/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --timeline=memory: the holders are the lines of the memory table. */
#include "display/timeline/timeline.h"

enum { LINES = MONREC_MEMORY_COUNT };

struct timeline_memory {
	struct profile_time time;
	struct time_row row[LINES]; /* by line */
	uint64_t *at;
	struct amounts *total;
	struct time_change *change; /* for each line and each snapshot */
};

static void
timeline_memory_fill(struct timeline_memory *m, const struct profile *p)
{
	for (size_t k = 0; k < LINES; k++)
		m->row[k].change = m->change + k * p->nmemory_snapshots;
	for (size_t i = 0; i < p->nmemory_snapshots; i++) {
		const struct memory_snapshot *x = &p->memory_snapshots[i];

		m->at[i] = x->at;
		m->total[i].bytes = x->bytes[MEMORY_RESIDENT];
		for (size_t k = 0; k < LINES; k++)
			if (p->memory[k].part)
				m->change[k * p->nmemory_snapshots +
					  m->row[k].n++] = (struct time_change){
					.snapshot = (uint32_t)i,
					.count.bytes = x->bytes[k]
				};
	}
}

void
timeline_memory_init(struct timeline *x)
{
	const struct profile *p = x->t->p;
	size_t n = p->nmemory_snapshots;
	struct timeline_memory *m = tables_room(x->t, 1, sizeof *m);

	x->memory = m;
	x->time = &m->time;
	m->time = (struct profile_time){
		.why = "the data file has no snapshots of the memory",
		.known = n > 0,
		.n = n,
		.sites = m->row
	};
	if (!n)
		return;
	m->at = tables_room(x->t, n, sizeof *m->at);
	m->total = tables_room(x->t, n, sizeof *m->total);
	m->change = tables_room(x->t, n * LINES, sizeof *m->change);
	timeline_memory_fill(m, p);
	m->time.at = m->at;
	m->time.total = m->total;
	m->time.step = n > 1 ? (m->at[n - 1] - m->at[0]) / (n - 1) : 0;
}

void
timeline_memory_parts(const struct timeline *x, struct timeline_part *part)
{
	for (size_t k = 0; k < LINES; k++)
		part[k] = (struct timeline_part){ k, &x->memory->row[k], 0 };
}

size_t
timeline_memory_most(const struct timeline *x)
{
	size_t most = 1;

	for (size_t n = 2; n <= x->time->n; n++)
		if (timeline_live(x->time, n) > timeline_live(x->time, most))
			most = n;
	return most;
}
