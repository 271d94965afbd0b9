/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expressions, from text to a tree: see expr.h. */
#include "display/query/expr.h"

#include <stdlib.h>
#include <string.h>

/* Longer texts, deeper brackets, and higher trees aren't taken. */
enum { LONGEST = 65536, DEEPEST = 100, HIGHEST = 1000 };

struct parser {
	struct expr *x;
	const struct expr_scope *scope, *top; /* where it is, and of all */
	const char *what;
	struct expr_lex lex;
	unsigned depth; /* of brackets */
	struct err *e;
};

static uint32_t parse_or(struct parser *p);
static uint32_t primary(struct parser *p);

/* ---------------------------------------------------------------- errors -- */

/* EXPR_NONE, with the message. */
static uint32_t
fail(struct parser *p, size_t at, const char *message)
{
	expr_complain(p->e, p->what, p->x->text, at, message);
	return EXPR_NONE;
}

static uint32_t
no_memory(struct parser *p)
{
	snprintf(p->e->text, sizeof p->e->text, "out of memory");
	return EXPR_NONE;
}

/* The next token.  False with a message. */
static bool
next(struct parser *p)
{
	expr_next(&p->lex);
	if (p->lex.wrong)
		fail(p, p->lex.at, p->lex.wrong);
	return !p->lex.wrong;
}

static bool
is_op(const struct parser *p, const char *op)
{
	return p->lex.token == EXPR_T_OP && !strcmp(p->lex.op, op);
}

/* ----------------------------------------------------------------- nodes -- */

/* Append a node; EXPR_NONE with a message.  Its operands are there. */
static uint32_t
add(struct parser *p, const struct expr_node *from)
{
	struct expr *x = p->x;
	uint32_t side[] = { from->left, from->right };
	struct expr_node *v;

	if (x->n == x->room) {
		x->room = x->room * 2 + 8;
		v = reallocarray(x->node, x->room, sizeof *v);
		if (!v)
			return no_memory(p);
		x->node = v;
	}
	v = &x->node[x->n];
	*v = *from;
	v->row = p->scope != p->top;
	for (int i = 0; i < 2; i++)
		if (side[i] != EXPR_NONE &&
		    v->height <= x->node[side[i]].height)
			v->height = x->node[side[i]].height + 1;
	if (v->height > HIGHEST)
		return fail(p, from->at, "this is too long: use brackets");
	return (uint32_t)x->n++;
}

static struct expr_node *
node(const struct parser *p, uint32_t i)
{
	return &p->x->node[i];
}

/* -------------------------------------------------------------- patterns -- */

/* Compile a node's text.  0, or -1 with a message. */
static int
compile(struct parser *p, struct expr_node *a, const char *text, size_t at)
{
	char message[256] = "";

	if (!expr_compile(&a->regex, text, message, sizeof message))
		return 0;
	if (*message)
		fail(p, at, message);
	else
		no_memory(p);
	return -1;
}

/* ------------------------------------------------------- names and calls -- */

/* A column's name. */
static uint32_t
name(struct parser *p)
{
	const struct expr_lex *l = &p->lex;
	const char *text = l->text + l->start, *near;
	size_t n = l->at - l->start;
	unsigned column = expr_find(p->scope, text, n);
	struct expr_node a = { .op = EXPR_COLUMN,
			       .column = column,
			       .left = EXPR_NONE,
			       .right = EXPR_NONE,
			       .at = l->start,
			       .end = l->at };
	char message[160];

	if (column < p->scope->n) {
		a.kind = p->scope->name[column].kind;
		a.unit = p->scope->name[column].unit;
		return next(p) ? add(p, &a) : EXPR_NONE;
	}
	near = expr_nearest(p->scope, text, n);
	n = n > 40 ? 40 : n;
	if (near)
		snprintf(message, sizeof message,
			 "there is no column \"%.*s\"; is \"%s\" meant?",
			 (int)n, text, near);
	else
		snprintf(
			message, sizeof message,
			"there is no column \"%.*s\"; mpreduce(1) has them all",
			(int)n, text);
	return fail(p, a.at, message);
}

