/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Limits that are conditions: see fail.h. */
#include "display/query/fail.h"

#include "display/query/query.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

int
fail_expr_parse(struct fail *f, struct err *e)
{
	const struct words_scope scope = { schema_table("totals"),
					   &columns_table };

	f->words = calloc(1, sizeof *f->words);
	if (!f->words) {
		snprintf(e->text, sizeof e->text, "out of memory");
		return -1;
	}
	if (!words_parse(f->words, f->text, &scope, "--fail-if", e))
		return 0;
	free(f->words);
	f->words = NULL;
	return -1;
}

void
fail_fini(struct fail *f)
{
	if (f->words)
		words_fini(f->words);
	free(f->words);
	f->words = NULL;
}

/* Are rows of a query looked at? */
static bool
has_rows(const struct words *w)
{
	for (size_t i = 0; i < w->nparts; i++)
		if (w->part[i].kind == WORDS_CALL)
			return true;
	return false;
}

unsigned
fail_needs(const struct fail *f)
{
	unsigned needs = 0;

	if (!f->words)
		return 0;
	for (size_t i = 0; i < f->words->nparts; i++)
		if (f->words->part[i].field && f->words->part[i].inside)
			needs |= f->words->part[i].field->needs;
	return needs | (has_rows(f->words) ? SCHEMA_ITEMS : 0);
}

/* ---------------------------------------------------------------- statemen */

/* Is it in the list yet, of the parts before? */
static bool
is_again(const struct words *w, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (w->part[k].kind == WORDS_FIELD && w->part[k].inside &&
		    w->part[k].field == w->part[i].field)
			return true;
	return false;
}

/*
 * The rows as a table r, with the columns that are named; q is NULL when there
 * are none.  0 or -1.
 */
static int
put_rows(FILE *out, const struct words *w, const struct query *q)
{
	char *columns = NULL, *rows;
	size_t size;
	FILE *list = q ? open_memstream(&columns, &size) : NULL;

	if (!q)
		return 0;
	for (size_t i = 0; list && i < w->nparts; i++)
		if (w->part[i].kind == WORDS_FIELD && w->part[i].inside &&
		    !is_again(w, i))
			fprintf(list, ", \"%s\"", w->part[i].field->name);
	rows = list && fclose(list) == 0 ? query_statement(q, columns) : NULL;
	free(columns);
	if (!rows)
		return -1;
	fprintf(out, "WITH r AS MATERIALIZED (%s) ", rows);
	free(rows);
	return 0;
}

/*
 * SELECT: is it passed; of each part its value, what any() holds of first, and
 * whether a value that is added up isn't known; or, of a field of rows, whether
 * it is known of one.  NULL: out of memory.
 */
static char *
statement(const struct words *w, const struct query *q)
{
	char *text = NULL, *whole = words_whole(w);
	size_t size;
	FILE *out = whole ? open_memstream(&text, &size) : NULL;
	int status;

	if (!out) {
		free(whole);
		return NULL;
	}
	status = put_rows(out, w, q);
	fprintf(out, "SELECT (%s) IS TRUE", whole);
	for (size_t i = 0; i < w->nparts; i++) {
		const struct words_part *a = &w->part[i];

		if (a->kind == WORDS_CALL)
			fprintf(out, ", %s, %s, %s", a->sql, a->first, a->gap);
		else if (a->kind != WORDS_FIELD)
			fputs(", 1, NULL, 0", out);
		else if (a->inside)
			fprintf(out,
				", (SELECT count(*) = 0 OR count(\"%s\") > 0 "
				"FROM r), NULL, 0",
				a->field->name);
		else
			fprintf(out, ", \"%s\", NULL, 0", a->field->name);
	}
	fputs(" FROM totals", out);
	free(whole);
	if (fclose(out) == 0 && !status)
		return text;
	free(text);
	return NULL;
}

/* ----------------------------------------------------------------- message */

struct check {
	const struct fail *f;
	const struct profile *p;
	const struct query *q; /* of the rows; NULL: there are none */
	struct sql *sql;
	sqlite3_stmt *stmt;
};

/* Append to what is to be said. */
static void __attribute__((format(printf, 2, 3)))
append(struct err *e, const char *fmt, ...)
{
	size_t n = strlen(e->text);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(e->text + n, sizeof e->text - n, fmt, ap);
	va_end(ap);
}

/* The first row that any() holds of, by what rows are of. */
static void
say_first(struct check *c, size_t group, struct err *e)
{
	static const enum column by[QUERY_NBY] = {
		COLUMN_TYPE,   COLUMN_SITE,   COLUMN_FUNCTION, COLUMN_FILE,
		COLUMN_MODULE, COLUMN_THREAD, COLUMN_SIZE,     COLUMN_LIVED
	};
	enum { SHOWN = 96 };
	struct tally_room room;
	struct tally t = sql_group_tally(c->sql, group, &room);
	struct schema_value v = columns_value(c->sql->s, &t, by[c->q->by[0]]);
	size_t n;

	if (c->q->by[0] == QUERY_SIZE) {
		append(e, " (size %.0Lf)", v.number);
		return;
	}
	/* The end of a path says most. */
	n = v.known ? strlen(v.text) : 0;
	append(e, " (%s%s)", n > SHOWN ? "..." : "",
	       !v.known	   ? "(not known)"
	       : n > SHOWN ? v.text + n - SHOWN
			   : v.text);
}

