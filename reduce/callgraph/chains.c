/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Turn the trie of return addresses into the tree of frames. */
#include "reduce/callgraph/callgraph.h"
#include "reduce/callgraph/chains_parts.h"
#include "reduce/callgraph/collapse.h"
#include "reduce/callgraph/filter.h"
#include "reduce/binaries/modules.h"

#include <stdlib.h>
#include <string.h>

/* The calls of a call path up to some node, from the outermost call. */
enum chains_state {
	CHAINS_ROOT,	   /* nothing */
	CHAINS_LIBC,	   /* only the C library, where threads start */
	CHAINS_START,	   /* the program's _start */
	CHAINS_START_LIBC, /* _start, and what it calls in the C library */
	CHAINS_MAIN,	   /* main */
	CHAINS_PAST	   /* anything else */
};

/* ------------------------------------------------------- the whole tree -- */

/*
 * Find or add a frame.  Returns its number.
 */
static uint32_t
chains_frame(struct chains *c, uint32_t parent, const struct funcs_call *call,
	     uint64_t addr)
{
	const struct func *all = c->funcs->list;
	uint32_t n, fresh = (uint32_t)c->nframes;
	bool inlined = call->inlined;

	/* The frame replaces the frame of the rest of the function. */
	if (call->part && parent >= CHAINS_ROOTS &&
	    all[c->frames[parent].func].whole == all[call->func].whole) {
		inlined = c->frames[parent].inlined;
		parent = c->frames[parent].parent;
	}
	ARRAY_ROOM(c->frames, c->frame_room, c->nframes + 1);
	if (c->nframes >= STAGES_NONE - 1)
		heap_out();
	n = hash_intern(&c->hash, parent, call->func,
			c->funcs->apart ? addr : 0, fresh);
	if (n == fresh) {
		c->frames[n] = (struct chains_frame){
			.parent = parent,
			.func = call->func,
			.number = STAGES_NONE,
			.depth = c->frames[parent].depth + 1,
			.site = call->site,
			.file = call->file,
			.addr = addr,
			.line = call->line,
			.inlined = inlined,
		};
		c->nframes++;
	} else {
		c->frames[n].inlined &= inlined;
	}
	return n;
}

/*
 * Find or add the frame of a call below `parent'.  Returns `parent' itself if
 * the call is hidden.  A recursion is collapsed if asked for.
 */
static uint32_t
chains_call(struct chains *c, uint32_t parent, const struct funcs_call *call,
	    uint64_t addr)
{
	uint32_t same, n, whole = c->funcs->list[call->func].whole;

	if (call->filter & FILTER_HIDE)
		return parent;
	if (!c->collapse)
		return chains_frame(c, parent, call, addr);
	same = collapse_find(c->collapse, whole, c->frames[parent].depth);
	if (same != COLLAPSE_NONE)
		parent = c->frames[same].parent;
	n = chains_frame(c, parent, call, addr);
	collapse_put(c->collapse, whole, n, c->frames[n].depth);
	return n;
}

/*
 * Is the node a pseudo address, not a call?  Such a node says why the call path
 * starts there, or which type the blocks have.
 */
static bool
chains_is_pseudo(const struct mon_node *n)
{
	return mon_node_is_type(n) ||
	       (!n->module &&
		(n->addr == MONOUT_PC_CUT || n->addr == MONOUT_PC_STOPPED ||
		 n->addr == MONOUT_PC_NONE || n->addr == MONOUT_PC_LIMIT));
}

/* Set the node of a pseudo address. */
static void
chains_pseudo(struct chains *c, const struct mon_node *n,
	      struct chains_node *to)
{
	const struct chains_node *parent = &c->nodes[n->parent];

	*to = *parent;
	to->used = true;
	if (n->parent)
		return;
	to->limited = n->addr == MONOUT_PC_LIMIT;
	to->part = true;
	to->state = CHAINS_PAST;
	to->leaf = to->limited || n->addr == MONOUT_PC_CUT
			   ? PROFILE_START_CUT
			   : PROFILE_START_STOPPED;
}

/* Is each of these calls in a function where threads start? */
static bool
chains_in_start(const struct funcs *f, const struct funcs_call *calls, size_t n)
{
	while (n--) {
		if (!f->detail[calls[n].func].start)
			return false;
	}
	return true;
}

