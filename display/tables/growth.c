/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The growth: by call path, the change in live bytes between snapshots. */
#include "display/grid/entries.h"
#include "display/grid/view.h"
#include "display/text/amount.h"

/*
 * Bytes and blocks live at the first and at the second snapshot; between them
 * allocated and freed; the change in bytes without its sign.
 */
enum { BEFORE, AFTER, WERE, ARE, ALLOCS, FREES, GROWN };

static void
growth_get(const struct grid *g, const void *row, unsigned at,
	   struct grid_cell *c)
{
	const uint64_t *own = ((const struct entry *)row)->own;
	uint64_t x = own[at == ARE ? WERE : BEFORE];
	uint64_t y = own[at == ARE ? ARE : AFTER];

	(void)g;
	c->n = own[at];
	if (at == GROWN || at == ARE) {
		c->negative = y < x;
		c->n = y < x ? x - y : y - x;
	}
}

static const struct grid_column columns[] = {
	COLUMN("grown", BYTES, 12, growth_get, GROWN,
	       "bytes live at the second snapshot, less those at the first"),
	COLUMN("blocks", COUNT, 11, growth_get, ARE, "the same for blocks"),
	COLUMN("before", BYTES, 13, growth_get, BEFORE,
	       "bytes live at the first and "
	       "at the second snapshot",
	       .term = "before after"),
	COLUMN("after", BYTES, 13, growth_get, AFTER, NULL),
	COLUMN("allocs", COUNT, 11, growth_get, ALLOCS,
	       "blocks allocated between the snapshots"),
	COLUMN("frees", COUNT, 11, growth_get, FREES,
	       "blocks freed between them, whenever they were allocated"),
	NAME(" path", "   ", entry_put_typed, LEGEND_PATH, .term = "path"),
};

static const struct legend legend = {
	.about = "Blocks live at the second snapshot but not at the first, "
		 "by call path.  A path that shrank has a minus.",
};

static bool
growth_any(const struct entry *r)
{
	return r->own[BEFORE] != r->own[AFTER] || r->own[WERE] != r->own[ARE];
}

/* The change of a site's live bytes, without its sign. */
static uint64_t
growth_of(const struct profile *p, size_t i)
{
	uint64_t live[2];

	for (int k = 0; k < 2; k++) {
		struct amounts at = amount_before(&p->time.sites[i],
						  p->snapshot.grown[k].n);

		live[k] = amount_live(&at);
	}
	return live[0] < live[1] ? live[1] - live[0] : live[0] - live[1];
}

static void
growth_collect(struct entries *e)
{
	const struct profile *p = e->t->p;

	for (size_t i = 0; i < p->nsites; i++) {
		uint64_t *own = e->v[e->own.of[i]].own;
		struct amounts at[2];

		for (int k = 0; k < 2; k++) {
			at[k] = amount_before(&p->time.sites[i],
					      p->snapshot.grown[k].n);
			own[BEFORE + k] += amount_live(&at[k]);
			own[WERE + k] += amount_live_blocks(&at[k]);
		}
		own[ALLOCS] += amount_sub(at[1].allocs, at[0].allocs);
		own[FREES] += amount_sub(at[1].frees, at[0].frees);
	}
	for (size_t i = 0; i < e->n; i++) {
		uint64_t *own = e->v[i].own;

		own[GROWN] = own[AFTER] < own[BEFORE]
				     ? own[BEFORE] - own[AFTER]
				     : own[AFTER] - own[BEFORE];
		e->v[i].rank = (double)own[BEFORE] - (double)own[AFTER];
		entries_sum(&e->all, &e->v[i]);
	}
	e->all.own[GROWN] = e->all.own[AFTER] > e->all.own[BEFORE]
				    ? e->all.own[AFTER]
				    : e->all.own[BEFORE];
}

/* Largest growth first. */
static const struct entries_view view = {
	ENTRIES_COLUMNS(columns),
	.total = true,
	.fill = growth_collect,
	.wanted = growth_any,
	.by = { ENTRY_AT(own[GROWN]) },
	.share = { ENTRY_AT(own[GROWN]) },
	.typed = growth_of,
};

int
growth_print(struct tables *t)
{
	const struct profile *p = t->p;

	tables_title(t, "Growth between two Snapshots");
	if (!p->time.known || !p->time.sites) {
		line_say(&t->line, "The growth is unknown: %s.",
			 !p->time.known ? p->time.why : p->time.sites_why);
		return 0;
	}
	line_say(&t->line, "From %s to %s", p->snapshot.grown[0].name,
		 p->snapshot.grown[1].name);
	line_end(&t->line);
	return entries_table(t, &view, PATHS_PLAIN, &legend,
			     "No call path has grown or shrunk.", NULL);
}
