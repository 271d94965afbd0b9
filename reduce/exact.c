/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact types, from the calls in the sites' chains. */
#include "reduce/exact.h"
#include "reduce/calltypes.h"
#include "reduce/counts.h"
#include "reduce/funcs.h"
#include "reduce/guard.h"
#include "reduce/use.h"

#include <stdlib.h>
#include <string.h>

/* Of a node: not looked at. */
#define EXACT_UNSEEN (UINT32_MAX - 1)

struct exact_module {
	bool read;
	struct calltypes calls;
};

struct exact_search {
	struct exact *e;
	struct arena *arena;
	const struct mon *mon;
	const struct exe *exe;
	struct symbols_pool pool; /* names of calls */
	struct exact_module *modules;
	struct hash types;
	uint32_t *of_node; /* place in types, EXACT_NONE or _UNSEEN */
};

/* ----------------------------------------------------------- the search -- */

/* A file whose calls are wanted. */
struct exact_file {
	struct exact_search *s;
	const struct mon_module *module;
	const char *path;
	struct calltypes *to;
};

static int
exact_read(void *arg)
{
	const struct exact_file *w = arg;
	const struct mon_module *o = w->module;
	struct debugfile f;
	int status = 0;

	if (debugfile_open(&f, w->s->exe->places, w->path, o->id, o->idlen) ==
	    DEBUGFILE_FINE)
		status = calltypes_read(w->to, &w->s->pool, &f);
	debugfile_close(&f);
	return status;
}

/* The calls of a module; NULL when out of memory. */
static const struct calltypes *
exact_calls(struct exact_search *s, uint32_t module)
{
	const struct mon_module *o = &s->mon->modules[module];
	struct exact_module *m = &s->modules[module];
	const char *path = s->exe->paths[module];
	struct exact_file file = { s, o, path, &m->calls };
	int status;

	if (m->read)
		return &m->calls;
	m->read = true;
	/* No file was recorded for those that aren't paths. */
	if (module == s->exe->other || (*o->path != '/' && path == o->path) ||
	    funcs_is_system(path))
		return &m->calls;
	status = guard_run(path, exact_read, &file);
	if (status == GUARD_FAULT)
		m->calls = (struct calltypes){ 0 };
	return status && status != GUARD_FAULT ? NULL : &m->calls;
}

/* Find or add a type.  Returns its place, or EXACT_UNSEEN: out of memory. */
static uint32_t
exact_type(struct exact_search *s, const struct calltype *c, uint32_t module)
{
	struct exact *e = s->e;
	uint32_t n;

	if (e->n >= EXACT_UNSEEN || symbols_grow(&e->types, &e->room, e->n) < 0)
		return EXACT_UNSEEN;
	n = hash_intern(&s->types, (uintptr_t)c->name, c->size, 0,
			(uint32_t)e->n);
	if (n == HASH_NONE)
		return EXACT_UNSEEN;
	if (n < e->n)
		return n;
	e->types[n] = (struct exact_type){
		.name = arena_copy(s->arena, c->name, strlen(c->name)),
		.size = c->size,
		.module = module,
	};
	if (!e->types[n].name)
		return EXACT_UNSEEN;
	e->n++;
	return n;
}

/*
 * What one call tells: a type, EXACT_NONE that none is known, or EXACT_UNSEEN
 * that its caller knows.  0, or -1 when out of memory.
 */
static int
exact_call(struct exact_search *s, const struct mon_node *n, uint32_t *type)
{
	const struct calltypes *calls;
	const struct calltype *c;

	*type = EXACT_NONE;
	if (!n->module)
		return 0;
	calls = exact_calls(s, n->module);
	if (!calls)
		return -1;
	c = calltypes_find(calls, n->addr);
	if (!c)
		return 0;
	*type = EXACT_UNSEEN;
	if (!c->name)
		return 0;
	*type = exact_type(s, c, n->module);
	return *type == EXACT_UNSEEN ? -1 : 0;
}

/* The type of what is allocated in a chain.  Each node is looked at once. */
static int
exact_chain(struct exact_search *s, uint32_t node, uint32_t *type)
{
	const struct mon_node *nodes = s->mon->nodes;
	uint32_t i;

	*type = EXACT_NONE;
	for (i = node; i; i = nodes[i].parent) {
		*type = s->of_node[i];
		if (*type == EXACT_UNSEEN && exact_call(s, &nodes[i], type))
			return -1;
		if (*type != EXACT_UNSEEN)
			break;
	}
	if (*type == EXACT_UNSEEN)
		*type = EXACT_NONE;
	if (i)
		s->of_node[i] = *type;
	for (; node != i; node = nodes[node].parent)
		s->of_node[node] = *type;
	return 0;
}