static const struct {
	const char *name;
	enum expr_op op;
	enum expr_kind kind;
	bool number, condition; /* arguments */
} calls[] = {
	{ "any", EXPR_ANY, EXPR_TRUTH, false, true },
	{ "all", EXPR_ALL, EXPR_TRUTH, false, true },
	{ "count", EXPR_COUNT, EXPR_NUMBER, false, true },
	{ "sum", EXPR_SUM, EXPR_NUMBER, true, true },
	{ "min", EXPR_MIN, EXPR_NUMBER, true, true },
	{ "max", EXPR_MAX, EXPR_NUMBER, true, true },
};

enum { NCALLS = sizeof calls / sizeof *calls };

/* An argument of that kind, of what rows have. */
static uint32_t
argument(struct parser *p, enum expr_kind kind)
{
	size_t at = p->lex.start;
	uint32_t a = parse_or(p);

	if (a == EXPR_NONE || node(p, a)->kind == kind)
		return a;
	return fail(p, at,
		    kind == EXPR_NUMBER ? "here must be a number"
					: "here must be a condition");
}

/* Behind a call's first bracket, up to the last one. */
static bool
arguments(struct parser *p, struct expr_node *a, size_t i)
{
	if (calls[i].number) {
		a->left = argument(p, EXPR_NUMBER);
		if (a->left == EXPR_NONE)
			return false;
		a->unit = node(p, a->left)->unit;
	}
	/* The condition may lack where there is a number. */
	if (!calls[i].number || is_op(p, ",")) {
		if (calls[i].number && !next(p))
			return false;
		a->right = argument(p, EXPR_TRUTH);
		if (a->right == EXPR_NONE)
			return false;
	}
	if (is_op(p, ")"))
		return next(p);
	fail(p, p->lex.start, "here must be a )");
	return false;
}

/* any(), sum() ... */
static uint32_t
call_rows(struct parser *p, size_t i, size_t at)
{
	const struct expr_scope *scope = p->scope;
	struct expr_node a = { .op = calls[i].op,
			       .kind = calls[i].kind,
			       .left = EXPR_NONE,
			       .right = EXPR_NONE,
			       .at = at };
	bool fine;

	p->scope = scope->rows;
	fine = arguments(p, &a, i);
	p->scope = scope;
	if (!fine)
		return EXPR_NONE;
	a.end = p->lex.start;
	return add(p, &a);
}

/* known(COLUMN) */
static uint32_t
call_known(struct parser *p, size_t at)
{
	struct expr_node a = { .op = EXPR_KNOWN,
			       .kind = EXPR_TRUTH,
			       .right = EXPR_NONE,
			       .at = at };

	if (p->lex.token != EXPR_T_NAME)
		return fail(p, p->lex.start, "here must be a column");
	a.left = name(p);
	if (a.left == EXPR_NONE)
		return EXPR_NONE;
	if (!is_op(p, ")"))
		return fail(p, p->lex.start, "here must be a )");
	a.end = p->lex.at;
	return next(p) ? add(p, &a) : EXPR_NONE;
}

/* A name with a bracket behind it, which is the token. */
static uint32_t
call(struct parser *p, size_t at, size_t n)
{
	const char *text = p->x->text + at;
	char message[160];
	size_t i;

	if (!next(p))
		return EXPR_NONE;
	if (n == 5 && !strncmp(text, "known", n))
		return call_known(p, at);
	for (i = 0; i < NCALLS && p->scope->rows; i++)
		if (strlen(calls[i].name) == n &&
		    !strncmp(text, calls[i].name, n))
			return call_rows(p, i, at);
	snprintf(message, sizeof message,
		 "there is no function \"%.*s\" here; %s", n > 40 ? 40 : (int)n,
		 text,
		 p->scope->rows ? "there are known, any, all, count, sum, min "
				  "and max"
				: "there is known(COLUMN)");
	return fail(p, at, message);
}

