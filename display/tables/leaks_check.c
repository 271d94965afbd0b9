/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The leaks: what leak checks found, by kind; and what is suppressed. */
#define _GNU_SOURCE
#include "display/tables/leaks.h"
#include "display/grid/entries.h"
#include "display/text/amount.h"

#include <inttypes.h>
#include <stdlib.h>

static const struct {
	const char *name, *means;
} kinds_of[PROFILE_NLEAK] = {
	[PROFILE_LOST] = { "lost", "nothing points to them" },
	[PROFILE_INDIRECT] = { "indirect", "only lost blocks do" },
	[PROFILE_INTERIOR] = { "interior", "reachable, but somewhere by their "
					   "inside only" },
	[PROFILE_REACHABLE] = { "reachable", "by pointers to their start" },
};

/* ----------------------------------------------------------- the summary -- */

/* When the check was; of several runs, how many of them had one. */
static void
when(struct tables *t)
{
	const struct profile *p = t->p;
	struct line *l = &t->line;
	char n[NUMBER_SIZE];
	size_t with = 0, read = p->nruns - p->nunread;

	for (size_t i = 0; i < p->nruns; i++)
		with += p->runs[i].leaks_known;
	if (p->nruns == 1 && p->leaks_all && !p->runs[0].sum)
		line_add(l, "Leak check, %s s after the start:",
			 number_seconds(n, p->runs[0].leak_check));
	else if (p->leaks_all)
		line_add(l, "Leak checks of all runs:");
	else if (with < read)
		line_add(l,
			 "Leak checks of %zu of the %zu files; of the others "
			 "it isn't known what is lost:",
			 with, read);
	else
		line_add(l, "Leak checks of some of the runs; of the others it "
			    "isn't known what is lost:");
	line_end(l);
	line_end(l);
}

static void
summary(struct tables *t, unsigned kinds)
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
	if (!others)
		return;
	line_end(&t->line);
	tables_say(t, "--leak-kinds=all shows the paths of all kinds.");
}

/* --------------------------------------------------------- paths of one -- */

/* Blocks of one kind on a path. */
static uint64_t
blocks(const struct entry *r, int k)
{
	return r->path->leak->blocks[k];
}

static uint64_t
bytes(const struct entry *r, int k)
{
	return r->path->leak->bytes[k];
}

/* The section of a kind. */
struct section {
	struct entries e; /* first: columns of paths have it as theirs */
	int kind;
	uint64_t hidden; /* bytes of the paths without a row */
};

static void
get(const struct grid *g, const void *row, unsigned at, struct grid_cell *c)
{
	const struct section *s = g->arg;

	c->n = at ? blocks(row, s->kind) : bytes(row, s->kind);
	c->of = at ? 0 : amount_bytes(&g->t->p->total);
}

static const char *
head(const struct grid *g, size_t column)
{
	static const char *const text[PROFILE_NLEAK] = {
		[PROFILE_LOST] = "lost bytes",
		[PROFILE_INDIRECT] = "indirect bytes",
		[PROFILE_INTERIOR] = "interior bytes",
		[PROFILE_REACHABLE] = "reachable bytes",
	};
	const struct section *s = g->arg;

	(void)column;
	return text[s->kind];
}

static const struct grid_column columns[] = {
	COLUMN(NULL, BYTES, 15, get, 0,
	       "share of all bytes that the program allocated", .share = 4,
	       .term = "(%)"),
	COLUMN("blocks", COUNT, 10, get, 1, NULL),
	NAME(" path", "   ", entry_put_typed, LEGEND_PATH, .term = "path"),
};

static const struct legend legend = {
	.about = "What a leak check made of the blocks that were live then, by "
		 "the functions that were active when they were allocated.",
	.indent = 11,
	.terms = {
		{ "lost", "nothing points to the block, nor into it: it can't "
			  "be freed any more" },
		{ "indirect", "only lost blocks point to it" },
		{ "interior", "it can be reached, but somewhere only by a "
			      "pointer into its inside" },
		{ "reachable", "it can be reached by pointers to its start" },
	},
	.notes = { legend_percent },
};

