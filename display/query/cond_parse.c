/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conditions, from text to SQL: see cond.h. */
#include "display/query/cond_term.h"

#include "display/query/caret.h"
#include "display/query/pattern.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Longer texts, deeper brackets, and higher trees aren't taken. */
enum { LONGEST = 65536, DEEPEST = 100, HIGHEST = 950 };

static bool primary(struct parser *p, struct term *t);

/* ---------------------------------------------------------------- errors -- */

/* False, with the message. */
bool
cond_fail(struct parser *p, size_t at, const char *message)
{
	caret_complain(p->e, p->w->what, p->w->text, at, message);
	return false;
}

static bool
memory(struct parser *p)
{
	snprintf(p->e->text, sizeof p->e->text, "out of memory");
	return false;
}

/* The next token.  False with a message. */
bool
cond_advance(struct parser *p)
{
	cond_next(&p->lex);
	if (p->lex.wrong)
		cond_fail(p, p->lex.at, p->lex.wrong);
	return !p->lex.wrong;
}

bool
cond_is_op(const struct parser *p, const char *op)
{
	return p->lex.token == COND_T_OP && !strcmp(p->lex.op, op);
}

void
cond_drop(struct term *t)
{
	free(t->sql);
	free(t->rows);
	t->sql = t->rows = NULL;
}

/* An allocated text; NULL with a message. */
char *
cond_say(struct parser *p, const char *fmt, ...)
{
	char *text;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (n >= 0)
		return text;
	memory(p);
	return NULL;
}

/* Text as a literal of SQL.  Allocated; NULL: out of memory. */
static char *
quote(const char *text, size_t n)
{
	char *quoted = malloc(2 * n + 3), *to = quoted;

	if (!quoted)
		return NULL;
	*to++ = '\'';
	for (size_t i = 0; i < n; i++) {
		if (text[i] == '\'')
			*to++ = '\'';
		*to++ = text[i];
	}
	*to++ = '\'';
	*to = '\0';
	return quoted;
}

/* ----------------------------------------------------------------- parts -- */

/* Note that something is named; NULL with a message. */
struct cond_part *
cond_note(struct parser *p, enum cond_part_kind kind, size_t at, size_t end)
{
	struct cond *w = p->w;
	struct cond_part *v = reallocarray(w->part, w->nparts + 1, sizeof *v);

	if (!v) {
		memory(p);
		return NULL;
	}
	w->part = v;
	v += w->nparts++;
	*v = (struct cond_part){
		.kind = kind, .at = at, .end = end, .inside = p->inside
	};
	return v;
}

/* What the term names is compared for rows. */
void
cond_mark_row(struct parser *p, const struct term *t)
{
	for (size_t i = t->part; i < p->w->nparts; i++)
		p->w->part[i].row = true;
}

/* ----------------------------------------------------------- expressions -- */

static bool
literal(struct parser *p, struct term *t)
{
	const struct cond_lex *l = &p->lex;
	bool whole_number = l->number <= 9223372036854775807.0L &&
			    l->number - (long double)(uint64_t)l->number <= 0;

	t->is = (struct cond_operand){ .kind = COND_NUMBER,
				       .unit = l->unit,
				       .literal = true,
				       .bare = l->bare,
				       .number = l->number };
	t->end = l->at;
	t->sql = whole_number ? cond_say(p, "%.0Lf", l->number)
			      : cond_say(p, "%.17Lg", l->number);
	return t->sql && cond_advance(p);
}

static bool
string(struct parser *p, struct term *t)
{
	t->is = (struct cond_operand){ .kind = COND_TEXT, .string = true };
	t->end = p->lex.at;
	t->sql = quote(p->lex.text + t->at + 1, t->end - t->at - 2);
	return t->sql ? cond_advance(p) : memory(p);
}

