/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Find the cycles on call paths that are the same in two runs: those with the
 * same first, last and other functions, by their names in diff.name.  Each of
 * these cycles gets a name after the names of functions.
 */
#include "display/diff/diff.h"
#include "display/text/element.h"
#include "reduce/base/arena.h"
#include "reduce/base/sort.h"

#include <stdlib.h>
#include <string.h>

/* A cycle that ends with a frame.  Cycles are sorted by their functions. */
struct diff_ended {
	int run;
	const struct frame *frame;
	uint32_t *func; /* the first, the last, then the others, ascending */
	size_t n;
};

struct diff_ends {
	struct diff *d;
	struct diff_ended *v;
	size_t n, room;
};

SORT_NUMBERS(compare_numbers, uint32_t)

static int
compare_cycles(const void *va, const void *vb)
{
	const struct diff_ended *a = va, *b = vb;
	size_t i = 0;

	while (i < a->n && i < b->n && a->func[i] == b->func[i])
		i++;
	if (i < a->n && i < b->n)
		return a->func[i] < b->func[i] ? -1 : 1;
	return (a->n > b->n) - (a->n < b->n);
}

/* Set the functions of cycle c.  0, or -1 when out of memory. */
static int
diff_cycle_functions(struct diff_ends *x, struct diff_ended *c)
{
	size_t n, k = 2;
	const struct func **others = element_others(c->frame, &n);
	const struct func *entry = element_entry(c->frame)->func;
	uint32_t *v = diff_room(x->d, n + 2, sizeof *v), name;

	c->func = v;
	if (!others)
		return -1;
	v[0] = diff_name_of(x->d, c->run, entry);
	v[1] = diff_name_of(x->d, c->run, c->frame->func);
	for (size_t i = 0; i < n; i++) {
		name = diff_name_of(x->d, c->run, others[i]);
		if (name != v[0] && name != v[1])
			v[k++] = name;
	}
	free(others);
	qsort(v + 2, k - 2, sizeof *v, compare_numbers);
	c->n = 2;
	for (size_t i = 2; i < k; i++)
		if (c->n == 2 || v[c->n - 1] != v[i])
			v[c->n++] = v[i];
	return 0;
}

/* Collect all cycles of a run's paths, each final frame once.  0, or -1. */
static int
diff_cycle_collect(struct diff_ends *x, int run)
{
	const struct profile *p = x->d->run[run];
	uint32_t *seen = diff_room(x->d, p->ntree, sizeof *seen);
	const struct frame *f;
	struct diff_ended *v;

	x->d->cycle[run] = seen;
	for (size_t i = 0; i < p->nsites; i++)
		for (f = p->sites[i].leaf; f; f = element_caller(f)) {
			if (!element_is_cycle(f))
				continue;
			if (seen[f - p->tree]++)
				break;
			v = array_grow(x->v, &x->room, x->n + 1, sizeof *v);
			x->v = v;
			v += x->n++;
			*v = (struct diff_ended){ .run = run, .frame = f };
			if (diff_cycle_functions(x, v))
				return -1;
		}
	return 0;
}

/* The text of a cycle, as on paths, without a number; NULL: out of memory. */
static const char *
diff_cycle_text(struct diff *d, const struct diff_ended *c)
{
	size_t size, others = c->n - 2, named = element_named(others), n = 0;
	const char *name[ELEMENT_NAMES];
	const char *text = NULL;
	char *s = NULL;
	FILE *out = open_memstream(&s, &size);

	if (!out)
		return NULL;
	if (others || c->func[0] != c->func[1])
		name[n++] = d->name[c->func[0]].text;
	for (size_t i = 0; i < named; i++)
		name[n++] = d->name[c->func[2 + i]].text;
	element_put_cycle(out, 0, name, n, others - named,
			  d->name[c->func[1]].text);
	if (fclose(out) == 0)
		text = arena_copy(&d->room, s, size);
	free(s);
	return text;
}

/* Give the next name to cycle c, and move the functions of c to it. */
static int
diff_cycle_name(struct diff *d, struct diff_ended *c)
{
	struct diff_name *to = &d->name[d->nnames + d->ncycles];

	*to = (struct diff_name){ .text = diff_cycle_text(d, c) };
	for (size_t i = 0; i < c->n; i++)
		to->own |= d->name[c->func[i]].own;
	if (!to->text)
		return -1;
	to->nfuncs = c->n - (c->func[0] == c->func[1]);
	to->func = c->func;
	/* List a function that is first and last only once. */
	if (c->func[0] == c->func[1])
		memmove(c->func, c->func + 1, to->nfuncs * sizeof *c->func);
	d->ncycles++;
	return 0;
}

static uint32_t *
cycle_of(const struct diff *d, int run, const struct frame *f)
{
	return &d->cycle[run][f - d->run[run]->tree];
}

/* Name all cycles, in sorted order.  0, or -1. */
static int
diff_cycle_names(struct diff_ends *x)
{
	struct diff *d = x->d;
	struct diff_name *all = diff_room(d, d->nnames + x->n, sizeof *all);
	size_t i, k;

	memcpy(all, d->name, d->nnames * sizeof *all);
	d->name = all;
	if (x->n)
		qsort(x->v, x->n, sizeof *x->v, compare_cycles);
	for (i = 0; i < x->n; i = k) {
		for (k = i + 1;
		     k < x->n && !compare_cycles(&x->v[i], &x->v[k]);)
			k++;
		for (size_t j = i; j < k; j++)
			*cycle_of(d, x->v[j].run, x->v[j].frame) =
				(uint32_t)(d->nnames + d->ncycles);
		if (diff_cycle_name(d, &x->v[i]))
			return -1;
	}
	return 0;
}

int
diff_cycles(struct diff *d)
{
	struct diff_ends x = { .d = d };
	int status = 0;

	for (int run = 0; run < DIFF_NRUN && !status; run++)
		status = diff_cycle_collect(&x, run);
	status = status ? status : diff_cycle_names(&x);
	free(x.v);
	return status;
}

uint32_t
diff_element_of(const struct diff *d, int run, const struct frame *f)
{
	return element_is_cycle(f) ? *cycle_of(d, run, f)
				   : diff_name_of(d, run, f->func);
}

size_t
diff_functions(const struct diff *d, const uint32_t *name, const uint32_t **v)
{
	const struct diff_name *x = &d->name[*name];

	*v = x->nfuncs ? x->func : name;
	return x->nfuncs ? x->nfuncs : 1;
}
