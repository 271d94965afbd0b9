/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The heap scores: how well the blocks of each call path, each function and
 * each type were used, after Memoro (ISMM 2018, section 4.1).
 */
#define _GNU_SOURCE
#include "display/tables/advice.h"
#include "display/grid/entries.h"
#include "display/grid/notes.h"
#include "display/grid/view.h"
#include "display/text/amount.h"

#include <inttypes.h>
#include <stdlib.h>

/* The column of functions and types, which have no advice below them. */
enum { FLAG = 1 };

/* A section: its entries, what they are of, and their sums. */
struct section {
	struct entries e;
	const char *what;
	uint64_t bytes, save;
};

static const char *
what(const struct grid *g, size_t column)
{
	const struct section *s = g->arg;

	(void)column;
	return s->what;
}

/* What goes for the most bytes of several blocks that are alike. */
static void
get_flag(const struct grid *g, const void *row, unsigned at,
	 struct grid_cell *c)
{
	const struct entry *r = row;

	(void)at;
	c->text = r->name ? advice_first(g->t, c->buf, r->use) : "";
}

static const struct grid_column columns[] = {
	FIGURE("save", BYTES, 10, SAVE,
	       "bytes x (1 - the geometric mean of lifetime, usage and "
	       "useful): what is used badly, for the order of the rows, and "
	       "no promise"),
	FIGURE("severity", COUNT, 10, SEVERITY,
	       "the same mean in twelve steps, from 1, fine, to 12, the "
	       "worst; a score under 0.01 counts as 0.01 in it"),
	FIGURE("lifetime", SCORE, 10, LIFETIME,
	       "0: blocks come and go, few are live at a time; 1: they live "
	       "as long as all that were allocated with them.  Allocations "
	       "without a long pause between them are a group: sum of "
	       "lifetimes / (blocks x time from the group's first "
	       "allocation to its last free); the mean of the groups, which "
	       "are of all blocks of the row, whatever their site"),
	FIGURE("usage", SCORE, 8, USAGE,
	       "the share of the bytes from the first to the last that was "
	       "touched of each block; blocks that were never read, or "
	       "never written, are all unused"),
	FIGURE("useful", SCORE, 8, USEFUL,
	       "useful lifetime: time from first to last access / lifetime, "
	       "the mean of the blocks; never accessed: 0"),
	FIGURE("cover", SCORE, 8, COVER,
	       "as usage, but of the bytes that were really touched, in "
	       "whole granules"),
	FIGURE("blocks", COUNT, 11, USE_BLOCKS,
	       "what the scores are of: blocks that were freed, and those "
	       "live at the end, each once however often it was reallocated",
	       .term = "blocks bytes"),
	FIGURE("bytes", BYTES, 12, USE_BYTES, NULL),
	COLUMN("flag", LEFT, 0, get_flag, 0, NULL, .with = FLAG,
	       .before = "   "),
	NAME(NULL, "   ", entry_put, NULL),
};

static const struct legend legend = {
	.about = "How well memory was used: by the functions that were active "
		 "when it was allocated, by the function that called malloc or "
		 "its like, and by type.  Scores are from 0, bad, to 1, good; "
		 "they are cut, not rounded, and <.01 is more than 0.",
	.indent = 13,
	.terms = {
		{ "program", "geometric means over all sites (call chains), "
			     "and how far these are apart" },
		{ "flag", "the first of what stands out in the blocks, with "
			  "the share of their bytes; below a path are all:" },
		{ "unused", "neither read nor written" },
		{ "write-only", "written, but never read; read-only: the "
				"other way round" },
		{ "short-lived", "lived less than 0.1% of the time that the "
				 "program had run when they were freed" },
		{ "early", "no access for more than half of their lives at "
			   "first: allocated early; late: at last, so freed "
			   "late" },
		{ "growing", "in a run of 4 or more allocations, each in place "
			     "of a smaller one that was freed or reallocated "
			     "for it" },
		{ "shared", "accessed by more than one thread" },
		{ "low cover", "accessed, but less than half of it" },
		{ "top bytes", "of a site that is in the top tenth by bytes at "
			       "the peak, or by all bytes if the peak isn't "
			       "known; top blocks: by blocks" },
		{ "turnover", "few are live at a time, as the lifetime says" },
	},
	.notes = { legend_granules,
		   "Times are in steps of a clock, the longest of which is "
		   "above the table: what happens within one step is at the "
		   "same time, and a life within one step is 0." },
};

#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))

/* The order that --sort asks for, the worst first. */
static int
compare_by(const struct entry *a, const struct entry *b, enum options_sort key)
{
	switch (key) {
	case OPTIONS_BY_SEVERITY:
		return ORDER(a->score.severity, b->score.severity);
	case OPTIONS_BY_BYTES:
		return ORDER(b->use->bytes, a->use->bytes);
	case OPTIONS_BY_BLOCKS:
		return ORDER(b->use->blocks, a->use->blocks);
	case OPTIONS_BY_LIFETIME:
		return ORDER(a->score.lifetime, b->score.lifetime);
	case OPTIONS_BY_USAGE:
		return ORDER(a->score.usage, b->score.usage);
	case OPTIONS_BY_USEFUL:
		return ORDER(a->score.useful, b->score.useful);
	case OPTIONS_BY_SAVE:
	default:
		return ORDER(b->save, a->save);
	}
}

