/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Queries: which items to take, how to group them, what to show of them.  See
 * mpreduce-queries(7).
 */
#ifndef MEMMON_QUERY_H
#define MEMMON_QUERY_H

#include "display/schema/columns.h"
#include "display/query/result.h"
#include "display/query/sql.h"
#include "display/query/cond.h"
#include "display/settings/settings.h"
#include "reduce/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>

/* Keys that items can be grouped by. */
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

/* The name of each key, its heading in titles (.meaning), its column (.at). */
extern const struct schema_field query_by[QUERY_NBY];

enum { QUERY_SORTS = 8 };

struct query_sort {
	enum column column;
	bool reverse;
};

/* All zero selects all sites.  Texts belong to the options. */
struct query {
	const char *sql;    /* a statement, used alone; or NULL */
	struct cond *where; /* conditions for blocks or rows, joined by "and" */
	size_t nwhere;
	enum query_by by[QUERY_NBY];
	size_t nby;
	struct query_sort sort[QUERY_SORTS];
	size_t nsort;
	enum column column[COLUMN_N];
	size_t ncolumns; /* 0: the usual columns */
	size_t top;	 /* rows; 0: all */
};

/*
 * Make the query from the options.  0, or -1 with *e set and nothing to free.
 */
int query_init(struct query *q, const struct options *o, struct err *e);
void query_fini(struct query *q);

/* Are the options valid for a query?  0, or -1 with *e set. */
int query_check(const struct options *o, struct err *e);

/* The form in which options want the query printed.  0, or -1 with *e set. */
enum query_way { QUERY_TABLE, QUERY_JSON, QUERY_CSV };
int query_way(const struct options *o, enum query_way *way, struct err *e);

/* The data that the query needs: bits of schema.h. */
unsigned query_needs(const struct options *o);

/* query_sql.c: the rows of a query.  Call query_groups_fini() in any case. */
struct query_groups {
	const struct query *q;
	struct sql *sql;
	struct schema *s;
	size_t *group; /* indices in sql.group, in order of rows */
	size_t n;
};

/*
 * The statement for --where and similar options.  Its rows are indices of
 * groups, and `columns', which may be "".  From malloc(); NULL: out of memory.
 */
char *query_statement(const struct query *q, const char *columns);

/*
 * Does a condition of --where compare figures of rows with a field that differs
 * between the blocks of a row?  Then -1 with *e set, else 0.
 */
int query_together(const struct query *q, struct err *e);

/* Run the query.  0, or -1 with *e set. */
int query_groups_init(struct query_groups *g, const struct query *q,
		      struct sql *sql, struct err *e);
void query_groups_fini(struct query_groups *g);

/* The figures of a row. */
struct tally query_tally(const struct query_groups *g, size_t i,
			 struct tally_room *room);

/*
 * query_names.c: check the names in a condition.  query_names(): if the profile
 * has no such name, that is an error; if a pattern matches nothing, that is a
 * warning on standard error.  query_names_known() warns if a figure is unknown
 * in all rows.  0, or -1 with *e set.
 */
int query_names(struct sql *sql, const struct cond *w, struct err *e);
int query_names_known(struct sql *sql, const struct cond *w, struct err *e);

/* query_answer.c: the result of a user's statement.  0, or -1 with *e set. */
int query_answer(struct result *r, struct sql *sql, const struct query *q,
		 struct err *e);

/* query_rows.c: the cells of a query's rows, for the first `top' rows. */
struct query_rows {
	struct result rows;
	struct result_column column[COLUMN_N];
	struct result_cell total[COLUMN_N], others[COLUMN_N];
	enum column which[COLUMN_N];
	uint64_t bytes, allocs; /* of all rows */
};
int query_rows_make(struct query_rows *r, const struct query_groups *g,
		    const struct options *o);

/* Print the result of a query or a statement.  0, or -1 with *e set. */
int query_print(const struct profile *p, const struct options *o, FILE *out,
		struct err *e);
/* Does o ask for a query? */
bool query_wanted(const struct options *o);

/*
 * Limits on figures of the whole profile, and of rows, for scripts: --fail-if,
 * see mpreduce-queries(7).
 */

struct options;

/*
 * Fill *w from text, which must live as long as *w.  The caller calls
 * cond_fini().  0, or -1 with *e set.
 */
int fail_parse(struct cond *w, const char *text, struct err *e);

/* The data that the limit needs: bits of schema.h. */
unsigned fail_needs(const struct cond *w);

/*
 * Is the limit exceeded, or a figure of it unknown?  Then *e is set, without
 * "mpreduce: ".  The rows depend on o.
 */
bool fail_check(const struct cond *w, const struct profile *p,
		const struct options *o, struct err *e);

#endif
