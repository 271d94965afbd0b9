/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --export=csv: the tables of the JSON as comma-separated values (RFC 4180).
 * Each member of the top object that is an array of objects, or an object, is a
 * table whose rows are these objects.  An object in a row becomes columns named
 * OUTER.INNER; an array becomes a cell with JSON; null becomes an empty cell.
 * If all tables are written, each has its name on a line before and an empty
 * line after it.
 */
#define _GNU_SOURCE
#include "display/export/export.h"

#include "display/query/result.h"
#include "reduce/base/clean.h"

#include <stdlib.h>
#include <string.h>

enum { LEVELS = 16 };

struct sheet_column {
	char *name;
	bool filled; /* a row has a value other than null */
};

/* A table, and its columns in order of first use. */
struct sheet {
	const char *name;
	struct sheet_column *column;
	size_t ncolumns;
};

/*
 * The JSON is walked twice: first to find the columns of the tables, as rows
 * may omit columns; then to write the rows.
 */
struct csv {
	const char *wanted; /* one table; NULL: all */
	const struct profile *results; /* if set: only its modules' results */
	FILE *out;
	bool writes;  /* second walk */
	bool failed;  /* out of memory */
	bool started; /* something was written */
	bool single;  /* the row is a single value */
	struct sheet *sheets;
	size_t nsheets;
	struct sheet *sheet;   /* the current table; NULL: none, or not
				* wanted */
	unsigned level;	       /* number of open brackets */
	unsigned row;	       /* level of the row's bracket, 0: no row */
	unsigned nested;       /* level of an array in the row, 0: none */
	char path[512];	       /* the open members of the row */
	size_t length[LEVELS]; /* of path, by level */
	size_t column;	       /* the cell's */
	size_t guess;	       /* the most likely next column */
	char **cell;	       /* by column; "" if empty */
	struct writer w;       /* writes a cell */
	char *text;	       /* the text that w has written */
	size_t size;
};

static bool
export_csv_is_wanted(const struct csv *c, const char *name)
{
	const struct schema_table *t = schema_table(name);

	return c->results ? t && t->findings
			  : !c->wanted || !strcmp(c->wanted, name);
}

/* The table of that name, added if it is new; NULL: it isn't wanted. */
static struct sheet *
sheet_of(struct csv *c, const char *name)
{
	struct sheet *s;

	if (!export_csv_is_wanted(c, name))
		return NULL;
	for (size_t i = 0; i < c->nsheets; i++)
		if (!strcmp(c->sheets[i].name, name))
			return &c->sheets[i];
	s = reallocarray(c->sheets, c->nsheets + 1, sizeof *s);
	if (!s) {
		c->failed = true;
		return NULL;
	}
	c->sheets = s;
	s[c->nsheets] = (struct sheet){ .name = name };
	return &s[c->nsheets++];
}

/* The index of the column; SIZE_MAX: out of memory, or no such column. */
static size_t
export_csv_column_of(struct csv *c, const char *name)
{
	struct sheet *s = c->sheet;
	struct sheet_column *v;

	for (size_t k = 0; k < s->ncolumns; k++) {
		size_t i = (c->guess + k) % s->ncolumns;

		if (!strcmp(s->column[i].name, name))
			return i;
	}
	if (c->writes)
		return SIZE_MAX;
	v = reallocarray(s->column, s->ncolumns + 1, sizeof *v);
	if (v)
		s->column = v;
	if (!v || !(v[s->ncolumns].name = strdup(name))) {
		c->failed = true;
		return SIZE_MAX;
	}
	v[s->ncolumns].filled = false;
	return s->ncolumns++;
}

/* Write the head of a table. */
static void
sheet_begin(struct csv *c)
{
	size_t n = c->sheet->ncolumns;

	if (!c->writes || n == 0)
		return;
	if (c->started)
		fputs("\r\n", c->out);
	c->started = true;
	if (!c->wanted)
		fprintf(c->out, "%s\r\n", c->sheet->name);
	for (size_t i = 0; i < n; i++)
		result_csv_field(c->out, i, c->sheet->column[i].name);
	fputs("\r\n", c->out);
	c->cell = calloc(n + 1, sizeof *c->cell);
	c->failed |= !c->cell;
}

