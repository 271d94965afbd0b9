/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cost of the allocator: its memory. */
#include "display/grid/grid.h"
#include "display/grid/paths.h"
#include "display/schema/schema_rows.h"
#include "display/tables/allocator.h"
#include "display/text/amount.h"
#include "reduce/base/sort.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------- the peak -- */

/* A part of the memory; of: the whole that it is a share of. */
struct part {
	const char *name;
	uint64_t bytes, of;
	bool unknown;
};

static void
get_part(const struct grid *g, const void *row, unsigned at,
	 struct grid_cell *c)
{
	const struct part *r = row;

	(void)g;
	c->n = r->bytes;
	c->unknown = r->unknown;
	if (at)
		c->of = r->of;
}

static void
put_part(const struct grid *g, const void *row)
{
	line_left(&g->t->line, 0, ((const struct part *)row)->name);
}

static const struct grid_column parts[] = {
	COLUMN("bytes", BYTES, 13, get_part, 0, NULL),
	COLUMN("%", TENTHS, 7, get_part, 1, NULL),
	NAME(NULL, "   ", put_part, NULL),
};

static const struct legend parts_legend = {
	.about =
		"The heap when it was largest, by usable size, to within 64 "
		"KB for each thread, or a 256th.  Near the peak: what is in "
		"memory was read when the heap was within an eighth of the "
		"peak.",
	.terms = {
		{ "asked for", "bytes of live blocks" },
		{ "rounded up", "usable bytes beyond that: internal "
				"fragmentation" },
		{ "unused", "freed memory that the allocator did not give "
			    "back to the kernel" },
		{ "by sizes", "the same, counted by size: blocks freed and "
			      "not allocated again" },
		{ "other", "in memory and none of these: never used, or "
			   "tables of the allocator" },
		{ "in memory", "resident pages of the allocator's mappings" },
		{ "mapped", "all mappings of the allocator" },
	},
};

/*
 * The sample of the peak.  If its resident memory is unknown, the nearest
 * sample with known resident memory, within an eighth.
 */
static const struct allocator_sample *
at_peak(const struct allocator *a)
{
	const struct allocator_sample *peak = &a->samples[a->peak], *s = peak;

	for (size_t i = 0; i < a->nsamples; i++) {
		const struct allocator_sample *x = &a->samples[i];

		if (x->resident != UINT64_MAX && x->usable != UINT64_MAX &&
		    (s->resident == UINT64_MAX || x->usable > s->usable))
			s = x;
	}
	return peak->resident != UINT64_MAX || s->resident == UINT64_MAX ||
			       s->usable < peak->usable - peak->usable / 8
		       ? peak
		       : s;
}

static const char *
head_part(const struct grid *g, size_t column)
{
	const struct allocator *a = g->t->p->allocator;

	(void)column;
	return g->arg == &a->samples[a->peak] ? "at the peak" : "near the peak";
}

static void
allocator_memory_print_peak(struct tables *t, const struct allocator_sample *s)
{
	uint64_t in = s->resident, no = UINT64_MAX;
	struct part v[] = {
		{ "asked for", s->requested, in, false },
		{ "rounded up", amount_sub(s->usable, s->requested), in,
		  false },
		{ "unused", s->unused, in, s->unused == no },
		{ "   by sizes", s->blowup, in, s->blowup == no },
		{ "other", amount_sub(in, amount_add(s->usable, s->unused)), in,
		  in == no || in < amount_add(s->usable, s->unused) },
		{ "in memory", in, in, in == no },
		{ "mapped", s->mapped, in, s->mapped == no },
	};
	struct grid g;

	for (size_t i = 0; i < sizeof v / sizeof *v; i++)
		if (in == no)
			v[i].of = 0;
	GRID_INIT(&g, t, parts);
	g.head = head_part;
	g.arg = s;
	grid_print(&g,
		   &(struct grid_rows){ GRID_ROWS(v, sizeof v / sizeof *v) });
	grid_legend(&g, &parts_legend);
}

/* ------------------------------------------------------------ over time -- */

