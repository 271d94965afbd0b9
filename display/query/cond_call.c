/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns and functions that conditions name: see cond_term.h. */
#include "display/schema/columns.h"
#include "display/query/cond_term.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------- names and calls -- */

static const struct schema_table *
named(const struct parser *p)
{
	return p->inside ? p->scope->rows : p->scope->table;
}

/* NAME.bytes is NAME, and NAME.blocks NAME_blocks, where there are both. */
static const struct schema_field *
find(const struct schema_table *t, const char *name, size_t n)
{
	const char *dot = memchr(name, '.', n);
	size_t before = dot ? (size_t)(dot - name) : n;
	const struct schema_field *blocks, *bytes;
	char text[32];
	int len;

	if (!dot || before > 16)
		return dot ? NULL : schema_field(t, name, n);
	len = snprintf(text, sizeof text, "%.*s_blocks", (int)before, name);
	blocks = schema_field(t, text, (size_t)len);
	len = snprintf(text, sizeof text, "%.*s_bytes", (int)before, name);
	bytes = schema_field(t, text, (size_t)len);
	if (n - before == 7 && !memcmp(dot, ".blocks", 7))
		return bytes ? schema_field(t, name, before) : blocks;
	if (n - before == 6 && !memcmp(dot, ".bytes", 6))
		return blocks ? schema_field(t, name, before) : bytes;
	return NULL;
}

enum column
cond_column(const char *name, size_t n)
{
	const struct schema_field *f = find(&columns_table, name, n);

	return f ? (enum column)(f - columns_field) : COLUMN_N;
}

static bool
no_column(struct parser *p, size_t at, size_t n)
{
	char message[SCHEMA_MESSAGE];

	return cond_fail(p, at,
			 schema_unknown(named(p), "column", p->lex.text + at, n,
					false, message));
}

/* A column's name. */
bool
cond_name(struct parser *p, struct term *t)
{
	const struct cond_lex *l = &p->lex;
	size_t n = l->at - l->start;
	const struct schema_field *f = find(named(p), l->text + l->start, n);
	struct cond_part *part;

	if (!f)
		return no_column(p, l->start, n);
	part = cond_note(p, COND_FIELD, l->start, l->at);
	if (!part)
		return false;
	part->field = f;
	t->is.kind = f->kind == VALUE_TEXT ? COND_TEXT : COND_NUMBER;
	t->is.unit = cond_field_unit(f);
	t->is.field = f;
	t->sum = f->level == SCHEMA_ROW;
	t->end = l->at;
	t->sql = cond_say(p, "\"%s\"", f->name);
	return t->sql && cond_advance(p);
}

/* A figure of the whole that is compared with a number: see cond_term.h. */
bool
cond_limit(struct parser *p, const char *op, struct term *l,
	   const struct term *r)
{
	const struct schema_table *t = p->scope->table;
	const struct schema_field *f = l->is.field, *blocks;
	char name[32];
	int n;

	if (!p->scope->rows || p->inside || !f || !r->is.literal)
		return true;
	n = snprintf(name, sizeof name, "%s_blocks", f->name);
	blocks = schema_field(t, name, (size_t)n);
	if (blocks && r->is.number <= 0 &&
	    !memchr(p->w->text + l->at, '.', l->end - l->at))
		p->w->part[l->part].field = l->is.field = f = blocks;
	cond_drop(l);
	l->sql = *op == '>' ? cond_say(p, "ifnull(\"%s\", ?%zu)", f->name,
				       (size_t)(f - t->field) + 1)
			    : cond_say(p, "\"%s\"", f->name);
	return l->sql;
}

static const struct call {
	const char *name;
	bool truth, number; /* what it gives; its first argument is a number */
	bool not ;	    /* it is of rows that don't hold */
	/* Of rows: its value, with the number between. */
	const char *head, *tail;
} calls[] = {
	{ "any", true, false, false, "count(*) > 0", "" },
	{ "all", true, false, true, "count(*) = 0", "" },
	{ "count", false, false, false, "count(*)", "" },
	{ "sum", false, true, false, "ifnull(sum(", "), 0)" },
	{ "min", false, true, false, "min(", ")" },
	{ "max", false, true, false, "max(", ")" },
};

enum { NCALLS = sizeof calls / sizeof *calls };

/* A condition as one, for rows; NULL with a message. */
char *
cond_both(struct parser *p, const struct term *t)
{
	return t->sql && t->rows ? cond_say(p, "(%s) AND (%s)", t->sql, t->rows)
				 : cond_say(p, "%s", t->sql ? t->sql : t->rows);
}

