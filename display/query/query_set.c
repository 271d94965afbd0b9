/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Make a query from the texts of options: see query.h. */
#include "display/query/query.h"

#include <stdlib.h>
#include <string.h>

#define BY(n, text, column) \
	{ \
		.name = n, .meaning = text, .at = COLUMN_##column \
	}
const struct schema_field query_by[QUERY_NBY] = {
	[QUERY_TYPE] = BY("type", "Type", TYPE),
	[QUERY_SITE] = BY("site", "Call Path", SITE),
	[QUERY_FUNCTION] = BY("function", "Function", FUNCTION),
	[QUERY_FILE] = BY("file", "File", FILE),
	[QUERY_MODULE] = BY("module", "Module", MODULE),
	[QUERY_THREAD] = BY("thread", "Thread", THREAD),
	[QUERY_SIZE] = BY("size", "Size", SIZE),
	[QUERY_LIFETIME] = BY("lifetime", "Lifetime", LIVED),
};
static const struct schema_table by_table = { .field = query_by,
					      .nfields = QUERY_NBY };

/* A name of a list that is separated by commas. */
struct name {
	size_t at, n; /* in the text */
	bool minus, plus; /* a sign before it */
};

static bool
query_set_next(const char *text, struct name *name)
{
	if (name->at + name->n && !text[name->at + name->n])
		return false;
	if (name->at + name->n)
		name->at += name->n + strspn(text + name->at + name->n, " \t");
	if (text[name->at] == ',')
		name->at++;
	name->at += strspn(text + name->at, " \t");
	name->minus = text[name->at] == '-';
	name->plus = text[name->at] == '+';
	name->at += name->minus || name->plus;
	name->n = strcspn(text + name->at, ", \t");
	return true;
}

/* Set an error for an unknown name. */
static int
query_set_unknown(const struct schema_table *scope, const char *text,
		  const struct name *name, const char *what, struct err *e)
{
	bool by = scope == &by_table;
	char message[SCHEMA_MESSAGE];

	schema_unknown(scope, by ? "group" : "column", text + name->at, name->n,
		       by, message);
	return caret_complain(e, what, text, name->at, message);
}

static int
set_by(struct query *q, const char *text, const char *what, struct err *e)
{
	struct name name = { 0 };
	const struct schema_field *f;
	size_t by;

	q->nby = 0;
	while (query_set_next(text, &name)) {
		f = schema_field(&by_table, text + name.at, name.n);
		by = f ? (size_t)(f - query_by) : QUERY_NBY;
		if (!f || name.minus || name.plus)
			return query_set_unknown(&by_table, text, &name, what,
						 e);
		for (size_t i = 0; i < q->nby; i++)
			if (q->by[i] == (enum query_by)by)
				return caret_complain(e, what, text, name.at,
						      "this is given twice");
		q->by[q->nby++] = (enum query_by)by;
	}
	return 0;
}

static int
set_sort(struct query *q, const char *text, const char *what, struct err *e)
{
	struct name name = { 0 };
	enum column c;
	bool reverse;

	q->nsort = 0;
	while (query_set_next(text, &name)) {
		c = cond_column(text + name.at, name.n);
		if (c == COLUMN_N && name.n == 6 &&
		    !strncmp(text + name.at, "blocks", 6))
			c = COLUMN_ALLOCS;
		if (c == COLUMN_N)
			return query_set_unknown(&columns_table, text, &name,
						 what, e);
		if (q->nsort == QUERY_SORTS)
			return caret_complain(e, what, text, name.at,
					      "too many columns");
		/* Texts ascend by default, figures descend. */
		reverse = name.minus ||
			  (name.plus && columns_field[c].kind != VALUE_TEXT);
		q->sort[q->nsort++] = (struct query_sort){ c, reverse };
	}
	return 0;
}

static int
set_columns(struct query *q, const char *text, const char *what, struct err *e)
{
	struct name name = { 0 };
	enum column c;

	q->ncolumns = 0;
	while (query_set_next(text, &name)) {
		c = cond_column(text + name.at, name.n);
		if (c == COLUMN_N || name.minus || name.plus)
			return query_set_unknown(&columns_table, text, &name,
						 what, e);
		for (size_t i = 0; i < q->ncolumns; i++)
			if (q->column[i] == c)
				return caret_complain(e, what, text, name.at,
						      "this is given twice");
		q->column[q->ncolumns++] = c;
	}
	return 0;
}

