/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types that are said in a line of source. */
#include "reduce/guess/source.h"
#include "reduce/dies/dies.h"
#include "reduce/guess/die.h"
#include "reduce/guess/source_names.h"

#include <ctype.h>
#include <dwarf.h>
#include <stdio.h>
#include <string.h>

#define STEPS 16 /* of an expression, and pointers to pointers */
#define WORDS 64 /* bytes of the words of a type */

struct parse {
	const struct symbols_debug *debug;
	size_t function; /* whose names they are, in debug->die */
	const char *at;
	const char *ends; /* what may stand behind a type's name */
	struct guess_said *said;
};

/* A word of the source. */
struct word {
	const char *s;
	size_t n;
};

static void
blanks(struct parse *p)
{
	while (isspace((unsigned char)*p->at))
		p->at++;
}

/* Go past the text if it comes next. */
static bool
take(struct parse *p, const char *text)
{
	size_t n = strlen(text);

	blanks(p);
	if (strncmp(p->at, text, n) != 0)
		return false;
	p->at += n;
	return true;
}

static bool
in_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static bool
take_word(struct parse *p, struct word *w)
{
	blanks(p);
	w->s = p->at;
	if (!in_word(*p->at) || isdigit((unsigned char)*p->at))
		return false;
	while (in_word(*p->at))
		p->at++;
	w->n = (size_t)(p->at - w->s);
	return true;
}

static bool
word_is(const struct word *w, const char *text)
{
	return w->n == strlen(text) && memcmp(w->s, text, w->n) == 0;
}

static bool
is_one_of(const struct word *w, const char *const *words, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (word_is(w, words[i]))
			return true;
	return false;
}

static bool
is_qualifier(const struct word *w)
{
	static const char *const words[] = { "const", "volatile", "restrict",
					     "register", "static" };

	return is_one_of(w, words, sizeof words / sizeof *words);
}

static bool
is_builtin(const struct word *w)
{
	static const char *const words[] = { "unsigned", "signed", "char",
					     "short",	 "int",	   "long",
					     "float",	 "double" };

	return is_one_of(w, words, sizeof words / sizeof *words);
}

/* "unsigned long", as gcc and clang call it in debug information. */
static bool
builtin_type(struct parse *p, struct word *w, Dwarf_Die *type)
{
	bool is_unsigned = false, is_signed = false, is_short = false;
	const char *of = "int";
	char name[2][WORDS];
	const char *before;
	int longs = 0, i;

	do {
		is_unsigned |= word_is(w, "unsigned");
		is_signed |= word_is(w, "signed");
		is_short |= word_is(w, "short");
		longs += word_is(w, "long");
		if (word_is(w, "char"))
			of = "char";
		else if (word_is(w, "float"))
			of = "float";
		else if (word_is(w, "double"))
			of = "double";
		before = p->at;
	} while (take_word(p, w) && is_builtin(w));
	p->at = before;
	is_signed &= strcmp(of, "char") == 0;
	snprintf(name[0], WORDS, "%s%s%s%s%s%s", longs ? "long " : "",
		 longs > 1 ? "long " : "", is_short ? "short " : "",
		 is_unsigned ? "unsigned " : "", is_signed ? "signed " : "",
		 of);
	snprintf(name[1], WORDS, "%s%s%s%s", is_unsigned ? "unsigned " : "",
		 is_short ? "short" : "", longs > 1 ? "long long" : "",
		 longs == 1 ? "long" : "");
	for (i = 0; i < 2; i++)
		if (guess_lookup_type(p->debug, 0, name[i], strlen(name[i]),
				      type))
			return true;
	return false;
}

