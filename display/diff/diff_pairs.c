/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two runs: rows with a name, and bytes in each run. */
#include "display/diff/diff_pairs.h"
#include "display/grid/grid.h"
#include "display/text/amount.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- rows -- */

static uint64_t
by(const struct diff_pair *r)
{
	return r->v[DIFF_NEW] > r->v[DIFF_OLD]
		       ? r->v[DIFF_NEW] - r->v[DIFF_OLD]
		       : r->v[DIFF_OLD] - r->v[DIFF_NEW];
}

static int
compare_names(const void *va, const void *vb)
{
	const struct diff_pair *a = va, *b = vb;

	return strcmp(a->name, b->name);
}

static int
compare_changes(const void *va, const void *vb)
{
	const struct diff_pair *a = va, *b = vb;

	if (by(a) != by(b))
		return by(a) < by(b) ? 1 : -1;
	return compare_names(a, b);
}

void
diff_pairs_free(struct diff_pair *v, size_t n)
{
	for (size_t i = 0; v && i < n; i++)
		free(v[i].name);
	free(v);
}

/* Rows of one name become one; *n: how many are left. */
struct diff_pair *
diff_pairs_unite(struct diff_pair *v, size_t *n)
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

/* -------------------------------------------------------------- output -- */

enum { CHANGE = DIFF_NRUN };

static void
get(const struct grid *g, const void *row, unsigned at, struct grid_cell *c)
{
	const struct diff_pair *r = row;

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
	tables_name(g->t, ((const struct diff_pair *)row)->name);
}

static const struct grid_column columns[] = {
	COLUMN("old", TEXT, 15, get, DIFF_OLD, NULL),
	COLUMN("new", TEXT, 15, get, DIFF_NEW, NULL),
	COLUMN("difference", TEXT, 15, get, CHANGE, NULL),
	NAME(NULL, "   ", put, NULL),
};

static const char *
head_of(const struct grid *g, size_t column)
{
	(void)column;
	return g->arg;
}

/* Rows that are printed unless --top says. */
enum { ROWS = 10 };

int
diff_pairs_print(struct tables *t, const char *title, const char *head,
		 struct diff_pair *v, size_t n)
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
		g.head = head_of;
		g.arg = head;
		grid_print(&g, &(struct grid_rows){
				       .v = v, .n = k, .size = sizeof *v });
	} else {
		tables_say(t, "None.");
	}
	diff_pairs_free(v, n);
	return 0;
}

int
diff_pairs_json(struct writer *w, const char *name, const char *const figure[2],
		struct diff_pair *v, size_t n)
{
	if (!v)
		return -1;
	writer_line(w, name, '[');
	for (size_t i = 0; i < n; i++) {
		writer_line(w, NULL, '{');
		writer_text(w, "name", v[i].name);
		writer_number(w, figure[DIFF_OLD], v[i].v[DIFF_OLD]);
		writer_number(w, figure[DIFF_NEW], v[i].v[DIFF_NEW]);
		writer_leave(w, '}');
	}
	writer_leave(w, ']');
	diff_pairs_free(v, n);
	return 0;
}
