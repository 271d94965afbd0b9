/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the trie of return addresses to the tree of frames. */
#include "reduce/callgraph/chains.h"
#include "reduce/callgraph/collapse.h"
#include "reduce/callgraph/filter.h"
#include "reduce/callgraph/leaks.h"
#include "reduce/callgraph/lisp.h"
#include "reduce/model/life.h"

#include <stdlib.h>
#include <string.h>

/* Below these frames the chains begin: one for each enum profile_start. */
enum { CHAINS_ROOTS = PROFILE_START_STOPPED + 1 };

/* What a chain has passed through, outermost first, at some node. */
enum chains_state {
	CHAINS_ROOT,	   /* nothing */
	CHAINS_LIBC,	   /* the C library only: where threads start */
	CHAINS_START,	   /* the program's _start */
	CHAINS_START_LIBC, /* that, and what it calls in the C library */
	CHAINS_MAIN,	   /* main */
	CHAINS_PAST	   /* anything else */
};

/* So many functions without a name that a wrapper calls are the wrapper's. */
enum { CHAINS_NAMELESS = 4 };

struct chains_frame {
	uint32_t parent, func;
	uint32_t number; /* in the profile; STAGES_NONE: unused */
	uint32_t depth;	 /* 1 for an outermost frame */
	const char *site, *file;
	uint64_t addr; /* of the first call that is in it */
	unsigned line; /* the same */
	bool inlined;
};

struct chains_node {
	uint32_t leaf;	   /* its innermost frame */
	uint8_t state;	   /* enum chains_state */
	bool used;	   /* on the chain of some site */
	uint8_t filter;	   /* bits of filter.h, of all that is on its chain */
	uint8_t runtime;   /* enum runtime */
	bool limited;	   /* the outermost is MONOUT_PC_LIMIT */
	bool part;	   /* ... or another that stands for more of it */
	uint32_t suppress; /* number of its suppression, 0 if there is none */
};

struct chains {
	struct profile *p;
	struct funcs *funcs;
	const struct mon *mon;
	struct chains_node *nodes;
	struct chains_frame *frames; /* the roots, then the rest */
	size_t nframes, frame_room;
	struct hash hash;
	struct collapse *collapse; /* NULL: recursion is left as it is */
};

/* ------------------------------------------------------- the whole tree -- */

/* Find or add a frame; returns its number, or STAGES_NONE: out of memory. */
static uint32_t
chains_frame(struct chains *c, uint32_t parent, const struct funcs_call *call,
	     uint64_t addr)
{
	const struct func *all = c->funcs->list;
	uint32_t n, fresh = (uint32_t)c->nframes;
	bool inlined = call->inlined;

	/* It takes the place of the rest of the function. */
	if (call->part && parent >= CHAINS_ROOTS &&
	    all[c->frames[parent].func].whole == all[call->func].whole) {
		inlined = c->frames[parent].inlined;
		parent = c->frames[parent].parent;
	}
	if (ARRAY_ROOM(c->frames, c->frame_room, c->nframes + 1) ||
	    c->nframes >= STAGES_NONE - 1)
		return STAGES_NONE;
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
	} else if (n != HASH_NONE) {
		c->frames[n].inlined &= inlined;
	}
	return n;
}

/*
 * The frame of a call below another; that one itself when the call isn't to be
 * seen, or the frame left of a recursion.  STAGES_NONE: out of memory.
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
	if (n == STAGES_NONE ||
	    collapse_put(c->collapse, whole, n, c->frames[n].depth))
		return STAGES_NONE;
	return n;
}

/* Is it no call: why the chain starts there, or the type of its blocks? */
static bool
chains_is_pseudo(const struct mon_node *n)
{
	return mon_node_is_type(n) ||
	       (!n->module &&
		(n->addr == MONOUT_PC_CUT || n->addr == MONOUT_PC_STOPPED ||
		 n->addr == MONOUT_PC_NONE || n->addr == MONOUT_PC_LIMIT));
}

/* Where a pseudo address puts its node. */
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

/* Is every one of the functions where threads start? */
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
 * Between the program's _start and its main, the C library: then what it calls
 * in the program is main, or a constructor, though it has no name.  But not
 * what exit() calls.  Returns the state after calls, or CHAINS_PAST.
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
 * Set the node's state, and return below which frame its own go.  *n, how many
 * functions there are, becomes less when main leaves some outside.
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

static int
chains_node(struct chains *c, size_t i)
{
	const struct mon_node *n = &c->mon->nodes[i];
	struct chains_node *node = &c->nodes[i];
	const struct funcs_call *calls;
	size_t k, j;
	uint32_t at;

	if (chains_is_pseudo(n)) {
		chains_pseudo(c, n, node);
		return 0;
	}
	k = funcs_find(c->funcs, n->module, n->addr, &calls);
	if (!k)
		return -1;
	/* The innermost decides. */
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
	while (k-- && at != STAGES_NONE) {
		node->filter |= (uint8_t)calls[k].filter;
		at = chains_call(c, at, &calls[k], n->addr);
	}
	node->leaf = at;
	return at == STAGES_NONE ? -1 : 0;
}

