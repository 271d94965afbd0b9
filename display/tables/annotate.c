/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The annotated source: what was allocated, beside the lines that did it. */
#include "display/tables/annotate.h"
#include "display/tables/legend.h"
#include "display/tables/notes.h"
#include "display/tables/table.h"
#include "display/tables/view.h"

#include "display/text/amount.h"
#include "display/text/name.h"
#include "display/text/number.h"
#include "display/text/text.h"

#include <stdlib.h>
#include <string.h>

/* Lines that are shown before and after those with figures. */
enum { AROUND = 3 };

/* A function whose first line is no further up is shown from there on. */
enum { UP = 12 };

/* What annotate_print() works with. */
struct listing {
	struct annotate all;
	struct tables *t;
	size_t bytes, allocs, kept, total, line; /* widths */
	struct text_places places;
	uint64_t known; /* bytes allocated on the lines of all files */
};

static uint64_t
kept(const struct source_count *c)
{
	return amount_sub(c->bytes, c->freed);
}

/* ------------------------------------------------------------- columns -- */

static void
widen(size_t *width, size_t n)
{
	if (*width < n)
		*width = n;
}

static void
measure(struct listing *g)
{
	bool human = g->t->o->human;

	g->bytes = g->allocs = g->kept = g->total = 10;
	g->line = 6;
	for (size_t i = 0; i < g->all.n; i++) {
		const struct source *s = g->all.file[i].source;
		const struct source_count *c = &s->self;

		widen(&g->bytes, number_bytes_width(c->bytes, human));
		widen(&g->allocs, number_bytes_width(c->allocs, false) + 1);
		widen(&g->kept, number_bytes_width(kept(c), human) + 1);
		widen(&g->total, number_bytes_width(s->total.bytes, human) + 1);
	}
}

static void
header(struct listing *g)
{
	struct line *l = &g->t->line;

	line_end(l);
	line_right(l, g->bytes, "bytes");
	line_right(l, g->allocs, "allocs");
	line_right(l, g->kept, "kept");
	line_right(l, g->total, "total");
	line_add(l, " %-5s", "(%)");
	line_right(l, g->line, "line");
	line_add(l, "  source");
	line_end(l);
	line_end(l);
}

/* The figures, `self' and `total'; they are blank where NULL. */
static void
figures(struct listing *g, const struct source_count *self,
	const struct source_count *total)
{
	uint64_t all = amount_bytes(&g->t->p->total);
	struct line *l = &g->t->line;
	char buf[NUMBER_SIZE];

	if (!self || !self->allocs) {
		line_right(l, g->bytes + g->allocs + g->kept, "");
	} else {
		line_right(l, g->bytes, tables_bytes(g->t, buf, self->bytes));
		line_right(l, g->allocs, number_count(buf, self->allocs));
		line_right(l, g->kept, tables_bytes(g->t, buf, kept(self)));
	}
	if (!total) {
		line_right(l, g->total + 6, "");
		return;
	}
	line_right(l, g->total, tables_bytes(g->t, buf, total->bytes));
	line_add(l, " %-5s", number_cell(buf, total->bytes, all));
}

static void
number(struct listing *g, size_t n)
{
	char buf[NUMBER_SIZE];

	line_right(&g->t->line, g->line, number_count(buf, n));
	line_add(&g->t->line, "  ");
}

/* A line with figures whose text isn't known: the function that it is in. */
static void
bare_line(struct listing *g, const struct source_line *s)
{
	struct line *l = &g->t->line;
	char *name = name_cut(s->funcs[0].name, g->t->o->name_width);

	figures(g, &s->self, &s->total);
	number(g, s->line);
	line_add(l, "(in %s%s)", name ? name : "",
		 s->nfuncs > 1 ? ", ..." : "");
	line_end(l);
	l->failed |= !name;
	free(name);
}

/* ------------------------------------------------------------- a listing -- */

/* Where the function begins that a line of the file is in; 0: not there. */
static size_t
start(const struct source *s, const struct source_line *l)
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

/* Set near[] for lines from a to b of those there are. */
static void
mark(bool *near, size_t n, size_t a, size_t b)
{
	for (size_t i = a ? a : 1; i <= b && i <= n; i++)
		near[i] = true;
}

/* Which of n lines are shown: near[1] to near[n]. */
static void
mark_all(const struct listing *g, const struct annotate_file *f, bool *near,
	 size_t n)
{
	const struct source *s = f->source;
	size_t last = 0;

	if (g->t->o->verbosity == OPTIONS_VERBOSE)
		mark(near, n, 1, n);
	for (size_t i = 0; i < s->nlines; i++) {
		size_t at = s->lines[i].line, from;

		if (!f->on[i])
			continue;
		mark(near, n, at > AROUND ? at - AROUND : 1, at + AROUND);
		from = start(s, &s->lines[i]);
		/* Its result type may stand above its name. */
		if (from)
			mark(near, n, from - 1,
			     at - from <= UP ? at : from + 1);
	}
	/* "..." takes a line, too. */
	for (size_t i = 1; i <= n; i++) {
		if (!near[i])
			continue;
		if (i - last <= 3)
			mark(near, n, last + 1, i);
		last = i;
	}
	if (n - last < 3)
		mark(near, n, last + 1, n);
}