/* ----------------------------------------------------------- expressions -- */

static uint32_t
literal(struct parser *p)
{
	struct expr_node a = { .op = EXPR_LITERAL,
			       .kind = EXPR_NUMBER,
			       .unit = p->lex.unit,
			       .column = p->lex.bare,
			       .left = EXPR_NONE,
			       .right = EXPR_NONE,
			       .at = p->lex.start,
			       .end = p->lex.at,
			       .number = p->lex.number };

	return next(p) ? add(p, &a) : EXPR_NONE;
}

static uint32_t
string(struct parser *p)
{
	struct expr_node a = { .op = EXPR_STRING,
			       .kind = EXPR_TEXT,
			       .left = EXPR_NONE,
			       .right = EXPR_NONE,
			       .at = p->lex.start,
			       .end = p->lex.at };
	uint32_t i;

	a.text = strndup(p->lex.text + a.at + 1, a.end - a.at - 2);
	if (!a.text)
		return no_memory(p);
	i = next(p) ? add(p, &a) : EXPR_NONE;
	if (i == EXPR_NONE)
		free(a.text);
	return i;
}

static uint32_t
bracket(struct parser *p)
{
	size_t at = p->lex.start;
	uint32_t a;

	if (!next(p))
		return EXPR_NONE;
	a = parse_or(p);
	if (a == EXPR_NONE)
		return a;
	if (!is_op(p, ")"))
		return fail(p, p->lex.token == EXPR_END ? at : p->lex.start,
			    p->lex.token == EXPR_END
				    ? "this bracket has no end"
				    : "here must be an operator or a )");
	return next(p) ? a : EXPR_NONE;
}

static uint32_t
negation(struct parser *p)
{
	struct expr_node a = { .op = EXPR_NOT,
			       .kind = EXPR_TRUTH,
			       .right = EXPR_NONE,
			       .at = p->lex.start };

	if (!next(p))
		return EXPR_NONE;
	a.left = primary(p);
	if (a.left == EXPR_NONE)
		return EXPR_NONE;
	if (node(p, a.left)->kind != EXPR_TRUTH)
		return fail(p, node(p, a.left)->at,
			    "`!' is of conditions: put this in brackets");
	a.end = node(p, a.left)->end;
	return add(p, &a);
}

static uint32_t
primary(struct parser *p)
{
	const struct expr_lex *l = &p->lex;
	size_t at = l->start, end = l->at;
	uint32_t a = EXPR_NONE;

	if (++p->depth > DEEPEST)
		return fail(p, at, "there are too many brackets");
	if (l->token == EXPR_T_NUMBER)
		a = literal(p);
	else if (l->token == EXPR_T_STRING)
		a = string(p);
	else if (l->token == EXPR_T_NAME &&
		 l->text[end + strspn(l->text + end, " \t\r\n")] == '(')
		a = next(p) ? call(p, at, end - at) : EXPR_NONE;
	else if (l->token == EXPR_T_NAME)
		a = name(p);
	else if (is_op(p, "("))
		a = bracket(p);
	else if (is_op(p, "!"))
		a = negation(p);
	else
		a = fail(p, at,
			 "here must be a column, a number, a text or a (");
	p->depth--;
	return a;
}

/* ----------------------------------------------------------- operators -- */

static const struct binary {
	const char *text;
	enum expr_op op;
	int level; /* the higher, the tighter */
} binaries[] = {
	{ "||", EXPR_OR, 0 },	{ "&&", EXPR_AND, 1 },
	{ "==", EXPR_EQ, 2 },	{ "!=", EXPR_NE, 2 },
	{ "<", EXPR_LT, 2 },	{ "<=", EXPR_LE, 2 },
	{ ">", EXPR_GT, 2 },	{ ">=", EXPR_GE, 2 },
	{ "~", EXPR_MATCH, 2 }, { "!~", EXPR_NO_MATCH, 2 },
	{ "+", EXPR_ADD, 3 },	{ "-", EXPR_SUB, 3 },
	{ "*", EXPR_MUL, 4 },	{ "/", EXPR_DIV, 4 },
};

