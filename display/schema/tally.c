/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of several items: see tally.h. */
#include "display/schema/tally.h"

#include "display/text/amount.h"
#include "reduce/base/sort.h"

#include <stdlib.h>
#include <string.h>

static size_t
tally_site_of(const struct tally_base *b, size_t item)
{
	return (size_t)(b->p->items[item].site - b->p->sites);
}

void
tally_start(struct tally_base *b, const struct profile *p)
{
	*b = (struct tally_base){ .p = p,
				  .lives = p->lives_known,
				  .uses = p->uses_known,
				  .leaks = p->leaks_known && p->leaks_all,
				  .holds = p->holds_known && p->leaks_all };
}

int
tally_init(struct tally_base *b, const struct profile *p)
{
	size_t i, k = 0;

	tally_start(b, p);
	b->first = calloc(p->nsites + 1, sizeof *b->first);
	b->seen = calloc(p->nsites + 1, sizeof *b->seen);
	b->gather = profile_gather_new(p);
	if (!b->first || !b->seen || !b->gather)
		return -1;
	b->turn = &b->seen[p->nsites];
	for (i = 0; i < p->nsites; i++) {
		b->first[i] = k;
		while (k < p->nitems && tally_site_of(b, k) == i)
			k++;
	}
	b->first[p->nsites] = k;
	return 0;
}

void
tally_fini(struct tally_base *b)
{
	free(b->first);
	b->first = NULL;
	free(b->seen);
	b->seen = b->turn = NULL;
	profile_gather_free(b->gather);
	b->gather = NULL;
}

/* ----------------------------------------------------------- of an item -- */

const struct func *
tally_func(const struct item *x)
{
	return x->site->leaf ? x->site->leaf->func : NULL;
}

const char *
tally_file(const struct item *x)
{
	const struct func *f = tally_func(x);

	return !f ? "" : f->call_line ? f->call_file : f->file;
}

unsigned
tally_line(const struct item *x)
{
	const struct func *f = tally_func(x);

	return !f ? 0 : f->call_line ? f->call_line : f->line;
}

const char *
tally_module(const struct item *x)
{
	const struct func *f = tally_func(x);

	return f ? f->module : "";
}

bool
tally_mean_known(const struct life *a)
{
	return a && a->timed && a->weight && a->sum != UINT64_MAX;
}

int
tally_lived(const struct tally_base *b, const struct site *s)
{
	uint64_t most = 1000;
	int i;

	if (!b->lives)
		return -1;
	if (!counts_sum(s->count.frees))
		return -2;
	if (!tally_mean_known(s->life))
		return -1;
	for (i = 0; i < TALLY_LIVED - 1; i++, most *= 10)
		if (s->life->sum / s->life->weight < most)
			break;
	return i;
}

/* An empty tally that starts with item x: no item differs yet. */
static struct tally
tally_begin(const struct item *x)
{
	struct tally t = { .item = x,
			   .size_known = true,
			   .one_type = true,
			   .one_site = true,
			   .one_func = true,
			   .one_file = true,
			   .one_line = true,
			   .one_module = true,
			   .one_thread = true,
			   .one_lived = true,
			   .least = x->size,
			   .largest = x->size,
			   .mark = '=' };

	return t;
}

/* Add the figures that items have, except the peak. */
static void
add_item(struct tally *t, const struct item *x)
{
	const struct item *first = t->item;

	account_add(&t->account, &x->account);
	t->size_known &= !x->any;
	t->least = x->size < t->least ? x->size : t->least;
	t->largest = x->size > t->largest ? x->size : t->largest;
	t->one_type &=
		x->type == first->type ||
		(x->type && first->type && !strcmp(x->type, first->type));
	if (t->mark == '=' || x->type_mark == '?')
		t->mark = x->type_mark;
	t->one_thread &= x->thread == first->thread;
	if (x->site == first->site)
		return;
	t->one_site = false;
	t->one_func &= tally_func(x) == tally_func(first);
	t->one_line &= tally_line(x) == tally_line(first);
	t->one_file &= !strcmp(tally_file(x), tally_file(first));
	t->one_module &= !strcmp(tally_module(x), tally_module(first));
}

struct tally
tally_site(const struct tally_base *b, const struct site *s)
{
	struct tally t = { .sites = 1,
			   .figures = counts_figures(&s->count, s->peak_blocks),
			   .whole = true,
			   .reallocs = s->reallocs,
			   .life = s->life,
			   .use = s->use,
			   .leak = s->leak,
			   .site = s };

	t.peak_known = b->p->peaks_known;
	counts_add_errors(t.var, s->count.var);
	return t;
}

