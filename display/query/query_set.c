/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a query asks for, from text: see query.h. */
#include "display/query/caret.h"
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

/* One name of a list with commas between; false: that was the last one. */
struct name {
	size_t at, n; /* in the text */
	bool minus, plus; /* before it */
};

static bool
next(const char *text, struct name *name)
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

/* Complain of a name that there isn't. */
static int
unknown(const struct schema_table *scope, const char *text,
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
	while (next(text, &name)) {
		f = schema_field(&by_table, text + name.at, name.n);
		by = f ? (size_t)(f - query_by) : QUERY_NBY;
		if (!f || name.minus || name.plus)
			return unknown(&by_table, text, &name, what, e);
		for (size_t i = 0; i < q->nby; i++)
			if (q->by[i] == (enum query_by)by)
				return caret_complain(e, what, text, name.at,
						      "this is there already");
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
	while (next(text, &name)) {
		c = cond_column(text + name.at, name.n);
		if (c == COLUMN_N && name.n == 6 &&
		    !strncmp(text + name.at, "blocks", 6))
			c = COLUMN_ALLOCS;
		if (c == COLUMN_N)
			return unknown(&columns_table, text, &name, what, e);
		if (q->nsort == QUERY_SORTS)
			return caret_complain(e, what, text, name.at,
					      "these are too many columns");
		/* Names ascend by themselves, figures don't. */
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
	while (next(text, &name)) {
		c = cond_column(text + name.at, name.n);
		if (c == COLUMN_N || name.minus || name.plus)
			return unknown(&columns_table, text, &name, what, e);
		for (size_t i = 0; i < q->ncolumns; i++)
			if (q->column[i] == c)
				return caret_complain(e, what, text, name.at,
						      "this is there already");
		q->column[q->ncolumns++] = c;
	}
	return 0;
}

static int
set_top(struct query *q, const char *text, const char *what, struct err *e)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	if (*text >= '0' && *text <= '9' && !*end && n > 0 && n <= 1000000000) {
		q->top = n;
		return 0;
	}
	return caret_complain(e, what, text, 0,
			      "this must be a number from 1 to 1000000000");
}

static int
set_cond(struct cond **v, size_t *n, const char *text, const char *what,
	 struct err *e)
{
	static const struct cond_scope scope = { &columns_table, NULL };
	struct cond *more = reallocarray(*v, *n + 1, sizeof **v);

	if (!more)
		return err_memory(e);
	*v = more;
	if (cond_parse(&more[*n], text, &scope, what, e))
		return -1;
	++*n;
	return 0;
}

int
query_set(struct query *q, const char *key, const char *value, const char *what,
	  struct err *e)
{
	static const char *const keys[] = { "where", "having",	"group-by",
					    "sort",  "columns", "top",
					    "title", "sql" };
	size_t i, n = sizeof keys / sizeof *keys;

	for (i = 0; i < n; i++)
		if (!strcmp(key, keys[i]))
			break;
	switch (i) {
	case 0:
		return set_cond(&q->where, &q->nwhere, value, what, e);
	case 1:
		return set_cond(&q->having, &q->nhaving, value, what, e);
	case 2:
		return set_by(q, value, what, e);
	case 3:
		return set_sort(q, value, what, e);
	case 4:
		return set_columns(q, value, what, e);
	case 5:
		return set_top(q, value, what, e);
	case 6:
		q->title = value;
		return 0;
	case 7:
		q->sql = value;
		q->what = what;
		return 0;
	default:
		return caret_complain(
			e, what, key, 0,
			"the keys are where, having, group-by, sort, "
			"columns, top, title and sql");
	}
}

void
query_fini(struct query *q)
{
	for (size_t i = 0; i < q->nwhere; i++)
		cond_fini(&q->where[i]);
	for (size_t i = 0; i < q->nhaving; i++)
		cond_fini(&q->having[i]);
	free(q->where);
	free(q->having);
	*q = (struct query){ 0 };
}

/* ------------------------------------------------------ from options ------ */

struct query *
queries_add(struct queries *all, struct err *e)
{
	struct query *v =
		reallocarray(all->query, all->n + 1, sizeof *all->query);

	if (!v) {
		err_memory(e);
		return NULL;
	}
	all->query = v;
	v[all->n] = (struct query){ 0 };
	return &v[all->n++];
}

/* Add what options ask for, which overrides what the file says. */
static int
options(struct query *q, const struct options *o, struct err *e)
{
	for (size_t i = 0; i < o->where.n; i++)
		if (query_set(q, "where", o->where.item[i], "--where", e))
			return -1;
	for (size_t i = 0; i < o->having.n; i++)
		if (query_set(q, "having", o->having.item[i], "--having", e))
			return -1;
	if ((o->group_by &&
	     query_set(q, "group-by", o->group_by, "--group-by", e)) ||
	    (o->order && query_set(q, "sort", o->order, "--sort", e)) ||
	    (o->columns && query_set(q, "columns", o->columns, "--columns", e)))
		return -1;
	if (o->top)
		q->top = o->top;
	if (o->sql)
		return query_set(q, "sql", o->sql, "--sql", e);
	return 0;
}

/* With a statement nothing else goes.  0, or -1 with *e set. */
static int
alone(const struct query *q, struct err *e)
{
	if (!q->sql || !(q->nwhere || q->nhaving || q->nby || q->nsort ||
			 q->ncolumns || q->top))
		return 0;
	return err_set(
		e,
		"%.300s: SQL has WHERE, GROUP BY, ORDER BY and LIMIT of its "
		"own; leave out --where and its like",
		q->what);
}

/* Complete the queries by options.  0, or -1 with *e set. */
static int
finish(struct queries *all, const struct options *o, struct err *e)
{
	for (size_t i = 0; i < all->n; i++) {
		struct query *q = &all->query[i];

		if (options(q, o, e) || alone(q, e))
			return -1;
		if (!q->nby && !q->sql)
			q->by[q->nby++] = QUERY_SITE;
		if (query_together(q, e))
			return -1;
	}
	return 0;
}

int
queries_plain(struct queries *all, const struct options *o, struct err *e)
{
	*all = (struct queries){ 0 };
	if (queries_add(all, e) && !finish(all, o, e))
		return 0;
	queries_fini(all);
	return -1;
}

int
queries_init(struct queries *all, const struct options *o, struct err *e)
{
	if (!o->query)
		return queries_plain(all, o, e);
	*all = (struct queries){ 0 };
	if (!queries_read(all, o->query, e) && !finish(all, o, e))
		return 0;
	queries_fini(all);
	return -1;
}

void
queries_fini(struct queries *all)
{
	for (size_t i = 0; i < all->n; i++)
		query_fini(&all->query[i]);
	for (size_t i = 0; i < all->nwhat; i++)
		free(all->what[i]);
	free(all->what);
	free(all->query);
	free(all->text);
	*all = (struct queries){ 0 };
}

/* ----------------------------------------------------- before reading ---- */

/* What has to be read for the fields that conditions name. */
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
	unsigned needs = SCHEMA_ITEMS | cond_need(q->where, q->nwhere) |
			 cond_need(q->having, q->nhaving);

	for (size_t i = 0; i < q->nby; i++)
		needs |= columns_field[query_by[q->by[i]].at].needs;
	for (size_t i = 0; i < q->ncolumns; i++)
		needs |= columns_field[q->column[i]].needs;
	for (size_t i = 0; i < q->nsort; i++)
		needs |= columns_field[q->sort[i].column].needs;
	return needs;
}