static int
compare(const void *va, const void *vb, void *kind)
{
	const struct entry *a = va, *b = vb;
	int k = *(const int *)kind;

	if (bytes(a, k) != bytes(b, k))
		return bytes(a, k) < bytes(b, k) ? 1 : -1;
	if (blocks(a, k) != blocks(b, k))
		return blocks(a, k) < blocks(b, k) ? 1 : -1;
	return paths_compare(a->path, b->path);
}

static bool
worth(const void *row, size_t place, void *arg)
{
	const struct section *s = arg;

	(void)place;
	return tables_worth(s->e.t, bytes(row, s->kind),
			    s->e.t->p->leak.bytes[s->kind]);
}

static void
leave_out(void *section, const void *row)
{
	struct section *s = section;

	s->hidden = amount_add(s->hidden, bytes(row, s->kind));
}

/* Leave the paths with such blocks, sorted, that are worth it. */
static void
collect(struct section *s)
{
	struct entries *e = &s->e;
	size_t n = 0;

	for (size_t i = 0; i < e->n; i++)
		if (blocks(&e->v[i], s->kind))
			e->v[n++] = e->v[i];
	if (n)
		qsort_r(e->v, n, sizeof *e->v, compare, &s->kind);
	e->n = grid_leave(e->v, n, sizeof *e->v, true, worth, leave_out, s, s);
	e->hidden = n - e->n;
}

static int
section(struct tables *t, const struct paths *all, int k)
{
	struct section s = { .kind = k };
	size_t hidden;
	struct grid g;

	if (entries_init(&s.e, t, all->n))
		return -1;
	entries_add_paths(&s.e, all);
	collect(&s);
	hidden = s.e.hidden;
	s.e.hidden = 0;
	if (s.e.n || hidden) {
		GRID_INIT(&g, t, columns);
		g.head = head;
		line_end(&t->line);
		entries_print(&s.e, &g, false);
		leaks_print_hidden(t, hidden, s.hidden, kinds_of[k].name);
	}
	entries_fini(&s.e);
	return 0;
}

/* ---------------------------------------------------------- suppressions -- */

static void
get_suppressed(const struct grid *g, const void *row, unsigned at,
	       struct grid_cell *c)
{
	const struct suppression *s = row;
	const uint64_t figure[] = { s->bytes, s->blocks, s->leaked_bytes,
				    s->leaked_blocks };

	(void)g;
	c->n = figure[at];
}

static void
put_pattern(const struct grid *g, const void *row)
{
	const struct suppression *s = row;

	if (s->pattern)
		line_add(&g->t->line, "leak:%s", s->pattern);
	else
		line_add(&g->t->line, "built in: the C and C++ libraries keep "
				      "them (--show-runtime)");
}

/* Columns that are only there if there was a leak check. */
enum { LEAKED = 1 };

static const struct grid_column suppressed[] = {
	COLUMN("kept bytes", BYTES, 14, get_suppressed, 0, NULL),
	COLUMN("blocks", COUNT, 11, get_suppressed, 1, NULL),
	COLUMN("leaked bytes", BYTES, 15, get_suppressed, 2, NULL,
	       .with = LEAKED),
	COLUMN("blocks", COUNT, 11, get_suppressed, 3, NULL, .with = LEAKED),
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
	grid_print(&g, &(struct grid_rows){ .v = p->suppressions,
					    .n = p->nsuppressions,
					    .size = sizeof *p->suppressions });
}

int
leaks_check(struct tables *t, unsigned kinds)
{
	struct paths all = { 0 };
	int status = paths_init(&all, t, PATHS_LEAKS);
	struct grid g;

	if (!status)
		summary(t, kinds);
	for (int k = 0; k < PROFILE_NLEAK && !status; k++)
		if (kinds >> k & 1)
			status = section(t, &all, k);
	if (!status && !(t->o->kinds & OPTIONS_KEPT))
		leaks_suppressed(t);
	GRID_INIT(&g, t, columns);
	if (!status)
		grid_legend(&g, &legend);
	paths_fini(&all);
	return status;
}