static bool
bracket(struct parser *p, struct term *t)
{
	size_t at = p->lex.start;
	char *sql, *rows;

	if (!cond_advance(p) || !cond_level(p, 0, t))
		return false;
	if (!cond_is_op(p, ")"))
		return cond_fail(p,
				 p->lex.token == COND_END ? at : p->lex.start,
				 p->lex.token == COND_END
					 ? "this bracket is not closed"
					 : "expected an operator or )");
	sql = t->sql ? cond_say(p, "(%s)", t->sql) : NULL;
	rows = t->rows ? cond_say(p, "(%s)", t->rows) : NULL;
	if ((t->sql && !sql) || (t->rows && !rows)) {
		free(sql);
		free(rows);
		return false;
	}
	cond_drop(t);
	t->sql = sql;
	t->rows = rows;
	return cond_advance(p);
}

static bool
negation(struct parser *p, struct term *t)
{
	struct term of = { .part = p->w->nparts };
	char *sql = NULL;
	bool fine;

	fine = cond_advance(p) && primary(p, &of);
	if (fine && of.is.kind != COND_TRUTH)
		fine = cond_fail(p, of.at,
				 "`!' is of conditions: put this in brackets");
	if (fine) {
		char *all = cond_both(p, &of);

		sql = all ? cond_say(p, "(NOT (%s))", all) : NULL;
		free(all);
		if (of.rows)
			cond_mark_row(p, &of);
		t->is.kind = COND_TRUTH;
		t->end = of.end;
		t->sum = of.sum;
		t->height = of.height + 1;
		*(of.rows ? &t->rows : &t->sql) = sql;
	}
	cond_drop(&of);
	return fine && sql;
}

static bool
primary(struct parser *p, struct term *t)
{
	const struct cond_lex *l = &p->lex;
	size_t at = l->start, end = l->at;
	bool fine;

	*t = (struct term){ .at = at, .end = end, .part = p->w->nparts };
	if (++p->depth > DEEPEST)
		return cond_fail(p, at, "too many brackets");
	if (l->token == COND_T_NUMBER)
		fine = literal(p, t);
	else if (l->token == COND_T_STRING)
		fine = string(p, t);
	else if (l->token == COND_T_NAME &&
		 l->text[end + strspn(l->text + end, " \t\r\n")] == '(')
		fine = cond_advance(p) && cond_call(p, at, end - at, t);
	else if (l->token == COND_T_NAME)
		fine = cond_name(p, t);
	else if (cond_is_op(p, "("))
		fine = bracket(p, t);
	else if (cond_is_op(p, "!"))
		fine = negation(p, t);
	else
		fine = cond_fail(p, at, "expected a column, number, text or (");
	t->at = at;
	p->depth--;
	if (!fine)
		cond_drop(t);
	return fine;
}

/* ----------------------------------------------------------- operators -- */

static const struct binary {
	const char *text, *sql;
	int level; /* the higher, the tighter */
} binaries[] = {
	{ "||", "OR", 0 }, { "&&", "AND", 1 },	  { "==", "=", 2 },
	{ "!=", "!=", 2 }, { "<", "<", 2 },	  { "<=", "<=", 2 },
	{ ">", ">", 2 },   { ">=", ">=", 2 },	  { "~", "REGEXP", 2 },
	{ "!~", NULL, 2 }, { "+", "+", 3 },	  { "-", "-", 3 },
	{ "*", "*", 4 },   { "/", "* 1.0 /", 4 },
};

enum { TIGHTEST = 4, NBINARIES = sizeof binaries / sizeof *binaries };

/* The operator that is the token, if it is of that level; or NULL. */
static const struct binary *
binary_at(const struct parser *p, int level)
{
	for (size_t i = 0; i < NBINARIES; i++)
		if (binaries[i].level == level &&
		    cond_is_op(p, binaries[i].text))
			return &binaries[i];
	return NULL;
}

