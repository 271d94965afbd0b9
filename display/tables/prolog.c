/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The prolog: the command, and the totals. */
#include "display/tables/tables.h"
#include "display/grid/view.h"
#include "display/text/amount.h"
#include "display/text/conditions.h"
#include "display/text/number.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#define NS 1000000000u

void
prolog_item(struct tables *t, const char *name)
{
	if (t->recording) {
		line_left(&t->line, 14, "recording");
		line_say(&t->line, "%s", t->recording);
		t->recording = NULL;
	}
	line_left(&t->line, 14, name);
}

static void
prolog_text(struct tables *t, const char *name, const char *value)
{
	prolog_item(t, name);
	line_say(&t->line, "%s", value);
}

/* The same for a value that may be shortened. */
static void
prolog_name(struct tables *t, const char *what, const char *value)
{
	prolog_item(t, what);
	line_name(&t->line);
	line_say(&t->line, "%s", value);
}

static void
prolog_count(struct tables *t, const char *name, uint64_t n)
{
	char buf[NUMBER_SIZE];

	prolog_text(t, name, number_count(buf, n));
}

/* Print a count, unless it is 0. */
static void
trouble(struct tables *t, const char *name, uint64_t n, const char *what)
{
	if (!n)
		return;
	prolog_item(t, name);
	line_say(&t->line, "%" PRIu64 " (%s)", n, what);
}

static void
add_date(struct line *l, uint64_t ns)
{
	time_t seconds = (time_t)(ns / NS);
	char date[40];
	struct tm tm;

	if (gmtime_r(&seconds, &tm) &&
	    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &tm))
		line_add(l, "%s", date);
}

static void
prolog_one_run(struct tables *t, const struct run *r)
{
	char buf[NUMBER_SIZE];

	prolog_name(t, "program", r->program);
	if (*r->command)
		prolog_name(t, "command", r->command);
	if (r->pid)
		prolog_count(t, "pid", r->pid);
	if (r->start) {
		prolog_item(t, "date");
		add_date(&t->line, r->start);
		line_end(&t->line);
	}
	if (r->length) {
		prolog_item(t, "seconds");
		line_say(&t->line, "%s%s", conditions_at_least(r),
			 number_seconds(buf, r->length));
	}
	if (*r->end && !conditions_runs(r))
		prolog_text(t, "ended", r->end);
	if (r->killed || r->image)
		prolog_killed(t, r);
}

/* Print one of several files, in one line. */
static void
run_of_many(struct tables *t, const struct run *r)
{
	struct line *l = &t->line;
	char buf[NUMBER_SIZE];

	prolog_item(t, "");
	line_add(l, "%s: ", r->path);
	if (r->problem) {
		line_add(l, "left out: %s", r->problem);
	} else if (r->sum) {
		line_add(l, "a sum, of %s", r->program);
	} else {
		line_add(l, "%s, pid %" PRIu64 ", ",
			 *r->command ? r->command : r->program, r->pid);
		if (r->start) {
			add_date(l, r->start);
			line_add(l, ", ");
		}
		line_add(l, "%s%s s, %s", conditions_at_least(r),
			 number_seconds(buf, r->length), r->end);
	}
	if (r->cut)
		line_add(l, ", truncated");
	line_end(l);
}

static void
prolog_runs(struct tables *t)
{
	const struct profile *p = t->p;

	if (p->nruns == 1) {
		prolog_one_run(t, &p->runs[0]);
		return;
	}
	prolog_item(t, "files");
	line_add(&t->line, "%zu, summed", p->nruns - p->nunread);
	line_end(&t->line);
	for (size_t i = 0; i < p->nruns; i++)
		run_of_many(t, &p->runs[i]);
}

/* Print the bytes live at the peak. */
static void
prolog_peak(struct tables *t)
{
	const struct profile *p = t->p;
	struct line *l = &t->line;
	char n[NUMBER_SIZE];

	if (profile_is_less(p) && !p->peaks_known) {
		prolog_text(t, "peak", "-");
		return;
	}
	prolog_item(t, "peak");
	line_add(l, "%s bytes%s", tables_lone(t, n, p->peak),
		 p->filter.less ? " at that of the whole program" : "");
	errors_lone(t, p->peak, p->total.var[PROFILE_E_PEAK]);
	if (p->peak_slack)
		line_add(l, " (+- %s)", tables_bytes(t, n, p->peak_slack));
	if (p->peak)
		line_add(l, ", %s s after %s%s", number_seconds(n, p->peak_at),
			 conditions_since(p), tables_whose(p));
	line_end(l);
}

