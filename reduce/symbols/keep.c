/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is kept from one profile to the next. */
#include "reduce/symbols/keep.h"
#include "reduce/model/questions.h"

#include <stdlib.h>

struct profile_keep {
	struct searchpath *searchpath;
	struct symbols *symbols;
	bool demangle;
	size_t n; /* modules that symbols has */
};

struct profile_keep *
profile_keep_new(void)
{
	return calloc(1, sizeof(struct profile_keep));
}

static void
keep_forget(struct profile_keep *k)
{
	k->n = 0;
	if (k->symbols)
		symbols_free(k->symbols);
	k->symbols = NULL;
}

void
profile_keep_free(struct profile_keep *k)
{
	if (!k)
		return;
	keep_forget(k);
	searchpath_free(k->searchpath);
	free(k);
}

struct searchpath *
keep_searchpath(struct profile_keep *k, const struct profile_where *where)
{
	if (!k)
		return searchpath_new(where);
	if (!k->searchpath)
		k->searchpath = searchpath_new(where);
	return k->searchpath;
}

/* Are the modules of before the first ones of m? */
static bool
keep_is_same(const struct profile_keep *k, const struct mon *m,
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

/* Add what s hasn't yet.  0, or -1 when out of memory. */
static int
keep_add(struct profile_keep *k, struct symbols *s, const struct mon *m,
	 const struct exe *x)
{
	const struct mon_module *o;
	size_t i;

	for (i = k ? k->n + 1 : 1; i < m->nmodules; i++) {
		o = &m->modules[i];
		if (symbols_add(s, x->paths[i], o->id, o->idlen) != i - 1)
			return -1;
		if (k)
			k->n++;
	}
	return 0;
}

struct symbols *
keep_symbols(struct profile_keep *k, const struct mon *m, const struct exe *x,
	     const struct searchpath *searchpath, bool demangle)
{
	struct symbols *s;

	if (k && k->symbols &&
	    (k->demangle != demangle || !keep_is_same(k, m, x)))
		keep_forget(k);
	s = k ? k->symbols : NULL;
	if (!s) {
		s = symbols_new(demangle);
		if (!s)
			return NULL;
		symbols_look(s, searchpath);
	}
	if (k) {
		k->symbols = s;
		k->demangle = demangle;
	}
	if (!keep_add(k, s, m, x))
		return s;
	if (k)
		keep_forget(k);
	else
		symbols_free(s);
	return NULL;
}
