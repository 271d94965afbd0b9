/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a query to SQL and to rows: see query.h. */
#include "display/query/query.h"

#include "reduce/base/arena.h"

#include <stdlib.h>
#include <string.h>

/* How to group rows, in SQL; unknown values come last. */
static const struct {
	const char *order; /* GROUP BY */
	/* Columns that all blocks of a row share, with blanks around them. */
	const char *same;
} keys[QUERY_NBY] = {
	[QUERY_TYPE] = { "\"type\" IS NULL, \"type\"", " type " },
	[QUERY_SITE] = { "\"site_id\"",
			 " site function file line module lived " },
	[QUERY_FUNCTION] = { "\"function_id\" IS NULL, \"function_id\"",
			     " function file line module " },
	[QUERY_FILE] = { "\"file\" IS NULL, \"file\"", " file " },
	[QUERY_MODULE] = { "\"module\" IS NULL, \"module\"", " module " },
	[QUERY_THREAD] = { "\"thread_id\" IS NULL, \"thread_id\"", " thread " },
	[QUERY_SIZE] = { "\"size\" IS NULL, \"size_id\"", " size " },
	[QUERY_LIFETIME] = { "\"lived_id\"", " lived " },
};

/* --------------------------------------------------------------- statement */

/* Write WHERE and all conditions for blocks, or for rows. */
static int
query_sql_conditions(FILE *out, const struct query *q, bool rows)
{
	const char *before = "WHERE ";

	for (size_t i = 0; i < q->nwhere; i++) {
		const char *text = rows ? q->where[i].rows : q->where[i].blocks;

		if (text)
			fprintf(out, "%s(%s) ", before, text);
		before = text ? "AND " : before;
	}
	return 0;
}

static void
query_sql_order(FILE *out, const struct query *q)
{
	fputs("ORDER BY ", out);
	for (size_t i = 0; i < q->nsort; i++) {
		const struct schema_field *f =
			&columns_field[q->sort[i].column];
		bool down = (f->kind != VALUE_TEXT) != q->sort[i].reverse;

		fprintf(out, "\"%s\" IS NULL, \"%s\"%s, ", f->name, f->name,
			down ? " DESC" : "");
	}
	fputs("\"bytes\" DESC, g", out);
}

char *
query_statement(const struct query *q, const char *columns)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int status = -1;

	if (!out)
		return NULL;
	fprintf(out, "SELECT g%s FROM (SELECT gather(\"id\") AS g FROM items ",
		columns);
	status = query_sql_conditions(out, q, false);
	fputs("GROUP BY ", out);
	for (size_t i = 0; i < q->nby; i++)
		fprintf(out, "%s%s", i ? ", " : "", keys[q->by[i]].order);
	fputs(") CROSS JOIN rows ON rows.\"id\" = g ", out);
	status |= query_sql_conditions(out, q, true);
	query_sql_order(out, q);
	if (fclose(out) == 0 && !status)
		return text;
	free(text);
	return NULL;
}

/* ---------------------------------------------------------------- together */

static bool
query_sql_is_same(const struct query *q, const char *column)
{
	char name[32];

	snprintf(name, sizeof name, " %s ", column);
	for (size_t i = 0; i < q->nby; i++)
		if (strstr(keys[q->by[i]].same, name))
			return true;
	return false;
}

/*
 * Can --where ask this of rows?  A condition may use a figure of a row together
 * with a field of its blocks only if that field is the same in all of them.
 */
static int
query_sql_together(const struct query *q, const struct cond *w, struct err *e)
{
	char message[200];

	for (size_t i = 0; i < w->nparts; i++) {
		const struct cond_part *a = &w->part[i];

		if (a->kind != COND_FIELD || !a->row ||
		    a->field->level != SCHEMA_BLOCK ||
		    query_sql_is_same(q, a->field->name))
			continue;
		snprintf(message, sizeof message,
			 "%s differs between the blocks of a row: join the two "
			 "conditions with &&, or group by %s, too",
			 a->field->name, a->field->name);
		return caret_complain(e, w->what, w->text, a->at, message);
	}
	return 0;
}

int
query_together(const struct query *q, struct err *e)
{
	for (size_t i = 0; i < q->nwhere; i++)
		if (query_sql_together(q, &q->where[i], e))
			return -1;
	return 0;
}

/* -------------------------------------------------------------------- rows */

/* Run the statement and store the rows.  0, or -1 with *e set. */
static int
query_sql_fill(struct query_groups *g, sqlite3_stmt *stmt, struct err *e)
{
	size_t room = 0, *v;
	int more;

	while ((more = sql_step(g->sql, stmt, "a query", e)) > 0) {
		v = array_grow(g->group, &room, g->n + 1, sizeof *v);
		if (!v)
			return err_memory(e);
		g->group = v;
		g->group[g->n++] = (size_t)sqlite3_column_int64(stmt, 0);
	}
	return more;
}

/* Call check() with each condition.  0, or -1 with *e set. */
static int
query_sql_each(const struct query *q, struct sql *sql,
	       int (*check)(struct sql *sql, const struct cond *w,
			    struct err *e),
	       struct err *e)
{
	for (size_t i = 0; i < q->nwhere; i++)
		if (check(sql, &q->where[i], e))
			return -1;
	return 0;
}

int
query_groups_init(struct query_groups *g, const struct query *q,
		  struct sql *sql, struct err *e)
{
	sqlite3_stmt *stmt;
	char *text;
	int status = -1;

	*g = (struct query_groups){ .q = q, .sql = sql, .s = sql->s };
	if (query_sql_each(q, sql, query_names, e))
		return -1;
	/* Discard the rows of an earlier query. */
	sql->ngroups = sql->nitems = 0;
	sql->s->tallied = NULL;
	text = query_statement(q, "");
	stmt = text ? sql_prepare_own(sql, text, "a query", e) : NULL;
	if (!text)
		err_memory(e);
	if (stmt)
		status = query_sql_fill(g, stmt, e);
	sqlite3_finalize(stmt);
	free(text);
	return status ? -1 : query_sql_each(q, sql, query_names_known, e);
}

void
query_groups_fini(struct query_groups *g)
{
	free(g->group);
	*g = (struct query_groups){ 0 };
}

struct tally
query_tally(const struct query_groups *g, size_t i, struct tally_room *room)
{
	return sql_group_tally(g->sql, g->group[i], room);
}
