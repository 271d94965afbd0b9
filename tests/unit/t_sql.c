/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Users' statements: the data that they read are noted.  Statements that take
 * too long or too much memory end with a line that says so.  Each field of a
 * table has its own name, and a meaning.
 */
#include "display/query/sql.h"
#include "tests/tap.h"

#include <stdlib.h>
#include <string.h>

/*
 * The error of a statement that may take `steps' steps and `heap' bytes; "":
 * none.
 */
static const char *
said(const char *text, uint64_t steps, sqlite3_int64 heap)
{
	static struct err e;
	sqlite3_stmt *stmt;
	struct sql q;

	e = (struct err){ "" };
	if (!sql_open(&q, NULL, &e)) {
		q.most = steps;
		stmt = sql_prepare(&q, text, "--sql", &e);
		sqlite3_hard_heap_limit64(heap);
		while (stmt && sql_step(&q, stmt, "--sql", &e) > 0)
			;
		sqlite3_finalize(stmt);
	}
	sqlite3_hard_heap_limit64(0);
	sql_close(&q);
	return e.text;
}

static unsigned
needs(const char *text)
{
	struct err e = { "" };
	sqlite3_stmt *stmt;
	struct sql q;
	unsigned n = ~0u;

	if (!sql_open(&q, NULL, &e)) {
		stmt = sql_prepare(&q, text, "--sql", &e);
		n = stmt ? q.needs : ~0u;
		sqlite3_finalize(stmt);
	}
	sql_close(&q);
	return n;
}

#define FOREVER \
	"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "

int
main(void)
{
	unsigned twice = 0;

	is_str(said("SELECT 1", 1000000, 0), "", "a statement that ends");
	is_str(said(FOREVER "SELECT count(*) FROM n", 1000000, 0),
	       "--sql: the statement takes too long", "one that doesn't");
	is_str(said("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 "
		    "FROM n LIMIT 200) SELECT count(*) FROM n WHERE "
		    "replace(hex(zeroblob(2000)), '0', 'a') || i "
		    "REGEXP 'a.*c'",
		    1000000, 0),
	       "--sql: the statement takes too long", "one with slow patterns");
	is_str(said(FOREVER "SELECT i FROM n ORDER BY i", 1u << 30, 4 << 20),
	       "--sql: the statement needs too much memory",
	       "one that wants all");
	is_int(needs("SELECT 1"), 0, "nothing is read");
	is_int(needs("SELECT bytes FROM items"), SCHEMA_ITEMS, "items");
	is_int(needs("SELECT bytes FROM sites WHERE type IS NULL"),
	       SCHEMA_ITEMS | SCHEMA_TYPES, "... and their types");
	is_int(needs("SELECT count(*) FROM history, marks"), SCHEMA_TIMES,
	       "the timeline");
	is_int(needs("SELECT hole_bytes FROM types, blocks, lines"),
	       SCHEMA_TYPES | SCHEMA_WASTE | SCHEMA_LOG | SCHEMA_SOURCES,
	       "what types waste, blocks, lines");
	is_int(needs("SELECT * FROM leaks"), SCHEMA_ITEMS | SCHEMA_TYPES,
	       "what a view is of");
	for (const struct schema_table *t = schema_tables; t->name; t++)
		for (size_t i = 0; i < t->nfields; i++)
			twice += schema_field(t, t->field[i].name,
					      strlen(t->field[i].name)) !=
					 &t->field[i] ||
				 !t->field[i].meaning;
	is_int(twice, 0, "each field has a name of its own, and a meaning");
	return done_testing();
}
