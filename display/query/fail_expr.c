/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Limits that are expressions: see fail.h. */
#include "display/query/fail.h"

#include "display/query/query.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* The figures of the whole profile: what, and which of the two it has. */
static const struct {
	enum fail_what what;
	bool blocks;
} figures[] = {
	{ FAIL_LOST, false },	   { FAIL_LOST, true },
	{ FAIL_INDIRECT, false },  { FAIL_INDIRECT, true },
	{ FAIL_INTERIOR, false },  { FAIL_INTERIOR, true },
	{ FAIL_REACHABLE, false }, { FAIL_REACHABLE, true },
	{ FAIL_LEAKED, false },	   { FAIL_LEAKED, true },
	{ FAIL_KEPT, false },	   { FAIL_KEPT, true },
	{ FAIL_PEAK, false },	   { FAIL_PEAK, true },
	{ FAIL_UNRECORDED, true }, { FAIL_UNRECORDED, false },
	{ FAIL_ALLOCS, true },	   { FAIL_BYTES, false },
	{ FAIL_FREES, true },	   { FAIL_REALLOCS, true },
	{ FAIL_REFUSED, true },	   { FAIL_CUT, true },
	{ FAIL_INCOMPLETE, true },
};
static const struct expr_name names[] = {
	{ "lost", EXPR_NUMBER, EXPR_BYTES },
	{ "lost_blocks", EXPR_NUMBER, EXPR_PLAIN },
	{ "indirect", EXPR_NUMBER, EXPR_BYTES },
	{ "indirect_blocks", EXPR_NUMBER, EXPR_PLAIN },
	{ "interior", EXPR_NUMBER, EXPR_BYTES },
	{ "interior_blocks", EXPR_NUMBER, EXPR_PLAIN },
	{ "reachable", EXPR_NUMBER, EXPR_BYTES },
	{ "reachable_blocks", EXPR_NUMBER, EXPR_PLAIN },
	{ "leaked", EXPR_NUMBER, EXPR_BYTES },
	{ "leaked_blocks", EXPR_NUMBER, EXPR_PLAIN },
	{ "kept", EXPR_NUMBER, EXPR_BYTES },
	{ "kept_blocks", EXPR_NUMBER, EXPR_PLAIN },
	{ "peak", EXPR_NUMBER, EXPR_BYTES },
	{ "peak_blocks", EXPR_NUMBER, EXPR_PLAIN },
	{ "unrecorded", EXPR_NUMBER, EXPR_PLAIN },
	{ "unrecorded_bytes", EXPR_NUMBER, EXPR_BYTES },
	{ "allocs", EXPR_NUMBER, EXPR_PLAIN },
	{ "bytes", EXPR_NUMBER, EXPR_BYTES },
	{ "frees", EXPR_NUMBER, EXPR_PLAIN },
	{ "reallocs", EXPR_NUMBER, EXPR_PLAIN },
	{ "refused", EXPR_NUMBER, EXPR_PLAIN },
	{ "cut", EXPR_NUMBER, EXPR_PLAIN },
	{ "incomplete", EXPR_NUMBER, EXPR_PLAIN },
};
_Static_assert(sizeof names / sizeof *names == sizeof figures / sizeof *figures,
	       "each figure has a name");
static const struct expr_scope scope = { names, sizeof names / sizeof *names,
					 &columns_scope };

int
fail_expr_parse(struct fail *f, struct err *e)
{
	f->expr = calloc(1, sizeof *f->expr);
	if (!f->expr) {
		snprintf(e->text, sizeof e->text, "out of memory");
		return -1;
	}
	if (!expr_parse(f->expr, f->text, &scope, EXPR_TRUTH, "--fail-if", e))
		return 0;
	free(f->expr);
	f->expr = NULL;
	return -1;
}

void
fail_fini(struct fail *f)
{
	if (f->expr)
		expr_fini(f->expr);
	free(f->expr);
	f->expr = NULL;
}

bool
fail_wants(const struct fail *f, bool types)
{
	for (size_t i = 0; f->expr && i < f->expr->n; i++) {
		const struct expr_node *a = &f->expr->node[i];

		if (!types && a->op >= EXPR_ANY)
			return true;
		if (types && a->op == EXPR_COLUMN && a->row &&
		    (a->column == COLUMN_TYPE || a->column == COLUMN_MARK))
			return true;
	}
	return false;
}

