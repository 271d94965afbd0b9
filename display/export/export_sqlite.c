/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --export=sqlite: the tables of queries as a database. */
#include "display/export/export.h"

#include "display/schema/schema.h"
#include "display/query/sql.h"
#include "display/text/intern.h"
#include "reduce/base/clean.h"

#include <stdlib.h>
#include <string.h>

/*
 * A longer text is stored once, in the table "names": the name of a template
 * can have thousands of bytes and be in many rows.  A table with such texts is
 * called NAME_stored and has their numbers instead.  NAME is a view with the
 * texts.
 */
enum { LONG_TEXT = 200 };

struct database {
	sqlite3 *db;
	struct schema s;
	struct intern names;  /* the long texts, numbered from 0 */
	struct owned texts;   /* the memory of the long texts */
	sqlite3_stmt *insert; /* adds a long text */
};

static int
export_sqlite_run(struct database *d, char *text)
{
	int r = text ? sqlite3_exec(d->db, text, NULL, NULL, NULL)
		     : SQLITE_NOMEM;

	sqlite3_free(text);
	return r;
}

static bool
is_long(const struct schema_field *f, const struct value *v)
{
	return f->kind == VALUE_TEXT && v->known && strlen(v->text) > LONG_TEXT;
}

/* Does the table have a long text? */
static bool
has_long(struct database *d, const struct schema_table *t, const char *row,
	 size_t n)
{
	struct value v;

	for (size_t i = 0; i < n * t->nfields; i++) {
		const struct schema_field *f = &t->field[i % t->nfields];
		size_t k = i / t->nfields;

		if (f->hidden || f->kind != VALUE_TEXT)
			continue;
		schema_get(&d->s, t, f, row + k * t->size, k, &v);
		if (is_long(f, &v))
			return true;
	}
	return false;
}

/* Bind the number of a long text; add it to the table "names" if it is new. */
static int
bind_long(struct database *d, sqlite3_stmt *stmt, int k, const char *text)
{
	size_t had = d->names.n;
	char *copy = clean_lines(strdup(text));
	uint32_t n = copy ? intern_text(&d->names, copy) : INTERN_FAILED;
	int r = SQLITE_OK;

	if (n == INTERN_FAILED || d->names.n == had) {
		free(copy);
		if (n == INTERN_FAILED)
			return SQLITE_NOMEM;
	} else {
		if (!owned_add(&d->texts, copy))
			return SQLITE_NOMEM;
		sqlite3_bind_int64(d->insert, 1, n + 1);
		r = sqlite3_bind_text(d->insert, 2, copy, -1, SQLITE_STATIC);
		if (r == SQLITE_OK && sqlite3_step(d->insert) != SQLITE_DONE)
			r = SQLITE_NOMEM;
		sqlite3_reset(d->insert);
	}
	return r == SQLITE_OK ? sqlite3_bind_int64(stmt, k, n + 1) : r;
}

/* The statement "INSERT INTO t", with a parameter for each field. */
static sqlite3_stmt *
insertion(struct database *d, const struct schema_table *t, bool stored)
{
	sqlite3_str *s = sqlite3_str_new(d->db);
	sqlite3_stmt *stmt = NULL;
	const char *comma = "";
	char *text;

	sqlite3_str_appendf(s, "INSERT INTO \"%w%s\" VALUES(", t->name,
			    stored ? "_stored" : "");
	for (size_t i = 0; i < t->nfields; i++) {
		if (!schema_stored(&t->field[i], d->s.p))
			continue;
		sqlite3_str_appendf(s, "%s?", comma);
		comma = ",";
	}
	sqlite3_str_appendall(s, ")");
	text = sqlite3_str_finish(s);
	if (text)
		sqlite3_prepare_v2(d->db, text, -1, &stmt, NULL);
	sqlite3_free(text);
	return stmt;
}

static int
export_sqlite_put_row(struct database *d, const struct schema_table *t,
		      sqlite3_stmt *stmt, const char *row, size_t number)
{
	struct value v;
	int r = SQLITE_OK, k = 0;

	for (size_t i = 0; i < t->nfields && r == SQLITE_OK; i++) {
		if (!schema_stored(&t->field[i], d->s.p))
			continue;
		schema_get(&d->s, t, &t->field[i], row, number, &v);
		if (is_long(&t->field[i], &v))
			r = bind_long(d, stmt, ++k, v.text);
		else
			r = sql_bind(stmt, ++k, &t->field[i], &v);
	}
	if (r == SQLITE_OK && sqlite3_step(stmt) != SQLITE_DONE)
		r = SQLITE_NOMEM;
	sqlite3_reset(stmt);
	return d->s.failed ? SQLITE_NOMEM : r;
}

/*
 * Create the table, with columns that can hold a text's number, and the view
 * NAME, which shows the text for each number.
 */
