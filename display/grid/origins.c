/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the program allocates: see origins.h. */
#include "display/grid/origins.h"

#include "display/text/amount.h"
#include "display/text/element.h"
#include "display/text/intern.h"
#include "reduce/base/sort.h"
#include "reduce/base/str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A caller matters if a tenth of the figure, or more, is its own. */
enum { SHARE = 10 };

uint64_t
origins_bytes(const struct profile *p, size_t site)
{
	return counts_sum(p->sites[site].count.bytes);
}

uint64_t
origins_kept(const struct profile *p, size_t site)
{
	return amount_kept(&p->sites[site].count);
}

uint64_t
origins_peak(const struct profile *p, size_t site)
{
	return p->sites[site].count.peak;
}

const struct frame *
origins_own(const struct frame *f, bool *std)
{
	while (f && f->func->whose != PROFILE_OWN) {
		*std = true;
		f = f->parent;
	}
	return f;
}

const struct frame *
origins_first(const struct frame *leaf, bool own, bool *std)
{
	bool found = false;
	const struct frame *f = own ? origins_own(leaf, &found) : NULL;

	*std = f && found;
	return f ? f : leaf;
}

const struct frame *
origins_next(const struct frame *f, bool own)
{
	bool std;

	f = element_caller(f);
	return own ? origins_own(f, &std) : f;
}

static int
origins_add(struct origins *o, struct intern *places, size_t site)
{
	const struct site *s = &o->p->sites[site];
	bool std = false;
	const struct frame *own = origins_own(s->leaf, &std);
	const struct frame *at = own ? own : s->leaf;
	/* This keeps "no frame" apart from any function and line. */
	uint64_t whole = at ? (uint64_t)at->func->whole + 2 : 1;
	uint32_t n = intern_pair(places, whole, at ? at->line : 0);

	if (n == INTERN_FAILED)
		return -1;
	if (n == o->n)
		o->v[o->n++].at = at;
	o->of[site] = n;
	return 0;
}

int
origins_init(struct origins *o, struct tables *t)
{
	const struct profile *p = t->p;
	struct intern places = { 0 };
	int status = 0;

	*o = (struct origins){ .p = p, .t = t };
	o->v = tables_room(t, p->nsites + 1, sizeof *o->v);
	o->of = tables_room(t, p->nsites + 1, sizeof *o->of);
	for (size_t i = 0; i < p->nsites && !status; i++)
		status = origins_add(o, &places, i);
	intern_fini(&places);
	return status;
}

/* ------------------------------------------------------------- callers -- */

bool
origins_pass(struct origins_passed *passed, const struct func *f)
{
	if (passed->n == ORIGINS_PASSED)
		return false;
	passed->whole[passed->n++] = f->whole;
	return true;
}

static bool
is_passed(const struct origins_passed *passed, const struct func *f)
{
	for (size_t i = 0; i < passed->n; i++)
		if (passed->whole[i] == f->whole)
			return true;
	return false;
}

/* Move the end to the next frame outwards of the program's own code. */
static void
outwards(struct origins_end *e, const struct origins_passed *passed)
{
	const struct frame *f = e->at;

	e->leaf = f;
	e->std = false;
	do
		f = f ? origins_own(f->parent, &e->std) : NULL;
	while (f && is_passed(passed, f->func));
	e->at = f;
}

/* Order by caller: function, then line. */
static int
origins_compare(const void *va, const void *vb)
{
	const struct frame *a = ((const struct origins_end *)va)->at;
	const struct frame *b = ((const struct origins_end *)vb)->at;

	if (!a || !b)
		return !b - !a;
	if (a->func->whole != b->func->whole)
		return a->func->whole < b->func->whole ? -1 : 1;
	return (a->line > b->line) - (a->line < b->line);
}

/* Largest sum first; equal sums in their previous order. */
SORT_BY(compare_sums, struct origins_caller, SORT_DOWN(sum) SORT_UP(first))

/* The number of ends, of n, that have the same caller as the first. */
static size_t
origins_same_caller(const struct origins_end *e, size_t n)
{
	size_t i = 1;

	while (i < n && origins_compare(&e[0], &e[i]) == 0)
		i++;
	return i;
}

/* Find the ends of an origin: the first callers on the paths of its sites. */
static void
origins_find(struct origins_callers *c, const struct origins *o, size_t k,
	     origins_figure *figure, const struct origins_passed *passed)
{
	for (size_t i = 0; i < o->p->nsites; i++) {
		const struct frame *leaf = o->p->sites[i].leaf, *own;
		struct origins_end e = { .n = 0 };

		if (o->of[i] != k || !(e.n = figure(o->p, i)))
			continue;
		own = origins_own(leaf, &e.std);
		e.at = own ? own : leaf;
		outwards(&e, passed);
		c->end[c->nends++] = e;
	}
}

