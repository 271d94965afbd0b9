/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The largest holders of memory over time: a few paths, types or threads. */
#include "display/timeline/timeline.h"

#include "display/text/amount.h"
#include "reduce/base/sort.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

uint64_t
timeline_live(const struct profile_time *time, size_t n)
{
	const struct amounts *c = n ? &time->total[n - 1] : NULL;

	return c ? amount_live(c) : 0;
}

size_t
timeline_before(const struct profile_time *time, uint64_t at)
{
	return SORT_PLACE(i, time->n, time->at[i] <= at);
}

size_t
timeline_sample(const struct timeline *x, size_t n)
{
	return SORT_PLACE(i, x->nsamples, x->sample[i] <= n) - 1;
}

/* ----------------------------------------------------------------- whose -- */

SORT_BY(compare_types, struct timeline_type, SORT_TEXT(name) SORT_UP(mark))

static struct timeline_type
type_of(const struct profile *p, bool items, size_t i)
{
	const char *name = items ? p->items[i].type : p->sites[i].type;
	char mark = items ? p->items[i].type_mark : p->sites[i].type_mark;
	struct timeline_type x = { "", '?' };

	if (name) {
		x.name = name;
		x.mark = mark;
	}
	return x;
}

/* Types of items if rows by item exist, else types of sites. */
static void
timeline_holders_by_type(struct timeline *x, struct timeline_part *part,
			 size_t n)
{
	const struct profile *p = x->t->p;
	bool items = x->time->items != NULL;

	x->type = tables_room(x->t, n, sizeof *x->type);
	for (size_t i = 0; i < n; i++)
		x->type[i] = type_of(p, items, i);
	qsort(x->type, n, sizeof *x->type, compare_types);
	for (size_t i = 0; i < n; i++)
		if (!x->ntypes ||
		    compare_types(&x->type[x->ntypes - 1], &x->type[i]) != 0)
			x->type[x->ntypes++] = x->type[i];
	for (size_t i = 0; i < n; i++) {
		struct timeline_type key = type_of(p, items, i), *at;

		at = bsearch(&key, x->type, x->ntypes, sizeof key,
			     compare_types);
		part[i].what = (size_t)(at - x->type);
		part[i].row = items ? &x->time->items[i] : &x->time->sites[i];
		part[i].peak =
			items ? p->items[i].peak : p->sites[i].count.peak;
	}
}

/* Does the glob match the site's type, or a function on its call path? */
static bool
timeline_holders_fits(const struct site *s, const char *glob)
{
	if (s->type && fnmatch(glob, s->type, 0) == 0)
		return true;
	for (const struct frame *f = s->leaf; f; f = f->parent)
		if (fnmatch(glob, f->func->name, 0) == 0)
			return true;
	return false;
}

/* A site belongs to the first glob that matches it, or to the rest. */
static void
by_match(struct timeline *x, struct timeline_part *part, size_t n)
{
	const struct profile *p = x->t->p;
	size_t size = strlen(x->globs) + 1;
	char *rest = tables_room(x->t, size, 1), *glob;

	x->type = tables_room(x->t, size, sizeof *x->type);
	memcpy(rest, x->globs, size);
	while ((glob = strsep(&rest, ",")))
		if (*glob)
			x->type[x->ntypes++].name = glob;
	x->type[x->ntypes].name = "";
	for (size_t i = 0; i < n; i++) {
		size_t k = 0;

		while (k < x->ntypes &&
		       !timeline_holders_fits(&p->sites[i], x->type[k].name))
			k++;
		part[i] = (struct timeline_part){ k, &x->time->sites[i],
						  p->sites[i].count.peak };
	}
}

static void
by_site(struct timeline *x, struct timeline_part *part, size_t n)
{
	paths_init(&x->paths, x->t, PATHS_PLAIN);
	for (size_t i = 0; i < n; i++)
		part[i] =
			(struct timeline_part){ x->paths.of[i],
						&x->time->sites[i],
						x->t->p->sites[i].count.peak };
}

static void
by_thread(struct timeline *x, struct timeline_part *part, size_t n)
{
	const struct profile *p = x->t->p;

	for (size_t i = 0; i < n; i++)
		part[i] = (struct timeline_part){ i, &x->time->threads[i], 0 };
	for (size_t i = 0; i < p->nitems; i++) {
		const struct thread *a = p->items[i].thread;
		size_t k = a ? (size_t)(a - p->all_threads) : p->nthreads;

		part[k].peak = amount_add(part[k].peak, p->items[i].peak);
	}
}

/* Are the bytes at the peak known?  For sites they are, for items perhaps. */
static bool
knows_peak(const struct timeline *x, bool thread, bool type)
{
	const struct profile *p = x->t->p;
	bool known = p->peaks_known;

	if (thread || (type && x->time->items))
		for (size_t i = 0; i < p->nitems; i++)
			known &= p->items[i].peak_known;
	/* Threads must be known at all other times, too. */
	return known &&
	       (!thread || (p->nitems && !x->time->threads[p->nthreads].n));
}

