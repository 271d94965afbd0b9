/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two runs: who holds what. */
#include "display/diff/diff.h"
#include "display/tables/held.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * The name of a root without numbers that differ in each run: those of threads,
 * addresses, lines.
 */
static const char *
root_name(struct arena *a, const struct links *l, const struct root *r)
{
	static const char *const plain[ROOT_NKIND] = {
		[ROOT_STORAGE] = "thread-local storage",
		[ROOT_MAPPED] = "mapped memory",
	};
	const char *place, *line, *rest;

	if (r->kind != ROOT_STACK)
		return plain[r->kind] ? plain[r->kind] : r->name;
	place = held_place(l, r);
	if (!*place)
		return "stacks";
	line = strstr(place, " (");
	rest = line ? strchr(line, ')') : NULL;
	if (!rest)
		return arena_print(a, "stack %s", place);
	/* A function's own parentheses are part of its name. */
	while (rest && strstr(rest, " (")) {
		line = strstr(rest, " (");
		rest = strchr(line, ')');
	}
	return arena_print(a, "stack %.*s%s", (int)(line - place), place,
			   rest ? rest + 1 : "");
}

bool
diff_held_roots(struct diff_pairs *x, const struct profile *p)
{
	const struct links *l = &p->links;

	for (size_t i = 0; x && i < l->nroots; i++)
		if (l->roots[i].blocks)
			diff_pairs_add(x, root_name(&x->room, l, &l->roots[i]),
				       l->roots[i].bytes);
	return l->nholdings;
}

bool
diff_held_types(struct diff_pairs *x, const struct profile *p)
{
	size_t n, *key;
	const char **type;
	struct retained *sum;

	if (!x)
		return p->links.nholdings;
	key = arena_array(&x->room, p->nsites + 1, sizeof *key);
	type = arena_array(&x->room, p->nsites + 2, sizeof *type);
	sum = arena_array(&x->room, p->nsites + 2, sizeof *sum);
	if (!x->failed) {
		n = held_types(p, key, type);
		links_sum(&p->links, key, sum);
		for (size_t i = 1; i < n; i++)
			if (sum[i].blocks)
				diff_pairs_add(x, type[i], sum[i].bytes);
	}
	return true;
}
