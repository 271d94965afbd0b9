/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The heap over time: a plot in text, its key, and the table below it. */
#include "display/timeline/timeline.h"
#include "display/grid/legend.h"
#include "display/grid/view.h"

#include "display/text/amount.h"
#include "display/text/number.h"
#include "reduce/base/sort.h"
#include "reduce/base/str.h"

#include <stdlib.h>
#include <string.h>

/* Width of the labels; least and most columns of the plot; height of RSS. */
enum { LABEL = 7, LEAST = 10, MOST = 1000, RSS_ROWS = 5 };

/* A column of the plot. */
struct column {
	size_t snapshot; /* the snapshot shown, with most live bytes of the
			  * column */
	uint64_t high;	 /* most live bytes since the column before */
	uint64_t rss;	 /* UINT64_MAX: unknown */
};

struct plot {
	struct timeline x;
	struct column *column;
	size_t n;
	uint64_t top;	  /* bytes at the top of the axis */
	uint64_t rss_top; /* the same for RSS; 0: unknown; if it differs from
			   * top, RSS has a plot of its own */
	size_t peak;	  /* column of the peak; SIZE_MAX: none */
	bool high;	  /* a column had more bytes than it shows */
	char *cells;	  /* rows from the top, n of each and a NUL */
};

static const struct legend memory_legend = {
	.about = "The memory of the process (RSS) during the run, from left to "
		 "right, by the lines of --memory.",
	.indent = 15,
	.terms = {
		{ "a b c ...", "the lines, largest first.  A column of the "
			       "plot shows the snapshot with the largest RSS "
			       "in its part of the run" },
		{ ".", "all other lines" },
		{ "_", "less than half a row" },
		{ "most bytes", "the most bytes of the line at one of these "
				"snapshots" },
		{ "seconds", "after the start" },
		{ "the most seen", "the snapshot with the largest RSS; between "
				   "two there may have been more" },
	},
	.notes = { legend_percent },
};

static const struct legend legend = {
	.about = "The memory that was live during the run, from left to "
		 "right.  RSS is the memory of the process, including code "
		 "and stacks.  Below the plot are rows for the marks that "
		 "the program set, the peak and the end.",
	.terms = {
		{ "a b c ...", "who allocated it, those that held most "
			       "first.  A column of the plot shows the "
			       "snapshot with the most live bytes in its "
			       "part of the run; the rows show shares at "
			       "their time, or at the last snapshot before" },
		{ ".", "all others" },
		{ "_", "less than half a row" },
		{ "most bytes", "the most bytes live at one of these "
				"snapshots, or at the peak" },
		{ "seconds", "after the start" },
		{ "live bytes", "at that time" },
	},
	.notes = { legend_percent },
};

/* ------------------------------------------------------------- columns -- */

/* The column for a time. */
static size_t
timeline_column_of(const struct plot *a, uint64_t at)
{
	uint64_t end = a->x.time->at[a->x.time->n - 1];
	unsigned __int128 c;

	if (!end || at >= end)
		return a->n - 1;
	/* A snapshot at the end of a column belongs to it. */
	c = at ? (unsigned __int128)(at - 1) * a->n / end : 0;
	return (size_t)c;
}

static void
timeline_columns(struct plot *a)
{
	const struct profile_time *time = a->x.time;
	size_t i = 0, last = 0;
	uint64_t rss = UINT64_MAX;

	for (size_t c = 0; c < a->n; c++) {
		struct column *to = &a->column[c];
		bool first = true;

		to->snapshot = last;
		for (; i < time->n && timeline_column_of(a, time->at[i]) <= c;
		     i++) {
			uint64_t live = timeline_live(time, i + 1);
			uint64_t high = time->peak ? time->peak[i] : UINT64_MAX;

			if (first || live > timeline_live(time, to->snapshot))
				to->snapshot = i + 1;
			if (high != UINT64_MAX && to->high < high)
				to->high = high;
			if (time->rss && time->rss[i] != UINT64_MAX)
				rss = time->rss[i];
			first = false;
		}
		last = i;
		to->rss = rss;
	}
}

