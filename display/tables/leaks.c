/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The leaks: memory that was not freed, by the inner ends of call paths. */
#include "display/tables/tables.h"
#include "display/tables/held.h"

#include "display/grid/entries.h"
#include "display/grid/view.h"
#include "display/text/amount.h"

/* Columns that are printed only if some blocks were freed. */
enum { FREED = 1 };

static const struct grid_column columns[] = {
	FIGURE("kept bytes", BYTES, 10, KEPT,
	       "bytes not freed, and their share of all bytes allocated",
	       .share = 4, .error = true),
	FIGURE("allocs", COUNT, 10, ALLOCS,
	       "blocks allocated on this path, freed or not", .error = true),
	FIGURE("bytes", BYTES, 10, BYTES,
	       "their bytes, and the share of all bytes allocated", .share = 4,
	       .error = true),
	FIGURE("frees", COUNT, 10, FREES,
	       "how many of the blocks were freed, their bytes, and the "
	       "share of all bytes; only if a path has frees",
	       .with = FREED),
	FIGURE("bytes", BYTES, 10, FREED, NULL, .share = 4, .with = FREED),
	NAME(" path", "   ", entry_put_typed,
	     LEGEND_PATH "  (inlined): the compiler put this function into "
			 "its caller; only with --verbose or --paths=offsets",
	     .term = "path"),
};

static const struct legend legend = {
	.about = "Memory that was allocated, and not freed before the data "
		 "file was written or read, by call path.",
	.indent = 12,
	.notes = { legend_percent },
};

static bool
unbalanced(const struct entry *r)
{
	return account_kept_blocks(&r->account) || r->kept;
}

static unsigned
leaks_with(const struct entry *r)
{
	return r->frees ? FREED : 0;
}

/*
 * A row needs its share of all bytes, as in mprof 3.0, or of the bytes that
 * were not freed: a path with much traffic and a small leak must not hide other
 * leaks.
 */
static const struct entries_view view = {
	ENTRIES_COLUMNS(columns),
	.wanted = unbalanced,
	.with = leaks_with,
	.by = { ENTRY_AT(kept), ENTRY_AT(bytes), ENTRY_AT(allocs) },
	.share = { ENTRY_AT(bytes), ENTRY_AT(kept) },
	.typed = origins_kept,
};

/* Why the table is empty. */
static const char *
leaks_nothing(const struct profile *p)
{
	if (p->incomplete)
		return "The part of the file that could be read has no block "
		       "that was not freed.";
	if (!counts_sum(p->total.allocs))
		return p->filter.less
			       ? "Nothing leaked: nothing passes the filter."
		       : p->snapshot.other
			       ? "Nothing was live: nothing was allocated then."
			       : "Nothing leaked: nothing was allocated.";
	if (p->snapshot.span && p->snapshot.kept_blocks)
		return "No block is known to be live at the end of the run.";
	if (profile_is_earlier(p))
		return "Nothing was live then: everything had been freed.";
	if (counts_of_all(&p->total).hidden.blocks)
		return "Nothing leaked except suppressed blocks.";
	return "Nothing leaked: everything was freed.";
}

/* Print the line above the rows. */
static void
leaks_head(struct tables *t)
{
	const struct profile *p = t->p;
	uint64_t n = amount_kept(&p->total);
	char buf[NUMBER_SIZE];

	line_add(&t->line, "Total bytes not freed: %s",
		 tables_bytes(t, buf, n));
	errors_lone(t, n, p->total.var[PROFILE_E_KEPT]);
	line_end(&t->line);
	line_end(&t->line);
}

/* Print what was not freed, regardless of leak checks. */
static int
print_kept(struct tables *t)
{
	struct entries e = { .omitted = NULL };
	struct grid g;

	entries_of_paths(&e, t, PATHS_PLAIN);
	e.omitted = "not freed";
	e.of_bytes = e.of_kept = counts_sum(t->p->total.bytes);
	for (size_t i = 0; i < e.n; i++)
		e.v[i].part = e.v[i].kept;
	entries_arrange(&e, &view, &g);
	if (e.n + e.hidden) {
		leaks_head(t);
		entries_print(&e, &g, false);
	} else {
		tables_say(t, leaks_nothing(t->p));
	}
	leaks_suppressed(t);
	if (e.n + e.hidden)
		grid_legend(&g, &legend);
	return 0;
}

/* Print why it is unknown which blocks are lost, if that matters. */
static void
leaks_no_check(struct tables *t)
{
	const struct profile *p = t->p;
	const char *why = NULL;

	for (size_t i = 0; i < p->nruns && !why; i++)
		why = p->runs[i].leak_why;
	if (profile_is_part(p) && t->o->kinds_chosen) {
		tables_unknown(t, "Which blocks are lost");
		line_end(&t->line);
	}
	if (profile_is_part(p) || (!why && !t->o->kinds_chosen))
		return;
	line_say(&t->line,
		 "Which blocks are lost is not known: there was no leak "
		 "check%s%s.",
		 why ? ": " : "", why ? why : "");
	line_end(&t->line);
}

int
leaks_print(struct tables *t)
{
	unsigned kinds = t->o->kinds & (OPTIONS_KEPT - 1u);
	bool some = t->o->kinds & OPTIONS_KEPT;

	tables_title(t, "Partial Dynamic Call Paths for Memory Leaks");
	if (t->p->collections) {
		line_say(&t->line,
			 "The program has a garbage collector, which frees "
			 "blocks that nothing points to, so no block is lost.");
		line_end(&t->line);
	}
	if (!t->p->leaks_known && kinds)
		leaks_no_check(t);
	if (!t->p->leaks_known || !kinds)
		return print_kept(t);
	if (leaks_check(t, kinds))
		return -1;
	held_rings(t);
	if (!some)
		return 0;
	line_end(&t->line);
	return print_kept(t);
}