/*
 * Is what is wrong that there is no table of a name that a module's may have?
 * Which there are is known once the data is read.
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
 * Set *needs to what has to be read for the queries; statements are prepared to
 * find out.  0, or -1 with *e set.
 */
static int
look(const struct queries *all, unsigned *needs, struct err *e)
{
	struct sql sql = { 0 };
	int status = 0;

	*needs = 0;
	for (size_t i = 0; i < all->n && !status; i++) {
		const struct query *q = &all->query[i];
		sqlite3_stmt *stmt;

		if (!q->sql) {
			*needs |= plain_needs(q);
			continue;
		}
		/* The list of the tables: no statement. */
		if (!strcmp(q->sql, "list"))
			continue;
		if (!sql.db && sql_open(&sql, NULL, e)) {
			status = -1;
			break;
		}
		stmt = sql_prepare(&sql, q->sql, q->what, e);
		if (!stmt && maybe_findings(e->text))
			sql.needs |= SCHEMA_EVERYTHING & ~SCHEMA_LOG;
		else
			status = stmt ? 0 : -1;
		sqlite3_finalize(stmt);
	}
	*needs |= sql.needs;
	sql_close(&sql);
	return status;
}

int
query_check(const struct options *o, struct err *e)
{
	struct queries all;
	enum query_way way;
	unsigned needs;
	int status;

	if (queries_init(&all, o, e))
		return -1;
	status = query_way(o, &all, &way, e);
	if (!status)
		status = look(&all, &needs, e);
	queries_fini(&all);
	return status;
}

unsigned
query_needs(const struct options *o)
{
	struct queries all;
	unsigned needs;
	struct err e;

	if (queries_init(&all, o, &e))
		return 0;
	if (look(&all, &needs, &e))
		needs = 0;
	queries_fini(&all);
	return needs;
}
