/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Expressions: random ones come to what a plain reckoning of their trees says;
 * random bytes, and good ones that are damaged, do no harm.
 */
#include "display/query/expr.h"
#include "tests/tap.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 5, TRIES = 20000, DAMAGED = 60000, ROOM = 8192 };

static const struct expr_name names[COLUMNS] = {
	{ "n", EXPR_NUMBER, EXPR_PLAIN }, { "b", EXPR_NUMBER, EXPR_BYTES },
	{ "t", EXPR_NUMBER, EXPR_TIME },  { "s", EXPR_TEXT, EXPR_PLAIN },
	{ "u", EXPR_NUMBER, EXPR_PLAIN },
};
static const struct expr_scope rows = { names, COLUMNS, NULL };
static const struct expr_scope scope = { names, COLUMNS, &rows };

static uint64_t state = 88172645463325252u;

static unsigned
at_random(unsigned below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned)(state >> 33) % below;
}

static void
column(void *arg, unsigned c, struct expr_value *v)
{
	(void)arg;
	v->known = c != 4;
	v->number = c == 0 ? 7 : c == 1 ? 4096 : c == 2 ? 2500000 : 0;
	v->text = "abc";
}

static void
over_rows(void *arg, const struct expr *x, const struct expr_node *a,
	  struct expr_value *v)
{
	(void)arg, (void)x, (void)a;
	v->number = 3;
	v->truth = true;
}

static const struct expr_source source = { column, over_rows, NULL };

/* ------------------------------------------------- random, and its value -- */

static char text[ROOM];
static size_t len;

static void
put(const char *s)
{
	if (len + strlen(s) < ROOM - 1)
		len += (size_t)snprintf(text + len, ROOM - len, "%s", s);
	/* Blanks or none between all. */
	if (at_random(2) && len < ROOM - 2)
		text[len++] = ' ';
	text[len] = '\0';
}

/* A number in brackets as needed; *known gets whether it is. */
static long double
number(unsigned depth, bool *known)
{
	static const char *const ops[] = { "+", "-", "*", "/" };
	char digits[16];
	long double a, b;
	unsigned op, n;

	if (!depth || !at_random(3)) {
		n = at_random(12);
		*known = n != 10;
		if (n > 9)
			put(n == 10 ? "u" : "n");
		else
			put((snprintf(digits, sizeof digits, "%u", n), digits));
		return n > 9 ? 7 : n;
	}
	op = at_random(4);
	put("(");
	a = number(depth - 1, known);
	put(ops[op]);
	b = number(depth - 1, &(bool){ false });
	put(")");
	return op == 0 ? a + b : op == 1 ? a - b : op == 2 ? a * b : a / b;
}

/* The same without what isn't known, or is by 0: these are told apart. */
static long double
sound(unsigned depth)
{
	static const char *const ops[] = { "+", "-", "*" };
	char digits[16];
	long double a, b;
	unsigned op, n;

	if (!depth || !at_random(3)) {
		n = at_random(11);
		snprintf(digits, sizeof digits, "%u", n);
		put(n == 10 ? "n" : digits);
		return n == 10 ? 7 : n;
	}
	op = at_random(3);
	put("(");
	a = sound(depth - 1);
	put(ops[op]);
	b = sound(depth - 1);
	put(")");
	return op == 0 ? a + b : op == 1 ? a - b : a * b;
}

/* Two of them compared, or texts, or what isn't known: never true. */
static bool
leaf(unsigned depth)
{
	static const struct {
		const char *text;
		bool is;
	} plain[] = { { "s=='abc'", true },    { "s != \"abc\"", false },
		      { "s~'^a.c$'", true },   { "s !~ 'x'", true },
		      { "s ~ 'b{2}'", false }, { "known(u)", false },
		      { "known(s)", true },    { "u>=u", false },
		      { "u != 1", false },     { "b==4K", true },
		      { "b > 4KiB", false },   { "t == 2.5ms", true },
		      { "t<1s", true },	       { "n/0==n/0", false },
		      { "n == 700%", true },   { "u+1<u+2", false } };
	static const char *const ops[] = { "<", "<=", ">", ">=", "==", "!=" };
	unsigned i = at_random(2 * sizeof plain / sizeof *plain);
	long double a, b;

	if (i < sizeof plain / sizeof *plain) {
		put(plain[i].text);
		return plain[i].is;
	}
	i = at_random(6);
	a = sound(depth);
	put(ops[i]);
	b = sound(depth);
	return i == 0	? a < b
	       : i == 1 ? a <= b
	       : i == 2 ? a > b
	       : i == 3 ? a >= b
	       : i == 4 ? a == b
			: a != b;
}

static bool condition(unsigned depth);

/* Several with && between them, each in brackets or not. */
static bool
all_of(unsigned depth)
{
	bool is = true, one, bracket;
	unsigned n = 1 + at_random(3);

	for (unsigned i = 0; i < n; i++) {
		if (i)
			put("&&");
		bracket = depth && at_random(2);
		one = bracket && at_random(2);
		if (one)
			put("!");
		if (bracket) {
			put("(");
			one ^= condition(depth - 1);
			put(")");
		} else {
			one = leaf(2);
		}
		is &= one;
	}
	return is;
}

/* Those with || between them. */
static bool
condition(unsigned depth)
{
	bool is = false;
	unsigned n = 1 + at_random(3);

	for (unsigned i = 0; i < n; i++) {
		if (i)
			put("||");
		is |= all_of(depth);
	}
	return is;
}

