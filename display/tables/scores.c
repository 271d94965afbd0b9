/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The heap scores: how well the blocks of each call path, function and type
 * were used, after Memoro (ISMM 2018, section 4.1).
 */
#include "display/tables/advice.h"
#include "display/grid/entries.h"
#include "display/grid/view.h"

#include <inttypes.h>

/* A column for functions and types only: paths have advice below them. */
enum { FLAG = 1 };

/* Set the cell to the flag with most bytes, for a function or a type. */
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
	       "bytes x (1 - mean), the order of the rows and not a promise; "
	       "the mean is the geometric mean of those of lifetime, usage "
	       "and useful that are known"),
	FIGURE("severity", COUNT, 10, SEVERITY,
	       "the same mean in twelve steps, from 1, good, to 12, bad; a "
	       "score below 0.01 counts as 0.01"),
	FIGURE("lifetime", SCORE, 10, LIFETIME,
	       "near 0: blocks come and go, and few live at a time; 1: they "
	       "all live together.  Allocations without a long pause between "
	       "them are a group: sum of lifetimes / (blocks x time from the "
	       "group's first allocation to its last free); the mean of the "
	       "row's groups.  -: more than a tenth of the groups have "
	       "several blocks and last less than 4 steps of the clock"),
	FIGURE("usage", SCORE, 8, USAGE,
	       "the share of each block from the first to the last byte "
	       "accessed, at most: a granule of 16 bytes counts as a whole "
	       "if one byte of it was accessed, so blocks of up to 16 bytes "
	       "have 0 or 1; a block that was never read, or never written, "
	       "counts as 0"),
	FIGURE("useful", SCORE, 8, USEFUL,
	       "time from the first to the last access / lifetime, the mean "
	       "of the blocks; never accessed: 0; -: the mean lifetime is "
	       "less than 4 steps of the clock"),
	FIGURE("cover", SCORE, 8, COVER,
	       "as usage, but only the granules that were accessed count: "
	       "the bytes accessed cover at most this share"),
	FIGURE_OWN("blocks", COUNT, 11, USE_BLOCKS,
		   "blocks that were freed, or live at the end; a reallocated "
		   "block counts once",
		   .term = "blocks bytes", .error = true),
	FIGURE_OWN("bytes", BYTES, 12, USE_BYTES, NULL, .error = true),
	COLUMN("flag", LEFT, 0, get_flag, 0, NULL, .with = FLAG,
	       .before = "   "),
	NAME(NULL, "   ", entry_put, NULL),
};

static const struct legend legend = {
	.about = "How well blocks were used: by call path, by the function "
		 "that called malloc or a similar function, and by type.  "
		 "Scores are from 0, bad, to 1, good, and truncated; <.01 is "
		 "more than 0.",
	.terms = {
		{ "program", "geometric means over all sites (call paths), "
			     "and the variance" },
		{ "flag", "a fault in the use of the blocks, with its share "
			  "of the bytes; functions and types have only the "
			  "first flag, paths have all:" },
		{ "unused", "neither read nor written" },
		{ "write-only", "written, never read; read-only: read, never "
				"written" },
		{ "short-lived", "lived less than 0.1% of the run until "
				 "then, or less than a step of the clock" },
		{ "early", "no access in the first half of the life: "
			   "allocate later; late: no access in the last "
			   "half: free earlier; neither if useful is unknown" },
		{ "growing", "one of 4 or more allocations, each larger than "
			     "the block before and in its place" },
		{ "shared", "accessed by several threads" },
		{ "low cover", "less than half of the bytes were accessed" },
		{ "top bytes", "the site is in the top tenth by the most "
			       "bytes live at once: the larger of its bytes "
			       "at the peak and its mean block (all bytes if "
			       "the peak is unknown); top blocks: by blocks" },
		{ "turnover", "how many blocks were live at a time" },
		{ "passed", "passed to unrecorded code: the blocks have no "
			    "score except lifetime" },
	},
	.notes = { legend_granules,
		   "Times are in steps of a clock; the longest step is above "
		   "the table.  Events within one step count as "
		   "simultaneous, and a life within one step is 0." },
};

static const char legend_samples[] =
	"Samples don't know which blocks were live at a time, so the lifetime "
	"score is missing, the score is the mean of usage and useful, and no "
	"block is growing.  A reallocated block ends, another begins, and "
	"how both were used is unknown.  The error of usage and cover is at "
	"most the error of the bytes, and the error of useful and of shares "
	"of blocks at most the error of the blocks: +-3% is 0.03 of a score.";

static bool
used(const struct entry *r)
{
	return r->use && r->use->blocks;
}

