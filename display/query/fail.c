/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Limits: see query.h. */

#include "display/query/query.h"
#include "display/schema/totals.h"
#include "display/text/amount.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

int
fail_parse(struct cond *w, const char *text, struct err *e)
{
	const struct cond_scope scope = { schema_table("totals"),
					  &columns_table };

	if (!cond_parse(w, text, &scope, "--fail-if", e))
		return 0;
	if (!*text)
		err_set(e, "--fail-if=: no limit; give one such as kept>=1M or "
			   "lost.blocks>0; man mpreduce-queries lists the "
			   "figures");
	return -1;
}

/* Does the limit use rows of a query? */
static bool
has_rows(const struct cond *w)
{
	for (size_t i = 0; i < w->nparts; i++)
		if (w->part[i].kind == COND_CALL)
			return true;
	return false;
}

unsigned
fail_needs(const struct cond *w)
{
	unsigned needs = 0;

	for (size_t i = 0; i < w->nparts; i++)
		if (w->part[i].field && w->part[i].inside)
			needs |= w->part[i].field->needs;
	return needs | (has_rows(w) ? SCHEMA_ITEMS : 0);
}

/* --------------------------------------------------------------- statement */

/* Did an earlier part name the same field of rows? */
static bool
is_again(const struct cond *w, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (w->part[k].kind == COND_FIELD && w->part[k].inside &&
		    w->part[k].field == w->part[i].field)
			return true;
	return false;
}

/*
 * Write the rows as a table r, with the columns that the limit names; q is NULL
 * without rows.  0 or -1.
 */
