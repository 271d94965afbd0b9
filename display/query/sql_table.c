/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of a profile as virtual tables of SQLite: see sql.h. */
#include "display/query/sql.h"
#include "reduce/base/clean.h"

#include <stdlib.h>
#include <string.h>

struct table {
	sqlite3_vtab base;
	struct sql *q;
	const struct schema_table *t;
};

struct cursor {
	sqlite3_vtab_cursor base;
	const char *row; /* all rows */
	size_t i, end;
};

/* The data of an SQLite module. */
struct module {
	struct sql *q;
	const struct schema_table *t;
};

/* The plan of xFilter(): all rows, or one row by its number. */
enum { ALL, ONE };

/* ------------------------------------------------------------------- names */

/*
 * Types by kind.  SQLite takes a type with INT as integer, with REAL as real.
 */
static const char *const kinds[] = {
	[VALUE_TEXT] = "TEXT",	   [VALUE_COUNT] = "INTEGER",
	[VALUE_BYTES] = "BYTES INT", [VALUE_TIME] = "NS INT",
	[VALUE_SHARE] = "SHARE REAL", [VALUE_SCORE] = "SCORE REAL",
};

enum value_kind
sql_kind(sqlite3_stmt *stmt, int column)
{
	const char *type = sqlite3_column_decltype(stmt, column);

	for (size_t i = 0; type && i < sizeof kinds / sizeof *kinds; i++)
		if (kinds[i] && !strcmp(type, kinds[i]))
			return (enum value_kind)i;
	return VALUE_TEXT;
}

const char *
sql_type(enum value_kind kind)
{
	return kinds[kind];
}

char *
sql_table_create(const struct schema_table *t, const struct profile *p)
{
	sqlite3_str *s = sqlite3_str_new(NULL);
	const char *comma = "";

	sqlite3_str_appendf(s, "CREATE TABLE \"%w\"(", t->name);
	for (size_t i = 0; i < t->nfields; i++) {
		const struct schema_field *f = &t->field[i];

		if (p && !schema_stored(f, p))
			continue;
		sqlite3_str_appendf(s, "%s\"%w\" %s%s", comma, f->name,
				    kinds[f->kind],
				    f->hidden && !p ? " HIDDEN" : "");
		comma = ", ";
	}
	sqlite3_str_appendf(s, ")");
	return sqlite3_str_finish(s);
}

/* ------------------------------------------------------------------ module */

static int
x_connect(sqlite3 *db, void *aux, int argc, const char *const *argv,
	  sqlite3_vtab **to, char **message)
{
	const struct module *m = aux;
	char *text = sql_table_create(m->t, NULL);
	bool own = m->q->own;
	struct table *v;
	int r;

	(void)argc, (void)argv, (void)message;
	/* SQLite counts the declaration of a table as a write. */
	m->q->own = true;
	r = text ? sqlite3_declare_vtab(db, text) : SQLITE_NOMEM;
	m->q->own = own;
	sqlite3_free(text);
	if (r)
		return r;
	v = sqlite3_malloc64(sizeof *v);
	if (!v)
		return SQLITE_NOMEM;
	*v = (struct table){ .q = m->q, .t = m->t };
	*to = &v->base;
	return SQLITE_OK;
}

static int
x_disconnect(sqlite3_vtab *v)
{
	sqlite3_free(v);
	return SQLITE_OK;
}

/* Choose the plan: one row by its number, or all, ordered by number. */
static int
x_best(sqlite3_vtab *v, sqlite3_index_info *x)
{
	const struct table *a = (const struct table *)(void *)v;

	x->idxNum = ALL;
	x->estimatedCost = 1e6;
	x->estimatedRows = 100000;
	for (int i = 0; i < x->nConstraint; i++) {
		int k = x->aConstraint[i].iColumn;

		if (!x->aConstraint[i].usable ||
		    x->aConstraint[i].op != SQLITE_INDEX_CONSTRAINT_EQ ||
		    k < 0 || a->t->field[k].from != SCHEMA_ROWID)
			continue;
		x->idxNum = ONE;
		x->aConstraintUsage[i].argvIndex = 1;
		x->idxFlags = SQLITE_INDEX_SCAN_UNIQUE;
		x->estimatedCost = 1;
		x->estimatedRows = 1;
		break;
	}
	x->orderByConsumed = !a->t->mixed && x->nOrderBy == 1 &&
			     !x->aOrderBy[0].desc &&
			     x->aOrderBy[0].iColumn >= 0 &&
			     a->t->field[x->aOrderBy[0].iColumn].sorted;
	return SQLITE_OK;
}