static int
add_where(struct query *q, const char *text, struct err *e)
{
	static const struct cond_scope scope = { &columns_table, NULL };
	struct cond *more =
		reallocarray(q->where, q->nwhere + 1, sizeof *q->where);

	if (!more)
		return err_memory(e);
	q->where = more;
	if (cond_parse(&more[q->nwhere], text, &scope, "--where", e))
		return -1;
	q->nwhere++;
	return 0;
}

void
query_fini(struct query *q)
{
	for (size_t i = 0; i < q->nwhere; i++)
		cond_fini(&q->where[i]);
	free(q->where);
	*q = (struct query){ 0 };
}

/* ------------------------------------------------------ from options ------ */

static int
options(struct query *q, const struct options *o, struct err *e)
{
	for (size_t i = 0; i < o->where.n; i++)
		if (add_where(q, o->where.item[i], e))
			return -1;
	if ((o->group_by && set_by(q, o->group_by, "--group-by", e)) ||
	    (o->order && set_sort(q, o->order, "--sort", e)) ||
	    (o->columns && set_columns(q, o->columns, "--columns", e)))
		return -1;
	q->top = o->top;
	q->sql = o->sql;
	return 0;
}

/* --sql excludes all other query options.  0, or -1 with *e set. */
static int
query_set_alone(const struct query *q, struct err *e)
{
	if (!q->sql ||
	    !(q->nwhere || q->nby || q->nsort || q->ncolumns || q->top))
		return 0;
	return err_set(e, "--sql: use WHERE, GROUP BY, ORDER BY and LIMIT of "
			  "SQL; leave out --where and similar options");
}

int
query_init(struct query *q, const struct options *o, struct err *e)
{
	*q = (struct query){ 0 };
	if (!options(q, o, e) && !query_set_alone(q, e)) {
		if (!q->nby && !q->sql)
			q->by[q->nby++] = QUERY_SITE;
		if (!query_together(q, e))
			return 0;
	}
	query_fini(q);
	return -1;
}

/* ----------------------------------------------------- before reading ---- */

/* The data that fields in conditions need. */
static unsigned
cond_need(const struct cond *v, size_t n)
{
	unsigned needs = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < v[i].nparts; k++)
			if (v[i].part[k].field)
				needs |= v[i].part[k].field->needs;
	return needs;
}

static unsigned
plain_needs(const struct query *q)
{
	unsigned needs = SCHEMA_ITEMS | cond_need(q->where, q->nwhere);

	for (size_t i = 0; i < q->nby; i++)
		needs |= columns_field[query_by[q->by[i]].at].needs;
	for (size_t i = 0; i < q->ncolumns; i++)
		needs |= columns_field[q->column[i]].needs;
	for (size_t i = 0; i < q->nsort; i++)
		needs |= columns_field[q->sort[i].column].needs;
	return needs;
}

/*
 * Is the error a missing table that may be a module's?  Whether the table
 * exists is known only after the data is read.
 */
static bool
maybe_findings(const char *said)
{
	static const char no[] = "no such table: ";
	const char *name = strstr(said, no);

	if (!name)
		return false;
	name += sizeof no - 1;
	return memchr(name, '_', strcspn(name, " ;\n")) != NULL;
}

/*
 * Set *needs to the data that the query needs.  A statement is prepared to find
 * out.  0, or -1 with *e set.
 */
static int
query_set_look(const struct query *q, unsigned *needs, struct err *e)
{
	struct sql sql = { 0 };
	sqlite3_stmt *stmt;
	int status = 0;

	*needs = q->sql ? 0 : plain_needs(q);
	/* "list" is not a statement: it lists the tables. */
	if (!q->sql || !strcmp(q->sql, "list"))
		return 0;
	if (sql_open(&sql, NULL, e))
		return -1;
	stmt = sql_prepare(&sql, q->sql, "--sql", e);
	if (!stmt && maybe_findings(e->text))
		sql.needs |= SCHEMA_EVERYTHING & ~SCHEMA_LOG;
	else
		status = stmt ? 0 : -1;
	sqlite3_finalize(stmt);
	*needs = sql.needs;
	sql_close(&sql);
	return status;
}

int
query_check(const struct options *o, struct err *e)
{
	struct query q;
	enum query_way way;
	unsigned needs;
	int status;

	if (query_init(&q, o, e))
		return -1;
	status = query_way(o, &way, e);
	if (!status)
		status = query_set_look(&q, &needs, e);
	query_fini(&q);
	return status;
}

unsigned
query_needs(const struct options *o)
{
	struct query q;
	unsigned needs;
	struct err e;

	if (query_init(&q, o, &e))
		return 0;
	if (query_set_look(&q, &needs, &e))
		needs = 0;
	query_fini(&q);
	return needs;
}
