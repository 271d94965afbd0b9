/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The annotated source: each line with the memory that it allocated. */
#include "display/annotate/annotate.h"
#include "display/grid/grid.h"
#include "display/grid/table.h"
#include "display/grid/view.h"

#include "display/text/amount.h"
#include "display/text/source_text.h"

#include <string.h>

/* The lines to show before and after each line with figures. */
enum { AROUND = 3 };

/* Show a function from its first line on if that is at most this far up. */
enum { UP = 12 };

/* What annotate_print() works with. */
struct listing {
	struct annotate all;
	struct tables *t;
	struct grid grid;
	struct source_text_places places;
	uint64_t known; /* bytes allocated on the lines of all files */
};

/* ------------------------------------------------------------- columns -- */

/* A line of a listing: its figures (blank if NULL) and its text. */
struct row {
	const struct account *self, *total;
	size_t number; /* 0: the row has no number */
	const struct source_text *text;
	const struct source_line *bare; /* the line, if its text is unknown;
					 * else NULL */
};

enum { BYTES, ALLOCS, KEPT, TOTAL, LINE };

static void
annotate_get(const struct grid *g, const void *row, unsigned at,
	     struct grid_cell *c)
{
	const struct row *r = row;
	const struct account *a = r->self;

	c->n = r->number;
	if (at == LINE	  ? !r->number
	    : at == TOTAL ? !r->total
			  : !a || !a->allocs)
		c->text = "";
	else if (at == TOTAL)
		c->n = r->total->bytes;
	else if (at != LINE)
		c->n = at == BYTES    ? a->bytes
		       : at == ALLOCS ? a->allocs
				      : account_kept(a);
	c->of = c->text ? 0 : counts_sum(g->t->p->total.bytes);
}

/* The text of the line; if it is unknown, the function that the line is in. */
static void
annotate_put(const struct grid *g, const void *row)
{
	const struct row *r = row;
	struct line *l = &g->t->line;

	if (r->text) {
		source_text_add(r->text, r->number, l);
		return;
	}
	line_left(l, 0, "(in ");
	tables_name(g->t, r->bare->funcs[0].name);
	line_left(l, 0, r->bare->nfuncs > 1 ? ", ...)" : ")");
}

static const struct grid_column columns[] = {
	COLUMN("bytes", BYTES, 10, annotate_get, BYTES,
	       "bytes that this line allocated by malloc or a similar "
	       "function; allocations of a wrapper count for the line that "
	       "calls the wrapper"),
	COLUMN("allocs", COUNT, 10, annotate_get, ALLOCS,
	       "blocks that this line "
	       "allocated"),
	COLUMN("kept", BYTES, 10, annotate_get, KEPT,
	       "how many of these bytes were not freed"),
	COLUMN("total", BYTES, 10, annotate_get, TOTAL,
	       "bytes allocated while a call on this line was active, and "
	       "their share of all bytes; each block counts once, also in "
	       "recursion",
	       .share = 5),
	COLUMN("line", COUNT, 6, annotate_get, LINE, NULL),
	NAME("source", "  ", annotate_put, "the whole file", .term = "<TOTAL>"),
};

static const struct legend legend = {
	.about = "The source lines, with how much their calls allocated.  "
		 "... replaces lines without figures (see --verbose).",
	.notes = { "A line counts once: all copies of an inlined function, "
		   "and all instances of a template, share its figures.",
		   legend_percent },
};

/* One grid for all files, so that their columns have the same widths. */
static void
annotate_measure(struct listing *g)
{
	GRID_INIT(&g->grid, g->t, columns);
	for (size_t i = 0; i < g->all.n; i++) {
		const struct source *s = g->all.file[i].source;

		grid_fit(&g->grid,
			 &(struct row){ &s->self, &s->total, 0, NULL, NULL });
	}
}

/* ------------------------------------------------------------- a listing -- */

