/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts of functions, arcs and cycles.  The counts are exact: each function,
 * arc or cycle on a block's call path counts the block once, even if the path
 * passes it several times.
 *
 * One walk over the tree of frames, depth first.  When a frame is left, the
 * amount allocated below it is known.  That amount is added to the frame's
 * function, unless the function also has an outer frame on the way: the outer
 * frame then adds it.  The same holds for arcs and cycles.
 */
#include "reduce/callgraph/callgraph.h"
#include "reduce/estimate/scores.h"
#include "reduce/base/err.h"
#include "reduce/base/hash.h"
#include "reduce/base/sort.h"
#include "reduce/callgraph/frames_walk.h"
#include "reduce/model/counts.h"
#include "reduce/model/life.h"
#include "reduce/model/stages.h"

#include <stdlib.h>
#include <string.h>

/* A carc before it is in its cycle's list. */
struct propagate_carc {
	uint32_t cycle;	  /* place in profile.cycles */
	bool in;	  /* from outside into the cycle */
	uint32_t entered; /* times it is on the way to the frame */
	struct carc carc;
};

struct propagate {
	struct profile *p;
	struct walk walk;
	uint32_t *site;		   /* by frame: its site, or STAGES_NONE */
	struct counts *below;	   /* by depth: allocated below the frame of
				    * the way at that depth */
	/* How many times each is on the way from the root to the frame. */
	uint32_t *funcs, *arcs, *cycles;
	/*
	 * By arc: the carc into the callee's cycle, and the carc out of the
	 * caller's cycle, or STAGES_NONE.
	 */
	uint32_t *in, *out;
	struct propagate_carc *carcs;
	size_t ncarcs, carc_room;
	bool over; /* a sum overflowed */
};

/* --------------------------------------------------------- preparations -- */

static uint32_t
propagate_carc(struct propagate *g, struct hash *h, unsigned cycle,
	       struct func *other, bool in)
{
	uint32_t n;

	ARRAY_ROOM(g->carcs, g->carc_room, g->ncarcs + 1);
	n = hash_intern(h, cycle, stages_func(g->p, other), in,
			(uint32_t)g->ncarcs);
	if (n == g->ncarcs)
		g->carcs[g->ncarcs++] = (struct propagate_carc){
			.cycle = cycle - 1,
			.in = in,
			.carc.other = other,
		};
	return n;
}

/* Find the carcs that each arc belongs to. */
static void
propagate_carcs(struct propagate *g)
{
	struct profile *p = g->p;
	struct hash h = { 0 };
	const struct arc *a;
	size_t i;

	for (i = 0; i < p->narcs; i++) {
		a = p->arcs[i];
		g->in[i] = g->out[i] = STAGES_NONE;
		if (a->caller->cycle == a->callee->cycle)
			continue;
		if (a->callee->cycle)
			g->in[i] = propagate_carc(g, &h, a->callee->cycle,
						  a->caller, true);
		if (a->caller->cycle)
			g->out[i] = propagate_carc(g, &h, a->caller->cycle,
						   a->callee, false);
	}
	hash_fini(&h);
}

/* Link the frames to their sites. */
static void
propagate_sites(struct propagate *g)
{
	const struct profile *p = g->p;
	size_t i;

	memset(g->site, 0xff, p->priv->nframes * sizeof(*g->site));
	for (i = 0; i < p->nsites; i++) {
		if (p->sites[i].leaf)
			g->site[stages_frame(p, p->sites[i].leaf)] =
				(uint32_t)i;
	}
}

/* ------------------------------------------------------------- the walk -- */

static void
propagate_sum(struct propagate *g, uint64_t *to, uint64_t n)
{
	g->over |= __builtin_add_overflow(*to, n, to);
}

/* Add a site to its function, which allocated these blocks itself. */
static void
propagate_self(struct func *f, const struct site *s)
{
	counts_add(&f->self, &s->count);
	f->reallocs += s->reallocs;
	if (s->life)
		life_add(&f->life, s->life);
	if (profile_use_once(s))
		use_add(&f->use, s->use);
}