static void
cells_clear(struct csv *c, size_t n)
{
	for (size_t i = 0; c->cell && i < n; i++) {
		free(c->cell[i]);
		c->cell[i] = NULL;
	}
}

static void
sheet_end(struct csv *c)
{
	free(c->cell);
	c->cell = NULL;
	c->sheet = NULL;
}

static void
row_begin(struct csv *c)
{
	c->row = c->level;
	c->length[c->level] = 0;
	c->guess = 0;
}

static void
row_end(struct csv *c)
{
	c->row = 0;
	if (!c->writes || !c->cell)
		return;
	for (size_t i = 0; i < c->sheet->ncolumns; i++)
		result_csv_field(c->out, i, c->cell[i] ? c->cell[i] : "");
	fputs("\r\n", c->out);
	cells_clear(c, c->sheet->ncolumns);
}

/* Find the column of value `name'.  c->length is not changed. */
static void
cell_find(struct csv *c, const char *name)
{
	size_t n = c->length[c->level];

	snprintf(c->path + n, sizeof c->path - n, "%s%s", n ? "." : "",
		 name ? name : "value");
	c->column = export_csv_column_of(c, c->path);
	c->guess = c->column == SIZE_MAX ? c->guess : c->column + 1;
}

static struct writer *
csv_cell(void *arg, const char **name)
{
	struct csv *c = arg;

	if (c->failed || !c->sheet)
		return NULL;
	if (c->nested)
		return &c->w;
	/* In an array of plain values each value is a row. */
	c->single = !c->row && c->level == 2;
	if (c->single)
		row_begin(c);
	else if (!c->row)
		return NULL;
	cell_find(c, *name);
	*name = NULL;
	c->w = (struct writer){ .first = true,
				.out = open_memstream(&c->text, &c->size) };
	c->failed |= !c->w.out;
	return c->failed ? NULL : &c->w;
}

/* Turn a JSON string into its text, in place, without quotes and escapes. */
static void
export_csv_plain(char *s)
{
	char *to = s;
	char hex[5] = "";
	unsigned long code;

	for (char *p = s + 1; *p && *p != '"'; p++) {
		if (*p != '\\') {
			*to++ = *p;
		} else if (*++p != 'u') {
			*to++ = *p;
		} else {
			memcpy(hex, p + 1, 4);
			code = strtoul(hex, NULL, 16);
			/* This byte isn't UTF-8, or is a control character. */
			if (code == 0xfffd)
				to = stpcpy(to, CLEAN_UNKNOWN);
			else
				*to++ = code == '\n' || code == '\t'
						? (char)code
						: '?';
			p += 4;
		}
	}
	*to = '\0';
}

static void
csv_cell_end(void *arg, bool text)
{
	struct csv *c = arg;

	if (c->nested || !c->w.out)
		return;
	if (fclose(c->w.out) || !c->text)
		c->failed = true;
	c->w.out = NULL;
	if (c->failed)
		return;
	if (!strcmp(c->text, "null"))
		*c->text = '\0';
	else if (c->column != SIZE_MAX)
		c->sheet->column[c->column].filled = true;
	if (text)
		export_csv_plain(c->text);
	if (c->writes && c->cell && c->column != SIZE_MAX) {
		free(c->cell[c->column]);
		c->cell[c->column] = c->text;
	} else {
		free(c->text);
	}
	c->text = NULL;
	if (c->single)
		row_end(c);
	c->single = false;
}

