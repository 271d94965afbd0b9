/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lifetimes of the blocks of each call path, and of each function. */
#include "display/grid/entries.h"
#include "display/grid/view.h"
#include "display/tables/tables.h"

#include <inttypes.h>
#include <string.h>

/*
 * Columns that aren't always printed.  The spread of lifetimes has one width or
 * the other.
 */
enum { TIMED = 1, REALLOCS = 2, SPREAD = 4, WIDE = 8 };
enum { SPREAD_USUAL = 20 };

static const struct grid_column columns[] = {
	FIGURE("allocs", COUNT, 10, ALLOCS, "blocks allocated", .error = true),
	FIGURE("frees", COUNT, 10, FREES,
	       "how many of the blocks were freed; a realloc is a free and "
	       "an allocation"),
	FIGURE("% temp", PERCENT, 8, TEMPS,
	       "temporary blocks: the share of allocs that the allocating "
	       "thread freed before its next allocation"),
	FIGURE("% near", PERCENT, 8, NEAR,
	       "the same, before its 16th next allocation; includes % temp"),
	FIGURE("by others", COUNT, 11, BY_OTHERS,
	       "blocks freed by another thread than the thread that "
	       "allocated them"),
	FIGURE_OWN("timed", COUNT, 8, TIMED,
		   "how many of the freed blocks were timed; only if not all "
		   "of them were",
		   .with = TIMED),
	FIGURE("min", TIME, 8, LIFE_MIN,
	       "times from allocation to free, of the freed blocks; -: "
	       "unknown",
	       .term = "min mean max"),
	FIGURE("mean", TIME, 8, LIFE, NULL),
	FIGURE("max", TIME, 8, LIFE_MAX, NULL),
	FIGURE_OWN(
		"1ns  1us  1ms  1s   ", LEFT, SPREAD_USUAL, SPREAD,
		"distribution of the lifetimes: a character for each factor "
		"of four, below 1us for 1024 to 4095 ns, below 1ms from 2^20 "
		"ns, below 1s from 2^30 ns.  . is less than 10 percent of "
		"the freed blocks, 1 is 10 to 19, ... 9 is 90 to 99, * is "
		"all of them",
		.with = SPREAD, .before = " | ", .after = " |",
		.term = "1ns 1us ..."),
	FIGURE_OWN("1ns  1us  1ms  1s   17m ", LEFT, NUMBER_SPREAD, SPREAD,
		   NULL, .with = WIDE, .before = " | ", .after = " |"),
	FIGURE("reallocs", COUNT, 10, REALLOCS,
	       "blocks that are results of realloc; this column and the next "
	       "three only if a row has any",
	       .with = REALLOCS),
	FIGURE("moved", COUNT, 8, MOVED,
	       "how many of these got another address", .with = REALLOCS,
	       .error = true),
	FIGURE("copied", BYTES, 8, COPIED, "bytes that had to be copied",
	       .with = REALLOCS, .error = true),
	FIGURE("longest", COUNT, 9, LONGEST, "the most reallocs of one block",
	       .with = REALLOCS),
	NAME(NULL, "   ", entry_put, NULL),
};

static const struct legend legend = {
	.about = "How long blocks lived, by call path, and by the "
		 "function that called malloc or a similar function.",
	.notes = { "~ marks estimates: of a call path with many blocks the "
		   "first blocks are timed, and then one block in many, "
		   "which represents the others.  The distribution is an "
		   "estimate, too.  Blocks that were not timed may have "
		   "lived shorter than min or longer than max.",
		   legend_percent },
};

/* The columns that this row needs. */
static unsigned
lifetimes_with(const struct entry *r)
{
	const struct life *a = r->life;
	char buf[NUMBER_SIZE];

	return (entry_estimated(r) ? TIMED : 0) |
	       (r->reallocs || a->moved || a->longest ? REALLOCS : 0) |
	       (strlen(number_spread(buf, a)) > SPREAD_USUAL ? WIDE : SPREAD);
}

/*
 * A row needs many allocations, or many bytes copied by realloc: a block that
 * keeps growing has few allocations and much of the cost.
 */
static const struct entries_view view = {
	ENTRIES_COLUMNS(columns),
	.total = true,
	.any = { ENTRY_AT(allocs) },
	.with = lifetimes_with,
	.by = { ENTRY_AT(allocs), ENTRY_AT(bytes) },
	.share = { ENTRY_AT(allocs), ENTRY_AT(copied) },
};

static void
lifetimes_section(struct entries *e)
{
	struct grid g;

	e->all = entries_total(e->t->p);
	e->top = e->t->o->lifetimes_rows;
	entries_arrange(e, &view, &g);
	g.head = entries_noun;
	if (g.with & WIDE)
		g.with &= ~(unsigned)SPREAD;
	entries_print(e, &g, true);
	if (!e->paths)
		grid_legend(&g, &legend);
}

/* Print how the lifetimes were measured, if that matters. */
static void
lifetimes_head(struct tables *t)
{
	const struct profile *p = t->p;
	struct line *l = &t->line;

	if (p->timing == 0) {
		tables_say(t, p->life.timed ? "Timed: a different part in "
					      "each run; ~ marks estimates."
					    : "No block was timed: there are "
					      "counts, but no lifetimes.");
	} else if (p->timing > 1) {
		line_say(l,
			 "Timed: the first blocks of each call path, then "
			 "one in %" PRIu64 "; ~ marks estimates.",
			 p->timing);
	}
	if (p->untimed)
		line_say(l,
			 "%" PRIu64 " block%s could not be timed: the "
			 "monitor got no memory.",
			 p->untimed, p->untimed == 1 ? "" : "s");
	if (p->timing != 1 || p->untimed)
		line_end(l);
}

/* Print both sections. */
static int
lifetimes_table(struct tables *t)
{
	struct entries by_path, by_function;

	entries_of_paths(&by_path, t, PATHS_LIVES);
	entries_init(&by_function, t, t->nodes.ndirect + 1);
	lifetimes_head(t);
	lifetimes_section(&by_path);
	line_end(&t->line);
	line_end(&t->line);
	tables_rule(t, "Lifetimes of Blocks by Function");
	line_end(&t->line);
	entries_add_functions(&by_function, &by_path.own);
	lifetimes_section(&by_function);
	freed_by_print(t);
	return 0;
}

int
lifetimes_print(struct tables *t)
{
	const struct profile *p = t->p;

	tables_title(t, "Lifetimes of Blocks by Call Path");
	if (!counts_sum(p->total.allocs)) {
		tables_nothing(t);
		return 0;
	}
	if (!p->lives_known) {
		tables_unknown(t, "How long blocks lived");
		return 0;
	}
	return lifetimes_table(t);
}
