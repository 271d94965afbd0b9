/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The prolog: recording that was off, resets, pools, leak checks, samples. */
#include "display/tables/prolog.h"

#include "display/text/amount.h"
#include "display/text/number.h"

#include <inttypes.h>

/* A line of text below the one before it. */
static void
more(struct tables *t, const char *text)
{
	prolog_item(t, "");
	line_say(&t->line, "%s", text);
}

void
prolog_killed(struct tables *t, const struct run *r)
{
	char n[NUMBER_SIZE];

	prolog_item(t, "ended");
	line_say(&t->line, "%s; all that was counted until then is here",
		 !r->running_known ? "without a word, as by SIGKILL, or is "
				     "still running"
		 : r->running	   ? "not yet: it still runs"
				   : "without a word, as by SIGKILL");
	if (r->seen_known) {
		prolog_item(t, "");
		line_say(&t->line,
			 "the last event that was timed was %s s after the "
			 "start",
			 number_seconds(n, r->seen));
	}
	if (r->cut_why)
		more(t, r->cut_why);
}

/* How long recording was off, and what is known of that time. */
static void
off(struct tables *t)
{
	const struct profile *p = t->p;
	struct line *l = &t->line;
	uint64_t time = 0, end = 0, read = p->nruns - p->nunread;
	char n[NUMBER_SIZE];

	for (size_t i = 0; i < p->nruns; i++) {
		time = amount_add(time, p->runs[i].off_time);
		end += p->runs[i].off;
	}
	if (time || end || p->off_frees) {
		prolog_item(t, "off");
		line_add(l, "recording was off for %s s",
			 number_seconds(n, time));
		if (end && read == 1)
			line_add(l, ", and at the end");
		else if (end)
			line_add(l, ", and at the end of %" PRIu64 " of them",
				 end);
		if (p->off_frees) {
			line_add(l, "; ");
			line_several(&t->line, p->off_frees, "free");
			line_add(l, " of %s bytes in that time %s counted",
				 tables_bytes(t, n, p->off_freed),
				 p->off_frees == 1 ? "is" : "are");
		}
		line_end(l);
	}
	if (p->off_unseen) {
		prolog_item(t, "unmatched");
		line_several(&t->line, p->off_unseen, "free");
		line_say(l, " of blocks that were allocated while recording "
			    "was off, or before the reset");
	}
}

static void
resets(struct tables *t)
{
	const struct profile *p = t->p;
	char n[NUMBER_SIZE];
	uint64_t of = 0, attached = 0;

	for (size_t i = 0; i < p->nruns; i++) {
		of += p->runs[i].was_reset;
		attached += p->runs[i].attached;
	}
	if (attached) {
		prolog_item(t, "attached");
		line_say(&t->line,
			 "memmon attached to %s that ran; nothing "
			 "from before is here",
			 p->nruns == 1 ? "a process" : "processes");
	}
	if (!of)
		return;
	prolog_item(t, "reset");
	if (p->nruns == 1)
		line_add(&t->line,
			 "counts begin %s s after the start, when they were "
			 "reset",
			 number_seconds(n, p->runs[0].reset));
	else
		line_add(&t->line,
			 "counts of %" PRIu64 " of the files begin after the "
			 "start, when they were reset",
			 of);
	line_end(&t->line);
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

/* What the check found in all. */
static void
found(struct tables *t)
{
	static const char *const kind[] = { "lost", "indirect", "interior",
					    "reachable" };
	const struct leak *a = &t->p->leak;
	char n[NUMBER_SIZE];

	for (int i = 0; i < PROFILE_NLEAK; i++) {
		line_add(&t->line, "%s%s %s bytes (", i ? ", " : "", kind[i],
			 tables_bytes(t, n, a->bytes[i]));
		line_several(&t->line, a->blocks[i], "block");
		line_add(&t->line, ")");
	}
	if (a->hidden.blocks) {
		line_add(&t->line, ", suppressed %s bytes (",
			 tables_bytes(t, n, a->hidden.bytes));
		line_several(&t->line, a->hidden.blocks, "block");
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
		found(t);
	}
	if (p->leaks_known && !p->leaks_all)
		more(t, "of some of the runs only");
	for (size_t i = 0; i < p->nruns; i++) {
		const struct run *r = &p->runs[i];

		if (!r->leak_why)
			continue;
		prolog_item(t, "leak check");
		if (p->nruns > 1)
			line_add(&t->line, "none in %s: %s", r->path,
				 r->leak_why);
		else
			line_add(&t->line, "none: %s", r->leak_why);
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
		prolog_item(t, "killed");
		line_say(&t->line, "%s: %s", p->runs[i].path,
			 p->runs[i].cut_why);
	}
	off(t);
	resets(t);
	pools(t);
	if (!profile_is_less(p))
		prolog_leaks(t);
	if (p->marks_dropped)
		more(t, "marks of several runs are left out");
}

void
prolog_sample(struct tables *t)
{
	const struct profile *p = t->p;
	const struct profile_sample *s = &p->sample;

	if (s->why) {
		prolog_item(t, "sampled");
		line_say(&t->line, "no, though it was asked for: %s", s->why);
	}
	if (!t->p->sample.rate || !s->all_known)
		return;
	prolog_item(t, "counted");
	line_say(&t->line,
		 "%" PRIu64 " allocations of %" PRIu64 " bytes, exactly%s",
		 s->all_allocs, s->all_bytes,
		 p->filter.less ? ", in the whole program" : "");
}
