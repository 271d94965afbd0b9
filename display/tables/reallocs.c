/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --lifetimes=reallocs: what realloc costs, by call path. */
#include "display/grid/entries.h"
#include "display/grid/view.h"

/* Without sampling, the bytes copied are known in any case. */
static bool
reallocs_known(const struct profile *p)
{
	uint64_t known = p->figures_known;

	return known >> MONOUT_FIGURE_ENLARGED & 1 &&
	       (!p->sample.rate || known >> MONOUT_FIGURE_COPIED & 1);
}

/* Bytes copied for each byte that blocks grew, in tenths. */
static void
reallocs_get(const struct grid *g, const void *row, unsigned at,
	     struct grid_cell *c)
{
	const struct life *a = ((const struct entry *)row)->life;
	uint64_t more = a ? a->figure[MONOUT_FIGURE_ENLARGED] : 0;

	(void)at;
	c->unknown = !more || !reallocs_known(g->t->p);
	if (more)
		snprintf(c->buf, sizeof c->buf, "%.1f",
			 (double)a->copied / (double)more);
	c->text = more ? c->buf : NULL;
	c->estimate = more && g->t->p->sample.rate;
}

static const struct grid_column columns[] = {
	FIGURE("copied", BYTES, 12, COPIED,
	       "bytes that realloc copied to another address", .error = true),
	FIGURE("enlarged", BYTES, 12, ENLARGED, "bytes that it added to blocks",
	       .error = true),
	COLUMN("factor", TEXT, 8, reallocs_get, 0,
	       "copied, divided by enlarged.  A block that doubles each time "
	       "has 1 or less; a large factor means small steps: reserve room, "
	       "or grow by a factor"),
	FIGURE("moved", COUNT, 10, MOVED,
	       "blocks that realloc moved to another address", .error = true),
	FIGURE("reallocs", COUNT, 10, REALLOCS, "blocks that realloc returned"),
	FIGURE("longest", COUNT, 9, LONGEST, "the most reallocs of one block"),
	NAME("path", "   ", entry_put_typed, LEGEND_PATH),
};

static const struct legend legend = {
	.about = "Where realloc copied most, by the call path that called it.",
	.indent = 11,
};

static bool
reallocs_any(const struct entry *r)
{
	return r->reallocs || r->life->moved;
}

static const struct entries_view view = {
	ENTRIES_COLUMNS(columns),
	.total = true,
	.wanted = reallocs_any,
	.by = { ENTRY_AT(copied), ENTRY_AT(reallocs) },
	.share = { ENTRY_AT(copied) },
};

static int
reallocs_print(struct tables *t)
{
	tables_title(t, "What Realloc Copied");
	if (t->p->lives_known)
		return entries_table(t, &view, PATHS_LIVES, &legend,
				     "No block was resized.", NULL);
	tables_unknown(t, "What realloc copied");
	return 0;
}
VIEW_OF("lifetimes", "reallocs", OPTIONS_WANT_GUESS, reallocs_print,
	VIEW_AT_quantiles_print + 1)
