/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shorthands.  Random conditions: their SQL gives the same value as a plain
 * evaluation of their trees.  Random bytes, and good conditions that are
 * damaged, do no harm.
 */
#include "display/query/cond.h"
#include "tests/tap.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 5, TRIES = 4000, DAMAGED = 60000, ROOM = 8192 };

static const struct schema_field field[COLUMNS] = {
	{ .name = "n", .kind = VALUE_COUNT },
	{ .name = "b", .kind = VALUE_BYTES, .level = SCHEMA_BLOCK },
	{ .name = "t", .kind = VALUE_TIME, .level = SCHEMA_BLOCK },
	{ .name = "s", .kind = VALUE_TEXT, .level = SCHEMA_BLOCK },
	{ .name = "u", .kind = VALUE_COUNT },
};
static const struct schema_table table = { .name = "x",
					   .field = field,
					   .nfields = COLUMNS };
static const struct cond_scope scope = { &table, &table };
static sqlite3 *db;

static uint64_t state = 88172645463325252u;

static unsigned
at_random(unsigned below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned)(state >> 33) % below;
}

/* The columns and their values; the last one is unknown. */
#define VALUES \
	"SELECT 1 AS g, 7 AS n, 4096 AS b, 2500000 AS t, 'abc' AS s, NULL AS " \
	"u"

/* The value of some SQL; *known: is it known?  -1: SQLite fails. */
static double
reckon(const char *sql, bool *known)
{
	char *text = sqlite3_mprintf("WITH r AS (" VALUES " UNION ALL " VALUES
				     ") SELECT (%s) FROM (" VALUES ")",
				     sql);
	sqlite3_stmt *stmt = NULL;
	double value = -1;

	*known = true;
	if (sqlite3_prepare_v2(db, text, -1, &stmt, NULL) == SQLITE_OK &&
	    sqlite3_step(stmt) == SQLITE_ROW) {
		*known = sqlite3_column_type(stmt, 0) != SQLITE_NULL;
		value = sqlite3_column_double(stmt, 0);
	} else {
		diag("%s: %s", sqlite3_errmsg(db), sql);
	}
	sqlite3_finalize(stmt);
	sqlite3_free(text);
	return value;
}

/* Is a condition true?  2: unknown. */
static int
holds(const struct cond *w)
{
	bool known;
	double value = reckon(w->whole, &known);

	return !known || (value < 0) ? 2 : value > 0;
}

/* x REGEXP y, which SQLite lacks, for few patterns. */
static void
regexp(sqlite3_context *c, int n, sqlite3_value **v)
{
	const char *pattern = (const char *)sqlite3_value_text(v[0]);

	(void)n;
	sqlite3_result_int(c, pattern && !strcmp(pattern, "^a.c$"));
}

/* ------------------------------------------------- random, and its value -- */

static char text[ROOM];
static size_t len;

static void
put(const char *s)
{
	if (len + strlen(s) < ROOM - 1)
		len += (size_t)snprintf(text + len, ROOM - len, "%s", s);
	/* Sometimes a blank. */
	if (at_random(2) && len < ROOM - 2)
		text[len++] = ' ';
	text[len] = '\0';
}

/* A number, in brackets if needed; *known: is it known? */
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

/* As number(), but always known: without unknown columns and divisions. */
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

/* Compares two numbers, or texts, or an unknown value: that is never true. */
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
		      { "n == 7 * 100%", true },   { "u+1<u+2", false } };
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

/* Several conditions with && between them, each in brackets or not. */
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

/* Several of those with || between them. */
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
	struct cond w;
	struct err e;
	bool is;

	for (unsigned i = 0; i < TRIES; i++) {
		len = 0;
		is = condition(at_random(4));
		so += is;
		if (len > ROOM - 200)
			continue;
		if (cond_parse(&w, text, &scope, "x", &e)) {
			diag("%s", e.text);
			bad++;
			continue;
		}
		bad += holds(&w) != is;
		cond_fini(&w);
	}
	is_int(bad, 0, "%d random conditions have their values", TRIES);
	ok(so > TRIES / 5 && so < TRIES / 5 * 4, "%u of them are true", so);
}