/* A type, without what it is behind: "struct node", "list_t". */
static bool
base_type(struct parse *p, Dwarf_Die *type)
{
	unsigned tag = 0;
	struct word w;

	do {
		if (!take_word(p, &w))
			return false;
	} while (is_qualifier(&w));
	if (is_builtin(&w))
		return builtin_type(p, &w, type);
	if (word_is(&w, "struct"))
		tag = DW_TAG_structure_type;
	else if (word_is(&w, "union"))
		tag = DW_TAG_union_type;
	else if (word_is(&w, "enum"))
		tag = DW_TAG_enumeration_type;
	if (tag && !take_word(p, &w))
		return false;
	/* Most words are something else: then this is quick. */
	blanks(p);
	if (!tag && !strchr(p->ends, *p->at))
		return false;
	/* A macro, in C. */
	if (word_is(&w, "bool") &&
	    guess_lookup_type(p->debug, 0, "_Bool", strlen("_Bool"), type))
		return true;
	return guess_lookup_type(p->debug, tag, w.s, w.n, type);
}

/* A type, pointers too.  Returns whether that is what comes next. */
static bool
whole_type(struct parse *p, Dwarf_Die *type)
{
	Dwarf_Die of;
	int i;

	if (!base_type(p, type))
		return false;
	take(p, "const");
	for (i = 0; i < STEPS && take(p, "*"); i++) {
		of = *type;
		if (!guess_lookup_pointer(p->debug, &of, type))
			return false;
	}
	return true;
}

/* Go past what is in brackets, behind the first of them. */
static bool
skip_brackets(struct parse *p)
{
	int depth = 1;

	for (; *p->at && depth; p->at++)
		depth += (*p->at == '[' || *p->at == '(') -
			 (*p->at == ']' || *p->at == ')');
	return depth == 0;
}

static bool expression(struct parse *p, Dwarf_Die *type, unsigned depth);

/* A variable, with ->member, .member and [index] behind it. */
static bool
postfix(struct parse *p, Dwarf_Die *type, unsigned depth)
{
	Dwarf_Die of;
	struct word w;
	int i;

	if (take(p, "(")) {
		if (!expression(p, type, depth + 1) || !take(p, ")"))
			return false;
	} else if (!take_word(p, &w) ||
		   !guess_lookup_variable(p->debug, p->function, w.s, w.n,
					  type)) {
		return false;
	}
	for (i = 0; i < STEPS; i++) {
		of = *type;
		if (take(p, "->")) {
			if (!guess_lookup_target(&of, type))
				return false;
			of = *type;
			if (!take_word(p, &w) ||
			    !guess_lookup_member(&of, w.s, w.n, type))
				return false;
		} else if (take(p, ".")) {
			if (!take_word(p, &w) ||
			    !guess_lookup_member(&of, w.s, w.n, type))
				return false;
		} else if (take(p, "[")) {
			if (!guess_lookup_target(&of, type) ||
			    !skip_brackets(p))
				return false;
		} else {
			return true;
		}
	}
	return false;
}

static bool
expression(struct parse *p, Dwarf_Die *type, unsigned depth)
{
	Dwarf_Die of;

	if (depth > STEPS)
		return false;
	if (!take(p, "*"))
		return postfix(p, type, depth);
	return expression(p, &of, depth + 1) && guess_lookup_target(&of, type);
}

static void
say(struct parse *p, const Dwarf_Die *type)
{
	if (p->said->n < GUESS_SAID)
		p->said->type[p->said->n++] = *type;
}

/* Behind "sizeof". */
static void
size_of(struct parse *p)
{
	const char *start;
	Dwarf_Die type;

	blanks(p);
	start = p->at;
	p->ends = "*)c";
	if (take(p, "(") && whole_type(p, &type) && take(p, ")")) {
		say(p, &type);
		return;
	}
	p->at = start;
	if (expression(p, &type, 0))
		say(p, &type);
	else
		p->at = start;
}

/* Behind "(": a cast to a pointer, of what comes next? */
static void
cast(struct parse *p)
{
	const char *start = p->at;
	Dwarf_Die type, to;

	p->ends = "*)c";

	if (whole_type(p, &type) && take(p, ")") && dies_pointee(&type, &to) &&
	    to.addr) {
		blanks(p);
		if (in_word(*p->at) || *p->at == '(')
			say(p, &to);
	}
	p->at = start;
}