static void
values(void)
{
	unsigned bad = 0, so = 0;
	struct expr x;
	struct err e;
	bool is;

	for (unsigned i = 0; i < TRIES; i++) {
		len = 0;
		is = condition(at_random(4));
		so += is;
		if (len > ROOM - 200)
			continue;
		if (expr_parse(&x, text, &scope, EXPR_TRUTH, "x", &e)) {
			bad++;
			continue;
		}
		bad += expr_true(&x, &source) != is;
		expr_fini(&x);
	}
	is_int(bad, 0, "%d random expressions have their values", TRIES);
	ok(so > TRIES / 5 && so < TRIES / 5 * 4, "%u of them are true", so);
}

/* What is known, and what comes out, of numbers alone. */
static void
arithmetic(void)
{
	unsigned bad = 0;
	struct expr_value v;
	struct expr x;
	struct err e;
	bool known;

	for (unsigned i = 0; i < TRIES; i++) {
		long double want;

		len = 0;
		want = number(4, &known);
		if (expr_parse(&x, text, &scope, EXPR_NUMBER, "x", &e)) {
			bad++;
			continue;
		}
		v = expr_value(&x, x.root, &source);
		known = !expr_names(&x, 4);
		/* By 0, it is infinite or no number here. */
		if (v.known)
			bad += !known || v.number != want;
		else
			bad += known && !strchr(text, '/');
		expr_fini(&x);
	}
	is_int(bad, 0, "%d random sums", TRIES);
}

/* ------------------------------------------------------------ bad ones ---- */

/* One caret, below the text; three lines, or one. */
static bool
well_said(const struct err *e)
{
	const char *line = strrchr(e->text, '\n');

	return !strncmp(e->text, "where: ", 7) && line &&
	       line[1 + strspn(line + 1, " ")] == '^' &&
	       !line[2 + strspn(line + 1, " ")];
}

static void
damaged(void)
{
	static const char some[] =
		"()!&|<>=~'\"+-*/.,%{}[]\\ \t\x80\xc3nbstu19k";
	unsigned bad = 0, fine = 0;
	struct expr x;
	struct err e;

	for (unsigned i = 0; i < DAMAGED; i++) {
		len = 0;
		text[0] = '\0';
		if (at_random(3))
			condition(at_random(3));
		for (unsigned k = at_random(6) + !len; k; k--) {
			size_t at = at_random((unsigned)len + 1);

			if (at == len && len < ROOM - 1)
				text[++len] = '\0';
			text[at] = at_random(4)
					   ? some[at_random(sizeof some - 1)]
					   : (char)(1 + at_random(255));
		}
		if (expr_parse(&x, text, &scope, EXPR_TRUTH, "where", &e)) {
			bad += !well_said(&e);
			continue;
		}
		fine++;
		(void)expr_true(&x, &source);
		expr_fini(&x);
	}
	is_int(bad, 0, "%d damaged ones: each is said, with a caret", DAMAGED);
	ok(fine > 100, "%u are good all the same", fine);
}

/* n times a text, and another. */
static int
repeated(const char *s, unsigned n, const char *more)
{
	size_t one = strlen(s);
	char *all = malloc(one * n + strlen(more) + 1);
	struct expr x;
	struct err e;
	int status;

	for (unsigned i = 0; i < n; i++)
		memcpy(all + i * one, s, one);
	memcpy(all + one * n, more, strlen(more) + 1);
	status = expr_parse(&x, all, &scope, EXPR_TRUTH, "where", &e);
	if (!status)
		(void)expr_true(&x, &source);
	if (!status)
		expr_fini(&x);
	else if (!well_said(&e))
		status = -2;
	free(all);
	return status;
}

static void
large(void)
{
	is_int(repeated("(", 100000, "n"), -1, "brackets without end");
	is_int(repeated("(", 30000, "n"), -1, "fewer");
	is_int(repeated("!", 30000, "(n > 1)"), -1, "so many not");
	is_int(repeated("known(", 10000, "n"), -1, "known of known");
	is_int(repeated("any(", 10000, "n"), -1, "any of any");
	is_int(repeated("n > 1 && ", 500, "n > 1"), 0, "many conditions");
	is_int(repeated("n > 1 && ", 7000, "n > 1"), -1, "too many");
	is_int(repeated("n + ", 900, "n > 1"), 0, "a long sum");
	is_int(repeated("n + ", 16000, "n > 1"), -1, "too long a sum");
	is_int(repeated("9", 60000, " > n"), -1, "a large number");
	is_int(repeated("1.", 1, "9999999999999999999999999 > n"), 0,
	       "many places");
	is_int(repeated("s ~ '(a|", 1, "b){1,200}{1,200}'"), -1,
	       "a pattern that repeats repetitions");
	is_int(repeated("s ~ '(a)", 1, "\\1'"), -1, "back-references");
	is_int(repeated("s ~ 'a{1", 1, ",99999999999999999999}'"), -1,
	       "too often");
	is_int(repeated("n > 1 || any(n > 2 && sum(n) > 3)", 1, ""), -1,
	       "rows in rows");
	is_int(repeated("any(n > 2) && sum(n, n > 1) > count(b > 2K)", 1, ""),
	       0, "functions over rows");
}

int
main(void)
{
	values();
	arithmetic();
	damaged();
	large();
	return done_testing();
}
