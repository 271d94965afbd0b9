/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types of sites: the sources of types, and their order. */
#include "reduce/types/sitetypes.h"
#include "reduce/base/guard.h"
#include "reduce/binaries/modules.h"

#include <stdlib.h>
#include <string.h>

/* The most calls that are asked for one site. */
#define CALLS_MAX 64

/* The answer of a call. */
struct sitetypes_answer {
	enum guess_answer answer;
	uint32_t type; /* index in types, unless open is set */
	struct guess_type guess;
};

struct sitetypes_search {
	struct sitetypes *t;
	const struct sitetypes_from *from;
	struct exact exact;
	struct symbols_debug debug; /* of the current call */
	struct symbols_pool pool;   /* names from debug information */
	struct hash sizes;	    /* least, largest -> number */
	uint32_t nsizes;
	struct hash asked; /* module, address, sizes -> index in v */
	struct sitetypes_answer *v;
	size_t n, room;
	struct hash wrapper; /* name -> whether it is a wrapper */
};

/* ------------------------------------------------------------- the types -- */

uint32_t
sitetypes_intern(struct sitetypes *t, const char *name, uint64_t size,
		 uint32_t module)
{
	const char *own = symbols_pool_intern(&t->names, name, strlen(name));
	uint32_t n;

	if (t->n >= SHARES_NONE - 1)
		heap_out();
	ARRAY_ROOM(t->types, t->room, t->n + 1);
	n = hash_intern(&t->hash, (uintptr_t)own, size, 0, (uint32_t)t->n);
	if (n < t->n)
		return n;
	t->types[n] = (struct sitetype){
		.name = arena_copy(t->arena, own, strlen(own)),
		.size = size,
		.module = module,
	};
	t->n++;
	return n;
}

/* ----------------------------------------------------- debug information -- */

/* A call to look up in debug information. */
struct sitetypes_call {
	struct sitetypes_search *s;
	uint32_t module;
	uint64_t addr;
	struct guess_call guess;
	enum guess_answer answer;
	struct guess_type type;
};

static int
sitetypes_guess(void *arg)
{
	struct sitetypes_call *c = arg;
	struct symbols_debug *debug = &c->s->debug;

	*debug = (struct symbols_debug){ .n = 0 };
	symbols_debug(c->s->from->symbols, c->module - 1, c->addr, debug);
	c->guess.debug = debug;
	if (c->type.open) {
		if (debug->n)
			guess_cxx_outer(&c->guess, &c->type);
		return 0;
	}
	c->answer = guess_cxx(&c->guess, &c->type);
	if (c->answer == GUESS_UNKNOWN)
		c->answer = guess_c(&c->guess, &c->type);
	return 0;
}

/* The same, with any damaged file. */
static void
sitetypes_guard(struct sitetypes_call *c)
{
	struct sitetypes_search *s = c->s;
	const struct symbols_frame *f;
	struct guess_type was = c->type;
	size_t n;

	n = symbols_find(s->from->symbols, c->module - 1, c->addr, &f);
	c->guess.function = !n || !f[n - 1].known ? NULL
			    : f[n - 1].linkage	  ? f[n - 1].linkage
						  : f[n - 1].name;
	c->guess.pool = &s->pool;
	if (guard_run(symbols_path(s->from->symbols, c->module - 1),
		      sitetypes_guess, c) != GUARD_FAULT)
		return;
	symbols_give_up(s->from->symbols, c->module - 1);
	s->pool = (struct symbols_pool){ 0 };
	c->answer = GUESS_UNKNOWN;
	c->type = was;
	c->type.open = false;
}

/* Is it the name of a wrapper?  Each is matched once. */
static bool
sitetypes_wrapper(struct sitetypes_search *s, const char *name, bool libc)
{
	uint32_t is = hash_find(&s->wrapper, (uintptr_t)name, libc, 0);

	if (is == HASH_NONE) {
		is = wrappers_match(s->from->wrappers, name, libc);
		hash_intern(&s->wrapper, (uintptr_t)name, libc, 0, is);
	}
	return is;
}

/*
 * Do all functions at the address pass on their allocations?  The monitor's
 * functions and known wrappers do.
 */