/* Set the samples: those of all columns and of the table's rows. */
SORT_NUMBERS(compare_sizes, size_t)

static int
samples(struct plot *a)
{
	struct timeline *x = &a->x;
	size_t most = a->n + timeline_marks(x) + 4, n = 0, k = 0;
	size_t *v = tables_room(x->t, most, sizeof *v);

	x->sample = v;
	/* The start is always a sample. */
	v[n++] = 0;
	for (size_t c = 0; c < a->n; c++)
		v[n++] = a->column[c].snapshot;
	n += timeline_points(x, v + n);
	qsort(v, n, sizeof *v, compare_sizes);
	for (size_t i = 0; i < n; i++)
		if (!k || v[k - 1] != v[i])
			v[k++] = v[i];
	x->nsamples = k;
	return 0;
}

/* Set the bytes at the tops of the axes. */
static void
timeline_scale(struct plot *a)
{
	const struct profile *p = a->x.t->p;
	uint64_t rss = 0;

	a->peak = SIZE_MAX;
	for (size_t c = 0; c < a->n; c++) {
		uint64_t live = timeline_live(a->x.time, a->column[c].snapshot);

		if (a->column[c].high > live)
			live = a->column[c].high;
		if (a->top < live)
			a->top = live;
		if (a->column[c].rss != UINT64_MAX && rss < a->column[c].rss)
			rss = a->column[c].rss;
	}
	if (timeline_has_peak(&a->x)) {
		a->peak = timeline_column_of(a, p->peak_at);
		if (a->top < p->peak)
			a->top = p->peak;
	}
	/* Use one scale for both, unless one curve would be flat. */
	a->rss_top = rss;
	if (rss > a->top && rss / 2 <= a->top)
		a->top = rss;
	if (rss && rss <= a->top)
		a->rss_top = a->top;
}

/* ------------------------------------------------------------- the plot -- */

/* The height of a value in half rows. */
static uint64_t
timeline_height(uint64_t value, uint64_t top)
{
	return (uint64_t)((unsigned __int128)value * 2 * TIMELINE_ROWS / top);
}

/* The cell of a row; row 1 is the lowest. */
static char *
timeline_cell(const struct plot *a, size_t row, size_t c)
{
	return a->cells + (TIMELINE_ROWS - row) * (a->n + 1) + c;
}

/* The row, from 1, in which a value ends. */
static size_t
timeline_row_of(uint64_t value, uint64_t top, size_t rows)
{
	uint64_t h = (uint64_t)((unsigned __int128)value * 2 * rows / top);

	h = h / 2 + (h % 2);
	return h < 1 ? 1 : h > rows ? rows : (size_t)h;
}

/* Stack the holders of a column; each row shows the holder at its middle. */
static void
timeline_stack(struct plot *a, size_t c)
{
	const struct timeline *x = &a->x;
	bool peak = x->exact && c == a->peak;
	uint64_t live = peak ? x->t->p->total.peak
			     : timeline_live(x->time, a->column[c].snapshot);
	size_t at =
		peak ? x->nsamples : timeline_sample(x, a->column[c].snapshot);
	uint64_t sum = 0;
	size_t row = 1;

	for (size_t i = 0; i < x->nholders; i++) {
		sum = amount_add(sum, x->holder[i].live[at]);
		for (; row <= TIMELINE_ROWS &&
		       2 * row - 1 <
			       timeline_height(sum, a->top) + (sum == a->top);
		     row++)
			*timeline_cell(a, row, c) = (char)('a' + i);
	}
	for (; row <= TIMELINE_ROWS &&
	       2 * row - 1 < timeline_height(live, a->top) + (live == a->top);
	     row++)
		*timeline_cell(a, row, c) = x->nholders ? '.' : '#';
	if (live && row == 1)
		*timeline_cell(a, row++, c) = '_';
	for (; row <= TIMELINE_ROWS &&
	       2 * row - 1 < timeline_height(a->column[c].high, a->top);
	     row++) {
		*timeline_cell(a, row, c) = ':';
		a->high = true;
	}
}