/* What a part comes to: "kept is 1948", "any(...) is so (main > f)". */
static void
say_one(struct check *c, size_t i, struct err *e)
{
	const struct words_part *a = &c->f->words->part[i];
	int k = 1 + 3 * (int)i;
	size_t n = a->end - a->at;

	append(e, "%.*s is ", n > 80 ? 80 : (int)n, c->f->text + a->at);
	if (a->kind == WORDS_CALL && a->truth)
		append(e, "%s",
		       sqlite3_column_int(c->stmt, k) ? "so" : "not so");
	else if (sqlite3_column_type(c->stmt, k) == SQLITE_NULL)
		append(e, "not known");
	else
		append(e, "%.15g", sqlite3_column_double(c->stmt, k));
	if (a->kind == WORDS_CALL && !strncmp(c->f->text + a->at, "any", 3) &&
	    sqlite3_column_type(c->stmt, k + 1) != SQLITE_NULL)
		say_first(c, (size_t)sqlite3_column_int64(c->stmt, k + 1), e);
}

/* All figures that the condition names. */
static void
say(struct check *c, struct err *e)
{
	const struct words *w = c->f->words;
	const char *between = ": ";

	snprintf(e->text, sizeof e->text, "--fail-if=%.300s", c->f->text);
	for (size_t i = 0; i < w->nparts; i++) {
		if (w->part[i].kind != WORDS_CALL &&
		    (w->part[i].kind != WORDS_FIELD || w->part[i].inside))
			continue;
		append(e, "%s", between);
		between = ", ";
		say_one(c, i, e);
	}
}

/* What isn't known, and why; *why is NULL if all is. */
static const char *
unknown(const struct check *c, const char **why)
{
	const struct words *w = c->f->words;
	uint64_t n;

	for (size_t i = 0; i < w->nparts; i++) {
		const struct words_part *a = &w->part[i];
		int k = 1 + 3 * (int)i;

		if (a->kind == WORDS_FIELD && !a->inside && !a->tested &&
		    sqlite3_column_type(c->stmt, k) == SQLITE_NULL) {
			*why = fail_figure(c->p,
					   (enum fail_what)(a->field->at / 2),
					   a->field->at & 1, &n);
			return a->field->name;
		}
		if (a->kind == WORDS_FIELD && a->inside && !a->tested &&
		    !sqlite3_column_int(c->stmt, k)) {
			*why = "of no row it is, or not the same in all of its "
			       "blocks";
			return a->field->name;
		}
		if (a->kind == WORDS_CALL &&
		    sqlite3_column_int(c->stmt, k + 2)) {
			*why = "it isn't of some of the rows";
			return "what is added up or compared";
		}
	}
	*why = c->q ? fail_doubt(c->p) : NULL;
	return "it";
}

/* Is it passed, or isn't it known?  Then *e says so. */
static bool
settle(struct check *c, struct err *e)
{
	const char *what, *why;

	if (sqlite3_column_int(c->stmt, 0)) {
		say(c, e);
		return true;
	}
	what = unknown(c, &why);
	if (!why)
		return false;
	snprintf(e->text, sizeof e->text,
		 "--fail-if=%.300s: %s is not known: %s", c->f->text, what,
		 why);
	return true;
}

/* --------------------------------------------------------------- evaluatio */

/*
 * The rows, unless they are said: call paths, and of each its types, threads
 * and sizes apart where the limit names them.
 */
static void
divide(struct query *q, const struct words *w)
{
	static const struct {
		enum column column;
		enum query_by by;
	} apart[] = { { COLUMN_TYPE, QUERY_TYPE },
		      { COLUMN_THREAD, QUERY_THREAD },
		      { COLUMN_SIZE, QUERY_SIZE } };

	for (size_t k = 0; k < sizeof apart / sizeof *apart; k++)
		for (size_t i = 0; i < w->nparts; i++)
			if (w->part[i].kind == WORDS_FIELD &&
			    w->part[i].inside &&
			    w->part[i].field ==
				    &columns_field[apart[k].column]) {
				q->by[q->nby++] = apart[k].by;
				break;
			}
}

/* Run it: true, or false with nothing in *e: it is not passed. */
static bool
run(struct check *c, struct err *e)
{
	char *text = statement(c->f->words, c->q);
	bool passed = true;

	if (!text)
		return true;
	if (!query_names(c->sql, c->f->words, e))
		c->stmt = sql_prepare_own(c->sql, text, "--fail-if", e);
	if (c->stmt && sql_step(c->sql, c->stmt, "--fail-if", e) > 0)
		passed = settle(c, e);
	sqlite3_finalize(c->stmt);
	free(text);
	return passed;
}

bool
fail_expr_check(const struct fail *f, const struct profile *p,
		const struct options *o, struct err *e)
{
	struct check c = { .f = f, .p = p };
	struct schema schema = { 0 };
	struct queries all = { 0 };
	struct sql sql = { 0 };
	bool passed = true;

	snprintf(e->text, sizeof e->text, "out of memory");
	if (has_rows(f->words)) {
		if (queries_plain(&all, o, e))
			return true;
		if (!o->see.group_by)
			divide(all.query, f->words);
		c.q = all.query;
	}
	if (!schema_init(&schema, p) && !sql_open(&sql, &schema, e)) {
		c.sql = &sql;
		passed = run(&c, e);
	}
	sql_close(&sql);
	schema_fini(&schema);
	queries_fini(&all);
	return passed;
}
