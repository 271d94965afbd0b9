/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The leaks: results of leak checks, by kind; and suppressions. */
#include "display/tables/tables.h"
#include "display/grid/entries.h"
#include "display/text/conditions.h"
#include "display/text/amount.h"

static const struct {
	const char *name, *head, *means;
} kinds_of[PROFILE_NLEAK] = {
	[PROFILE_LOST] = { "lost", "lost bytes",
			   "the program can't reach them" },
	[PROFILE_INDIRECT] = { "indirect", "indirect bytes",
			       "only lost blocks point to them" },
	[PROFILE_INTERIOR] = { "interior", "interior bytes",
			       "reachable, but only by a pointer into a "
			       "block" },
	[PROFILE_REACHABLE] = { "reachable", "reachable bytes",
				"by pointers to the starts of "
				"blocks" },
};

/* ----------------------------------------------------------- the summary -- */

/* Print the time of the check; of several runs, how many had a check. */
static void
when(struct tables *t)
{
	const struct profile *p = t->p;
	struct line *l = &t->line;
	char n[NUMBER_SIZE];
	size_t with = 0, read = p->nruns - p->nunread;

	for (size_t i = 0; i < p->nruns; i++)
		with += p->runs[i].leaks_known;
	if (p->nruns == 1 && p->runs[0].leaks_known && !p->runs[0].sum)
		line_add(l, "Leak check, %s s after %s:",
			 number_seconds(n, p->runs[0].leak_check),
			 conditions_since(p));
	else if (p->leaks_all)
		line_add(l, "Leak checks of all runs:");
	else if (with < read)
		line_add(l,
			 "Leak checks of %zu of the %zu files; what is lost "
			 "in the other files is unknown:",
			 with, read);
	else
		line_add(l, "Leak checks of some of the runs; what is lost "
			    "in the other runs is unknown:");
	line_end(l);
	line_end(l);
}

static void
leaks_check_summary(struct tables *t, unsigned kinds)
{
	const struct leak *a = &t->p->leak;
	char buf[NUMBER_SIZE];
	bool others = false;

	when(t);
	line_say(&t->line, "%14s %10s", "bytes", "blocks");
	for (int i = 0; i < PROFILE_NLEAK; i++) {
		line_right(&t->line, 14, tables_bytes(t, buf, a->bytes[i]));
		line_add(&t->line, " ");
		line_right(&t->line, 10, number_count(buf, a->blocks[i]));
		line_say(&t->line, "   %-9s  %s", kinds_of[i].name,
			 kinds_of[i].means);
		others |= a->blocks[i] && !(kinds >> i & 1);
	}
	if (t->p->nleak_notes) {
		line_end(&t->line);
		tables_leak_notes(t);
	}
	if (!others)
		return;
	line_end(&t->line);
	tables_say(t, "--leaks=all shows the paths of all kinds.");
}

/* --------------------------------------------------------- paths of one -- */

/* Columns; HOLDING: the column of blocks held by lost blocks, if known. */
enum { KIND_BYTES, KIND_BLOCKS, HOLDS_BYTES };
enum { HOLDING = 1 };

static void
leaks_check_get(const struct grid *g, const void *row, unsigned at,
		struct grid_cell *c)
{
	const struct entries *e = g->arg;
	const struct entry *r = row;

	c->n = at == HOLDS_BYTES ? r->path->leak->holds.bytes
	       : at == KIND_BLOCKS ? r->part_blocks
				   : r->part;
	c->of = at == KIND_BYTES ? e->all.part : 0;
}

static const char *
leaks_check_head(const struct grid *g, size_t column)
{
	const struct entries *e = g->arg;

	(void)column;
	for (int k = 0; k < PROFILE_NLEAK; k++)
		if (e->omitted == kinds_of[k].name)
			return kinds_of[k].head;
	return NULL;
}

static const struct grid_column columns[] = {
	COLUMN(NULL, BYTES, 15, leaks_check_get, KIND_BYTES,
	       "share of all bytes of the kind", .share = 4, .term = "(%)"),
	COLUMN("blocks", COUNT, 10, leaks_check_get, KIND_BLOCKS, NULL),
	COLUMN("holds", BYTES, 10, leaks_check_get, HOLDS_BYTES,
	       "bytes that only these lost blocks lead to; they count in the "
	       "order of the rows",
	       .with = HOLDING),
	NAME(" path", "   ", entry_put_typed, LEGEND_PATH, .term = "path"),
};

