/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The leaks: what was not freed, by the innermost part of the call chains. */
#include "display/amount.h"
#include "display/name.h"
#include "display/number.h"
#include "display/tables.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/*
 * Sites whose chains are the same as far as they are shown.  tip is one of
 * these chains, NULL for sites without any.
 */
struct path {
	const struct frame *tip;
	size_t hash;
	size_t frames;		/* that are shown */
	bool whole;		/* nothing comes before these frames */
	uint64_t allocs, bytes, frees, freed;
};

/* The paths, and a hash table of their places plus one, a power of two. */
struct paths {
	struct path *path;
	size_t n;
	size_t *slot;
	size_t nslots;
	bool offsets;
};

struct widths {
	size_t kept, allocs, bytes, frees, freed;
};

static uint64_t
kept(const struct path *a)
{
	return amount_sub(a->bytes, a->freed);
}

static bool
unbalanced(const struct path *a)
{
	return a->allocs > a->frees || a->bytes > a->freed;
}

static size_t
mix(size_t hash, size_t value)
{
	hash = (hash ^ value) * (size_t)0x9e3779b97f4a7c15;
	return hash ^ hash >> 29;
}

static size_t
hash_text(const char *text)
{
	size_t hash = 0;

	for (; *text; text++)
		hash = mix(hash, (unsigned char)*text);
	return hash;
}

/* The path of a chain: at most `depth' frames of it, 0 for all. */
static struct path
make(const struct frame *tip, size_t depth, bool offsets)
{
	struct path a = { .tip = tip };
	const struct frame *f;

	for (f = tip; f && (!depth || a.frames < depth); f = f->parent) {
		a.hash = mix(a.hash, (uintptr_t)f->func);
		if (offsets && f->site)
			a.hash = mix(a.hash, hash_text(f->site));
		a.frames++;
	}
	a.whole = tip && !f &&
		  (tip->start == PROFILE_START_MAIN ||
		   tip->start == PROFILE_START_OTHER);
	a.hash = mix(a.hash, a.whole);
	return a;
}

static bool
same_site(const struct frame *f, const struct frame *g)
{
	return f->site == g->site ||
	       (f->site && g->site && strcmp(f->site, g->site) == 0);
}

static bool
same(const struct path *a, const struct path *b, bool offsets)
{
	const struct frame *f = a->tip, *g = b->tip;

	if (a->hash != b->hash || a->frames != b->frames ||
	    a->whole != b->whole)
		return false;
	for (size_t i = 0; i < a->frames; i++) {
		if (f == g)
			return true;
		if (f->func != g->func || (offsets && !same_site(f, g)))
			return false;
		f = f->parent;
		g = g->parent;
	}
	return true;
}

static void
add(struct paths *all, const struct path *a, const struct counts *c)
{
	size_t at = a->hash & (all->nslots - 1);
	struct path *to;

	while (all->slot[at] &&
	       !same(&all->path[all->slot[at] - 1], a, all->offsets))
		at = (at + 1) & (all->nslots - 1);
	if (!all->slot[at]) {
		all->path[all->n] = *a;
		all->slot[at] = ++all->n;
	}
	to = &all->path[all->slot[at] - 1];
	to->allocs = amount_add(to->allocs, amount_allocs(c));
	to->bytes = amount_add(to->bytes, amount_bytes(c));
	to->frees = amount_add(to->frees, amount_frees(c));
	to->freed = amount_add(to->freed, amount_freed(c));
}

/* The order of paths that kept as much: from the inner end outwards. */
static int
compare_frames(const struct path *a, const struct path *b)
{
	const struct frame *f = a->tip, *g = b->tip;
	size_t n = a->frames < b->frames ? a->frames : b->frames;
	int c = 0;

	for (size_t i = 0; i < n && !c && f != g; i++) {
		c = f->func == g->func ? 0
				       : sort_compare_funcs(f->func, g->func);
		if (!c && f->site && g->site)
			c = strcmp(f->site, g->site);
		f = f->parent;
		g = g->parent;
	}
	if (!c)
		c = (a->frames > b->frames) - (a->frames < b->frames);
	return c ? c : a->whole - b->whole;
}

