/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of C++ types: one spelling, as people write them. */
#include "reduce/base/names.h"
#include "reduce/base/str.h"

#include <ctype.h>
#include <string.h>

/* Template arguments may be nested this deep. */
#define DEPTH 40

/* A piece of a name. */
struct piece {
	const char *s;
	size_t n;
};

/* A name while it is written. */
struct out {
	struct arena *arena;
	char s[NAMES_TYPE_MAX];
	size_t n;
	size_t type;	/* start of the type that is being written */
	bool qualified; /* it has "const" before it already */
	bool pointer;	/* a star has followed it */
};

static bool
starts(struct piece p, const char *with)
{
	size_t n = strlen(with);

	return p.n >= n && memcmp(p.s, with, n) == 0;
}

static bool
names_type_is(struct piece p, const char *text)
{
	return p.n == strlen(text) && memcmp(p.s, text, p.n) == 0;
}

static struct piece
trim(struct piece p)
{
	while (p.n && p.s[0] == ' ')
		p.s++, p.n--;
	while (p.n && p.s[p.n - 1] == ' ')
		p.n--;
	return p;
}

/* Length of the bracket that p begins with, or 0. */
static size_t
bracket(struct piece p)
{
	return names_bracket(p.s, p.s + p.n);
}

/* Take the text before the next comma; *p gets the rest. */
static struct piece
next_argument(struct piece *p)
{
	struct piece first = *p;
	size_t i = 0, n;

	while (i < p->n && p->s[i] != ',') {
		struct piece at = { p->s + i, p->n - i };

		n = names_operator(at.s, i ? at.s[-1] : ' ');
		if (!n && strchr("<([{", at.s[0]))
			n = bracket(at);
		i += n ? n : 1;
	}
	i = i < p->n ? i : p->n;
	first.n = i;
	i += i < p->n;
	p->s += i;
	p->n -= i;
	return trim(first);
}

/* ------------------------------------------------------------- clean -- */

static int
names_type_put(struct out *o, const char *s, size_t n)
{
	if (n >= sizeof o->s - o->n)
		return -1;
	memcpy(o->s + o->n, s, n);
	o->n += n;
	o->s[o->n] = '\0';
	return 0;
}

static int
names_type_put_text(struct out *o, const char *s)
{
	return names_type_put(o, s, strlen(s));
}

static const char *clean(struct arena *a, struct piece p, int depth);

/* Integers as gcc writes them. */
static size_t
integer(struct piece p, const char **better)
{
	static const char *const names[][2] = {
		{ "long long unsigned int", "unsigned long long" },
		{ "long long int", "long long" },
		{ "long unsigned int", "unsigned long" },
		{ "long int", "long" },
		{ "short unsigned int", "unsigned short" },
		{ "short int", "short" },
	};
	size_t i, n;

	for (i = 0; i < STR_COUNT(names); i++) {
		n = strlen(names[i][0]);
		if (starts(p, names[i][0]) &&
		    (p.n == n || !names_is_word(p.s[n]))) {
			*better = names[i][1];
			return n;
		}
	}
	return 0;
}

/* Is the argument the library's default after the first one? */
static bool
is_default(const char *base, const char *first, const char *arg)
{
	static const char *const of_first[] = {
		"std::less<",	       "std::hash<",  "std::equal_to<",
		"std::char_traits<",   "std::deque<", "std::vector<",
		"std::default_delete<"
	};
	size_t i, n;

	if (strncmp(arg, "std::allocator<", 15) == 0)
		return true;
	for (i = 0; i < STR_COUNT(of_first); i++) {
		n = strlen(of_first[i]);
		if (strncmp(arg, of_first[i], n) != 0 ||
		    strncmp(arg + n, first, strlen(first)) != 0 ||
		    strcmp(arg + n + strlen(first), ">") != 0)
			continue;
		if (strcmp(of_first[i], "std::deque<") == 0)
			return strcmp(base, "std::queue") == 0 ||
			       strcmp(base, "std::stack") == 0;
		if (strcmp(of_first[i], "std::vector<") == 0)
			return strcmp(base, "std::priority_queue") == 0;
		return true;
	}
	return false;
}