/* The first line of the function around line l of the file; 0: unknown. */
static size_t
annotate_start(const struct source *s, const struct source_line *l)
{
	size_t first = 0;

	for (size_t i = 0; i < l->nfuncs; i++) {
		const struct func *f = &l->funcs[i];

		if (f->line > first && f->line <= l->line &&
		    (!strcmp(f->file, s->recorded) ||
		     !strcmp(f->file, s->path)))
			first = f->line;
	}
	return first;
}

/* Set near[a] to near[b], except for lines outside 1 to n. */
static void
annotate_mark(bool *near, size_t n, size_t a, size_t b)
{
	for (size_t i = a ? a : 1; i <= b && i <= n; i++)
		near[i] = true;
}

/* Set near[i], from 1 to n, for each line i that is shown. */
static void
mark_all(const struct listing *g, const struct annotate_file *f, bool *near,
	 size_t n)
{
	const struct source *s = f->source;
	size_t last = 0;

	if (g->t->o->verbosity == OPTIONS_VERBOSE)
		annotate_mark(near, n, 1, n);
	for (size_t i = 0; i < s->nlines; i++) {
		size_t at = s->lines[i].line, from;

		if (!f->on[i])
			continue;
		annotate_mark(near, n, at > AROUND ? at - AROUND : 1,
			      at + AROUND);
		from = annotate_start(s, &s->lines[i]);
		/* The line above may hold the result type of the function. */
		if (from)
			annotate_mark(near, n, from - 1,
				      at - from <= UP ? at : from + 1);
	}
	/* Fill gaps of at most two lines: "..." takes a line, too. */
	for (size_t i = 1; i <= n; i++) {
		if (!near[i])
			continue;
		if (i - last <= 3)
			annotate_mark(near, n, last + 1, i);
		last = i;
	}
	if (n - last < 3)
		annotate_mark(near, n, last + 1, n);
}

/* Print the lines of the file, with the figures of those that have some. */
static void
text_lines(struct listing *g, const struct annotate_file *f,
	   const struct source_text *text)
{
	const struct source *s = f->source;
	bool *near = tables_room(g->t, text->n + 1, sizeof *near);
	size_t next = 0;

	mark_all(g, f, near, text->n);
	for (size_t i = 1; i <= text->n; i++) {
		const struct source_line *at = NULL;

		while (next < s->nlines && s->lines[next].line < i)
			next++;
		if (next < s->nlines && s->lines[next].line == i && f->on[next])
			at = &s->lines[next];
		if (!near[i]) {
			if (i == 1 || near[i - 1])
				tables_say(g->t, "...");
			continue;
		}
		grid_row(&g->grid,
			 &(struct row){ at ? &at->self : NULL,
					at ? &at->total : NULL, i, text, NULL },
			 NULL);
	}
}

/* Print the lines with figures that are beyond line n, the last of the text. */
static void
bare_lines(struct listing *g, const struct annotate_file *f, size_t n)
{
	const struct source *s = f->source;

	for (size_t i = 0; i < s->nlines; i++)
		if (f->on[i] && s->lines[i].line > n)
			grid_row(&g->grid,
				 &(struct row){
					 &s->lines[i].self, &s->lines[i].total,
					 s->lines[i].line, NULL, &s->lines[i] },
				 NULL);
}

/* Was the file changed after a program or library was built from it? */
static const char *
newer(const struct listing *g, const struct source *s,
      const struct source_text *text)
{
	const char *sysroot = g->places.sysroot;
	struct timespec made;

	for (size_t i = 0; i < s->nmodules; i++)
		if (source_text_changed(s->modules[i], sysroot, &made) &&
		    (text->changed.tv_sec > made.tv_sec ||
		     (text->changed.tv_sec == made.tv_sec &&
		      text->changed.tv_nsec > made.tv_nsec)))
			return s->modules[i];
	return NULL;
}

