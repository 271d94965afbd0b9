/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The result of a query, and ways to write it: see result.h. */
#include "display/query/result.h"

#include "display/grid/grid.h"
#include "reduce/base/arena.h"
#include "reduce/base/clean.h"
#include "reduce/base/str.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void
result_init(struct result *r, const struct result_column *column, size_t n)
{
	*r = (struct result){ .column = column, .ncolumns = n };
}

void
result_fini(struct result *r)
{
	owned_free(&r->owned);
	free(r->cell);
	*r = (struct result){ 0 };
}

struct result_cell *
result_add(struct result *r)
{
	struct result_cell *v = array_grow(r->cell, &r->room, r->n + 1,
					   r->ncolumns * sizeof *v);

	if (!v)
		return NULL;
	r->cell = v;
	v += r->n++ * r->ncolumns;
	memset(v, 0, r->ncolumns * sizeof *v);
	return v;
}

const char *
result_own(struct result *r, char *text)
{
	return owned_add(&r->owned, text);
}

/* ------------------------------------------------------------------ JSON -- */

static void
json_cell(struct writer *w, const char *name, enum value_kind kind,
	  const struct result_cell *x)
{
	if (x->v.known && x->digits)
		writer_digits(w, name, x->v.text);
	else
		value_write(w, name, kind, &x->v);
}

/* The columns' names, made unique to be keys.  NULL: out of memory. */
static const char **
json_keys(const struct result *r, struct arena *a)
{
	const char **key =
		arena_array(a, r->ncolumns + 1, sizeof(const char *));

	for (size_t k = 0; k < r->ncolumns; k++) {
		key[k] = str_distinct(a, r->column[k].name, key, k, strcmp);
		if (!key[k])
			return NULL;
	}
	return key;
}

int
result_json(const struct result *r, struct writer *w, const char *name)
{
	struct arena a = { 0 };
	const char **key = json_keys(r, &a);

	if (!key) {
		arena_fini(&a);
		return -1;
	}
	writer_enter(w, name, '[');
	for (size_t i = 0; i < r->n; i++) {
		writer_line(w, NULL, '{');
		for (size_t k = 0; k < r->ncolumns; k++)
			json_cell(w, key[k], r->column[k].kind,
				  &r->cell[i * r->ncolumns + k]);
		writer_leave(w, '}');
	}
	writer_leave(w, ']');
	arena_fini(&a);
	return 0;
}

/* ------------------------------------------------------------------- CSV -- */

void
result_csv_field(FILE *out, size_t i, const char *s)
{
	unsigned n;

	if (i)
		putc(',', out);
	if (!s[strcspn(s, ",\"\r\n")] && *s != ' ' &&
	    (!*s || s[strlen(s) - 1] != ' ')) {
		clean_put(out, s, CLEAN_UNKNOWN, "\t");
		return;
	}
	putc('"', out);
	for (; *s; s += n) {
		char one[5] = "";

		(void)clean_next(s, &n);
		memcpy(one, s, n);
		if (*s == '"')
			putc('"', out);
		clean_put(out, one, CLEAN_UNKNOWN, "\t\n");
	}
	putc('"', out);
}

/* The text of a cell; numbers are printed into buf, of n bytes. */
static const char *
csv_text(enum value_kind kind, const struct result_cell *x, char *buf, size_t n)
{
	if (!x->v.known)
		return "";
	if (kind <= VALUE_NUMBER || x->digits)
		return x->v.text;
	if (kind >= VALUE_SHARE)
		snprintf(buf, n, "%.15g", (double)x->v.number);
	else
		snprintf(buf, n, "%" PRIu64, value_whole(&x->v));
	return buf;
}

void
result_csv(const struct result *r, FILE *out)
{
	const struct result_cell *x = r->cell;
	char buf[32];

	for (size_t k = 0; k < r->ncolumns; k++)
		result_csv_field(out, k, r->column[k].name);
	fputs("\r\n", out);
	for (size_t i = 0; i < r->n; i++) {
		for (size_t k = 0; k < r->ncolumns; k++, x++)
			result_csv_field(out, k,
					 csv_text(r->column[k].kind, x, buf,
						  sizeof buf));
		fputs("\r\n", out);
	}
}