static int
compare(const void *va, const void *vb)
{
	const struct path *a = va, *b = vb;
	uint64_t ka = kept(a), kb = kept(b);

	if (ka != kb)
		return ka < kb ? 1 : -1;
	if (a->bytes != b->bytes)
		return a->bytes < b->bytes ? 1 : -1;
	if (a->allocs != b->allocs)
		return a->allocs < b->allocs ? 1 : -1;
	return compare_frames(a, b);
}

/* Put the sites together into paths, and keep those not balanced, sorted. */
static int
collect(struct tables *t, struct paths *all)
{
	const struct profile *p = t->p;
	size_t n = 0;

	all->offsets = t->o->read.offsets;
	all->nslots = 16;
	while (all->nslots < p->nsites * 2)
		all->nslots *= 2;
	all->path = calloc(p->nsites + 1, sizeof *all->path);
	all->slot = calloc(all->nslots, sizeof *all->slot);
	if (!all->path || !all->slot)
		return -1;
	for (size_t i = 0; i < p->nsites; i++) {
		struct path a =
			make(p->sites[i].tip, t->o->depth, all->offsets);

		add(all, &a, &p->sites[i].count);
	}
	for (size_t i = 0; i < all->n; i++)
		if (unbalanced(&all->path[i]))
			all->path[n++] = all->path[i];
	all->n = n;
	qsort(all->path, n, sizeof *all->path, compare);
	return 0;
}

/*
 * Leave the paths that are worth a row, and sum the others up in *hidden; gives
 * their number.  Worth a row is what has its share of the bytes, as in mprof
 * 3.0, or its share of what was kept: a path with much traffic and one small
 * leak must not hide the others.
 */
static size_t
select_paths(struct tables *t, struct paths *all, struct path *hidden)
{
	unsigned part = t->o->verbosity == OPTIONS_TERSE ? 100 : 200;
	uint64_t bytes = 0, lost = 0;
	size_t n = 0, left;

	if (t->o->verbosity == OPTIONS_VERBOSE)
		return 0;
	for (size_t i = 0; i < all->n; i++) {
		bytes = amount_add(bytes, all->path[i].bytes);
		lost = amount_add(lost, kept(&all->path[i]));
	}
	for (size_t i = 0; i < all->n; i++) {
		const struct path *a = &all->path[i];

		if ((unsigned __int128)a->bytes * part >= bytes ||
		    (unsigned __int128)kept(a) * part >= lost) {
			all->path[n++] = *a;
		} else {
			hidden->bytes = amount_add(hidden->bytes, a->bytes);
			hidden->freed = amount_add(hidden->freed, a->freed);
		}
	}
	left = all->n - n;
	all->n = n;
	return left;
}

static void
widen(size_t *width, size_t n)
{
	if (*width < n)
		*width = n;
}

static struct widths
measure(const struct tables *t, const struct paths *all)
{
	struct widths w = { 10, 10, 10, 0, 10 };
	bool human = t->o->human;

	for (size_t i = 0; i < all->n; i++) {
		const struct path *a = &all->path[i];

		widen(&w.kept, number_bytes_width(kept(a), human));
		widen(&w.allocs, number_bytes_width(a->allocs, false) + 1);
		widen(&w.bytes, number_bytes_width(a->bytes, human) + 1);
		widen(&w.freed, number_bytes_width(a->freed, human) + 1);
		if (a->frees)
			widen(&w.frees, 10);
		if (a->frees)
			widen(&w.frees,
			      number_bytes_width(a->frees, false) + 1);
	}
	return w;
}

static void
header(struct tables *t, const struct widths *w)
{
	struct line *l = &t->line;

	line_right(l, w->kept, "kept bytes");
	line_add(l, " %-4s", "(%)");
	line_right(l, w->allocs, "allocs");
	line_right(l, w->bytes, "bytes");
	line_add(l, " %-4s", "(%)");
	if (w->frees) {
		line_right(l, w->frees, "frees");
		line_right(l, w->freed, "bytes");
		line_add(l, " %-4s", "(%)");
	}
	line_add(l, "    path");
	line_end(l);
	line_end(l);
}

