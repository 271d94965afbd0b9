/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The memory: lines that add up to the resident memory. */
#include "display/grid/grid.h"
#include "display/grid/notes.h"
#include "display/grid/view.h"
#include "display/tables/memory.h"
#include "display/text/amount.h"

#include <string.h>

enum { ROWS_MAX = 20 };

static void
get_bytes(const struct grid *g, const void *row, unsigned at,
	  struct grid_cell *c)
{
	const struct memory_line *x = row;

	(void)at;
	c->n = x->bytes;
	c->of = memory_bytes(g->t->p, "resident");
}

static void
put(const struct grid *g, const void *row)
{
	tables_name(g->t, ((const struct memory_line *)row)->means);
}

static const struct grid_column columns[] = {
	COLUMN("bytes", BYTES, 14, get_bytes, 0,
	       "bytes in memory (RAM); what is in swap space or was never "
	       "touched isn't"),
	COLUMN("% RSS", TENTHS, 8, get_bytes, 0, "share of the resident memory",
	       .before = " "),
	NAME("what", "   ", put, NULL),
};

static const struct legend legend = {
	.about = "Where the memory of the process was when the data file was "
		 "written.  The lines add up to what the kernel counts as "
		 "resident (RSS).",
	.indent = 11,
	.terms = {
		{ "without", "an allocator can return pages without a live "
			     "block (glibc: malloc_trim(0))" },
		{ "with", "pages with live blocks stay until all blocks on "
			  "them are freed" },
		{ "other", "private memory from mmap and the like, mapped by "
			   "the program; or by an allocator, if no live block "
			   "is in the mapping" },
		{ "memmon", "the library, and the memory for its counts" },
	},
};

uint64_t
memory_bytes(const struct profile *p, const char *name)
{
	for (size_t i = 0; i < p->nmemory; i++)
		if (!strcmp(p->memory[i].name, name))
			return p->memory[i].bytes;
	return 0;
}

static bool
is_partial(const struct run *r)
{
	return r->attached || r->forked || r->off || r->off_time ||
	       r->was_reset || r->own;
}

const char *
memory_partial(const struct profile *p)
{
	if (p->sample.rate)
		return "only samples were recorded";
	if (p->lost)
		return "some blocks could not be recorded";
	for (size_t i = 0; i < p->nruns; i++)
		if (is_partial(&p->runs[i]))
			return "blocks from before the recording, or from a "
			       "pause, are not known";
	return NULL;
}

bool
memory_mapped_known(const struct profile *p)
{
	return p->mappings_known && !p->snapshot.other && !p->filter.part;
}

uint64_t
memory_mapped(const struct profile *p)
{
	uint64_t sum = 0;

	if (!memory_mapped_known(p))
		return 0;
	for (size_t i = 0; i < p->nmappings; i++)
		sum += p->mappings[i].resident;
	return sum;
}

const char *
memory_most(const struct profile *p, uint64_t *bytes)
{
	static const struct {
		const char *line, *more, *words;
	} of[] = {
		{ "pages", "parts", "free in malloc" },
		{ "mapped", "", "other private" },
		{ "files", "", "files" },
		{ "shared", "", "shared" },
		{ "stacks", "", "stacks" },
		{ "own", "", "memmon" },
	};
	const char *words = NULL;

	*bytes = 0;
	for (size_t i = memory_partial(p) ? 1 : 0; i < sizeof of / sizeof of[0];
	     i++) {
		uint64_t n = memory_bytes(p, of[i].line) +
			     memory_bytes(p, of[i].more);

		if (n <= *bytes)
			continue;
		*bytes = n;
		words = of[i].words;
		/* Nearly all of it is known; some may be in other lines. */
		if (strcmp(of[i].line, "mapped") != 0 ||
		    memory_mapped(p) < n / 10 * 9)
			continue;
		*bytes = memory_mapped(p);
		words = "mapped";
	}
	/* Else something that isn't known has more. */
	return *bytes >= amount_sub(memory_bytes(p, "resident"),
				    memory_bytes(p, "asked")) /
				       2
		       ? words
		       : NULL;
}

/* Of the allocator, those lines that need all live blocks. */
static bool
needs_blocks(const struct memory_line *x)
{
	return !strcmp(x->name, "live") || !strcmp(x->name, "rounded") ||
	       !strcmp(x->name, "pages") || !strcmp(x->name, "parts");
}

/* The rows; how many. */
static size_t
rows_make(const struct profile *p, struct memory_line *row)
{
	bool partial = memory_partial(p) != NULL;
	size_t n = 0;

	for (size_t i = 0; i < p->nmemory && n < ROWS_MAX; i++) {
		const struct memory_line *x = &p->memory[i];

		if (partial && !strcmp(x->name, "heap"))
			row[n++] = (struct memory_line){
				.bytes = x->bytes,
				.means = "the allocator: live blocks and free "
					 "memory"
			};
		else if (x->part && x->bytes && !(partial && needs_blocks(x)))
			row[n++] = *x;
	}
	return n;
}

/* When, and in how many files. */
static void
head(struct tables *t)
{
	const struct profile *p = t->p;
	struct line *l = &t->line;
	char n[NUMBER_SIZE];
	size_t known = 0;

	for (size_t i = 0; i < p->nruns; i++)
		known += p->runs[i].memory_known;
	if (p->nruns == 1 && !p->runs[0].sum)
		line_say(l, "When the file was written, %s s after %s:",
			 number_seconds(n, p->runs[0].length),
			 conditions_since(p));
	else
		line_say(l, "All of %zu files together (%zu of %zu have it):",
			 p->nruns, known, p->nruns);
	line_end(l);
}

/* Blocks that aren't in memory, and swap space. */
static void
tail(struct tables *t)
{
	const struct profile *p = t->p;
	uint64_t swapped = memory_bytes(p, "swapped");
	uint64_t away =
		amount_sub(memory_bytes(p, "asked"), memory_bytes(p, "live"));
	const char *partial = memory_partial(p);
	char n[NUMBER_SIZE];

	line_end(&t->line);
	if (memory_mapped(p))
		line_say(&t->line,
			 "The program mapped %s bytes of it by itself: "
			 "--memory=mapped.",
			 tables_bytes(t, n, memory_mapped(p)));
	if (partial)
		line_say(&t->line,
			 "The allocator's memory isn't divided further: %s.",
			 partial);
	else if (away)
		line_say(&t->line,
			 "Of the live blocks, %s bytes more are not in memory: "
			 "never touched, or in swap space.",
			 tables_bytes(t, n, away));
	if (swapped)
		line_say(&t->line, "In swap space: %s bytes.",
			 tables_bytes(t, n, swapped));
}

int
memory_print(struct tables *t)
{
	const struct profile *p = t->p;
	struct memory_line row[ROWS_MAX];
	struct memory_line total = { .bytes = memory_bytes(p, "resident"),
				     .means = "<TOTAL>" };
	struct grid g;

	tables_title(t, "--------- Memory of the Process ------------");
	if (!p->nmemory) {
		tables_unknown(t, "Where the memory was");
		return 0;
	}
	head(t);
	GRID_INIT(&g, t, columns);
	grid_print(&g, &(struct grid_rows){ .v = row,
					    .n = rows_make(p, row),
					    .size = sizeof *row,
					    .total = &total });
	tail(t);
	grid_legend(&g, &legend);
	return 0;
}
