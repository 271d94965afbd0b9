/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The peak: by call path, the blocks live when the most bytes were live. */
#include "display/grid/entries.h"
#include "display/grid/view.h"

static const struct grid_column columns[] = {
	FIGURE("% peak", TENTHS, 8, PEAK_SHARE,
	       "share of the bytes live at the peak", .before = "  "),
	FIGURE_OWN("% sum", TENTHS, 8, PEAK_SUM,
		   "share of this row and all rows above", .before = "  "),
	FIGURE("bytes", BYTES, 12, PEAK,
	       "bytes of this path that were live at the peak", .before = " ",
	       .error = true),
	FIGURE("blocks", COUNT, 11, PEAK_BLOCKS, "how many blocks these are"),
	NAME("path", "   ", entry_put_typed,
	     LEGEND_PATH "  Paths without a row share the row (n others) "
			 "(see --verbose)"),
};

static const struct legend legend = {
	.about = "The memory that was live when most bytes were live, by "
		 "call path.  The first line has these bytes and blocks, "
		 "when the peak ended, and its possible error.",
};

static void
peak_fill(struct entries *e)
{
	e->of_peak = e->all.peak;
	e->top = e->t->o->peak_rows;
}

static const struct entries_view view = {
	ENTRIES_COLUMNS(columns),
	.total = true,
	.fill = peak_fill,
	.any = { ENTRY_AT(peak), ENTRY_AT(peak_blocks) },
	.by = { ENTRY_AT(peak), ENTRY_AT(peak_blocks), ENTRY_AT(bytes) },
	.share = { ENTRY_AT(peak) },
	.typed = origins_peak,
};

/* Print the line above the table: the bytes, the time, the possible error. */
static void
peak_head(struct tables *t)
{
	const struct profile *p = t->p;
	struct line *l = &t->line;
	char n[NUMBER_SIZE];

	line_add(l, "%s: %s bytes",
		 p->filter.less ? "At the peak of the whole program" : "Peak",
		 tables_lone(t, n, p->peak));
	errors_lone(t, p->peak, p->total.var[PROFILE_E_PEAK]);
	if (p->peaks_known) {
		line_add(l, " in ");
		line_several(l, p->peak_blocks, "block");
	}
	if (p->peak)
		line_add(l, ", %s s after %s%s", number_seconds(n, p->peak_at),
			 conditions_since(p), tables_whose(p));
	if (p->peak_slack)
		line_add(l, ", exact to within %s bytes",
			 tables_bytes(t, n, p->peak_slack));
	line_end(l);
	/* A truncated file may lack the peak, but have the rows. */
	if (p->peaks_known && p->total.peak != p->peak)
		line_say(l, "The rows add up to %s bytes.",
			 tables_bytes(t, n, p->total.peak));
}

int
peak_print(struct tables *t)
{
	const struct profile *p = t->p;

	tables_title(t, "Who Held the Memory at the Peak");
	if (profile_is_less(p) && p->peaks_known && !p->peak_blocks) {
		tables_say(t, "None of it was live at the peak.");
		return 0;
	}
	if (!profile_is_less(p) && !p->peak && !p->incomplete &&
	    !(p->peaks_known && p->peak_blocks)) {
		tables_say(t, "No memory was live at any time.");
		return 0;
	}
	if (!profile_is_less(p) || p->peaks_known)
		peak_head(t);
	if (!p->peaks_known) {
		tables_unknown(t, "Who held it");
		return 0;
	}
	line_end(&t->line);
	return entries_table(t, &view, PATHS_PLAIN, &legend, NULL, NULL);
}
