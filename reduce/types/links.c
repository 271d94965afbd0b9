/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The heap as a graph, with the names of variables and members. */
#include "reduce/types/links.h"
#include "reduce/base/clean.h"
#include "reduce/base/guard.h"
#include "reduce/base/sort.h"
#include "reduce/base/str.h"
#include "reduce/binaries/debugfile.h"
#include "reduce/symbols/symbols_name.h"
#include "reduce/types/links_parts.h"

#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>

_Static_assert((int)ROOT_NKIND == (int)MONOUT_NROOT && LINK_FAR == MONOUT_FAR &&
		       LINK_UNKNOWN == MONOUT_UNKNOWN,
	       "links");

/* Longer names are shortened. */
#define NAME_LENGTH 512

/* A root, with its key in the file. */
struct links_root {
	uint64_t root, module, addr, thread; /* as in a struct mon_link */
	struct root of;
	size_t place; /* index among p's roots */
};

struct links_work {
	struct profile *p;
	const struct mon *m;
	const struct exe *exe;
	struct links_root *root; /* sorted, each once */
	size_t nroots;
	struct links_root *named; /* the roots of one module */
	size_t nnamed;
	struct links_members of; /* for names of members */
	/* By site: 1 + the number of the file's site whose path it shows; and
	 * how many of the file's sites it is. */
	uint32_t *best, *parts;
	bool members; /* names of members, and places of variables, are asked
		       * for */
	bool several; /* several runs: numbered rows aren't of one graph */
};

/* --------------------------------------------------------------- roots -- */

SORT_BY(links_root_compare, struct links_root,
	SORT_UP(root) SORT_UP(module) SORT_UP(addr) SORT_UP(thread))

SORT_BY(links_most, struct links_root,
	SORT_DOWN(of.bytes) SORT_DOWN(of.blocks) SORT_UP(root) SORT_UP(module)
		SORT_UP(addr) SORT_UP(thread))

static void
links_root_add(struct links_root *to, const struct links_root *x)
{
	to->of.bytes += x->of.bytes;
	to->of.blocks += x->of.blocks;
}

/* A stack is one root: module and addr are of a place on it. */
static struct links_root
links_root_key(const struct mon_link *x)
{
	bool stack = x->root == MONOUT_ROOT_STACK + 1;

	return (struct links_root){ .root = x->root,
				    .module = stack ? 0 : x->module,
				    .addr = stack ? 0 : x->addr,
				    .thread = x->thread };
}

/* Collect the roots of all links. */
static void
links_roots(struct links_work *w)
{
	const struct mon_link *x;
	struct links_root *r;
	bool own;

	w->root = heap_array(w->m->nlinks + 1, sizeof(*w->root));
	for (size_t i = 0; i < w->m->nlinks; i++) {
		x = &w->m->links[i];
		if (!x->root)
			continue;
		own = x->what == MONOUT_LINK_ROOT;
		r = &w->root[w->nroots++];
		*r = links_root_key(x);
		r->of.kind = (enum root_kind)(x->root - 1);
		r->of.size = x->size;
		r->of.blocks = own ? x->blocks : 0;
		r->of.bytes = own ? x->bytes : 0;
	}
	SORT_ONCE(w->root, w->nroots, links_root_compare, links_root_add);
}

/* Give the symbol's name to the variables that it covers. */
static int
links_symbol(void *arg, const GElf_Sym *sym, const char *name)
{
	struct links_work *w = arg;
	char *text;
	size_t i;

	if (!sym->st_size || sym->st_shndx == SHN_UNDEF ||
	    GELF_ST_TYPE(sym->st_info) != STT_OBJECT)
		return 0;
	i = SORT_PLACE(k, w->nnamed, w->named[k].addr < sym->st_value);
	for (; i < w->nnamed && w->named[i].addr - sym->st_value < sym->st_size;
	     i++) {
		if (w->named[i].of.name)
			continue;
		text = symbols_demangle(name);
		w->named[i].of.name =
			clean_name(&w->p->priv->arena, text ? text : name);
		free(text);
	}
	return 0;
}

/* Find the source lines of variables with a name and blocks. */
static void
links_defined(struct links_work *w, Dwarf *dwarf)
{
	struct links_place *v = heap_array(w->nnamed, sizeof(*v));
	size_t n = 0;

	for (size_t i = 0; i < w->nnamed; i++)
		if (w->named[i].of.name && w->named[i].of.blocks)
			v[n++] = (struct links_place){ w->named[i].addr,
						       &w->named[i].of };
	links_places(&w->p->priv->arena, dwarf, v, n);
	free(v);
}

static int
links_symbols(struct debugfile *d, void *arg)
{
	struct links_work *w = arg;
	int status = elffile_symbols(d->elf, SHT_NULL, links_symbol, w);

	if (!status)
		status = elffile_symbols(d->debug, SHT_NULL, links_symbol, w);
	if (!status && w->members && d->dwarf)
		links_defined(w, d->dwarf);
	return status;
}

