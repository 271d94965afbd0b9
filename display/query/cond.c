/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Translate conditions to SQL: see cond.h.  After the first error no more
 * tokens are read, which ends the parse.
 */
#include "display/query/cond.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

/* Reject longer texts, deeper brackets and higher trees. */
enum { LONGEST = 65536, DEEPEST = 100, HIGHEST = 950 };

/* An operand.  In a condition, sql is the part for blocks, rows for rows. */
struct term {
	struct cond_operand is;
	const char *sql, *rows; /* NULL: none */
	bool sum;		/* contains a figure of rows */
	unsigned height;	/* height of the expression as a tree */
	size_t at, end;		/* in the text, bytes */
	size_t part;		/* index of its first part */
};

struct parser {
	struct cond *w;
	const struct cond_scope *scope;
	struct err *e;
	bool failed;	/* *e says why */
	bool inside;	/* in a function over rows */
	unsigned depth; /* open brackets */
	struct cond_lex lex;
};

/* Set the error, if it is the first.  message NULL: out of memory. */
static void
cond_fail(struct parser *p, size_t at, const char *message)
{
	if (!p->failed && message)
		caret_complain(p->e, p->w->what, p->w->text, at, message);
	else if (!p->failed)
		err_memory(p->e);
	p->failed = true;
	p->lex.token = '\0';
	p->lex.op = NULL;
}

static const char *
cond_sane(struct parser *p, const char *text)
{
	if (!text)
		cond_fail(p, 0, NULL);
	return text ? text : "";
}

/* Format SQL in the arena. */
#define SAY(p, ...) cond_sane(p, arena_print(&(p)->w->arena, __VA_ARGS__))

/* Add a part that is named in the text from `at' to `end'. */
static void
cond_note(struct parser *p, size_t at, size_t end, struct cond_part part)
{
	struct cond *w = p->w;

	part.at = at;
	part.end = end;
	part.inside = p->inside;
	if (p->failed)
		cond_fail(p, 0, NULL);
	else
		ARRAY_ADD(w->part, w->room, w->nparts, part);
}

/* Read the next token. */
static void
cond_next(struct parser *p)
{
	if (p->failed)
		return;
	cond_lex(&p->lex);
	if (p->lex.wrong)
		cond_fail(p, p->lex.at, p->lex.wrong);
}

static bool
cond_is(const struct parser *p, char op)
{
	return p->lex.op && p->lex.op->text[0] == op && !p->lex.op->text[1];
}

/* -------------------------------------------------------------- operands -- */

/* Read an operand and all following operators of that level or tighter ones. */
static struct term cond_level(struct parser *p, int level);
static struct term cond_primary(struct parser *p);

/* Combine the condition for blocks and the one for rows to one for rows. */
static const char *
cond_both(struct parser *p, const char *sql, const char *rows)
{
	return sql && rows ? SAY(p, "(%s) AND (%s)", sql, rows)
			   : cond_sane(p, sql ? sql : rows);
}

/* Make t a condition: for rows if it has a figure of rows, else for blocks. */
static void
cond_ask(struct parser *p, struct term *t, const char *sql)
{
	t->is = (struct cond_operand){ .kind = COND_TRUTH };
	t->sql = t->sum ? NULL : sql;
	t->rows = t->sum ? sql : NULL;
	for (size_t i = t->part; i < p->w->nparts; i++)
		p->w->part[i].row |= t->sum;
}

static void
cond_number(struct parser *p, struct term *t)
{
	long double n = p->lex.number.value;
	bool whole = n <= 9223372036854775807.0L &&
		     n - (long double)(uint64_t)n <= 0;

	t->is = (struct cond_operand){ .kind = COND_NUMBER,
				       .unit = p->lex.number.kind,
				       .literal = true,
				       .bare = p->lex.number.bare,
				       .number = n };
	t->sql = SAY(p, whole ? "%.0Lf" : "%.17Lg", n);
	cond_next(p);
}

static void
cond_string(struct parser *p, struct term *t)
{
	const char *text = p->w->text + p->lex.start + 1;
	size_t n = p->lex.at - p->lex.start - 2;
	char *quoted = sqlite3_mprintf("%.*Q", (int)n, text);

	t->is = (struct cond_operand){ .kind = COND_TEXT };
	t->is.string = cond_sane(p, arena_copy(&p->w->arena, text, n));
	t->sql = SAY(p, "%s", cond_sane(p, quoted));
	sqlite3_free(quoted);
	cond_next(p);
}