/* ------------------------------------------------------------ evaluation -- */

struct check {
	const struct fail *f;
	const struct profile *p;
	struct query_groups *g; /* NULL: there are no rows */
	const struct tally *t;	/* of the row */
	const char *unknown;	/* figure that isn't known, and why */
	const char *why;
	char first[100]; /* row that any() holds of */
};

static void
total(void *arg, unsigned column, struct expr_value *v)
{
	struct check *c = arg;
	uint64_t n;
	const char *why = fail_figure(c->p, figures[column].what,
				      figures[column].blocks, &n);

	v->number = n;
	v->known = !why;
	if (why && !c->unknown) {
		c->unknown = names[column].name;
		c->why = why;
	}
}

static void
cell(void *arg, unsigned column, struct expr_value *v)
{
	const struct check *c = arg;

	*v = columns_value(c->g->columns, c->t, (enum column)column);
}

/* The end of a path says most. */
static void
note_text(struct check *c, const char *text)
{
	size_t n = strlen(text), most = sizeof c->first - 4;

	if (n > most)
		snprintf(c->first, sizeof c->first, "...%s", text + n - most);
	else
		snprintf(c->first, sizeof c->first, "%s", text);
}

/* The first row that any() holds of, by what rows are of. */
static void
note_first(struct check *c)
{
	static const enum column by[QUERY_NBY] = {
		COLUMN_TYPE,   COLUMN_SITE,   COLUMN_FUNCTION, COLUMN_FILE,
		COLUMN_MODULE, COLUMN_THREAD, COLUMN_SIZE,     COLUMN_LIVED
	};
	struct expr_value v =
		columns_value(c->g->columns, c->t, by[c->g->q->by[0]]);

	if (c->g->q->by[0] == QUERY_SIZE)
		snprintf(c->first, sizeof c->first, "size %.0Lf", v.number);
	else
		note_text(c, v.known ? v.text : "(not known)");
}

/* What any(), sum() and so on come to. */
struct fold {
	uint64_t rows, hold;
	long double sum, least, most;
	bool known; /* of all rows that hold */
};

static struct fold
fold(struct check *c, const struct expr *x, const struct expr_node *a)
{
	const struct expr_source s = { .column = cell, .arg = c };
	struct fold o = { .known = true };
	struct tally_room room;
	struct expr_value v;
	struct tally t;

	for (size_t i = 0; i < c->g->n; i++) {
		t = query_tally(c->g, i, &room);
		c->t = &t;
		o.rows++;
		if (a->right != EXPR_NONE) {
			v = expr_value(x, a->right, &s);
			if (!v.truth)
				continue;
		}
		if (!o.hold && !*c->first)
			note_first(c);
		if (a->left != EXPR_NONE) {
			v = expr_value(x, a->left, &s);
			o.known &= v.known;
			o.sum += v.number;
			if (!o.hold || v.number < o.least)
				o.least = v.number;
			if (!o.hold || v.number > o.most)
				o.most = v.number;
		}
		o.hold++;
	}
	return o;
}

/* Is something that a condition names known of no row at all? */
static void
find_unknown(struct check *c, const struct expr *x)
{
	struct tally_room room;
	struct tally t;
	bool known;

	for (size_t i = 0; i < x->n && c->g->n && !c->unknown; i++) {
		const struct expr_node *a = &x->node[i];

		if (a->op != EXPR_COLUMN || !a->row)
			continue;
		known = false;
		for (size_t k = 0; k < c->g->n && !known; k++) {
			t = query_tally(c->g, k, &room);
			known = columns_value(c->g->columns, &t,
					      (enum column)a->column)
					.known;
		}
		if (known)
			continue;
		c->unknown = columns_scope.name[a->column].name;
		c->why = "of no row it is, or not the same in all of its "
			 "blocks";
	}
}

static void
rows(void *arg, const struct expr *x, const struct expr_node *a,
     struct expr_value *v)
{
	struct check *c = arg;
	struct fold o = fold(c, x, a);

	switch (a->op) {
	case EXPR_ANY:
		v->truth = o.hold > 0;
		return;
	case EXPR_ALL:
		v->truth = o.hold == o.rows;
		return;
	case EXPR_COUNT:
		v->number = o.hold;
		return;
	case EXPR_SUM:
		v->number = o.sum;
		break;
	case EXPR_MIN:
		v->number = o.least;
		break;
	default:
		v->number = o.most;
		break;
	}
	v->known = o.known && (o.hold || a->op == EXPR_SUM);
	if (o.known || c->unknown)
		return;
	c->unknown = "what is added up or compared";
	c->why = "it isn't of some of the rows";
}

