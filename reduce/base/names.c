/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of functions: endings, brackets, parts. */
#define _GNU_SOURCE
#include "reduce/base/names.h"
#include "reduce/base/str.h"

#include <string.h>

/* Brackets that are nested deeper than this count as unmatched. */
#define NESTED 256

/* ------------------------------------------------------- linkage names -- */

/*
 * Endings that gcc and clang append to a function's symbol for the copies and
 * parts that they make of the function.
 */
static const struct {
	const char *word;
	enum names_ending is;
} endings[] = {
	{ ".cold", NAMES_PART },	{ ".part", NAMES_PART },
	{ ".__part", NAMES_PART },	{ ".split", NAMES_PART },
	{ ".unlikely", NAMES_PART },	{ ".constprop", NAMES_COPY },
	{ ".isra", NAMES_COPY },	{ ".clone", NAMES_COPY },
	{ ".localalias", NAMES_COPY },	{ ".specialized", NAMES_COPY },
	{ ".argprom", NAMES_COPY },	{ ".argelim", NAMES_COPY },
	{ ".lto_priv", NAMES_RENAMED }, { ".llvm", NAMES_RENAMED },
	{ ".__uniq", NAMES_RENAMED },
};

static bool
names_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Length of the name without ".123" at its end; n if it has no such end. */
static size_t
without_number(const char *s, size_t n)
{
	size_t end = n;

	while (end > 0 && names_is_digit(s[end - 1]))
		end--;
	return end < n && end > 1 && s[end - 1] == '.' ? end - 1 : n;
}

size_t
names_peel(const char *s, size_t n, enum names_ending *ending)
{
	size_t end = without_number(s, n), i, k;

	*ending = NAMES_WHOLE;
	for (i = 0; i < STR_COUNT(endings); i++) {
		k = strlen(endings[i].word);
		if (end > k && !memcmp(s + end - k, endings[i].word, k)) {
			*ending = endings[i].is;
			return end - k;
		}
	}
	return n;
}

size_t
names_linked(const char *s, size_t n)
{
	enum names_ending ending;

	do
		n = names_peel(s, n, &ending);
	while (ending);
	return n;
}

bool
names_is_part(const char *s, size_t n)
{
	return memmem(s, n, ".part.", strlen(".part.")) != NULL;
}

/* -------------------------------------------------------- the scanner -- */

bool
names_is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       names_is_digit(c) || c == '_' || c == '$' ||
	       (unsigned char)c >= 0x80;
}

size_t
names_operator(const char *s, char before)
{
	/* A longer sign comes before its own beginnings. */
	static const char *const signs[] = {
		"()", "[]", "->*", "->",    "<=>",  "<<=", ">>=", "<<", ">>",
		"<=", ">=", "==",  "!=",    "&&",   "||",  "++",  "--", "+=",
		"-=", "*=", "/=",  "%=",    "^=",   "&=",  "|=",  "<",	">",
		"+",  "-",  "*",   "/",	    "%",    "^",   "&",	  "|",	"~",
		"!",  "=",  ",",   "\"\" ", "\"\"", " ",
	};
	size_t n = strlen("operator");

	if (*s != 'o' || names_is_word(before) || !str_starts(s, "operator") ||
	    names_is_word(s[n]))
		return 0;
	return n + STR_PREFIX(s + n, signs);
}

/*
 * The closing bracket of each opening one.  ' ': the character may matter, but
 * opens no bracket.
 */
static const char brackets[256] = {
	['('] = ')', ['['] = ']', ['{'] = '}', ['<'] = '>', ['o'] = ' ',
	['-'] = ' ', [')'] = ' ', [']'] = ' ', ['}'] = ' ', ['>'] = ' ',
};

/* Length of "operator+", or of "->", at p, which must not be before s. */
static size_t
no_bracket(const char *s, const char *p)
{
	if (*p == 'o')
		return names_operator(p, p > s ? p[-1] : ' ');
	return p[0] == '-' && p[1] == '>' ? 2 : 0;
}

size_t
names_bracket(const char *s, const char *end)
{
	char stack[NESTED], close;
	size_t depth = 0, n;
	const char *p;

	for (p = s; p < end; p += n) {
		n = 1;
		close = brackets[(unsigned char)*p];
		if (!close)
			continue;
		n = no_bracket(s, p);
		if (n)
			continue;
		n = 1;
		if (close != ' ') {
			/* "((a)<(b))": here < compares. */
			if (*p == '<' && p > s && p[-1] == ')' && p[1] == '(')
				continue;
			if (depth == NESTED)
				return 0;
			stack[depth++] = close;
		} else if (depth && *p != 'o' && *p != '-' &&
			   (*p != '>' || stack[depth - 1] == '>')) {
			if (stack[--depth] != *p)
				return 0;
			if (!depth)
				return (size_t)(p + 1 - s);
		}
	}
	return 0;
}

size_t
names_qualifiers(const char *s)
{
	static const char *const words[] = {
		" const", " volatile", " noexcept", " restrict", " &&", " &",
	};
	const char *p = s;
	size_t i = 0, n;

	while (i < STR_COUNT(words)) {
		n = strlen(words[i]);
		if (str_starts(p, words[i]) && !names_is_word(p[n])) {
			p += n;
			i = 0;
		} else {
			i++;
		}
	}
	return (size_t)(p - s);
}

size_t
names_nameless(const char *s)
{
	static const char *const words[] = { "(anonymous namespace)",
					     "{anonymous}", "<unnamed>",
					     "{unnamed}" };

	return STR_PREFIX(s, words);
}

