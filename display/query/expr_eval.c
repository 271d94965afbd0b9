/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The values of expressions: see expr.h. */
#include "display/query/expr.h"

#include <string.h>

static struct expr_value
truth(bool is)
{
	return (struct expr_value){ .known = true, .truth = is };
}

static bool
same_text(const struct expr_value *a, const struct expr_value *b)
{
	if (!a->text || !b->text)
		return false;
	return !strcmp(a->text, b->text) ||
	       (a->other && !strcmp(a->other, b->text)) ||
	       (b->other && !strcmp(b->other, a->text));
}

static bool
matches(const regex_t *regex, const struct expr_value *a)
{
	return regexec(regex, a->text, 0, NULL, 0) == 0 ||
	       (a->other && regexec(regex, a->other, 0, NULL, 0) == 0);
}

/* Is it so, of two values that are known? */
static bool
compare(const struct expr *x, const struct expr_node *a,
	const struct expr_value *l, const struct expr_value *r)
{
	bool text = x->node[a->left].kind == EXPR_TEXT;
	long double p = l->number, q = r->number;

	if (x->node[a->left].kind == EXPR_TRUTH)
		return (l->truth == r->truth) == (a->op == EXPR_EQ);
	switch (a->op) {
	case EXPR_EQ:
		return text ? same_text(l, r) : p == q;
	case EXPR_NE:
		return text ? !same_text(l, r) : p != q;
	case EXPR_LT:
		return p < q;
	case EXPR_LE:
		return p <= q;
	case EXPR_GT:
		return p > q;
	case EXPR_GE:
		return p >= q;
	case EXPR_MATCH:
		return matches(a->regex, l);
	default:
		return !matches(a->regex, l);
	}
}

static struct expr_value
reckon(enum expr_op op, struct expr_value l, const struct expr_value *r)
{
	l.known &= r->known;
	switch (op) {
	case EXPR_ADD:
		l.number += r->number;
		break;
	case EXPR_SUB:
		l.number -= r->number;
		break;
	case EXPR_MUL:
		l.number *= r->number;
		break;
	default:
		l.known &= r->number > 0 || r->number < 0;
		l.number = l.known ? l.number / r->number : 0;
		break;
	}
	return l;
}

/* An operator that has two operands. */
static struct expr_value
both(const struct expr *x, const struct expr_node *a,
     const struct expr_source *s)
{
	struct expr_value l = expr_value(x, a->left, s), r;

	if (a->op == EXPR_AND || a->op == EXPR_OR) {
		if ((l.known && l.truth) == (a->op == EXPR_OR))
			return truth(a->op == EXPR_OR);
		r = expr_value(x, a->right, s);
		return truth(r.known && r.truth);
	}
	r = expr_value(x, a->right, s);
	if (a->op >= EXPR_ADD)
		return reckon(a->op, l, &r);
	return truth(l.known && r.known && compare(x, a, &l, &r));
}

struct expr_value
expr_value(const struct expr *x, uint32_t node, const struct expr_source *s)
{
	const struct expr_node *a = &x->node[node];
	struct expr_value v = { .known = true };

	switch (a->op) {
	case EXPR_LITERAL:
		v.number = a->number;
		return v;
	case EXPR_STRING:
		v.text = a->text;
		return v;
	case EXPR_COLUMN:
		s->column(s->arg, a->column, &v);
		return v;
	case EXPR_KNOWN:
		v = expr_value(x, a->left, s);
		return truth(v.known);
	case EXPR_NOT:
		v = expr_value(x, a->left, s);
		return truth(!(v.known && v.truth));
	case EXPR_ANY:
	case EXPR_ALL:
	case EXPR_COUNT:
	case EXPR_SUM:
	case EXPR_MIN:
	case EXPR_MAX:
		s->rows(s->arg, x, a, &v);
		return v;
	default:
		return both(x, a, s);
	}
}

bool
expr_true(const struct expr *x, const struct expr_source *s)
{
	struct expr_value v = expr_value(x, x->root, s);

	return v.known && v.truth;
}

bool
expr_names(const struct expr *x, unsigned column)
{
	for (size_t i = 0; i < x->n; i++)
		if (x->node[i].op == EXPR_COLUMN && x->node[i].column == column)
			return true;
	return false;
}
