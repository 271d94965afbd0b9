/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Turn the tree of frames into the profile: its sites with their frames and
 * functions, then the frames that only mappings need, which have no counts.
 */
#include "reduce/callgraph/chains_parts.h"
#include "reduce/callgraph/leaks.h"
#include "reduce/callgraph/lisp.h"
#include "reduce/model/life.h"
#include "reduce/model/runs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * The most functions without a name in a row that count as part of a wrapper.
 */
enum { CHAINS_NAMELESS = 4 };

uint32_t
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

/*
 * The innermost frame of a node's call path.  A number below CHAINS_ROOTS means
 * no frame.
 */
static uint32_t
chains_profile_leaf_of(const struct chains *c, uint32_t node)
{
	return chains_skip(c, c->nodes[node].leaf);
}

enum { CHAINS_WANTED = STAGES_NONE - 1 };

/*
 * Mark the innermost frame of the node's call path and its callers as wanted if
 * they have no number yet.
 */
static void
want(void *arg, uint32_t node)
{
	struct chains *c = arg;
	struct chains_frame *f = c->frames;
	uint32_t frame = chains_profile_leaf_of(c, node);

	for (; frame >= CHAINS_ROOTS && f[frame].number == STAGES_NONE;
	     frame = f[frame].parent)
		f[frame].number = CHAINS_WANTED;
}

static void
number_wanted(struct chains *c, size_t *n)
{
	for (size_t i = CHAINS_ROOTS; i < c->nframes; i++)
		if (c->frames[i].number == CHAINS_WANTED)
			c->frames[i].number = (uint32_t)(*n)++;
}

/*
 * Number the frames that the sites need.  Returns how many there are.  *all
 * also counts the frames that only other tables need.
 */
static size_t
chains_number(struct chains *c, size_t *all)
{
	size_t n = 0;

	for (size_t i = 0; i < c->mon->nsites; i++)
		want(c, c->mon->sites[i].node);
	number_wanted(c, &n);
	*all = n;
	mon_each_node(c->mon, want, c);
	number_wanted(c, all);
	return n;
}

/* Number the functions of frames with numbers in [from, end). */
static void
number_funcs(struct chains *c, size_t from, size_t end, uint32_t *map,
	     size_t *n)
{
	const struct chains_frame *f = c->frames;

	for (size_t i = CHAINS_ROOTS; i < c->nframes; i++)
		if (f[i].number >= from && f[i].number < end &&
		    map[f[i].func] == STAGES_NONE)
			map[f[i].func] = (uint32_t)(*n)++;
}

/*
 * Copy the functions of the frames that sites need, then the other functions;
 * map gets their new numbers.
 */
static void
chains_funcs(struct chains *c, size_t frames, size_t all_frames, uint32_t *map,
	     bool *used)
{
	struct profile *p = c->p;
	struct arena *a = &p->priv->arena;
	struct funcs *all = c->funcs;
	size_t i, n = 0;

	for (i = 0; i < all->n; i++)
		map[i] = STAGES_NONE;
	number_funcs(c, 0, frames, map, &n);
	p->nfuncs = n;
	number_funcs(c, frames, all_frames, map, &n);
	p->priv->all_funcs = n;
	p->priv->funcs = arena_array(a, n, sizeof(struct func));
	p->funcs = arena_array(a, p->nfuncs, sizeof(struct func *));
	for (i = 0; i < p->nfuncs; i++)
		p->funcs[i] = &p->priv->funcs[i];
	for (i = 0; i < all->n; i++) {
		if (map[i] == STAGES_NONE)
			continue;
		p->priv->funcs[map[i]] = all->list[i];
		used[all->detail[i].module] = true;
	}
}

static void
chains_frames(struct chains *c, size_t n, size_t all, const uint32_t *map)
{
	struct profile_priv *priv = c->p->priv;
	const struct chains_frame *f;
	struct frame *to;
	size_t i;

	priv->nframes = n;
	priv->all_frames = all;
	priv->frames = arena_array(&priv->arena, all, sizeof(struct frame));
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
}

/* Add a site of the file to the site s, which has the same innermost frame. */
static void
chains_site(struct chains *c, const struct mon_site *from, struct site *s)
{
	struct life *life = (struct life *)s->life;
	struct leak *leak = (struct leak *)s->leak;
	const struct chains_node *node = &c->nodes[from->node];
	struct counts count = from->count;

	lisp_classes(c->mon, from, &count);
	/*
	 * If several files are merged and one of them has no lives, no lives
	 * are known.
	 */
	leaks_add(c->p, c->mon, from, node->suppress, node->runtime, &leak,
		  &count);
	if (c->mon->lives_known)
		life_take(&c->mon->lives, from->life, &c->p->priv->arena,
			  &life);
	counts_add(&s->count, &count);
	if (node->limited)
		counts_add(&c->p->limited, &count);
	s->reallocs += from->reallocs;
	s->peak_blocks += from->peak_blocks;
	s->life = life;
	s->leak = leak;
}