/* Make frames of all nodes that sites have, with the way to each known. */
static int
chains_collapse(struct chains *c)
{
	struct collapse *way = c->collapse;
	uint32_t i = 0;

	if (collapse_init(way, c->mon))
		return -1;
	while ((i = collapse_next(way, i))) {
		collapse_enter(way, i);
		if (c->nodes[i].used && chains_node(c, i))
			return -1;
		collapse_leave(way, i);
	}
	return 0;
}

/* The same, however it is to be done.  Parents come before children. */
static int
chains_nodes(struct chains *c)
{
	const struct mon *m = c->mon;
	size_t i;

	for (i = 0; i < m->nsites; i++)
		c->nodes[m->sites[i].node].used = true;
	for (i = m->nnodes; i-- > 1;)
		c->nodes[m->nodes[i].parent].used |= c->nodes[i].used;
	c->nodes[0].leaf = PROFILE_START_STOPPED;
	progress_start(&c->p->priv->progress, "looking up functions", NULL);
	if (c->collapse)
		return chains_collapse(c);
	for (i = 1; i < m->nnodes; i++) {
		progress_at(&c->p->priv->progress, i, m->nnodes);
		if (c->nodes[i].used && chains_node(c, i))
			return -1;
	}
	return 0;
}

/*
 * The frame, or the next one outwards that isn't a wrapper's: nor of a function
 * without a name that a wrapper of the same module called, which does the
 * wrapper's work in a stripped file.
 */
static uint32_t
chains_skip(const struct chains *c, uint32_t frame)
{
	const struct funcs_detail *d = c->funcs->detail;
	const struct chains_frame *f = c->frames;
	uint32_t i = frame, up, nameless = 0;

	for (; i >= CHAINS_ROOTS && f[i].parent >= CHAINS_ROOTS; i = up) {
		up = f[i].parent;
		if (funcs_is_wrapper(c->funcs, f[i].func)) {
			frame = up;
			nameless = 0;
		} else if (d[f[i].func].known ||
			   d[f[i].func].module != d[f[up].func].module ||
			   nameless++ == CHAINS_NAMELESS) {
			break;
		}
	}
	return frame;
}

/* Leave the sites that pass the filter. */
static int
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
	return filter_drop(f->filter) || filter_cells(f->filter) ? -1 : 0;
}

/* Number the frames that the sites need; returns how many. */
static size_t
chains_number(struct chains *c)
{
	struct chains_frame *f = c->frames;
	size_t i, n = 0;
	uint32_t leaf;

	for (i = 0; i < c->mon->nsites; i++) {
		leaf = chains_skip(c, c->nodes[c->mon->sites[i].node].leaf);
		if (leaf >= CHAINS_ROOTS)
			f[leaf].number = 0;
	}
	for (i = c->nframes; i-- > CHAINS_ROOTS;) {
		if (f[i].number != STAGES_NONE)
			f[f[i].parent].number = 0;
	}
	for (i = CHAINS_ROOTS; i < c->nframes; i++) {
		if (f[i].number != STAGES_NONE)
			f[i].number = (uint32_t)n++;
	}
	return n;
}

/* Copy the functions of used frames; map gets their new numbers. */
static int
chains_funcs(struct chains *c, uint32_t *map, bool *used)
{
	struct profile *p = c->p;
	struct arena *a = &p->priv->arena;
	struct funcs *all = c->funcs;
	size_t i, n = 0;

	for (i = 0; i < all->n; i++)
		map[i] = STAGES_NONE;
	for (i = CHAINS_ROOTS; i < c->nframes; i++) {
		if (c->frames[i].number != STAGES_NONE &&
		    map[c->frames[i].func] == STAGES_NONE)
			map[c->frames[i].func] = (uint32_t)n++;
	}
	p->nfuncs = n;
	p->priv->funcs = arena_array(a, n, sizeof(struct func));
	p->funcs = arena_array(a, n, sizeof(struct func *));
	if (!p->priv->funcs || !p->funcs)
		return -1;
	for (i = 0; i < n; i++)
		p->funcs[i] = &p->priv->funcs[i];
	for (i = 0; i < all->n; i++) {
		if (map[i] == STAGES_NONE)
			continue;
		p->priv->funcs[map[i]] = all->list[i];
		used[all->detail[i].module] = true;
	}
	return 0;
}