static void
propagate_enter(void *arg, uint32_t i)
{
	struct propagate *g = arg;
	struct profile *p = g->p;
	const struct frame *f = &p->priv->frames[i];
	uint32_t arc = p->priv->frame_arc[i];
	struct counts *below = &g->below[f->depth];

	memset(below, 0, sizeof(*below));
	if (g->site[i] != STAGES_NONE) {
		*below = p->sites[g->site[i]].count;
		propagate_self(f->func, &p->sites[g->site[i]]);
	}
	g->funcs[stages_func(p, f->func)]++;
	if (f->func->cycle)
		g->cycles[f->func->cycle - 1]++;
	if (arc == STAGES_NONE)
		return;
	g->arcs[arc]++;
	if (g->in[arc] != STAGES_NONE)
		g->carcs[g->in[arc]].entered++;
	if (g->out[arc] != STAGES_NONE)
		g->carcs[g->out[arc]].entered++;
}

/* Leave a carc: its calls are the calls of all its arcs. */
static void
propagate_leave_carc(struct propagate *g, uint32_t n,
		     const struct counts *below)
{
	struct propagate_carc *c;

	if (n == STAGES_NONE)
		return;
	c = &g->carcs[n];
	if (--c->entered == 0)
		counts_add(&c->carc.count, below);
	propagate_sum(g, &c->carc.calls, counts_sum(below->allocs));
}

static void
propagate_leave(void *arg, uint32_t i)
{
	struct propagate *g = arg;
	struct profile *p = g->p;
	const struct frame *f = &p->priv->frames[i];
	uint32_t arc = p->priv->frame_arc[i];
	const struct counts *below = &g->below[f->depth];

	if (--g->funcs[stages_func(p, f->func)] == 0)
		counts_add(&f->func->total, below);
	if (f->func->cycle && --g->cycles[f->func->cycle - 1] == 0)
		counts_add(&p->cycles[f->func->cycle - 1].total, below);
	if (arc == STAGES_NONE)
		return;
	if (--g->arcs[arc] == 0)
		counts_add(&p->arcs[arc]->count, below);
	propagate_sum(g, &p->arcs[arc]->calls, counts_sum(below->allocs));
	propagate_leave_carc(g, g->in[arc], below);
	propagate_leave_carc(g, g->out[arc], below);
	counts_add(&g->below[f->depth - 1], below);
}

/* -------------------------------------------------- results of the walk -- */

/*
 * A folded cycle has one recorded path, which may pass an arc more often than
 * the paths that it represents.  So each allocation counts as one call of the
 * arc, which is the least possible.
 */
static void
propagate_least(struct propagate *g, struct arc *a)
{
	unsigned cycle = a->caller->cycle;

	if (!g->p->folded ||
	    (a->caller != a->callee && (!cycle || cycle != a->callee->cycle)))
		return;
	a->calls = 0;
	for (int i = 0; i < PROFILE_NCLASS; i++)
		propagate_sum(g, &a->calls, a->count.allocs[i]);
}

/* Call counts of functions and cycles, computed from the arcs. */
static void
propagate_calls(struct propagate *g)
{
	struct profile *p = g->p;
	struct arc *a;
	unsigned from, to;
	size_t i;

	for (i = 0; i < p->narcs; i++) {
		a = p->arcs[i];
		propagate_least(g, a);
		from = a->caller->cycle;
		to = a->callee->cycle;
		if (a->caller == a->callee) {
			propagate_sum(g, &a->callee->recursive, a->calls);
		} else {
			propagate_sum(g, &a->callee->calls, a->calls);
			propagate_sum(g, &a->caller->outcalls, a->calls);
		}
		if (to && from == to)
			propagate_sum(g, &p->cycles[to - 1].internal, a->calls);
		else if (to)
			propagate_sum(g, &p->cycles[to - 1].calls, a->calls);
	}
	for (i = 0; i < p->nfuncs; i++) {
		to = p->funcs[i]->cycle;
		if (to)
			counts_add(&p->cycles[to - 1].self, &p->funcs[i]->self);
	}
}

