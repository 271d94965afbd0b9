/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of values, and ways to write them: see rows.h. */
#include "display/query/rows.h"

#include "display/grid/table.h"
#include "display/text/name.h"
#include "display/text/number.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void
rows_init(struct rows *r, const struct rows_column *column, size_t n)
{
	*r = (struct rows){ .column = column, .ncolumns = n };
}

void
rows_fini(struct rows *r)
{
	for (size_t i = 0; i < r->nowned; i++)
		free(r->owned[i]);
	free(r->owned);
	free(r->cell);
	*r = (struct rows){ 0 };
}

struct rows_cell *
rows_add(struct rows *r)
{
	struct rows_cell *v = r->cell;

	if (r->n == r->room) {
		r->room = r->room * 2 + 16;
		v = reallocarray(v, r->room, r->ncolumns * sizeof *v);
		if (!v)
			return NULL;
		r->cell = v;
	}
	v += r->n++ * r->ncolumns;
	memset(v, 0, r->ncolumns * sizeof *v);
	return v;
}

const char *
rows_own(struct rows *r, char *text)
{
	char **v = r->owned;

	if (text && r->nowned == r->owned_room) {
		r->owned_room = r->owned_room * 2 + 16;
		v = reallocarray(v, r->owned_room, sizeof *v);
		if (!v) {
			free(text);
			return NULL;
		}
		r->owned = v;
	}
	if (text)
		v[r->nowned++] = text;
	return text;
}

/* ------------------------------------------------------------------ JSON -- */

static void
json_cell(struct writer *w, const struct rows_column *c,
	  const struct rows_cell *x)
{
	if (!x->known)
		writer_null(w, c->name);
	else if (x->bare)
		writer_digits(w, c->name, x->text);
	else if (c->kind == ROWS_TEXT)
		writer_text(w, c->name, x->text);
	else if (c->kind >= ROWS_SHARE)
		writer_real(w, c->name, x->real);
	else
		writer_number(w, c->name, x->n);
}

void
rows_json(const struct rows *r, struct writer *w, const char *name)
{
	writer_enter(w, name, '[');
	for (size_t i = 0; i < r->n; i++) {
		writer_line(w, NULL, '{');
		for (size_t k = 0; k < r->ncolumns; k++)
			json_cell(w, &r->column[k],
				  &r->cell[i * r->ncolumns + k]);
		writer_leave(w, '}');
	}
	writer_leave(w, ']');
}

/* ------------------------------------------------------------------- CSV -- */

void
rows_csv_field(FILE *out, size_t i, const char *s)
{
	if (i)
		putc(',', out);
	if (!s[strcspn(s, ",\"\r\n")] && *s != ' ' &&
	    (!*s || s[strlen(s) - 1] != ' ')) {
		fputs(s, out);
		return;
	}
	putc('"', out);
	for (; *s; s++) {
		if (*s == '"')
			putc('"', out);
		putc(*s, out);
	}
	putc('"', out);
}

/* As text, in buf of n bytes if it isn't there as one. */
static const char *
csv_text(enum rows_kind kind, const struct rows_cell *x, char *buf, size_t n)
{
	if (!x->known)
		return "";
	if (kind <= ROWS_NUMBER || x->bare)
		return x->text;
	if (kind >= ROWS_SHARE)
		snprintf(buf, n, "%.15g", x->real);
	else
		snprintf(buf, n, "%" PRIu64, x->n);
	return buf;
}

void
rows_csv(const struct rows *r, FILE *out)
{
	const struct rows_cell *x = r->cell;
	char buf[32];

	for (size_t k = 0; k < r->ncolumns; k++)
		rows_csv_field(out, k, r->column[k].name);
	fputs("\r\n", out);
	for (size_t i = 0; i < r->n; i++) {
		for (size_t k = 0; k < r->ncolumns; k++, x++)
			rows_csv_field(out, k,
				       csv_text(r->column[k].kind, x, buf,
						sizeof buf));
		fputs("\r\n", out);
	}
}

/* ----------------------------------------------------------------- table -- */

enum { CELL_SIZE = NUMBER_SIZE + 2 };

/* A cell that is no text, in buf, of CELL_SIZE bytes. */
static char *
number(const struct tables *t, enum rows_kind kind, const struct rows_cell *x,
       char *buf)
{
	char *at = buf + x->estimate;

	buf[0] = '~';
	if (!x->known)
		snprintf(buf, CELL_SIZE, "-");
	else if (kind == ROWS_COUNT)
		number_count(at, x->n);
	else if (kind == ROWS_BYTES)
		tables_bytes(t, at, x->n);
	else if (kind == ROWS_TIME)
		number_time(at, x->n);
	else if (kind == ROWS_SCORE)
		number_score(at, x->real);
	else
		snprintf(at, NUMBER_SIZE, "%.1f", x->real * 100);
	return buf;
}