/* Texts that are the same, or match; those with two names by either. */
static char *
compare_texts(struct parser *p, const struct binary *b, const struct term *l,
	      const struct term *r)
{
	const char *other = l->is.field ? l->is.field->other : NULL;
	bool not = *b->text == '!';

	if (!other && r->is.field && r->is.field->other)
		return compare_texts(p, b, r, l);
	if (b->level == 2 && strchr(b->text, '~'))
		return other ? cond_say(p,
					"(%s %sREGEXP %s %s ifnull(\"%s\", %s) "
					"%sREGEXP %s) IS TRUE",
					l->sql, not ? "NOT " : "", r->sql,
					not ? "AND" : "OR", other, l->sql,
					not ? "NOT " : "", r->sql)
			     : cond_say(p, "(%s %sREGEXP %s) IS TRUE", l->sql,
					not ? "NOT " : "", r->sql);
	return other ? cond_say(p, "(%s %sIN (%s, ifnull(\"%s\", %s))) IS TRUE",
				r->sql, not ? "NOT " : "", l->sql, other,
				l->sql)
		     : cond_say(p, "(%s %s %s) IS TRUE", l->sql, b->sql,
				r->sql);
}

/* What a text is compared with, to see whether there is such a one. */
static bool
note_text(struct parser *p, const struct binary *b, const struct term *l,
	  const struct term *r)
{
	bool pattern = strchr(b->text, '~') != NULL;
	struct cond_part *part;

	if (!l->is.field && r->is.field && !pattern)
		return note_text(p, b, r, l);
	if (!l->is.field || !r->is.string)
		return true;
	part = cond_note(p, pattern ? COND_PATTERN : COND_NAME, r->at, r->end);
	if (!part)
		return false;
	part->field = l->is.field;
	part->text = strndup(p->w->text + r->at + 1, r->end - r->at - 2);
	return part->text || memory(p);
}

/* Is the pattern one? */
static bool
check_pattern(struct parser *p, const struct term *r)
{
	char message[256], *text;
	regex_t *regex;
	int wrong;

	text = strndup(p->w->text + r->at + 1, r->end - r->at - 2);
	if (!text)
		return memory(p);
	wrong = pattern_compile(&regex, text, message, sizeof message);
	free(text);
	pattern_free(regex);
	if (!wrong)
		return true;
	return *message ? cond_fail(p, r->at, message) : memory(p);
}

/* left OP right, both numbers or texts, or conditions that are alike. */
static bool
compare(struct parser *p, const struct binary *b, const struct term *l,
	const struct term *r, struct term *t)
{
	bool text = l->is.kind == COND_TEXT;
	char *x, *y, *sql = NULL;

	if (strchr(b->text, '~') && !check_pattern(p, r))
		return false;
	if (l->is.kind == COND_TRUTH) {
		x = cond_both(p, l);
		y = cond_both(p, r);
		sql = x && y ? cond_say(p, "(%s) %s (%s)", x, b->sql, y) : NULL;
		free(x);
		free(y);
	} else {
		sql = text ? compare_texts(p, b, l, r)
			   : cond_say(p, "(%s %s %s) IS TRUE", l->sql, b->sql,
				      r->sql);
	}
	t->is.kind = COND_TRUTH;
	t->sum = l->sum || r->sum || l->rows || r->rows;
	*(t->sum ? &t->rows : &t->sql) = sql;
	if (!sql || (text && !note_text(p, b, l, r)))
		return false;
	if (t->sum)
		cond_mark_row(p, t);
	return true;
}

/* a OP b, of which each may be missing; 0 or -1 with a message. */
static int
join(struct parser *p, const char *op, const char *a, const char *b, char **to)
{
	if (!a && !b)
		return 0;
	*to = a && b ? cond_say(p, "%s %s %s", a, op, b)
		     : cond_say(p, "%s", a ? a : b);
	return *to ? 0 : -1;
}

/* && or ||: what is asked of blocks is kept apart if that may be. */
static bool
both(struct parser *p, const struct binary *b, const struct term *l,
     const struct term *r, struct term *t)
{
	bool and = *b->text == '&', rows = l->rows || r->rows;
	char *x, *y;
	int status;

	t->is.kind = COND_TRUTH;
	t->sum = l->sum || r->sum;
	if (and || !rows)
		return !join(p, b->sql, l->sql, r->sql, &t->sql) &&
		       !join(p, b->sql, l->rows, r->rows, &t->rows);
	x = cond_both(p, l);
	y = cond_both(p, r);
	status = x && y ? join(p, b->sql, x, y, &t->rows) : -1;
	free(x);
	free(y);
	cond_mark_row(p, t);
	return !status;
}

