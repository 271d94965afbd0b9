/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which sites of two runs are the same, and what functions got: see diff.h. */
#define _GNU_SOURCE
#include "display/diff/diff.h"
#include "display/text/amount.h"
#include "display/text/element.h"
#include "reduce/base/arena.h"

#include <stdlib.h>
#include <string.h>

/* Paths, each once, by what they go on from and the name of their end. */
struct trie {
	struct diff_path *node; /* from 1 */
	size_t n, room;
	uint32_t *slot; /* places in node; 0: free */
	size_t nslots;	/* a power of two */
};

/* Where in the trie of whole chains a frame is. */
struct seen {
	const struct frame *frame;
	uint32_t node;
};

struct match {
	struct diff *d;
	struct trie chains; /* whole, from the outer end on */
	struct trie paths;  /* of d->depth frames, from the inner end on */
	struct seen *seen;
	size_t nseen, seen_slots;
	const struct frame **way; /* frames that are new */
	size_t way_room;
	uint64_t *under[DIFF_NRUN]; /* bytes of each chain and those that go
				     * on from it */
	uint32_t *row_of;	    /* of each path: its row, plus 1 */
};

/* ----------------------------------------------------------------- tries -- */

/* Numbers only, so nobody can choose them as they like. */
static size_t
mix(uint64_t a, uint64_t b)
{
	uint64_t h = (a ^ b << 32) * UINT64_C(0x9e3779b97f4a7c15);

	h = (h ^ h >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
	return (size_t)(h ^ h >> 32);
}

static uint32_t *
find(const struct trie *t, uint32_t next, uint32_t name)
{
	size_t at = mix(next, name) & (t->nslots - 1);
	const struct diff_path *x;

	for (; t->slot[at]; at = (at + 1) & (t->nslots - 1)) {
		x = &t->node[t->slot[at]];
		if (x->next == next && x->name == name)
			break;
	}
	return &t->slot[at];
}

/* Room for one more.  0 or -1. */
static int
grow(struct trie *t)
{
	size_t room = t->room ? t->room * 2 : 1024;
	struct diff_path *node;

	if (t->n + 1 < t->room)
		return 0;
	node = room > UINT32_MAX / 4
		       ? NULL
		       : reallocarray(t->node, room, sizeof *node);
	if (!node)
		return -1;
	t->node = node;
	t->room = room;
	free(t->slot);
	t->nslots = room * 2;
	t->slot = calloc(t->nslots, sizeof *t->slot);
	if (!t->slot)
		return -1;
	for (size_t i = 1; i <= t->n; i++)
		*find(t, node[i].next, node[i].name) = (uint32_t)i;
	return 0;
}

/* The place of that path, which is added if need be; 0: out of memory. */
static uint32_t
intern(struct trie *t, uint32_t next, size_t name)
{
	uint32_t *at;

	if (grow(t))
		return 0;
	at = find(t, next, (uint32_t)name);
	if (!*at) {
		*at = (uint32_t)++t->n;
		t->node[t->n] = (struct diff_path){ next, (uint32_t)name };
	}
	return *at;
}

static void
fini(struct match *m)
{
	free(m->chains.node);
	free(m->chains.slot);
	free(m->paths.node);
	free(m->paths.slot);
	free(m->seen);
	free(m->way);
	free(m->under[DIFF_OLD]);
	free(m->under[DIFF_NEW]);
	free(m->row_of);
}

/* ---------------------------------------------------------------- chains -- */

static struct seen *
look(const struct match *m, const struct frame *f)
{
	size_t at = mix((uintptr_t)f, 0) & (m->seen_slots - 1);

	while (m->seen[at].frame && m->seen[at].frame != f)
		at = (at + 1) & (m->seen_slots - 1);
	return &m->seen[at];
}

static int
widen(struct match *m)
{
	size_t n = m->seen_slots, slots = n ? n * 2 : 1024;
	struct seen *old = m->seen;

	if (m->nseen * 2 < n)
		return 0;
	m->seen = calloc(slots, sizeof *m->seen);
	if (!m->seen) {
		m->seen = old;
		return -1;
	}
	m->seen_slots = slots;
	for (size_t i = 0; i < n; i++)
		if (old[i].frame)
			*look(m, old[i].frame) = old[i];
	free(old);
	return 0;
}

static int
remember(struct match *m, const struct frame *f, uint32_t node)
{
	if (widen(m))
		return -1;
	*look(m, f) = (struct seen){ f, node };
	m->nseen++;
	return 0;
}

/* The whole chain that ends at leaf.  0, or -1 when out of memory. */
static int
chain(struct match *m, int run, const struct frame *leaf, uint32_t *node)
{
	const struct frame *f, **way;
	size_t n = 0;

	*node = 0;
	for (f = leaf; f; f = element_caller(f)) {
		if (m->seen_slots && look(m, f)->frame) {
			*node = look(m, f)->node;
			break;
		}
		way = array_grow((void *)m->way, &m->way_room, n + 1,
				 sizeof *way);
		if (!way)
			return -1;
		m->way = way;
		m->way[n++] = f;
	}
	while (n-- > 0) {
		f = m->way[n];
		*node = intern(&m->chains, *node,
			       diff_element_of(m->d, run, f));
		if (!*node || remember(m, f, *node))
			return -1;
	}
	return 0;
}

/* The innermost elements of it.  0, or -1 when out of memory. */
static int
path(struct match *m, int run, const struct frame *leaf, uint32_t *node)
{
	size_t n = 0;

	*node = 0;
	for (const struct frame *f = leaf; f && n < m->d->depth;
	     f = element_caller(f)) {
		*node = intern(&m->paths, *node, diff_element_of(m->d, run, f));
		if (!*node)
			return -1;
		n++;
	}
	return 0;
}

/* ------------------------------------------------------------------ rows -- */

static void
figures_of(uint64_t v[DIFF_NFIGURE], const struct counts *c)
{
	v[DIFF_BYTES] = amount_bytes(c);
	v[DIFF_ALLOCS] = amount_allocs(c);
	v[DIFF_KEPT] = amount_kept(c);
	v[DIFF_PEAK] = c->peak;
}

void
diff_add(struct diff_row *to, int run, const uint64_t v[DIFF_NFIGURE])
{
	to->in[run] = true;
	for (int i = 0; i < DIFF_NFIGURE; i++)
		to->v[run][i] = amount_add(to->v[run][i], v[i]);
}

/* Where each site of a run is, in both tries; 0 or -1. */
static int
place(struct match *m, int run, uint32_t *chains, uint32_t *paths)
{
	const struct profile *p = m->d->run[run];

	for (size_t i = 0; i < p->nsites; i++) {
		const struct frame *leaf = p->sites[i].leaf;

		if (chain(m, run, leaf, &chains[i]))
			return -1;
		if (!m->d->depth)
			paths[i] = chains[i];
		else if (path(m, run, leaf, &paths[i]))
			return -1;
	}
	return 0;
}

/* The rows of the sites of a run. */
static void
rows(struct match *m, int run, const uint32_t *chains, const uint32_t *paths)
{
	struct diff_table *t = &m->d->sites;
	const struct profile *p = m->d->run[run];

	for (size_t i = 0; i < p->nsites; i++) {
		uint64_t v[DIFF_NFIGURE];
		uint32_t *row = &m->row_of[paths[i]];

		figures_of(v, &p->sites[i].count);
		if (!*row) {
			t->row[t->n].path = paths[i];
			*row = (uint32_t)++t->n;
		}
		diff_add(&t->row[*row - 1], run, v);
		diff_add(&m->d->total, run, v);
		m->d->row_of[run][i] = *row - 1;
		m->under[run][chains[i]] =
			amount_add(m->under[run][chains[i]], v[DIFF_BYTES]);
	}
}

/* Lists of the paths that go on from each, by name. */
struct lists {
	uint32_t *first, *sibling;
};

static int
lists_init(struct lists *l, const struct trie *t, size_t nnames)
{
	/* of[n]: the first path with that name; same: the next with it */
	uint32_t *of = calloc(nnames + 1, sizeof *of);
	uint32_t *same = calloc(t->n + 1, sizeof *same);
	bool room;

	l->first = calloc(t->n + 1, sizeof *l->first);
	l->sibling = calloc(t->n + 1, sizeof *l->sibling);
	room = of && same && l->first && l->sibling;
	for (size_t i = 1; i <= t->n && room; i++) {
		same[i] = of[t->node[i].name];
		of[t->node[i].name] = (uint32_t)i;
	}
	for (size_t k = nnames; k-- > 0 && room;)
		for (uint32_t i = of[k]; i; i = same[i]) {
			l->sibling[i] = l->first[t->node[i].next];
			l->first[t->node[i].next] = i;
		}
	free(of);
	free(same);
	return room ? 0 : -1;
}

static void
lists_fini(struct lists *l)
{
	free(l->first);
	free(l->sibling);
}

/* What comes after `at' in a walk over all paths; up(): it is left. */
static uint32_t
step(const struct lists *l, const struct trie *t, uint32_t at,
     void (*up)(void *arg, uint32_t at), void *arg)
{
	if (l->first[at])
		return l->first[at];
	for (; at; at = t->node[at].next) {
		if (up)
			up(arg, at);
		if (l->sibling[at])
			return l->sibling[at];
	}
	return 0;
}

static int
compare(const void *va, const void *vb, void *arg)
{
	const struct diff_row *a = va, *b = vb;
	const size_t *rank = arg;

	return (rank[a->path] > rank[b->path]) -
	       (rank[a->path] < rank[b->path]);
}

/* Sort the rows by rank of their paths, and tell their sites. */
static int
sort(struct diff *d, size_t *rank)
{
	size_t *to = calloc(d->sites.n + 1, sizeof *to);

	if (!to)
		return -1;
	for (size_t i = 0; i < d->sites.n; i++)
		d->sites.row[i].total[0] = i;
	qsort_r(d->sites.row, d->sites.n, sizeof *d->sites.row, compare, rank);
	for (size_t i = 0; i < d->sites.n; i++) {
		to[d->sites.row[i].total[0]] = i;
		d->sites.row[i].total[0] = 0;
	}
	for (int run = 0; run < DIFF_NRUN; run++)
		for (size_t i = 0; i < d->run[run]->nsites; i++)
			d->row_of[run][i] = to[d->row_of[run][i]];
	free(to);
	return 0;
}

/* By names, so that the order doesn't depend on which run is the old one. */
static int
order(struct diff *d, const struct trie *t)
{
	size_t *rank = calloc(t->n + 1, sizeof *rank), n = 0;
	struct lists l;
	int status = lists_init(&l, t, d->nnames + d->ncycles);

	if (!rank)
		status = -1;
	if (!status) {
		for (uint32_t i = step(&l, t, 0, NULL, NULL); i;
		     i = step(&l, t, i, NULL, NULL))
			rank[i] = ++n;
		status = sort(d, rank);
	}
	lists_fini(&l);
	free(rank);
	return status;
}

/* ------------------------------------------------------------- functions -- */

/* Bytes of chains that go on from a chain are its own, too. */
static void
sum_up(struct match *m)
{
	for (size_t i = m->chains.n; i > 0; i--)
		for (int run = 0; run < DIFF_NRUN; run++) {
			uint64_t *to = &m->under[run][m->chains.node[i].next];

			*to = amount_add(*to, m->under[run][i]);
		}
}

/*
 * What was allocated while a function was on the chain: all that is under
 * chains that end with it and have it nowhere else.
 */
static void
take(struct match *m, uint32_t node, uint32_t name)
{
	struct diff_row *r = &m->d->funcs.row[name];

	for (int run = 0; run < DIFF_NRUN; run++)
		r->total[run] = amount_add(r->total[run], m->under[run][node]);
}

/* The way to where a walk is. */
struct way {
	const struct diff *d;
	const struct diff_path *node;
	uint32_t *on; /* of each function's name, how often it is on the way */
};

/* For step(): they are once less on it.  arg: a struct way. */
static void
leave(void *arg, uint32_t at)
{
	const struct way *w = arg;
	const uint32_t *v;

	for (size_t n = diff_functions(w->d, &w->node[at].name, &v); n-- > 0;)
		w->on[v[n]]--;
}

static int
functions(struct match *m)
{
	const struct trie *t = &m->chains;
	struct way w = { m->d, t->node,
			 calloc(m->d->nnames + 1, sizeof(uint32_t)) };
	struct lists l;
	int status = lists_init(&l, t, m->d->nnames + m->d->ncycles);
	const uint32_t *v;

	if (!w.on)
		status = -1;
	if (!status) {
		sum_up(m);
		for (uint32_t i = step(&l, t, 0, NULL, NULL); i;
		     i = step(&l, t, i, leave, &w))
			for (size_t n =
				     diff_functions(w.d, &t->node[i].name, &v);
			     n-- > 0;)
				if (!w.on[v[n]]++)
					take(m, i, v[n]);
	}
	lists_fini(&l);
	free(w.on);
	return status;
}

/* What each function allocated itself; and, last, what nobody knows who did. */
static int
selves(struct diff *d)
{
	struct diff_table *t = &d->funcs;
	uint64_t v[DIFF_NFIGURE];

	t->row = calloc(d->nnames + 1, sizeof *t->row);
	if (!t->row)
		return -1;
	t->n = d->nnames;
	for (size_t i = 0; i < d->nnames; i++)
		t->row[i].name = d->name[i].text;
	for (int run = 0; run < DIFF_NRUN; run++) {
		const struct profile *p = d->run[run];

		for (size_t i = 0; i < p->nfuncs; i++) {
			const struct diff_func *f = &d->func[run][i];

			figures_of(v, &f->func->self);
			diff_add(&t->row[f->name], run, v);
		}
		for (size_t i = 0; i < p->nsites; i++) {
			if (p->sites[i].leaf)
				continue;
			t->n = d->nnames + 1;
			t->row[d->nnames].name = "(no chain)";
			figures_of(v, &p->sites[i].count);
			diff_add(&t->row[d->nnames], run, v);
		}
	}
	return 0;
}

/* ------------------------------------------------------------------- all -- */

/* Room for rows and sums, once the tries are whole.  0 or -1. */
static int
reserve(struct match *m)
{
	struct diff *d = m->d;
	size_t chains = m->chains.n + 1;
	size_t paths = d->depth ? m->paths.n + 1 : chains;
	size_t sites = d->run[DIFF_OLD]->nsites + d->run[DIFF_NEW]->nsites;

	m->under[DIFF_OLD] = calloc(chains, sizeof *m->under[DIFF_OLD]);
	m->under[DIFF_NEW] = calloc(chains, sizeof *m->under[DIFF_NEW]);
	m->row_of = calloc(paths, sizeof *m->row_of);
	d->sites.row = calloc(sites + 1, sizeof *d->sites.row);
	return m->under[DIFF_OLD] && m->under[DIFF_NEW] && m->row_of &&
			       d->sites.row
		       ? 0
		       : -1;
}

static int
match(struct match *m, uint32_t *chains[], uint32_t *paths[])
{
	struct diff *d = m->d;
	struct trie *shown = d->depth ? &m->paths : &m->chains;

	if (place(m, DIFF_OLD, chains[DIFF_OLD], paths[DIFF_OLD]) ||
	    place(m, DIFF_NEW, chains[DIFF_NEW], paths[DIFF_NEW]) || reserve(m))
		return -1;
	rows(m, DIFF_OLD, chains[DIFF_OLD], paths[DIFF_OLD]);
	rows(m, DIFF_NEW, chains[DIFF_NEW], paths[DIFF_NEW]);
	if (selves(d) || functions(m) || order(d, shown))
		return -1;
	d->path = shown->node;
	d->npaths = shown->n;
	shown->node = NULL;
	return 0;
}

int
diff_sites(struct diff *d)
{
	struct match m = { .d = d };
	uint32_t *chains[DIFF_NRUN], *paths[DIFF_NRUN];
	bool room = true;
	int status = -1;

	for (int run = 0; run < DIFF_NRUN; run++) {
		size_t n = d->run[run]->nsites + 1;

		chains[run] = calloc(n, sizeof *chains[run]);
		paths[run] = calloc(n, sizeof *paths[run]);
		d->row_of[run] = calloc(n, sizeof *d->row_of[run]);
		room &= chains[run] && paths[run] && d->row_of[run];
	}
	/* Place 0 is there in any case. */
	if (room && !grow(&m.chains) && !grow(&m.paths))
		status = match(&m, chains, paths);
	for (int run = 0; run < DIFF_NRUN; run++) {
		free(chains[run]);
		free(paths[run]);
	}
	fini(&m);
	return status;
}
