/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The function that gathers items into rows, for SQLite: see sql.h. */
#include "display/schema/columns.h"
#include "display/query/sql.h"
#include "reduce/base/arena.h"

#include <stdlib.h>
#include <string.h>

/* The items of a row that is being gathered. */
struct gathered {
	size_t *item, n, room;
	bool mixed; /* not in ascending order */
};

static void
sql_group_gather(sqlite3_context *c, int n, sqlite3_value **v)
{
	struct gathered *g = sqlite3_aggregate_context(c, sizeof *g);
	size_t i = (size_t)sqlite3_value_int64(v[0]), *more;

	(void)n;
	more = g ? array_grow(g->item, &g->room, g->n + 1, sizeof *more) : NULL;
	if (!more) {
		sqlite3_result_error_nomem(c);
		return;
	}
	g->item = more;
	g->mixed |= g->n && i < g->item[g->n - 1];
	g->item[g->n++] = i;
}

/* Add a row with these items.  0 or -1. */
static int
sql_group_add_row(struct sql *q, const struct gathered *g)
{
	struct sql_group *v;
	size_t *item = array_grow(q->item, &q->items_room, q->nitems + g->n,
				  sizeof *item);

	if (!item)
		return -1;
	q->item = item;
	v = array_grow(q->group, &q->groups_room, q->ngroups + 1, sizeof *v);
	if (!v)
		return -1;
	q->group = v;
	memcpy(item + q->nitems, g->item, g->n * sizeof *item);
	v[q->ngroups++] = (struct sql_group){ q->nitems, g->n };
	q->nitems += g->n;
	return 0;
}

static void
gathered(sqlite3_context *c)
{
	struct sql *q = sqlite3_user_data(c);
	struct gathered *g = sqlite3_aggregate_context(c, 0);

	if (!g)
		return;
	if (g->mixed)
		tally_sort(g->item, g->n);
	if (sql_group_add_row(q, g))
		sqlite3_result_error_nomem(c);
	else
		sqlite3_result_int64(c, (sqlite3_int64)q->ngroups - 1);
	free(g->item);
	g->item = NULL;
}

struct tally
sql_group_tally(const struct sql *q, size_t group, struct tally_room *room)
{
	return tally_items(&q->s->base, q->item + q->group[group].first,
			   q->group[group].n, room);
}

/* -------------------------------------------------------------------- rows */

static int
sql_group_rows(struct schema *s, const void **row, size_t *n)
{
	*row = NULL;
	*n = s->groups->ngroups;
	return 0;
}

static const struct schema_table group_table;

static void
sql_group_value(struct schema *s, const void *row, size_t number, size_t at,
		struct value *v)
{
	(void)row;
	if (s->tallied != &group_table || s->number != number) {
		s->tally = sql_group_tally(s->groups, number, &s->room);
		s->tallied = &group_table;
		s->number = number;
	}
	*v = columns_value(s, &s->tally, (enum column)at);
}

static const struct schema_table group_table = {
	.name = "rows",
	.field = columns_field,
	.nfields = COLUMN_ALL,
	.mixed = true,
	.rows = sql_group_rows,
	.value = sql_group_value,
};

int
sql_group_add(struct sql *q)
{
	int r = sql_table_add(q, &group_table);

	if (q->s)
		q->s->groups = q;
	return r ? r
		 : sqlite3_create_function(q->db, "gather", 1, SQLITE_UTF8, q,
					   NULL, sql_group_gather, gathered);
}