static void
put_sample(const struct grid *g, const void *row)
{
	const struct allocator *a = g->t->p->allocator;
	size_t i;

	for (i = 0; i < a->nsamples; i++)
		if (a->samples[i].at ==
		    ((const struct allocator_sample *)row)->at)
			break;
	line_left(&g->t->line, 0,
		  i == a->peak && i == a->largest ? "peak, most held"
		  : i == a->peak		  ? "peak"
		  : i == a->largest		  ? "most held"
						  : "");
}

#define SAMPLE(title, how, columns, member, text) \
	MEMBER_MAX(title, how, columns, allocator_sample, member, text)
static const struct grid_column samples[] = {
	SAMPLE("time", SECONDS, 10, at, "after start"),
	SAMPLE("asked for", BYTES, 13, requested, NULL),
	SAMPLE("usable", BYTES, 13, usable, "asked for and rounded up"),
	SAMPLE("unused", BYTES, 13, unused, NULL),
	SAMPLE("by sizes", BYTES, 13, blowup, NULL),
	SAMPLE("in memory", BYTES, 13, resident, NULL),
	SAMPLE("mapped", BYTES, 13, mapped, NULL),
	NAME("", "   ", put_sample, NULL),
};

static const struct legend samples_legend = {
	.about = "The same as the heap grew.  peak: most usable bytes; most "
		 "held: most bytes that were not given back to the kernel.",
};

enum { SAMPLES = 16 };

static void
print_samples(struct tables *t)
{
	const struct allocator *a = t->p->allocator;
	struct allocator_sample v[SAMPLES + 2];
	size_t n = 0, every = (a->nsamples + SAMPLES - 1) / SAMPLES;

	for (size_t i = 0; i < a->nsamples; i++)
		if (i == a->peak || i == a->largest ||
		    (i % every == 0 && n < SAMPLES))
			v[n++] = a->samples[i];
	GRID_TABLE(t, samples, v, n, &samples_legend);
}

/* ---------------------------------------------------------------- sizes -- */

enum { ASKED, LOST, LIVE, FREE };

static void
allocator_memory_get_size(const struct grid *g, const void *row, unsigned at,
			  struct grid_cell *c)
{
	const struct allocator_size *s = row;

	c->n = at == ASKED ? number_mean(s->made.sum, s->made.n)
	       : at == LOST  ? amount_sub(amount_mul(s->usable, s->made.n),
					 s->made.sum)
	       : at == LIVE  ? s->live
			    : s->free;
	/* A row can have several sizes. */
	c->unknown = (at == LOST && s->usable > 65536) ||
		     ((at == LIVE || at == FREE) &&
		      g->t->p->allocator->look_at == UINT64_MAX);
}

static void
put_size(const struct grid *g, const void *row)
{
	const struct allocator_size *s = row;
	char text[NUMBER_SIZE];

	line_left(&g->t->line, 0, number_bytes(text, s->usable, false));
	if (s->usable > 65536)
		line_left(&g->t->line, 0, " and more");
}

static const struct grid_column sizes[] = {
	MEMBER("allocs", COUNT, 11, allocator_size, made.n,
	       "blocks of this usable size"),
	COLUMN("asked for", BYTES, 11, allocator_memory_get_size, ASKED,
	       "bytes asked for, on average"),
	COLUMN("rounded up", BYTES, 13, allocator_memory_get_size, LOST,
	       "usable bytes beyond that, in all these blocks"),
	COLUMN("live", COUNT, 11, allocator_memory_get_size, LIVE,
	       "blocks live near the peak"),
	COLUMN("unused", COUNT, 11, allocator_memory_get_size, FREE,
	       "blocks freed and not allocated again"),
	NAME("size", "   ", put_size, "usable, in bytes"),
};

static const struct legend sizes_legend = {
	.about = "The size classes of the allocator that the program used.",
};

SORT_BY(by_waste, struct allocator_size, SORT_DOWN(made.n) SORT_UP(usable))

static void
print_sizes(struct tables *t)
{
	const struct allocator *a = t->p->allocator;
	size_t n = t->o->verbosity == OPTIONS_VERBOSE || a->nsizes <= 20
			   ? a->nsizes
			   : 20;
	struct allocator_size *v = tables_room(t, a->nsizes, sizeof *v);

	memcpy(v, a->sizes, a->nsizes * sizeof *v);
	SORT(v, a->nsizes, by_waste);
	GRID_TABLE(t, sizes, v, n, NULL);
	if (n < a->nsizes)
		line_say(&t->line, "%zu sizes more, with --verbose.",
			 a->nsizes - n);
	GRID_LEGEND(t, sizes, &sizes_legend);
}