/* Make one site for each innermost frame, and one site for "no frame". */
static void
chains_sites(struct chains *c, size_t nframes)
{
	struct profile *p = c->p;
	const struct mon *m = c->mon;
	uint32_t *at = heap_new((nframes + 1) * sizeof(*at)), leaf;
	struct site *s;
	size_t i, slot;

	p->sites = arena_array(&p->priv->arena, m->nsites, sizeof(*s));
	p->priv->site_of = arena_array(&p->priv->arena, m->nsites,
				       sizeof(*p->priv->site_of));
	memset(at, 0xff, (nframes + 1) * sizeof(*at));
	p->limited = (struct counts){ 0 };
	for (i = 0; i < m->nsites; i++) {
		leaf = chains_profile_leaf_of(c, m->sites[i].node);
		slot = leaf < CHAINS_ROOTS ? nframes : c->frames[leaf].number;
		if (at[slot] == STAGES_NONE)
			at[slot] = (uint32_t)p->nsites++;
		s = &p->sites[at[slot]];
		if (slot < nframes)
			s->leaf = &p->priv->frames[slot];
		p->priv->site_of[i] = at[slot];
		chains_site(c, &m->sites[i], s);
	}
	free(at);
}

/* Add the items of FIGURES to the lives of their sites. */
static void
chains_figures(struct chains *c)
{
	struct profile *p = c->p;
	const struct mon *m = c->mon;
	struct site *s;
	struct life x, *life;

	for (size_t i = 0; m->lives_known && i < m->nfigures; i++) {
		const struct mon_figure *f = &m->figures[i];

		s = &p->sites[p->priv->site_of[f->site]];
		life = (struct life *)s->life;
		if (!life)
			life = arena_alloc(&p->priv->arena, sizeof(*life));
		if (!s->life)
			*life = (struct life){ 0 };
		x = (struct life){ .figure = { 0 } };
		x.figure[f->what] = f->n;
		x.var[f->what] = f->variance == UINT64_MAX
					 ? INFINITY
					 : (double)f->variance;
		life_add(life, &x);
		s->life = life;
	}
}

/* The kinds in words. */
static const char *
kind_of(struct arena *a, uint64_t kinds)
{
	char text[64] = "";
	size_t n = 0;

#define X(bit, name) \
	if (kinds & (bit)) \
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s", \
				      n ? ", " : "", name);
	MAPPING_KINDS(X)
#undef X
	return arena_copy(a, text, n);
}

/* Merge the mappings of each call path, as with sites. */
static void
chains_mappings(struct chains *c, size_t nframes)
{
	struct profile *p = c->p;
	const struct mon *m = c->mon;
	uint32_t *at = heap_new((nframes + 1) * sizeof(*at)), leaf;
	struct site *site =
		arena_array(&p->priv->arena, m->nmappings, sizeof(*site));
	size_t slot;

	p->mappings = arena_array(&p->priv->arena, m->nmappings,
				  sizeof(*p->mappings));
	memset(at, 0xff, (nframes + 1) * sizeof(*at));
	for (size_t i = 0; i < m->nmappings; i++) {
		const struct mon_mapping *x = &m->mappings[i];
		struct mapping *to;

		leaf = chains_profile_leaf_of(c, x->node);
		slot = leaf < CHAINS_ROOTS ? nframes : c->frames[leaf].number;
		if (at[slot] == STAGES_NONE)
			at[slot] = (uint32_t)p->nmappings++;
		to = &p->mappings[at[slot]];
		to->site = &site[at[slot]];
		if (slot < nframes)
			site[at[slot]].leaf = &p->priv->frames[slot];
		mapping_add(to, &(struct mapping){ .kinds = x->kinds,
						   .maps = x->maps,
						   .bytes = x->bytes,
						   .live = x->live,
						   .most = x->most,
						   .resident = x->resident,
						   .ended = x->ended,
						   .life = x->life });
	}
	free(at);
	for (size_t i = 0; i < p->nmappings; i++) {
		p->mappings[i].kind =
			kind_of(&p->priv->arena, p->mappings[i].kinds);
	}
}

void
chains_finish(struct chains *c, bool *used)
{
	uint32_t *map = heap_new((c->funcs->n + 1) * sizeof(*map));
	size_t all, n = chains_number(c, &all);

	chains_funcs(c, n, all, map, used);
	chains_frames(c, n, all, map);
	chains_mappings(c, all);
	chains_sites(c, n);
	chains_figures(c);
	chains_endings(c);
	free(map);
}
