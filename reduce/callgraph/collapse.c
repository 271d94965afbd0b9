/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Remove recursion from call paths. */
#include "reduce/callgraph/collapse.h"

#include <stdlib.h>
#include <string.h>

void
collapse_init(struct collapse *c, const struct mon *m)
{
	uint32_t i, parent;

	*c = (struct collapse){ .mon = m };
	c->first = heap_array(m->nnodes + 1, sizeof(*c->first));
	c->next = heap_array(m->nnodes + 1, sizeof(*c->next));
	c->mark = heap_array(m->nnodes + 1, sizeof(*c->mark));
	for (i = (uint32_t)m->nnodes; i-- > 1;) {
		parent = m->nodes[i].parent;
		c->next[i] = c->first[parent];
		c->first[parent] = i;
	}
}

void
collapse_fini(struct collapse *c)
{
	free(c->first);
	free(c->next);
	free(c->mark);
	free(c->of_func);
	free(c->of_depth);
	free(c->log);
	*c = (struct collapse){ 0 };
}

uint32_t
collapse_next(const struct collapse *c, uint32_t node)
{
	if (c->first[node])
		return c->first[node];
	while (node && !c->next[node])
		node = c->mon->nodes[node].parent;
	return node ? c->next[node] : 0;
}

void
collapse_enter(struct collapse *c, uint32_t node)
{
	size_t left = c->mark[c->mon->nodes[node].parent];
	const struct collapse_undo *u;

	while (c->nlog > left) {
		u = &c->log[--c->nlog];
		c->of_func[u->func] = u->was;
		c->of_depth[u->depth] = u->frame;
	}
}

void
collapse_leave(struct collapse *c, uint32_t node)
{
	c->mark[node] = c->nlog;
}

uint32_t
collapse_find(const struct collapse *c, uint32_t func, uint32_t depth)
{
	struct collapse_at at;

	if (func >= c->nfuncs)
		return COLLAPSE_NONE;
	at = c->of_func[func];
	return at.depth && at.depth <= depth && at.depth < c->ndepths &&
			       c->of_depth[at.depth] == at.frame
		       ? at.frame
		       : COLLAPSE_NONE;
}

/* Make room for a function and a depth. */
static void
collapse_grow(struct collapse *c, uint32_t func, uint32_t depth)
{
	ARRAY_ROOM(c->of_func, c->func_room, (size_t)func + 1);
	for (; c->nfuncs <= func; c->nfuncs++)
		c->of_func[c->nfuncs] =
			(struct collapse_at){ COLLAPSE_NONE, 0 };
	ARRAY_ROOM(c->of_depth, c->depth_room, (size_t)depth + 1);
	for (; c->ndepths <= depth; c->ndepths++)
		c->of_depth[c->ndepths] = COLLAPSE_NONE;
}

void
collapse_put(struct collapse *c, uint32_t func, uint32_t frame, uint32_t depth)
{
	collapse_grow(c, func, depth);
	ARRAY_ADD(c->log, c->log_room, c->nlog,
		  (struct collapse_undo){ func, c->of_func[func], depth,
					  c->of_depth[depth] });
	c->of_func[func] = (struct collapse_at){ frame, depth };
	c->of_depth[depth] = frame;
}
