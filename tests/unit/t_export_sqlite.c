/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --export=sqlite: the statement that adds a row to a table. */
#define export_sqlite test_export_sqlite
#include "display/export/export_sqlite.c"
#include "tests/tap.h"

/*
 * The parameters of the statement for these fields; -1: there is no statement.
 */
static int
parameters(struct database *d, const struct schema_field *field, size_t n)
{
	const struct schema_table t = { .name = "t",
					.field = field,
					.nfields = n };
	sqlite3_stmt *stmt = insertion(d, &t, false);
	int got = stmt ? sqlite3_bind_parameter_count(stmt) : -1;

	sqlite3_finalize(stmt);
	return got;
}

int
main(void)
{
	struct schema_field f[3] = { { .name = "a" },
				     { .name = "b" },
				     { .name = "c" } };
	struct database d = { 0 };

	if (sqlite3_open(":memory:", &d.db) != SQLITE_OK)
		return 1;
	sqlite3_exec(d.db, "CREATE TABLE t (x, y)", NULL, NULL, NULL);
	for (size_t i = 0; i < 3; i++) {
		f[i].hidden = true;
		is_int(parameters(&d, f, 3), 2,
		       "the database has no field %zu: two values", i);
		f[i].hidden = false;
	}
	sqlite3_close(d.db);
	return done_testing();
}