static void
csv_enter(void *arg, const char *name, char bracket)
{
	struct csv *c = arg;
	unsigned level = c->level;

	c->level++;
	if (c->failed || c->level >= LEVELS)
		return;
	if (c->nested) {
		writer_enter(&c->w, name, bracket);
		return;
	}
	if (level == 1 && name)
		c->sheet = sheet_of(c, name);
	if (!c->sheet)
		return;
	if (level == 1)
		sheet_begin(c);
	if (c->row && bracket == '[') {
		c->level = level;
		csv_cell(c, &name);
		c->level++;
		c->nested = c->level;
		if (!c->failed)
			writer_enter(&c->w, NULL, bracket);
	} else if (c->row) {
		size_t n = c->length[level];

		snprintf(c->path + n, sizeof c->path - n, "%s%s", n ? "." : "",
			 name ? name : "");
		c->length[c->level] = strlen(c->path);
	} else if (bracket == '{') {
		row_begin(c);
	}
}

static void
csv_leave(void *arg, char bracket)
{
	struct csv *c = arg;
	unsigned level = c->level--;

	if (c->failed || level >= LEVELS)
		return;
	if (c->nested) {
		writer_leave(&c->w, bracket);
		if (level != c->nested)
			return;
		c->nested = 0;
		csv_cell_end(c, false);
		return;
	}
	if (c->row && level == c->row)
		row_end(c);
	if (level == 2 && c->sheet)
		sheet_end(c);
}

static const struct writer_sink csv_sink = { csv_enter, csv_leave, csv_cell,
					     csv_cell_end };

/* Is there any column "NAME.MEMBER"? */
static bool
divided(const struct sheet *s, const char *name)
{
	size_t n = strlen(name);

	for (size_t i = 0; i < s->ncolumns; i++)
		if (s->column[i].name && !strncmp(s->column[i].name, name, n) &&
		    s->column[i].name[n] == '.')
			return true;
	return false;
}

/* Drop a column of nulls if other rows have an object, with columns, there. */
static void
sheet_drop_nulls(struct sheet *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->ncolumns; i++) {
		struct sheet_column *k = &s->column[i];

		if (!k->filled && divided(s, k->name)) {
			free(k->name);
			k->name = NULL;
		} else if (k->name) {
			s->column[n++] = *k;
		}
	}
	s->ncolumns = n;
}

static void
csv_fini(struct csv *c)
{
	if (c->sheet)
		cells_clear(c, c->sheet->ncolumns);
	free(c->cell);
	for (size_t i = 0; i < c->nsheets; i++) {
		for (size_t k = 0; k < c->sheets[i].ncolumns; k++)
			free(c->sheets[i].column[k].name);
		free(c->sheets[i].column);
	}
	free(c->sheets);
}

static int
export_csv_unknown(const struct profile *p, const char *table, struct err *e)
{
	struct csv all = { .out = NULL };
	size_t n;

	if (json_to_sink(p, &csv_sink, &all)) {
		csv_fini(&all);
		return err_memory(e);
	}
	snprintf(e->text, sizeof e->text,
		 "csv:%.100s: no such table; the tables are all", table);
	for (size_t i = 0; i < all.nsheets; i++) {
		n = strlen(e->text);
		snprintf(e->text + n, sizeof e->text - n, ", %s",
			 all.sheets[i].name);
	}
	csv_fini(&all);
	return -1;
}

int
export_csv(struct export *x)
{
	struct csv c = { .out = x->out, .wanted = x->part ? x->part : "sites" };
	int r;

	if (!x->part && x->results)
		c.results = x->p;
	if (c.results || !strcmp(c.wanted, "all"))
		c.wanted = NULL;
	r = json_to_sink(x->p, &csv_sink, &c);
	if (r == 0 && c.nsheets == 0 && c.results) {
		r = err_set(x->e, "csv: the modules have no tables");
	} else if (r == 0 && c.nsheets == 0) {
		r = export_csv_unknown(x->p, c.wanted, x->e);
	} else if (r == 0 && !c.failed) {
		for (size_t i = 0; i < c.nsheets; i++)
			sheet_drop_nulls(&c.sheets[i]);
		c.writes = true;
		r = json_to_sink(x->p, &csv_sink, &c);
	}
	if (c.failed)
		r = -1;
	csv_fini(&c);
	return r;
}