/* Set the names of variables, module by module. */
static void
links_variables(struct links_work *w)
{
	for (size_t i = 0; i < w->nroots; i += w->nnamed) {
		w->named = w->root + i;
		for (w->nnamed = 1;
		     i + w->nnamed < w->nroots &&
		     w->named[w->nnamed].root == w->named->root &&
		     w->named[w->nnamed].module == w->named->module;)
			w->nnamed++;
		if (w->named->of.kind == ROOT_DATA && w->named->module &&
		    exe_has_file(w->exe, w->m, (uint32_t)w->named->module))
			/* A file that can't be read gives no names. */
			(void)exe_read(w->exe, w->m, (uint32_t)w->named->module,
				       links_symbols, w);
	}
}

/* The name of a root that isn't a variable with a name. */
static const char *
links_call(struct links_work *w, const struct links_root *r)
{
	const struct mon_module *o = &w->m->modules[r->module];
	unsigned long long n = r->thread;
	char text[NAME_LENGTH];

	switch (r->of.kind) {
	case ROOT_DATA:
		snprintf(text, sizeof(text), "[%.200s+0x%llx]",
			 r->module && o->path ? str_basename(o->path) : "?",
			 (unsigned long long)r->addr);
		break;
	case ROOT_STACK:
		snprintf(text, sizeof(text),
			 mon_is_sum(w->m) || n != w->m->run[MONOUT_R_PID].number
				 ? "stack of thread %llu"
				 : "stack of the first thread",
			 n);
		break;
	case ROOT_STORAGE:
		snprintf(text, sizeof(text),
			 mon_is_sum(w->m) || n != w->m->run[MONOUT_R_PID].number
				 ? "thread-local storage of thread %llu"
				 : "thread-local storage of the first thread",
			 n);
		break;
	case ROOT_MAPPED:
		snprintf(text, sizeof(text), "memory mapped at 0x%llx",
			 (unsigned long long)r->addr);
		break;
	default:
		snprintf(text, sizeof(text), "unrecorded or kept blocks");
	}
	return clean_name(&w->p->priv->arena, text);
}

static const char *const links_kinds[ROOT_NKIND] = { "variable", "stack",
						     "thread storage",
						     "mapping", "other" };

static void
links_name_roots(struct links_work *w)
{
	struct links *l = &w->p->links;
	struct links_root *r;

	links_variables(w);
	SORT(w->root, w->nroots, links_most);
	l->roots = arena_array(&w->p->priv->arena, w->nroots + 1,
			       sizeof(*l->roots));
	for (size_t i = 0; i < w->nroots; i++) {
		r = &w->root[i];
		if (!r->of.name)
			r->of.name = links_call(w, r);
		r->of.kind_name = links_kinds[r->of.kind];
		l->roots[i] = r->of;
		r->place = i;
	}
	l->nroots = w->nroots;
	SORT(w->root, w->nroots, links_root_compare);
}

static const struct root *
links_root_of(const struct links_work *w, const struct mon_link *x)
{
	const struct links_root key = links_root_key(x);
	size_t i;

	if (!x->root)
		return NULL;
	i = SORT_PLACE(k, w->nroots, links_root_compare(&w->root[k], &key) < 0);
	return &w->p->links.roots[w->root[i].place];
}

/* ----------------------------------------------------------------- all -- */

/* Add up the file's sites that became one.  w->parts: how many. */
static void
links_retained_read(struct links_work *w)
{
	for (size_t i = 0; i < w->m->nlinks; i++) {
		const struct mon_link *x = &w->m->links[i];
		uint32_t site = w->p->priv->site_of[x->site];
		struct retained *to = &w->p->links.retained[site];

		if (x->what != MONOUT_LINK_RETAINS)
			continue;
		if (!w->parts[site]++ || x->most > to->most) {
			w->best[site] = x->site + 1;
			to->most = x->most;
		}
		to->count += x->count;
		to->blocks += x->blocks;
		to->bytes += x->bytes;
	}
}

/* Joined sites may retain each other's blocks: take the sums from the tree. */
static void
links_retained_join(struct links_work *w, size_t *key, struct retained *all)
{
	struct links *l = &w->p->links;

	for (size_t i = 0; i < l->nretained; i++)
		key[i] = i;
	links_sum(l, key, all);
	for (size_t i = 0; i < l->nretained; i++)
		if (w->parts[i] > 1) {
			l->retained[i].count = 0;
			l->retained[i].blocks = all[i].blocks;
			l->retained[i].bytes = all[i].bytes;
		}
}

static void
links_retained(struct links_work *w)
{
	struct links *l = &w->p->links;
	size_t n = w->p->nsites + 1;
	size_t *key = heap_array(n, sizeof(*key));
	struct retained *all = heap_array(n, sizeof(*all));

	w->best = heap_array(n, sizeof(*w->best));
	w->parts = heap_array(n, sizeof(*w->parts));
	l->retained = arena_array(&w->p->priv->arena, n, sizeof(*l->retained));
	l->nretained = n - 1;
	links_retained_read(w);
	links_retained_join(w, key, all);
	free(key);
	free(all);
}

