/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --export=sqlite: the tables of queries, as a database. */
#include "display/export/export.h"

#include "display/schema/schema.h"
#include "display/query/sql.h"

struct database {
	sqlite3 *db;
	struct schema s;
};

static int
run(struct database *d, char *text)
{
	int r = text ? sqlite3_exec(d->db, text, NULL, NULL, NULL)
		     : SQLITE_NOMEM;

	sqlite3_free(text);
	return r;
}

/* INSERT INTO the table, a parameter for each field. */
static sqlite3_stmt *
insertion(struct database *d, const struct schema_table *t)
{
	sqlite3_str *s = sqlite3_str_new(d->db);
	sqlite3_stmt *stmt = NULL;
	char *text;

	sqlite3_str_appendf(s, "INSERT INTO \"%w\" VALUES(", t->name);
	for (size_t i = 0; i < t->nfields; i++)
		if (!t->field[i].hidden)
			sqlite3_str_appendall(s, i ? ",?" : "?");
	sqlite3_str_appendall(s, ")");
	text = sqlite3_str_finish(s);
	if (text)
		sqlite3_prepare_v2(d->db, text, -1, &stmt, NULL);
	sqlite3_free(text);
	return stmt;
}

static int
put_row(struct database *d, const struct schema_table *t, sqlite3_stmt *stmt,
	const char *row, size_t number)
{
	struct value v;
	int r = SQLITE_OK, k = 0;

	for (size_t i = 0; i < t->nfields && r == SQLITE_OK; i++) {
		if (t->field[i].hidden)
			continue;
		schema_get(&d->s, t, &t->field[i], row, number, &v);
		r = sql_bind(stmt, ++k, &t->field[i], &v);
	}
	if (r == SQLITE_OK && sqlite3_step(stmt) != SQLITE_DONE)
		r = SQLITE_NOMEM;
	sqlite3_reset(stmt);
	return d->s.failed ? SQLITE_NOMEM : r;
}

/* A table that this profile hasn't is there, and empty. */
static int
put_table(struct database *d, const struct schema_table *t)
{
	int r = run(d, sql_table_create(t, false));
	sqlite3_stmt *stmt;
	const void *row;
	size_t n;

	if (r != SQLITE_OK)
		return r;
	if (schema_rows(&d->s, t, &row, &n)) {
		r = *d->s.e.text ? SQLITE_OK : SQLITE_NOMEM;
		*d->s.e.text = '\0';
		return r;
	}
	stmt = insertion(d, t);
	if (!stmt)
		return SQLITE_NOMEM;
	for (size_t i = 0; i < n && r == SQLITE_OK; i++)
		r = put_row(d, t, stmt, (const char *)row + i * t->size, i);
	sqlite3_finalize(stmt);
	return r;
}

static int
put_all(struct database *d)
{
	int r = run(d, sqlite3_mprintf("BEGIN"));

	for (const struct schema_table *t = schema_tables;
	     t->name && r == SQLITE_OK; t++)
		r = put_table(d, t);
	for (const struct schema_view *v = schema_views;
	     v->name && r == SQLITE_OK; v++)
		r = run(d, sqlite3_mprintf("CREATE VIEW \"%w\" AS %s", v->name,
					   v->select));
	return r == SQLITE_OK ? run(d, sqlite3_mprintf("COMMIT")) : r;
}

/* All of the database as it would be in a file. */
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
	    put_all(&d) == SQLITE_OK)
		status = put_file(&d, x->out);
	if (status && d.db && sqlite3_errcode(d.db) != SQLITE_OK)
		snprintf(x->e->text, sizeof x->e->text, "--export=sqlite: %s",
			 sqlite3_errmsg(d.db));
	sqlite3_close(d.db);
	schema_fini(&d.s);
	return status;
}
