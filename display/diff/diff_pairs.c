/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two runs: rows with a name and the bytes in each run: see diff.h. */
#include "display/diff/diff.h"
#include "display/grid/grid.h"
#include "display/text/amount.h"
#include "reduce/base/arena.h"
#include "reduce/base/sort.h"

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

SORT_BY(by_name, struct diff_pair, SORT_TEXT(name))

static int
by_change(const void *a, const void *b)
{
	return by(a) == by(b) ? by_name(a, b) : by(a) < by(b) ? 1 : -1;
}

void
diff_pairs_add(struct diff_pairs *x, const char *name, uint64_t bytes)
{
	struct diff_pair one = { .name = name };

	one.v[x->run] = bytes;
	if (name)
		ARRAY_ADD(x->v, x->allocated, x->n, one);
	else
		x->failed = true;
}

/* Merge a row into another of the same name. */
static void
diff_pairs_add_row(struct diff_pair *to, struct diff_pair *x)
{
	for (int run = 0; run < DIFF_NRUN; run++)
		to->v[run] = amount_add(to->v[run], x->v[run]);
}

/* -------------------------------------------------------------- output -- */

enum { CHANGE = DIFF_NRUN };

static void
diff_pairs_get(const struct grid *g, const void *row, unsigned at,
	       struct grid_cell *c)
{
	const struct diff_pair *r = row;

	c->text = c->buf;
	c->buf[0] = r->v[DIFF_NEW] > r->v[DIFF_OLD] ? '+' : '-';
	if (at == CHANGE)
		number_bytes(c->buf + 1, by(r), g->t->o->human);
	else
		number_bytes(c->buf, r->v[at], g->t->o->human);
}

static const struct grid_column columns[] = {
	COLUMN("old", TEXT, 15, diff_pairs_get, DIFF_OLD, NULL),
	COLUMN("new", TEXT, 15, diff_pairs_get, DIFF_NEW, NULL),
	COLUMN("difference", TEXT, 15, diff_pairs_get, CHANGE, NULL),
	NAME_OF(NULL, "   ", diff_pair, name, NULL),
};

static const char *
head_of(const struct grid *g, size_t column)
{
	(void)column;
	return g->arg;
}

/* The lists, and their names in tables and in JSON. */
static const struct list {
	diff_pairs_of *of;
	const char *title, *head, *name, *figure;
	bool rare; /* not printed if it has no rows */
} lists[] = {
	{ diff_held_roots, "Changes in what roots retain", " retained by",
	  "roots", "retained", false },
	{ diff_held_types, "Changes in what types retain", " retained by",
	  "held_types", "retained", false },
	{ diff_memory_lines, "Memory of the process (RSS)", " what", "memory",
	  "bytes", false },
	{ diff_memory_mapped, "Memory that the program maps, in RAM",
	  " mapped by", "mapped", "bytes", true },
};

/* The number of rows without --top. */
enum { ROWS = 10 };

static void
diff_pairs_table(struct tables *t, const struct list *l,
		 const struct diff_pairs *x)
{
	size_t most = t->o->top ? t->o->top : ROWS, k = 0;
	struct grid g;

	while (k < x->n && k < most && by(&x->v[k]))
		k++;
	line_end(&t->line);
	tables_say(t, l->title);
	line_end(&t->line);
	if (!k) {
		tables_say(t, "None.");
		return;
	}
	GRID_INIT(&g, t, columns);
	g.head = head_of;
	g.arg = l->head;
	grid_print(&g, &(struct grid_rows){ GRID_ROWS(x->v, k) });
}

static void
write(struct writer *w, const struct list *l, const struct diff_pairs *x)
{
	char figure[32];

	writer_line(w, l->name, '[');
	for (size_t i = 0; i < x->n; i++) {
		writer_line(w, NULL, '{');
		writer_text(w, "name", x->v[i].name);
		for (int run = 0; run < DIFF_NRUN; run++) {
			snprintf(figure, sizeof figure, "%s_%s",
				 run == DIFF_OLD ? "old" : "new", l->figure);
			writer_number(w, figure, x->v[i].v[run]);
		}
		writer_leave(w, '}');
	}
	writer_leave(w, ']');
}

/* Print all lists as tables (t), or write them as JSON (w). */
static int
diff_pairs_each(struct tables *t, struct writer *w, const struct diff *d)
{
	bool failed = false;

	for (size_t i = 0; i < sizeof lists / sizeof *lists && !failed; i++) {
		const struct list *l = &lists[i];
		struct diff_pairs x = { 0 };

		if (!l->of(NULL, d->run[DIFF_OLD]) ||
		    !l->of(NULL, d->run[DIFF_NEW]))
			continue;
		for (; x.run < DIFF_NRUN; x.run++)
			l->of(&x, d->run[x.run]);
		failed = x.failed;
		if (!failed) {
			SORT_ONCE(x.v, x.n, by_name, diff_pairs_add_row);
			SORT(x.v, x.n, by_change);
		}
		if (failed || (l->rare && !x.n))
			;
		else if (t)
			diff_pairs_table(t, l, &x);
		else
			write(w, l, &x);
		free(x.v);
		arena_fini(&x.room);
	}
	return failed ? -1 : 0;
}

int
diff_pairs_print(struct tables *t, const struct diff *d)
{
	return diff_pairs_each(t, NULL, d);
}

int
diff_pairs_json(struct writer *w, const struct diff *d)
{
	return diff_pairs_each(NULL, w, d);
}
