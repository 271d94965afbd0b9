/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a query asks for, from text: see query.h. */
#include "display/query/query.h"

#include <stdlib.h>
#include <string.h>

/* The column that each way of grouping goes by. */
static const struct expr_name bys[QUERY_NBY] = {
	[QUERY_TYPE] = { "type", EXPR_TEXT, EXPR_PLAIN },
	[QUERY_SITE] = { "site", EXPR_TEXT, EXPR_PLAIN },
	[QUERY_FUNCTION] = { "function", EXPR_TEXT, EXPR_PLAIN },
	[QUERY_FILE] = { "file", EXPR_TEXT, EXPR_PLAIN },
	[QUERY_MODULE] = { "module", EXPR_TEXT, EXPR_PLAIN },
	[QUERY_THREAD] = { "thread", EXPR_TEXT, EXPR_PLAIN },
	[QUERY_SIZE] = { "size", EXPR_TEXT, EXPR_PLAIN },
	[QUERY_LIFETIME] = { "lifetime", EXPR_TEXT, EXPR_PLAIN },
};
static const struct expr_scope by_scope = { bys, QUERY_NBY, NULL };

/* One name of a list with commas between; false: that was the last one. */
struct name {
	size_t at, n; /* in the text */
	bool minus;   /* before it */
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
	name->at += name->minus;
	name->n = strcspn(text + name->at, ", \t");
	return true;
}

/* Complain of a name that there isn't. */
static int
unknown(const struct expr_scope *scope, const char *text,
	const struct name *name, const char *kind, const char *what,
	struct err *e)
{
	const char *near = expr_nearest(scope, text + name->at, name->n);
	char message[160];
	int n = name->n > 40 ? 40 : (int)name->n;

	if (near)
		snprintf(message, sizeof message,
			 "there is no %s \"%.*s\"; is \"%s\" meant?", kind, n,
			 text + name->at, near);
	else if (scope == &by_scope)
		snprintf(message, sizeof message,
			 "groups are by type, site, function, file, module, "
			 "thread, size and lifetime");
	else
		snprintf(message, sizeof message,
			 "there is no %s \"%.*s\"; mpreduce(1) has them all",
			 kind, n, text + name->at);
	expr_complain(e, what, text, name->at, message);
	return -1;
}

static int
set_by(struct query *q, const char *text, const char *what, struct err *e)
{
	struct name name = { 0 };
	unsigned by;

	q->nby = 0;
	while (next(text, &name)) {
		by = expr_find(&by_scope, text + name.at, name.n);
		if (by == by_scope.n || name.minus)
			return unknown(&by_scope, text, &name, "group", what,
				       e);
		for (size_t i = 0; i < q->nby; i++)
			if (q->by[i] == (enum query_by)by) {
				expr_complain(e, what, text, name.at,
					      "this is there already");
				return -1;
			}
		q->by[q->nby++] = (enum query_by)by;
	}
	return 0;
}

static int
set_sort(struct query *q, const char *text, const char *what, struct err *e)
{
	struct name name = { 0 };
	unsigned c;

	q->nsort = 0;
	while (next(text, &name)) {
		c = expr_find(&columns_scope, text + name.at, name.n);
		if (c == COLUMN_N && name.n == 6 &&
		    !strncmp(text + name.at, "blocks", 6))
			c = COLUMN_ALLOCS;
		if (c == COLUMN_N)
			return unknown(&columns_scope, text, &name, "column",
				       what, e);
		if (q->nsort == QUERY_SORTS) {
			expr_complain(e, what, text, name.at,
				      "these are too many columns");
			return -1;
		}
		q->sort[q->nsort++] =
			(struct query_sort){ (enum column)c, name.minus };
	}
	return 0;
}

