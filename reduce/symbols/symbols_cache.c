/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A cache that lives from one profile to the next. */
#include "reduce/symbols/symbols_cache.h"
#include "monitor/monrec.h"
#include "reduce/base/str.h"
#include "reduce/symbols/profile_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct profile_cache {
	struct searchpath *searchpath;
	struct symbols *symbols;
	bool demangle;
	size_t n; /* modules of `symbols' */
};

struct profile_cache *
profile_cache_new(void)
{
	return heap_array(1, sizeof(struct profile_cache));
}

static void
cache_forget(struct profile_cache *k)
{
	k->n = 0;
	if (k->symbols)
		symbols_free(k->symbols);
	k->symbols = NULL;
}

void
profile_cache_free(struct profile_cache *k)
{
	if (!k)
		return;
	cache_forget(k);
	searchpath_free(k->searchpath);
	free(k);
}

struct searchpath *
symbols_cache_searchpath(struct profile_cache *k,
			 const struct profile_where *where)
{
	if (!k)
		return searchpath_new(where);
	if (!k->searchpath)
		k->searchpath = searchpath_new(where);
	return k->searchpath;
}

/* Are the cached modules the first ones of m? */
static bool
cache_is_same(const struct profile_cache *k, const struct mon *m,
	      const struct exe *x)
{
	const struct mon_module *o;
	size_t i;

	if (k->n && k->n >= m->nmodules)
		return false;
	for (i = 0; i < k->n; i++) {
		o = &m->modules[i + 1];
		if (!symbols_is(k->symbols, i, x->paths[i + 1], o->id,
				o->idlen))
			return false;
	}
	return true;
}

/*
 * Is it code of the module?  For exported functions of a missing file, the
 * code's module is a build-id instead of a path.
 */
static bool
cache_is_of(const struct mon_code *c, const struct mon_module *o)
{
	const char *hex = c->module + strlen(MONREC_OF_BUILDID);
	size_t i;

	if (!str_starts(c->module, MONREC_OF_BUILDID))
		return !strcmp(c->module, o->path);
	if (!o->idlen || strlen(hex) != 2 * o->idlen)
		return false;
	for (i = 0; i < o->idlen; i++) {
		char two[3];

		snprintf(two, sizeof(two), "%02x", o->id[i]);
		if (memcmp(two, hex + 2 * i, 2) != 0)
			return false;
	}
	return true;
}

/* Add the generated code, or exported names, of module i. */
static void
cache_codes(struct symbols *s, const struct mon *m, size_t i)
{
	const struct mon_code *c;

	for (c = m->codes; c < m->codes + m->ncodes; c++) {
		if (cache_is_of(c, &m->modules[i]))
			symbols_add_code(s, i - 1, c->start, c->size, c->name);
	}
}

/* Add the modules that s lacks. */
static void
cache_add(struct profile_cache *k, struct symbols *s, const struct mon *m,
	  const struct exe *x)
{
	const struct mon_module *o;
	size_t i;

	for (i = k ? k->n + 1 : 1; i < m->nmodules; i++) {
		o = &m->modules[i];
		symbols_add(s, x->paths[i], o->id, o->idlen);
		symbols_gone(s, i - 1, x->gone[i]);
		if (o->path)
			cache_codes(s, m, i);
		if (k)
			k->n++;
	}
}

struct symbols *
symbols_cache_get(struct profile_cache *k, const struct mon *m,
		  const struct exe *x, const struct searchpath *searchpath,
		  bool demangle)
{
	struct symbols *s;

	if (k && k->symbols &&
	    (k->demangle != demangle || !cache_is_same(k, m, x)))
		cache_forget(k);
	s = k ? k->symbols : NULL;
	if (!s) {
		s = symbols_new(demangle);
		symbols_look(s, searchpath);
	}
	if (k) {
		k->symbols = s;
		k->demangle = demangle;
	}
	cache_add(k, s, m, x);
	return s;
}
