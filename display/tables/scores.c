/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The heap scores: how well the blocks of each call path, each function and
 * each type were used, after Memoro (ISMM 2018, section 4.1).
 */
#include "display/tables/advice.h"
#include "display/grid/entries.h"
#include "display/grid/notes.h"
#include "display/grid/view.h"
#include "display/text/amount.h"

#include <inttypes.h>

/* The column of functions and types, which have no advice below them. */
enum { FLAG = 1 };

static const char *
what(const struct grid *g, size_t column)
{
	const struct entries *e = g->arg;

	(void)column;
	return e->paths ? "path" : e->n && e->v[0].type ? "type" : "function";
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
	       "useful, as far as these are known): what is used badly, for "
	       "the order of the rows, and "
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
	       "are of all blocks of the row, whatever their site; -: more "
	       "than a tenth of the groups have several blocks and lasted "
	       "less than 4 steps of the clock"),
	FIGURE("usage", SCORE, 8, USAGE,
	       "the share of the bytes from the first to the last that was "
	       "touched of each block, at most: a granule of 16 bytes counts "
	       "whole if one byte of it was accessed, so blocks of up to 16 "
	       "bytes have 0 or 1; blocks that were never read, or never "
	       "written, are all unused"),
	FIGURE("useful", SCORE, 8, USEFUL,
	       "useful lifetime: time from first to last access / lifetime, "
	       "the mean of the blocks; never accessed: 0; -: the blocks' "
	       "mean lifetime is less than 4 steps of the clock"),
	FIGURE("cover", SCORE, 8, COVER,
	       "as usage, but only of the granules that were touched: the "
	       "blocks' bytes accessed cover at most this share"),
	FIGURE_OWN(
		"blocks", COUNT, 11, USE_BLOCKS,
		"what the scores are of: blocks that were freed, and those "
		"live at the end, each once however often it was reallocated",
		.term = "blocks bytes", .error = true),
	FIGURE_OWN("bytes", BYTES, 12, USE_BYTES, NULL, .error = true),
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
				 "program had run when they were freed, or "
				 "less than a step of the clock" },
		{ "early", "no access for more than half of their lives at "
			   "first: allocated early; late: at last, so freed "
			   "late; neither where useful isn't known" },
		{ "growing", "in a run of 4 or more allocations, each in place "
			     "of a smaller one that was freed or reallocated "
			     "for it" },
		{ "shared", "accessed by more than one thread" },
		{ "low cover", "accessed, but less than half of it" },
		{ "top bytes", "of a site that is in the top tenth by the most "
			       "bytes that it had live at once: at least its "
			       "bytes at the program's peak, and at least its "
			       "mean block (by all bytes if the peak isn't "
			       "known); top blocks: by blocks" },
		{ "turnover", "few are live at a time, as the lifetime says" },
	},
	.notes = { legend_granules,
		   "Times are in steps of a clock, the longest of which is "
		   "given above the table: what happens within one step "
		   "happens at the same time, and a life within one step is "
		   "0." },
};

static const char legend_samples[] =
	"Of samples, which were live at a time isn't known: there is no "
	"lifetime, the mean is that of usage and useful, and nothing is "
	"growing.  A block that is reallocated ends there and another begins, "
	"and how either was used isn't known.  The standard error of usage and "
	"cover is at most that of bytes, as a part of 1, and that of useful "
	"and of shares of blocks at most that of blocks: +-3% is 0.03.";

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

/* Rows whose score isn't known come last. */
static double
rank(double score, bool known)
{
	return known ? score : 2;
}

/* Sort them by what --sort asks for, the worst first, and print them. */
static void
section(struct entries *e)
{
	/* A row is worth it for its bytes, or for what there is to save. */
	struct entries_view view = {
		ENTRIES_COLUMNS(columns),
		.wanted = used,
		.by = { ENTRY_AT(save), ENTRY_AT(save), ENTRY_AT(use_bytes),
			ENTRY_AT(use_blocks) },
		.share = { ENTRY_AT(use_bytes), ENTRY_AT(save) },
	};
	enum options_sort key = e->t->o->sort;
	struct grid g;

	if (key == OPTIONS_BY_BYTES)
		view.by[0] = ENTRY_AT(use_bytes);
	if (key == OPTIONS_BY_BLOCKS)
		view.by[0] = ENTRY_AT(use_blocks);
	for (size_t i = 0; i < e->n; i++) {
		const struct score *s = &e->v[i].score;

		e->v[i].rank = key == OPTIONS_BY_SEVERITY   ? s->severity
			       : key == OPTIONS_BY_LIFETIME
				       ? rank(s->lifetime, s->lived)
			       : key == OPTIONS_BY_USAGE    ? s->usage
			       : key == OPTIONS_BY_USEFUL
				       ? rank(s->useful, s->timed)
				       : 0;
	}
	e->top = e->t->o->scores_rows;
	entries_arrange(e, &view, &g);
	g.head = what;
	g.after = advise;
	g.with = e->paths ? 0 : FLAG;
	entries_print(e, &g, false);
}