static int
set_columns(struct query *q, const char *text, const char *what, struct err *e)
{
	struct name name = { 0 };
	unsigned c;

	q->ncolumns = 0;
	while (next(text, &name)) {
		c = expr_find(&columns_scope, text + name.at, name.n);
		if (c == COLUMN_N || name.minus)
			return unknown(&columns_scope, text, &name, "column",
				       what, e);
		for (size_t i = 0; i < q->ncolumns; i++)
			if (q->column[i] == (enum column)c) {
				expr_complain(e, what, text, name.at,
					      "this is there already");
				return -1;
			}
		q->column[q->ncolumns++] = (enum column)c;
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
	expr_complain(e, what, text, 0,
		      "this must be a number from 1 to 1000000000");
	return -1;
}

static int
set_expr(struct query_expr **v, size_t *n, const char *text, const char *what,
	 struct err *e)
{
	struct query_expr *more = reallocarray(*v, *n + 1, sizeof **v);

	if (!more) {
		snprintf(e->text, sizeof e->text, "out of memory");
		return -1;
	}
	*v = more;
	more[*n].what = what;
	if (expr_parse(&more[*n].x, text, &columns_scope, EXPR_TRUTH, what, e))
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
					    "title" };
	size_t i, n = sizeof keys / sizeof *keys;

	for (i = 0; i < n; i++)
		if (!strcmp(key, keys[i]))
			break;
	switch (i) {
	case 0:
		return set_expr(&q->where, &q->nwhere, value, what, e);
	case 1:
		return set_expr(&q->having, &q->nhaving, value, what, e);
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
	default:
		expr_complain(e, what, key, 0,
			      "the keys are where, having, group-by, sort, "
			      "columns, top and title");
		return -1;
	}
}

void
query_fini(struct query *q)
{
	for (size_t i = 0; i < q->nwhere; i++)
		expr_fini(&q->where[i].x);
	for (size_t i = 0; i < q->nhaving; i++)
		expr_fini(&q->having[i].x);
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
		snprintf(e->text, sizeof e->text, "out of memory");
		return NULL;
	}
	all->query = v;
	v[all->n] = (struct query){ 0 };
	return &v[all->n++];
}

/* What options say besides, which beats what the file does. */
static int
options(struct query *q, const struct options *o, struct err *e)
{
	const struct options_see *s = &o->see;

	for (size_t i = 0; i < s->where.n; i++)
		if (query_set(q, "where", s->where.item[i], "--where", e))
			return -1;
	for (size_t i = 0; i < s->having.n; i++)
		if (query_set(q, "having", s->having.item[i], "--having", e))
			return -1;
	if ((s->group_by &&
	     query_set(q, "group-by", s->group_by, "--group-by", e)) ||
	    (s->order && query_set(q, "sort", s->order, "--sort", e)) ||
	    (s->columns && query_set(q, "columns", s->columns, "--columns", e)))
		return -1;
	if (s->top)
		q->top = s->top;
	return 0;
}

/* What the queries have of options.  0, or -1 with *e set. */
static int
finish(struct queries *all, const struct options *o, struct err *e)
{
	for (size_t i = 0; i < all->n; i++) {
		struct query *q = &all->query[i];

		if (options(q, o, e))
			return -1;
		if (!q->nby)
			q->by[q->nby++] = QUERY_SITE;
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
	if (!o->see.query)
		return queries_plain(all, o, e);
	*all = (struct queries){ 0 };
	if (!queries_read(all, o->see.query, e) && !finish(all, o, e))
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

int
query_check(const struct options *o, struct err *e)
{
	struct queries all;
	enum query_way way;
	int status;

	if (queries_init(&all, o, e))
		return -1;
	status = query_way(o, &all, &way, e);
	queries_fini(&all);
	return status;
}

static bool
expressions_want(const struct query_expr *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (expr_names(&v[i].x, COLUMN_TYPE) ||
		    expr_names(&v[i].x, COLUMN_MARK))
			return true;
	return false;
}

static bool
wants_types(const struct query *q)
{
	for (size_t i = 0; i < q->nby; i++)
		if (q->by[i] == QUERY_TYPE)
			return true;
	for (size_t i = 0; i < q->ncolumns; i++)
		if (q->column[i] == COLUMN_TYPE || q->column[i] == COLUMN_MARK)
			return true;
	for (size_t i = 0; i < q->nsort; i++)
		if (q->sort[i].column == COLUMN_TYPE ||
		    q->sort[i].column == COLUMN_MARK)
			return true;
	return expressions_want(q->where, q->nwhere) ||
	       expressions_want(q->having, q->nhaving);
}

bool
query_wants_types(const struct options *o)
{
	struct queries all;
	struct err e;
	bool wants = false;

	if (queries_init(&all, o, &e))
		return false;
	for (size_t i = 0; i < all.n && !wants; i++)
		wants = wants_types(&all.query[i]);
	queries_fini(&all);
	return wants;
}