/*
 * Write "std::basic_string" with the argument "char" as "std::string".  False
 * if the type has no such short name.
 */
static bool
put_short(struct out *o, size_t base, const char *arg, const char *allocator)
{
	static const char *const kinds[] = {
		"string",	"string_view", "ostringstream", "istringstream",
		"stringstream", "stringbuf",   "ofstream",	"ifstream",
		"fstream",	"filebuf",     "ostream",	"istream",
		"iostream",	"streambuf",   "regex",		"ios",
	};
	static const char *const chars[][2] = {
		{ "char", "" },	       { "wchar_t", "w" },
		{ "char8_t", "u8" },   { "char16_t", "u16" },
		{ "char32_t", "u32" },
	};
	const char *kind = o->s + base + strlen("std::basic_");
	size_t i, k;

	if (strncmp(o->s + base, "std::basic_", strlen("std::basic_")) != 0)
		return false;
	for (i = 0; i < STR_COUNT(kinds) && strcmp(kind, kinds[i]) != 0; i++)
		;
	for (k = 0; k < STR_COUNT(chars) && strcmp(arg, chars[k][0]) != 0; k++)
		;
	if (i == STR_COUNT(kinds) || k == STR_COUNT(chars))
		return false;
	o->n = base;
	names_type_put_text(o, allocator ? "std::pmr::" : "std::");
	names_type_put_text(o, chars[k][1]);
	names_type_put_text(o, kinds[i]);
	return true;
}

/*
 * Write containers of std whose last argument is the allocator of std::pmr as
 * containers of std::pmr.
 */
static bool
is_pmr(struct out *o, size_t base, const char *const *args, size_t *n)
{
	static const char poly[] = "std::pmr::polymorphic_allocator<";
	char name[NAMES_TYPE_MAX];

	if (*n < 2 || strncmp(args[*n - 1], poly, strlen(poly)) != 0 ||
	    strncmp(o->s + base, "std::", 5) != 0 ||
	    strchr(o->s + base + 5, ':') || o->s[base + 5] == '_')
		return false;
	memcpy(name, o->s + base + 5, o->n - base - 5 + 1);
	if (names_type_put_text(o, "pmr::"))
		return false;
	o->n = base + 5;
	names_type_put_text(o, "pmr::");
	names_type_put_text(o, name);
	--*n;
	return true;
}

/*
 * Write the template arguments between the brackets of p; o ends with the
 * template's name.
 */
static int
put_arguments(struct out *o, size_t base, struct piece p, int depth)
{
	const char *args[NAMES_ARGUMENTS], *plain;
	bool pmr;
	size_t n = 0, i;

	p = trim((struct piece){ p.s + 1, p.n - 2 });
	while (p.n && n < NAMES_ARGUMENTS) {
		args[n] = clean(o->arena, next_argument(&p), depth + 1);
		if (!args[n++])
			return -1;
	}
	if (p.n)
		return -1;
	while (n > 1 && is_default(o->s + base, args[0], args[n - 1]))
		n--;
	plain = o->s + base;
	pmr = strncmp(plain, "std::basic_", 11) != 0 &&
	      is_pmr(o, base, args, &n);
	while (pmr && n > 1 && is_default("", args[0], args[n - 1]))
		n--;
	if (n == 1 && put_short(o, base, args[0], NULL))
		return 0;
	if (n == 3 && strncmp(args[1], "std::char_traits<", 17) == 0 &&
	    strncmp(args[2], "std::pmr::polymorphic_allocator<", 32) == 0 &&
	    put_short(o, base, args[0], args[2]))
		return 0;
	for (i = 0; i < n; i++)
		if (names_type_put_text(o, i ? ", " : "<") ||
		    names_type_put_text(o, args[i]))
			return -1;
	return n ? names_type_put_text(o, ">") : names_type_put_text(o, "<>");
}

/* Length of an inline namespace of a library, which people don't write. */
static size_t
inline_namespace(const struct out *o, struct piece p)
{
	static const char *const names[] = { "__cxx11::", "__1::", "_V2::",
					     "__ndk1::", "__cxx1998::" };
	size_t i;

	if (o->n < 5 || memcmp(o->s + o->n - 2, "::", 2) != 0 ||
	    !strstr(o->s, "std::"))
		return 0;
	for (i = 0; i < STR_COUNT(names); i++)
		if (starts(p, names[i]))
			return strlen(names[i]);
	return 0;
}