static int
chains_frames(struct chains *c, size_t n, const uint32_t *map)
{
	struct profile_priv *priv = c->p->priv;
	const struct chains_frame *f;
	struct frame *to;
	size_t i;

	priv->nframes = n;
	priv->frames = arena_array(&priv->arena, n, sizeof(struct frame));
	if (!priv->frames)
		return -1;
	for (i = CHAINS_ROOTS; i < c->nframes; i++) {
		f = &c->frames[i];
		if (f->number == STAGES_NONE)
			continue;
		to = &priv->frames[f->number];
		to->func = &priv->funcs[map[f->func]];
		to->site = f->site;
		to->file = f->file;
		to->line = f->line;
		to->addr = f->addr;
		to->inlined = f->inlined;
		to->depth = 1;
		to->start = f->parent;
		if (f->parent < CHAINS_ROOTS)
			continue;
		to->parent = &priv->frames[c->frames[f->parent].number];
		to->depth = to->parent->depth + 1;
		to->start = to->parent->start;
	}
	return 0;
}

/* Add a site to the one of its slot. */
static int
chains_site(struct chains *c, const struct mon_site *from, struct site *s)
{
	struct life *life = (struct life *)s->life;
	struct leak *leak = (struct leak *)s->leak;
	const struct chains_node *node = &c->nodes[from->node];
	struct counts count = from->count;

	lisp_classes(c->mon, from, &count);
	/* Where some of several files have no lives, none are known. */
	if (leaks_add(c->p, c->mon, from, node->suppress, node->runtime, &leak,
		      &count) ||
	    (c->mon->lives_known &&
	     life_take(&c->mon->lives, from->life, &c->p->priv->arena, &life)))
		return -1;
	counts_add(&s->count, &count);
	if (node->limited)
		counts_add(&c->p->limited, &count);
	s->reallocs += from->reallocs;
	s->peak_blocks += from->peak_blocks;
	s->life = life;
	s->leak = leak;
	return 0;
}

/* One site for each frame that is the leaf of some, and one for no frame. */
static int
chains_sites(struct chains *c, size_t nframes)
{
	struct profile *p = c->p;
	const struct mon *m = c->mon;
	uint32_t *at = malloc((nframes + 1) * sizeof(*at)), leaf;
	struct site *s;
	size_t i, slot;
	int status = 0;

	p->sites = arena_array(&p->priv->arena, m->nsites, sizeof(*s));
	p->priv->site_of = arena_array(&p->priv->arena, m->nsites,
				       sizeof(*p->priv->site_of));
	if (!at || !p->sites || !p->priv->site_of) {
		free(at);
		return -1;
	}
	memset(at, 0xff, (nframes + 1) * sizeof(*at));
	p->limited = (struct counts){ 0 };
	for (i = 0; i < m->nsites && !status; i++) {
		leaf = chains_skip(c, c->nodes[m->sites[i].node].leaf);
		slot = leaf < CHAINS_ROOTS ? nframes : c->frames[leaf].number;
		if (at[slot] == STAGES_NONE)
			at[slot] = (uint32_t)p->nsites++;
		s = &p->sites[at[slot]];
		if (slot < nframes)
			s->leaf = &p->priv->frames[slot];
		p->priv->site_of[i] = at[slot];
		status = chains_site(c, &m->sites[i], s);
	}
	free(at);
	return status;
}

static int
chains_finish(struct chains *c, bool *used)
{
	uint32_t *map = malloc((c->funcs->n + 1) * sizeof(*map));
	size_t n = chains_number(c);
	int status = -1;

	if (map && !chains_funcs(c, map, used) && !chains_frames(c, n, map))
		status = chains_sites(c, n);
	free(map);
	return status;
}

int
chains_build(struct profile *p, struct funcs *f, const bool **used)
{
	struct chains c = { .p = p, .funcs = f, .mon = f->mon };
	struct collapse way = { 0 };
	bool *modules = arena_alloc(&p->priv->arena, f->mon->nmodules + 1);
	int status = -1;

	c.nodes = calloc(f->mon->nnodes + 1, sizeof(*c.nodes));
	c.frames = array_grow(NULL, &c.frame_room, CHAINS_ROOTS,
			      sizeof(*c.frames));
	if (f->filter && f->filter->what->collapse)
		c.collapse = &way;
	if (modules && c.nodes && c.frames) {
		memset(c.frames, 0, CHAINS_ROOTS * sizeof(*c.frames));
		c.nframes = CHAINS_ROOTS;
		status = chains_nodes(&c);
	}
	if (!status && f->filter && !f->filtered)
		status = chains_filter(&c);
	if (!status)
		status = chains_finish(&c, modules);
	*used = modules;
	free(c.nodes);
	free(c.frames);
	hash_fini(&c.hash);
	collapse_fini(&way);
	return status;
}