static bool
sitetypes_passes(struct sitetypes_search *s, uint32_t module, uint64_t addr)
{
	const char *path = s->from->mon->modules[module].path;
	const struct symbols_frame *f;
	bool libc = modules_is_libc(path);
	size_t n, i;

	/* The monitor's functions are allocation functions. */
	if (modules_is_monitor(path))
		return true;
	n = symbols_find(s->from->symbols, module - 1, addr, &f);
	for (i = 0; i < n; i++) {
		if (!f[i].known || !sitetypes_wrapper(s, f[i].name, libc))
			return false;
	}
	return true;
}

/* Look the call up in debug information. */
static void
sitetypes_ask_debug(struct sitetypes_call *c, struct sitetypes_answer *a)
{
	const char *path = c->s->from->mon->modules[c->module].path;

	if (!modules_is_monitor(path))
		sitetypes_guard(c);
	a->answer = c->answer;
	a->guess = c->type;
	if (c->answer == GUESS_UNKNOWN) {
		if (sitetypes_passes(c->s, c->module, c->addr))
			a->answer = GUESS_PASS;
		return;
	}
	if (c->answer != GUESS_FOUND)
		return;
	if (!c->type.name || !*c->type.name)
		a->answer = GUESS_UNKNOWN;
	else if (!c->type.open)
		a->type = sitetypes_intern(c->s->t, c->type.name, c->type.size,
					   c->module);
}

/*
 * The same, but each call only once for the same sizes.  sizes: number of the
 * sizes; the key also has whether the call is the innermost.
 */
static const struct sitetypes_answer *
sitetypes_debug(struct sitetypes_call *c, uint32_t sizes)
{
	struct sitetypes_search *s = c->s;
	uint64_t key = 2 * (uint64_t)sizes + c->guess.innermost;
	uint32_t n;

	if (s->n >= HASH_NONE - 1)
		heap_out();
	ARRAY_ROOM(s->v, s->room, s->n + 1);
	n = hash_intern(&s->asked, c->module, c->addr, key, (uint32_t)s->n);
	if (n == s->n) {
		s->v[n] = (struct sitetypes_answer){ .type = SHARES_NONE };
		c->answer = GUESS_UNKNOWN;
		c->type = (struct guess_type){ .confidence =
						       PROFILE_NCONFIDENCE };
		sitetypes_ask_debug(c, &s->v[n]);
		s->n++;
	}
	return &s->v[n];
}

/* ------------------------------------------------------------ call paths -- */

/*
 * Number the pair of a site's least and largest size.
 */
static uint32_t
sitetypes_sizes(struct sitetypes_search *s, uint32_t site,
		struct guess_call *guess)
{
	uint32_t n;

	shares_range(s->from->shares, site, &guess->least, &guess->largest);
	n = hash_intern(&s->sizes, guess->least, guess->largest, 0, s->nsizes);
	s->nsizes += n == s->nsizes;
	return n;
}

static void
sitetypes_set(struct sitetypes_search *s, uint32_t site, uint32_t type,
	      enum profile_confidence confidence)
{
	s->t->of_site[site] = type;
	s->t->confidence[site] = confidence;
}

/*
 * A call has found a type, but outer calls, from node i on, may know more.  Ask
 * these.
 */
static void
sitetypes_outer(struct sitetypes_call *c, uint32_t site, uint32_t i)
{
	const struct mon_node *nodes = c->s->from->mon->nodes;
	struct sitetypes *t = c->s->t;
	uint32_t module = c->module, calls;

	for (calls = 0; i && c->type.open && calls < CALLS_MAX; calls++) {
		c->module = nodes[i].module;
		c->addr = nodes[i].addr;
		if (c->module)
			sitetypes_guard(c);
		i = nodes[i].parent;
	}
	t->of_site[site] =
		sitetypes_intern(t, c->type.name, c->type.size, module);
	t->confidence[site] = c->type.confidence;
}

