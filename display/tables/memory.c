/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The memory: lines that add up to resident memory. */
#include "display/grid/grid.h"
#include "display/grid/view.h"
#include "display/tables/memory.h"
#include "display/text/amount.h"
#include "reduce/base/sort.h"

#include <stdlib.h>
#include <string.h>

/* The table has a line for PSS if PSS is this much below RSS, bytes. */
enum { PSS_LESS = 16 << 20 };

/* The snapshot with the largest RSS, and the last one. */
enum { MOST, LAST, TIMES };

struct row {
	uint64_t bytes[TIMES];
	const char *means;
};

static void
get_bytes(const struct grid *g, const void *row, unsigned at,
	  struct grid_cell *c)
{
	const uint64_t *resident = g->arg;

	c->n = ((const struct row *)row)->bytes[at];
	c->of = resident[at];
}

#define BYTES_IS \
	"bytes in memory (RAM); what is in swap space or was never touched " \
	"isn't"
#define SHARE_IS "share of the resident memory"

static const struct grid_column columns[] = {
	COLUMN("bytes", BYTES, 14, get_bytes, LAST, BYTES_IS),
	COLUMN("% RSS", TENTHS, 8, get_bytes, LAST, SHARE_IS, .before = " "),
	NAME_OF("what", "   ", row, means, NULL),
};

static const struct grid_column columns_of_two[] = {
	COLUMN("peak RSS", BYTES, 14, get_bytes, MOST,
	       "the same at the snapshot with the largest RSS"),
	COLUMN("% RSS", TENTHS, 8, get_bytes, MOST, NULL, .before = " "),
	COLUMN("bytes", BYTES, 14, get_bytes, LAST, BYTES_IS),
	COLUMN("% RSS", TENTHS, 8, get_bytes, LAST, SHARE_IS, .before = " "),
	NAME_OF("what", "   ", row, means, NULL),
};