/* Print the memory of the process: at the end, and the largest seen. */
static void
prolog_resident(struct tables *t)
{
	const struct profile_resident *r = &t->p->resident;
	struct line *l = &t->line;
	char n[NUMBER_SIZE];

	if (!r->known)
		return;
	prolog_item(t, "resident");
	if (r->end && !conditions_runs(&t->p->runs[0]))
		line_add(l, "%s bytes (RSS) at the end",
			 tables_bytes(t, n, r->last.rss));
	else if (r->end)
		line_add(l, "%s bytes (RSS) then",
			 tables_bytes(t, n, r->last.rss));
	else
		line_add(l, "%s bytes (RSS) at the last snapshot that knows it",
			 tables_bytes(t, n, r->last.rss));
	line_add(l, ", highest seen %s", tables_bytes(t, n, r->most.rss));
	line_say(l, ", %s s after %s", number_seconds(n, r->most.at),
		 conditions_since(t->p));
}

/* Print a figure, which may be an estimate from samples. */
static void
estimate(struct tables *t, const char *what, const char *figure, uint64_t n,
	 double var)
{
	prolog_item(t, what);
	line_add(&t->line, "%s", figure);
	errors_lone(t, n, var);
	line_end(&t->line);
}

static void
prolog_totals(struct tables *t)
{
	const struct profile *p = t->p;
	const struct counts *all = &p->total;
	uint64_t allocs = counts_sum(all->allocs),
		 frees = counts_sum(all->frees);
	uint64_t blocks = amount_kept_blocks(all);
	struct suppressed hidden = counts_of_all(all).hidden;
	char n[NUMBER_SIZE], why[AMOUNT_WHY_SIZE];
	struct line *l = &t->line;

	if (profile_is_less(p))
		prolog_text(t, "threads", "-");
	else
		prolog_count(t, "threads", p->threads);
	estimate(t, "allocations", number_count(n, allocs), allocs,
		 all->var[PROFILE_E_ALLOCS]);
	prolog_count(t, "frees", frees);
	if (profile_is_part(p))
		prolog_text(t, "reallocs", "-");
	else
		prolog_count(t, "reallocs", p->reallocs);
	estimate(t, "bytes", tables_bytes(t, n, counts_sum(all->bytes)),
		 counts_sum(all->bytes), all->var[PROFILE_E_BYTES]);
	prolog_item(t, conditions_kept(p));
	line_add(l, "%s bytes", tables_bytes(t, n, amount_kept(all)));
	errors_lone(t, amount_kept(all), all->var[PROFILE_E_KEPT]);
	line_add(l, " in ");
	line_several(l, blocks, "block");
	errors_lone(t, blocks, all->var[PROFILE_E_KEPT_BLOCKS]);
	if (hidden.blocks) {
		line_add(l, "; suppressed: %s bytes in ",
			 tables_bytes(t, n, hidden.bytes));
		line_several(l, hidden.blocks, "block");
		amount_hidden_why(p, why);
		line_add(l, "%s", why);
	}
	line_end(l);
	prolog_peak(t);
	prolog_resident(t);
	prolog_sample(t);
	prolog_item(t, "monitor");
	line_say(l, "%s bytes of memory for itself", tables_lone(t, n, p->own));
	if (p->maxmem) {
		prolog_item(t, "maxmem");
		line_say(l, "%s bytes, the most that it may take",
			 tables_bytes(t, n, p->maxmem));
	}
}

/* Print which accesses were recorded, if any. */
static void
prolog_accesses(struct tables *t)
{
	static const char *const way[] = { "", " (plugin)", " (calls)",
					   " (plugin and calls)" };
	const struct profile *p = t->p;
	struct line *l = &t->line;
	char n[NUMBER_SIZE];

	if (!p->uses_known)
		return;
	prolog_item(t, "accesses");
	line_add(l, "%" PRIu64 " reads", p->reads);
	errors_lone(t, p->reads, p->access_var[0]);
	line_add(l, ", %" PRIu64 " writes", p->writes);
	errors_lone(t, p->writes, p->access_var[1]);
	line_add(l, " recorded%s, ", way[p->way & 3]);
	line_say(l, "clock step %s", number_time(n, p->step));
	if (p->sample.rate)
		prolog_text(
			t, "",
			"hot blocks that are not sampled are missing, beyond "
			"these errors");
	if (p->uses_why && *p->uses_why)
		prolog_text(t, "", p->uses_why);
	if (!p->ticked)
		prolog_text(t, "clock", "moved only when blocks were timed");
}