static const char *
shown(const struct rows_cell *x)
{
	return x->shown ? x->shown : x->known ? x->text : "-";
}

/* A text is as wide as the widest of its column, but for the last one. */
static size_t
width_of(const struct rows *r, const struct tables *t, size_t k,
	 const struct rows_cell *x)
{
	enum rows_kind kind = r->column[k].kind;
	char buf[CELL_SIZE];

	return kind <= ROWS_NUMBER ? line_width(shown(x))
				   : line_width(number(t, kind, x, buf));
}

static void
widen(size_t *width, size_t n)
{
	if (*width < n)
		*width = n;
}

static char *
title(const struct rows *r, size_t k, char *buf, size_t n)
{
	const struct rows_column *c = &r->column[k];

	snprintf(buf, n, "%s%s", c->kind == ROWS_SHARE ? "% " : "", c->name);
	for (char *s = buf; *s && !r->plain; s++)
		if (*s == '_')
			*s = ' ';
	return buf;
}

/* Widths of the columns, without what is between them. */
static void
measure(const struct rows *r, const struct tables *t, size_t *width)
{
	char buf[64];

	for (size_t k = 0; k < r->ncolumns; k++) {
		width[k] = r->column[k].kind == ROWS_TEXT ? 8 : 7;
		widen(&width[k], strlen(title(r, k, buf, sizeof buf)));
		for (size_t i = 0; i < r->n; i++)
			widen(&width[k],
			      width_of(r, t, k, &r->cell[i * r->ncolumns + k]));
		if (r->column[k].kind == ROWS_TEXT)
			continue;
		if (r->total)
			widen(&width[k], width_of(r, t, k, &r->total[k]));
		if (r->others)
			widen(&width[k], width_of(r, t, k, &r->others[k]));
	}
}

/* A text of a row, or what stands in the place of the first one. */
static void
put_text(struct tables *t, size_t width, const char *s, bool last)
{
	line_add(&t->line, "   ");
	if (last)
		line_add(&t->line, "%s", s);
	else
		line_left(&t->line, width, s);
}

/* label: instead of the first text, if it isn't NULL; the others are blank. */
static void
put_row(const struct rows *r, struct tables *t, const size_t *width,
	const struct rows_cell *x, const char *label)
{
	bool said = !label;
	char buf[CELL_SIZE];

	for (size_t k = 0; k < r->ncolumns; k++) {
		bool last = k + 1 == r->ncolumns;

		if (r->column[k].kind == ROWS_TEXT) {
			put_text(t, width[k],
				 !label ? shown(&x[k])
				 : said ? ""
					: label,
				 last);
			said = true;
			continue;
		}
		line_add(&t->line, "  ");
		line_right(&t->line, width[k],
			   r->column[k].kind == ROWS_NUMBER
				   ? shown(&x[k])
				   : number(t, r->column[k].kind, &x[k], buf));
	}
	if (!said)
		line_add(&t->line, "   %s", label);
	line_end(&t->line);
}

static void
put_header(const struct rows *r, struct tables *t, const size_t *width)
{
	char buf[64];

	for (size_t k = 0; k < r->ncolumns; k++) {
		title(r, k, buf, sizeof buf);
		if (r->column[k].kind == ROWS_TEXT) {
			put_text(t, width[k], buf, k + 1 == r->ncolumns);
			continue;
		}
		line_add(&t->line, "  ");
		line_right(&t->line, width[k], buf);
	}
	line_end(&t->line);
	line_end(&t->line);
}

void
rows_table(const struct rows *r, struct tables *t)
{
	size_t *width = calloc(r->ncolumns + 1, sizeof *width);
	char label[40];

	if (!width) {
		t->line.failed = true;
		return;
	}
	measure(r, t, width);
	put_header(r, t, width);
	if (r->total) {
		put_row(r, t, width, r->total, "<TOTAL>");
		line_end(&t->line);
	}
	for (size_t i = 0; i < r->n; i++)
		put_row(r, t, width, &r->cell[i * r->ncolumns], NULL);
	if (r->others) {
		snprintf(label, sizeof label, "(%zu other%s)", r->nothers,
			 r->nothers == 1 ? "" : "s");
		put_row(r, t, width, r->others, label);
	}
	free(width);
}