SORT_BY(compare_parts, struct timeline_part, SORT_UP(what) SORT_UP(row))

/* All rows, sorted by holder. */
static struct timeline_part *
parts(struct timeline *x, size_t *n)
{
	bool thread = strcmp(x->by, "thread") == 0;
	bool type = strcmp(x->by, "type") == 0;
	struct timeline_part *part;

	*n = x->memory		      ? MONREC_MEMORY_COUNT
	     : thread		      ? x->t->p->nthreads + 1
	     : type && x->time->items ? x->t->p->nitems
				      : x->t->p->nsites;
	part = tables_room(x->t, *n, sizeof *part);
	if (x->memory)
		timeline_memory_parts(x, part);
	else if (type)
		timeline_holders_by_type(x, part, *n);
	else if (thread)
		by_thread(x, part, *n);
	else if (x->globs)
		by_match(x, part, *n);
	else
		by_site(x, part, *n);
	x->exact = !x->memory && knows_peak(x, thread, type);
	qsort(part, *n, sizeof *part, compare_parts);
	return part;
}

/* ----------------------------------------------------------- the largest -- */

/* Add the bytes of a row that are live at each sample. */
static void
timeline_holders_add(const struct timeline *x, const struct timeline_part *part,
		     uint64_t *live)
{
	const struct time_row *row = part->row;
	uint64_t now = 0;
	size_t k = 0;

	for (size_t i = 0; i < x->nsamples; i++) {
		while (k < row->n && row->change[k].snapshot < x->sample[i]) {
			const struct amounts *c = &row->change[k++].count;

			now = amount_live(c);
		}
		live[i] = amount_add(live[i], now);
	}
	live[x->nsamples] = amount_add(live[x->nsamples], part->peak);
}

/* Add a holder if it is one of the largest; of equal ones, the first. */
static void
add_holder(struct timeline *x, struct holder *h)
{
	struct holder last;
	size_t i;

	if (x->nholders == TIMELINE_LETTERS &&
	    h->most <= x->holder[x->nholders - 1].most) {
		x->others++;
		return;
	}
	/* The array of a holder that drops out is used for the next holder. */
	if (x->nholders == TIMELINE_LETTERS) {
		last = x->holder[--x->nholders];
		x->others++;
	} else {
		last = (struct holder){
			.live = x->pool + (x->nholders + 1) * (x->nsamples + 1)
		};
	}
	for (i = x->nholders++; i && x->holder[i - 1].most < h->most; i--)
		x->holder[i] = x->holder[i - 1];
	x->holder[i] = *h;
	h->live = last.live;
}

int
timeline_find(struct timeline *x)
{
	struct holder h;
	struct timeline_part *part;
	size_t n, i;

	x->pool = tables_room(x->t, (TIMELINE_LETTERS + 1) * (x->nsamples + 1),
			      sizeof *x->pool);
	if (!x->time->sites)
		return 0;
	part = parts(x, &n);
	h.live = x->pool;
	for (i = 0; i < n;) {
		h.what = part[i].what;
		h.most = 0;
		memset(h.live, 0, (x->nsamples + 1) * sizeof *h.live);
		for (; i < n && part[i].what == h.what; i++)
			timeline_holders_add(x, &part[i], h.live);
		for (size_t k = 0; k < x->nsamples + x->exact; k++)
			if (h.most < h.live[k])
				h.most = h.live[k];
		if (h.most)
			add_holder(x, &h);
	}
	return 0;
}

/* ----------------------------------------------------------------- names -- */

static void
name_thread(struct tables *t, size_t i)
{
	const struct thread *a = &t->p->all_threads[i];

	if (i == t->p->nthreads)
		line_add(&t->line, "(not known)");
	else if (*a->name)
		tables_name(t, a->name);
	else
		line_add(&t->line, "(no name)");
	if (i < t->p->nthreads && a->main)
		line_add(&t->line, " (main)");
}

void
timeline_name(struct timeline *x, const struct holder *h)
{
	if (x->memory) {
		tables_name(x->t, x->t->p->memory[h->what].means);
	} else if (strcmp(x->by, "thread") == 0) {
		name_thread(x->t, h->what);
	} else if (x->globs) {
		tables_name(x->t, *x->type[h->what].name ? x->type[h->what].name
							 : "(none of them)");
	} else if (strcmp(x->by, "type") != 0) {
		paths_print_typed(x->t, &x->paths, &x->paths.path[h->what],
				  origins_bytes);
	} else if (*x->type[h->what].name) {
		line_add(&x->t->line, "%c", x->type[h->what].mark);
		tables_name(x->t, x->type[h->what].name);
	} else {
		line_add(&x->t->line, "(not known)");
	}
}