static void
draw(struct plot *a)
{
	for (size_t row = 1; row <= TIMELINE_ROWS; row++) {
		memset(timeline_cell(a, row, 0), ' ', a->n);
		*timeline_cell(a, row, a->n) = '\0';
	}
	for (size_t c = 0; c < a->n; c++) {
		timeline_stack(a, c);
		if (a->rss_top == a->top && a->column[c].rss != UINT64_MAX)
			*timeline_cell(a,
				       timeline_row_of(a->column[c].rss,
						       a->rss_top,
						       TIMELINE_ROWS),
				       c) = '=';
	}
	if (a->peak != SIZE_MAX)
		*timeline_cell(a,
			       timeline_row_of(a->x.t->p->peak, a->top,
					       TIMELINE_ROWS),
			       a->peak) = 'P';
}

/* Print the line at the bottom of a plot. */
static void
print_axis(struct plot *a)
{
	struct line *l = &a->x.t->line;

	line_right(l, LABEL, "0");
	line_add(l, " +");
	line_dashes(l, a->n);
	line_end(l);
}

static void
print_plot(struct plot *a)
{
	struct line *l = &a->x.t->line;
	char buf[NUMBER_SIZE];

	for (size_t row = TIMELINE_ROWS; row; row--) {
		uint64_t at = (uint64_t)((unsigned __int128)a->top * row /
					 TIMELINE_ROWS);

		line_right(l, LABEL,
			   row % 5 ? "" : number_bytes(buf, at, true));
		line_say(l, " |%s", timeline_cell(a, row, 0));
	}
	print_axis(a);
}

/* Print RSS in a plot of its own if the heap would be flat on its scale. */
static void
print_rss(struct plot *a)
{
	struct line *l = &a->x.t->line;
	char buf[NUMBER_SIZE];

	if (!a->rss_top || a->rss_top == a->top)
		return;
	for (size_t row = RSS_ROWS; row; row--) {
		line_right(l, LABEL,
			   row < RSS_ROWS
				   ? ""
				   : number_bytes(buf, a->rss_top, true));
		line_add(l, " |");
		for (size_t c = 0; c < a->n; c++) {
			uint64_t rss = a->column[c].rss;

			line_add(l, "%c",
				 rss != UINT64_MAX && timeline_row_of(
							      rss, a->rss_top,
							      RSS_ROWS) == row
					 ? '='
					 : ' ');
		}
		line_end(l);
	}
	print_axis(a);
	line_end(l);
}

/* Print the numbers of marks below their columns, if there is room. */
static void
print_marks(struct plot *a)
{
	struct line *l = &a->x.t->line;
	size_t n = a->x.time->nmarks, free_from = 0;
	char *text, number[NUMBER_SIZE];

	if (!n)
		return;
	text = tables_room(a->x.t, a->n + NUMBER_SIZE, 1);
	memset(text, ' ', a->n + NUMBER_SIZE);
	for (size_t i = 0; i < n; i++) {
		size_t c = timeline_column_of(a, a->x.time->marks[i].time);
		size_t width = strlen(number_count(number, i + 1));

		if (c < free_from) {
			if (text[c] == ' ')
				text[c] = '+';
			continue;
		}
		memcpy(text + c, number, width);
		free_from = c + width + 1;
	}
	text[free_from > a->n ? free_from : a->n] = '\0';
	line_right(l, LABEL, "marks");
	line_say(l, "  %s", text);
}

static void
timeline_print_times(struct plot *a)
{
	const struct profile_time *time = a->x.time;
	struct line *l = &a->x.t->line;
	char end[NUMBER_SIZE], buf[NUMBER_SIZE + 2];

	snprintf(buf, sizeof buf, "%s s",
		 number_seconds(end, time->at[time->n - 1]));
	line_right(l, LABEL, "time");
	line_add(l, "  0 s");
	line_right(l, a->n - 3, buf);
	line_end(l);
	line_end(l);
}

/* --------------------------------------------------------------- the key -- */

