/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is said above the rows of tables, or in place of them. */
#include "display/grid/notes.h"
#include "display/grid/errors.h"
#include "display/text/amount.h"
#include "display/text/number.h"

#include <inttypes.h>
#include <string.h>

/* Is there something to be said of all figures? */
static bool
noted(const struct profile *p)
{
	return p->lost || p->incomplete || p->shortened || p->filter.options ||
	       p->sample.rate || p->snapshot.note;
}

/* Which filter there is, and how much it leaves. */
static void
filtered(struct tables *t)
{
	const struct profile_filtered *f = &t->p->filter;
	uint64_t bytes = amount_bytes(&t->p->total);
	uint64_t allocs = amount_allocs(&t->p->total);
	char n[NUMBER_SIZE], of[NUMBER_SIZE], percent[NUMBER_SIZE];

	if (!f->options)
		return;
	line_say(&t->line, "filter: %s", f->options);
	if (!f->less) {
		line_say(&t->line, "        leaves all %s bytes",
			 tables_bytes(t, n, bytes));
		return;
	}
	number_tenths(percent, bytes, f->bytes);
	line_add(&t->line,
		 "        leaves %s of %s bytes (%s%%), %" PRIu64 " of %" PRIu64
		 " allocations",
		 tables_bytes(t, n, bytes), tables_bytes(t, of, f->bytes),
		 percent, allocs, f->allocs);
	if (f->unsized_allocs)
		line_add(&t->line, "; of %" PRIu64 " the size isn't known",
			 f->unsized_allocs);
	if (f->outer_allocs)
		line_add(&t->line, "; of %" PRIu64 " not all callers are known",
			 f->outer_allocs);
	line_end(&t->line);
}

/* Which time the figures are of; each line of the note by itself. */
static void
snapshot(struct tables *t)
{
	const char *s = t->p->snapshot.note;

	while (s) {
		int n = (int)strcspn(s, "\n");

		line_say(&t->line, "%.*s", n, s);
		s = s[n] ? s + n + 1 : NULL;
	}
}

void
tables_notes(struct tables *t)
{
	const struct profile *p = t->p;
	char n[NUMBER_SIZE];

	snapshot(t);
	filtered(t);
	errors_note(t);
	if (p->lost) {
		line_say(&t->line,
			 "unrecorded: %" PRIu64 " allocations of %s bytes "
			 "could not be recorded and are in none of the figures",
			 p->lost, tables_bytes(t, n, p->lost_bytes));
	}
	if (p->incomplete) {
		line_say(&t->line, "incomplete: a data file was cut short, so "
				   "the figures are lower bounds");
	}
	if (p->shortened) {
		line_say(&t->line,
			 "shortened: %" PRIu64 " allocations %sare shown "
			 "without their outer callers, %s",
			 p->shortened,
			 p->filter.less	   ? "of the whole program "
			 : p->snapshot.other ? "of the whole run "
					     : "",
			 p->maxmem ? "for the limit MEMMON_MAXMEM"
				   : "for want of memory");
	}
	if (noted(p))
		line_end(&t->line);
}

void
tables_title(struct tables *t, const char *title)
{
	line_look(&t->line, LINE_TITLE);
	line_say(&t->line, "%s", title);
	if (!noted(t->p))
		line_end(&t->line);
	tables_notes(t);
}

void
tables_unknown(struct tables *t, const char *what)
{
	const char *why = t->p->nruns > 1
				  ? "the data files have no full record of it"
				  : "the data file has no record of it";

	if (t->p->incomplete)
		why = "a data file was cut short before it";
	if (t->p->snapshot.other)
		why = "it is known of the end of the run only";
	if (t->p->filter.part)
		why = "it isn't recorded by size or thread, and the filter "
		      "leaves parts of call paths";
	line_say(&t->line, "%s is not known: %s.", what, why);
}

void
tables_nothing(struct tables *t)
{
	tables_say(t, t->p->incomplete ? "No allocation is in what could be "
					    "read."
		      : t->p->filter.less    ? "Nothing passes the filter."
		      : t->p->snapshot.other ? "Nothing was allocated then."
					     : "Nothing was allocated.");
}

/* Why it isn't known how blocks were used. */
static void
no_uses(struct tables *t)
{
	const char *why = t->p->uses_why;

	if (profile_is_part(t->p)) {
		tables_unknown(t, "How blocks were used");
		return;
	}
	if (why && *why) {
		line_say(&t->line, "No accesses were recorded: %s.", why);
	} else {
		tables_unknown(t, "How blocks were used");
	}
	line_end(&t->line);
	tables_say(t, "Accesses are recorded of programs that were compiled "
		      "with memmon-cc in place of");
	tables_say(t, "the compiler; see memmon-cc(1).");
}

static void
left_out(struct tables *t, uint64_t n, const char *why)
{
	if (!n)
		return;
	line_say(&t->line, "%" PRIu64 " block%s left out, %s.", n,
		 n == 1 ? " is" : "s are", why);
}

/* What scores and fields lack. */
static void
use_notes(struct tables *t)
{
	const struct profile *p = t->p;
	const char *why = p->uses_why && *p->uses_why ? p->uses_why : NULL;
	char bytes[NUMBER_SIZE];

	if (p->unobserved.sites) {
		line_say(&t->line,
			 "%" PRIu64 " block%s (%s bytes) of code whose "
			 "accesses aren't recorded %s left out.",
			 p->unobserved.blocks,
			 p->unobserved.blocks == 1 ? "" : "s",
			 tables_bytes(t, bytes, p->unobserved.bytes),
			 p->unobserved.blocks == 1 ? "is" : "are");
	}
	left_out(t, p->unfolded,
		 p->unplaced_known ? "for want of memory"
				   : "for want of memory or of space between "
				     "them");
	left_out(t, p->unplaced,
		 "as their allocator puts others within 32 "
		 "bytes of them");
	if (!p->ticked)
		tables_say(t, "The clock moved only when blocks were timed: "
			      "accesses may seem earlier than they were.");
	if (why) {
		line_say(&t->line, "Note: %s.", why);
	}
	if (p->unobserved.sites || p->unfolded || p->unplaced || !p->ticked ||
	    why)
		line_end(&t->line);
}

bool
tables_uses(struct tables *t, const char *title)
{
	bool some = amount_allocs(&t->p->total);

	tables_title(t, title);
	if (!some)
		tables_nothing(t);
	else if (!t->p->uses_known)
		no_uses(t);
	else
		use_notes(t);
	return some && t->p->uses_known;
}