/* -------------------------------------------------------------- messages -- */

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

/* What a node comes to: "kept is 1948", "any(...) is so (main > f)". */
static void
say_one(struct check *c, const struct expr_node *a, struct err *e)
{
	const struct expr_source s = { .column = total,
				       .rows = rows,
				       .arg = c };
	const struct expr *x = c->f->expr;
	size_t n = a->end - a->at;
	struct expr_value v;

	*c->first = '\0';
	v = expr_value(x, (uint32_t)(a - x->node), &s);
	while (n && strchr(" \t\n", x->text[a->at + n - 1]))
		n--;
	append(e, "%.*s is ", n > 80 ? 80 : (int)n, x->text + a->at);
	if (a->kind == EXPR_TRUTH)
		append(e, "%s", v.truth ? "so" : "not so");
	else if (v.known)
		append(e, "%.15Lg", v.number);
	else
		append(e, "not known");
	if (a->op == EXPR_ANY && *c->first)
		append(e, " (%s)", c->first);
}

/* All figures that the expression names. */
static void
say(struct check *c, struct err *e)
{
	const struct expr *x = c->f->expr;
	const char *between = ": ";

	snprintf(e->text, sizeof e->text, "--fail-if=%.300s", c->f->text);
	for (size_t i = 0; i < x->n; i++) {
		const struct expr_node *a = &x->node[i];

		if (a->row || (a->op != EXPR_COLUMN && a->op < EXPR_ANY))
			continue;
		append(e, "%s", between);
		between = ", ";
		say_one(c, a, e);
	}
}

/* Is it passed, or isn't it known?  Then *e says so. */
static bool
settle(struct check *c, struct err *e)
{
	const struct expr_source s = { .column = total,
				       .rows = rows,
				       .arg = c };
	const struct expr *x = c->f->expr;

	if (expr_true(x, &s)) {
		say(c, e);
		return true;
	}
	/* Of figures that weren't looked at it doesn't matter. */
	if (c->g && !c->unknown)
		find_unknown(c, x);
	if (c->g && !c->unknown)
		c->why = fail_doubt(c->p);
	if (!c->unknown && !c->why)
		return false;
	snprintf(e->text, sizeof e->text,
		 "--fail-if=%.300s: %s is not known: %s", c->f->text,
		 c->unknown ? c->unknown : "it", c->why);
	return true;
}

/*
 * The rows, unless they are said: call paths, and of each its types, threads
 * and sizes apart where the limit names them.
 */
static void
divide(struct query *q, const struct expr *x)
{
	static const struct {
		enum column column;
		enum query_by by;
	} apart[] = { { COLUMN_TYPE, QUERY_TYPE },
		      { COLUMN_THREAD, QUERY_THREAD },
		      { COLUMN_SIZE, QUERY_SIZE } };

	for (size_t k = 0; k < sizeof apart / sizeof *apart; k++)
		for (size_t i = 0; i < x->n; i++)
			if (x->node[i].op == EXPR_COLUMN && x->node[i].row &&
			    x->node[i].column == apart[k].column) {
				q->by[q->nby++] = apart[k].by;
				break;
			}
}

bool
fail_expr_check(const struct fail *f, const struct profile *p,
		const struct options *o, struct err *e)
{
	struct check c = { .f = f, .p = p };
	struct tally_base base = { 0 };
	struct query_groups g = { 0 };
	struct columns columns;
	struct queries all = { 0 };
	bool passed = true;

	if (!fail_wants(f, false))
		return settle(&c, e);
	snprintf(e->text, sizeof e->text, "out of memory");
	if (queries_plain(&all, o, e))
		return true;
	if (!o->see.group_by)
		divide(all.query, f->expr);
	if (!tally_init(&base, p)) {
		columns_init(&columns, &base);
		if (!query_groups_init(&g, all.query, &columns)) {
			c.g = &g;
			passed = settle(&c, e);
		}
		query_groups_fini(&g);
		columns_fini(&columns);
	}
	tally_fini(&base);
	queries_fini(&all);
	return passed;
}