static void
print_holders(struct plot *a)
{
	struct timeline *x = &a->x;
	struct line *l = &x->t->line;
	size_t width = 12;
	char buf[NUMBER_SIZE];

	if (!x->nholders)
		return;
	if (width < number_bytes_width(x->holder[0].most, x->t->o->human))
		width = number_bytes_width(x->holder[0].most, x->t->o->human);
	line_end(l);
	line_add(l, "  ");
	line_right(l, width + 1, "most bytes");
	line_say(l, "   %s", strcmp(x->by, "site") == 0 ? "path" : x->by);
	line_end(l);
	for (size_t i = 0; i < x->nholders; i++) {
		line_add(l, " %c", (char)('a' + i));
		line_right(l, width + 1,
			   tables_bytes(x->t, buf, x->holder[i].most));
		line_add(l, "   ");
		timeline_name(x, &x->holder[i]);
		line_end(l);
	}
	if (!x->others)
		return;
	line_add(l, " .");
	line_right(l, width + 1, "");
	line_say(l, "   (%zu other%s)", x->others, x->others == 1 ? "" : "s");
}

static void
print_key(struct plot *a)
{
	const struct profile *p = a->x.t->p;
	struct line *l = &a->x.t->line;
	char n[NUMBER_SIZE], s[NUMBER_SIZE];

	if (a->peak != SIZE_MAX)
		line_say(l, " P the peak: %s bytes%s, %s s after %s",
			 tables_bytes(a->x.t, n, p->peak),
			 p->filter.less ? " at that of the whole program" : "",
			 number_seconds(s, p->peak_at), conditions_since(p));
	if (a->rss_top) {
		line_add(l, " = resident memory of the process (RSS)");
		if (a->rss_top != a->top)
			line_add(l, ", in a plot of its own");
		line_end(l);
	}
	if (a->high)
		tables_say(a->x.t, " : live for a while between two snapshots");
	if (!a->x.time->sites)
		line_say(l, " # live: %s", a->x.time->sites_why);
	print_holders(a);
}

/* ------------------------------------------------------------------- all -- */

static void
timeline_head(struct plot *a)
{
	const struct profile_time *time = a->x.time;
	struct line *l = &a->x.t->line;
	char n[NUMBER_SIZE];

	line_add(l, a->x.memory ? "RSS at " : "Live bytes at ");
	line_several(l, time->n, "snapshot");
	if (time->n > 1)
		line_add(l, ", about %s apart", number_time(n, time->step));
	line_end(l);
	line_end(l);
}

static int
timeline_print_all(struct plot *a)
{
	timeline_head(a);
	if (!a->top) {
		tables_say(a->x.t, "No memory was live at any snapshot.");
		return timeline_table(&a->x);
	}
	draw(a);
	print_plot(a);
	print_marks(a);
	timeline_print_times(a);
	print_rss(a);
	print_key(a);
	return timeline_table(&a->x);
}

int
timeline_print(struct tables *t)
{
	struct plot a = { .x = { .t = t, .time = &t->p->time } };
	size_t width = t->o->width;

	a.x.by = t->o->timeline_by ? t->o->timeline_by : "site";
	if (str_starts(a.x.by, "match:")) {
		a.x.globs = a.x.by + strlen("match:");
		a.x.by = "match";
	}
	tables_title(t, strcmp(a.x.by, "memory") != 0 ? "The Heap over Time"
						      : "Memory over Time");
	if (!strcmp(a.x.by, "memory"))
		timeline_memory_init(&a.x);
	if (!a.x.time->known) {
		line_say(&t->line, "The timeline is unknown: %s.",
			 a.x.time->why);
		return 0;
	}
	a.n = width > LABEL + 2 + LEAST ? width - LABEL - 2 : LEAST;
	a.n = a.n < MOST ? a.n : MOST;
	a.column = tables_room(t, a.n, sizeof *a.column);
	a.cells = tables_room(t, a.n, TIMELINE_ROWS);
	timeline_columns(&a);
	timeline_scale(&a);
	if (samples(&a) || timeline_find(&a.x) || timeline_print_all(&a))
		return -1;
	legend_explain(t, a.x.memory ? &memory_legend : &legend, NULL, NULL);
	return 0;
}
