/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Match the sites of two runs, and sum up figures of functions: see diff.h. */
#include "display/diff/diff.h"
#include "display/text/amount.h"
#include "display/text/element.h"
#include "display/text/intern.h"

#include <stdlib.h>

struct match {
	struct diff *d;
	struct arena room; /* memory of all arrays */
	/* Paths, each once.  A path is a pair: the number of a path, or 0,
	 * and the name of the element that extends it.  Paths have numbers
	 * from 1. */
	struct intern chains; /* whole, from the outermost element on */
	struct intern paths;  /* of d->depth elements, from the innermost on */
	uint32_t *chain_of[DIFF_NRUN]; /* for each frame; 0: not needed */
	uint32_t *path_of[DIFF_NRUN];  /* for each site */
	uint64_t *under[DIFF_NRUN];    /* bytes of each chain and of its
					* extensions */
	uint32_t *row_of;	       /* for each path: its row, plus 1 */
	uint32_t other; /* by_own: the element of all other code, plus 1 */
};

/* ----------------------------------------------------------------- paths -- */

static uint32_t
next_of(const struct intern *t, uint32_t path)
{
	return t->pair ? (uint32_t)t->pair[path - 1][0] : 0;
}

static uint32_t
diff_match_name_of(const struct intern *t, uint32_t path)
{
	return t->pair ? (uint32_t)t->pair[path - 1][1] : 0;
}

/* The number of the pair's path, added if it is new; 0: out of memory. */
static uint32_t
add_path(struct intern *t, uint32_t next, uint32_t name)
{
	uint32_t n = intern_pair(t, next, name);

	return n == INTERN_FAILED ? 0 : n + 1;
}

static void
diff_match_fini(struct match *m)
{
	intern_fini(&m->chains);
	intern_fini(&m->paths);
	arena_fini(&m->room);
}

/* Number the whole call paths of a run's sites, callers first.  0 or -1. */
static int
chains(struct match *m, int run)
{
	const struct profile *p = m->d->run[run];
	uint32_t *of = m->chain_of[run];
	const struct frame *f, *up;

	/* First mark each frame that needs a number with a 1. */
	for (size_t i = 0; i < p->nsites; i++)
		for (f = p->sites[i].leaf; f && !of[f - p->tree];
		     f = element_caller(f))
			of[f - p->tree] = 1;
	for (f = p->tree; f < p->tree + p->ntree; f++) {
		if (!of[f - p->tree])
			continue;
		up = element_caller(f);
		of[f - p->tree] =
			add_path(&m->chains, up ? of[up - p->tree] : 0,
				 diff_element_of(m->d, run, f));
		if (!of[f - p->tree])
			return -1;
	}
	return 0;
}

static uint32_t
chain_of(const struct match *m, int run, size_t site)
{
	const struct profile *p = m->d->run[run];
	const struct frame *leaf = p->sites[site].leaf;

	return leaf ? m->chain_of[run][leaf - p->tree] : 0;
}

/* The innermost element of the program itself, from f outwards; NULL: none. */
static const struct frame *
diff_match_own(const struct frame *f)
{
	while (f && f->func->whose != PROFILE_OWN)
		f = element_caller(f);
	return f;
}

/*
 * Number a path, as far as it is compared.  by_own: of other code, only whether
 * it allocates for the program counts, as a row shows no more.  0 or -1.
 */
static int
diff_match_path(struct match *m, int run, const struct frame *f, uint32_t *path)
{
	const struct frame *own = m->d->by_own ? diff_match_own(f) : NULL;

	if (own && f != own) {
		if (!m->other)
			m->other = diff_element_of(m->d, run, f) + 1;
		*path = add_path(&m->paths, *path, m->other - 1);
		if (!*path)
			return -1;
		f = own;
	}
	for (size_t n = 0; f && n < m->d->depth; n++) {
		*path = add_path(&m->paths, *path,
				 diff_element_of(m->d, run, f));
		if (!*path)
			return -1;
		f = element_caller(f);
		if (own)
			f = diff_match_own(f);
	}
	return 0;
}

/* Number the paths of a run's sites.  0 or -1. */
static int
paths(struct match *m, int run)
{
	const struct profile *p = m->d->run[run];

	for (size_t i = 0; i < p->nsites; i++) {
		uint32_t *path = &m->path_of[run][i];

		if (!m->d->depth)
			*path = chain_of(m, run, i);
		else if (diff_match_path(m, run, p->sites[i].leaf, path))
			return -1;
	}
	return 0;
}

/* ------------------------------------------------------------------ rows -- */

void
diff_figures(uint64_t v[DIFF_NFIGURE], const struct figures *f)
{
#define F(id, name, kind, value) v[DIFF_##id] = value;
	DIFF_FIGURES(F)
#undef F
}

void
diff_counts(uint64_t v[DIFF_NFIGURE], const struct counts *c)
{
	struct figures f = counts_figures(c, 0);

	diff_figures(v, &f);
}

