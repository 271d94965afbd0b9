/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of rows under columns: see grid.h. */
#include "display/grid/grid.h"

#include <string.h>

/* Make a column at least that wide, plus a blank before it. */
static void
grid_widen(struct grid *g, size_t i, size_t width)
{
	width += i && !g->column[i].before;
	if (g->width[i] < width)
		g->width[i] = width;
}

void
grid_init(struct grid *g, struct tables *t, const struct grid_column *column,
	  size_t n)
{
	grid_init_wide(g, t, column, n, g->own);
}

void
grid_init_wide(struct grid *g, struct tables *t,
	       const struct grid_column *column, size_t n, size_t *width)
{
	*g = (struct grid){ .t = t, .column = column, .n = n, .width = width };
	for (size_t i = 0; i < n; i++) {
		g->width[i] = column[i].width;
		if (column[i].kind != GRID_NAME && column[i].head)
			grid_widen(g, i, line_width(column[i].head));
	}
}

void
grid_get_member(const struct grid *g, const void *row, unsigned at,
		struct grid_cell *c)
{
	(void)g;
	memcpy(&c->n, (const char *)row + at, sizeof c->n);
}

void
grid_get_max(const struct grid *g, const void *row, unsigned at,
	     struct grid_cell *c)
{
	grid_get_member(g, row, at, c);
	c->unknown = c->n == UINT64_MAX;
}

void
grid_put_member(const struct grid *g, const void *row)
{
	unsigned at = g->column[g->n - 1].at;

	tables_name(g->t, *(const char *const *)((const char *)row + at));
}

static bool
grid_is_there(const struct grid *g, size_t i)
{
	return !g->column[i].with || g->column[i].with & g->with;
}

static void
grid_get(const struct grid *g, const void *row, size_t i, struct grid_cell *c)
{
	const struct grid_column *k = &g->column[i];

	c->n = c->of = 0;
	c->real = c->var = 0;
	c->text = NULL;
	c->unknown = c->estimate = c->negative = c->plus = false;
	k->get(g, row, k->at, c);
}

/* The number of signs before the figure. */
static size_t
signs(const struct grid_cell *c)
{
	return c->estimate || c->negative || c->plus;
}

/* The text of a cell, which may be in buf, of NUMBER_SIZE + 1 bytes. */
static const char *
grid_shown(const struct grid *g, enum grid_kind kind, const struct grid_cell *c,
	   char *buf)
{
	char *at = buf + signs(c);

	if (c->unknown)
		return "-";
	if (c->text)
		return c->text;
	buf[0] = c->negative ? '-' : c->plus ? '+' : '~';
	switch (kind) {
	case GRID_COUNT:
		number_count(at, c->n);
		break;
	case GRID_BYTES:
		tables_bytes(g->t, at, c->n);
		break;
	case GRID_TIME:
		number_time(at, c->n);
		break;
	case GRID_SECONDS:
		number_seconds(at, c->n);
		break;
	case GRID_SCORE:
		number_score(at, c->real);
		break;
	case GRID_TENTHS:
		number_tenths(at, c->n, c->of);
		break;
	case GRID_PERCENT:
		number_percent(at, c->n, c->of);
		break;
	default:
		return "";
	}
	return buf;
}

/* The width of a cell. */
static size_t
needs(const struct grid *g, enum grid_kind kind, const struct grid_cell *c)
{
	char buf[NUMBER_SIZE + 1];

	if (!c->unknown && !c->text && kind <= GRID_BYTES)
		return number_bytes_width(c->n, kind == GRID_BYTES &&
							g->t->o->human) +
		       signs(c);
	return line_width(grid_shown(g, kind, c, buf));
}

void
grid_fit(struct grid *g, const void *row)
{
	struct grid_cell c;

	for (size_t i = 0; i < g->n; i++) {
		const struct grid_column *k = &g->column[i];

		if (k->kind == GRID_NAME || !grid_is_there(g, i))
			continue;
		grid_get(g, row, i, &c);
		grid_widen(g, i, needs(g, k->kind, &c));
	}
}

static void
grid_put(struct line *l, const char *text)
{
	if (text)
		line_left(l, 0, text);
}