/* left OP right, of which the right one has been parsed. */
static bool
operate(struct parser *p, const struct binary *b, struct term *l,
	const struct term *r, size_t at, struct term *t)
{
	char message[160];
	const char *bad =
		cond_check(b->text, &l->is, &r->is, message, sizeof message);

	*t = (struct term){ .at = l->at, .end = r->end, .part = l->part };
	if (bad)
		return cond_fail(p, at, bad);
	/* Some are two of SQL's. */
	t->height = 1 + (b->level == 2 || *b->text == '/') +
		    (l->height > r->height ? l->height : r->height);
	if (t->height > HIGHEST)
		return cond_fail(p, at, "this is too long: use brackets");
	if (b->level < 2)
		return both(p, b, l, r, t);
	if (b->level == 2)
		return cond_limit(p, b->text, l, r) && compare(p, b, l, r, t);
	t->is.kind = COND_NUMBER;
	t->is.unit = cond_unit_of(b->text, &l->is, &r->is);
	t->sum = l->sum || r->sum;
	t->sql = cond_say(p, "%s %s %s", l->sql, b->sql, r->sql);
	return t->sql;
}

/* Operands of operators of that level and tighter ones. */
bool
cond_level(struct parser *p, int level, struct term *t)
{
	const struct binary *b;
	struct term right, all;
	bool fine;
	size_t at;

	if (!(level < TIGHTEST ? cond_level(p, level + 1, t) : primary(p, t)))
		return false;
	while ((b = binary_at(p, level)) != NULL) {
		at = p->lex.start;
		fine = cond_advance(p) &&
		       (level < TIGHTEST ? cond_level(p, level + 1, &right)
					 : primary(p, &right));
		if (!fine) {
			cond_drop(t);
			return false;
		}
		fine = operate(p, b, t, &right, at, &all);
		cond_drop(t);
		cond_drop(&right);
		*t = all;
		if (!fine) {
			cond_drop(t);
			return false;
		}
	}
	return true;
}

/* All of the text. */
static bool
parse(struct parser *p, struct term *t)
{
	char message[160];

	if (strlen(p->w->text) > LONGEST)
		return cond_fail(p, 0, "this is too long");
	if (!cond_advance(p) || !cond_level(p, 0, t))
		return false;
	if (p->lex.token != COND_END)
		return cond_fail(p, p->lex.start, "expected an operator");
	if (t->is.kind == COND_TRUTH)
		return true;
	snprintf(message, sizeof message, "this is %s, but must be %s",
		 cond_kind_name(t->is.kind), cond_kind_name(COND_TRUTH));
	return cond_fail(p, t->at, message);
}

int
cond_parse(struct cond *w, const char *text, const struct cond_scope *scope,
	   const char *what, struct err *e)
{
	struct parser p = { .w = w, .scope = scope, .lex.text = text, .e = e };
	struct term t = { 0 };

	*w = (struct cond){ .text = text, .what = what };
	if (parse(&p, &t)) {
		w->blocks = t.sql;
		w->rows = t.rows;
		return 0;
	}
	cond_drop(&t);
	cond_fini(w);
	return -1;
}

void
cond_fini(struct cond *w)
{
	for (size_t i = 0; i < w->nparts; i++) {
		free(w->part[i].text);
		free(w->part[i].sql);
		free(w->part[i].first);
		free(w->part[i].gap);
	}
	free(w->part);
	free(w->blocks);
	free(w->rows);
	*w = (struct cond){ 0 };
}

char *
cond_whole(const struct cond *w)
{
	char *text = NULL;

	if (w->blocks && w->rows) {
		if (asprintf(&text, "(%s) AND (%s)", w->blocks, w->rows) < 0)
			return NULL;
		return text;
	}
	return strdup(w->blocks ? w->blocks : w->rows);
}