struct tally
tally_item(const struct tally_base *b, size_t item)
{
	const struct item *x = &b->p->items[item];
	struct tally t = tally_begin(x);

	add_item(&t, x);
	t.sites = 1;
	t.figures = x->figures;
	counts_add_errors(t.var, x->var);
	t.peak_known &= b->p->peaks_known;
	t.whole = true;
	t.reallocs = x->site->reallocs;
	t.life = x->site->life;
	t.use = x->site->use;
	t.leak = x->site->leak;
	return t;
}

/* ------------------------------------------------------------ of several -- */

SORT_NUMBERS(compare, size_t)

void
tally_sort(size_t *item, size_t n)
{
	if (n)
		qsort(item, n, sizeof *item, compare);
}

static bool
same_size(const struct item *a, const struct item *b)
{
	return a->any == b->any && a->size == b->size;
}

/*
 * Add the bytes live at the peak, for n items of a site.  The peak is known for
 * all items of a size together; if some of them are missing, each must know its
 * own.
 */
static void
add_peak(const struct tally_base *b, struct tally *t, const size_t *item,
	 size_t n, size_t end)
{
	const struct item *v = b->p->items;
	uint64_t peak, blocks, allocs, bytes;
	size_t i, k, run;
	bool known, all;

	for (i = 0; i < n && t->peak_known; i += run) {
		peak = blocks = allocs = bytes = 0;
		known = true;
		for (run = 0; i + run < n; run++) {
			k = item[i + run];
			if (!same_size(&v[k], &v[item[i]]))
				break;
			peak += v[k].peak;
			blocks += v[k].peak_blocks;
			allocs = amount_add(allocs, v[k].allocs);
			bytes = amount_add(bytes, v[k].bytes);
			known &= v[k].peak_known;
		}
		k = item[i];
		all = !b->p->items_why && item[i + run - 1] - k == run - 1 &&
		      (k == b->first[tally_site_of(b, k)] ||
		       !same_size(&v[k - 1], &v[k])) &&
		      (k + run == end || !same_size(&v[k + run], &v[k]));
		t->peak_known &=
			(known || all) && blocks <= allocs && peak <= bytes;
		t->peak = amount_add(t->peak, peak);
		t->peak_blocks = amount_add(t->peak_blocks, blocks);
	}
}

/* Is this the first of the row's sites with this use? */
static bool
first_met(const struct tally_base *b, const struct use *u)
{
	size_t *seen = &b->seen[u->first - b->p->sites], turn = *b->turn;
	bool first = *seen != turn;

	*seen = turn;
	return first;
}

/* Add the figures that only sites have. */
static void
tally_add_site(const struct tally_base *b, struct tally *t,
	       const struct site *s, struct tally_room *room)
{
	t->reallocs = amount_add(t->reallocs, s->reallocs);
	if (s->life)
		life_add(&room->life, s->life);
	if (s->use && first_met(b, s->use)) {
		use_add(&room->use, s->use);
		profile_gather(b->gather, s->use);
	}
	if (s->leak)
		leak_add(&room->leak, s->leak);
}

/* Add n items, all of one site. */
static void
add_items(const struct tally_base *b, struct tally *t, const size_t *item,
	  size_t n, struct tally_room *room)
{
	size_t site = tally_site_of(b, *item), first = b->first[site];
	size_t end = b->first[site + 1];
	const struct site *s = &b->p->sites[site];

	for (size_t i = 0; i < n; i++)
		add_item(t, &b->p->items[item[i]]);
	t->one_lived &= tally_lived(b, s) == tally_lived(b, t->item->site);
	t->sites++;
	if (n < end - first) {
		t->whole = false;
		for (size_t i = 0; i < n; i++)
			counts_add_errors(t->var, b->p->items[item[i]].var);
		add_peak(b, t, item, n, end);
		return;
	}
	counts_add_errors(t->var, s->count.var);
	t->peak = amount_add(t->peak, s->count.peak);
	t->peak_blocks = amount_add(t->peak_blocks, s->peak_blocks);
	if (t->whole)
		tally_add_site(b, t, s, room);
}

struct tally
tally_items(const struct tally_base *b, const size_t *item, size_t n,
	    struct tally_room *room)
{
	struct tally t = { 0 };
	size_t i, k;

	if (!n)
		return t;
	*room = (struct tally_room){ 0 };
	++*b->turn;
	t = tally_begin(&b->p->items[*item]);
	t.whole = true;
	t.peak_known = b->p->peaks_known;
	for (i = 0; i < n; i += k) {
		for (k = 1; i + k < n; k++)
			if (tally_site_of(b, item[i + k]) !=
			    tally_site_of(b, item[i]))
				break;
		add_items(b, &t, item + i, k, room);
	}
	profile_gathered(b->gather, &room->use);
	t.life = &room->life;
	t.use = &room->use;
	t.leak = &room->leak;
	return t;
}
