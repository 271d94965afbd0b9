/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From items to the rows of a query: see query.h. */
#include "display/query/query.h"

#include <stdlib.h>
#include <string.h>

/* ----------------------------------------------------------- which items -- */

struct holder {
	struct columns *columns;
	const struct tally *t;
};

static void
column(void *arg, unsigned c, struct expr_value *v)
{
	const struct holder *h = arg;

	*v = columns_value(h->columns, h->t, (enum column)c);
}

bool
query_holds(struct columns *columns, const struct tally *t,
	    const struct expr *x)
{
	struct holder h = { columns, t };
	const struct expr_source s = { .column = column, .arg = &h };

	return expr_true(x, &s);
}

/* 0, or -1 when out of memory. */
static int
choose(struct query_groups *g)
{
	const struct profile *p = g->base->p;
	struct tally t;
	size_t i, k;

	g->item = malloc((p->nitems + 1) * sizeof *g->item);
	if (!g->item)
		return -1;
	for (i = 0; i < p->nitems; i++) {
		t = tally_item(g->base, i);
		for (k = 0; k < g->q->nwhere; k++)
			if (!query_holds(g->columns, &t, &g->q->where[k].x))
				break;
		if (k == g->q->nwhere)
			g->item[g->nitems++] = i;
	}
	return g->columns->failed ? -1 : 0;
}

/* ----------------------------------------------------------- into groups -- */

static int
compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* What isn't known comes last. */
static int
compare_texts(const char *a, const char *b)
{
	bool no = !a || !*a, neither = !b || !*b;

	return no || neither ? no - neither : strcmp(a, b);
}

static int
compare_sizes(const struct item *a, const struct item *b)
{
	return a->any != b->any ? a->any - b->any
				: compare_numbers(a->size, b->size);
}

/* Tables' order: pointers into them. */
static int
compare_places(const void *a, const void *b)
{
	if (!a || !b)
		return !a - !b;
	return compare_numbers((uintptr_t)a, (uintptr_t)b);
}

static int
compare_by(const struct query_groups *g, enum query_by by, const struct item *a,
	   const struct item *b)
{
	switch (by) {
	case QUERY_TYPE:
		return compare_texts(a->type, b->type);
	case QUERY_SITE:
		return compare_places(a->site, b->site);
	case QUERY_FUNCTION:
		return compare_places(tally_func(a), tally_func(b));
	case QUERY_FILE:
		return compare_texts(tally_file(a), tally_file(b));
	case QUERY_MODULE:
		return compare_texts(tally_module(a), tally_module(b));
	case QUERY_THREAD:
		return compare_places(a->thread, b->thread);
	case QUERY_SIZE:
		return compare_sizes(a, b);
	default:
		/* Those without a time come last. */
		return compare_numbers((unsigned)tally_lived(g->base, a->site),
				       (unsigned)tally_lived(g->base, b->site));
	}
}

static int
compare_items(const struct query_groups *g, size_t a, size_t b)
{
	const struct item *v = g->base->p->items;
	int c = 0;

	for (size_t i = 0; i < g->q->nby && !c; i++)
		c = compare_by(g, g->q->by[i], &v[a], &v[b]);
	return c;
}

static int
by_group(const void *va, const void *vb, void *arg)
{
	const size_t *a = va, *b = vb;
	int c = compare_items(arg, *a, *b);

	return c ? c : compare_numbers(*a, *b);
}

static int
divide(struct query_groups *g)
{
	struct query_group *v;
	size_t i, room = 0;

	if (g->nitems)
		qsort_r(g->item, g->nitems, sizeof *g->item, by_group, g);
	for (i = 0; i < g->nitems; i++) {
		if (i && !compare_items(g, g->item[i - 1], g->item[i])) {
			g->v[g->n - 1].n++;
			continue;
		}
		if (g->n == room) {
			room = room * 2 + 64;
			v = reallocarray(g->v, room, sizeof *v);
			if (!v)
				return -1;
			g->v = v;
		}
		g->v[g->n++] = (struct query_group){ i, 1 };
	}
	return 0;
}

struct tally
query_tally(const struct query_groups *g, size_t i, struct tally_room *room)
{
	return tally_items(g->base, g->item + g->v[i].first, g->v[i].n, room);
}

/* ----------------------------------------------------------- their order -- */

/* A value to sort by; texts are owned. */
struct key {
	bool known;
	long double number;
	char *text;
};

struct order {
	struct query_group group;
	struct key key[QUERY_SORTS];
	uint64_t bytes;
	size_t place;
};

static int
compare_keys(const struct key *a, const struct key *b, bool reverse)
{
	int c;

	if (!a->known || !b->known)
		return !a->known - !b->known;
	if (a->text)
		c = strcmp(a->text, b->text);
	else
		c = a->number > b->number ? -1 : a->number < b->number;
	return reverse ? -c : c;
}

static int
by_order(const void *va, const void *vb, void *arg)
{
	const struct order *a = va, *b = vb;
	const struct query *q = arg;
	int c = 0;

	for (size_t i = 0; i < q->nsort && !c; i++)
		c = compare_keys(&a->key[i], &b->key[i], q->sort[i].reverse);
	if (!c)
		c = compare_numbers(b->bytes, a->bytes);
	return c ? c : compare_numbers(a->place, b->place);
}

/* Fill what a group is sorted by.  0 or -1. */
static int
fill(const struct query_groups *g, struct order *o, const struct tally *t)
{
	o->bytes = t->bytes;
	for (size_t k = 0; k < g->q->nsort; k++) {
		enum column c = g->q->sort[k].column;
		struct expr_value v = columns_value(g->columns, t, c);

		o->key[k] = (struct key){ v.known, v.number, NULL };
		if (columns_kind(c) != ROWS_TEXT || !v.known)
			continue;
		o->key[k].text = strdup(v.text);
		if (!o->key[k].text)
			return -1;
	}
	return 0;
}

/* The groups that having leaves, in their order. */
static int
arrange(struct query_groups *g, struct order *o)
{
	struct tally_room room;
	struct tally t;
	size_t i, k, n = 0;
	int status = 0;

	for (i = 0; i < g->n && !status; i++) {
		t = query_tally(g, i, &room);
		for (k = 0; k < g->q->nhaving; k++)
			if (!query_holds(g->columns, &t, &g->q->having[k].x))
				break;
		if (k < g->q->nhaving)
			continue;
		o[n].group = g->v[i];
		o[n].place = n;
		status = fill(g, &o[n], &t);
		n++;
	}
	if (n)
		qsort_r(o, n, sizeof *o, by_order, (void *)(uintptr_t)g->q);
	for (i = 0; i < n; i++) {
		g->v[i] = o[i].group;
		for (k = 0; k < g->q->nsort; k++)
			free(o[i].key[k].text);
	}
	g->n = n;
	return g->columns->failed ? -1 : status;
}

int
query_groups_init(struct query_groups *g, const struct query *q,
		  struct columns *columns)
{
	struct order *o;
	int status;

	*g = (struct query_groups){ .q = q,
				    .base = columns->base,
				    .columns = columns };
	if (choose(g) || divide(g))
		return -1;
	o = calloc(g->n + 1, sizeof *o);
	if (!o)
		return -1;
	status = arrange(g, o);
	free(o);
	return status;
}

void
query_groups_fini(struct query_groups *g)
{
	free(g->item);
	free(g->v);
	*g = (struct query_groups){ 0 };
}