/* ---------------------------------------------------------------- lines -- */

static void
print_lines(struct tables *t)
{
	const struct allocator *a = t->p->allocator;
	char one[NUMBER_SIZE], two[NUMBER_SIZE], live[NUMBER_SIZE];

	if (a->look_at == UINT64_MAX || !a->lines)
		return;
	line_say(&t->line,
		 "Near the peak, %s bytes were live: the cache lines with "
		 "any of them are %s full, the pages %s.",
		 number_bytes(live, a->look_bytes, false),
		 number_share(one, a->look_bytes, amount_mul(a->lines, 64)),
		 number_share(two, a->look_bytes, amount_mul(a->pages, 4096)));
	if (a->guessed)
		line_say(&t->line,
			 "(The sizes of %s of these blocks are means of "
			 "their call paths.)",
			 number_count(one, a->guessed));
	line_say(&t->line,
		 "Of %s lines, %s contain blocks of several threads; in %s "
		 "of these a block is at an address of another thread's "
		 "former block.",
		 number_count(one, a->lines),
		 number_count(two, amount_add(a->active, a->passive)),
		 number_count(live, a->passive));
}

/* ------------------------------------------------------- shared lines -- */

static void
put_share(const struct grid *g, const void *row)
{
	const struct schema_share *r = row;

	if (r->lines.site)
		paths_print_chain(g->t, r->lines.site->leaf);
	else
		line_left(&g->t->line, 0, "(others)");
}

static const struct grid_column shares[] = {
	MEMBER_MAX("active", COUNT, 11, schema_share, lines.active,
		   "lines in which a block of another thread was live, too"),
	MEMBER_MAX("passive", COUNT, 11, schema_share, lines.passive,
		   "lines in which the block is at an address of another "
		   "thread's former block"),
	MEMBER_MAX("writes", COUNT, 13, schema_share, writes,
		   "writes to all blocks of the path; -: accesses weren't "
		   "recorded"),
	MEMBER_MAX("shared", COUNT, 11, schema_share, handed,
		   "blocks of the path that another thread accessed, in any "
		   "line"),
	NAME("call path", "   ", put_share,
	     "the path whose blocks are in "
	     "these lines"),
};

static const struct legend shares_legend = {
	.about = "Cache lines with blocks of several threads.  A block that "
		 "a thread writes to should have its own lines.",
};

/* Print cache lines with blocks of several threads. */
static int
print_shares(struct tables *t)
{
	const void *rows;
	struct grid g;
	size_t n, all;

	if (!t->p->allocator->nshares)
		return 0;
	if (schema_rows(t->schema, schema_table("allocator_shares"), &rows,
			&all))
		return -1;
	n = all < 20 || t->o->verbosity == OPTIONS_VERBOSE ? all : 20;
	line_end(&t->line);
	GRID_INIT(&g, t, shares);
	grid_print(&g,
		   &(struct grid_rows){ .v = rows,
					.n = n,
					.size = sizeof(struct schema_share) });
	if (n < all)
		line_say(&t->line, "%zu call paths more, with --verbose.",
			 all - n);
	grid_legend(&g, &shares_legend);
	return 0;
}

int
allocator_memory(struct tables *t)
{
	const struct allocator *a = t->p->allocator;

	if (!a->nsamples) {
		tables_say(t, t->p->nruns > 1
				      ? "The memory of several runs can't be "
					"added."
				      : "The allocator doesn't tell the "
					"sizes of its blocks, so its memory "
					"is unknown.");
		if (a->nsizes)
			print_sizes(t);
		return 0;
	}
	allocator_memory_print_peak(t, at_peak(a));
	tables_say(t, "");
	if (a->nsamples > 1) {
		print_samples(t);
		tables_say(t, "");
	}
	print_sizes(t);
	tables_say(t, "");
	print_lines(t);
	return print_shares(t);
}
