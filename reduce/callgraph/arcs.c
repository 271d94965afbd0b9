/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arcs between functions, and each function's lists of them. */
#include "reduce/callgraph/callgraph.h"
#include "reduce/base/hash.h"
#include "reduce/model/counts.h"
#include "reduce/model/life.h"
#include "reduce/model/stages.h"

#include <string.h>

/* Give every frame its arc.  Returns the number of arcs. */
static uint32_t
arcs_number(struct profile *p, struct hash *h)
{
	struct profile_priv *v = p->priv;
	const struct frame *f;
	uint32_t n = 0, arc;
	size_t i;

	for (i = 0; i < v->nframes; i++) {
		f = &v->frames[i];
		v->frame_arc[i] = STAGES_NONE;
		if (!f->parent)
			continue;
		arc = hash_intern(h, stages_func(p, f->parent->func),
				  stages_func(p, f->func), 0, n);
		v->frame_arc[i] = arc;
		n += arc == n;
	}
	return n;
}

/*
 * Set the ends of the arcs, mark functions and arcs that are always inlined,
 * and count each function's arcs.
 */
static void
arcs_ends(struct profile *p)
{
	struct profile_priv *v = p->priv;
	const struct frame *f;
	struct arc *a;
	size_t i;

	for (i = 0; i < p->narcs; i++)
		p->arcs[i]->inlined = true;
	for (i = 0; i < p->nfuncs; i++)
		p->funcs[i]->inlined = true;
	for (i = 0; i < v->nframes; i++) {
		f = &v->frames[i];
		f->func->inlined &= f->inlined;
		if (v->frame_arc[i] == STAGES_NONE)
			continue;
		a = &v->arcs[v->frame_arc[i]];
		a->caller = f->parent->func;
		a->callee = f->func;
		a->inlined &= f->inlined;
	}
	for (i = 0; i < p->narcs; i++) {
		a = p->arcs[i];
		a->caller->ncallees++;
		a->callee->ncallers++;
	}
}

/* Split two arrays of all arcs into the functions' lists. */
static void
arcs_lists(struct profile *p)
{
	struct arena *a = &p->priv->arena;
	struct arc **callers = arena_array(a, p->narcs, sizeof(*callers));
	struct arc **callees = arena_array(a, p->narcs, sizeof(*callees));
	struct func *f;
	size_t i;

	for (i = 0; i < p->nfuncs; i++) {
		f = p->funcs[i];
		f->callers = callers;
		f->callees = callees;
		callers += f->ncallers;
		callees += f->ncallees;
		f->ncallers = f->ncallees = 0;
	}
	for (i = 0; i < p->narcs; i++) {
		f = p->arcs[i]->callee;
		f->callers[f->ncallers++] = p->arcs[i];
		f = p->arcs[i]->caller;
		f->callees[f->ncallees++] = p->arcs[i];
	}
}

void
arcs_build(struct profile *p)
{
	struct profile_priv *v = p->priv;
	struct hash h = { 0 };
	size_t i;

	memset(&p->total, 0, sizeof(p->total));
	memset(&p->life, 0, sizeof(p->life));
	p->peak_blocks = 0;
	for (i = 0; i < p->nsites; i++) {
		counts_add(&p->total, &p->sites[i].count);
		p->peak_blocks += p->sites[i].peak_blocks;
		if (p->sites[i].life)
			life_add(&p->life, p->sites[i].life);
	}
	v->frame_arc = arena_array(&v->arena, v->nframes, sizeof(uint32_t));
	p->narcs = arcs_number(p, &h);
	hash_fini(&h);
	v->arcs = arena_array(&v->arena, p->narcs, sizeof(struct arc));
	p->arcs = arena_array(&v->arena, p->narcs, sizeof(struct arc *));
	for (i = 0; i < p->narcs; i++)
		p->arcs[i] = &v->arcs[i];
	arcs_ends(p);
	arcs_lists(p);
}