/* Is a line shown that is beyond the last line, n, of the file? */
static bool
beyond(const struct annotate_file *f, size_t n)
{
	const struct source *s = f->source;

	for (size_t i = s->nlines; i-- > 0 && s->lines[i].line > n;)
		if (f->on[i])
			return true;
	return false;
}

/* Above a listing: the name of the file, and any problem with the file. */
static void
annotate_title(struct listing *g, const struct source *s,
	       const struct source_text *text)
{
	struct line *l = &g->t->line;
	const char *module;

	line_say(l, "*** File %s:", s->path);
	if (text->path && strcmp(text->path, s->path) != 0 &&
	    strcmp(text->path, s->recorded) != 0)
		line_say(l, "    read from %s", text->path);
	if (text->problem) {
		if (text->path)
			line_add(l, "    %s: ", text->path);
		line_say(l,
			 "%s%s: the source text is missing; name its "
			 "directory with -I DIR",
			 text->path ? "" : "    ", text->problem);
		return;
	}
	module = newer(g, s, text);
	if (module)
		line_say(l,
			 "    warning: it is newer than %s: the lines may be "
			 "different",
			 module);
}

static int
print_file(struct listing *g, const struct annotate_file *f)
{
	const struct source *s = f->source;
	struct line *l = &g->t->line;
	struct source_text text;
	int status;

	status = source_text_read(&text, &g->places, s->recorded, s->path);
	if (!status) {
		annotate_title(g, s, &text);
		line_end(l);
		grid_head(&g->grid);
		grid_row(&g->grid,
			 &(struct row){ &s->self, &s->total, 0, NULL, NULL },
			 "<TOTAL>");
		line_end(l);
		if (!text.problem)
			text_lines(g, f, &text);
		if (!text.problem && beyond(f, text.n))
			tables_say(g->t, "Lines beyond the end of the file, "
					 "which was changed:");
		bare_lines(g, f, text.problem ? 0 : text.n);
		line_end(l);
	}
	source_text_fini(&text);
	return status;
}

/* ----------------------------------------------------------------- all -- */

/* A file with few bytes is only counted, unless the user asked for it. */
static bool
annotate_worth(const struct listing *g, const struct annotate_file *f)
{
	const struct source *s = f->source;

	return g->t->o->annotate_only.n ||
	       tables_worth(g->t, s->total.bytes,
			    counts_sum(g->t->p->total.bytes)) ||
	       (s->self.allocs && tables_worth(g->t, s->self.bytes, g->known));
}

static int
annotate_table(struct listing *g)
{
	struct tables *t = g->t;
	size_t left = 0;

	annotate_measure(g);
	for (size_t i = 0; i < t->p->nsources; i++)
		g->known = amount_add(g->known, t->p->sources[i].self.bytes);
	for (size_t i = 0; i < g->all.n; i++) {
		if (!annotate_worth(g, &g->all.file[i]))
			left++;
		else if (print_file(g, &g->all.file[i]))
			return -1;
	}
	if (left) {
		tables_left_out(t, left, "file", "with less than",
				" of all bytes");
		line_end(&t->line);
	}
	annotate_summary(&g->all);
	grid_legend(&g->grid, &legend);
	return 0;
}

int
annotate_print(struct tables *t)
{
	const struct profile *p = t->p;
	const struct options *o = t->o;
	struct listing g = { .t = t };

	tables_title(t, "Annotated Source");
	if (!p->nsources) {
		tables_say(t, counts_sum(p->total.allocs)
				      ? "No source line is known: compile "
					"with -g."
				      : "Nothing was allocated.");
		return 0;
	}
	g.places.dirs = o->source_dirs.item;
	g.places.ndirs = o->source_dirs.n;
	g.places.sysroot = o->read.where.sysroot;
	g.places.exe = o->read.exe;
	if (!g.places.exe && p->nruns)
		g.places.exe = p->runs[0].program;
	annotate_choose(&g.all, t);
	return annotate_table(&g);
}