/* --------------------------------------------------------------- parts -- */

/* A name while it is split. */
struct parts {
	const char *name;
	size_t i, length;
	struct names_parts found;
	bool inside;   /* "void (*name(int))(char)" */
	bool converts; /* within "operator unsigned long" */
	bool ended, bad;
};

static void
parts_begin(struct parts *w, size_t at)
{
	w->i = w->found.start = w->found.scope = w->found.own = at;
}

/* Skip a bracket. */
static void
parts_pass(struct parts *w)
{
	const char *s = w->name + w->i;
	size_t n = names_bracket(s, w->name + w->length);

	w->bad = !n;
	w->i += n;
}

/* At "(": parameters, or a part of the name. */
static void
parts_parenthesis(struct parts *w, char before)
{
	const char *s = w->name + w->i;
	size_t n = names_nameless(s), at = w->i;

	w->converts = false;
	if (n) {
		w->i += n;
	} else if (w->i == w->found.start && (s[1] == '*' || s[1] == '&')) {
		parts_begin(w, w->i + 2);
		w->inside = true;
	} else {
		parts_pass(w);
		s = w->name + w->i;
		s += names_qualifiers(s);
		/* Go has parentheses in names: "bytes.(*Buffer).Write". */
		if (w->bad || before == '.' ||
		    (*s && !str_starts(s, " [") && !(w->inside && *s == ')')))
			return;
		w->found.end = at;
		w->ended = true;
	}
}

/* Take "operator" and what belongs to it, n bytes. */
static void
parts_operator(struct parts *w, size_t n)
{
	w->i += n;
	w->converts = w->name[w->i - 1] == ' ' && w->name[w->i - 2] != '"';
	if (!w->converts && str_starts(w->name + w->i, " <"))
		w->i++;
	if (!w->converts && w->name[w->i] == '<')
		parts_pass(w);
}

static void
parts_step(struct parts *w)
{
	const char *s = w->name + w->i;
	char before = w->i ? s[-1] : ' ';
	size_t n = names_operator(s, before);

	if (n) {
		parts_operator(w, n);
	} else if (*s == '(') {
		parts_parenthesis(w, before);
	} else if (str_starts(s, " [clone ") || (*s == ')' && w->inside)) {
		w->found.end = w->i;
		w->ended = true;
	} else if (*s == '<' || *s == '{' || *s == '[') {
		parts_pass(w);
	} else if (*s == ' ' && !w->converts) {
		parts_begin(w, w->i + 1);
	} else if (s[0] == ':' && s[1] == ':' && !w->converts) {
		w->found.scope = w->i;
		w->found.own = w->i += 2;
	} else {
		w->i += str_starts(s, "->") ? 2 : 1;
	}
}

void
names_split(const char *name, struct names_parts *p)
{
	struct parts w = { .name = name, .length = strlen(name) };

	w.found.end = w.length;
	/* "[module+0x12]" has no parts. */
	w.bad = *name == '[';
	while (w.i < w.length && !w.ended && !w.bad)
		parts_step(&w);
	if (w.bad || w.found.start >= w.found.end)
		w.found = (struct names_parts){ .end = w.length };
	*p = w.found;
}

/* -------------------------------------------------------------- builds -- */

static size_t
names_digits(const char *s)
{
	return strspn(s, "0123456789");
}

/* Remove n bytes from a string. */
static void
names_cut(char *at, size_t n)
{
	memmove(at, at + n, strlen(at + n) + 1);
}

/* "::h0123456789abcdef" at the end of a Rust name. */
static bool
is_rust_hash(const char *s)
{
	return !strncmp(s, "::h", 3) && strlen(s) == 19 &&
	       strspn(s + 3, "0123456789abcdef") == 16;
}

/*
 * The length of a number that only counts; *at gets the length of the text
 * before the number, which stays: "#1" of "{lambda()#1}", "'lambda0'", "$_0".
 */
static size_t
counter(const char *s, size_t *at)
{
	static const char lambda[] = "'lambda";

	*at = 0;
	if (*s == '#' && names_digits(s + 1) &&
	    s[1 + names_digits(s + 1)] == '}')
		return 1 + names_digits(s + 1);
	if (!strncmp(s, lambda, sizeof lambda - 1))
		*at = sizeof lambda - 1;
	else if (!strncmp(s, "$_", 2))
		*at = 2;
	return *at ? names_digits(s + *at) : 0;
}

/*
 * Remove the endings.  "name.123" is a static variable or function in gcc, or a
 * copy in clang.
 */
static void
cut_endings(char *name)
{
	size_t n = strlen(name), was;

	do {
		was = n;
		n = names_linked(name, without_number(name, n));
	} while (n < was);
	name[n] = '\0';
}

void
names_lasting(char *name)
{
	static const char clone[] = " [clone ";
	char *s, *end;
	size_t n, at;

	/*
	 * "[module+0x12]": a function without a name is known only by its
	 * module.
	 */
	if (*name == '[' && (s = strstr(name, "+0x"))) {
		names_cut(s, strlen(s) - 1);
		return;
	}
	while ((s = strstr(name, clone)) && (end = strchr(s, ']')))
		names_cut(s, (size_t)(end + 1 - s));
	for (s = name; *s; s++) {
		if (is_rust_hash(s)) {
			*s = '\0';
			break;
		}
		n = counter(s, &at);
		names_cut(s + at, n);
		if (!*s)
			break;
	}
	cut_endings(name);
}
