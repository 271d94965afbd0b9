/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two runs: who holds what. */
#include "display/diff/diff_held.h"
#include "display/grid/grid.h"
#include "display/grid/view.h"
#include "display/tables/held.h"
#include "display/text/amount.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool
diff_held_known(const struct diff *d)
{
	return d->run[DIFF_OLD]->links.nholdings &&
	       d->run[DIFF_NEW]->links.nholdings;
}

/* ---------------------------------------------------------------- rows -- */

/* Numbers of threads, addresses and lines differ in each run. */
static char *
root_name(const struct links *l, const struct root *r)
{
	static const char *const plain[ROOT_NKIND] = {
		[ROOT_STORAGE] = "thread-local storage",
		[ROOT_MAPPED] = "mapped memory",
	};
	const char *place, *line, *rest;
	char *text = NULL;

	if (r->kind != ROOT_STACK)
		return strdup(plain[r->kind] ? plain[r->kind] : r->name);
	place = held_place(l, r);
	if (!*place)
		return strdup("stacks");
	line = strstr(place, " (");
	rest = line ? strchr(line, ')') : NULL;
	if (!rest)
		return asprintf(&text, "stack %s", place) < 0 ? NULL : text;
	/* A function's own parentheses are part of its name. */
	while (rest && strstr(rest, " (")) {
		line = strstr(rest, " (");
		rest = strchr(line, ')');
	}
	return asprintf(&text, "stack %.*s%s", (int)(line - place), place,
			rest ? rest + 1 : "") < 0
		       ? NULL
		       : text;
}

struct diff_pair *
diff_held_roots(const struct diff *d, size_t *n)
{
	struct diff_pair *v;

	*n = 0;
	v = calloc(d->run[DIFF_OLD]->links.nroots +
			   d->run[DIFF_NEW]->links.nroots + 1,
		   sizeof *v);
	for (int run = 0; v && run < DIFF_NRUN; run++) {
		const struct links *l = &d->run[run]->links;

		for (size_t i = 0; i < l->nroots; i++) {
			if (!l->roots[i].blocks)
				continue;
			v[*n].name = root_name(l, &l->roots[i]);
			v[*n].v[run] = l->roots[i].bytes;
			if (!v[(*n)++].name) {
				diff_pairs_free(v, *n);
				return NULL;
			}
		}
	}
	return v ? diff_pairs_unite(v, n) : NULL;
}

/* Those of one run, behind the *n that are there.  False: out of memory. */
static bool
add_types(struct diff_pair *v, size_t *n, const struct profile *p, int run)
{
	size_t ntypes, *key = calloc(p->nsites + 1, sizeof *key);
	const char **type = calloc(p->nsites + 2, sizeof *type);
	struct retained *sum = calloc(p->nsites + 2, sizeof *sum);
	bool done = key && type && sum;

	if (done) {
		ntypes = held_types(p, key, type);
		links_sum(&p->links, key, sum);
		for (size_t i = 1; i < ntypes && done; i++) {
			if (!sum[i].blocks)
				continue;
			v[*n].name = strdup(type[i]);
			v[*n].v[run] = sum[i].bytes;
			done = v[(*n)++].name;
		}
	}
	free(key);
	free(type);
	free(sum);
	return done;
}

struct diff_pair *
diff_held_types(const struct diff *d, size_t *n)
{
	struct diff_pair *v =
		calloc(d->run[DIFF_OLD]->nsites + d->run[DIFF_NEW]->nsites + 1,
		       sizeof *v);

	*n = 0;
	if (v && add_types(v, n, d->run[DIFF_OLD], DIFF_OLD) &&
	    add_types(v, n, d->run[DIFF_NEW], DIFF_NEW))
		return diff_pairs_unite(v, n);
	diff_pairs_free(v, *n);
	return NULL;
}

int
diff_held_print(struct tables *t, const struct diff *d)
{
	struct diff_pair *v;
	size_t n;

	if (!diff_held_known(d))
		return 0;
	v = diff_held_roots(d, &n);
	if (diff_pairs_print(t, "Changes in what roots retain", " retained by",
			     v, n))
		return -1;
	v = diff_held_types(d, &n);
	return diff_pairs_print(t, "Changes in what types retain",
				" retained by", v, n);
}

int
diff_held_json(struct writer *w, const struct diff *d)
{
	static const char *const figures[] = { "old_retained", "new_retained" };
	struct diff_pair *v;
	size_t n;

	if (!diff_held_known(d))
		return 0;
	v = diff_held_roots(d, &n);
	if (diff_pairs_json(w, "roots", figures, v, n))
		return -1;
	v = diff_held_types(d, &n);
	return diff_pairs_json(w, "held_types", figures, v, n);
}