static int
put_rows(FILE *out, const struct cond *w, const struct query *q)
{
	char *columns = NULL, *rows;
	size_t size;
	FILE *list = q ? open_memstream(&columns, &size) : NULL;

	if (!q)
		return 0;
	for (size_t i = 0; list && i < w->nparts; i++)
		if (w->part[i].kind == COND_FIELD && w->part[i].inside &&
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
 * The SELECT: is the limit exceeded?  Then three values for each part.  For a
 * function: its value, the first row for any(), and whether a value is unknown
 * in some row.  For a field of rows: whether it is known for any row.  NULL:
 * out of memory.
 */
static char *
statement(const struct cond *w, const struct query *q)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int status;

	if (!out)
		return NULL;
	status = put_rows(out, w, q);
	fprintf(out, "SELECT (%s) IS TRUE", w->whole);
	for (size_t i = 0; i < w->nparts; i++) {
		const struct cond_part *a = &w->part[i];

		if (a->kind == COND_CALL)
			fprintf(out, ", %s, %s, %s", a->sql, a->first, a->gap);
		else if (a->kind != COND_FIELD)
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
	if (fclose(out) == 0 && !status)
		return text;
	free(text);
	return NULL;
}

/* ----------------------------------------------------------------- message */

struct check {
	const struct cond *w;
	const struct profile *p;
	const struct query *q; /* of the rows; NULL: no rows */
	struct sql *sql;
	sqlite3_stmt *stmt;
};

/* Append to the message. */
static void __attribute__((format(printf, 2, 3)))
append(struct err *e, const char *fmt, ...)
{
	size_t n = strlen(e->text);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(e->text + n, sizeof e->text - n, fmt, ap);
	va_end(ap);
}

/* Print the key of the first row for which any() is true. */
static void
say_first(struct check *c, size_t group, struct err *e)
{
	enum { SHOWN = 96 };
	struct tally_room room;
	struct tally t = sql_group_tally(c->sql, group, &room);
	struct value v = columns_value(c->sql->s, &t,
				       (enum column)query_by[c->q->by[0]].at);
	size_t n;

	if (c->q->by[0] == QUERY_SIZE) {
		append(e, " (size %.0Lf)", v.number);
		return;
	}
	/* The end of a path says most. */
	n = v.known ? strlen(v.text) : 0;
	append(e, " (%s%s)", n > SHOWN ? "..." : "",
	       !v.known	   ? "(unknown)"
	       : n > SHOWN ? v.text + n - SHOWN
			   : v.text);
}

/* The length of a field's name without `_blocks' or `_bytes'. */
static int
fail_base(const struct schema_field *f)
{
	return (int)strcspn(f->name, "_");
}

/* Print the value of a part: "kept is 1948", "any(...) is true (main > f)". */
static void
say_one(struct check *c, size_t i, struct err *e)
{
	const struct cond_part *a = &c->w->part[i];
	int k = 1 + 3 * (int)i;
	size_t n = a->end - a->at;

	append(e, "%.*s is ", n > 80 ? 80 : (int)n, c->w->text + a->at);
	if (a->kind == COND_CALL && a->truth)
		append(e, "%s",
		       sqlite3_column_int(c->stmt, k) ? "true" : "false");
	else if (sqlite3_column_type(c->stmt, k) == SQLITE_NULL)
		append(e, "unknown");
	else
		append(e, "%.15g", sqlite3_column_double(c->stmt, k));
	if (a->kind == COND_CALL && !strncmp(c->w->text + a->at, "any", 3) &&
	    sqlite3_column_type(c->stmt, k + 1) != SQLITE_NULL)
		say_first(c, (size_t)sqlite3_column_int64(c->stmt, k + 1), e);
}

static bool
is_unknown(const struct check *c, size_t i)
{
	return sqlite3_column_type(c->stmt, 1 + 3 * (int)i) == SQLITE_NULL;
}

/* Did an earlier part name the same figure, in bytes or in blocks? */
static bool
is_said(const struct cond *w, size_t i)
{
	const struct cond_part *a = &w->part[i];

	for (size_t k = 0; k < i && a->kind == COND_FIELD; k++)
		if (w->part[k].kind == COND_FIELD && !w->part[k].inside &&
		    w->part[k].field->at / 2 == a->field->at / 2)
			return true;
	return false;
}

/* Print a figure that the limit names: "lost is 10 bytes in 2 blocks". */
static void
say_figure(const struct check *c, const struct schema_field *f, struct err *e)
{
	enum totals_what what = (enum totals_what)(f->at / 2);
	uint64_t blocks, bytes;

	totals_figure(c->p, what, true, &blocks);
	totals_figure(c->p, what, false, &bytes);
	append(e, "%.*s is ", fail_base(f), f->name);
	/* The number of blocks at the peak can be unknown. */
	if (what < TOTALS_PEAK || what == TOTALS_UNRECORDED ||
	    (what == TOTALS_PEAK && f->at & 1))
		append(e, "%" PRIu64 " byte%s in %" PRIu64 " block%s", bytes,
		       bytes == 1 ? "" : "s", blocks, blocks == 1 ? "" : "s");
	else
		append(e, "%" PRIu64, f->at & 1 ? blocks : bytes);
}

/* Does the limit name a figure of leak checks? */
static bool
names_leaks(const struct cond *w)
{
	for (size_t i = 0; i < w->nparts; i++)
		if (w->part[i].kind == COND_FIELD && !w->part[i].inside &&
		    w->part[i].field &&
		    w->part[i].field->at / 2 <= TOTALS_LEAKED)
			return true;
	return false;
}

/* Print all figures that the limit names, and what leak checks can't know. */
static void
fail_say(struct check *c, struct err *e)
{
	const struct cond *w = c->w;
	const char *between = ": ";
	struct arena a = { 0 };

	snprintf(e->text, sizeof e->text, "--fail-if=%.300s", w->text);
	for (size_t i = 0; i < w->nparts; i++) {
		if ((w->part[i].kind != COND_CALL &&
		     (w->part[i].kind != COND_FIELD || w->part[i].inside)) ||
		    is_said(w, i))
			continue;
		append(e, "%s", between);
		between = ", ";
		if (w->part[i].kind == COND_FIELD &&
		    (w->nparts == 1 || !is_unknown(c, i)))
			say_figure(c, w->part[i].field, e);
		else
			say_one(c, i, e);
	}
	for (size_t i = 0; i < c->p->nleak_notes && names_leaks(w); i++) {
		const char *note = amount_leak_note(&a, c->p, i, false);

		append(e, "; %s", note ? note : "");
	}
	arena_fini(&a);
}

/* Set *what, of *n bytes, to an unknown figure; return why, or NULL: none. */
static const char *
fail_unknown(const struct check *c, const char **what, int *n)
{
	const struct cond *w = c->w;
	uint64_t value;

	for (size_t i = 0; i < w->nparts; i++) {
		const struct cond_part *a = &w->part[i];
		int k = 1 + 3 * (int)i;

		*what = a->field ? a->field->name : "";
		*n = a->field && !a->inside ? fail_base(a->field)
					    : (int)strlen(*what);
		if (a->kind == COND_FIELD && a->field && !a->inside &&
		    !a->tested &&
		    sqlite3_column_type(c->stmt, k) == SQLITE_NULL)
			return totals_figure(c->p,
					     (enum totals_what)(a->field->at /
								2),
					     a->field->at & 1, &value);
		if (a->kind == COND_FIELD && a->inside && !a->tested &&
		    !sqlite3_column_int(c->stmt, k))
			return "no row has one value";
		*what = "the value";
		*n = (int)strlen(*what);
		if (a->kind == COND_CALL && sqlite3_column_int(c->stmt, k + 2))
			return "some rows have no value";
	}
	*what = "it";
	*n = 2;
	return c->q ? totals_doubt(c->p) : NULL;
}

/* Is the limit exceeded, or unknown?  Then *e is set. */
static bool
verdict(struct check *c, struct err *e)
{
	const char *what, *why;
	int n;

	if (sqlite3_column_int(c->stmt, 0)) {
		fail_say(c, e);
		return true;
	}
	why = fail_unknown(c, &what, &n);
	if (!why)
		return false;
	err_set(e, "--fail-if=%.300s: %.*s is unknown: %s", c->w->text, n, what,
		why);
	return true;
}

/* -------------------------------------------------------------- evaluation */

/*
 * Without --group-by, rows are call paths.  They are divided by type, thread or
 * size if the limit names these.
 */
static void
fail_divide(struct query *q, const struct cond *w)
{
	static const enum query_by apart[] = { QUERY_TYPE, QUERY_THREAD,
					       QUERY_SIZE };

	for (size_t k = 0; k < sizeof apart / sizeof *apart; k++)
		for (size_t i = 0; i < w->nparts; i++)
			if (w->part[i].kind == COND_FIELD &&
			    w->part[i].inside &&
			    w->part[i].field ==
				    &columns_field[query_by[apart[k]].at]) {
				q->by[q->nby++] = apart[k];
				break;
			}
}

/* Set each parameter to the lowest value of its figure: see cond.h. */
static void
bind(const struct check *c)
{
	const struct schema_table *t = schema_table("totals");
	struct value v = { .known = true };
	uint64_t n;

	for (int i = 0; i < sqlite3_bind_parameter_count(c->stmt); i++) {
		totals_figure(c->p, (enum totals_what)(t->field[i].at / 2),
			      t->field[i].at & 1, &n);
		v.number = n;
		sql_bind(c->stmt, i + 1, &t->field[i], &v);
	}
}

/* Evaluate the limit.  False: not exceeded; true: *e is set. */
static bool
fail_run(struct check *c, struct err *e)
{
	char *text = statement(c->w, c->q);
	bool passed = true;

	if (!text)
		return true;
	if (!query_names(c->sql, c->w, e))
		c->stmt = sql_prepare_own(c->sql, text, "--fail-if", e);
	if (c->stmt)
		bind(c);
	if (c->stmt && sql_step(c->sql, c->stmt, "--fail-if", e) > 0)
		passed = verdict(c, e);
	sqlite3_finalize(c->stmt);
	free(text);
	return passed;
}

bool
fail_check(const struct cond *w, const struct profile *p,
	   const struct options *o, struct err *e)
{
	struct check c = { .w = w, .p = p };
	struct schema schema = { 0 };
	struct query q = { 0 };
	struct sql sql = { 0 };
	bool passed = true;
	int status = 0;

	err_memory(e);
	if (has_rows(w)) {
		if (query_init(&q, o, e))
			return true;
		if (!o->group_by)
			fail_divide(&q, w);
		c.q = &q;
		status = schema_init(&schema, p);
	} else {
		schema_start(&schema, p);
	}
	if (!status && !sql_open(&sql, &schema, e)) {
		c.sql = &sql;
		passed = fail_run(&c, e);
	}
	sql_close(&sql);
	schema_fini(&schema);
	query_fini(&q);
	return passed;
}
