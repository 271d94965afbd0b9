/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A struct profile made of call paths of small numbers, to test the stages that
 * follow.  Function n is number n, its name a letter.
 */
#ifndef MEMMON_TESTS_GRAPH_H
#define MEMMON_TESTS_GRAPH_H

#include "reduce/callgraph/callgraph.h"
#include "reduce/base/hash.h"
#include "reduce/model/stages.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GRAPH_FUNCS = 26, GRAPH_FRAMES = 4096, GRAPH_SITES = 512 };

/* The caller owns it; graph_init(), graph_add() ..., graph_run(). */
struct graph {
	struct profile p;
	struct profile_priv priv;
	struct func funcs[GRAPH_FUNCS];
	struct func *func_list[GRAPH_FUNCS];
	struct frame frames[GRAPH_FRAMES];
	struct site sites[GRAPH_SITES];
	struct hash hash;
};

static inline void
graph_init(struct graph *g, size_t nfuncs)
{
	static const char names[GRAPH_FUNCS][2] = {
		"A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L", "M",
		"N", "O", "P", "Q", "R", "S", "T", "U", "V", "W", "X", "Y", "Z"
	};
	size_t i;

	memset(g, 0, sizeof(*g));
	for (i = 0; i < nfuncs; i++) {
		g->funcs[i].name = names[i];
		g->funcs[i].whole = (unsigned)i;
		g->funcs[i].module = g->funcs[i].file = "";
		g->func_list[i] = &g->funcs[i];
	}
	g->p.priv = &g->priv;
	g->p.funcs = g->func_list;
	g->p.nfuncs = g->priv.all_funcs = nfuncs;
	g->p.sites = g->sites;
	g->priv.funcs = g->funcs;
	g->priv.frames = g->frames;
}

/*
 * Add a site with a call path of functions, outermost first, by their letters.
 * Its blocks have one size, and some are freed.  The counts are in class s.
 * Returns the site, so that the caller can add more.
 */
static inline struct site *
graph_add(struct graph *g, const char *chain, uint64_t size, uint64_t allocs,
	  uint64_t frees)
{
	struct frame *f = NULL, *parent;
	struct site *s = NULL;
	uint32_t n;
	size_t i;

	for (; *chain; chain++) {
		parent = f;
		n = hash_intern(&g->hash,
				parent ? (uint64_t)(parent - g->frames) + 1 : 0,
				(uint64_t)*chain, 0, (uint32_t)g->priv.nframes);
		f = &g->frames[n];
		if (n < g->priv.nframes)
			continue;
		g->priv.all_frames = ++g->priv.nframes;
		*f = (struct frame){ .parent = parent,
				     .func = &g->funcs[*chain - 'A'],
				     .depth = parent ? parent->depth + 1 : 1 };
	}
	for (i = 0; i < g->p.nsites && !s; i++) {
		if (g->sites[i].leaf == f)
			s = &g->sites[i];
	}
	if (!s) {
		s = &g->sites[g->p.nsites++];
		s->leaf = f;
	}
	s->count.allocs[0] += allocs;
	s->count.bytes[0] += allocs * size;
	s->count.frees[0] += frees;
	s->count.freed[0] += frees * size;
	return s;
}

/* Run the stages: 0 or -1. */
static inline int
graph_run(struct graph *g, struct err *e)
{
	arcs_build(&g->p);
	scc_find(&g->p);
	return propagate(&g->p, e);
}

static inline void
graph_fini(struct graph *g)
{
	arena_fini(&g->priv.arena);
	hash_fini(&g->hash);
}

static inline struct func *
graph_func(struct graph *g, char name)
{
	return &g->funcs[name - 'A'];
}

/* The arc between two functions, or NULL. */
static inline struct arc *
graph_arc(struct graph *g, char caller, char callee)
{
	size_t i;

	for (i = 0; i < g->p.narcs; i++) {
		if (g->p.arcs[i]->caller == graph_func(g, caller) &&
		    g->p.arcs[i]->callee == graph_func(g, callee))
			return g->p.arcs[i];
	}
	return NULL;
}

#endif