static struct term
cond_bracket(struct parser *p)
{
	size_t at = p->lex.start;
	struct term t;

	cond_next(p);
	t = cond_level(p, COND_ORS);
	if (!cond_is(p, ')'))
		cond_fail(p, p->lex.token ? p->lex.start : at,
			  p->lex.token ? "expected an operator or )"
				       : "this bracket is not closed");
	t.sql = t.sql ? SAY(p, "(%s)", t.sql) : NULL;
	t.rows = t.rows ? SAY(p, "(%s)", t.rows) : NULL;
	cond_next(p);
	return t;
}

static struct term
cond_not(struct parser *p)
{
	struct term t;

	cond_next(p);
	t = cond_primary(p);
	if (t.is.kind != COND_TRUTH)
		cond_fail(p, t.at,
			  "`!' is of conditions: put this in brackets");
	t.height++;
	cond_ask(p, &t, SAY(p, "(NOT (%s))", cond_both(p, t.sql, t.rows)));
	return t;
}

/* Read the name of a column. */
static void
cond_name(struct parser *p, struct term *t)
{
	const struct schema_table *table =
		p->inside ? p->scope->rows : p->scope->table;
	const char *name = p->w->text + p->lex.start;
	size_t n = p->lex.at - p->lex.start;
	const struct schema_field *f = cond_field(table, name, n);
	char message[SCHEMA_MESSAGE];

	if (!f) {
		cond_fail(p, p->lex.start,
			  schema_unknown(table, "column", name, n, false,
					 message));
		return;
	}
	cond_note(p, p->lex.start, p->lex.at,
		  (struct cond_part){ .kind = COND_FIELD, .field = f });
	t->is.kind = f->kind == VALUE_TEXT ? COND_TEXT : COND_NUMBER;
	t->is.unit = cond_field_unit(f);
	t->is.field = f;
	t->sum = f->level == SCHEMA_ROW;
	t->sql = SAY(p, "\"%s\"", f->name);
	cond_next(p);
}

/* ------------------------------------------------------------- functions -- */

static const struct call {
	const char *name;
	bool truth, number; /* returns a truth value; has a number argument */
	/* SQL around the number; and a prefix to the condition for rows. */
	const char *head, *tail, *which;
} calls[] = {
	{ "known", true, false, NULL, NULL, NULL },
	{ "any", true, false, "count(*) > 0", "", "" },
	{ "all", true, false, "count(*) = 0", "", "NOT " },
	{ "count", false, false, "count(*)", "", "" },
	{ "sum", false, true, "ifnull(sum(", "), 0)", "" },
	{ "min", false, true, "min(", ")", "" },
	{ "max", false, true, "max(", ")", "" },
	{ 0 },
};

/* Read an argument, or the whole text, which must be of that kind. */
static struct term
cond_argument(struct parser *p, enum cond_kind kind)
{
	struct term t = cond_level(p, COND_ORS);
	char message[80];

	if (!p->inside && p->lex.token)
		cond_fail(p, p->lex.start, "expected an operator");
	snprintf(message, sizeof message, "this is %s, but must be %s",
		 cond_kind_name(t.is.kind), cond_kind_name(kind));
	if (t.is.kind != kind)
		cond_fail(p, t.at, message);
	return t;
}

/* Read any(), sum() ... over the rows of table r. */
static void
cond_over(struct parser *p, const struct call *c, struct term *t)
{
	struct term number = { .sql = "1" }, holds = { .sql = "1" };
	struct cond_part *part;
	bool more = true;
	const char *where;

	cond_note(p, t->at, t->at,
		  (struct cond_part){ .kind = COND_CALL, .truth = c->truth });
	p->inside = true;
	if (c->number) {
		number = cond_argument(p, COND_NUMBER);
		more = cond_is(p, ',');
		if (more)
			cond_next(p);
	}
	if (more)
		holds = cond_argument(p, COND_TRUTH);
	if (!cond_is(p, ')'))
		cond_fail(p, p->lex.start, "expected )");
	p->inside = false;
	if (p->failed)
		return;
	where = cond_both(p, holds.sql, holds.rows);
	part = &p->w->part[t->part];
	part->end = t->end = p->lex.at;
	part->gap = SAY(p, "(SELECT count(*) > count(%s) FROM r WHERE %s)",
			number.sql, where);
	part->first = SAY(p, "(SELECT g FROM r WHERE %s LIMIT 1)", where);
	part->sql = SAY(p,
			"(SELECT CASE WHEN count(*) = count(%s) THEN %s%s%s "
			"END FROM r WHERE %s(%s))",
			number.sql, c->head, c->number ? number.sql : "",
			c->tail, c->which, where);
	t->is.kind = c->truth ? COND_TRUTH : COND_NUMBER;
	t->is.unit = number.is.unit;
	t->height = 1 + (number.height > holds.height ? number.height
						      : holds.height);
	t->sql = part->sql;
	cond_next(p);
}