/* Group the ends by caller. */
static void
origins_group(struct origins_callers *c)
{
	qsort(c->end, c->nends, sizeof *c->end, origins_compare);
	c->n = 0;
	c->sum = 0;
	for (size_t i = 0; i < c->nends; i += c->v[c->n++].n) {
		struct origins_caller *a = &c->v[c->n];

		*a = (struct origins_caller){ .first = i };
		a->n = origins_same_caller(&c->end[i], c->nends - i);
		for (size_t j = i; j < i + a->n; j++)
			a->sum = amount_add(a->sum, c->end[j].n);
		c->sum = amount_add(c->sum, a->sum);
	}
	qsort(c->v, c->n, sizeof *c->v, compare_sums);
}

/*
 * All ends have the same caller: go on to the callers of that caller, if one of
 * them is large enough to matter.
 */
static bool
go_on(struct origins_callers *c, struct origins_passed *passed)
{
	const struct frame *at = c->end[0].at;
	bool std = c->end[0].std;

	if (!at || !origins_pass(passed, at->func))
		return false;
	for (size_t i = 0; i < c->nends; i++)
		outwards(&c->end[i], passed);
	origins_group(c);
	if (c->end[c->v[0].first].at &&
	    (unsigned __int128)c->v[0].sum * SHARE >= c->sum) {
		c->common[c->ncommon].at = at;
		c->common[c->ncommon++].std = std;
		return true;
	}
	passed->n--;
	for (size_t i = 0; i < c->nends; i++) {
		c->end[i].at = c->end[i].leaf;
		c->end[i].std = std;
	}
	origins_group(c);
	return false;
}

int
origins_callers(struct origins_callers *c, const struct origins *o, size_t k,
		origins_figure *figure, struct origins_passed *passed)
{
	size_t n = 0;

	*c = (struct origins_callers){ 0 };
	for (size_t i = 0; i < o->p->nsites; i++)
		n += o->of[i] == k;
	c->end = tables_room(o->t, n, sizeof *c->end);
	c->v = tables_room(o->t, n, sizeof *c->v);
	origins_find(c, o, k, figure, passed);
	origins_group(c);
	while (c->n == 1 && c->ncommon < ORIGINS_COMMON && go_on(c, passed))
		;
	return 0;
}

size_t
origins_outwards(struct origins_callers *c, const struct origins_caller *caller,
		 const struct origins_passed *passed)
{
	struct origins_end *e = &c->end[caller->first];
	size_t n = 0;

	for (size_t i = 0; i < caller->n; i++)
		outwards(&e[i], passed);
	qsort(e, caller->n, sizeof *e, origins_compare);
	for (size_t i = 0; i < caller->n; n++)
		i += origins_same_caller(&e[i], caller->n - i);
	return n;
}

bool
origins_alike(const struct frame *a, const struct frame *b)
{
	return a->func->whole == b->func->whole && a->line == b->line;
}

/* The first frame, from `at' outwards, with the line of f; or NULL. */
static const struct frame *
find_line(const struct frame *at, const struct frame *f)
{
	bool std;

	while (at && !origins_alike(at, f))
		at = origins_own(at->parent, &std);
	return at;
}

const struct frame *
origins_common(const struct origins_callers *c,
	       const struct origins_caller *caller,
	       const struct origins_passed *passed)
{
	const struct origins_end *e = &c->end[caller->first];
	const struct frame *all[ORIGINS_PASSED], *f;
	size_t n = 0, kept;
	bool std;

	for (f = e->at; f && n < ORIGINS_PASSED;
	     f = origins_own(f->parent, &std)) {
		kept = 0;
		while (kept < n && !origins_alike(all[kept], f))
			kept++;
		if (kept == n && !is_passed(passed, f->func))
			all[n++] = f;
	}
	for (size_t i = 1; i < caller->n && n; i++, n = kept) {
		kept = 0;
		for (size_t k = 0; k < n; k++)
			if (find_line(e[i].at, all[k]))
				all[kept++] = all[k];
	}
	return n ? all[0] : NULL;
}

/* The place of f: " (file:line)", " (library)", "", from malloc(); or NULL. */
static char *
origins_where(const struct profile *p, const struct frame *f,
	      const struct frame *from)
{
	const struct func *func = f->func;
	char *where;
	int n;

	if (f->line && *f->file)
		n = asprintf(&where, " (%s:%u)", str_basename(f->file),
			     f->line);
	else if (func->in && *func->name != '[' &&
		 (!from || from->func->in != func->in) &&
		 !p->modules[func->in].program)
		n = asprintf(&where, " (%s)", func->module);
	else
		return strdup("");
	return n < 0 ? NULL : where;
}

size_t
origins_columns(const struct tables *t, const struct frame *f,
		const struct frame *from)
{
	char *where = origins_where(t->p, f, from);
	size_t n = line_width(f->func->name) + (where ? line_width(where) : 0);

	free(where);
	return n;
}

void
origins_place(struct tables *t, const struct frame *f, const struct frame *from,
	      size_t columns)
{
	char *where = origins_where(t->p, f, from);
	size_t taken = where ? line_width(where) : 0;
	char *name = line_shorten(f->func->name,
				  columns < taken + 8 ? 8 : columns - taken);

	if (where && name) {
		line_left(&t->line, 0, name);
		line_look(&t->line, LINE_PLACE);
		line_left(&t->line, 0, where);
		line_look(&t->line, LINE_PLAIN);
	} else {
		t->line.failed = true;
	}
	free(where);
	free(name);
}
