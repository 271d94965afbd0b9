/* SPDX-License-Identifier: MIT */
/* The graph in the data file: items of LINKS. */
#include <string.h>
#include <time.h>

#include "monitor/base/arena.h"
#include "monitor/base/process.h"
#include "monitor/base/put.h"
#include "monitor/leak/leak_graph.h"

/* Guarded by the same lock as the file. */
static struct mmi_emit out = MMI_EMIT_FULL;
static const struct mmi_graph *shown;
static uint64_t *number; /* of a node's site, + 1 */

struct mmi_graph *
mmi_graph_new(uint32_t nodes)
{
	size_t size = sizeof(struct mmi_graph) +
		      nodes * sizeof(struct mmi_graph_site);
	struct mmi_graph *g = mmi_leak_map_shared(size);

	if (!g)
		return NULL;
	g->size = size;
	g->nodes = nodes;
	g->at = mmi_process_clock(CLOCK_MONOTONIC) - mmi_process.mono;
	return g;
}

void
mmi_graph_free(struct mmi_graph *g)
{
	if (g)
		mmi_leak_unmap(g, g->size);
}

void
mmi_graph_run(struct mmi_emit *o, const struct mmi_graph *g)
{
	if (!g)
		return;
	if (g->why)
		mmi_emit_key_bytes(o, MONOUT_R_GRAPH_WHY, g->why,
				   strlen(g->why));
	else
		mmi_emit_key_number(o, MONOUT_R_GRAPH_POINTERS, g->edges_all);
	mmi_emit_key_number(o, MONOUT_R_GRAPH_AT, g->at);
	mmi_emit_key_number(o, MONOUT_R_GRAPH_BYTES, g->bytes);
	if (g->used)
		mmi_emit_key_number(o, MONOUT_R_GRAPH_USED, 1);
	if (g->beyond)
		mmi_emit_key_number(o, MONOUT_R_GRAPH_BEYOND, g->beyond);
	if (g->roots_left)
		mmi_emit_key_number(o, MONOUT_R_GRAPH_ROOTS_LEFT,
				    g->roots_left);
	if (g->rings_left)
		mmi_emit_key_number(o, MONOUT_R_GRAPH_RINGS_LEFT,
				    g->rings_left);
}

void
mmi_graph_begin(struct mmi_emit *o, const struct mmi_graph *g)
{
	mmi_emit_table_after(&out, o, MONOUT_LINKS);
	shown = g && !g->why ? g : NULL;
	number = shown ? mmi_arena_reserve(shown->nodes * sizeof(*number))
		       : NULL;
}

void
mmi_graph_site(uint64_t n, uint32_t node)
{
	const struct mmi_graph_site *s;

	if (!number || node >= shown->nodes)
		return;
	number[node] = n + 1;
	s = &shown->site[node];
	if (s->tops)
		mmi_put_link(&out,
			     &(struct monrec_link){ .what = MONOUT_LINK_RETAINS,
						    .site = n,
						    .count = s->tops,
						    .blocks = s->blocks,
						    .bytes = s->bytes,
						    .most = s->most });
}

/* False: the file doesn't have this root.  frame: on its stack. */
static bool
set_root(struct monrec_link *x, uint32_t root, uint32_t frame)
{
	const struct mmi_graph_root *r;

	if (!root || root > shown->nroots)
		return false;
	r = &shown->root[root - 1];
	x->root = r->kind + 1;
	x->module = r->module;
	x->addr = r->addr;
	x->size = r->size;
	x->thread = (uint64_t)r->tid;
	if (frame) {
		x->module = shown->frame[frame - 1].module;
		x->addr = shown->frame[frame - 1].pc;
	}
	return true;
}

static void
put_roots(void)
{
	for (uint32_t i = 0; i < shown->nroots; i++) {
		struct monrec_link x = { .what = MONOUT_LINK_ROOT,
					 .blocks = shown->root[i].blocks,
					 .bytes = shown->root[i].bytes };

		if (x.blocks && set_root(&x, i + 1, 0))
			mmi_put_link(&out, &x);
	}
}

static void
put_edges(void)
{
	for (uint32_t i = 0; i < shown->nedges; i++) {
		const struct mmi_graph_edge *e = &shown->edge[i];
		struct monrec_link x = { .what = MONOUT_LINK_EDGE,
					 .site = number[e->held] - 1,
					 .offset = e->offset,
					 .count = e->pointers,
					 .blocks = e->inside,
					 .bytes = e->bytes };

		if (!number[e->held])
			continue;
		if (!e->root && number[e->holder])
			x.holder = number[e->holder] - 1;
		else if (!set_root(&x, e->root, e->frame))
			continue;
		mmi_put_link(&out, &x);
	}
}

static void
put_steps(void)
{
	for (uint32_t i = 0; i < shown->nsteps; i++) {
		const struct mmi_graph_step *s = &shown->step[i];
		struct monrec_link x = { .what = MONOUT_LINK_STEP,
					 .site = number[s->node] - 1,
					 .step = s->n,
					 .offset = s->offset };

		if (!number[s->node])
			continue;
		if (s->n && number[s->holder])
			x.holder = number[s->holder] - 1;
		else if (!set_root(&x, s->root, s->frame))
			continue;
		mmi_put_link(&out, &x);
	}
}

/* Leave out rows that retain nothing. */
static void
put_tree(void)
{
	for (uint32_t i = 0; i < shown->ntree; i++) {
		const struct mmi_graph_tree *t = &shown->tree[i];
		struct monrec_link x = { .what = MONOUT_LINK_TREE,
					 .step = i + 1,
					 .offset = t->parent,
					 .count = t->use.unread,
					 .blocks = t->blocks,
					 .bytes = t->bytes,
					 .most = t->use.last };

		if (t->node == MMI_GRAPH_LEFT_OUT)
			continue;
		if (!t->parent)
			set_root(&x, t->root, 0);
		else if (number[t->node])
			x.site = number[t->node] - 1;
		mmi_put_link(&out, &x);
		if (t->rest_blocks)
			mmi_put_link(&out, &(struct monrec_link){
						   .what = MONOUT_LINK_REST,
						   .step = i + 1,
						   .count = t->rest_use.unread,
						   .blocks = t->rest_blocks,
						   .bytes = t->rest_bytes,
						   .most = t->rest_use.last });
	}
}

static void
put_cycle(uint32_t number_of, const struct mmi_graph_cycle *c)
{
	uint32_t n = c->n < MMI_GRAPH_CYCLE ? c->n : MMI_GRAPH_CYCLE;

	for (uint32_t i = 0; i < n; i++)
		if (!number[c->holder[i]])
			return;
	for (uint32_t i = 0; i < n; i++)
		mmi_put_link(&out, &(struct monrec_link){
					   .what = MONOUT_LINK_RING,
					   .site = number[c->holder[0]] - 1,
					   .step = number_of * MONOUT_RING + i,
					   .holder = number[c->holder[i]] - 1,
					   .offset = c->offset[i],
					   .count = i ? 0 : c->cycles,
					   .blocks = i ? 0 : c->blocks,
					   .bytes = i ? 0 : c->bytes,
					   .most = i ? 0 : c->n });
}

uint64_t
mmi_graph_table(void)
{
	if (number) {
		for (uint32_t i = 0; i < shown->ncycles; i++)
			put_cycle(i, &shown->cycle[i]);
		put_roots();
		put_edges();
		put_steps();
		put_tree();
		MMI_ARENA_DROP_PART(number, shown->nodes * sizeof(*number),
				    shown->nodes * sizeof(*number));
	}
	return mmi_emit_end(&out);
}