void
diff_add(struct diff_row *to, int run, const uint64_t v[DIFF_NFIGURE])
{
	to->in[run] = true;
	for (int i = 0; i < DIFF_NFIGURE; i++)
		to->v[run][i] = amount_add(to->v[run][i], v[i]);
}

/* Add the sites of a run to their rows. */
static void
diff_match_rows(struct match *m, int run)
{
	struct diff_table *t = &m->d->sites;
	const struct profile *p = m->d->run[run];

	for (size_t i = 0; i < p->nsites; i++) {
		uint64_t v[DIFF_NFIGURE], *under;
		uint32_t path = m->path_of[run][i], *row = &m->row_of[path];

		diff_counts(v, &p->sites[i].count);
		if (!*row) {
			t->row[t->n].path = path;
			*row = (uint32_t)++t->n;
		}
		diff_add(&t->row[*row - 1], run, v);
		diff_add(&m->d->total, run, v);
		m->d->row_of[run][i] = *row - 1;
		under = &m->under[run][chain_of(m, run, i)];
		*under = amount_add(*under, v[DIFF_BYTES]);
	}
}

/* The extensions of each path, sorted by name: the first, the next sibling. */
struct lists {
	uint32_t *first, *sibling;
};

static void
lists_init(struct lists *l, struct arena *a, const struct intern *t,
	   size_t nnames)
{
	/* of[n]: the first path that ends with name n; same: the next one */
	uint32_t *of = arena_array(a, nnames + 1, sizeof *of);
	uint32_t *same = arena_array(a, t->n + 1, sizeof *same);

	l->first = arena_array(a, t->n + 1, sizeof *l->first);
	l->sibling = arena_array(a, t->n + 1, sizeof *l->sibling);
	for (uint32_t i = 1; i <= t->n; i++) {
		same[i] = of[diff_match_name_of(t, i)];
		of[diff_match_name_of(t, i)] = i;
	}
	for (size_t k = nnames; k-- > 0;)
		for (uint32_t i = of[k]; i; i = same[i]) {
			l->sibling[i] = l->first[next_of(t, i)];
			l->first[next_of(t, i)] = i;
		}
}

/*
 * The path after `at' in a walk over all paths, depth first; 0: `at' was the
 * last.  Calls up() for each path that the walk leaves.
 */
static uint32_t
diff_match_step(const struct lists *l, const struct intern *t, uint32_t at,
		void (*up)(void *arg, uint32_t at), void *arg)
{
	if (l->first[at])
		return l->first[at];
	for (; at; at = next_of(t, at)) {
		if (up)
			up(arg, at);
		if (l->sibling[at])
			return l->sibling[at];
	}
	return 0;
}

static int
diff_match_compare(const void *va, const void *vb, void *arg)
{
	const struct diff_row *a = va, *b = vb;
	const size_t *rank = arg;

	return (rank[a->path] > rank[b->path]) -
	       (rank[a->path] < rank[b->path]);
}

/* Sort the rows by the rank of their paths, and update d->row_of. */
static void
diff_match_sort(struct match *m, size_t *rank)
{
	struct diff *d = m->d;
	size_t *to = arena_array(&m->room, d->sites.n + 1, sizeof *to);

	for (size_t i = 0; i < d->sites.n; i++)
		d->sites.row[i].total[0] = i;
	qsort_r(d->sites.row, d->sites.n, sizeof *d->sites.row,
		diff_match_compare, rank);
	for (size_t i = 0; i < d->sites.n; i++) {
		to[d->sites.row[i].total[0]] = i;
		d->sites.row[i].total[0] = 0;
	}
	for (int run = 0; run < DIFF_NRUN; run++)
		for (size_t i = 0; i < d->run[run]->nsites; i++)
			d->row_of[run][i] = to[d->row_of[run][i]];
}

/* Sort by names, so that the order is the same if the runs change places. */
static void
diff_match_order(struct match *m, const struct intern *t)
{
	size_t *rank = arena_array(&m->room, t->n + 1, sizeof *rank), n = 0;
	struct lists l;

	lists_init(&l, &m->room, t, m->d->nnames + m->d->ncycles);
	for (uint32_t i = diff_match_step(&l, t, 0, NULL, NULL); i;
	     i = diff_match_step(&l, t, i, NULL, NULL))
		rank[i] = ++n;
	diff_match_sort(m, rank);
}

/* ------------------------------------------------------------- functions -- */

/* Add the bytes of each call path to the path that it extends. */
static void
sum_up(struct match *m)
{
	for (uint32_t i = (uint32_t)m->chains.n; i > 0; i--)
		for (int run = 0; run < DIFF_NRUN; run++) {
			uint64_t *to = &m->under[run][next_of(&m->chains, i)];

			*to = amount_add(*to, m->under[run][i]);
		}
}