enum { TIGHTEST = 4, NBINARIES = sizeof binaries / sizeof *binaries };

/* The operator that is the token, if it is of that level; or NULL. */
static const struct binary *
binary_at(const struct parser *p, int level)
{
	for (size_t i = 0; i < NBINARIES; i++)
		if (binaries[i].level == level && is_op(p, binaries[i].text))
			return &binaries[i];
	return NULL;
}

/* left OP right, of which the right one has been parsed. */
static uint32_t
join(struct parser *p, const struct binary *b, uint32_t left, uint32_t right,
     size_t at)
{
	struct expr_node a = { .op = b->op,
			       .left = left,
			       .right = right,
			       .at = node(p, left)->at,
			       .end = node(p, right)->end };
	char message[160];
	const char *bad = expr_check(b->op, b->text, node(p, left),
				     node(p, right), message, sizeof message);
	uint32_t i;

	if (bad)
		return fail(p, at, bad);
	a.kind = b->level < 3 ? EXPR_TRUTH : EXPR_NUMBER;
	if (a.kind == EXPR_NUMBER)
		a.unit = expr_unit_of(b->op, node(p, left), node(p, right));
	if ((b->op == EXPR_MATCH || b->op == EXPR_NO_MATCH) &&
	    compile(p, &a, node(p, right)->text, node(p, right)->at))
		return EXPR_NONE;
	i = add(p, &a);
	if (i == EXPR_NONE && a.regex) {
		regfree(a.regex);
		free(a.regex);
	}
	return i;
}

/* Operands of operators of that level and tighter ones. */
static uint32_t
parse_level(struct parser *p, int level)
{
	uint32_t left = level < TIGHTEST ? parse_level(p, level + 1)
					 : primary(p),
		 right;
	const struct binary *b;
	size_t at;

	while (left != EXPR_NONE && (b = binary_at(p, level)) != NULL) {
		at = p->lex.start;
		if (!next(p))
			return EXPR_NONE;
		right = level < TIGHTEST ? parse_level(p, level + 1)
					 : primary(p);
		if (right == EXPR_NONE)
			return EXPR_NONE;
		left = join(p, b, left, right, at);
	}
	return left;
}

static uint32_t
parse_or(struct parser *p)
{
	return parse_level(p, 0);
}

/* All of the text. */
static uint32_t
parse(struct parser *p, enum expr_kind kind)
{
	char message[160];
	uint32_t root;

	if (strlen(p->x->text) > LONGEST)
		return fail(p, 0, "this is too long");
	root = next(p) ? parse_or(p) : EXPR_NONE;
	if (root == EXPR_NONE)
		return root;
	if (p->lex.token != EXPR_END)
		return fail(p, p->lex.start, "here must be an operator");
	if (node(p, root)->kind == kind)
		return root;
	snprintf(message, sizeof message, "this is %s and must be %s",
		 expr_kind_name(node(p, root)->kind), expr_kind_name(kind));
	return fail(p, node(p, root)->at, message);
}

int
expr_parse(struct expr *x, const char *text, const struct expr_scope *scope,
	   enum expr_kind kind, const char *what, struct err *e)
{
	struct parser p = { .x = x,
			    .scope = scope,
			    .top = scope,
			    .what = what,
			    .lex.text = text,
			    .e = e };

	*x = (struct expr){ .text = text };
	x->root = parse(&p, kind);
	if (x->root != EXPR_NONE)
		return 0;
	expr_fini(x);
	return -1;
}

void
expr_fini(struct expr *x)
{
	for (size_t i = 0; i < x->n; i++) {
		free(x->node[i].text);
		if (x->node[i].regex)
			regfree(x->node[i].regex);
		free(x->node[i].regex);
	}
	free(x->node);
	*x = (struct expr){ 0 };
}