void
grid_head(const struct grid *g)
{
	struct line *l = &g->t->line;

	for (size_t i = 0; i < g->n; i++) {
		const struct grid_column *k = &g->column[i];
		const char *head = k->head;

		if (!grid_is_there(g, i))
			continue;
		if (!head && g->head)
			head = g->head(g, i);
		grid_put(l, k->before);
		if (k->kind == GRID_NAME)
			grid_put(l, head);
		else if (k->kind == GRID_LEFT)
			line_left(l, g->width[i], head ? head : "");
		else
			line_right(l, g->width[i], head ? head : "");
		if (k->share) {
			line_left(l, 1, "");
			line_left(l, k->share, "(%)");
		}
		if (k->error)
			errors_head(g->t);
		grid_put(l, k->after);
	}
	line_end(l);
	if (!g->dense)
		line_end(l);
}

static void
grid_put_cell(const struct grid *g, size_t i, const void *row)
{
	const struct grid_column *k = &g->column[i];
	struct line *l = &g->t->line;
	char buf[NUMBER_SIZE + 1];
	struct grid_cell c;
	const char *text;

	grid_get(g, row, i, &c);
	text = grid_shown(g, k->kind, &c, buf);
	if (k->kind == GRID_LEFT)
		line_left(l, g->width[i], text);
	else
		line_right(l, g->width[i], text);
	if (k->share) {
		line_left(l, 1, "");
		line_left(l, k->share, c.of ? number_cell(buf, c.n, c.of) : "");
	}
	if (k->error)
		errors_add(g->t, c.unknown || c.text ? 0 : c.n, c.var);
}

/* Indent of long names, such as call paths, on a line of their own. */
enum { GRID_INDENT = 8 };

void
grid_row(const struct grid *g, const void *row, const char *label)
{
	struct line *l = &g->t->line;

	for (size_t i = 0; i < g->n; i++) {
		const struct grid_column *k = &g->column[i];

		if (!grid_is_there(g, i))
			continue;
		grid_put(l, k->before);
		if (k->kind == GRID_NAME)
			line_name(l);
		if (k->kind != GRID_NAME)
			grid_put_cell(g, i, row);
		else if (label)
			grid_put(l, label);
		else
			k->put(g, row);
		grid_put(l, k->after);
	}
	line_below(l, GRID_INDENT);
	line_end(l);
}

void
grid_print(struct grid *g, const struct grid_rows *rows)
{
	const char *row = rows->v;
	char label[48];

	for (size_t i = 0; i < rows->n; i++)
		grid_fit(g, row + i * rows->size);
	if (rows->total)
		grid_fit(g, rows->total);
	if (rows->others)
		grid_fit(g, rows->other);
	if (rows->rest)
		grid_fit(g, rows->rest);
	grid_head(g);
	if (rows->total) {
		grid_row(g, rows->total, "<TOTAL>");
		line_end(&g->t->line);
	}
	for (size_t i = 0; i < rows->n; i++) {
		grid_row(g, row + i * rows->size, NULL);
		if (g->after)
			g->after(g, row + i * rows->size);
	}
	if (rows->others) {
		snprintf(label, sizeof label, "(%zu other%s)", rows->others,
			 rows->others == 1 ? "" : "s");
		grid_row(g, rows->other, label);
	}
	if (rows->rest)
		grid_row(g, rows->rest, "(not known)");
}

/* The next column for the legend. */
struct columns {
	const struct grid *g;
	size_t at;
};

static bool
next_term(void *arg, struct legend_term *term)
{
	struct columns *c = arg;

	while (c->at < c->g->n) {
		const struct grid_column *k = &c->g->column[c->at++];

		term->name = k->term ? k->term : k->head;
		term->text = k->explain;
		if (k->explain)
			return true;
	}
	return false;
}

void
grid_legend(const struct grid *g, const struct legend *legend)
{
	struct columns c = { .g = g };

	legend_explain(g->t, legend, next_term, &c);
}

void
grid_table(struct tables *t, const struct grid_column *column, size_t n,
	   const struct grid_rows *rows, const struct legend *legend)
{
	struct grid g;

	grid_init(&g, t, column, n);
	if (rows)
		grid_print(&g, rows);
	if (legend)
		grid_legend(&g, legend);
}

size_t
grid_pick(void *rows, size_t n, size_t size, bool top,
	  bool (*worth)(const void *row, size_t place, void *arg),
	  void (*add)(void *other, const void *row), void *other, void *arg)
{
	char *v = rows;
	size_t left = 0, poor = 0;

	for (size_t i = 0; i < n; i++)
		poor += !worth(v + i * size, i, arg);
	if (!poor || (poor == 1 && !top))
		return n;
	for (size_t i = 0; i < n; i++) {
		if (!worth(v + i * size, i, arg))
			add(other, v + i * size);
		else if (left++ != i)
			memcpy(v + (left - 1) * size, v + i * size, size);
	}
	return left;
}
