/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results of profiling modules: tables with columns that the modules named. */
#include "display/grid/grid.h"
#include "display/grid/view.h"

#include <stdio.h>
#include <string.h>

/* The number of rows without --top. */
enum { ROWS = 40 };

static void
findings_get(const struct grid *g, const void *row, unsigned at,
	     struct grid_cell *c)
{
	const struct finding_table *t = g->arg;
	const struct finding_cell *x = (const struct finding_cell *)row + at;

	c->unknown = !x->known;
	c->text = t->column[at].type >= FINDING_TEXT ||
				  t->column[at].type == FINDING_PLACE
			  ? x->text
			  : NULL;
	c->n = x->n;
	c->of = t->column[at].type == FINDING_RATIO ? 1000000 : 0;
	if (!x->known)
		c->text = t->column[at].type == FINDING_TEXT ? "" : "-";
}

/* Print the last column, whose cells may be long, without padding. */
static void
findings_put(const struct grid *g, const void *row)
{
	const struct finding_table *t = g->arg;
	struct grid_cell c = { .n = 0 };

	findings_get(g, row, (unsigned)t->ncolumns - 1, &c);
	tables_name(g->t, c.text ? c.text : "");
}

static bool
findings_is_text(const struct finding_table *t, size_t i)
{
	return t->column[i].type >= FINDING_TEXT ||
	       t->column[i].type == FINDING_PLACE;
}

/* Make the columns of the grid; heads have blanks instead of underscores. */
static void
findings_columns(const struct finding_table *t, struct grid_column *v,
		 char (*head)[64])
{
	static const enum grid_kind kinds[FINDING_NTYPES] = {
		GRID_LEFT,   GRID_COUNT, GRID_BYTES,
		GRID_TENTHS, GRID_LEFT,	 GRID_LEFT
	};

	for (size_t i = 0; i < t->ncolumns; i++) {
		snprintf(head[i], sizeof *head, "%s", t->column[i].name);
		for (char *s = head[i]; (s = strchr(s, '_'));)
			*s = ' ';
		v[i] = (struct grid_column){
			.head = head[i],
			.kind = kinds[t->column[i].type],
			.width =
				(unsigned char)(findings_is_text(t, i) ? 4 : 9),
			.get = findings_get,
			.at = (unsigned)i,
			.before = i && findings_is_text(t, i) ? " " : NULL,
			.explain = t->column[i].about,
		};
	}
	if (findings_is_text(t, t->ncolumns - 1)) {
		v[t->ncolumns - 1].kind = GRID_NAME;
		v[t->ncolumns - 1].put = findings_put;
		v[t->ncolumns - 1].before = "  ";
	}
}

static void
findings_print_table(struct tables *t, const struct findings *f,
		     const struct finding_table *r)
{
	struct grid_column *v = tables_room(t, r->ncolumns, sizeof *v);
	size_t *width = tables_room(t, r->ncolumns, sizeof *width);
	char(*head)[64] = tables_room(t, r->ncolumns, sizeof *head);
	size_t most = t->o->top ? t->o->top : ROWS, n = r->nrows;
	struct legend legend = { .about = f->about };
	struct grid g;

	if (n > most + 1 || (t->o->top && n > most))
		n = most;
	findings_columns(r, v, head);
	grid_init_wide(&g, t, v, r->ncolumns, width);
	g.arg = r;
	line_say(&t->line, "%s", r->title);
	line_end(&t->line);
	grid_print(&g, &(struct grid_rows){ .v = r->cell,
					    .n = n,
					    .size = r->ncolumns *
						    sizeof *r->cell });
	if (n < r->nrows)
		line_say(&t->line, "(%zu others: --top=%zu)", r->nrows - n,
			 r->nrows);
	if (n < r->nrows)
		line_end(&t->line);
	grid_legend(&g, &legend);
}

static void
findings_table(struct tables *t, const struct findings *r)
{
	char title[128];

	snprintf(title, sizeof title, "Module %s", r->module);
	tables_title(t, title);
	if (r->failed)
		line_say(&t->line, "The results are unknown: %s.", r->failed);
	if (r->failed)
		line_end(&t->line);
	for (size_t i = 0; i < r->ntables && !r->failed; i++)
		findings_print_table(t, r, &r->table[i]);
	for (size_t i = 0; i < r->nnotes; i++)
		tables_say(t, r->note[i]);
}

int
findings_print(struct tables *t)
{
	for (size_t i = 0; i < t->p->nfindings; i++)
		findings_table(t, &t->p->findings[i]);
	return 0;
}