SORT_BY(links_edge_compare, struct edge,
	SORT_DOWN(bytes) SORT_DOWN(pointers) SORT_UP(holder) SORT_UP(held)
		SORT_UP(offset))
SORT_BY(links_step_compare, struct step, SORT_UP(site) SORT_UP(n))

static void
links_edges(struct links_work *w)
{
	struct links *l = &w->p->links;
	const uint32_t *to = w->p->priv->site_of;
	const char *member;

	l->edges = arena_array(&w->p->priv->arena, w->m->nlinks + 1,
			       sizeof(*l->edges));
	l->steps = arena_array(&w->p->priv->arena, w->m->nlinks + 1,
			       sizeof(*l->steps));
	for (size_t i = 0; i < w->m->nlinks; i++) {
		const struct mon_link *x = &w->m->links[i];
		const struct root *r = links_root_of(w, x);

		if (x->what != MONOUT_LINK_EDGE &&
		    (x->what != MONOUT_LINK_STEP || w->several ||
		     w->best[to[x->site]] != x->site + 1))
			continue;
		member = !r ? links_member(&w->of, &w->p->sites[to[x->holder]],
					   x->offset)
			 : r->kind == ROOT_STACK
				 ? links_frame(w->p, x->module, x->addr,
					       x->offset)
				 : "";
		if (x->what == MONOUT_LINK_EDGE)
			l->edges[l->nedges++] =
				(struct edge){ r,	    to[x->holder],
					       to[x->site], (uint32_t)x->offset,
					       member,	    x->count,
					       x->blocks,   x->bytes };
		else
			l->steps[l->nsteps++] = (struct step){
				to[x->site], (uint32_t)x->step, r,
				to[x->holder], (uint32_t)x->offset, member
			};
	}
	SORT(l->edges, l->nedges, links_edge_compare);
	SORT(l->steps, l->nsteps, links_step_compare);
}

SORT_BY(links_ring_compare, struct ring,
	SORT_DOWN(bytes) SORT_DOWN(blocks) SORT_DOWN(count))

static void
links_holdings(struct links_work *w)
{
	const struct root **of = heap_array(w->m->nlinks + 1, sizeof(*of));

	for (size_t i = 0; i < w->m->nlinks; i++)
		if (w->m->links[i].what == MONOUT_LINK_TREE)
			of[i] = links_root_of(w, &w->m->links[i]);
	links_tree(w->p, w->m->links, w->m->nlinks, of);
	free(of);
}

/* The links are sorted, so that steps of a ring follow each other. */
static void
links_rings(struct links_work *w)
{
	struct links *l = &w->p->links;
	struct arena *a = &w->p->priv->arena;
	struct ring *r = NULL;
	const uint32_t *to = w->p->priv->site_of;

	l->rings = arena_array(a, w->m->nlinks + 1, sizeof(*l->rings));
	for (size_t i = 0; i < w->m->nlinks; i++) {
		const struct mon_link *x = &w->m->links[i];
		uint32_t holder = to[x->holder];
		const char *member;

		if (x->what != MONOUT_LINK_RING)
			continue;
		if (x->step % MONOUT_RING == 0) {
			r = &l->rings[l->nrings++];
			*r = (struct ring){ .count = x->count,
					    .blocks = x->blocks,
					    .bytes = x->bytes,
					    .length = x->most };
			r->step = arena_array(a, RING_MOST, sizeof(*r->step));
		}
		member = links_member(&w->of, &w->p->sites[holder], x->offset);
		if (r && r->n < RING_MOST)
			r->step[r->n++] =
				(struct step){ .holder = holder,
					       .offset = (uint32_t)x->offset,
					       .member = member };
	}
	SORT(l->rings, l->nrings, links_ring_compare);
}

void
links_make(struct profile *p, const struct mon *m, const struct exe *x,
	   bool members)
{
	struct links_work w = { .p = p,
				.m = m,
				.exe = x,
				.of = { .p = p, .m = m },
				.members = members,
				.several = mon_is_sum(m) };
	const struct mon_value *why = &m->run[MONOUT_R_GRAPH_WHY];

	p->links.pointers = m->run[MONOUT_R_GRAPH_POINTERS].number;
	p->links.beyond = m->run[MONOUT_R_GRAPH_BEYOND].number;
	p->links.roots_left = m->run[MONOUT_R_GRAPH_ROOTS_LEFT].number;
	p->links.rings_left = m->run[MONOUT_R_GRAPH_RINGS_LEFT].number;
	p->links.bytes = m->run[MONOUT_R_GRAPH_BYTES].number;
	p->links.at = m->run[MONOUT_R_GRAPH_AT].number;
	p->links.used = m->run[MONOUT_R_GRAPH_USED].number && !w.several;
	if (why->set)
		p->links.why = why->text;
	if (m->nlinks) {
		links_roots(&w);
		links_name_roots(&w);
		if (members)
			links_members_find(&w.of);
		if (!w.several)
			links_holdings(&w);
		links_retained(&w);
		links_edges(&w);
		if (!w.several)
			links_rings(&w);
	}
	free(w.root);
	free(w.of.types);
	free(w.best);
	free(w.parts);
}