static const struct legend legend = {
	.about = "Where the memory of the process was.  The lines add up to "
		 "what the kernel counts as resident (RSS).",
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
memory_pins_known(const struct profile *p)
{
	return p->pins && !memory_partial(p) && !p->snapshot.other;
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

/*
 * The name for the bytes of one line, or of two.  The allocator is either
 * DIVIDED, which needs all live blocks, or known as a WHOLE.
 */
static const struct kind {
	unsigned line, more;
	enum { ALWAYS, DIVIDED, WHOLE } if_is;
	const char *words;
	bool beside; /* as in struct memory_part */
} kinds[] = {
	{ MEMORY_LIVE, MEMORY_LIVE, DIVIDED, "live blocks", false },
	{ MEMORY_ROUNDED, MEMORY_ROUNDED, DIVIDED, "rounding", false },
	{ MEMORY_PAGES, MEMORY_PARTS, DIVIDED, "free in malloc", true },
	{ MEMORY_HEAP, MEMORY_HEAP, WHOLE, "malloc", false },
	{ MEMORY_MAPPED, MEMORY_MAPPED, ALWAYS, "other private", true },
	{ MEMORY_FILES, MEMORY_FILES, ALWAYS, "files", true },
	{ MEMORY_SHARED, MEMORY_SHARED, ALWAYS, "shared", true },
	{ MEMORY_CODE, MEMORY_CODE, ALWAYS, "code", false },
	{ MEMORY_STACKS, MEMORY_STACKS, ALWAYS, "stacks", true },
	{ MEMORY_OWN, MEMORY_OWN, ALWAYS, "memmon", true },
	{ MEMORY_OTHER, MEMORY_OTHER, ALWAYS, "others", false },
};
_Static_assert(sizeof kinds / sizeof *kinds == MEMORY_KINDS, "all kinds");

static uint64_t
kind_bytes(const struct kind *k, const struct memory_snapshot *m)
{
	return m->bytes[k->line] + (k->more != k->line ? m->bytes[k->more] : 0);
}

SORT_BY(compare_parts, struct memory_part, SORT_DOWN(bytes) SORT_TEXT(words))

size_t
memory_parts(const struct profile *p, const struct memory_snapshot *m,
	     struct memory_part part[MEMORY_KINDS])
{
	int other = memory_partial(p) ? DIVIDED : WHOLE;
	size_t n = 0;

	for (size_t i = 0; i < MEMORY_KINDS; i++)
		if ((int)kinds[i].if_is != other && kind_bytes(&kinds[i], m))
			part[n++] =
				(struct memory_part){ kinds[i].words,
						      kind_bytes(&kinds[i], m),
						      kinds[i].beside };
	qsort(part, n, sizeof *part, compare_parts);
	return n;
}

/* The memory when the data file was written, as a snapshot without a time. */
static struct memory_snapshot
own_snapshot(const struct profile *p)
{
	struct memory_snapshot own = { 0 };

	for (size_t i = 0; i < p->nmemory; i++)
		own.bytes[i] = p->memory[i].bytes;
	return own;
}

const char *
memory_most(const struct profile *p, const struct memory_snapshot *m,
	    uint64_t *bytes)
{
	struct memory_snapshot own = own_snapshot(p);
	uint64_t mapped = m ? 0 : memory_mapped(p), rest;
	struct memory_part part[MEMORY_KINDS], *x = part;
	size_t n;

	m = m ? m : &own;
	n = memory_parts(p, m, part);
	for (; x < part + n && !x->beside; x++)
		;
	if (x == part + n)
		return NULL;
	/* This is nearly all of the line; the rest may be in other lines. */
	if (x->bytes == m->bytes[MEMORY_MAPPED] && mapped >= x->bytes / 10 * 9)
		*x = (struct memory_part){ "mapped", mapped, true };
	*bytes = x->bytes;
	rest = amount_sub(m->bytes[MEMORY_RESIDENT], m->bytes[MEMORY_ASKED]);
	/* Otherwise memory of unknown use may be larger. */
	return x->bytes >= rest / 2 ? x->words : NULL;
}

/* Is it a line of the allocator that needs all live blocks? */
static bool
needs_blocks(size_t line)
{
	return line >= MEMORY_LIVE && line <= MEMORY_PARTS;
}

/* Of the first n snapshots, the one with the largest RSS. */
static const struct memory_snapshot *
most_of(const struct profile *p, size_t n)
{
	const struct memory_snapshot *most = p->memory_snapshots;

	for (size_t i = 1; i < n; i++)
		if (p->memory_snapshots[i].bytes[MEMORY_RESIDENT] >
		    most->bytes[MEMORY_RESIDENT])
			most = &p->memory_snapshots[i];
	return most;
}

const struct memory_snapshot *
memory_most_snapshot(const struct profile *p)
{
	return most_of(p, p->nmemory_snapshots);
}

/* Make the rows; returns their number. */
static size_t
rows_make(const struct profile *p, const struct memory_snapshot *m[TIMES],
	  struct row *row)
{
	bool partial = memory_partial(p) != NULL;
	size_t n = 0;

	for (size_t i = 0; i < MONREC_MEMORY_COUNT; i++) {
		const char *means = p->memory[i].means;

		if (partial && i == MEMORY_HEAP)
			means = "the allocator: live blocks and free memory";
		else if (!p->memory[i].part || (partial && needs_blocks(i)))
			continue;
		if (m[MOST]->bytes[i] || m[LAST]->bytes[i])
			row[n++] = (struct row){
				{ m[MOST]->bytes[i], m[LAST]->bytes[i] }, means
			};
	}
	return n;
}

/* Print the time, and the number of files. */
static void
memory_head(struct tables *t, const struct memory_snapshot *m[TIMES])
{
	const struct profile *p = t->p;
	struct line *l = &t->line;
	char n[NUMBER_SIZE];
	size_t known = 0;

	if (!p->nmemory || profile_is_earlier(p)) {
		line_say(l, "At the last snapshot, %s s after %s:",
			 number_seconds(n, m[LAST]->at), conditions_since(p));
		line_end(l);
		return;
	}

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

/* Does a setting make no difference for the memory? */
static bool
is_usual(const struct fact *f)
{
	return !strcmp(f->name, "overcommit_memory") ? !strcmp(f->value, "0")
	       : !strcmp(f->name, "transparent_hugepage")
		       ? strcmp(f->value, "always") != 0
		       : false;
}

/* Print what limits or changes the memory, a line each. */
static void
memory_facts(struct tables *t)
{
	const struct profile *p = t->p;
	uint64_t resident = memory_bytes(p, "resident"), bytes;
	char n[NUMBER_SIZE], *end;
	struct line *l = &t->line;
	bool limit, any = false;

	for (size_t i = 0; i < p->nfacts; i++) {
		const struct fact *f = &p->facts[i];

		if (is_usual(f) && t->o->verbosity != OPTIONS_VERBOSE)
			continue;
		if (!any)
			line_say(l, "Limits and settings of the system:");
		any = true;
		bytes = strtoull(f->value, &end, 10);
		limit = !strncmp(f->name, "memory.", 7) && !*end;
		line_add(l, "  %s=%s", f->name,
			 limit ? tables_bytes(t, n, bytes) : f->value);
		if (limit && bytes && resident && p->nruns == 1)
			line_add(l, "; RSS is %.0f%% of it",
				 100. * (double)resident / (double)bytes);
		line_end(l);
	}
}

/* Print blocks that aren't in memory, and swap space. */
static void
tail(struct tables *t)
{
	const struct profile *p = t->p;
	uint64_t swapped = memory_bytes(p, "swapped");
	uint64_t pss = memory_bytes(p, "pss");
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
	if (pss && memory_bytes(p, "resident") > pss + PSS_LESS)
		line_say(&t->line,
			 "With pages shared with other processes in parts: %s "
			 "bytes (PSS).",
			 tables_bytes(t, n, pss));
	if (swapped)
		line_say(&t->line, "In swap space: %s bytes.",
			 tables_bytes(t, n, swapped));
	memory_facts(t);
}

/* Set the two snapshots, which may be the same; false: none is known. */
static bool
snapshots(const struct profile *p, struct memory_snapshot *own,
	  const struct memory_snapshot *m[TIMES])
{
	bool earlier = profile_is_earlier(p);
	size_t n = p->nmemory_snapshots;

	while (earlier && n && p->memory_snapshots[n - 1].at > p->snapshot.at)
		n--;
	*own = own_snapshot(p);
	m[LAST] = n ? &p->memory_snapshots[n - 1] : NULL;
	m[MOST] = n ? most_of(p, n) : own;
	if (p->nmemory && !earlier)
		m[LAST] = own;
	return m[LAST] != NULL;
}

/* RSS is read more often than its parts.  Say if it was larger then. */
static void
memory_larger(struct tables *t, const struct memory_snapshot *m)
{
	const struct profile_rss *most = &t->p->resident.most;
	char rss[NUMBER_SIZE], at[NUMBER_SIZE], live[NUMBER_SIZE];

	if (!t->p->resident.known || profile_is_earlier(t->p) ||
	    most->rss / 10 * 9 <= m->bytes[MEMORY_RESIDENT])
		return;
	line_say(&t->line,
		 "RSS was larger, %s bytes, %s s after %s.  Live blocks had %s "
		 "bytes then; the other parts aren't known.",
		 tables_bytes(t, rss, most->rss), number_seconds(at, most->at),
		 conditions_since(t->p), tables_bytes(t, live, most->live));
	line_end(&t->line);
}

int
memory_print(struct tables *t)
{
	const struct profile *p = t->p;
	struct row row[MONREC_MEMORY_COUNT], total = { .means = "<TOTAL>" };
	struct memory_snapshot own;
	const struct memory_snapshot *m[TIMES];
	char n[NUMBER_SIZE];
	struct grid g;

	tables_title(t, "Memory of the Process");
	if (!snapshots(p, &own, m)) {
		if (profile_is_earlier(p) && p->nmemory_snapshots)
			line_say(&t->line,
				 "Where the memory was then is not known: the "
				 "first snapshot with these figures is of %s s "
				 "after %s.",
				 number_seconds(n, p->memory_snapshots->at),
				 conditions_since(p));
		else
			tables_unknown(t, "Where the memory was");
		return 0;
	}
	memory_head(t, m);
	for (int i = 0; i < TIMES; i++)
		total.bytes[i] = m[i]->bytes[MEMORY_RESIDENT];
	/* Skip the peak if it is hardly larger. */
	if (total.bytes[MOST] / 100 * 99 > total.bytes[LAST]) {
		GRID_INIT(&g, t, columns_of_two);
		line_say(&t->line,
			 "Peak RSS, as far as snapshots show, %s s after %s "
			 "(--timeline=memory):",
			 number_seconds(n, m[MOST]->at), conditions_since(p));
		line_end(&t->line);
	} else {
		GRID_INIT(&g, t, columns);
	}
	memory_larger(t, m[MOST]);
	g.arg = total.bytes;
	grid_print(&g, &(struct grid_rows){ .v = row,
					    .n = rows_make(p, m, row),
					    .size = sizeof *row,
					    .total = &total });
	if (!profile_is_earlier(p))
		tail(t);
	grid_legend(&g, &legend);
	return 0;
}