/* Behind "(" or ",": an argument that is a type and nothing else? */
static void
argument(struct parse *p)
{
	const char *start = p->at;
	Dwarf_Die type;

	p->ends = "*),";

	if (whole_type(p, &type)) {
		blanks(p);
		if (*p->at == ',' || *p->at == ')')
			say(p, &type);
	}
	p->at = start;
}

/* Is it, by its name, one that makes something: NEW, g_new, ALLOC_N? */
static bool
makes(const struct word *w)
{
	static const char *const parts[] = { "new", "NEW", "alloc", "ALLOC" };
	bool capitals = w->n > 1;
	size_t i;

	for (i = 0; i < w->n; i++)
		capitals &= !islower((unsigned char)w->s[i]);
	for (i = 0; i < sizeof parts / sizeof *parts; i++)
		if (memmem(w->s, w->n, parts[i], strlen(parts[i])))
			return true;
	return capitals;
}

/* Past a number, or a character of another kind. */
static void
go_on(struct parse *p)
{
	if (!in_word(*p->at)) {
		p->at += *p->at != '\0';
		return;
	}
	while (in_word(*p->at))
		p->at++;
}

/* All that the statement says; arguments of macros if nothing else does. */
static void
statement(struct parse *p, const char *text)
{
	bool called, maker = false;
	struct word w;
	int pass;

	for (pass = 0; pass < 2 && !p->said->n; pass++) {
		called = false;
		for (p->at = text; *p->at; called = false) {
			while (take_word(p, &w)) {
				called = !word_is(&w, "sizeof");
				maker = makes(&w);
				if (!called)
					size_of(p);
			}
			p->said->plus |= *p->at == '+';
			if (*p->at == '(' && !called && pass == 0) {
				p->at++;
				cast(p);
			} else if ((*p->at == '(' || *p->at == ',') && maker &&
				   pass == 1) {
				p->at++;
				argument(p);
			} else {
				go_on(p);
			}
		}
	}
}

/* Where the call is written in the function at that place of die[]. */
static bool
written(const struct symbols_debug *debug, size_t i, char path[DIES_PATH],
	unsigned *line, unsigned *column)
{
	Dwarf_Die unit = debug->line, inner;
	Dwarf_Attribute a;
	Dwarf_Line *at;
	const char *file;
	int n = 0, c = 0;

	if (i) {
		inner = debug->die[i - 1];
		*line = dies_number(dwarf_attr(&inner, DW_AT_call_line, &a));
		*column =
			dies_number(dwarf_attr(&inner, DW_AT_call_column, &a));
		return dies_file(dwarf_attr(&inner, DW_AT_call_file, &a),
				 &debug->line, path);
	}
	at = dwarf_getsrc_die(&unit, debug->ra - 1);
	file = at ? dwarf_linesrc(at, NULL, NULL) : NULL;
	if (!file || dwarf_lineno(at, &n) != 0 || n <= 0)
		return false;
	dwarf_linecol(at, &c);
	*line = (unsigned)n;
	*column = c > 0 ? (unsigned)c : 0;
	return dies_path(file, &debug->line, path);
}

/* Does the function return a pointer to plain memory: void, or bytes? */
static bool
returns_memory(const Dwarf_Die *function)
{
	Dwarf_Die type, to;

	if (!dies_type(function, &type) || !dies_pointee(&type, &to))
		return false;
	return !to.addr || dies_size(&to) <= 1;
}

void
guess_source(const struct symbols_debug *debug, struct guess_said *said)
{
	struct parse p = { .debug = debug, .said = said };
	char text[GUESS_STATEMENT], path[DIES_PATH];
	unsigned line, column;

	said->n = 0;
	said->plus = false;
	for (; p.function < debug->n; p.function++) {
		if (written(debug, p.function, path, &line, &column) &&
		    guess_source_statement(path, line, column, text))
			statement(&p, text);
		if (said->n || !returns_memory(&debug->die[p.function]))
			return;
		said->plus = false;
	}
}
