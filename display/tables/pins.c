/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pins: live blocks that keep the allocator from returning pages. */
#include "display/grid/entries.h"
#include "display/grid/view.h"
#include "display/tables/memory.h"
#include "display/text/amount.h"

enum { PINNED, LIVE, BLOCKS, ALONE };

static void
pins_get(const struct grid *g, const void *row, unsigned at,
	 struct grid_cell *c)
{
	const struct entries *e = g->arg;

	c->n = ((const struct entry *)row)->own[at];
	c->of = at == PINNED ? e->all.own[PINNED] : 0;
}

static const struct grid_column columns[] = {
	COLUMN("pinned", BYTES, 12, pins_get, PINNED,
	       "free bytes on pages with these blocks, and their share of all "
	       "such bytes; a page with several blocks counts in equal parts "
	       "for each",
	       .share = 4, .term = "pinned (%)"),
	COLUMN("live", BYTES, 13, pins_get, LIVE,
	       "bytes of these blocks that are in memory"),
	COLUMN("blocks", COUNT, 11, pins_get, BLOCKS,
	       "how many blocks they are"),
	COLUMN("alone", COUNT, 11, pins_get, ALONE,
	       "of these, blocks with a page on which no other block is"),
	NAME(" path", "   ", entry_put_typed, LEGEND_PATH, .term = "path"),
};

static const struct legend legend = {
	.about = "Free memory that the allocator can't return, because live "
		 "blocks are on its pages, by the call path of these blocks.  "
		 "It becomes free if they are freed at the same time, or "
		 "allocated from a pool of their own.",
};

/*
 * Print advice for a path whose blocks pin 4 MiB and a quarter of all pinned
 * bytes, if 90 percent of the blocks are alone on a page.
 */
enum { ADVICE_SHARE = 4, ADVICE_ALONE = 90 };
#define ADVICE_LEAST ((uint64_t)4 << 20)

static bool
is_clear(const struct entry *r, const struct entry *all)
{
	return r->own[PINNED] >= ADVICE_LEAST &&
	       r->own[PINNED] >= all->own[PINNED] / ADVICE_SHARE &&
	       r->own[ALONE] >= r->own[BLOCKS] / 100 * ADVICE_ALONE;
}

/* Print advice on the blocks of the first row, and the reason. */
static void
pins_advise(const struct entries *e)
{
	const struct entry *r = &e->v[0];
	struct tables *t = e->t;
	struct line *l = &t->line;
	struct site_types x;
	char n[NUMBER_SIZE];
	uint64_t sum;

	if (!e->n || !is_clear(r, &e->all))
		return;
	x = paths_types(t, e->paths, r->path, e->typed, &sum);
	line_end(l);
	line_add(l, "%s", number_grouped(n, r->own[BLOCKS]));
	if (x.count == 1 && x.v[0].n == sum)
		line_add(l, " %c%s", x.v[0].mark, x.v[0].name);
	line_add(l, " blocks (%s bytes each, on average)",
		 tables_bytes(t, n, r->own[LIVE] / r->own[BLOCKS]));
	if (r->path->leaf)
		line_add(l, ", allocated in %s,", r->path->leaf->func->name);
	line_add(l, " pin %s bytes: nearly all are alone on a page.",
		 tables_bytes(t, n, r->own[PINNED]));
	line_end(l);
	tables_say(t, "Allocate them from a pool, or free them together.");
}

static uint64_t
pins_live(const struct profile *p, size_t i)
{
	return p->pins[i].resident;
}

static void
pins_collect(struct entries *e)
{
	const struct profile *p = e->t->p;

	for (size_t i = 0; i < p->nsites; i++) {
		uint64_t *own = e->v[e->own.of[i]].own;

		own[PINNED] = amount_add(own[PINNED], p->pins[i].pinned);
		own[LIVE] = amount_add(own[LIVE], p->pins[i].resident);
		own[BLOCKS] = amount_add(own[BLOCKS], p->pins[i].blocks);
		own[ALONE] = amount_add(own[ALONE], p->pins[i].alone);
	}
}

static const struct entries_view view = {
	ENTRIES_COLUMNS(columns),	    .fill = pins_collect,
	.any = { ENTRY_AT(own[BLOCKS]) },   .by = { ENTRY_AT(own[PINNED]) },
	.share = { ENTRY_AT(own[PINNED]) }, .typed = pins_live,
};

static int
pins_print(struct tables *t)
{
	const struct profile *p = t->p;
	const char *partial = memory_partial(p);
	char n[NUMBER_SIZE];

	tables_title(t, "Blocks that Pin Free Memory");
	if (!p->nmemory) {
		tables_unknown(t, "What pins memory");
		return 0;
	}
	if (partial) {
		line_say(&t->line, "What pins memory is not known: %s.",
			 partial);
		return 0;
	}
	if (!p->pins) {
		line_say(&t->line,
			 "When the file was written, no more than %s bytes "
			 "were free on pages with live blocks; so little isn't "
			 "recorded by call path.",
			 tables_bytes(t, n, memory_bytes(p, "parts")));
		return 0;
	}
	return entries_table(t, &view, PATHS_PLAIN, &legend, NULL, pins_advise);
}
VIEW_OF("memory", "pins", OPTIONS_WANT_GUESS, pins_print,
	VIEW_AT_memory_print + 1)