/* Copy the carcs to their cycles. */
static void
propagate_give(struct propagate *g)
{
	struct profile *p = g->p;
	struct arena *a = &p->priv->arena;
	const struct propagate_carc *x;
	struct cycle *c;
	size_t i;

	for (i = 0; i < g->ncarcs; i++) {
		c = &p->cycles[g->carcs[i].cycle];
		*(g->carcs[i].in ? &c->ncallers : &c->ncallees) += 1;
	}
	for (c = p->cycles; c < p->cycles + p->ncycles; c++) {
		c->callers = arena_array(a, c->ncallers, sizeof(struct carc));
		c->callees = arena_array(a, c->ncallees, sizeof(struct carc));
		c->ncallers = c->ncallees = 0;
	}
	for (i = 0; i < g->ncarcs; i++) {
		x = &g->carcs[i];
		c = &p->cycles[x->cycle];
		if (x->in)
			c->callers[c->ncallers++] = x->carc;
		else
			c->callees[c->ncallees++] = x->carc;
	}
}

static int
propagate_compare_funcs(const void *a, const void *b)
{
	const struct func *f = *(struct func *const *)a;
	const struct func *g = *(struct func *const *)b;
	int c;

	if (f->order != g->order)
		return f->order < g->order ? -1 : 1;
	c = strcmp(f->name, g->name);
	if (!c)
		c = strcmp(f->module, g->module);
	if (!c && f->addr != g->addr)
		c = f->addr < g->addr ? -1 : 1;
	if (!c && f->call_line && g->call_line)
		c = strcmp(f->call_file, g->call_file);
	if (!c && f->call_line != g->call_line)
		c = f->call_line < g->call_line ? -1 : 1;
	/*
	 * Both are inlined everywhere: keep the order of the array, which holds
	 * all functions.
	 */
	return c ? c : f < g ? -1 : f > g;
}

/*
 * Most bytes first, then the cycle that is nearer to the outer ends of call
 * paths.
 */
static int
propagate_compare_cycles(const void *a, const void *b)
{
	const struct cycle *c = a, *d = b;
	uint64_t m = counts_sum(c->total.bytes), n = counts_sum(d->total.bytes);

	if (m != n)
		return m > n ? -1 : 1;
	return propagate_compare_funcs(&c->members[0], &d->members[0]);
}

static void
propagate_number(struct profile *p)
{
	struct cycle *c;
	size_t i;

	for (c = p->cycles; c < p->cycles + p->ncycles; c++)
		SORT(c->members, c->nmembers, propagate_compare_funcs);
	SORT(p->cycles, p->ncycles, propagate_compare_cycles);
	for (c = p->cycles; c < p->cycles + p->ncycles; c++) {
		c->number = (unsigned)(c - p->cycles) + 1;
		for (i = 0; i < c->nmembers; i++)
			c->members[i]->cycle = c->number;
	}
}

/* Allocate, walk, and set the results. */
static void
propagate_all(struct propagate *g)
{
	const struct profile *p = g->p;

	walk_init(&g->walk, p, p->priv->nframes);
	g->below = heap_array(g->walk.deepest + 1, sizeof(*g->below));
	g->site = heap_array(p->priv->nframes + 1, sizeof(uint32_t));
	g->funcs = heap_array(p->nfuncs + 1, sizeof(uint32_t));
	g->arcs = heap_array(p->narcs + 1, sizeof(uint32_t));
	g->cycles = heap_array(p->ncycles + 1, sizeof(uint32_t));
	g->in = heap_array(p->narcs + 1, sizeof(uint32_t));
	g->out = heap_array(p->narcs + 1, sizeof(uint32_t));
	propagate_carcs(g);
	propagate_sites(g);
	walk_frames(&g->walk, propagate_enter, propagate_leave, g);
	propagate_calls(g);
	propagate_give(g);
}

int
propagate(struct profile *p, struct err *e)
{
	struct propagate g = { .p = p };

	propagate_all(&g);
	propagate_number(p);
	walk_fini(&g.walk);
	free(g.site);
	free(g.below);
	free(g.funcs);
	free(g.arcs);
	free(g.cycles);
	free(g.in);
	free(g.out);
	free(g.carcs);
	if (g.over)
		return err_set(e,
			       "the counts of calls exceed 64 bits, so the "
			       "data file is damaged; run the program again");
	return 0;
}