static void
scores_advise(const struct grid *g, const void *row)
{
	const struct entry *r = row;

	if (r->path)
		advice_print(g->t, r->use, &r->score);
}

/* The key to sort by; rows with unknown scores come last. */
static double
rank(double score, bool known)
{
	return known ? score : 2;
}

/* Sort the rows by the key of --sort, worst first, and print them. */
static void
scores_section(struct entries *e)
{
	/* A row needs many bytes, or many bytes to save. */
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
	if (key == OPTIONS_BY_KEPT)
		view.by[0] = ENTRY_AT(kept);
	for (size_t i = 0; i < e->n; i++) {
		const struct score *s = &e->v[i].score;

		e->v[i].rank = key == OPTIONS_BY_SEVERITY ? s->severity
			       : key == OPTIONS_BY_LIFETIME
				       ? rank(s->lifetime, s->lived)
			       : key == OPTIONS_BY_USAGE ? s->usage
			       : key == OPTIONS_BY_USEFUL
				       ? rank(s->useful, s->timed)
				       : 0;
	}
	e->top = e->t->o->scores_rows;
	entries_arrange(e, &view, &g);
	g.head = entries_noun;
	g.after = scores_advise;
	g.with = e->paths ? 0 : FLAG;
	entries_print(e, &g, false);
}

enum program_figure { MEAN, VARIANCE, SITES };

/* Print a figure of each score; "-" if no site has the score. */
static void
program_row(struct line *l, const struct profile *p, const char *name,
	    enum program_figure what)
{
	char buf[NUMBER_SIZE];

	line_left(l, 20, name);
	for (int k = 0; k < 3; k++) {
		if (!p->program[k].sites)
			snprintf(buf, sizeof buf, "-");
		else if (what == SITES)
			snprintf(buf, sizeof buf, "%" PRIu64,
				 p->program[k].sites);
		else
			number_score(buf, what == MEAN
						  ? p->program[k].mean
						  : p->program[k].variance);
		line_right(l, k ? 8 : 10, buf);
	}
	line_end(l);
}

/* Print the scores of the program. */
static void
scores_program(struct tables *t)
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
		tables_say(t, "The data are of several runs, so each site "
			      "has its own groups; the lifetime of a row is "
			      "the mean of all.");
	if (p->uses_joined) {
		line_several(l, p->uses_joined, "call path");
		line_say(l, " share their scores with others: accesses were "
			    "counted by the innermost functions of a call "
			    "path, 8 at most.  memmon --full-chains counts "
			    "by whole call paths.");
	}
	line_say(l, "%-20s%10s%8s%8s", "", "lifetime", "usage", "useful");
	program_row(l, p, "geometric mean", MEAN);
	program_row(l, p, "variance", VARIANCE);
	if (p->program[0].sites < n || p->program[2].sites < n)
		program_row(l, p, "sites", SITES);
	line_end(l);
}

/* Are the accesses to blocks of any type known? */
static bool
typed(const struct profile *p)
{
	for (size_t i = 0; i < p->ntypes; i++)
		if (*p->types[i].name && p->types[i].use.blocks)
			return true;
	return false;
}

static void
scores_heading(struct tables *t, const char *text)
{
	line_end(&t->line);
	line_end(&t->line);
	tables_rule(t, text);
	line_end(&t->line);
}

static int
scores_table(struct tables *t)
{
	struct entries path, function, type;

	entries_of_paths(&path, t, PATHS_USES);
	entries_init(&function, t, t->nodes.ndirect + 1);
	entries_init(&type, t, t->p->ntypes);
	scores_program(t);
	scores_section(&path);
	entries_add_functions(&function, &path.own);
	scores_heading(t, "Heap Scores by Function");
	scores_section(&function);
	if (typed(t->p)) {
		entries_add_types(&type);
		scores_heading(t, "Heap Scores by Type");
		scores_section(&type);
	}
	GRID_LEGEND(t, columns, &legend);
	if (t->p->sample.rate)
		legend_note(t, legend_samples);
	if (t->o->screen && !t->o->fields) {
		line_end(&t->line);
		tables_say(t, "More: --fields, each member's reads "
			      "and writes; bytes that are never read");
	}
	return 0;
}

int
scores_print(struct tables *t)
{
	const struct profile *p = t->p;
	bool some = false;

	if (!tables_uses(t, "Heap Scores by Call Path"))
		return 0;
	for (size_t i = 0; i < p->nsites; i++)
		some |= p->sites[i].use && p->sites[i].use->blocks;
	if (!some) {
		tables_say(t, "The scores of no block are known.");
		return 0;
	}
	return scores_table(t);
}