/* A frame's function, or the place of its call. */
static void
name(struct tables *t, const struct frame *f)
{
	char *site;

	if (!t->o->read.offsets || !f->site) {
		line_add(&t->line, "> %s ", sort_label(&t->sort, f->func));
		return;
	}
	site = name_cut(f->site, t->o->name_width);
	if (site)
		line_add(&t->line, "> %s ", site);
	else
		t->line.failed = true;
	free(site);
}

/* The frames, outermost first; frames[] has room for them. */
static void
names(struct tables *t, const struct path *a, const struct frame **frames)
{
	const struct frame *f = a->tip;
	struct line *l = &t->line;
	size_t i = a->frames;

	line_add(l, a->whole ? "|| " : "...");
	if (!a->tip)
		line_add(l, "> (no chain)");
	for (; f && i > 0; f = f->parent)
		frames[--i] = f;
	for (; i < a->frames; i++)
		name(t, frames[i]);
}

static void
row(struct tables *t, const struct widths *w, const struct path *a,
    const struct frame **frames)
{
	uint64_t bytes = amount_bytes(&t->p->total);
	struct line *l = &t->line;
	char buf[NUMBER_SIZE];

	line_right(l, w->kept, tables_bytes(t, buf, kept(a)));
	line_add(l, " %-4s", number_cell(buf, kept(a), bytes));
	line_right(l, w->allocs, number_count(buf, a->allocs));
	line_right(l, w->bytes, tables_bytes(t, buf, a->bytes));
	line_add(l, " %-4s", number_cell(buf, a->bytes, bytes));
	if (w->frees) {
		line_right(l, w->frees, number_count(buf, a->frees));
		line_right(l, w->freed, tables_bytes(t, buf, a->freed));
		line_add(l, " %-4s", number_cell(buf, a->freed, bytes));
	}
	line_add(l, "   ");
	names(t, a, frames);
	line_end(l);
}

static int
rows(struct tables *t, const struct paths *all)
{
	struct widths w = measure(t, all);
	const struct frame **frames;
	size_t most = 1;

	for (size_t i = 0; i < all->n; i++)
		widen(&most, all->path[i].frames);
	frames = calloc(most, sizeof(const struct frame *));
	if (!frames)
		return -1;
	header(t, &w);
	for (size_t i = 0; i < all->n; i++)
		row(t, &w, &all->path[i], frames);
	free(frames);
	return 0;
}

static void
print_hidden(struct tables *t, const struct path *hidden, size_t n)
{
	char buf[NUMBER_SIZE];

	if (!n)
		return;
	line_end(&t->line);
	line_add(&t->line,
		 "left out: %zu path%s under %s %%, with %s bytes not freed "
		 "(--verbose shows all)",
		 n, n == 1 ? "" : "s",
		 t->o->verbosity == OPTIONS_TERSE ? "1" : "0.5",
		 tables_bytes(t, buf, kept(hidden)));
	line_end(&t->line);
}

/* Why the table is empty. */
static const char *
nothing(const struct profile *p)
{
	if (p->incomplete)
		return "No block that wasn't freed is in what could be read.";
	if (!amount_allocs(&p->total))
		return "Nothing leaked: nothing was allocated.";
	return "Nothing leaked: all that was allocated was freed.";
}

static int
print(struct tables *t, struct paths *all)
{
	struct path hidden = { 0 };
	char buf[NUMBER_SIZE];
	size_t nhidden;

	if (collect(t, all))
		return -1;
	tables_title(t, "--------- Partial Dynamic Call Paths for Memory Leaks "
			"------------");
	if (!all->n) {
		line_add(&t->line, "%s", nothing(t->p));
		line_end(&t->line);
		return 0;
	}
	line_add(&t->line, "Total bytes not freed: %s",
		 tables_bytes(t, buf, amount_kept(&t->p->total)));
	line_end(&t->line);
	line_end(&t->line);
	nhidden = select_paths(t, all, &hidden);
	if (rows(t, all))
		return -1;
	print_hidden(t, &hidden, nhidden);
	legend_print(t, legend_leaks);
	return 0;
}

int
leaks_print(struct tables *t)
{
	struct paths all = { 0 };
	int status = print(t, &all);

	free(all.path);
	free(all.slot);
	return status;
}