/* Write "const" before the type that it follows. */
static int
put_const(struct out *o, const char *word)
{
	size_t n = strlen(word);

	if (o->pointer || o->qualified || o->n + n + 2 > sizeof o->s)
		return names_type_put_text(o, " ") ||
				       names_type_put_text(o, word)
			       ? -1
			       : 0;
	memmove(o->s + o->type + n + 1, o->s + o->type, o->n - o->type + 1);
	memcpy(o->s + o->type, word, n);
	o->s[o->type + n] = ' ';
	o->n += n + 1;
	o->qualified = true;
	return 0;
}

/* Write a word or a number at p.s.  Returns its length, or -1. */
static ptrdiff_t
names_type_put_word(struct out *o, struct piece p)
{
	const char *better;
	size_t n = integer(p, &better), i;

	if (n)
		return names_type_put_text(o, better) ? -1 : (ptrdiff_t)n;
	for (n = 0; n < p.n && names_is_word(p.s[n]); n++)
		;
	if (isdigit((unsigned char)p.s[0])) {
		for (i = n; i && strchr("uUlL", p.s[i - 1]); i--)
			;
		return names_type_put(o, p.s, i) ? -1 : (ptrdiff_t)n;
	}
	if (names_type_is((struct piece){ p.s, n }, "const") && o->n == o->type)
		o->qualified = true;
	return names_type_put(o, p.s, n) ? -1 : (ptrdiff_t)n;
}

/*
 * Length of the text between a function's name and the name of something inside
 * of the function: its parameters, "const", "[with T = int]".  0 if there is
 * none.
 */
static size_t
scope_of_function(struct piece p)
{
	size_t n = p.s[0] == '(' || p.s[0] == '[' ? bracket(p) : 0;
	struct piece rest = { p.s + n, p.n - n };

	if (!n)
		return 0;
	if (p.s[0] == '[')
		return starts(p, "[with ") ? n : 0;
	rest = trim(rest);
	if (starts(rest, "const"))
		rest = trim((struct piece){ rest.s + 5, rest.n - 5 });
	if (starts(rest, "[with ") && bracket(rest))
		rest = trim((struct piece){ rest.s + bracket(rest),
					    rest.n - bracket(rest) });
	return starts(rest, "::") ? (size_t)(rest.s - p.s) : 0;
}

/* Write something that isn't a word.  Returns its length, or -1. */
static ptrdiff_t
put_mark(struct out *o, struct piece p)
{
	static const char *const lambdas[] = { "<lambda", "(lambda at ",
					       "{lambda(", "'lambda" };
	size_t i, n;

	for (i = 0; i < STR_COUNT(lambdas); i++) {
		if (!starts(p, lambdas[i]))
			continue;
		n = p.s[0] == '\'' ? strlen(lambdas[i]) : bracket(p);
		if (!n)
			n = p.n;
		/*
		 * "{lambda(int)#1}" ends there, "'lambda0'(int)" doesn't yet.
		 */
		return names_type_put_text(o, "{lambda}") ? -1 : (ptrdiff_t)n;
	}
	n = names_nameless(p.s);
	if (n && n <= p.n)
		return names_type_put_text(o, "(anonymous namespace)")
			       ? -1
			       : (ptrdiff_t)n;
	n = scope_of_function(p);
	if (n)
		return (ptrdiff_t)n;
	/* A blank separates the result type from a pointer to a function. */
	if (starts(p, "(*") && o->n && o->s[o->n - 1] != ' ' &&
	    names_type_put_text(o, " "))
		return -1;
	if (p.s[0] == '*' || p.s[0] == '&')
		o->pointer = true;
	if (p.s[0] == ',')
		return names_type_put_text(o, ", ") ? -1 : 1;
	return names_type_put(o, p.s, 1) ? -1 : 1;
}