/* The lines of the file, with figures where there are some. */
static int
text_lines(struct listing *g, const struct annotate_file *f,
	   const struct text *text)
{
	const struct source *s = f->source;
	struct line *l = &g->t->line;
	bool *near = calloc(text->n + 2, sizeof *near);
	size_t next = 0;

	if (!near)
		return -1;
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
		figures(g, at ? &at->self : NULL, at ? &at->total : NULL);
		number(g, i);
		text_add(text, i, l);
		line_end(l);
	}
	free(near);
	return 0;
}

/* The lines with figures that the text, of n lines, hasn't got. */
static void
bare_lines(struct listing *g, const struct annotate_file *f, size_t n)
{
	const struct source *s = f->source;

	for (size_t i = 0; i < s->nlines; i++)
		if (f->on[i] && s->lines[i].line > n)
			bare_line(g, &s->lines[i]);
}

/* Has the file been changed since a program or library was made from it? */
static const char *
newer(const struct listing *g, const struct source *s, const struct text *text)
{
	const char *sysroot = g->places.sysroot;
	struct timespec made;

	for (size_t i = 0; i < s->nmodules; i++)
		if (text_changed(s->modules[i], sysroot, &made) &&
		    (text->changed.tv_sec > made.tv_sec ||
		     (text->changed.tv_sec == made.tv_sec &&
		      text->changed.tv_nsec > made.tv_nsec)))
			return s->modules[i];
	return NULL;
}

/* Does a line that is shown lie behind the end? */
static bool
beyond(const struct annotate_file *f, size_t n)
{
	const struct source *s = f->source;

	for (size_t i = s->nlines; i-- > 0 && s->lines[i].line > n;)
		if (f->on[i])
			return true;
	return false;
}

/* Above a listing: which file it is, and what is amiss with it. */
static void
title(struct listing *g, const struct source *s, const struct text *text)
{
	struct line *l = &g->t->line;
	const char *module;

	line_add(l, "*** File %s:", s->path);
	line_end(l);
	if (text->path && strcmp(text->path, s->path) != 0 &&
	    strcmp(text->path, s->recorded) != 0) {
		line_add(l, "    read from %s", text->path);
		line_end(l);
	}
	if (text->problem) {
		if (text->path)
			line_add(l, "    %s: ", text->path);
		line_add(l,
			 "%s%s: only its lines' numbers are known; say where "
			 "it is with -I DIR",
			 text->path ? "" : "    ", text->problem);
		line_end(l);
		return;
	}
	module = newer(g, s, text);
	if (module) {
		line_add(l,
			 "    warning: it is more recent than %s: the lines "
			 "may be others",
			 module);
		line_end(l);
	}
}

static int
print_file(struct listing *g, const struct annotate_file *f)
{
	const struct source *s = f->source;
	struct line *l = &g->t->line;
	struct text text;
	int status;

	status = text_read(&text, &g->places, s->recorded, s->path);
	if (!status) {
		title(g, s, &text);
		header(g);
		figures(g, &s->self, &s->total);
		line_right(l, g->line, "");
		line_add(l, "  <TOTAL>");
		line_end(l);
		line_end(l);
		if (!text.problem)
			status = text_lines(g, f, &text);
		if (!text.problem && beyond(f, text.n)) {
			tables_say(g->t, "Behind the end of the file, which "
					 "was changed:");
		}
		bare_lines(g, f, text.problem ? 0 : text.n);
		line_end(l);
	}
	text_fini(&text);
	return status;
}

/* ----------------------------------------------------------------- all -- */

/* Files that have little are only counted, unless they were asked for. */
static bool
worth(const struct listing *g, const struct annotate_file *f)
{
	const struct source *s = f->source;

	return g->t->o->annotate_only.n ||
	       tables_worth(g->t, s->total.bytes,
			    amount_bytes(&g->t->p->total)) ||
	       (s->self.allocs && tables_worth(g->t, s->self.bytes, g->known));
}

static int
print(struct listing *g)
{
	struct tables *t = g->t;
	size_t left = 0;

	measure(g);
	for (size_t i = 0; i < t->p->nsources; i++)
		g->known = amount_add(g->known, t->p->sources[i].self.bytes);
	for (size_t i = 0; i < g->all.n; i++) {
		if (!worth(g, &g->all.file[i]))
			left++;
		else if (print_file(g, &g->all.file[i]))
			return -1;
	}
	if (left) {
		line_add(&t->line,
			 "left out: %zu file%s with less than %s %% of all "
			 "bytes (--verbose shows all)",
			 left, left == 1 ? "" : "s",
			 t->o->verbosity == OPTIONS_TERSE ? "1" : "0.5");
		line_end(&t->line);
		line_end(&t->line);
	}
	if (annotate_summary(&g->all))
		return -1;
	legend_print(t, legend_annotate);
	return 0;
}

int
annotate_print(struct tables *t)
{
	const struct profile *p = t->p;
	const struct options *o = t->o;
	struct listing g = { .t = t };
	int status = 0;

	tables_title(t, "--------- Annotated Source ------------");
	if (!p->nsources) {
		tables_say(t, amount_allocs(&p->total)
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
	status = annotate_choose(&g.all, t);
	if (!status)
		status = print(&g);
	annotate_fini(&g.all);
	return status;
}