static int
compare(const void *va, const void *vb, void *key)
{
	const struct entry *a = va, *b = vb;
	int c = a->rest - b->rest;

	if (!c)
		c = compare_by(a, b, *(const enum options_sort *)key);
	if (!c)
		c = ORDER(b->save, a->save);
	if (!c)
		c = ORDER(b->use->bytes, a->use->bytes);
	if (!c)
		c = ORDER(b->use->blocks, a->use->blocks);
	if (c)
		return c;
	if (a->path && b->path)
		return paths_compare(a->path, b->path);
	return ORDER(a->place, b->place);
}

/* Is it worth a row?  For its bytes, or for what there is to save. */
static bool
worth(const void *row, size_t place, void *arg)
{
	const struct section *s = arg;
	const struct tables *t = s->e.t;
	const struct entry *r = row;

	if (r->rest)
		return true;
	if (t->o->scores_rows)
		return place < t->o->scores_rows;
	return tables_worth(t, r->use->bytes, s->bytes) ||
	       (r->save && tables_worth(t, r->save, s->save));
}

static bool
used(const struct entry *r)
{
	return r->use && r->use->blocks;
}

static void
advise(const struct grid *g, const void *row)
{
	const struct entry *r = row;

	if (r->path)
		advice_print(g->t, r->use, &r->score);
}

/* Sort them, leave what is worth a row, and print that. */
static void
section(struct section *s)
{
	enum options_sort key = s->e.t->o->sort;
	struct entries *e = &s->e;
	struct grid g;

	entries_keep(e, used);
	for (size_t i = 0; i < e->n; i++) {
		s->bytes = amount_add(s->bytes, e->v[i].use->bytes);
		s->save = amount_add(s->save, e->v[i].save);
	}
	if (e->n)
		qsort_r(e->v, e->n, sizeof *e->v, compare, &key);
	entries_leave(e, e->t->o->scores_rows, worth);
	GRID_INIT(&g, e->t, columns);
	g.head = what;
	g.after = advise;
	g.with = e->paths ? 0 : FLAG;
	entries_print(e, &g, false);
}

/* The scores of the program. */
static void
program(struct tables *t)
{
	const struct profile *p = t->p;
	struct line *l = &t->line;
	char buf[NUMBER_SIZE];
	bool some = p->program_sites;

	line_add(l, "program, %" PRIu64 " site%s; ", p->program_sites,
		 p->program_sites == 1 ? "" : "s");
	line_add(l, "granule 16 bytes, clock step %s",
		 number_time(buf, p->step));
	if (p->tau)
		line_add(l, ", pause between groups %s",
			 number_time(buf, p->tau));
	line_end(l);
	if (p->groups_apart)
		tables_say(t, "There are several runs, so groups are of one "
			      "site each: lifetimes of several sites are means "
			      "over theirs.");
	line_say(l, "%-20s%10s%8s%8s", "", "lifetime", "usage", "useful");
	line_left(l, 20, "geometric mean");
	for (int i = 0; i < 3; i++)
		line_right(l, i ? 8 : 10,
			   some ? number_score(buf, p->program[i].mean) : "-");
	line_end(l);
	line_left(l, 20, "variance");
	for (int i = 0; i < 3; i++)
		line_right(l, i ? 8 : 10,
			   some ? number_score(buf, p->program[i].variance)
				: "-");
	line_end(l);
	line_end(l);
}

/* Is there a type of which it is known how its blocks were used? */
static bool
typed(const struct profile *p)
{
	for (size_t i = 0; i < p->ntypes; i++)
		if (*p->types[i].name && p->types[i].use.blocks)
			return true;
	return false;
}

static int
print(struct tables *t, struct paths *all)
{
	struct section path = { .what = "path" },
		       function = { .what = "function" },
		       type = { .what = "type" };
	struct line *l = &t->line;
	struct grid g;
	int status = -1;

	if (!paths_init(all, t, PATHS_USES) &&
	    !entries_init(&path.e, t, all->n) &&
	    !entries_init(&function.e, t, t->sort.ndirect + 1) &&
	    !entries_init(&type.e, t, t->p->ntypes)) {
		program(t);
		entries_add_paths(&path.e, all);
		section(&path);
		entries_add_functions(&function.e, all);
		line_end(l);
		line_end(l);
		tables_say(t, "--------- Heap Scores by Function ------------");
		line_end(l);
		section(&function);
		if (typed(t->p)) {
			entries_add_types(&type.e);
			line_end(l);
			line_end(l);
			tables_say(t, "--------- Heap Scores by Type "
				      "------------");
			line_end(l);
			section(&type);
		}
		GRID_INIT(&g, t, columns);
		grid_legend(&g, &legend);
		status = 0;
	}
	entries_fini(&path.e);
	entries_fini(&function.e);
	entries_fini(&type.e);
	return status;
}

int
scores_print(struct tables *t)
{
	const struct profile *p = t->p;
	struct paths all = { 0 };
	bool some = false;
	int status;

	tables_title(t, "--------- Heap Scores by Call Path ------------");
	if (!amount_allocs(&p->total)) {
		tables_nothing(t);
		return 0;
	}
	if (!p->uses_known) {
		tables_no_uses(t);
		return 0;
	}
	tables_use_notes(t);
	for (size_t i = 0; i < p->nsites; i++)
		some |= p->sites[i].use && p->sites[i].use->blocks;
	if (!some) {
		tables_say(t, "There is no block of which scores are known.");
		return 0;
	}
	status = print(t, &all);
	paths_fini(&all);
	return status;
}
