/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Queries: which items are asked for, what is put together, what is shown of
 * it, as described in mpreduce(1).
 */
#ifndef MEMMON_QUERY_H
#define MEMMON_QUERY_H

#include "display/query/columns.h"
#include "display/text/settings.h"
#include "reduce/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>

/* What items are put together by. */
enum query_by {
	QUERY_TYPE,
	QUERY_SITE,
	QUERY_FUNCTION,
	QUERY_FILE,
	QUERY_MODULE,
	QUERY_THREAD,
	QUERY_SIZE,
	QUERY_LIFETIME,
	QUERY_NBY
};

enum { QUERY_SORTS = 8 };

struct query_sort {
	enum column column;
	bool reverse;
};

/* An expression, and where it is from: "--where". */
struct query_expr {
	struct expr x;
	const char *what;
};

/* All zero is a query for all sites.  Texts are of who made it. */
struct query {
	const char *name, *title; /* NULL: none */
	struct query_expr *where; /* all must hold, of each item */
	size_t nwhere;
	struct query_expr *having; /* of each row */
	size_t nhaving;
	enum query_by by[QUERY_NBY];
	size_t nby;
	struct query_sort sort[QUERY_SORTS];
	size_t nsort;
	enum column column[COLUMN_N];
	size_t ncolumns; /* 0: the usual ones */
	size_t top;	 /* rows; 0: all */
};

/*
 * Set what the key says (where, having, group-by, sort, columns, top, title);
 * value and what live as long as *q.  0, or -1 with *e set.
 */
int query_set(struct query *q, const char *key, const char *value,
	      const char *what, struct err *e);
void query_fini(struct query *q);

/* The queries that options ask for.  All zero is fit for queries_fini(). */
struct queries {
	struct query *query;
	size_t n;
	char *text;  /* of the file */
	char **what; /* places in it */
	size_t nwhat;
	bool saved; /* of a file */
};

/* 0, or -1 with *e set: wrong, or a file can't be read. */
int queries_init(struct queries *all, const struct options *o, struct err *e);
void queries_fini(struct queries *all);

/* The one that options ask for, whatever is saved.  The same. */
int queries_plain(struct queries *all, const struct options *o, struct err *e);

/*
 * query_file.c: add the queries of FILE, or that of FILE:NAME.  The same.
 */
int queries_read(struct queries *all, const char *path, struct err *e);

/* A new query; NULL: out of memory, with *e set. */
struct query *queries_add(struct queries *all, struct err *e);

/* Are options such that queries can be made of them?  0, or -1 with *e set. */
int query_check(const struct options *o, struct err *e);

/* How options want them printed.  The same. */
enum query_way { QUERY_TABLE, QUERY_JSON, QUERY_CSV };
int query_way(const struct options *o, const struct queries *all,
	      enum query_way *way, struct err *e);

/* Do they ask for types?  These take time to find. */
bool query_wants_types(const struct options *o);

/* Items of one row: so many from that place of query_groups.item. */
struct query_group {
	size_t first, n;
};

/* query_group.c: the rows of a query.  query_groups_fini() in any case. */
struct query_groups {
	const struct query *q;
	const struct tally_base *base;
	struct columns *columns;
	size_t *item; /* numbers, ascending within a group */
	size_t nitems;
	struct query_group *v; /* in their order */
	size_t n;
};

/* 0, or -1 when out of memory. */
int query_groups_init(struct query_groups *g, const struct query *q,
		      struct columns *columns);
void query_groups_fini(struct query_groups *g);

/* The figures of a row, and of several. */
struct tally query_tally(const struct query_groups *g, size_t i,
			 struct tally_room *room);

/* Does the row hold what the expression says? */
bool query_holds(struct columns *columns, const struct tally *t,
		 const struct expr *x);

/*
 * query_warn.c: texts that where and having compare with, and that nothing has:
 * warnings on standard error.
 */
void query_warn(const struct query *q, struct columns *columns);

/* query_rows.c: cells of a query's rows, for the first `top' of them. */
struct query_rows {
	struct rows rows;
	struct rows_column column[COLUMN_N];
	struct rows_cell total[COLUMN_N], others[COLUMN_N];
	enum column which[COLUMN_N];
	uint64_t bytes, allocs; /* of all rows */
};
int query_rows_make(struct query_rows *r, const struct query_groups *g,
		    const struct options *o);

/* What the column holds, for a legend. */
const char *query_explain(enum column c);

/* Rows that are asked for by --where, --group-by, --columns, --query. */
int query_print(const struct profile *p, const struct options *o, FILE *out,
		struct err *e);
/* Does o ask for such? */
bool query_wanted(const struct options *o);

#endif