/*
 * The call path `node' ends with function `name', which occurs on it only once:
 * add the bytes under the path to the total of the function.
 */
static void
add_total(struct match *m, uint32_t node, uint32_t name)
{
	struct diff_row *r = &m->d->funcs.row[name];

	for (int run = 0; run < DIFF_NRUN; run++)
		r->total[run] = amount_add(r->total[run], m->under[run][node]);
}

/* The call path that a walk has reached. */
struct way {
	const struct diff *d;
	const struct intern *chains;
	uint32_t *on; /* how often each function's name is on it */
};

/* For diff_match_step(): remove a path's last element.  arg: a struct way. */
static void
diff_match_leave(void *arg, uint32_t at)
{
	const struct way *w = arg;
	uint32_t name = diff_match_name_of(w->chains, at);
	const uint32_t *v;

	for (size_t n = diff_functions(w->d, &name, &v); n-- > 0;)
		w->on[v[n]]--;
}

static void
diff_match_functions(struct match *m)
{
	const struct intern *t = &m->chains;
	struct way w = { m->d, t,
			 arena_array(&m->room, m->d->nnames + 1,
				     sizeof(uint32_t)) };
	struct lists l;
	const uint32_t *v;

	lists_init(&l, &m->room, t, m->d->nnames + m->d->ncycles);
	sum_up(m);
	for (uint32_t i = diff_match_step(&l, t, 0, NULL, NULL), name; i;
	     i = diff_match_step(&l, t, i, diff_match_leave, &w)) {
		name = diff_match_name_of(t, i);
		for (size_t n = diff_functions(w.d, &name, &v); n--;)
			if (!w.on[v[n]]++)
				add_total(m, i, v[n]);
	}
}

/*
 * Sum up what each function allocated itself.  The last row is for blocks
 * without a call path.
 */
static void
selves(struct diff *d)
{
	struct diff_table *t = &d->funcs;
	uint64_t v[DIFF_NFIGURE];

	t->row = diff_room(d, d->nnames, sizeof *t->row);
	t->n = d->nnames;
	for (size_t i = 0; i < d->nnames; i++)
		t->row[i].name = d->name[i].text;
	for (int run = 0; run < DIFF_NRUN; run++) {
		const struct profile *p = d->run[run];

		for (size_t i = 0; i < p->nfuncs; i++) {
			diff_counts(v, &p->funcs[i]->self);
			diff_add(&t->row[d->func[run][i]], run, v);
		}
		for (size_t i = 0; i < p->nsites; i++) {
			if (p->sites[i].leaf)
				continue;
			t->n = d->nnames + 1;
			t->row[d->nnames].name = "(no chain)";
			diff_counts(v, &p->sites[i].count);
			diff_add(&t->row[d->nnames], run, v);
		}
	}
}

/* ------------------------------------------------------------------- all -- */

/* Make room for arrays by frame and by site. */
static void
diff_match_reserve(struct match *m)
{
	for (int run = 0; run < DIFF_NRUN; run++) {
		const struct profile *p = m->d->run[run];

		m->chain_of[run] =
			arena_array(&m->room, p->ntree + 1, sizeof(uint32_t));
		m->path_of[run] =
			arena_array(&m->room, p->nsites + 1, sizeof(uint32_t));
		m->d->row_of[run] = diff_room(m->d, p->nsites, sizeof(size_t));
	}
}

/* Make room for rows and sums, after all paths are numbered. */
static void
reserve_rows(struct match *m, const struct intern *shown)
{
	struct diff *d = m->d;
	size_t sites = d->run[DIFF_OLD]->nsites + d->run[DIFF_NEW]->nsites;

	for (int run = 0; run < DIFF_NRUN; run++)
		m->under[run] = arena_array(&m->room, m->chains.n + 1,
					    sizeof(uint64_t));
	m->row_of = arena_array(&m->room, shown->n + 1, sizeof *m->row_of);
	d->sites.row = diff_room(d, sites, sizeof *d->sites.row);
	d->path = diff_room(d, shown->n, sizeof *d->path);
}

static int
diff_match_sites(struct match *m)
{
	struct diff *d = m->d;
	const struct intern *shown = d->depth ? &m->paths : &m->chains;

	diff_match_reserve(m);
	for (int run = 0; run < DIFF_NRUN; run++)
		if (chains(m, run) || paths(m, run))
			return -1;
	reserve_rows(m, shown);
	diff_match_rows(m, DIFF_OLD);
	diff_match_rows(m, DIFF_NEW);
	for (uint32_t i = 1; i <= shown->n; i++)
		d->path[i] = (struct diff_path){ next_of(shown, i),
						 diff_match_name_of(shown, i) };
	selves(d);
	diff_match_functions(m);
	diff_match_order(m, shown);
	return 0;
}

int
diff_sites(struct diff *d)
{
	struct match m = { .d = d };
	int status = diff_match_sites(&m);

	diff_match_fini(&m);
	return status;
}