/* An argument of that kind, of what rows have. */
static bool
argument(struct parser *p, enum cond_kind kind, struct term *t)
{
	char message[80];

	if (!cond_level(p, 0, t))
		return false;
	if (t->is.kind == kind)
		return true;
	snprintf(message, sizeof message, "this is %s, but must be %s",
		 cond_kind_name(t->is.kind), cond_kind_name(kind));
	return cond_fail(p, t->at, message);
}

/* The arguments of a function, and the bracket behind them. */
static bool
arguments(struct parser *p, const struct call *c, struct term *number,
	  struct term *condition)
{
	if (c->number && !argument(p, COND_NUMBER, number))
		return false;
	if (c->number && cond_is_op(p, ",")) {
		if (!cond_advance(p) || !argument(p, COND_TRUTH, condition))
			return false;
	} else if (!c->number && !argument(p, COND_TRUTH, condition)) {
		return false;
	}
	return cond_is_op(p, ")") || cond_fail(p, p->lex.start, "expected )");
}

/* Its SQL, of the rows of a table r.  False with a message. */
static bool
call_sql(struct parser *p, const struct call *c, const struct term *number,
	 const struct term *condition, struct cond_part *part)
{
	char *where = condition->sql || condition->rows
			      ? cond_both(p, condition)
			      : cond_say(p, "1");
	const char *n = c->number ? number->sql : "1";

	if (!where)
		return false;
	part->gap = cond_say(p, "(SELECT count(*) > count(%s) FROM r WHERE %s)",
			     n, where);
	part->first = cond_say(p, "(SELECT g FROM r WHERE %s LIMIT 1)", where);
	part->sql =
		cond_say(p,
			 "(SELECT CASE WHEN count(*) = count(%s) THEN %s%s%s "
			 "END FROM r WHERE %s(%s))",
			 n, c->head, c->number ? n : "", c->tail,
			 c->not ? "NOT " : "", where);
	free(where);
	return part->gap && part->first && part->sql;
}

/* any(), sum() ... */
static bool
call_rows(struct parser *p, const struct call *c, size_t at, struct term *t)
{
	struct term number = { .part = p->w->nparts };
	struct term condition = { .part = p->w->nparts };
	struct cond_part *part = cond_note(p, COND_CALL, at, 0);
	size_t i = p->w->nparts - 1;
	bool fine = part != NULL;

	p->inside = true;
	fine = fine && arguments(p, c, &number, &condition);
	p->inside = false;
	if (fine) {
		part = &p->w->part[i];
		part->end = t->end = p->lex.at;
		part->truth = c->truth;
		fine = call_sql(p, c, &number, &condition, part);
	}
	if (fine) {
		t->is.kind = c->truth ? COND_TRUTH : COND_NUMBER;
		t->is.unit = c->number ? number.is.unit : UNITS_COUNT;
		t->height = number.height > condition.height ? number.height
							     : condition.height;
		t->height++;
		t->sql = cond_say(p, "%s", part->sql);
	}
	cond_drop(&number);
	cond_drop(&condition);
	return t->sql && cond_advance(p);
}

/* known(COLUMN) */
static bool
call_known(struct parser *p, struct term *t)
{
	struct term column = { .at = p->lex.start, .part = p->w->nparts };
	bool fine;

	if (p->lex.token != COND_T_NAME)
		return cond_fail(p, p->lex.start, "expected a column");
	fine = cond_name(p, &column);
	if (fine && !cond_is_op(p, ")"))
		fine = cond_fail(p, p->lex.start, "expected )");
	if (fine) {
		char **to = column.sum ? &t->rows : &t->sql;

		*to = cond_say(p, "%s IS NOT NULL", column.sql);
		if (column.sum)
			cond_mark_row(p, &column);
		p->w->part[column.part].tested = true;
		t->is.kind = COND_TRUTH;
		t->sum = column.sum;
		t->end = p->lex.at;
		fine = *to != NULL;
	}
	cond_drop(&column);
	return fine && cond_advance(p);
}

/* A name with a bracket behind it, which is the token. */
bool
cond_call(struct parser *p, size_t at, size_t n, struct term *t)
{
	const char *text = p->w->text + at;
	bool over = p->scope->rows && !p->inside;
	char message[160];

	if (!cond_advance(p))
		return false;
	if (n == 5 && !strncmp(text, "known", n))
		return call_known(p, t);
	for (size_t i = 0; i < NCALLS && over; i++)
		if (strlen(calls[i].name) == n &&
		    !strncmp(text, calls[i].name, n))
			return call_rows(p, &calls[i], at, t);
	snprintf(message, sizeof message, "no function \"%.*s\" here; %s",
		 n > 40 ? 40 : (int)n, text,
		 over ? "the functions are known, any, all, count, sum, min "
			"and max"
		      : "the only one is known(COLUMN)");
	return cond_fail(p, at, message);
}