static int
x_open(sqlite3_vtab *v, sqlite3_vtab_cursor **to)
{
	struct cursor *c = sqlite3_malloc64(sizeof *c);

	(void)v;
	if (!c)
		return SQLITE_NOMEM;
	*c = (struct cursor){ .row = NULL };
	*to = &c->base;
	return SQLITE_OK;
}

static int
x_close(sqlite3_vtab_cursor *c)
{
	sqlite3_free(c);
	return SQLITE_OK;
}

/* The number of the row that equals x (1.0 equals 1); n: none. */
static size_t
row_number(sqlite3_value *x, size_t n)
{
	int type = sqlite3_value_numeric_type(x);
	double real = sqlite3_value_double(x);

	if ((type != SQLITE_INTEGER && type != SQLITE_FLOAT) || !(real >= 0) ||
	    real >= (double)n || real - (double)(size_t)real > 0)
		return n;
	return (size_t)real;
}

static int
x_filter(sqlite3_vtab_cursor *b, int number, const char *text, int argc,
	 sqlite3_value **argv)
{
	struct cursor *c = (struct cursor *)(void *)b;
	struct table *v = (struct table *)(void *)b->pVtab;
	const void *row;
	size_t n;

	(void)text, (void)argc;
	if (schema_rows(v->q->s, v->t, &row, &n)) {
		sqlite3_free(v->base.zErrMsg);
		v->base.zErrMsg =
			sqlite3_mprintf("%s", *v->q->s->e.text
						      ? v->q->s->e.text
						      : "out of memory");
		return SQLITE_ERROR;
	}
	c->row = row;
	c->i = 0;
	c->end = n;
	if (number == ALL)
		return SQLITE_OK;
	c->i = row_number(argv[0], n);
	c->end = c->i < n ? c->i + 1 : n;
	return SQLITE_OK;
}

static int
x_next(sqlite3_vtab_cursor *b)
{
	struct cursor *c = (struct cursor *)(void *)b;

	c->i++;
	return SQLITE_OK;
}

static int
x_eof(sqlite3_vtab_cursor *b)
{
	const struct cursor *c = (const struct cursor *)(void *)b;

	return c->i >= c->end;
}

/* Is it a whole number in the range of SQLite? */
static bool
is_whole(const struct schema_field *f, const struct value *v)
{
	return f->kind < VALUE_SHARE && v->number <= 9223372036854775807.0L &&
	       v->number - (long double)(int64_t)v->number <= 0;
}

static int
x_column(sqlite3_vtab_cursor *b, sqlite3_context *to, int i)
{
	const struct cursor *c = (const struct cursor *)(void *)b;
	const struct table *t = (const struct table *)(void *)b->pVtab;
	const struct schema_field *f = &t->t->field[i];
	struct value v;

	schema_get(t->q->s, t->t, f, c->row + c->i * t->t->size, c->i, &v);
	if (t->q->s->failed)
		return SQLITE_NOMEM;
	if (!v.known)
		sqlite3_result_null(to);
	else if (f->kind == VALUE_TEXT)
		sqlite3_result_text(to, v.text, -1, SQLITE_TRANSIENT);
	else if (is_whole(f, &v))
		sqlite3_result_int64(to, (int64_t)v.number);
	else
		sqlite3_result_double(to, (double)v.number);
	return SQLITE_OK;
}

int
sql_bind(sqlite3_stmt *stmt, int i, const struct schema_field *f,
	 const struct value *v)
{
	if (!v->known)
		return sqlite3_bind_null(stmt, i);
	if (f->kind == VALUE_TEXT) {
		char *text = clean_lines(strdup(v->text));

		return text ? sqlite3_bind_text(stmt, i, text, -1, free)
			    : SQLITE_NOMEM;
	}
	if (is_whole(f, v))
		return sqlite3_bind_int64(stmt, i, (int64_t)v->number);
	return sqlite3_bind_double(stmt, i, (double)v->number);
}

static int
x_rowid(sqlite3_vtab_cursor *b, sqlite3_int64 *to)
{
	*to = (sqlite3_int64)((const struct cursor *)(void *)b)->i;
	return SQLITE_OK;
}

static const sqlite3_module module = {
	.iVersion = 1,
	.xConnect = x_connect,
	.xBestIndex = x_best,
	.xDisconnect = x_disconnect,
	.xOpen = x_open,
	.xClose = x_close,
	.xFilter = x_filter,
	.xNext = x_next,
	.xEof = x_eof,
	.xColumn = x_column,
	.xRowid = x_rowid,
};

int
sql_table_add(struct sql *q, const struct schema_table *t)
{
	struct module *m = sqlite3_malloc64(sizeof *m);

	if (!m)
		return SQLITE_NOMEM;
	*m = (struct module){ q, t };
	return sqlite3_create_module_v2(q->db, t->name, &module, m,
					sqlite3_free);
}
