/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines above the rows of tables, or instead of rows. */
#include "display/grid/table.h"
#include "display/text/amount.h"
#include "display/text/number.h"

#include <inttypes.h>
#include <string.h>

/* Print a condition: its name, unless that says nothing, and its lines. */
static void
notes_note(struct tables *t, const struct condition *c)
{
	int indent = strcmp(c->name, "snapshot") ? (int)strlen(c->name) + 2 : 0;
	bool was = t->line.wrap;
	const char *s = c->text;

	/* On a terminal, wrap sentences, so that no one has to scroll. */
	t->line.wrap |= t->line.width != 0;
	if (indent)
		line_add(&t->line, "%s: ", c->name);
	while (s) {
		int n = (int)strcspn(s, "\n");

		line_say(&t->line, "%.*s", n, s);
		s = s[n] ? s + n + 1 : NULL;
		if (s && indent)
			line_add(&t->line, "%*s", indent, "");
	}
	t->line.wrap = was;
}

bool
tables_notes(struct tables *t, enum condition_said most)
{
	struct conditions c;
	bool some = false;

	if (conditions_init(&c, t->p, t->o->human))
		t->line.failed = true;
	for (size_t i = 0; i < c.n; i++) {
		if (c.v[i].said > most)
			continue;
		notes_note(t, &c.v[i]);
		some = true;
	}
	conditions_fini(&c);
	if (some)
		line_end(&t->line);
	return some;
}

void
tables_rule(struct tables *t, const char *title)
{
	if (*title == '-')
		tables_say(t, title);
	else
		line_say(&t->line, "--------- %s ------------", title);
}

void
tables_heading(struct tables *t, const char *title, enum condition_said most)
{
	line_look(&t->line, LINE_TITLE);
	tables_rule(t, title);
	if (!tables_notes(t, most))
		line_end(&t->line);
}

void
tables_title(struct tables *t, const char *title)
{
	tables_heading(t, title, CONDITION_HEADED);
}

void
tables_leak_notes(struct tables *t)
{
	struct arena a = { 0 };

	for (size_t i = 0; i < t->p->nleak_notes; i++) {
		const char *text = amount_leak_note(&a, t->p, i, t->o->human);

		t->line.failed |= !text;
		line_say(&t->line, "leak check: %s", text ? text : "");
	}
	arena_fini(&a);
}

void
tables_unknown(struct tables *t, const char *what)
{
	const char *why = t->p->nruns > 1
				  ? "the data files have no full record of it"
				  : "the data file has no record of it";

	if (conditions_unwritten(t->p))
		why = conditions_unwritten(t->p);
	if (t->p->incomplete)
		why = "a data file is truncated before it";
	if (t->p->snapshot.other)
		why = "it is known only for the end of the run";
	if (t->p->filter.part)
		why = "it isn't recorded by size or thread, and the filter "
		      "keeps only parts of call paths";
	line_say(&t->line, "%s is not known: %s.", what, why);
}

void
tables_nothing(struct tables *t)
{
	tables_say(t, t->p->incomplete ? "The part of the file that could be "
					 "read has no allocation."
		      : t->p->filter.less    ? "Nothing passes the filter."
		      : t->p->snapshot.other ? "Nothing was allocated then."
					     : "Nothing was allocated.");
}

/* Print why the accesses are unknown. */
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
		return;
	}
	tables_unknown(t, "How blocks were used");
	line_end(&t->line);
	tables_say(t, "To record accesses, compile the program with "
		      "memmon-cc in place of the");
	tables_say(t, "compiler; see memmon-cc(1).");
}

static void
left_out(struct tables *t, uint64_t n, const char *why)
{
	if (!n)
		return;
	line_say(&t->line, "%" PRIu64 " block%s left out, %s.", n,
		 n == 1 ? " is" : "s are", why);
}

/* Print what the accesses lack. */
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
		 p->unplaced_known ? "because the monitor got no memory"
				   : "because the monitor got no memory, or "
				     "blocks are too close to each other");
	left_out(t, p->unplaced,
		 "because their allocator puts other blocks within 32 bytes "
		 "of them");
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
	bool some = counts_sum(t->p->total.allocs);

	tables_title(t, title);
	if (!some)
		tables_nothing(t);
	else if (!t->p->uses_known)
		no_uses(t);
	else
		use_notes(t);
	return some && t->p->uses_known;
}