static int
exact_search(struct exact_search *s)
{
	const struct mon *m = s->mon;
	size_t i;

	s->modules = calloc(m->nmodules + 1, sizeof(*s->modules));
	s->of_node = malloc((m->nnodes + 1) * sizeof(*s->of_node));
	s->e->of_site = malloc((m->nsites + 1) * sizeof(*s->e->of_site));
	if (!s->modules || !s->of_node || !s->e->of_site)
		return -1;
	for (i = 0; i < m->nnodes; i++)
		s->of_node[i] = EXACT_UNSEEN;
	for (i = 0; i < m->nsites; i++) {
		if (exact_chain(s, m->sites[i].node, &s->e->of_site[i]))
			return -1;
	}
	return 0;
}

int
exact_find(struct exact *e, struct arena *a, const struct mon *m,
	   const struct exe *x)
{
	struct exact_search s = { .e = e, .arena = a, .mon = m, .exe = x };
	int status;
	size_t i;

	*e = (struct exact){ 0 };
	status = exact_search(&s);
	for (i = 0; s.modules && i < m->nmodules; i++)
		calltypes_fini(&s.modules[i].calls);
	symbols_pool_fini(&s.pool);
	hash_fini(&s.types);
	free(s.modules);
	free(s.of_node);
	return status;
}

void
exact_fini(struct exact *e)
{
	free(e->types);
	free(e->of_site);
	*e = (struct exact){ 0 };
}

/* -------------------------------------------------------- what it gives -- */

/* A site of several chains has a type if it is the same in all of them. */
static int
exact_sites(struct profile *p, const struct mon *m, const struct exact *e)
{
	uint32_t *type = malloc((p->nsites + 1) * sizeof(*type)), *t;
	struct site *s;
	size_t i;

	if (!type)
		return -1;
	for (i = 0; i < p->nsites; i++)
		type[i] = EXACT_UNSEEN;
	for (i = 0; i < m->nsites; i++) {
		t = &type[p->priv->site_of[i]];
		if (*t == EXACT_UNSEEN)
			*t = e->of_site[i];
		else if (*t != e->of_site[i])
			*t = EXACT_NONE;
	}
	for (i = 0; i < p->nsites; i++) {
		if (type[i] >= e->n)
			continue;
		s = &p->sites[i];
		s->type = e->types[type[i]].name;
		s->type_size = e->types[type[i]].size;
		s->type_mark = '=';
	}
	free(type);
	return 0;
}

/* What isn't known goes last, then the most bytes, then by name and size. */
static int
exact_compare(const void *a, const void *b)
{
	const struct type_row *x = a, *y = b;
	int c;

	if (!*x->name || !*y->name)
		return !*x->name - !*y->name;
	if (x->bytes != y->bytes)
		return x->bytes > y->bytes ? -1 : 1;
	c = strcmp(x->name, y->name);
	return c ? c : x->size < y->size ? -1 : x->size > y->size;
}

static void
exact_row(struct type_row *r, const struct mon_site *s, const struct use *use)
{
	r->allocs += counts_sum(s->count.allocs);
	r->bytes += counts_sum(s->count.bytes);
	r->frees += counts_sum(s->count.frees);
	r->freed += counts_sum(s->count.freed);
	if (use)
		use_add(&r->use, use);
}

int
exact_make(struct profile *p, const struct mon *m, const struct exact *e,
	   const struct use *uses)
{
	struct type_row *r;
	size_t i, type;

	/* Where no type is known, nothing can be said by type. */
	if (!e->n)
		return 0;
	r = arena_array(&p->priv->arena, e->n + 1, sizeof(*r));
	if (!r || exact_sites(p, m, e))
		return -1;
	for (i = 0; i < e->n; i++)
		r[i] = (struct type_row){ .name = e->types[i].name,
					  .mark = '=',
					  .size = e->types[i].size };
	r[e->n] = (struct type_row){ .name = "", .mark = '?' };
	for (i = 0; i < m->nsites; i++) {
		type = e->of_site[i] < e->n ? e->of_site[i] : e->n;
		exact_row(&r[type], &m->sites[i], uses ? &uses[i] : NULL);
	}
	p->ntypes = e->n + (r[e->n].allocs > 0);
	qsort(r, p->ntypes, sizeof(*r), exact_compare);
	p->types = r;
	return 0;
}