/* Print call paths without outer callers: there were too many paths. */
static void
limited(struct tables *t)
{
	const struct counts *c = &t->p->limited;
	char bytes[NUMBER_SIZE], kept[NUMBER_SIZE], what[240];

	snprintf(what, sizeof what,
		 "allocations of %s bytes, %s of them not freed, shown with "
		 "only their innermost callers, because there were too many "
		 "call paths; the figures of outer functions are lower bounds",
		 number_count(bytes, counts_sum(c->bytes)),
		 number_count(kept, amount_kept(c)));
	trouble(t, "limited", counts_sum(c->allocs), what);
}

/* Print call paths without outer callers: memory was short or limited. */
static void
prolog_shortened(struct tables *t)
{
	const struct profile *p = t->p;
	char n[NUMBER_SIZE], what[160];

	if (p->maxmem)
		snprintf(what, sizeof what,
			 "allocations shown without their outer callers: "
			 "raise MEMMON_MAXMEM=%s",
			 number_count(n, p->maxmem));
	else
		snprintf(what, sizeof what,
			 "allocations shown without their outer callers, "
			 "because the monitor got no memory");
	trouble(t, "shortened", p->shortened, what);
}

/* Print what call paths lack. */
static void
of_paths(struct tables *t)
{
	const struct profile *p = t->p;

	trouble(t, "cut", p->cut, "call paths deeper than the limit");
	trouble(t, "stopped", p->stopped,
		"call paths that could not be followed to their start");
	trouble(t, "folded", p->folded,
		"cycles of calls; the number of calls within them is a lower "
		"bound");
	trouble(t, "joined", p->joined,
		"of these, with other cycles of the same functions; which "
		"function called which isn't exact");
	trouble(t, "joined", p->joined_ends,
		"of these, with other cycles that begin and end with the "
		"same functions; the functions between aren't exact");
	limited(t);
	trouble(t, "sizes", p->classed,
		"allocations of too many sizes, or with too little memory "
		"for the sizes: only their size class is known by path");
}

int
prolog_print(struct tables *t)
{
	const struct profile *p = t->p;

	tables_heading(t, "Memory Profile", CONDITION_ALONE);
	prolog_runs(t);
	prolog_totals(t);
	prolog_accesses(t);
	if (profile_is_less(p)) {
		prolog_leaks(t);
		t->recording = p->filter.less ? "of the whole program:"
					      : "of the whole run:";
	}
	prolog_recording(t);
	of_paths(t);
	trouble(t, "untyped", p->untyped,
		"blocks without the type that the program gave them, because "
		"there were too many");
	trouble(t, "unnamed", p->unnamed,
		"libraries, at least, without names, because too many others "
		"had been at their addresses");
	trouble(t, "unmarked", p->unmarked,
		"marks left out, because there were too many");
	trouble(t, "collected", p->collected,
		"blocks that a garbage collector reclaimed; at the end it "
		"could reach what is not freed");
	trouble(t, "unseen", p->unseen,
		"frees of blocks whose allocation was not recorded");
	trouble(t, "inherited", p->inherited,
		"frees of blocks from before the fork");
	trouble(t, "reused", p->reused,
		"blocks that the allocator returned again, without a "
		"recorded free");
	trouble(t, "failed", p->failed, "allocations that failed");
	prolog_shortened(t);
	trouble(t, "untimed", p->untimed,
		"blocks not timed, because the monitor got no memory");
	trouble(t, "unfolded", p->unfolded,
		p->unplaced_known ? "blocks missing from the scores, because "
				    "the monitor got no memory"
				  : "blocks missing from the scores, because "
				    "the monitor got no memory, or blocks "
				    "are too close to each other");
	trouble(t, "unplaced", p->unplaced,
		"blocks missing from the scores, because other blocks are "
		"within 32 bytes");
	t->recording = NULL;
	return 0;
}