/* Read known(COLUMN). */
static void
cond_known(struct parser *p, struct term *t)
{
	if (p->lex.token != 'a')
		cond_fail(p, p->lex.start, "expected a column");
	else
		cond_name(p, t);
	if (!cond_is(p, ')'))
		cond_fail(p, p->lex.start, "expected )");
	if (p->failed)
		return;
	p->w->part[t->part].tested = true;
	cond_ask(p, t, SAY(p, "%s IS NOT NULL", t->sql));
	cond_next(p);
}

/* Read a function call. */
static void
cond_call(struct parser *p, struct term *t)
{
	const char *name = p->w->text + p->lex.start;
	size_t n = p->lex.at - p->lex.start;
	bool over = p->scope->rows && !p->inside;
	const struct call *c = calls;
	char message[160];

	/* The bracket, then its content. */
	cond_next(p);
	cond_next(p);
	while (c->name && (strncmp(name, c->name, n) != 0 || c->name[n]))
		c++;
	if (c == calls) {
		cond_known(p, t);
		return;
	}
	if (c->name && over) {
		cond_over(p, c, t);
		return;
	}
	snprintf(message, sizeof message, "no function \"%.*s\" here; %s",
		 n > 40 ? 40 : (int)n, name,
		 over ? "the functions are known, any, all, count, sum, min "
			"and max"
		      : "the only one is known(COLUMN)");
	cond_fail(p, t->at, message);
}

static struct term
cond_primary(struct parser *p)
{
	struct term t = { .at = p->lex.start,
			  .end = p->lex.at,
			  .part = p->w->nparts };
	size_t at = p->lex.start;

	if (++p->depth > DEEPEST)
		cond_fail(p, at, "too many brackets");
	else if (p->lex.token == '0')
		cond_number(p, &t);
	else if (p->lex.token == '\'' || p->lex.token == '"')
		cond_string(p, &t);
	else if (p->lex.token == 'a' && p->lex.call)
		cond_call(p, &t);
	else if (p->lex.token == 'a')
		cond_name(p, &t);
	else if (cond_is(p, '('))
		t = cond_bracket(p);
	else if (cond_is(p, '!'))
		t = cond_not(p);
	else
		cond_fail(p, at, "expected a column, number, text or (");
	t.at = at;
	p->depth--;
	return t;
}

/* ------------------------------------------------------------- operators -- */

/*
 * If column l is compared with the quoted text r, add a part for r.  A pattern
 * must be valid.
 */
static void
cond_quoted(struct parser *p, bool pattern, const struct term *l,
	    const struct term *r)
{
	char message[256] = "";
	regex_t *regex = NULL;

	if (!r->is.string)
		return;
	if (pattern &&
	    pattern_compile(&regex, r->is.string, message, sizeof message))
		cond_fail(p, r->at, *message ? message : NULL);
	pattern_free(regex);
	if (l->is.field)
		cond_note(p, r->at, r->end,
			  (struct cond_part){ .kind = pattern ? COND_PATTERN
							      : COND_NAME,
					      .field = l->is.field,
					      .text = r->is.string });
}

/* Compare texts, or match a pattern.  A column's second name matches, too. */
static const char *
cond_texts(struct parser *p, const struct cond_op *op, const struct term *l,
	   const struct term *r)
{
	const char *not = *op->text == '!' ? "NOT " : "", *other;
	bool pattern = strchr(op->text, '~');

	if (!(l->is.field && l->is.field->other) && r->is.field &&
	    r->is.field->other)
		return cond_texts(p, op, r, l);
	if (!l->is.field || !l->is.field->other)
		return SAY(p, "(%s %s %s) IS TRUE", l->sql, op->sql, r->sql);
	other = SAY(p, "ifnull(\"%s\", %s)", l->is.field->other, l->sql);
	return pattern ? SAY(p, "(%s %s %s %s %s %s %s) IS TRUE", l->sql,
			     op->sql, r->sql, *not ? "AND" : "OR", other,
			     op->sql, r->sql)
		       : SAY(p, "(%s %sIN (%s, %s)) IS TRUE", r->sql, not,
			     l->sql, other);
}

/*
 * --fail-if compares a figure of the whole run with a number.  "lost > 0"
 * becomes lost_blocks > 0, since a lost block may have 0 bytes; "lost.bytes >
 * 0" does not.  An unknown figure exceeds a number if its known part does.
 */