static int
create_stored(struct database *d, const struct schema_table *t)
{
	sqlite3_str *table = sqlite3_str_new(d->db);
	sqlite3_str *view = sqlite3_str_new(d->db);
	const char *comma = "";
	int r;

	sqlite3_str_appendf(table, "CREATE TABLE \"%w_stored\"(", t->name);
	sqlite3_str_appendf(view, "CREATE VIEW \"%w\" AS SELECT ", t->name);
	for (size_t i = 0; i < t->nfields; i++) {
		const struct schema_field *f = &t->field[i];

		if (!schema_stored(f, d->s.p))
			continue;
		sqlite3_str_appendf(table, "%s\"%w\" %s", comma, f->name,
				    f->kind == VALUE_TEXT ? ""
							  : sql_type(f->kind));
		if (f->kind == VALUE_TEXT)
			sqlite3_str_appendf(
				view,
				"%sCASE typeof(\"%w\") WHEN 'integer' THEN "
				"(SELECT text FROM names WHERE id = \"%w\") "
				"ELSE \"%w\" END AS \"%w\"",
				comma, f->name, f->name, f->name, f->name);
		else
			sqlite3_str_appendf(view, "%s\"%w\"", comma, f->name);
		comma = ", ";
	}
	sqlite3_str_appendf(table, ")");
	sqlite3_str_appendf(view, " FROM \"%w_stored\"", t->name);
	r = export_sqlite_run(d, sqlite3_str_finish(table));
	if (r != SQLITE_OK) {
		sqlite3_free(sqlite3_str_finish(view));
		return r;
	}
	return export_sqlite_run(d, sqlite3_str_finish(view));
}

/* Create the table "names", and the statement that adds to it. */
static int
create_names(struct database *d)
{
	int r = export_sqlite_run(
		d, sqlite3_mprintf("CREATE TABLE names(id INTEGER PRIMARY "
				   "KEY, text TEXT)"));

	return r != SQLITE_OK
		       ? r
		       : sqlite3_prepare_v2(d->db,
					    "INSERT INTO names VALUES(?, ?)",
					    -1, &d->insert, NULL);
}

/* Write a table.  If the profile doesn't have its data, it is created empty. */
static int
put_table(struct database *d, const struct schema_table *t)
{
	bool known = true, stored;
	sqlite3_stmt *stmt;
	const void *row;
	size_t n = 0;
	int r;

	if (schema_rows(&d->s, t, &row, &n)) {
		if (!*d->s.e.text)
			return SQLITE_NOMEM;
		*d->s.e.text = '\0';
		known = false;
	}
	stored = known && has_long(d, t, row, n);
	if (stored && !d->insert && (r = create_names(d)) != SQLITE_OK)
		return r;
	r = stored ? create_stored(d, t)
		   : export_sqlite_run(d, sql_table_create(t, d->s.p));
	if (r != SQLITE_OK || !known)
		return r;
	stmt = insertion(d, t, stored);
	if (!stmt)
		return SQLITE_NOMEM;
	for (size_t i = 0; i < n && r == SQLITE_OK; i++)
		r = export_sqlite_put_row(d, t, stmt,
					  (const char *)row + i * t->size, i);
	sqlite3_finalize(stmt);
	return r;
}

static int
export_sqlite_put_all(struct database *d)
{
	int r = export_sqlite_run(d, sqlite3_mprintf("BEGIN"));

	for (const struct schema_table *t = schema_tables;
	     t->name && r == SQLITE_OK; t++)
		r = put_table(d, t);
	for (const struct schema_view *v = schema_views;
	     v->name && r == SQLITE_OK; v++)
		r = export_sqlite_run(
			d, sqlite3_mprintf("CREATE VIEW \"%w\" AS %s", v->name,
					   v->select));
	return r == SQLITE_OK ? export_sqlite_run(d, sqlite3_mprintf("COMMIT"))
			      : r;
}

/* Write the database in the form of a file. */
static int
put_file(struct database *d, FILE *out)
{
	sqlite3_int64 n = 0;
	unsigned char *v = sqlite3_serialize(d->db, "main", &n, 0);

	if (!v)
		return -1;
	fwrite(v, 1, (size_t)n, out);
	sqlite3_free(v);
	return 0;
}

int
export_sqlite(struct export *x)
{
	struct database d = { .db = NULL };
	int status = -1;

	if (!schema_init(&d.s, x->p) &&
	    sqlite3_open(":memory:", &d.db) == SQLITE_OK &&
	    export_sqlite_put_all(&d) == SQLITE_OK)
		status = put_file(&d, x->out);
	if (status && d.db && sqlite3_errcode(d.db) != SQLITE_OK)
		snprintf(x->e->text, sizeof x->e->text, "--export=sqlite: %s",
			 sqlite3_errmsg(d.db));
	sqlite3_finalize(d.insert);
	sqlite3_close(d.db);
	intern_fini(&d.names);
	owned_free(&d.texts);
	schema_fini(&d.s);
	return status;
}