/*
 * Between the program's _start and its main, only the C library runs.  A
 * function of the program that it calls there is main or a constructor, even
 * without a name.  Functions that exit() calls are neither.  Returns the state
 * after the calls, or CHAINS_PAST.
 */
static enum chains_state
chains_start(const struct chains *c, const struct chains_node *parent,
	     const struct funcs_call *calls, size_t n)
{
	const struct funcs_detail *m = &c->funcs->detail[calls[n - 1].func];
	bool exe =
		m->module && (c->mon->modules[m->module].flags & MONOUT_M_EXE);
	size_t i;

	if (parent->state == CHAINS_ROOT)
		return exe && n == 1 ? CHAINS_START : CHAINS_PAST;
	if (parent->state == CHAINS_START_LIBC && exe)
		return CHAINS_MAIN;
	for (i = 0; i < n; i++) {
		if (!c->funcs->detail[calls[i].func].libc ||
		    !strcmp(c->funcs->list[calls[i].func].name, "exit"))
			return CHAINS_PAST;
	}
	return CHAINS_START_LIBC;
}

/*
 * Set the node's state.  Returns the frame below which the node's frames go.
 * *n is the number of functions; it becomes smaller when some are outside of
 * main and left out.
 */
static uint32_t
chains_enter(struct chains *c, struct chains_node *node,
	     const struct chains_node *parent, const struct funcs_call *calls,
	     size_t *n)
{
	size_t i;

	node->state = CHAINS_MAIN;
	if (parent->state == CHAINS_MAIN)
		return parent->leaf;
	for (i = *n; i-- > 0;) {
		if (c->funcs->detail[calls[i].func].main) {
			*n = i + 1;
			return PROFILE_START_MAIN;
		}
	}
	node->state = CHAINS_PAST;
	if (parent->state == CHAINS_PAST)
		return parent->leaf;
	if (parent->state != CHAINS_LIBC) {
		node->state = chains_start(c, parent, calls, *n);
		if (node->state == CHAINS_MAIN)
			return PROFILE_START_MAIN;
		if (node->state == CHAINS_START)
			return PROFILE_START_OTHER;
		if (parent->state != CHAINS_ROOT)
			return parent->leaf;
	}
	if (chains_in_start(c->funcs, calls, *n)) {
		node->state = CHAINS_LIBC;
		return parent->state == CHAINS_ROOT ? PROFILE_START_OTHER
						    : parent->leaf;
	}
	return parent->state == CHAINS_ROOT ? PROFILE_START_OTHER
					    : PROFILE_START_MAIN;
}

static void
chains_node(struct chains *c, size_t i)
{
	const struct mon_node *n = &c->mon->nodes[i];
	struct chains_node *node = &c->nodes[i];
	const struct funcs_call *calls;
	size_t k, j;
	uint32_t at;

	if (chains_is_pseudo(n)) {
		chains_pseudo(c, n, node);
		return;
	}
	if (node->outside) {
		*node = c->nodes[n->parent];
		node->used = node->outside = true;
		return;
	}
	k = funcs_find(c->funcs, n->module, n->addr, &calls);
	/* The innermost function decides. */
	for (j = 0; j < k && !node->suppress; j++)
		node->suppress = calls[j].suppress;
	if (!node->suppress)
		node->suppress = c->nodes[n->parent].suppress;
	node->runtime = c->nodes[n->parent].runtime;
	node->limited = c->nodes[n->parent].limited;
	node->part = c->nodes[n->parent].part;
	for (j = k; j-- > 0;)
		node->runtime = (uint8_t)runtime_call(
			node->runtime, c->funcs->detail[calls[j].func].runtime);
	at = chains_enter(c, node, &c->nodes[n->parent], calls, &k);
	if (at == c->nodes[n->parent].leaf)
		node->filter = c->nodes[n->parent].filter;
	while (k--) {
		node->filter |= (uint8_t)calls[k].filter;
		at = chains_call(c, at, &calls[k], n->addr);
	}
	node->leaf = at;
}

/* ----------------------------------------------------- outside of main -- */

/* May the node be a call between the start of the program and main? */
static bool
chains_may_start(const struct chains *c, const struct mon_node *n)
{
	const struct mon_node *parent = &c->mon->nodes[n->parent];

	if (n->parent && !c->nodes[n->parent].outside &&
	    (parent->parent || !parent->module ||
	     !(c->mon->modules[parent->module].flags & MONOUT_M_EXE)))
		return false;
	return n->module && modules_is_libc(c->mon->modules[n->module].path);
}