/* Keep a space only between words, and after a star. */
static int
put_space(struct out *o, struct piece rest)
{
	rest = trim(rest);
	if (!rest.n || !o->n || o->s[o->n - 1] == ' ')
		return 0;
	if (starts(rest, "const") && (rest.n == 5 || !names_is_word(rest.s[5])))
		return 0;
	if (!names_is_word(rest.s[0]) && rest.s[0] != '{' &&
	    !starts(rest, "(*") && !starts(rest, "(anonymous "))
		return 0;
	return names_type_put_text(o, " ");
}

/* Write the next item at p.s.  Returns its length, or -1. */
static ptrdiff_t
put_next(struct out *o, struct piece p, size_t *base, int depth)
{
	bool after_word = o->n && names_is_word(o->s[o->n - 1]);
	size_t n = names_operator(p.s, o->n ? o->s[o->n - 1] : ' ');

	if (n && n <= p.n)
		return names_type_put(o, p.s, n) ? -1 : (ptrdiff_t)n;
	if (p.s[0] == ' ') {
		for (n = 0; n < p.n && p.s[n] == ' '; n++)
			;
		return put_space(o, p) ? -1 : (ptrdiff_t)n;
	}
	if (p.s[0] == '<' && after_word) {
		n = bracket(p);
		if (!n)
			return -1;
		return put_arguments(o, *base, (struct piece){ p.s, n }, depth)
			       ? -1
			       : (ptrdiff_t)n;
	}
	n = inline_namespace(o, p);
	if (n)
		return (ptrdiff_t)n;
	if (starts(p, "const") && (p.n == 5 || !names_is_word(p.s[5])) &&
	    o->n > o->type)
		return put_const(o, "const") ? -1 : 5;
	if (names_is_word(p.s[0])) {
		if (!after_word && (o->n < 2 || o->s[o->n - 1] != ':'))
			*base = o->n;
		return names_type_put_word(o, p);
	}
	if (p.s[0] == ',' || p.s[0] == '(') {
		o->type = o->n + 1 + (p.s[0] == ',');
		o->qualified = o->pointer = false;
	}
	return put_mark(o, p);
}

static const char *
clean(struct arena *a, struct piece p, int depth)
{
	struct out o;
	size_t base = 0;
	ptrdiff_t n;

	/*
	 * Don't clear all of it: the text is long, and there are very many
	 * names.
	 */
	o.arena = a;
	o.n = o.type = 0;
	o.qualified = o.pointer = false;
	o.s[0] = '\0';
	p = trim(p);
	if (depth > DEPTH)
		return NULL;
	for (; p.n; p.s += n, p.n -= (size_t)n) {
		n = put_next(&o, p, &base, depth);
		if (n <= 0)
			return NULL;
	}
	return arena_copy(a, o.s, o.n);
}

const char *
names_type_clean(struct arena *a, const char *name)
{
	size_t n = strlen(name);

	return n < NAMES_TYPE_MAX ? clean(a, (struct piece){ name, n }, 0)
				  : NULL;
}

/* ------------------------------------------------------------- split -- */

const char *
names_type_plain(const char *name)
{
	return strncmp(name, "const ", 6) == 0 ? name + 6 : name;
}

int
names_type_split(struct arena *a, const char *name, struct names_type *p)
{
	struct piece all = { name, strlen(name) }, args = { "", 0 }, arg;
	size_t n = strcspn(name, "<");

	*p = (struct names_type){ .rest = "" };
	if (n == all.n)
		n = strcspn(name, "*&");
	p->base = arena_copy(a, name, n);
	if (name[n] == '<') {
		args = (struct piece){ name + n, all.n - n };
		args.n = bracket(args);
		p->rest = args.n ? name + n + args.n : "";
		args = (struct piece){ args.s + 1, args.n ? args.n - 2 : 0 };
	} else {
		p->rest = name + n;
	}
	while (args.n && p->n < NAMES_ARGUMENTS) {
		arg = next_argument(&args);
		p->arg[p->n] = arena_copy(a, arg.s, arg.n);
		if (!p->arg[p->n++])
			return -1;
	}
	return 0;
}

const char *
names_type_bare(const char *name)
{
	static const char *const words[] = { "struct ", "class ", "union ",
					     "enum " };

	return name + STR_PREFIX(name, words);
}