static char *
get_mean(char *buf, const struct profile *p, int k)
{
	return number_score(buf, p->program[k].mean);
}

static char *
get_variance(char *buf, const struct profile *p, int k)
{
	return number_score(buf, p->program[k].variance);
}

static char *
get_sites(char *buf, const struct profile *p, int k)
{
	snprintf(buf, NUMBER_SIZE, "%" PRIu64, p->program[k].sites);
	return buf;
}

/* What `get' makes of each score; -: it is known of no site. */
static void
program_row(struct line *l, const struct profile *p, const char *name,
	    char *(*get)(char *buf, const struct profile *p, int k))
{
	char buf[NUMBER_SIZE];

	line_left(l, 20, name);
	for (int k = 0; k < 3; k++)
		line_right(l, k ? 8 : 10,
			   p->program[k].sites ? get(buf, p, k) : "-");
	line_end(l);
}

/* The scores of the program. */
static void
program(struct tables *t)
{
	const struct profile *p = t->p;
	struct line *l = &t->line;
	char buf[NUMBER_SIZE];
	uint64_t n = p->sample.rate ? 0 : p->program_sites;

	line_add(l, "program, ");
	line_several(l, p->program_sites, "site");
	line_add(l, "; granule 16 bytes, clock step %s",
		 number_time(buf, p->step));
	if (p->tau && !p->sample.rate)
		line_add(l, ", pause between groups %s",
			 number_time(buf, p->tau));
	line_end(l);
	if (p->groups_apart)
		tables_say(t, "There are several runs, so groups are of one "
			      "site each: lifetimes of several sites are means "
			      "over theirs.");
	if (p->uses_joined) {
		line_several(l, p->uses_joined, "call path");
		line_say(l, " have scores only together with others: accesses "
			    "were counted by the innermost functions of a "
			    "call path, 8 at most.  Whole call paths: memmon "
			    "--full-chains.");
	}
	line_say(l, "%-20s%10s%8s%8s", "", "lifetime", "usage", "useful");
	program_row(l, p, "geometric mean", get_mean);
	program_row(l, p, "variance", get_variance);
	if (p->program[0].sites < n || p->program[2].sites < n)
		program_row(l, p, "sites", get_sites);
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

static void
heading(struct tables *t, const char *text)
{
	line_end(&t->line);
	line_end(&t->line);
	tables_say(t, text);
	line_end(&t->line);
}

static int
print(struct tables *t)
{
	struct entries path = { 0 }, function = { 0 }, type = { 0 };
	struct grid g;
	int status = -1;

	if (!entries_of_paths(&path, t, PATHS_USES) &&
	    !entries_init(&function, t, t->nodes.ndirect + 1) &&
	    !entries_init(&type, t, t->p->ntypes)) {
		program(t);
		section(&path);
		entries_add_functions(&function, &path.own);
		heading(t, "--------- Heap Scores by Function ------------");
		section(&function);
		if (typed(t->p)) {
			entries_add_types(&type);
			heading(t, "--------- Heap Scores by Type "
				   "------------");
			section(&type);
		}
		GRID_INIT(&g, t, columns);
		grid_legend(&g, &legend);
		if (t->p->sample.rate)
			legend_note(t, legend_samples);
		status = 0;
	}
	entries_fini(&path);
	entries_fini(&function);
	entries_fini(&type);
	return status;
}

int
scores_print(struct tables *t)
{
	const struct profile *p = t->p;
	bool some = false;

	if (!tables_uses(t, "--------- Heap Scores by Call Path ------------"))
		return 0;
	for (size_t i = 0; i < p->nsites; i++)
		some |= p->sites[i].use && p->sites[i].use->blocks;
	if (!some) {
		tables_say(t, "There is no block of which scores are known.");
		return 0;
	}
	return print(t);
}