static void
cond_limit(struct parser *p, const char *op, struct term *l,
	   const struct cond_operand *r)
{
	const struct schema_table *t = p->scope->table;
	const struct schema_field *f = l->is.field, *blocks;
	char name[64];

	if (!p->scope->rows || p->inside || !f || !r->literal)
		return;
	snprintf(name, sizeof name, "%s_blocks", f->name);
	blocks = schema_field(t, name, strlen(name));
	if (blocks && r->number <= 0 &&
	    !memchr(p->w->text + l->at, '.', l->end - l->at))
		p->w->part[l->part].field = l->is.field = f = blocks;
	l->sql = *op == '>' ? SAY(p, "ifnull(\"%s\", ?%zu)", f->name,
				  (size_t)(f - t->field) + 1)
			    : SAY(p, "\"%s\"", f->name);
}

/* SQL that compares two numbers, texts or conditions. */
static const char *
cond_compare(struct parser *p, const struct cond_op *op, struct term *l,
	     const struct term *r)
{
	bool pattern = strchr(op->text, '~');

	if (l->is.kind == COND_TRUTH)
		return SAY(p, "(%s) %s (%s)", cond_both(p, l->sql, l->rows),
			   op->sql, cond_both(p, r->sql, r->rows));
	cond_limit(p, op->text, l, &r->is);
	cond_quoted(p, pattern, l, r);
	if (!pattern && !l->is.field)
		cond_quoted(p, false, r, l);
	return cond_texts(p, op, l, r);
}

/* "A OP B"; if one is NULL, the other alone. */
static const char *
cond_join(struct parser *p, const struct cond_op *op, const char *a,
	  const char *b)
{
	return a && b ? SAY(p, "%s %s %s", a, op->sql, b) : a ? a : b;
}

/* The term "l OP r"; at: its place in the text. */
static struct term
cond_operate(struct parser *p, const struct cond_op *op, size_t at,
	     struct term *l, const struct term *r)
{
	struct term t = { .at = l->at,
			  .end = r->end,
			  .part = l->part,
			  .sum = l->sum || r->sum,
			  .is.kind = COND_TRUTH };
	char message[160];
	const char *bad =
		cond_check(op->text, &l->is, &r->is, message, sizeof message);

	/* Some operators become two levels of SQL. */
	t.height = 1 + (op->level == COND_COMPARISONS || *op->text == '/') +
		   (l->height > r->height ? l->height : r->height);
	if (!bad && t.height > HIGHEST)
		bad = "this is too long: use brackets";
	if (bad) {
		cond_fail(p, at, bad);
	} else if (op->level > COND_COMPARISONS) {
		t.is.kind = COND_NUMBER;
		t.is.unit = cond_unit_of(op->text, &l->is, &r->is);
		t.sql = cond_join(p, op, l->sql, r->sql);
	} else if (op->level == COND_COMPARISONS) {
		cond_ask(p, &t, cond_compare(p, op, l, r));
	} else if (op->level == COND_ORS) {
		cond_ask(p, &t,
			 cond_join(p, op, cond_both(p, l->sql, l->rows),
				   cond_both(p, r->sql, r->rows)));
	} else {
		/* Filter blocks before rows are made. */
		t.sql = cond_join(p, op, l->sql, r->sql);
		t.rows = cond_join(p, op, l->rows, r->rows);
	}
	return t;
}

static struct term
cond_level(struct parser *p, int level)
{
	struct term l, r;

	if (level > COND_PRODUCTS)
		return cond_primary(p);
	l = cond_level(p, level + 1);
	while (p->lex.op && p->lex.op->level == level) {
		const struct cond_op *op = p->lex.op;
		size_t at = p->lex.start;

		cond_next(p);
		r = cond_level(p, level + 1);
		if (!p->failed)
			l = cond_operate(p, op, at, &l, &r);
	}
	return l;
}

/* ------------------------------------------------------------- the whole -- */

int
cond_parse(struct cond *w, const char *text, const struct cond_scope *scope,
	   const char *what, struct err *e)
{
	struct parser p = { .w = w, .scope = scope, .e = e, .lex.text = text };
	struct term t;

	*w = (struct cond){ .text = text, .what = what };
	if (strlen(text) > LONGEST)
		cond_fail(&p, 0, "this is too long");
	cond_next(&p);
	t = cond_argument(&p, COND_TRUTH);
	if (!p.failed)
		w->whole = cond_both(&p, t.sql, t.rows);
	w->blocks = t.sql;
	w->rows = t.rows;
	if (p.failed)
		cond_fini(w);
	return p.failed ? -1 : 0;
}

void
cond_fini(struct cond *w)
{
	arena_fini(&w->arena);
	free(w->part);
	*w = (struct cond){ 0 };
}
