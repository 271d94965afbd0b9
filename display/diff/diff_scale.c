/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two runs: types, sizes, and scaling the old run to the size of the new. */
#include "display/diff/diff.h"
#include "reduce/base/arena.h"
#include "reduce/base/sort.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int
diff_sign(const struct diff_row *r, enum diff_figure f, uint64_t *by)
{
	uint64_t old = r->v[DIFF_OLD][f], new = r->v[DIFF_NEW][f];

	*by = new > old ? new - old : old - new;
	return (new > old) - (new < old);
}

/* ----------------------------------------------------------------- types -- */

SORT_BY(compare_names, struct diff_row, SORT_TEXT(name))

/* Merge rows of the same name. */
void
diff_unite(struct diff_table *t)
{
	size_t n = 0;

	SORT(t->row, t->n, compare_names);
	for (size_t i = 0; i < t->n; i++) {
		struct diff_row *r = &t->row[i];
		struct diff_row *to = n ? &t->row[n - 1] : NULL;

		if (!to || strcmp(to->name, r->name) != 0) {
			t->row[n++] = *r;
			continue;
		}
		for (int run = 0; run < DIFF_NRUN; run++)
			if (r->in[run])
				diff_add(to, run, r->v[run]);
		to->no_peak |= r->no_peak;
	}
	t->n = n;
}

static void
diff_scale_types(struct diff *d)
{
	struct diff_table *t = &d->types;

	t->row = diff_room(d,
			   d->run[DIFF_OLD]->ntypes + d->run[DIFF_NEW]->ntypes,
			   sizeof *t->row);
	for (int run = 0; run < DIFF_NRUN; run++)
		for (size_t i = 0; i < d->run[run]->ntypes; i++) {
			const struct type_row *x = &d->run[run]->types[i];
			uint64_t v[DIFF_NFIGURE];
			struct diff_row *r = &t->row[t->n++];

			r->name = *x->name ? x->name : "(not known)";
			r->no_peak = !x->peak_known;
			diff_figures(v, &x->figures);
			diff_add(r, run, v);
		}
	diff_unite(t);
}

/* ----------------------------------------------------------------- sizes -- */

/* Blocks of one size. */
struct size {
	uint64_t size;
	const char *name; /* for a row that isn't one size */
	const struct account *of;
};

static void
diff_scale_add_size(struct diff *d, int run, const struct size *x)
{
	struct diff_row *r = &d->bins.row[d->bins.n];
	uint64_t v[DIFF_NFIGURE];

	if (!x->of->allocs && !x->of->frees)
		return;
	diff_figures(v, &(struct figures){ .account = *x->of });
	if (x->name) {
		r->name = x->name;
	} else {
		/* Pad the size, so that names sort in the order of numbers. */
		r->name = arena_print(&d->room, "%20" PRIu64, x->size);
	}
	r->no_peak = true;
	d->bins.n++;
	diff_add(r, run, v);
}

static void
diff_scale_sizes(struct diff *d, int run)
{
	static const char *const class[PROFILE_NCLASS] = {
		"1 to 32", "33 to 256", "257 to 2048", "above 2048"
	};
	const struct profile *p = d->run[run];
	struct size x;

	for (size_t i = 0; i < p->nbins; i++) {
		const struct bin *b = &p->bins[i];

		x = (struct size){ b->size, NULL, &b->account };
		diff_scale_add_size(d, run, &x);
	}
	x = (struct size){ 0, "(above 1024)", &p->big };
	diff_scale_add_size(d, run, &x);
	for (int i = 0; i < PROFILE_NCLASS; i++) {
		x = (struct size){ 0, class[i], &p -> unsized[i] };
		diff_scale_add_size(d, run, &x);
	}
}

static void
diff_scale_bins(struct diff *d)
{
	size_t n = d->run[DIFF_OLD]->nbins + d->run[DIFF_NEW]->nbins;

	d->bins.row =
		diff_room(d, n + 2 * (PROFILE_NCLASS + 1), sizeof *d->bins.row);
	diff_scale_sizes(d, DIFF_OLD);
	diff_scale_sizes(d, DIFF_NEW);
	diff_unite(&d->bins);
	for (size_t i = 0; i < d->bins.n; i++)
		d->bins.row[i].name += strspn(d->bins.row[i].name, " ");
}

/* --------------------------------------------------------------- scaling -- */

/* n times new / old, rounded. */
static uint64_t
scaled(const struct diff *d, unsigned __int128 n)
{
	uint64_t by = d->whole[DIFF_NEW], of = d->whole[DIFF_OLD];
	unsigned __int128 high = n / of, low = n % of;

	high = high * by + (low * by + of / 2) / of;
	return high > UINT64_MAX ? UINT64_MAX : (uint64_t)high;
}

/*
 * Scale and round the sums of the first 1, 2, ... rows; each row gets the
 * difference between two of these sums.  So a row is off by less than one, and
 * the sum of any consecutive rows is, too.
 */
static void
scale_table(const struct diff *d, struct diff_table *t)
{
	for (int f = 0; f < DIFF_NFIGURE; f++) {
		unsigned __int128 sum = 0;
		uint64_t done = 0, now;

		for (size_t i = 0; i < t->n; i++) {
			uint64_t *v = &t->row[i].v[DIFF_OLD][f];

			sum += *v;
			now = scaled(d, sum);
			*v = now - done;
			done = now;
		}
	}
	for (size_t i = 0; i < t->n; i++)
		t->row[i].total[DIFF_OLD] =
			scaled(d, t->row[i].total[DIFF_OLD]);
}

/* Bytes that the whole program allocated, with or without a filter. */
static uint64_t
diff_scale_whole(const struct profile *p)
{
	return p->filter.less ? p->filter.bytes : counts_sum(p->total.bytes);
}

static void
diff_scale(struct diff *d)
{
	d->whole[DIFF_OLD] = diff_scale_whole(d->run[DIFF_OLD]);
	d->whole[DIFF_NEW] = diff_scale_whole(d->run[DIFF_NEW]);
	d->scaled = d->whole[DIFF_OLD] > 0;
	if (!d->scaled)
		return;
	scale_table(d, &d->own);
	scale_table(d, &d->sites);
	scale_table(d, &d->funcs);
	scale_table(d, &d->types);
	scale_table(d, &d->bins);
	for (int f = 0; f < DIFF_NFIGURE; f++)
		d->total.v[DIFF_OLD][f] = scaled(d, d->total.v[DIFF_OLD][f]);
}

/* ------------------------------------------------------------------- all -- */

int
diff_init(struct diff *d, const struct profile *old, const struct profile *new,
	  size_t depth, bool by_own, bool scale_old)
{
	*d = (struct diff){ .run = { old, new },
			    .depth = depth,
			    .by_own = by_own };
	d->peak_known = old->peaks_known && new->peaks_known;
	d->total.in[DIFF_OLD] = d->total.in[DIFF_NEW] = true;
	diff_names(d);
	if (diff_cycles(d))
		return -1;
	diff_own(d);
	if (diff_sites(d))
		return -1;
	diff_scale_types(d);
	diff_scale_bins(d);
	if (scale_old)
		diff_scale(d);
	return 0;
}

void
diff_fini(struct diff *d)
{
	arena_fini(&d->room);
	*d = (struct diff){ 0 };
}