/*
 * Mark the calls of the C library that lead only to main.  No table shows their
 * functions, so the debug information of the C library needn't be read for
 * their names.
 */
static void
chains_outside(struct chains *c)
{
	const struct mon *m = c->mon;
	const struct mon_node *n;
	size_t i;

	for (i = 1; i < m->nnodes; i++)
		c->nodes[i].outside = chains_may_start(c, &m->nodes[i]);
	for (i = 1; i < m->nnodes; i++)
		c->nodes[i].outside &= !c->nodes[i].ends;
	for (i = m->nnodes; i-- > 1;) {
		n = &m->nodes[i];
		if (c->nodes[i].used && !c->nodes[i].outside &&
		    c->nodes[n->parent].outside)
			c->nodes[n->parent].outside =
				!chains_is_pseudo(n) &&
				funcs_is_main(c->funcs, n->module, n->addr);
	}
}

/*
 * Make frames for all nodes of sites, while collapse knows the way to each
 * node.
 */
static void
chains_collapse(struct chains *c)
{
	struct collapse *way = c->collapse;
	uint32_t i = 0;

	collapse_init(way, c->mon);
	while ((i = collapse_next(way, i))) {
		collapse_enter(way, i);
		if (c->nodes[i].used)
			chains_node(c, i);
		collapse_leave(way, i);
	}
}

static void
chains_end(void *arg, uint32_t node)
{
	((struct chains *)arg)->nodes[node].ends = true;
}

/*
 * Make frames for all nodes, collapsed or not.  Parents come before children.
 */
static void
chains_nodes(struct chains *c)
{
	const struct mon *m = c->mon;
	size_t i;

	for (i = 0; i < m->nsites; i++)
		chains_end(c, m->sites[i].node);
	mon_each_node(m, chains_end, c);
	for (i = m->nnodes; i-- > 1;) {
		c->nodes[i].used |= c->nodes[i].ends;
		c->nodes[m->nodes[i].parent].used |= c->nodes[i].used;
	}
	c->nodes[0].leaf = PROFILE_START_STOPPED;
	progress_start(&c->p->priv->progress, "looking up functions", NULL);
	if (c->collapse) {
		chains_collapse(c);
		return;
	}
	/* Filters and suppressions may name functions that no table shows. */
	if (!c->funcs->filter &&
	    (!c->funcs->suppress || !c->funcs->suppress->n))
		chains_outside(c);
	for (i = 1; i < m->nnodes; i++) {
		progress_at(&c->p->priv->progress, i, m->nnodes);
		if (c->nodes[i].used)
			chains_node(c, i);
	}
}

/* Keep only the sites that pass the filter. */
static void
chains_filter(struct chains *c)
{
	struct funcs *f = c->funcs;
	const struct chains_node *node;
	uint32_t leaf, module;
	size_t i;

	for (i = 0; i < c->mon->nsites; i++) {
		node = &c->nodes[c->mon->sites[i].node];
		leaf = chains_skip(c, node->leaf);
		module = leaf < CHAINS_ROOTS
				 ? 0
				 : f->detail[c->frames[leaf].func].module;
		filter_site(f->filter, i, node->filter, module, node->part);
	}
	filter_drop(f->filter);
	filter_cells(f->filter);
}

void
chains_build(struct profile *p, struct funcs *f, const bool **used)
{
	struct chains c = { .p = p, .funcs = f, .mon = f->mon };
	struct collapse way = { 0 };
	bool *modules = arena_alloc(&p->priv->arena, f->mon->nmodules + 1);

	c.nodes = heap_array(f->mon->nnodes + 1, sizeof(*c.nodes));
	c.frames = array_grow(NULL, &c.frame_room, CHAINS_ROOTS,
			      sizeof(*c.frames));
	if (f->filter && f->filter->what->collapse)
		c.collapse = &way;
	memset(c.frames, 0, CHAINS_ROOTS * sizeof(*c.frames));
	c.nframes = CHAINS_ROOTS;
	chains_nodes(&c);
	if (f->filter && !f->filtered)
		chains_filter(&c);
	chains_finish(&c, modules);
	*used = modules;
	free(c.nodes);
	free(c.frames);
	hash_fini(&c.hash);
	collapse_fini(&way);
}