/* Sums equal their computed values. */
static void
arithmetic(void)
{
	unsigned bad = 0, told = 0;
	struct cond w;
	struct err e;
	bool known;

	for (unsigned i = 0; i < TRIES; i++) {
		long double want;
		char more[80];

		len = 0;
		want = number(4, &known);
		if (want < 0 || want > 1e12L || want != want)
			continue;
		snprintf(more, sizeof more, "== %.17Lf",
			 want > 0 ? want : 0.0L);
		put(more);
		if (cond_parse(&w, text, &scope, "x", &e)) {
			diag("%s", e.text);
			bad++;
			continue;
		}
		known = !strchr(text, 'u') && !strchr(text, '/');
		told += known;
		bad += known && holds(&w) != 1;
		cond_fini(&w);
	}
	is_int(bad, 0, "%d random sums", TRIES);
	ok(told > 100, "%u of them could be told", told);
}

/* Conditions split into those on blocks and those on rows. */
static void
apart(void)
{
	static const struct {
		const char *text, *blocks, *rows;
	} all[] = {
		{ "b > 1 && n > 2", "(ifnull(\"b\", ?2) > 1) IS TRUE",
		  "(ifnull(\"n\", ?1) > 2) IS TRUE" },
		{ "n > 2", NULL, "(ifnull(\"n\", ?1) > 2) IS TRUE" },
		{ "b > 1 || n > 2", NULL,
		  "(ifnull(\"b\", ?2) > 1) IS TRUE OR (ifnull(\"n\", ?1) > 2) "
		  "IS TRUE" },
		{ "!(b > 1)", "(NOT (((ifnull(\"b\", ?2) > 1) IS TRUE)))",
		  NULL },
		{ "(s == 'a' && n > 2) && b > 1",
		  "((\"s\" = 'a') IS TRUE) AND (ifnull(\"b\", ?2) > 1) IS TRUE",
		  "((ifnull(\"n\", ?1) > 2) IS TRUE)" },
		{ "s == \"it's\"", "(\"s\" = 'it''s') IS TRUE", NULL },
	};
	struct cond w;
	struct err e;

	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		if (cond_parse(&w, all[i].text, &scope, "x", &e)) {
			ok(false, "%s", e.text);
			continue;
		}
		is_str(w.blocks ? w.blocks : "",
		       all[i].blocks ? all[i].blocks : "", "%s: of blocks",
		       all[i].text);
		is_str(w.rows ? w.rows : "", all[i].rows ? all[i].rows : "",
		       "%s: of rows", all[i].text);
		cond_fini(&w);
	}
}

/*
 * The text that a condition compares with, without quotes and brackets: for
 * searches.
 */
static void
named(void)
{
	static const char *const all[] = { "s == 'abc'", "s ~ (\"abc\")",
					   "(('abc')) != s" };
	struct cond w;
	struct err e;

	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		if (cond_parse(&w, all[i], &scope, "x", &e)) {
			ok(false, "%s", e.text);
			continue;
		}
		is_int(w.nparts, 2, "%s: two parts", all[i]);
		is_str(w.part[1].text, "abc", "%s: what is named", all[i]);
		cond_fini(&w);
	}
}

/* ------------------------------------------------------------ bad ones ---- */

/* Does the message begin with "where: " and end in a line with one caret? */
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
	struct cond w;
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
		if (cond_parse(&w, text, &scope, "where", &e)) {
			bad += !well_said(&e);
			continue;
		}
		fine++;
		if (fine % 8 == 0)
			bad += holds(&w) == 2 && !strchr(text, '/');
		cond_fini(&w);
	}
	is_int(bad, 0, "%d damaged ones: each is said, with a caret", DAMAGED);
	ok(fine > 100, "%u are good all the same", fine);
}

/* The text s n times, and then `more'. */
static int
repeated(const char *s, unsigned n, const char *more)
{
	size_t one = strlen(s);
	char *all = malloc(one * n + strlen(more) + 1);
	struct cond w;
	struct err e;
	int status;

	for (unsigned i = 0; i < n; i++)
		memcpy(all + i * one, s, one);
	memcpy(all + one * n, more, strlen(more) + 1);
	status = cond_parse(&w, all, &scope, "where", &e);
	if (!status && holds(&w) == 2)
		status = -3;
	if (!status || status == -3)
		cond_fini(&w);
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
	if (sqlite3_open(":memory:", &db) ||
	    sqlite3_create_function(db, "regexp", 2, SQLITE_UTF8, NULL, regexp,
				    NULL, NULL))
		return 1;
	values();
	arithmetic();
	apart();
	named();
	damaged();
	large();
	sqlite3_close(db);
	return done_testing();
}