/* Does the program or the plugin know the node's type? */
static bool
sitetypes_told(struct sitetypes_search *s, uint32_t site, uint32_t node)
{
	const struct mon *m = s->from->mon;
	const struct mon_type *said;
	const struct calltype *c;
	enum profile_confidence confidence = PROFILE_COMPILER;
	uint32_t type;

	said = m->nodes[node].module ? NULL : mon_type_of(m, node);
	if (said) {
		confidence = PROFILE_PROGRAM;
		/* The caller's module may know the type's members. */
		type = sitetypes_intern(s->t, said->name, said->size,
					m->nodes[m->nodes[node].parent].module);
	} else {
		switch (exact_ask(&s->exact, node, &c)) {
		case EXACT_FOUND:
			type = sitetypes_intern(s->t, c->name, c->size,
						m->nodes[node].module);
			break;
		case EXACT_UNKNOWN:
		case EXACT_PASS:
		default:
			return false;
		}
	}
	sitetypes_set(s, site, type, confidence);
	return true;
}

/* Give the site the type that a call found; i: the node of the next call. */
static void
sitetypes_take(struct sitetypes_call *c, const struct sitetypes_answer *a,
	       uint32_t site, uint32_t i)
{
	c->type = a->guess;
	if (c->type.open) {
		sitetypes_outer(c, site, i);
		return;
	}
	sitetypes_set(c->s, site, a->type, a->guess.confidence);
}

/* Find the type of a site's blocks. */
static void
sitetypes_chain(struct sitetypes_search *s, uint32_t site)
{
	const struct mon_node *nodes = s->from->mon->nodes;
	struct sitetypes_call c = { .s = s, .guess.innermost = true };
	uint32_t i = s->from->mon->sites[site].node, sizes, calls;
	const struct sitetypes_answer *a;

	sitetypes_set(s, site, SHARES_NONE, PROFILE_NCONFIDENCE);
	sizes = sitetypes_sizes(s, site, &c.guess);
	for (calls = 0; i && calls < CALLS_MAX; calls++) {
		uint32_t from = i;

		exact_pass(&s->exact, &i);
		if (!i)
			return;
		c.guess.innermost &= i == from;
		if (sitetypes_told(s, site, i))
			return;
		c.module = nodes[i].module;
		c.addr = nodes[i].addr;
		if (!c.module || s->from->no_guess)
			return;
		s->t->module[site] = c.module;
		a = sitetypes_debug(&c, sizes);
		i = nodes[i].parent;
		if (a->answer == GUESS_FOUND) {
			sitetypes_take(&c, a, site, i);
			return;
		}
		if (a->answer == GUESS_UNKNOWN)
			return;
		c.guess.innermost = false;
	}
}

static void
sitetypes_all(struct sitetypes_search *s)
{
	const struct mon *m = s->from->mon;
	struct sitetypes *t = s->t;
	size_t i;

	t->of_site = heap_new((m->nsites + 1) * sizeof(*t->of_site));
	t->confidence = heap_new((m->nsites + 1) * sizeof(*t->confidence));
	t->module = heap_array(m->nsites + 1, sizeof(*t->module));
	exact_init(&s->exact, m, s->from->exe);
	for (i = 0; i < m->nsites; i++) {
		sitetypes_chain(s, (uint32_t)i);
	}
}

void
sitetypes_find(struct sitetypes *t, struct arena *a,
	       const struct sitetypes_from *from)
{
	struct sitetypes_search s = { .t = t, .from = from };

	*t = (struct sitetypes){ .arena = a };
	sitetypes_all(&s);
	exact_fini(&s.exact);
	symbols_pool_fini(&s.pool);
	hash_fini(&s.sizes);
	hash_fini(&s.asked);
	hash_fini(&s.wrapper);
	free(s.v);
}

void
sitetypes_move(struct sitetypes *t, size_t to, size_t from)
{
	t->of_site[to] = t->of_site[from];
	t->confidence[to] = t->confidence[from];
	t->module[to] = t->module[from];
}

void
sitetypes_fini(struct sitetypes *t)
{
	free(t->types);
	free(t->of_site);
	free(t->confidence);
	free(t->module);
	symbols_pool_fini(&t->names);
	hash_fini(&t->hash);
	*t = (struct sitetypes){ 0 };
}
