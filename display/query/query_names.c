/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Does the profile have the names that a condition uses?  See query.h. */
#include "display/query/query.h"

#include "reduce/base/clean.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------- names */

/* Fields whose texts are names, and the table that also has these names. */
static const struct {
	const char *field;
	const char *table, *column; /* or NULL */
} named[] = {
	{ "type", "types", "name" },	 { "function", "functions", "name" },
	{ "file", "functions", "file" }, { "module", "functions", "module" },
	{ "thread", "threads", "name" }, { "site", NULL, NULL },
};

enum { NNAMED = sizeof named / sizeof *named };

/*
 * Run a statement of our own, and free its text.  *found: is its first value
 * not 0?  0, or -1 with *e set.
 */
static int
query_names_ask(struct sql *sql, char *text, bool *found, struct err *e)
{
	sqlite3_stmt *stmt;
	int more = -1;

	if (!text)
		return err_memory(e);
	stmt = sql_prepare_own(sql, text, "a query", e);
	if (stmt)
		more = sql_step(sql, stmt, "a query", e);
	*found = more > 0 && sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	sqlite3_free(text);
	return more < 0 ? -1 : 0;
}

/* Does a block have the name of a part, or match its pattern? */
static int
query_names_has(struct sql *sql, const struct cond_part *a, bool *found,
		struct err *e)
{
	const char *op = a->kind == COND_NAME ? "=" : "REGEXP";
	const char *name = a->field->name;
	const char *other = a->field->other ? a->field->other : name;

	return query_names_ask(
		sql,
		sqlite3_mprintf("SELECT EXISTS(SELECT 1 FROM items WHERE "
				"\"%w\" %s %Q OR \"%w\" %s %Q)",
				name, op, a->text, other, op, a->text),
		found, e);
}

/* Is the name elsewhere in the profile? */
static int
elsewhere(struct sql *sql, const struct cond_part *a, size_t i, bool *found,
	  struct err *e)
{
	*found = false;
	if (!named[i].table)
		return 0;
	return query_names_ask(
		sql,
		sqlite3_mprintf("SELECT EXISTS(SELECT 1 FROM %s WHERE "
				"\"%w\" = %Q)",
				named[i].table, named[i].column, a->text),
		found, e);
}

/* The most similar name in the profile, from malloc(); NULL: none is. */
static char *
nearest(struct sql *sql, const struct cond_part *a, size_t i)
{
	const char *field = a->field->name;
	const char *other = a->field->other ? a->field->other : field;
	unsigned most = schema_distance(a->text, strlen(a->text), NULL), d;
	sqlite3_stmt *stmt;
	struct err e;
	char *text, *near = NULL;

	text = sqlite3_mprintf("SELECT DISTINCT \"%w\" FROM items WHERE \"%w\" "
			       "IS NOT NULL UNION SELECT \"%w\" FROM items "
			       "WHERE \"%w\" IS NOT NULL%s%s%s%s",
			       field, field, other, other,
			       named[i].table ? " UNION SELECT " : "",
			       named[i].table ? named[i].column : "",
			       named[i].table ? " FROM " : "",
			       named[i].table ? named[i].table : "");
	stmt = text ? sql_prepare_own(sql, text, "a query", &e) : NULL;
	while (stmt && sqlite3_step(stmt) == SQLITE_ROW) {
		const char *one = (const char *)sqlite3_column_text(stmt, 0);

		if (!one)
			continue;
		d = schema_distance(a->text, strlen(a->text), one);
		if (d > most || (near && d == most))
			continue;
		free(near);
		near = strdup(one);
		most = d;
	}
	sqlite3_finalize(stmt);
	sqlite3_free(text);
	return near;
}

/* Print an error about an unknown name. */
static int
query_names_complain(struct sql *sql, const struct cond *w,
		     const struct cond_part *a, size_t i, struct err *e)
{
	char *near = nearest(sql, a, i);
	char message[300];

	if (near)
		snprintf(message, sizeof message,
			 "no %s \"%.80s\"; do you mean \"%.80s\"?",
			 a->field->name, a->text, near);
	else
		snprintf(message, sizeof message, "no %s \"%.80s\" in the data",
			 a->field->name, a->text);
	free(near);
	return caret_complain(e, w->what, w->text, a->at, message);
}

int
query_names(struct sql *sql, const struct cond *w, struct err *e)
{
	bool found = false;

	for (size_t k = 0; k < w->nparts; k++) {
		const struct cond_part *a = &w->part[k];
		size_t i;

		if (a->kind != COND_NAME && a->kind != COND_PATTERN)
			continue;
		if (query_names_has(sql, a, &found, e))
			return -1;
		for (i = 0; i < NNAMED; i++)
			if (!strcmp(named[i].field, a->field->name))
				break;
		if (found)
			continue;
		if (a->kind == COND_NAME && i < NNAMED) {
			if (elsewhere(sql, a, i, &found, e))
				return -1;
			if (!found)
				return query_names_complain(sql, w, a, i, e);
		}
		clean_say("mpreduce", "%s: no block has a %s %s \"%s\"",
			  w->what, a->field->name,
			  a->kind == COND_NAME ? "that is" : "like", a->text);
	}
	return 0;
}

/* ------------------------------------------------------------------- known */

/* Does the condition test by known() whether the field is known? */
static bool
is_tested(const struct cond *w, const struct schema_field *f)
{
	for (size_t k = 0; k < w->nparts; k++)
		if (w->part[k].tested && w->part[k].field == f)
			return true;
	return false;
}

int
query_names_known(struct sql *sql, const struct cond *w, struct err *e)
{
	bool known = false;

	for (size_t k = 0; k < w->nparts && sql->ngroups; k++) {
		const struct cond_part *a = &w->part[k];

		if (a->kind != COND_FIELD || is_tested(w, a->field))
			continue;
		if (query_names_ask(
			    sql,
			    sqlite3_mprintf(
				    "SELECT EXISTS(SELECT 1 FROM %s WHERE "
				    "\"%w\" IS NOT NULL)",
				    a->row ? "rows" : "items", a->field->name),
			    &known, e))
			return -1;
		if (!known)
			clean_say("mpreduce", "%s: %s is unknown in every %s%s",
				  w->what, a->field->name,
				  a->row ? "row" : "block",
				  a->row ? ", or differs between its blocks"
					 : "");
	}
	return 0;
}
