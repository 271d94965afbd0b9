/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Call paths: see paths.h. */
#include "display/grid/paths.h"

#include "display/text/amount.h"
#include "display/text/element.h"

#include <stdlib.h>
#include <string.h>

/* The number of elements, from the leaf on, that .called has bits for. */
enum { MARKED = 64 };

static size_t
mix(size_t hash, size_t value)
{
	hash = (hash ^ value) * (size_t)0x9e3779b97f4a7c15;
	return hash ^ hash >> 29;
}

static size_t
paths_hash_text(const char *text)
{
	size_t hash = 0;

	for (; *text; text++)
		hash = mix(hash, (unsigned char)*text);
	return hash;
}

/* The path to a leaf: at most `depth' elements; 0: all. */
static struct path
paths_make(const struct frame *leaf, size_t depth, bool offsets, bool own)
{
	struct path a = { .leaf = leaf, .first = SIZE_MAX };
	const struct frame *f;

	a.leaf = origins_first(leaf, own, &a.std);
	a.hash = mix(a.hash, a.std);
	for (f = a.leaf; f && (!depth || a.n < depth);
	     f = origins_next(f, own)) {
		a.hash = mix(a.hash, (uintptr_t)f->func);
		a.hash = mix(a.hash, element_hash(f));
		if (own)
			a.hash = mix(a.hash, f->line);
		if (offsets && f->site)
			a.hash = mix(a.hash, paths_hash_text(f->site));
		if ((!f->inlined || element_is_cycle(f)) && a.n < MARKED)
			a.called |= UINT64_C(1) << a.n;
		a.n++;
	}
	a.whole = leaf && !f &&
		  (leaf->start == PROFILE_START_MAIN ||
		   leaf->start == PROFILE_START_OTHER);
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
paths_same(const struct path *a, const struct path *b, const struct paths *all)
{
	const struct frame *f = a->leaf, *g = b->leaf;

	if (a->hash != b->hash || a->n != b->n || a->whole != b->whole ||
	    a->std != b->std)
		return false;
	for (size_t i = 0; i < a->n; i++) {
		if (f == g)
			return true;
		if (f->func != g->func || (all->offsets && !same_site(f, g)) ||
		    (all->own && f->line != g->line) || element_compare(f, g))
			return false;
		f = origins_next(f, all->own);
		g = origins_next(g, all->own);
	}
	return true;
}

/* The index in all->path of a path like *a, which is added if it is new. */
static size_t
paths_intern(struct paths *all, const struct path *a)
{
	size_t at = a->hash & (all->nslots - 1);

	while (all->slot[at] &&
	       !paths_same(&all->path[all->slot[at] - 1], a, all))
		at = (at + 1) & (all->nslots - 1);
	if (!all->slot[at]) {
		all->path[all->n] = *a;
		all->slot[at] = ++all->n;
	}
	all->path[all->slot[at] - 1].several |=
		all->path[all->slot[at] - 1].leaf != a->leaf;
	all->path[all->slot[at] - 1].called |= a->called;
	return all->slot[at] - 1;
}

static void
paths_add(struct path *to, const struct site *s)
{
	struct figures figures = counts_figures(&s->count, s->peak_blocks);

	figures_add(&to->figures, &figures);
	to->reallocs += s->reallocs;
	counts_add_errors(to->var, s->count.var);
	if (to->leak && s->leak)
		leak_add(to->leak, s->leak);
	if (to->life && s->life)
		life_add(to->life, s->life);
}

/* Find the path of each site. */
static void
paths_find(struct paths *all, const struct tables *t)
{
	for (size_t i = 0; i < t->p->nsites; i++) {
		struct path a = paths_make(t->p->sites[i].leaf, t->o->depth,
					   all->offsets, all->own);

		all->of[i] = paths_intern(all, &a);
	}
	for (size_t i = t->p->nsites; i-- > 0;) {
		struct path *a = &all->path[all->of[i]];

		all->next[i] = a->first;
		a->first = i;
	}
}

/* Make room for the elements of the longest path, and for the figures. */
static void
paths_reserve(struct paths *all, struct tables *t, enum paths_with with)
{
	size_t most = 1;

	for (size_t i = 0; i < all->n; i++)
		if (most < all->path[i].n)
			most = all->path[i].n;
	all->element = tables_room(t, most, sizeof(const struct frame *));
	if (with == PATHS_LIVES)
		all->life = tables_room(t, all->n, sizeof *all->life);
	if (with == PATHS_USES)
		all->use = tables_room(t, all->n, sizeof *all->use);
	if (with == PATHS_LEAKS)
		all->leak = tables_room(t, all->n, sizeof *all->leak);
	for (size_t i = 0; i < all->n; i++) {
		all->path[i].life = all->life ? &all->life[i] : NULL;
		all->path[i].use = all->use ? &all->use[i] : NULL;
		all->path[i].leak = all->leak ? &all->leak[i] : NULL;
	}
}

void
paths_init(struct paths *all, struct tables *t, enum paths_with with)
{
	const struct profile *p = t->p;

	memset(all, 0, sizeof *all);
	all->offsets = t->o->read.offsets;
	all->own = t->o->own_paths;
	all->nslots = 16;
	while (all->nslots < p->nsites * 2)
		all->nslots *= 2;
	all->path = tables_room(t, p->nsites + 1, sizeof *all->path);
	all->slot = tables_room(t, all->nslots, sizeof *all->slot);
	all->of = tables_room(t, p->nsites + 1, sizeof *all->of);
	all->next = tables_room(t, p->nsites + 1, sizeof *all->next);
	paths_find(all, t);
	paths_reserve(all, t, with);
	for (size_t i = 0; i < p->nsites; i++)
		paths_add(&all->path[all->of[i]], &p->sites[i]);
	if (all->use)
		profile_use_all(p, all->of, all->use, all->n);
}

int
paths_compare(const struct path *a, const struct path *b)
{
	const struct frame *f = a->leaf, *g = b->leaf;
	size_t n = a->n < b->n ? a->n : b->n;
	int c = 0;

	for (size_t i = 0; i < n && !c && f != g; i++) {
		c = f->func == g->func ? 0
				       : nodes_compare_funcs(f->func, g->func);
		if (!c && f->site && g->site)
			c = strcmp(f->site, g->site);
		if (!c)
			c = element_compare(f, g);
		if (!c)
			c = (f->line > g->line) - (f->line < g->line);
		f = element_caller(f);
		g = element_caller(g);
	}
	if (!c)
		c = (a->n > b->n) - (a->n < b->n);
	return c ? c : a->whole - b->whole;
}

/* Is frame f, element n of the path from its leaf on, marked as inlined? */
static bool
is_inlined(const struct tables *t, const struct path *a, const struct frame *f,
	   size_t n)
{
	if (t->o->verbosity != OPTIONS_VERBOSE && !t->o->read.offsets)
		return false;
	if (n < MARKED)
		return !(a->called >> n & 1);
	return f->inlined && !element_is_cycle(f) && !a->several;
}

/* Print an element: its functions, or the place of its last call. */
static void
paths_name(struct tables *t, const struct frame *f, bool inlined)
{
	bool placed = t->o->read.offsets && f->site;
	char *site = placed ? line_shorten(f->site, t->o->name_width) : NULL;
	const char *last = placed ? site : nodes_label(&t->nodes, f->func);
	char *text = last ? element_text(f, last, t->o->name_width) : NULL;

	t->cycles |= element_is_cycle(f);
	if (text)
		line_add(&t->line, "> %s %s", text,
			 inlined ? "(inlined) " : "");
	else
		t->line.failed = true;
	free(text);
	free(site);
}

struct site_types
paths_types(const struct tables *t, const struct paths *all,
	    const struct path *a, origins_figure *figure, uint64_t *sum)
{
	struct site_types x = { .count = 0 };

	*sum = 0;
	for (size_t i = a->first; i != SIZE_MAX; i = all->next[i]) {
		uint64_t n = figure(t->p, i);

		site_types_add(&x, &t->p->sites[i], n, 0);
		*sum = amount_add(*sum, n);
	}
	return x;
}

/* The text of the types, within `room' columns; NULL: none. */
static char *
types_text(struct tables *t, const struct paths *all, const struct path *a,
	   origins_figure *figure, size_t room, size_t cut)
{
	uint64_t n;
	struct site_types x = paths_types(t, all, a, figure, &n);

	return site_types_text(&t->line, &x, n, 0, room, cut);
}

/*
 * For --paths=own: the width of all types and of a type, the indent, and the
 * lines that callers may add.
 */
enum { OWN_TYPES = 46, OWN_TYPE = 40, OWN_INDENT = 8, OWN_MORE = 2 };

static const char own_more[] = " < ...";

/*
 * Print the program's line, what it calls to allocate, and the types if there
 * are any.  If they don't fit after the figures, they get their own line.
 */
static void
print_line(struct tables *t, const struct path *a, const char *types)
{
	struct line *l = &t->line;
	size_t need = origins_columns(t, a->leaf, NULL) +
		      (a->std ? sizeof " > [std]" - 1 : 0) +
		      (types ? line_width(types) + 2 : 0) + sizeof own_more - 1;

	if (l->width && line_columns(l) > OWN_INDENT &&
	    line_columns(l) + need > l->width) {
		line_end(l);
		line_right(l, OWN_INDENT, "");
	}
	origins_place(t, a->leaf, NULL,
		      l->width ? l->width - OWN_INDENT : SIZE_MAX);
	/* From here on, the line is truncated if it is too long. */
	line_name(l);
	if (a->std)
		line_add(l, " > [std]");
	if (types)
		line_add(l, "  %s", types);
}

/* Start a new line if this has no room for `need' columns.  False: no more. */
static bool
wrapped(struct line *l, size_t need, int *more)
{
	if (!l->width || line_columns(l) + need <= l->width)
		return true;
	if (*more == OWN_MORE)
		return false;
	++*more;
	line_end(l);
	line_right(l, OWN_INDENT + 1, "");
	return true;
}

/* Print the line and its callers, on as many lines as OWN_MORE allows. */
static void
print_own(struct tables *t, const struct path *a, const char *types)
{
	struct line *l = &t->line;
	const struct frame *f = a->leaf, *from = f;
	int more = 0;
	size_t i;

	if (!f) {
		line_add(l, "(no chain)");
		return;
	}
	print_line(t, a, types);
	f = origins_next(f, true);
	for (i = 1; f && i < a->n; i++, f = origins_next(f, true)) {
		if (!wrapped(l,
			     sizeof " < " - 1 + origins_columns(t, f, from) +
				     sizeof own_more - 1,
			     &more))
			break;
		line_add(l, " < ");
		origins_place(t, f, from, SIZE_MAX);
		from = f;
	}
	if (i < a->n || !a->whole)
		line_add(l, "%s", own_more);
}

void
paths_print(struct tables *t, const struct paths *all, const struct path *a)
{
	const struct frame *f = a->leaf;
	struct line *l = &t->line;
	size_t i = a->n;

	if (all->own) {
		print_own(t, a, NULL);
		return;
	}
	line_add(l, a->whole ? "|| " : "...");
	if (!a->leaf)
		line_add(l, "> (no chain)");
	for (; f && i > 0; f = element_caller(f))
		all->element[--i] = f;
	for (; i < a->n; i++)
		paths_name(t, all->element[i],
			   is_inlined(t, a, all->element[i], a->n - 1 - i));
}

void
paths_print_typed(struct tables *t, const struct paths *all,
		  const struct path *a, origins_figure *figure)
{
	bool own = all->own;
	char *types = types_text(t, all, a, figure, own ? OWN_TYPES : SIZE_MAX,
				 own ? OWN_TYPE : t->o->name_width);

	if (own) {
		print_own(t, a, types);
	} else {
		paths_print(t, all, a);
		if (types)
			line_add(&t->line, "  %s", types);
	}
	free(types);
}

void
paths_print_lines(struct tables *t, const struct frame *leaf)
{
	struct path a = paths_make(leaf, t->o->depth, false, true);

	print_own(t, &a, NULL);
}

void
paths_print_chain(struct tables *t, const struct frame *leaf)
{
	bool offsets = t->o->read.offsets, own = t->o->own_paths;
	struct path a = paths_make(leaf, t->o->depth, offsets, own);
	struct paths all = { .offsets = offsets, .own = own };

	all.element = tables_room(t, a.n, sizeof(const struct frame *));
	paths_print(t, &all, &a);
}
