/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cycles: the strongly connected components of the call graph, by Tarjan's
 * algorithm ("Depth-first search and linear graph algorithms", 1972) without
 * recursion.  Also the order of functions, callers before callees.
 */
#include "reduce/callgraph/callgraph.h"
#include "reduce/base/sort.h"
#include "reduce/model/stages.h"

#include <stdlib.h>
#include <string.h>

/* A function while the graph is walked. */
struct scc_vertex {
	uint32_t index;	    /* order of discovery, from 1; 0: not yet seen */
	uint32_t low;	    /* lowest index reached from here */
	uint32_t next;	    /* next callee to look at */
	uint32_t component; /* STAGES_NONE: not yet known */
};

struct scc {
	struct profile *p;
	struct scc_vertex *v;
	uint32_t *path; /* functions that are being walked, outermost first */
	uint32_t *open; /* seen functions whose component isn't known yet */
	uint32_t npath, nopen, nindex, ncomponents;
	uint32_t *size;	 /* functions of each component */
	uint32_t *level; /* longest way to it from a component that no other
			  * calls */
	uint32_t *depth; /* by function: smallest depth of its frames */
};

static void
scc_discover(struct scc *s, uint32_t f)
{
	s->v[f].index = s->v[f].low = ++s->nindex;
	s->path[s->npath++] = f;
	s->open[s->nopen++] = f;
}

/*
 * f was walked.  If it is the root of a component, remove the component from
 * the open functions.
 */
static void
scc_leave(struct scc *s, uint32_t f)
{
	uint32_t g;

	s->npath--;
	if (s->npath && s->v[f].low < s->v[s->path[s->npath - 1]].low)
		s->v[s->path[s->npath - 1]].low = s->v[f].low;
	if (s->v[f].low != s->v[f].index)
		return;
	do {
		g = s->open[--s->nopen];
		s->v[g].component = s->ncomponents;
		s->size[s->ncomponents]++;
	} while (g != f);
	s->ncomponents++;
}

/* Find the components that can be reached from f, callees first. */
static void
scc_walk(struct scc *s, uint32_t f)
{
	const struct func *func;
	struct scc_vertex *v, *w;
	uint32_t g;

	scc_discover(s, f);
	while (s->npath) {
		f = s->path[s->npath - 1];
		v = &s->v[f];
		func = s->p->funcs[f];
		if (v->next == func->ncallees) {
			scc_leave(s, f);
			continue;
		}
		g = stages_func(s->p, func->callees[v->next++]->callee);
		w = &s->v[g];
		if (!w->index)
			scc_discover(s, g);
		else if (w->component == STAGES_NONE && w->index < v->low)
			v->low = w->index;
	}
}

/*
 * Set the levels.  Components of callers have higher numbers than those of
 * their callees.
 */
static void
scc_levels(struct scc *s, uint32_t *of)
{
	uint32_t *first = of + s->p->nfuncs;
	uint32_t i, c, n = 0;
	const struct func *f;
	size_t k;

	/*
	 * Sort functions by component: those of c begin at of[first[c]].  By
	 * counting.
	 */
	for (c = 0; c < s->ncomponents; c++) {
		first[c] = n;
		n += s->size[c];
	}
	for (i = 0; i < s->p->nfuncs; i++)
		of[first[s->v[i].component]++] = i;
	for (i = n; i-- > 0;) {
		f = s->p->funcs[of[i]];
		c = s->v[of[i]].component;
		for (k = 0; k < f->ncallees; k++) {
			uint32_t d =
				s->v[stages_func(s->p, f->callees[k]->callee)]
					.component;

			if (d != c && s->level[d] <= s->level[c])
				s->level[d] = s->level[c] + 1;
		}
	}
}

/*
 * By level, and within a cycle by depth, so that the order in the file doesn't
 * matter.
 */
static int
scc_compare(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	if (x[0] != y[0])
		return x[0] < y[0] ? -1 : 1;
	return x[1] < y[1] ? -1 : x[1] > y[1];
}

static void
scc_order(struct scc *s)
{
	struct profile *p = s->p;
	uint32_t(*key)[3] = heap_array(p->nfuncs + 1, sizeof(*key));
	unsigned order = 0;
	size_t i;

	for (i = 0; i < p->nfuncs; i++) {
		key[i][0] = s->level[s->v[i].component];
		key[i][1] = s->depth[i];
		key[i][2] = (uint32_t)i;
	}
	SORT(key, p->nfuncs, scc_compare);
	for (i = 0; i < p->nfuncs; i++) {
		order += i && scc_compare(key[i - 1], key[i]);
		p->funcs[key[i][2]]->order = order;
	}
	free(key);
}

static void
scc_depths(struct scc *s)
{
	const struct frame *f = s->p->priv->frames;
	size_t i, n;

	memset(s->depth, 0xff, s->p->nfuncs * sizeof(*s->depth));
	for (i = 0; i < s->p->priv->nframes; i++, f++) {
		n = stages_func(s->p, f->func);
		if (f->depth < s->depth[n])
			s->depth[n] = f->depth;
	}
}

/* Make cycles from the components that have several functions. */
static void
scc_cycles(struct scc *s, uint32_t *number)
{
	struct profile *p = s->p;
	struct arena *a = &p->priv->arena;
	struct cycle *c;
	size_t i, k;

	for (i = 0; i < s->ncomponents; i++)
		number[i] = s->size[i] > 1 ? (uint32_t)++p->ncycles : 0;
	p->cycles = arena_array(a, p->ncycles, sizeof(*p->cycles));
	for (i = 0; i < s->ncomponents; i++) {
		if (!number[i])
			continue;
		c = &p->cycles[number[i] - 1];
		c->number = number[i];
		c->members = arena_array(a, s->size[i], sizeof(*c->members));
	}
	for (i = 0; i < p->nfuncs; i++) {
		k = number[s->v[i].component];
		p->funcs[i]->cycle = (unsigned)k;
		if (k) {
			c = &p->cycles[k - 1];
			c->members[c->nmembers++] = p->funcs[i];
		}
	}
}

void
scc_find(struct profile *p)
{
	size_t n = p->nfuncs, i;
	struct scc s = { .p = p };
	uint32_t *room = heap_array(n + 1, 7 * sizeof(*room));

	s.v = heap_array(n + 1, sizeof(*s.v));
	s.path = room;
	s.open = room + n;
	s.size = room + 2 * n;
	s.level = room + 3 * n;
	s.depth = room + 4 * n;
	for (i = 0; i < n; i++)
		s.v[i].component = STAGES_NONE;
	for (i = 0; i < n; i++) {
		if (!s.v[i].index)
			scc_walk(&s, (uint32_t)i);
	}
	scc_levels(&s, room + 5 * n);
	scc_depths(&s);
	scc_order(&s);
	/* path isn't needed any more */
	scc_cycles(&s, s.path);
	free(room);
	free(s.v);
}