/* ----------------------------------------------------------------- table -- */

/* State of a table. */
struct view {
	const struct result *r;
	size_t first; /* the first column of texts */
};

static void
result_get(const struct grid *g, const void *row, unsigned at,
	   struct grid_cell *c)
{
	const struct view *v = g->arg;
	const struct result *r = v->r;
	const struct result_cell *x = (const struct result_cell *)row + at;
	enum value_kind kind = r->column[at].kind;

	c->n = value_whole(&x->v);
	c->real = (double)x->v.number;
	c->unknown = !x->v.known;
	c->estimate = x->estimate;
	if (kind == VALUE_SHARE) {
		snprintf(c->buf, sizeof c->buf, "%s%.1f",
			 x->estimate ? "~" : "", c->real * 100);
		c->text = c->buf;
	}
	if (kind > VALUE_NUMBER)
		return;
	c->unknown = false;
	c->text = x->shown ? x->shown : x->v.known ? x->v.text : "-";
	/* The first text column names the total and the other rows. */
	if (kind != VALUE_TEXT || (row != r->total && row != r->others))
		return;
	c->text = at != v->first ? "" : row == r->total ? "<TOTAL>" : c->buf;
	if (row == r->others)
		snprintf(c->buf, sizeof c->buf, "(%zu other%s)", r->nothers,
			 r->nothers == 1 ? "" : "s");
}

static void
put_nothing(const struct grid *g, const void *row)
{
	(void)g, (void)row;
}

enum { TITLE = 64 };

static char *
result_title(const struct result *r, size_t k, char buf[TITLE])
{
	const struct result_column *c = &r->column[k];

	snprintf(buf, TITLE, "%s%s", c->kind == VALUE_SHARE ? "% " : "",
		 c->name);
	for (char *s = buf; *s && !r->plain; s++)
		if (*s == '_')
			*s = ' ';
	return buf;
}

/* Set the columns of the grid.  Without a text column, add one for names. */
static size_t
result_columns(struct view *v, struct grid_column *c, char (*titles)[TITLE])
{
	static const enum grid_kind kinds[] = {
		[VALUE_TEXT] = GRID_LEFT,   [VALUE_NUMBER] = GRID_TEXT,
		[VALUE_COUNT] = GRID_COUNT, [VALUE_BYTES] = GRID_BYTES,
		[VALUE_TIME] = GRID_TIME,   [VALUE_SHARE] = GRID_TEXT,
		[VALUE_SCORE] = GRID_SCORE,
	};
	size_t n = v->r->ncolumns;

	v->first = n;
	for (size_t k = n; k-- > 0;) {
		bool text = v->r->column[k].kind == VALUE_TEXT;

		v->first = text ? k : v->first;
		c[k] = (struct grid_column){
			.head = result_title(v->r, k, titles[k]),
			.kind = kinds[v->r->column[k].kind],
			.width = text ? 8 : 7,
			.at = (unsigned)k,
			.get = result_get,
			.before = text ? "   " : "  ",
		};
	}
	c[n] = (struct grid_column)NAME(NULL, "   ", put_nothing, NULL);
	return v->first < n ? n : n + 1;
}

void
result_table(const struct result *r, struct tables *t)
{
	size_t n = r->ncolumns + 1;
	size_t *width = calloc(n, sizeof *width);
	struct grid_column *column = calloc(n, sizeof *column);
	char(*titles)[TITLE] = calloc(n, sizeof *titles);
	struct view v = { .r = r };
	struct grid g;

	if (width && column && titles) {
		n = result_columns(&v, column, titles);
		grid_init_wide(&g, t, column, n, width);
		g.arg = &v;
		grid_print(&g, &(struct grid_rows){
				       .v = r->cell,
				       .n = r->n,
				       .size = r->ncolumns * sizeof *r->cell,
				       .total = r->total,
				       .other = r->others,
				       .others = r->others ? r->nothers : 0 });
	} else {
		t->line.failed = true;
	}
	free(width);
	free(column);
	free(titles);
}
