/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The memory that the program itself maps, by call path. */
#include "display/grid/grid.h"
#include "display/grid/paths.h"
#include "display/grid/view.h"
#include "display/tables/memory.h"
#include "reduce/base/sort.h"

#include <stdlib.h>
#include <string.h>

static void
mapped_get(const struct grid *g, const void *row, unsigned at,
	   struct grid_cell *c)
{
	const struct mapping *all = g->arg;

	c->n = *(const uint64_t *)((const char *)row + at);
	c->of = at == offsetof(struct mapping, resident) ? all->resident : 0;
	if (at == offsetof(struct mapping, resident) && !g->t->p->nmemory)
		c->unknown = true;
}

static void
mapped_get_life(const struct grid *g, const void *row, unsigned at,
		struct grid_cell *c)
{
	const struct mapping *x = row;

	(void)g;
	(void)at;
	c->unknown = !x->ended;
	c->n = x->ended ? x->life / x->ended : 0;
}

static void
get_kind(const struct grid *g, const void *row, unsigned at,
	 struct grid_cell *c)
{
	const struct mapping *x = row;

	(void)g;
	(void)at;
	c->text = x->kind ? x->kind : "";
}

static void
mapped_put(const struct grid *g, const void *row)
{
	const struct mapping *x = row;

	if (x->site)
		paths_print_lines(g->t, x->site->leaf);
	else
		line_add(&g->t->line, "<TOTAL>");
}

#define OF(member) offsetof(struct mapping, member)
static const struct grid_column columns[] = {
	COLUMN("in memory", BYTES, 13, mapped_get, OF(resident),
	       "bytes that were in memory (RAM) when the file was written, and "
	       "their share of all mappings of the program",
	       .share = 4, .term = "in memory (%)"),
	COLUMN("mapped", BYTES, 13, mapped_get, OF(live), "bytes mapped then"),
	MEMBER_MAX("most", BYTES, 13, mapping, most,
		   "most bytes of the path that were mapped at one time; -: "
		   "several calls of the path mapped memory"),
	COLUMN("calls", COUNT, 9, mapped_get, OF(maps),
	       "calls that mapped memory"),
	COLUMN("all", BYTES, 14, mapped_get, OF(bytes),
	       "bytes that they mapped"),
	COLUMN("life", TIME, 10, mapped_get_life, 0,
	       "mean time until a mapping was unmapped, of those that were"),
	COLUMN("kind", TEXT, 10, get_kind, 0,
	       "private: anonymous memory of the process; file; shared: "
	       "memory that other processes may have, too; break: by sbrk or "
	       "brk"),
	NAME(" path", "   ", mapped_put,
	     "the program's line that made the call, and those that called "
	     "it; < ...: there are more callers",
	     .term = "path"),
};

static const struct legend legend = {
	.about = "Memory that the program maps by its own calls of mmap, "
		 "mremap, sbrk and shmat.  It is in no other table but "
		 "--memory.  Mappings of an allocator, of the loader and of "
		 "the C library are not here.",
	.indent = 15,
};

SORT_BY(compare, struct mapping,
	SORT_DOWN(resident) SORT_DOWN(live) SORT_DOWN(bytes) SORT_DOWN(maps))

static int
mapped_print(struct tables *t)
{
	const struct profile *p = t->p;
	size_t n = p->nmappings,
	       most = t->o->top && t->o->top < n ? t->o->top : n;
	struct mapping *row = tables_room(t, n, sizeof *row), other, all;
	char buf[NUMBER_SIZE];
	struct grid g;

	memset(&all, 0, sizeof all);
	memset(&other, 0, sizeof other);
	tables_title(t, "Memory that the Program Maps");
	for (size_t i = 0; i < n; i++) {
		row[i] = p->mappings[i];
		mapping_add(&all, &row[i]);
	}
	qsort(row, n, sizeof *row, compare);
	for (size_t i = most; i < n; i++)
		mapping_add(&other, &row[i]);
	if (!memory_mapped_known(p)) {
		tables_unknown(t, "What the program maps");
	} else if (!n) {
		line_say(&t->line,
			 "The program mapped no memory by itself while it was "
			 "recorded.");
	} else {
		GRID_INIT(&g, t, columns);
		g.arg = &all;
		grid_print(&g, &(struct grid_rows){
				       GRID_ROWS(row, most), .total = &all,
				       .other = &other, .others = n - most });
		if (p->mappings_lost)
			line_say(&t->line,
				 "%s calls are missing: there were too many "
				 "mappings or call paths.",
				 number_grouped(buf, p->mappings_lost));
		grid_legend(&g, &legend);
	}
	return 0;
}
VIEW_OF("memory", "mapped", OPTIONS_WANT_CALLS, mapped_print,
	VIEW_AT_memory_print + 2)