static const struct legend legend = {
	.about = "The live blocks that the leak check found, by call path.",
	.indent = 11,
	.terms = {
		{ "lost", "no pointer to the block, or into it, was found: "
			  "the program can't free it any more" },
		{ "indirect", "only lost blocks point to the block" },
		{ "interior", "the block can be reached, but on each way a "
			      "pointer points into a block, not to its start" },
		{ "reachable", "pointers to the starts of blocks lead to the "
			       "block" },
	},
	.notes = { legend_percent },
};

static const struct entries_view view = {
	ENTRIES_COLUMNS(columns),
	.any = { ENTRY_AT(part_blocks) },
	.by = { ENTRY_AT(part), ENTRY_AT(part_blocks) },
	.share = { ENTRY_AT(part), ENTRY_AT(save) },
};

/* The bytes of a site by kind. */
#define KIND(with, ID, name, words, note) \
	static uint64_t leaks_check_##name(const struct profile *p, size_t i) \
	{ \
		const struct leak *a = p->sites[i].leak; \
\
		return a ? a->bytes[PROFILE_##ID] : 0; \
	}
MEASURES_KINDS(KIND, )
#undef KIND
static origins_figure *const bytes_of[] = {
#define KIND(with, ID, name, words, note) [PROFILE_##ID] = leaks_check_##name,
	MEASURES_KINDS(KIND, )
#undef KIND
};

/* Print the section of a kind: all paths. */
static int
leaks_check_section(struct tables *t, const struct entries *all, int k)
{
	bool holding = k == PROFILE_LOST && t->p->holds_known &&
		       t->p->leak.blocks[PROFILE_INDIRECT];
	struct entries e;
	struct grid g;

	entries_init(&e, t, all->n);
	e.omitted = kinds_of[k].name;
	e.typed = bytes_of[k];
	e.paths = &all->own;
	for (; e.n < all->n; e.n++) {
		e.v[e.n] = all->v[e.n];
		e.v[e.n].part = e.v[e.n].path->leak->bytes[k];
		e.v[e.n].part_blocks = e.v[e.n].path->leak->blocks[k];
		/* Rows are sorted and chosen by lost and held bytes. */
		e.v[e.n].save =
			amount_add(e.v[e.n].part,
				   holding ? e.v[e.n].path->leak->holds.bytes
					   : 0);
		e.v[e.n].rank = -(double)e.v[e.n].save;
	}
	entries_arrange(&e, &view, &g);
	g.with |= holding ? HOLDING : 0;
	g.head = leaks_check_head;
	if (e.n + e.hidden) {
		line_end(&t->line);
		entries_print(&e, &g, false);
	}
	return 0;
}

/* ---------------------------------------------------------- suppressions -- */

static void
put_pattern(const struct grid *g, const void *row)
{
	const struct suppression *s = row;

	if (s->pattern)
		line_add(&g->t->line, "leak:%s", s->pattern);
	else
		line_add(&g->t->line, "built in: what %s", AMOUNT_BUILT_IN);
}

/* Columns that are printed only if there was a leak check. */
enum { LEAKED = 1 };

static const struct grid_column suppressed[] = {
	MEMBER("kept bytes", BYTES, 14, suppression, bytes, NULL),
	MEMBER("blocks", COUNT, 11, suppression, blocks, NULL),
	MEMBER("leaked bytes", BYTES, 15, suppression, leaked_bytes, NULL,
	       .with = LEAKED),
	MEMBER("blocks", COUNT, 11, suppression, leaked_blocks, NULL,
	       .with = LEAKED),
	NAME("pattern", "   ", put_pattern, NULL),
};

void
leaks_suppressed(struct tables *t)
{
	const struct profile *p = t->p;
	struct grid g;

	if (!p->nsuppressions)
		return;
	line_end(&t->line);
	tables_say(t, "Suppressions used:");
	line_end(&t->line);
	GRID_INIT(&g, t, suppressed);
	g.with = p->leaks_known ? LEAKED : 0;
	grid_print(&g, &(struct grid_rows){
			       GRID_ROWS(p->suppressions, p->nsuppressions) });
}

int
leaks_check(struct tables *t, unsigned kinds)
{
	struct entries all;
	int status = 0;

	entries_of_paths(&all, t, PATHS_LEAKS);
	leaks_check_summary(t, kinds);
	for (int k = 0; k < PROFILE_NLEAK && !status; k++)
		if (kinds >> k & 1)
			status = leaks_check_section(t, &all, k);
	if (!status && !(t->o->kinds & OPTIONS_KEPT))
		leaks_suppressed(t);
	if (!status)
		GRID_LEGEND(t, columns, &legend);
	return status;
}
