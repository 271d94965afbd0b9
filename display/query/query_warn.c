/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts that expressions ask for in vain: see query.h. */
#include "display/query/query.h"

#include <string.h>

/* Does an item have what a node compares a column with? */
static bool
is_there(struct columns *columns, const struct expr *x,
	 const struct expr_node *a)
{
	const struct tally_base *b = columns->base;
	enum column c = (enum column)x->node[a->left].column;
	const char *text = x->node[a->right].text;

	for (size_t i = 0; i < b->p->nitems; i++) {
		struct tally t = tally_item(b, i);
		struct expr_value v;

		/* Neighbours have mostly the same. */
		if (i && c != COLUMN_TYPE && c != COLUMN_THREAD &&
		    b->p->items[i].site == b->p->items[i - 1].site)
			continue;
		v = columns_value(columns, &t, c);
		if (!v.known)
			continue;
		if (a->regex ? regexec(a->regex, v.text, 0, NULL, 0) == 0
			     : !strcmp(v.text, text))
			return true;
		if (v.other &&
		    (a->regex ? regexec(a->regex, v.other, 0, NULL, 0) == 0
			      : !strcmp(v.other, text)))
			return true;
	}
	return false;
}

static void
check(const struct query_expr *e, struct columns *columns)
{
	const struct expr *x = &e->x;

	for (size_t i = 0; i < x->n; i++) {
		const struct expr_node *a = &x->node[i];

		if (a->op != EXPR_EQ && a->op != EXPR_NE &&
		    a->op != EXPR_MATCH && a->op != EXPR_NO_MATCH)
			continue;
		if (x->node[a->left].op != EXPR_COLUMN ||
		    x->node[a->right].op != EXPR_STRING ||
		    is_there(columns, x, a))
			continue;
		fprintf(stderr, "mpreduce: %s: no block has a %s %s \"%s\"\n",
			e->what,
			columns_scope.name[x->node[a->left].column].name,
			a->regex ? "like" : "that is", x->node[a->right].text);
	}
}

void
query_warn(const struct query *q, struct columns *columns)
{
	for (size_t i = 0; i < q->nwhere; i++)
		check(&q->where[i], columns);
	for (size_t i = 0; i < q->nhaving; i++)
		check(&q->having[i], columns);
}
