/* SPDX-License-Identifier: MIT */
/* Runs of ever larger blocks: begun, continued, and marked in their blocks. */
#include "monitor/use/grow.h"

#include "monitor/base/arena.h"
#include "monitor/counts/live.h"
#include "monitor/shadow/shadow.h"

/* How many older cells of a node are searched for one of the same thread. */
#define SIBLINGS 64u

/*
 * An older cell of the node and of c's thread, among the next `most' ones;
 * *all: all older cells were searched.
 */
static struct mmi_cell *
cell_older(const struct mmi_cell *c, uint32_t most, bool *all)
{
	struct mmi_cell *s = mmi_cells_next(c);

	for (; s && most; s = mmi_cells_next(s), most--)
		if (!((s->item.key ^ c->item.key) >> MMI_CELL_SIZE_BITS))
			return s;
	*all = !s;
	return NULL;
}

/* The grow of an older cell, which had one size so far; or a new grow. */
static struct mmi_grow *
grow_of(struct mmi_thread *t, struct mmi_cell *s)
{
	struct mmi_grow *g = s ? s->grow : NULL;

	if (g || !(g = mmi_arena_take(t, sizeof(*g), 16)))
		return g;
	if (s) {
		g->last = s->last;
		g->size = mmi_cell_size(s);
		g->run = s->last != 0;
		s->grow = g;
	}
	return g;
}

/*
 * If a node has very many cells, a cell that is found at once keeps the grow.
 */
void
mmi_cells_made(struct mmi_thread *t, struct mmi_cell *c, uint32_t node)
{
	bool all = true, any = mmi_cell_size(c) >= MMI_CELL_ANY;
	struct mmi_cell *s = cell_older(c, SIBLINGS, &all), *h;

	if (s || all) {
		c->grow = s || any ? grow_of(t, s) : NULL;
		return;
	}
	h = mmi_cells_aside(t, c, node);
	if (!h)
		return;
	if (!h->grow)
		h->grow = grow_of(t, cell_older(c, UINT32_MAX, &all));
	c->grow = h->grow;
}

void
mmi_grow_mark(uint64_t p)
{
	uint64_t *info = &mmi_shadow.blocks[mmi_shadow_granule(p) + 1];
	uint64_t was;

	if (!mmi_shadow_had((const void *)(uintptr_t)p))
		return;
	was = LOAD(info);
	/* If another thread frees the block now, INFO must stay as that left
	 * it. */
	while (was & MMI_SHADOW_INFO &&
	       !CAS(info, &was, was | MMI_SHADOW_GROWING))
		;
}

/* Is the newest block still live, that is, not freed by another thread? */
static bool
live(const struct mmi_grow *g)
{
	uint64_t at;

	if (g->last & (MMI_GROW_GONE | 15) || !mmi_shadow.blocks)
		return false;
	at = LOAD(&mmi_shadow.blocks[mmi_shadow_granule(g->last)]);
	return at & MMI_SHADOW_START &&
	       mmi_cells_at(mmi_live_cell(at & MMI_SHADOW_ENTRY))->grow == g;
}

/* Has the thread made at most a few allocations since `from'? */
static bool
soon(const struct mmi_thread *t, uint64_t from)
{
	return t->pub->seq - from <= MONOUT_NEAR;
}

bool
mmi_grow_made_slow(const struct mmi_thread *t, struct mmi_grow *g, uint64_t p,
		   uint64_t size)
{
	bool larger = size > g->size, gone = g->last & MMI_GROW_GONE;

	g->before = larger && !gone ? g->last : 0;
	g->before_run = g->run;
	if (larger && gone && soon(t, g->last & ~MMI_GROW_GONE))
		g->run++;
	else
		g->run = 1;
	g->last = p;
	g->size = size;
	g->seq = t->pub->seq;
	return g->run >= MONOUT_RUN_MIN;
}

void
mmi_grow_gone_slow(const struct mmi_thread *t, struct mmi_grow *g, uint64_t p)
{
	if (p == g->last) {
		g->last = MMI_GROW_GONE | t->pub->seq;
	} else if (soon(t, g->seq + 1)) {
		g->run = g->before_run + 1;
		if (g->run >= MONOUT_RUN_MIN && live(g))
			mmi_grow_mark(g->last);
	}
	g->before = 0;
}
