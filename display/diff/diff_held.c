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

static uint64_t
by(const struct diff_held *r)
{
	return r->v[DIFF_NEW] > r->v[DIFF_OLD]
		       ? r->v[DIFF_NEW] - r->v[DIFF_OLD]
		       : r->v[DIFF_OLD] - r->v[DIFF_NEW];
}

static int
compare_names(const void *va, const void *vb)
{
	const struct diff_held *a = va, *b = vb;

	return strcmp(a->name, b->name);
}

static int
compare_changes(const void *va, const void *vb)
{
	const struct diff_held *a = va, *b = vb;

	if (by(a) != by(b))
		return by(a) < by(b) ? 1 : -1;
	return compare_names(a, b);
}

void
diff_held_free(struct diff_held *v, size_t n)
{
	for (size_t i = 0; v && i < n; i++)
		free(v[i].name);
	free(v);
}

/* Rows of one name become one; *n: how many are left. */
static struct diff_held *
unite(struct diff_held *v, size_t *n)
{
	size_t k = 0;

	qsort(v, *n, sizeof *v, compare_names);
	for (size_t i = 0; i < *n; i++) {
		if (!k || strcmp(v[k - 1].name, v[i].name) != 0) {
			v[k++] = v[i];
			continue;
		}
		for (int run = 0; run < DIFF_NRUN; run++)
			v[k - 1].v[run] =
				amount_add(v[k - 1].v[run], v[i].v[run]);
		free(v[i].name);
	}
	*n = k;
	qsort(v, k, sizeof *v, compare_changes);
	return v;
}

struct diff_held *
diff_held_roots(const struct diff *d, size_t *n)
{
	struct diff_held *v;

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
				diff_held_free(v, *n);
				return NULL;
			}
		}
	}
	return v ? unite(v, n) : NULL;
}

/* Those of one run, behind the *n that are there.  False: out of memory. */
static bool
add_types(struct diff_held *v, size_t *n, const struct profile *p, int run)
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

struct diff_held *
diff_held_types(const struct diff *d, size_t *n)
{
	struct diff_held *v =
		calloc(d->run[DIFF_OLD]->nsites + d->run[DIFF_NEW]->nsites + 1,
		       sizeof *v);

	*n = 0;
	if (v && add_types(v, n, d->run[DIFF_OLD], DIFF_OLD) &&
	    add_types(v, n, d->run[DIFF_NEW], DIFF_NEW))
		return unite(v, n);
	diff_held_free(v, *n);
	return NULL;
}

/* -------------------------------------------------------------- output -- */

enum { CHANGE = DIFF_NRUN };

static void
get(const struct grid *g, const void *row, unsigned at, struct grid_cell *c)
{
	const struct diff_held *r = row;

	c->text = c->buf;
	c->buf[0] = r->v[DIFF_NEW] > r->v[DIFF_OLD] ? '+' : '-';
	if (at == CHANGE)
		number_bytes(c->buf + 1, by(r), g->t->o->human);
	else
		number_bytes(c->buf, r->v[at], g->t->o->human);
}

static void
put(const struct grid *g, const void *row)
{
	tables_name(g->t, ((const struct diff_held *)row)->name);
}

static const struct grid_column columns[] = {
	COLUMN("old", TEXT, 15, get, DIFF_OLD, NULL),
	COLUMN("new", TEXT, 15, get, DIFF_NEW, NULL),
	COLUMN("difference", TEXT, 15, get, CHANGE, NULL),
	NAME(" retained by", "   ", put, NULL),
};

/* Rows that are printed unless --top says. */
enum { ROWS = 10 };

static int
print(struct tables *t, const char *title, struct diff_held *v, size_t n)
{
	size_t most = t->o->top ? t->o->top : ROWS, k = 0;
	struct grid g;

	if (!v)
		return -1;
	while (k < n && k < most && by(&v[k]))
		k++;
	line_end(&t->line);
	tables_say(t, title);
	line_end(&t->line);
	if (k) {
		GRID_INIT(&g, t, columns);
		grid_print(&g, &(struct grid_rows){
				       .v = v, .n = k, .size = sizeof *v });
	} else {
		tables_say(t, "None.");
	}
	diff_held_free(v, n);
	return 0;
}

int
diff_held_print(struct tables *t, const struct diff *d)
{
	struct diff_held *v;
	size_t n;

	if (!diff_held_known(d))
		return 0;
	v = diff_held_roots(d, &n);
	if (print(t, "Roots that retain more or less", v, n))
		return -1;
	v = diff_held_types(d, &n);
	return print(t, "Types that retain more or less", v, n);
}

static int
write(struct writer *w, const char *name, struct diff_held *v, size_t n)
{
	if (!v)
		return -1;
	writer_line(w, name, '[');
	for (size_t i = 0; i < n; i++) {
		writer_line(w, NULL, '{');
		writer_text(w, "name", v[i].name);
		writer_number(w, "old_retained", v[i].v[DIFF_OLD]);
		writer_number(w, "new_retained", v[i].v[DIFF_NEW]);
		writer_leave(w, '}');
	}
	writer_leave(w, ']');
	diff_held_free(v, n);
	return 0;
}

int
diff_held_json(struct writer *w, const struct diff *d)
{
	struct diff_held *v;
	size_t n;

	if (!diff_held_known(d))
		return 0;
	v = diff_held_roots(d, &n);
	if (write(w, "roots", v, n))
		return -1;
	v = diff_held_types(d, &n);
	return write(w, "held_types", v, n);
}
