/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The result of a user's statement as rows: see query.h. */
#include "display/query/query.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Print no more cells than this. */
enum { MOST = 20000000 };

/* A blob in SQL's form: X'00FF'.  NULL: out of memory. */
static char *
blob(sqlite3_stmt *stmt, int k)
{
	const unsigned char *v = sqlite3_column_blob(stmt, k);
	size_t n = (size_t)sqlite3_column_bytes(stmt, k);
	char *text = malloc(2 * n + 4);

	if (!text)
		return NULL;
	memcpy(text, "X'", 2);
	for (size_t i = 0; i < n; i++)
		snprintf(text + 2 + 2 * i, 3, "%02X", v[i]);
	memcpy(text + 2 + 2 * n, "'", 2);
	return text;
}

/* Fill a cell with a value of any kind.  0, or -1 when out of memory. */
static int
any(struct result *r, struct result_cell *x, sqlite3_stmt *stmt, int k)
{
	char buf[40];
	const char *text;
	double real;

	switch (sqlite3_column_type(stmt, k)) {
	case SQLITE_INTEGER:
		x->digits = true;
		break;
	case SQLITE_FLOAT:
		real = sqlite3_column_double(stmt, k);
		x->v.known = isfinite(real);
		x->digits = true;
		snprintf(buf, sizeof buf, "%.15g", real);
		x->v.text = result_own(r, strdup(buf));
		/* Only 15 digits are significant; a number can have 300. */
		if (fabs(real) < 1e15)
			snprintf(buf, sizeof buf,
				 fabs(real) < 1e6 ? "%.6g" : "%.0f", real);
		x->shown = result_own(r, strdup(buf));
		return x->v.text && x->shown ? 0 : -1;
	case SQLITE_BLOB:
		x->v.text = result_own(r, blob(stmt, k));
		return x->v.text ? 0 : -1;
	default:
		break;
	}
	text = (const char *)sqlite3_column_text(stmt, k);
	x->v.text = result_own(r, strdup(text ? text : ""));
	return x->v.text ? 0 : -1;
}

static int
query_answer_cell(struct result *r, struct result_cell *x, sqlite3_stmt *stmt,
		  int k, enum value_kind kind)
{
	int type = sqlite3_column_type(stmt, k);

	x->v.known = type != SQLITE_NULL;
	if (!x->v.known)
		return 0;
	if (kind <= VALUE_NUMBER)
		return any(r, x, stmt, k);
	/* JSON and CSV get the exact value. */
	if (type == SQLITE_FLOAT && kind < VALUE_SHARE && any(r, x, stmt, k))
		return -1;
	x->v.number = type == SQLITE_INTEGER
			      ? (uint64_t)sqlite3_column_int64(stmt, k)
			      : sqlite3_column_double(stmt, k);
	return 0;
}

/* A column of numbers has a text, as with UNION: make all cells texts. */
static int
make_text(struct result *r, struct result_column *column, size_t k)
{
	char buf[40];

	for (size_t i = 0; i + 1 < r->n; i++) {
		struct result_cell *x = &r->cell[i * r->ncolumns + k];

		if (!x->v.known || x->v.text)
			continue;
		snprintf(buf, sizeof buf, "%.15g", (double)x->v.number);
		x->digits = true;
		x->v.text = result_own(r, strdup(buf));
		if (!x->v.text)
			return -1;
	}
	column[k].kind = VALUE_TEXT;
	return 0;
}

static bool
query_answer_is_text(sqlite3_stmt *stmt, int k)
{
	int type = sqlite3_column_type(stmt, k);

	return type == SQLITE_TEXT || type == SQLITE_BLOB;
}

/* Align columns that have only numbers like numbers. */
static void
set_numbers(struct result *r, struct result_column *column)
{
	for (size_t k = 0; k < r->ncolumns; k++) {
		size_t texts = 0, numbers = 0;

		for (size_t i = 0; i < r->n; i++) {
			const struct result_cell *x =
				&r->cell[i * r->ncolumns + k];

			texts += x->v.known && !x->digits;
			numbers += x->v.known && x->digits;
		}
		if (column[k].kind == VALUE_TEXT && numbers && !texts)
			column[k].kind = VALUE_NUMBER;
	}
}

/* The columns and their names, owned by *r. */
static struct result_column *
query_answer_columns(struct result *r, sqlite3_stmt *stmt)
{
	size_t n = (size_t)sqlite3_column_count(stmt);
	struct result_column *v = calloc(n + 1, sizeof *v);

	if (!v || !result_own(r, (char *)v))
		return NULL;
	for (size_t k = 0; k < n; k++) {
		const char *name = sqlite3_column_name(stmt, (int)k);

		v[k].name = result_own(r, strdup(name ? name : ""));
		v[k].kind = sql_kind(stmt, (int)k);
		if (!v[k].name)
			return NULL;
	}
	r->column = v;
	r->ncolumns = n;
	return v;
}

static int
query_answer_fill(struct result *r, struct sql *sql, sqlite3_stmt *stmt,
		  struct err *e)
{
	struct result_column *column = query_answer_columns(r, stmt);
	int more = 0;

	err_memory(e);
	if (!column)
		return -1;
	while ((more = sql_step(sql, stmt, "--sql", e)) > 0) {
		struct result_cell *x = result_add(r);

		if (!x)
			return -1;
		for (size_t k = 0; k < r->ncolumns; k++)
			if ((column[k].kind > VALUE_NUMBER &&
			     query_answer_is_text(stmt, (int)k) &&
			     make_text(r, column, k)) ||
			    query_answer_cell(r, &x[k], stmt, (int)k,
					      column[k].kind))
				return -1;
		if (r->n * r->ncolumns > MOST)
			return err_set(e, "%.300s: too many rows; add LIMIT",
				       "--sql");
	}
	if (more < 0)
		return -1;
	set_numbers(r, column);
	return 0;
}

int
query_answer(struct result *r, struct sql *sql, const struct query *q,
	     struct err *e)
{
	sqlite3_stmt *stmt = sql_prepare(sql, q->sql, "--sql", e);
	int status;

	result_init(r, NULL, 0);
	r->plain = true;
	if (!stmt)
		return -1;
	status = query_answer_fill(r, sql, stmt, e);
	sqlite3_finalize(stmt);
	return status;
}
