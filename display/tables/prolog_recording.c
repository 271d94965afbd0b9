/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The prolog: recording that was off, resets, pools, leak checks, samples. */
#include "display/tables/tables.h"
#include "display/text/conditions.h"

#include "display/text/number.h"

#include <inttypes.h>
#include <string.h>

/* Print another line of text for the previous item. */
static void
prolog_recording_more(struct tables *t, const char *text)
{
	prolog_item(t, "");
	line_say(&t->line, "%s", text);
}

void
prolog_killed(struct tables *t, const struct run *r)
{
	char n[NUMBER_SIZE];

	if (r->seen_known) {
		prolog_item(t, "");
		line_say(&t->line,
			 "the last event that was timed was %s s after %s",
			 number_seconds(n, r->seen), conditions_since(t->p));
	}
	if (r->cut_why)
		prolog_recording_more(t, r->cut_why);
}

/* Print the conditions that the title doesn't have. */
static void
prolog_recording_conditions(struct tables *t)
{
	const struct profile *p = t->p;
	struct conditions c;

	if (conditions_init(&c, p, t->o->human))
		t->line.failed = true;
	for (size_t i = 0; i < c.n; i++) {
		/* Memory has its own item. */
		if (c.v[i].said < CONDITION_ITEM ||
		    !strcmp(c.v[i].name, "resident"))
			continue;
		prolog_item(t, c.v[i].name);
		line_say(&t->line, "%s", c.v[i].text);
	}
	conditions_fini(&c);
	if (p->off_unseen) {
		prolog_item(t, "unmatched");
		line_several(&t->line, p->off_unseen, "free");
		line_say(&t->line, " of blocks that were allocated while "
				   "recording was off, or before the reset");
	}
}

static void
pools(struct tables *t)
{
	const struct profile *p = t->p;
	char n[NUMBER_SIZE];

	if (!p->pool_allocs && !p->pool_backing)
		return;
	prolog_item(t, "pools");
	line_several(&t->line, p->pool_allocs, "allocation");
	line_add(&t->line, " of %s bytes by the program's own allocators",
		 tables_bytes(t, n, p->pool_bytes));
	if (p->pool_backing)
		line_add(&t->line, ", in blocks of %s bytes",
			 tables_bytes(t, n, p->pool_backing));
	line_end(&t->line);
}

/* Print the sums that the check found. */
static void
prolog_recording_found(struct tables *t)
{
#define K(with, id, name, ...) #name,
	static const char *const kind[] = { MEASURES_KINDS(K, ) };
#undef K
	struct suppressed hidden = counts_of_all(&t->p->total).hidden;
	const struct leak *a = &t->p->leak;
	char n[NUMBER_SIZE];

	for (int i = 0; i < PROFILE_NLEAK; i++) {
		line_add(&t->line, "%s%s %s bytes (", i ? ", " : "", kind[i],
			 tables_bytes(t, n, a->bytes[i]));
		line_several(&t->line, a->blocks[i], "block");
		line_add(&t->line, ")");
	}
	if (hidden.blocks) {
		line_add(&t->line, ", suppressed %s bytes (",
			 tables_bytes(t, n, hidden.bytes));
		line_several(&t->line, hidden.blocks, "block");
		line_add(&t->line, ")");
	}
	line_end(&t->line);
}

void
prolog_leaks(struct tables *t)
{
	const struct profile *p = t->p;

	if (p->leaks_known) {
		prolog_item(t, "leak check");
		prolog_recording_found(t);
	}
	if (p->leaks_known && !p->leaks_all && (p->nruns > 1 || p->runs[0].sum))
		prolog_recording_more(t, "of some of the runs only");
	/* For a single run, the conditions say why. */
	for (size_t i = 0; i < p->nruns && p->nruns > 1; i++) {
		const struct run *r = &p->runs[i];

		if (!r->leak_why || r->leaks_known)
			continue;
		prolog_item(t, "leak check");
		line_add(&t->line, "none in %s: %s", r->path, r->leak_why);
		line_end(&t->line);
	}
}

void
prolog_recording(struct tables *t)
{
	const struct profile *p = t->p;

	for (size_t i = 0; i < p->nruns && p->nruns > 1; i++) {
		if (!p->runs[i].cut_why)
			continue;
		prolog_item(t, "missing");
		line_say(&t->line, "%s: %s", p->runs[i].path,
			 p->runs[i].cut_why);
	}
	prolog_recording_conditions(t);
	pools(t);
	if (!profile_is_less(p))
		prolog_leaks(t);
	if (p->marks_dropped)
		prolog_recording_more(t, "several runs have no common marks");
}

void
prolog_sample(struct tables *t)
{
	const struct profile *p = t->p;
	const struct profile_sample *s = &p->sample;
	char n[NUMBER_SIZE];

	if (s->why) {
		prolog_item(t, "sampled");
		line_say(&t->line, "no, though it was asked for: %s", s->why);
	}
	if (!t->p->sample.rate || !s->all_known)
		return;
	prolog_item(t, "counted");
	line_say(&t->line, "%" PRIu64 " allocations of %s bytes, exactly%s",
		 s->all_allocs, tables_bytes(t, n, s->all_bytes),
		 p->filter.less ? ", in the whole program" : "");
}
